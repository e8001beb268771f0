/**
 * The state lock: one writer of the catalogue at a time, for the length of one transaction (ST-5).
 *
 * Within a handle the callers stand in line; among handles and processes the lock is tried again and again, with short
 * irregular pauses, so that nobody is starved and the event loop is never blocked. Whoever waits goes when its signal
 * fires (CT-1), and after {@link LOCK_WAIT_MS} in any case.
 */
import { ScheduleError } from '../../../errors.js';
import type { Disk } from '../disk/disk.js';
import type { KernelLock, OpenLock } from './native-lock.js';

/** Milliseconds of waiting, in line and for other processes together, after which a transaction is given up. @internal */
export const LOCK_WAIT_MS = 10_000;

/** Callers that run one after the other. @internal */
export class Turn {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs when all who came before are done, however they ended; never runs once a signal has fired before its turn. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted === true) return Promise.reject(aborted(signal));
    let isBegun = false;
    const result = this.#last.then(() => {
      refuseAborted(signal);
      isBegun = true;
      return work();
    });
    this.#last = result.catch(() => undefined);
    return signal === undefined ? result : unlessAborted(result, signal, () => isBegun);
  }
}

/** The result, or a refusal as soon as the signal fires while nothing is begun. */
function unlessAborted<T>(result: Promise<T>, signal: AbortSignal, isBegun: () => boolean): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      if (!isBegun()) reject(aborted(signal));
    };
    signal.addEventListener('abort', giveUp);
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

/** Throws `SCHEDULE_ABORTED` where a signal has fired. @internal */
export function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw aborted(signal);
}

function aborted(signal: AbortSignal): ScheduleError {
  return new ScheduleError('SCHEDULE_ABORTED', 'the call was given up by its signal; nothing was changed', {
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

  /**
   * Runs alone among all processes. Throws `SCHEDULE_CONTENTION` after {@link LOCK_WAIT_MS} of waiting, and
   * `SCHEDULE_ABORTED` once the signal fires while it waits.
   */
  run<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const deadline = this.#disk.elapsedNow() + LOCK_WAIT_MS;
    return this.#turn.run(async () => {
      const lock = await this.#take(signal, deadline);
      try {
        return await work();
      } finally {
        lock.unlock();
      }
    }, signal);
  }

  /** Closes the file; the lock is free by then, since callers stand in line. */
  close(): Promise<void> {
    return this.#turn.run(async () => {
      await this.#lock?.close();
      this.#lock = undefined;
    });
  }

  async #take(signal: AbortSignal | undefined, deadline: number): Promise<KernelLock> {
    for (let round = 0; ; round++) {
      refuseAborted(signal);
      this.#lock ??= await this.#open(this.#path);
      const lock = this.#lock;
      if (lock.tryLock()) {
        let isIntact = false;
        try {
          isIntact = lock.isIntact();
        } finally {
          // Somebody replaced the file: whoever comes later locks the new one. Or nobody can tell: then it is given back.
          if (!isIntact) {
            this.#lock = undefined;
            await lock.close();
          }
        }
        if (isIntact) return lock;
      }
      if (this.#disk.elapsedNow() >= deadline) throw contention(this.#path);
      const jitter = Number.parseInt(this.#disk.randomHex(2), 16) / 150;
      await this.#disk.pause(0.3 + jitter + Math.min(round / 30, 10));
    }
  }
}

function contention(path: string): ScheduleError {
  return new ScheduleError('SCHEDULE_CONTENTION', `the state lock was held by others for ${LOCK_WAIT_MS} ms`, {
    details: { path },
    hint: 'A process that holds it may be stopped: look for one with this file open. Nothing was changed.',
  });
}
