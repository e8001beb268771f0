/**
 * Trouble with the store that may pass: a full disk, an input/output error, too many writers (ST-4).
 *
 * Nothing was committed and the old state stands, so the owner tries again with growing waits and goes on when the
 * trouble ends. Any other error is not for this class: it ends the owner. The commit loop tells observers.
 */
import { isScheduleError } from '../../errors.js';
import type { Clock } from '../../ports/clock.js';

/** First and longest wait between two tries, in milliseconds. */
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 5000;

/** Doublings after which the longest wait is reached in any case. */
const MOST_DOUBLINGS = 16;

/** Whether an error is of the kind that passes: nothing was changed, and the same call may work later. @internal */
export function isPassing(error: unknown): boolean {
  return isScheduleError(error, 'SCHEDULE_STORE_UNAVAILABLE') || isScheduleError(error, 'SCHEDULE_CONTENTION');
}

/** The wait after so many failed tries in a row, in milliseconds, at most 5000. @internal */
export function waitAfter(failures: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(failures - 1, MOST_DOUBLINGS), LONGEST_WAIT_MS);
}

/** See the head of this file. @internal */
export class StoreTrouble {
  readonly #clock: Clock;
  #failures = 0;
  #until = 0;
  #error: unknown;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds in which nothing new should be tried; 0 where there is no trouble. */
  get waitMs(): number {
    return this.#failures === 0 ? 0 : Math.max(0, this.#until - this.#clock.monotonic());
  }

  /** The error of the trouble that is not over yet. */
  get error(): unknown {
    return this.#failures === 0 ? undefined : this.#error;
  }

  /** Takes note of an error that passes; throws any other. Calls that failed together count as one failure. */
  note(error: unknown): void {
    if (!isPassing(error)) throw error;
    if (this.waitMs > 0) return;
    this.#error = error;
    this.#failures += 1;
    this.#until = this.#clock.monotonic() + waitAfter(this.#failures);
  }

  /** Something worked: the trouble, if there was any, is over. */
  over(): void {
    this.#failures = 0;
  }
}
