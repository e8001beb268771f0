/**
 * The owner's seat of a catalogue in memory: one owner at a time among the handles of one {@link MemoryData}.
 *
 * It is gone with the process, and so are its holders; no other process can see it.
 */
import { ScheduleError } from '../errors.js';
import type { AcquireResult, Lease, OwnerLock, OwnerReport, OwnerStatus } from '../ports/owner-lock.js';
import type { CallOptions } from '../ports/schedule-store.js';
import {
  closedError,
  contentOf,
  type MemoryContent,
  type MemoryData,
  memoryData,
  refuseAborted,
} from './memory-data.js';

/**
 * The lock of a catalogue in memory; of a new one where none is given. Keeps clauses L-1 to L-6.
 *
 * @internal
 */
export function memoryLock(data: MemoryData = memoryData()): OwnerLock {
  return new MemoryLock(contentOf(data).seat);
}

class MemoryLock implements OwnerLock {
  readonly capabilities = { isSharedBetweenProcesses: false, diesWithProcess: true };
  readonly #seat: MemoryContent['seat'];
  #lease: Lease | undefined;
  #isClosed = false;

  constructor(seat: MemoryContent['seat']) {
    this.#seat = seat;
  }

  async acquire(options: CallOptions = {}): Promise<AcquireResult> {
    if (this.#isClosed) throw closedError('owner lock');
    refuseAborted(options.signal, 'Taking the owner lock');
    const { report } = this.#seat;
    if (this.#seat.lease !== undefined) return report === undefined ? { kind: 'held' } : { kind: 'held', report };
    const lease = leaseOf(this.#seat);
    this.#seat.lease = lease;
    this.#lease = lease;
    return { kind: 'acquired', lease };
  }

  async status(options: CallOptions = {}): Promise<OwnerStatus> {
    if (this.#isClosed) throw closedError('owner lock');
    refuseAborted(options.signal, 'Asking for the owner');
    const { lease, report } = this.#seat;
    return { isHeld: lease !== undefined, ...(report === undefined ? {} : { report }) };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#lease?.release();
  }
}

function leaseOf(seat: MemoryContent['seat']): Lease {
  const lease: Lease = {
    isHeld: () => seat.lease === lease,
    note: async (report: OwnerReport) => {
      if (seat.lease !== lease) {
        throw new ScheduleError('SCHEDULE_LOCK_LOST', 'A report was left by an owner that no longer holds the lock.');
      }
      seat.report = structuredClone(report);
    },
    release: async () => {
      if (seat.lease === lease) delete seat.lease;
    },
  };
  return lease;
}
