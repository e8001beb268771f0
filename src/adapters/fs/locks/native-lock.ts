/**
 * Kernel locks: exclusive, of one open file against every other, and gone the moment their process is (L-2).
 *
 * Never a lease by age and never a POSIX record lock of ours: the first has double owners, the second vanishes when any
 * descriptor of the file is closed. What is used is found out at run time: `fs-native-extensions` (open file description
 * locks on Linux, their like on macOS and Windows), else an exclusive transaction of `node:sqlite`, else a refusal.
 */
import { ScheduleError } from '../../../errors.js';
import type { Disk } from '../disk/disk.js';
import { codeOf, isAbsent } from '../disk/trouble.js';

/** One opened lock. @internal */
export interface KernelLock {
  /** Takes it where it is free; never waits. */
  tryLock(): boolean;
  unlock(): void;
  /** Whether its path still is the file that was opened, with that one name. */
  isIntact(): boolean;
  close(): Promise<void>;
}

/**
 * What a lock is opened for: `hold` takes it from everybody, and makes its file where it does not exist; `look` writes
 * nothing, needs no right to write, and is refused by holders alone.
 *
 * @internal
 */
export type LockUse = 'hold' | 'look';

/** Opens locks by path; to hold them where nothing else is said. @internal */
export type OpenLock = (path: string, use?: LockUse) => Promise<KernelLock>;

/** How to get at the two libraries; tests stand in for them. @internal */
export interface LockLibraries {
  native(): Promise<NativeExtensions>;
  sqlite(): Promise<SqliteModule>;
}

/** What is used of `fs-native-extensions`. @internal */
export interface NativeExtensions {
  tryLock(file: number, options: { readonly shared: boolean }): boolean;
  unlock(file: number): void;
}

/** What is used of `node:sqlite`. @internal */
export interface SqliteModule {
  readonly DatabaseSync: new (
    path: string,
    options: { readonly readOnly: boolean },
  ) => { exec(sql: string): void; close(): void };
}

const LIBRARIES: LockLibraries = {
  async native() {
    // @ts-expect-error The package comes without types.
    const loaded = await import('fs-native-extensions');
    return loaded.default ?? loaded;
  },
  async sqlite() {
    // Node has it from version 22 on.
    const sqlite = process.getBuiltinModule?.('node:sqlite');
    if (sqlite === undefined) throw new Error('this Node does not have it');
    return sqlite as unknown as SqliteModule;
  },
};

/**
 * The kernel locks of this machine.
 *
 * @remarks Throws `SCHEDULE_LOCK_UNSUPPORTED` where there are none; both causes are in the details.
 * @internal
 */
export async function kernelLocks(disk: Disk, libraries: LockLibraries = LIBRARIES): Promise<OpenLock> {
  const refusals: string[] = [];
  try {
    const native = await libraries.native();
    return (path, use) => openNative(disk, native, path, use ?? 'hold');
  } catch (error) {
    refusals.push(`fs-native-extensions: ${String(error)}`);
  }
  try {
    const { DatabaseSync } = await libraries.sqlite();
    return (path, use) => openSqlite(disk, DatabaseSync, path.replace(/\.lock$/, '.db'), use ?? 'hold');
  } catch (error) {
    refusals.push(`node:sqlite: ${String(error)}`);
  }
  throw new ScheduleError('SCHEDULE_LOCK_UNSUPPORTED', 'this machine has no kernel lock that everdue can use', {
    details: { refusals },
    hint: 'Use Node 22 or newer, which brings node:sqlite, or a platform of fs-native-extensions.',
  });
}

async function openNative(disk: Disk, native: NativeExtensions, path: string, use: LockUse): Promise<KernelLock> {
  const file = await openFor(use, disk, path);
  let isOpen = true;
  return {
    tryLock: () => native.tryLock(file, { shared: use === 'look' }),
    unlock: () => native.unlock(file),
    isIntact: () => isOpen && isSame(disk, path, disk.factsNow(file).identity),
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await disk.close(file);
    },
  };
}

async function openSqlite(
  disk: Disk,
  Database: SqliteModule['DatabaseSync'],
  path: string,
  use: LockUse,
): Promise<KernelLock> {
  const file = await openFor(use, disk, path);
  const { identity } = disk.factsNow(file);
  await disk.close(file);
  // An exclusive transaction of a connection that only reads is a shared one.
  const database = new Database(path, { readOnly: use === 'look' });
  database.exec('PRAGMA busy_timeout = 0');
  let isOpen = true;
  return {
    tryLock() {
      try {
        database.exec('BEGIN EXCLUSIVE');
        return true;
      } catch (error) {
        if (isBusy(error)) return false;
        throw error;
      }
    },
    unlock: () => database.exec('ROLLBACK'),
    isIntact: () => isOpen && isSame(disk, path, identity),
    async close() {
      if (!isOpen) return;
      isOpen = false;
      database.close();
    },
  };
}

function isSame(disk: Disk, path: string, identity: string): boolean {
  const facts = disk.lookNow(path);
  return facts?.identity === identity && facts.links === 1;
}

/** SQLITE_BUSY and SQLITE_LOCKED. */
function isBusy(error: unknown): boolean {
  const number = typeof error === 'object' && error !== null ? Reflect.get(error, 'errcode') : undefined;
  return number === 5 || number === 6;
}

function openFor(use: LockUse, disk: Disk, path: string): Promise<number> {
  return use === 'look' ? disk.open(path, 'read') : openOrCreate(disk, path);
}

async function openOrCreate(disk: Disk, path: string): Promise<number> {
  for (;;) {
    try {
      return await disk.open(path, 'update');
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
    try {
      return await disk.open(path, 'create');
    } catch (error) {
      // Another process made it in between.
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}
