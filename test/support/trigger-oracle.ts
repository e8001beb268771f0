/**
 * A slow and obvious second opinion on due instants. It shares no code with the engine.
 *
 * Dates are judged one by one, each wanted time of a wanted date is looked up on the clock that `Intl` shows, and nothing
 * is searched. Triggers come as structures, and their text is rendered from them, so that the oracle has no parser that
 * could agree with a wrong one.
 */
import type { OracleClock } from './oracle-clock.js';

const DAY = 86_400_000;

/** What the oracle needs of a cron or calendar trigger: what it asks for, and how its clock's changes are to be taken. */
export interface OracleTrigger {
  /** Wanted times in seconds since midnight. */
  readonly times: readonly number[];
  readonly wantsDate: (year: number, month: number, day: number) => boolean;
  readonly everyPass: boolean;
  readonly shift: boolean;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** Every due instant in `[from, to)`, ascending. */
export function dueWithin(trigger: OracleTrigger, clock: OracleClock, from: number, to: number): number[] {
  const due = new Set<number>();
  // No offset differs from another by more than this.
  const reach = 26 * 3_600_000;
  const [first, last] = [clock.localAt(from) - reach, clock.localAt(to) + reach];
  for (let day = Math.floor(first / DAY) * DAY; day <= last; day += DAY) {
    if (!wantsDay(trigger, day)) continue;
    for (const time of trigger.times) {
      const local = day + time * 1000;
      if (local < first || local > last) continue;
      const shown = clock.instantsShowing(local);
      for (const at of trigger.everyPass ? shown : shown.slice(0, 1)) due.add(at);
      if (shown.length === 0 && trigger.shift && clock.isDateShown(local)) due.add(clock.jumpOver(local) as number);
    }
  }
  const { start = from, end = to } = trigger;
  return [...due].filter((at) => at >= from && at < to && at >= start && at <= end).sort((a, b) => a - b);
}

/** Whether a trigger wants the date that begins at a local time; none after 2199. */
export function wantsDay(trigger: OracleTrigger, local: number): boolean {
  const date = new Date(local);
  if (date.getUTCFullYear() > 2199) return false;
  return trigger.wantsDate(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
}

/** Every combination of hours, minutes and seconds, in seconds since midnight. */
export function combine(hours: readonly number[], minutes: readonly number[], seconds: readonly number[]): number[] {
  return hours.flatMap((h) => minutes.flatMap((m) => seconds.map((s) => h * 3600 + m * 60 + s)));
}

/** Sunday = 0. */
export function weekdayOf(year: number, month: number, day: number): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

/** Number of days of a month. */
export function lengthOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Whether a date is the n-th of its weekday in its month, from the last where n is negative. */
export function isNth(year: number, month: number, day: number, nth: number): boolean {
  return nth > 0 ? Math.ceil(day / 7) === nth : Math.ceil((lengthOf(year, month) - day + 1) / 7) === -nth;
}
