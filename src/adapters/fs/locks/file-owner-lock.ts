/**
 * The owner lock as a kernel lock on `locks/owner.lock`, with `owner.json` beside it as advice for people (L, OW-1).
 *
 * The lock file is empty, and is never renamed, removed or written. What an owner says of itself is written elsewhere,
 * unflushed, and decides nothing.
 */
import { join } from 'node:path';
import { type EpochMs, formatInstant, parseInstant } from '../../../core/time/instant.js';
import { ScheduleError } from '../../../errors.js';
import type { AcquireResult, Lease, OwnerLock, OwnerReport, OwnerStatus } from '../../../ports/owner-lock.js';
import type { CallOptions } from '../../../ports/schedule-store.js';
import type { Disk } from '../disk/disk.js';
import { readFile } from '../disk/new-file.js';
import { inStore, isAbsent, isSystemError } from '../disk/trouble.js';
import type { Layout } from '../layout.js';
import type { KernelLock, OpenLock } from './native-lock.js';
import { refuseAborted } from './state-lock.js';

/** Tries of `acquire`: a `status` of another process holds the lock for microseconds. */
const TRIES = 4;
const BETWEEN_TRIES_MS = 2;
const REPORT_BYTES = 1_048_576;

/** See the head of this file. @internal */
export class FileOwnerLock implements OwnerLock {
  readonly capabilities = { isSharedBetweenProcesses: true, diesWithProcess: true };
  readonly #disk: Disk;
  readonly #layout: Layout;
  readonly #open: OpenLock;
  readonly #onAcquired: () => Promise<void>;
  readonly #leases = new Set<FileLease>();
  #isClosed = false;

  /** `onAcquired` does what an owner does first, before anybody hears that it is one. */
  constructor(disk: Disk, layout: Layout, open: OpenLock, onAcquired: () => Promise<void> = async () => {}) {
    this.#onAcquired = onAcquired;
    this.#disk = disk;
    this.#layout = layout;
    this.#open = open;
  }

  async acquire(options?: CallOptions): Promise<AcquireResult> {
    this.#refuse(options);
    return inStore('taking the owner lock', this.#layout.ownerLock, async () => {
      for (let attempt = 1; ; attempt++) {
        const lock = await this.#tryOnce();
        if (lock !== undefined) return { kind: 'acquired', lease: await this.#begin(lock) };
        if (attempt === TRIES) break;
        await this.#disk.pause(BETWEEN_TRIES_MS);
      }
      const report = await this.#report();
      return report === undefined ? { kind: 'held' } : { kind: 'held', report };
    });
  }

  async status(options?: CallOptions): Promise<OwnerStatus> {
    this.#refuse(options);
    return inStore('asking for the owner', this.#layout.ownerLock, async () => {
      const isHeld = await this.#isHeld();
      const report = await this.#report();
      return { isHeld, ...(report === undefined ? {} : { report }) };
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const lease of [...this.#leases]) await lease.release();
  }

  #refuse(options: CallOptions | undefined): void {
    refuseAborted(options?.signal);
    if (!this.#isClosed) return;
    throw new ScheduleError('SCHEDULE_CLOSED', 'the owner lock was used after it was closed', {
      details: { root: this.#layout.root },
      hint: 'Open the workspace again.',
    });
  }

  /** Looks without writing, so that a medium mounted read-only tells it too. */
  async #isHeld(): Promise<boolean> {
    let lock: KernelLock;
    try {
      lock = await this.#open(this.#layout.ownerLock, 'look');
    } catch (error) {
      if (isAbsent(error)) return false;
      throw error;
    }
    try {
      const isFree = lock.tryLock();
      if (isFree) lock.unlock();
      return !isFree;
    } finally {
      await lock.close();
    }
  }

  /** The lock, taken, where it is free. */
  async #tryOnce(): Promise<KernelLock | undefined> {
    const lock = await this.#open(this.#layout.ownerLock);
    let isTaken = false;
    try {
      isTaken = lock.tryLock() && lock.isIntact();
    } finally {
      // Also where nobody could tell: a lock that is left open is held until this process ends.
      if (!isTaken) await lock.close();
    }
    return isTaken ? lock : undefined;
  }

  async #begin(lock: KernelLock): Promise<Lease> {
    try {
      await this.#onAcquired();
    } catch (error) {
      await lock.close();
      throw error;
    }
    return this.#lease(lock);
  }

  #lease(lock: KernelLock): Lease {
    const lease: FileLease = new FileLease(
      lock,
      (report) => this.#write(report),
      () => this.#giveBack(lease, lock),
    );
    this.#leases.add(lease);
    return lease;
  }

  #giveBack(lease: FileLease, lock: KernelLock): Promise<void> {
    this.#leases.delete(lease);
    return inStore('giving back the owner lock', this.#layout.ownerLock, async () => {
      try {
        lock.unlock();
      } finally {
        await lock.close();
      }
    });
  }

  async #write(report: OwnerReport): Promise<void> {
    await inStore('leaving a report', this.#layout.owner, async () => {
      const wire = { ...report, since: formatInstant(report.since), lastTickAt: formatInstant(report.lastTickAt) };
      const temporary = join(this.#layout.tmp, `${this.#disk.randomHex(24)}.tmp`);
      const file = await this.#disk.open(temporary, 'create');
      try {
        await this.#disk.write(file, Buffer.from(`${JSON.stringify(wire, null, 2)}\n`), 0);
      } finally {
        await this.#disk.close(file);
      }
      await this.#disk.rename(temporary, this.#layout.owner);
    });
  }

  /** What the last owner said; nothing where it cannot be read, since it is advice. */
  async #report(): Promise<OwnerReport | undefined> {
    const bytes = await readFile(this.#disk, this.#layout.owner, REPORT_BYTES);
    return bytes === undefined ? undefined : reportIn(bytes.toString('utf8'));
  }
}

class FileLease implements Lease {
  readonly #lock: KernelLock;
  readonly #write: (report: OwnerReport) => Promise<void>;
  readonly #giveBack: () => Promise<void>;
  #isReleased = false;

  constructor(lock: KernelLock, write: (report: OwnerReport) => Promise<void>, giveBack: () => Promise<void>) {
    this.#lock = lock;
    this.#write = write;
    this.#giveBack = giveBack;
  }

  /** The kernel still has it where the disk cannot tell what its name stands for: that passes, or the store tells of it. */
  isHeld(): boolean {
    if (this.#isReleased) return false;
    try {
      return this.#lock.isIntact();
    } catch (error) {
      if (isSystemError(error)) return true;
      throw error;
    }
  }

  async note(report: OwnerReport): Promise<void> {
    if (!this.isHeld()) throw lost();
    await this.#write(report);
  }

  async release(): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    await this.#giveBack();
  }
}

function lost(): ScheduleError {
  return new ScheduleError('SCHEDULE_LOCK_LOST', 'the owner lock is not held any more', {
    hint: 'Stop this owner; another one may have started.',
  });
}

function reportIn(text: string): OwnerReport | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Unflushed advice after a power cut.
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { pid, host, epoch, since, lastTickAt, running } = value as Record<string, unknown>;
  const times = [since, lastTickAt].map((time) => (typeof time === 'string' ? parseInstant(time) : undefined));
  if (typeof pid !== 'number' || typeof host !== 'string' || typeof epoch !== 'number' || !Array.isArray(running)) {
    return undefined;
  }
  if (times.includes(undefined)) return undefined;
  const [sinceMs, tickMs] = times as [EpochMs, EpochMs];
  return { pid, host, epoch, since: sinceMs, lastTickAt: tickMs, running: running.map(String) };
}
