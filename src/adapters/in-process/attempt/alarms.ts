/**
 * Timers of the stages of all attempts: many of them, and one sleep of the clock.
 *
 * Most stages end long before their timeout. So the sleep is set to the earliest alarm and is not touched when that one is
 * taken away: when it is over, what has passed fires, and the next sleep is set. With the last alarm it ends, so that
 * nothing keeps the process alive.
 */
import { ScheduleError } from '../../../errors.js';
import type { Clock } from '../../../ports/clock.js';

/** What an alarm calls; each of the two at most once. @internal */
export interface Alarm {
  /** Its time is over. */
  readonly fire: () => void;
  /** The clock cannot wait. */
  readonly failed: (error: unknown) => void;
}

interface SetAlarm extends Alarm {
  readonly at: number;
}

interface Sleep {
  readonly until: number;
  readonly stop: AbortController;
}

/** Stops a sleep. It is made once: an error is dear, and nobody reads this one. */
const STOPPED = new ScheduleError('SCHEDULE_ABORTED', 'The timer of a stage was stopped.');

/** Longest single sleep that a clock takes (C-4). */
const LONGEST_SLEEP_MS = 2_147_483_647;

/** See the head of this file. @internal */
export class Alarms {
  readonly #clock: Clock;
  readonly #alarms = new Set<SetAlarm>();
  #sleep: Sleep | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Sets an alarm; returns what takes it away. */
  set(ms: number, { fire, failed }: Alarm): () => void {
    const alarm: SetAlarm = { at: this.#clock.monotonic() + ms, fire, failed };
    this.#alarms.add(alarm);
    if (this.#sleep === undefined || alarm.at < this.#sleep.until) this.#sleepUntil(alarm.at);
    return () => {
      if (this.#alarms.delete(alarm) && this.#alarms.size === 0) this.#endSleep();
    };
  }

  #endSleep(): void {
    this.#sleep?.stop.abort(STOPPED);
    this.#sleep = undefined;
  }

  #sleepUntil(until: number): void {
    this.#endSleep();
    const sleep: Sleep = { until, stop: new AbortController() };
    this.#sleep = sleep;
    const ms = Math.min(Math.max(0, until - this.#clock.monotonic()), LONGEST_SLEEP_MS);
    this.#clock.sleep(ms, { signal: sleep.stop.signal }).then(
      () => this.#wake(sleep),
      (error: unknown) => {
        if (!sleep.stop.signal.aborted) this.#fail(error);
      },
    );
  }

  #wake(sleep: Sleep): void {
    if (this.#sleep !== sleep) return;
    this.#sleep = undefined;
    const now = this.#clock.monotonic();
    const passed = [...this.#alarms].filter(({ at }) => at <= now);
    for (const alarm of passed) if (this.#alarms.delete(alarm)) alarm.fire();
    if (this.#alarms.size > 0 && this.#sleep === undefined) {
      this.#sleepUntil(Math.min(...Array.from(this.#alarms, ({ at }) => at)));
    }
  }

  #fail(error: unknown): void {
    this.#sleep = undefined;
    const all = [...this.#alarms];
    this.#alarms.clear();
    for (const { failed } of all) failed(error);
  }
}
