/**
 * The state lock: one writer of the catalogue at a time, for the length of one transaction (ST-5).
 *
 * Within a handle the callers stand in line; among handles and processes the lock is tried again and again, with short
 * irregular pauses, so that nobody is starved and the event loop is never blocked.
 */
import { ScheduleError } from '../../../errors.js';
import type { Disk } from '../disk/disk.js';
import type { KernelLock, OpenLock } from './native-lock.js';

/** Milliseconds of waiting after which a transaction is given up. @internal */
export const LOCK_WAIT_MS = 15_000;

/** Callers that run one after the other. @internal */
export class Turn {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs when all who came before are done, however they ended. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** Throws `SCHEDULE_ABORTED` where a signal has fired. @internal */
export function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new ScheduleError('SCHEDULE_ABORTED', 'the call was given up by its signal; nothing was changed', {
    cause: signal.reason,
  });
}

/** See the head of this file. @internal */
export class StateLock {
  readonly #disk: Disk;
  readonly #open: OpenLock;
  readonly #path: string;
  readonly #turn = new Turn();
  #lock: KernelLock | undefined;

  constructor(disk: Disk, open: OpenLock, path: string) {
    this.#disk = disk;
    this.#open = open;
    this.#path = path;
  }

  /** Runs alone among all processes. Throws `SCHEDULE_CONTENTION` after {@link LOCK_WAIT_MS} of waiting. */
  run<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    return this.#turn.run(async () => {
      const lock = await this.#take(signal);
      try {
        return await work();
      } finally {
        lock.unlock();
      }
    });
  }

  /** Closes the file; the lock is free by then, since callers stand in line. */
  close(): Promise<void> {
    return this.#turn.run(async () => {
      await this.#lock?.close();
      this.#lock = undefined;
    });
  }

  async #take(signal: AbortSignal | undefined): Promise<KernelLock> {
    let waited = 0;
    for (;;) {
      refuseAborted(signal);
      this.#lock ??= await this.#open(this.#path);
      if (this.#lock.tryLock()) {
        if (this.#lock.isIntact()) return this.#lock;
        // Somebody replaced the file: whoever comes later locks the new one, so this one is of no use.
        await this.#lock.close();
        this.#lock = undefined;
        continue;
      }
      if (waited >= LOCK_WAIT_MS) throw contention(this.#path);
      const pause = 0.3 + Number.parseInt(this.#disk.randomHex(2), 16) / 150 + Math.min(waited / 100, 10);
      await this.#disk.pause(pause);
      waited += Math.max(1, pause);
    }
  }
}

function contention(path: string): ScheduleError {
  return new ScheduleError('SCHEDULE_CONTENTION', `the state lock was held by others for ${LOCK_WAIT_MS} ms`, {
    details: { path },
    hint: 'A process that holds it may be stopped: look for one with this file open. Nothing was changed.',
  });
}
