/**
 * Deadlines of running attempts: many of them, and one sleep.
 *
 * Most attempts end long before their deadline. So the sleep is set to the earliest deadline once and is not touched
 * when that one goes away: when it is over, what has passed fires, and the next sleep is set. Times are of the
 * monotonic clock, so that steps of the wall clock move no deadline (OC-5).
 */
import { ScheduleError } from '../../errors.js';
import type { Clock } from '../../ports/clock.js';

/** Ends a sleep. It is made once: an error is dear, and nobody reads this one. */
const MOVED = new ScheduleError('SCHEDULE_ABORTED', 'A sleep was ended for an earlier deadline, or for none.');

/** Longest single sleep that a clock takes (C-4). */
const LONGEST_SLEEP_MS = 2_147_483_647;

interface Deadline {
  readonly at: number;
  readonly fire: () => void;
}

interface Sleep {
  readonly until: number;
  readonly alarm: AbortController;
}

/** See the head of this file. @internal */
export class Deadlines {
  readonly #clock: Clock;
  readonly #onBroken: (error: unknown) => void;
  readonly #deadlines = new Map<string, Deadline>();
  #sleep: Sleep | undefined;

  /** `onBroken` hears what goes wrong with the clock's sleep. */
  constructor(clock: Clock, onBroken: (error: unknown) => void) {
    this.#clock = clock;
    this.#onBroken = onBroken;
  }

  /** Calls `fire` once, at `at` by the monotonic clock or soon after it; replaces the deadline of this id. */
  set(id: string, at: number, fire: () => void): void {
    this.#deadlines.set(id, { at, fire });
    if (this.#sleep === undefined || at < this.#sleep.until) this.#sleepUntil(at);
  }

  /** Forgets a deadline; one that is not there changes nothing. */
  delete(id: string): void {
    this.#deadlines.delete(id);
  }

  /** Forgets all of them and ends the sleep. */
  clear(): void {
    this.#deadlines.clear();
    this.#sleep?.alarm.abort(MOVED);
    this.#sleep = undefined;
  }

  #sleepUntil(until: number): void {
    this.#sleep?.alarm.abort(MOVED);
    const sleep: Sleep = { until, alarm: new AbortController() };
    this.#sleep = sleep;
    const ms = Math.ceil(Math.min(Math.max(0, until - this.#clock.monotonic()), LONGEST_SLEEP_MS));
    this.#clock.sleep(ms, { signal: sleep.alarm.signal }).then(
      () => this.#wake(sleep),
      (error: unknown) => {
        if (!sleep.alarm.signal.aborted) this.#onBroken(error);
      },
    );
  }

  #wake(sleep: Sleep): void {
    if (this.#sleep !== sleep) return;
    this.#sleep = undefined;
    const now = this.#clock.monotonic();
    const passed = [...this.#deadlines].filter(([, { at }]) => at <= now);
    for (const [id] of passed) this.#deadlines.delete(id);
    for (const [, { fire }] of passed) fire();
    const next = Math.min(...Array.from(this.#deadlines.values(), ({ at }) => at));
    if (next < (this.#sleepingUntil() ?? Number.POSITIVE_INFINITY)) this.#sleepUntil(next);
  }

  #sleepingUntil(): number | undefined {
    return this.#sleep?.until;
  }
}
