/**
 * Mutants of the file adapters: the store, the lock and the evidence as they are, over a disk or a lock that leaves out one
 * step of their protocol, as if the code had forgotten it.
 */
import type { Disk } from '../../../src/adapters/fs/disk/disk.js';
import { layoutOf } from '../../../src/adapters/fs/layout.js';
import type { KernelLock } from '../../../src/adapters/fs/locks/native-lock.js';
import { evidenceContract } from '../../../src/testing/contracts/evidence-contract.js';
import { lockContract } from '../../../src/testing/contracts/lock-contract.js';
import { storeContract } from '../../../src/testing/contracts/store-contract.js';
import { simulatedEvidence, simulatedLock, simulatedStore } from '../simulated-fs.js';
import { type Between, ROOT } from '../simulated-workspace.js';
import type { Mutant } from './mutant.js';

const { documents, journal, occurrences, ownerLock, tmp } = layoutOf(ROOT);

function store(clause: string, what: string, between: Between): Mutant {
  return { clause, what, cases: storeContract(() => simulatedStore(between)) };
}

function lock(clause: string, what: string, between: Between): Mutant {
  return { clause, what, cases: lockContract(() => simulatedLock(between)) };
}

function evidence(clause: string, what: string, between: Between): Mutant {
  return { clause, what, cases: evidenceContract(() => simulatedEvidence(between)) };
}

/** A disk with some calls of its own; it knows the path of every open file. */
function disk(breaks: (good: Disk, pathOf: (file: number) => string) => Partial<Disk>): Between {
  return {
    disk: (good) => {
      const paths = new Map<number, string>();
      const own = breaks(good, (file) => paths.get(file) ?? '');
      return new Proxy(good, {
        get(target, name: keyof Disk) {
          if (name === 'open') {
            return async (...given: Parameters<Disk['open']>) => {
              const file = await (own.open ?? target.open.bind(target))(...given);
              paths.set(file, given[0]);
              return file;
            };
          }
          return own[name] ?? (target[name] as (...given: unknown[]) => unknown).bind(target);
        },
      });
    },
  };
}

/** A disk on which files below a path are not flushed. */
function unflushed(below: string): Between {
  return disk((good, pathOf) => ({
    flush: async (file) => {
      if (!pathOf(file).startsWith(below)) await good.flush(file);
    },
  }));
}

/** A disk on which the names below a path are not flushed. */
function unnamed(below: string): Between {
  return disk((good) => ({
    flushDirectory: async (path) => {
      if (!path.startsWith(below)) await good.flushDirectory(path);
    },
  }));
}

/** Locks of which those at a path are changed. */
function locks(path: string, breaks: (good: KernelLock) => Partial<KernelLock>): Between {
  return {
    locks: (open) => async (at, use) => {
      const good = await open(at, use);
      if (at !== path) return good;
      const bound: KernelLock = {
        tryLock: () => good.tryLock(),
        unlock: () => good.unlock(),
        isIntact: () => good.isIntact(),
        close: () => good.close(),
      };
      return { ...bound, ...breaks(good) };
    },
  };
}

/** The mutants. */
export const BROKEN_DISKS: readonly Mutant[] = [
  store('S-5', 'does not flush the journal', unflushed(journal)),
  store('S-5', 'does not flush the names of the journal', unnamed(journal)),
  store('S-5', 'does not flush a new file before it gives it its name', unflushed(tmp)),
  store('S-5', 'does not flush the names of documents', unnamed(documents)),
  store('S-5', 'flushes no names at all', unnamed(ROOT)),
  store(
    'S-12',
    'passes over a write that failed',
    disk((good, pathOf) => ({
      write: (file, ...given) =>
        good.write(file, ...given).catch((error: unknown) => {
          if (!pathOf(file).startsWith(journal)) throw error;
        }),
    })),
  ),
  store(
    'S-2',
    'writes one byte less than it should',
    disk((good, pathOf) => ({
      write: (file, bytes, position) =>
        good.write(file, pathOf(file).startsWith(journal) ? bytes.subarray(0, -1) : bytes, position),
    })),
  ),
  lock(
    'L-1',
    'takes a lock that is taken',
    locks(ownerLock, () => ({ tryLock: () => true })),
  ),
  lock(
    'L-3',
    'does not look whether its lock file is still there',
    locks(ownerLock, () => ({ isIntact: () => true })),
  ),
  lock(
    'L-4',
    'gives nothing back',
    locks(ownerLock, () => ({ unlock: () => {}, close: async () => {} })),
  ),
  evidence('E-1', 'does not flush the names of attempts', unnamed(occurrences)),
  evidence('E-1', 'does not flush dispatch records', unflushed(occurrences)),
  evidence(
    'E-1',
    'does not make the directory of an attempt exclusively',
    disk((good) => ({
      makeDirectory: async (path) => {
        await good.makeDirectory(path);
        return 'made';
      },
    })),
  ),
  evidence(
    'E-2',
    'does not flush results',
    disk((good, pathOf) => ({
      flush: async (file) => {
        if (!results.has(pathOf(file))) await good.flush(file);
      },
      write: async (file, bytes, position) => {
        if (Buffer.from(bytes).includes('"receipts"')) results.add(pathOf(file));
        await good.write(file, bytes, position);
      },
    })),
  ),
];

/** Files that a result was written to, whatever their names are. */
const results = new Set<string>();
