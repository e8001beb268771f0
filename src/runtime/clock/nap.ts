/**
 * The owner's nap: it rests until the next reason to look, and wakes at once when somebody rings (OW-3).
 *
 * A ring while nobody rests is kept and makes the next rest end at once, so that no change is slept over.
 */
import { ScheduleError } from '../../errors.js';
import type { Clock } from '../../ports/clock.js';
import type { Breath } from './breath.js';

/** Ends a rest. It is made once: an error is dear, and nobody reads this one. */
const RUNG = new ScheduleError('SCHEDULE_ABORTED', 'A rest was ended by a ring.');

/** Longest rest: a missed ring is made good after it. */
const LONGEST_NAP_MS = 30_000;

/** See the head of this file. @internal */
export class Nap {
  readonly #clock: Clock;
  readonly #breath: Breath;
  #isRung = false;
  #alarm: AbortController | undefined;

  constructor(clock: Clock, breath: Breath) {
    this.#clock = clock;
    this.#breath = breath;
  }

  /** Ends the rest that is under way, or the next one. */
  ring(): void {
    this.#isRung = true;
    this.#alarm?.abort(RUNG);
  }

  /** Rests at most so many milliseconds and never over 30 s; true when somebody rang, false when the time was over. */
  async rest(ms: number): Promise<boolean> {
    if (this.#isRung) await this.#breath.take();
    else await this.#sleep(Math.min(Math.max(0, ms), LONGEST_NAP_MS));
    const wasRung = this.#isRung;
    this.#isRung = false;
    return wasRung;
  }

  async #sleep(ms: number): Promise<void> {
    const alarm = new AbortController();
    this.#alarm = alarm;
    try {
      await this.#clock.sleep(ms, { signal: alarm.signal });
    } catch (error) {
      if (!alarm.signal.aborted) throw error;
    } finally {
      this.#alarm = undefined;
      this.#breath.taken();
    }
  }
}
