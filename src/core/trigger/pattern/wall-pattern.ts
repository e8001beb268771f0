/**
 * The wall times that a calendar, cron or recurrence trigger asks for: wanted times on wanted days.
 *
 * A pattern knows no zone. Wall times are whole seconds, in milliseconds "as if UTC".
 */

import { DAY_MS } from '../../time/civil.js';
import { type DayRule, NO_EARLIER_DAY, NO_LATER_DAY, wantedDayFrom, wantedDayUntil } from './day-rule.js';
import { type PhaseRule, phasedFrom, phasedUntil } from './recurrence/phase-rule.js';
import { type PlaceRule, placedFrom, placedUntil } from './recurrence/place-rule.js';
import { type TimeSet, wantedTimeFrom, wantedTimeUntil } from './time-set.js';

/**
 * Wanted times on wanted days.
 *
 * @internal
 */
export interface WallPattern {
  readonly days: DayRule;
  readonly times: TimeSet;
  /** Which of these wall times remain, by a recurrence rule that days and times cannot say; most have none. */
  readonly recurrence: PhaseRule | PlaceRule | undefined;
}

/**
 * The first wanted wall time at or after `wall`, or `Infinity` where none is left.
 *
 * @internal
 */
export function wantedFrom(pattern: WallPattern, wall: number): number {
  const { days, times, recurrence } = pattern;
  if (recurrence !== undefined) {
    return recurrence.is === 'phase'
      ? phasedFrom(recurrence, days, times, wall)
      : placedFrom(recurrence, days, times, wall);
  }
  const day = Math.floor(wall / DAY_MS);
  let found = wantedDayFrom(days, day);
  if (found === day) {
    const time = wantedTimeFrom(times, ((wall - day * DAY_MS) / 1000) | 0);
    if (time >= 0) return day * DAY_MS + time * 1000;
    found = wantedDayFrom(days, day + 1);
  }
  return found === NO_LATER_DAY ? Number.POSITIVE_INFINITY : found * DAY_MS + times.first * 1000;
}

/**
 * The last wanted wall time at or before `wall`, or `-Infinity` where there is none.
 *
 * @internal
 */
export function wantedUntil(pattern: WallPattern, wall: number): number {
  const { days, times, recurrence } = pattern;
  if (recurrence !== undefined) {
    return recurrence.is === 'phase'
      ? phasedUntil(recurrence, days, times, wall)
      : placedUntil(recurrence, days, times, wall);
  }
  const day = Math.floor(wall / DAY_MS);
  let found = wantedDayUntil(days, day);
  if (found === day) {
    const time = wantedTimeUntil(times, ((wall - day * DAY_MS) / 1000) | 0);
    if (time >= 0) return day * DAY_MS + time * 1000;
    found = wantedDayUntil(days, day - 1);
  }
  return found === NO_EARLIER_DAY ? Number.NEGATIVE_INFINITY : found * DAY_MS + times.last * 1000;
}
