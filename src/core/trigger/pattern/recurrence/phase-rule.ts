/**
 * Every n-th hour, minute or second on the wall clock, where that wanders through the day (TR-14).
 *
 * The units are numbered from 1970-01-01T00:00 on the wall clock, and those wanted lie n apart. The search goes back and
 * forth between the wanted times of day and the wanted units until both agree. Where they drift past each other slowly, as
 * every 86401 seconds and midnight do, it asks once on which day they may meet at all, and goes on from there.
 */

import { DAY_MS, modulo } from '../../../time/civil.js';
import { type DayRule, NO_EARLIER_DAY, NO_LATER_DAY, wantedDayFrom, wantedDayUntil } from '../day-rule.js';
import { timeAt, timeCount } from '../time-count.js';
import { type TimeSet, wantedTimeFrom, wantedTimeUntil } from '../time-set.js';
import { firstWithin } from './first-within.js';

/**
 * The units wanted.
 *
 * @internal
 */
export interface PhaseRule {
  readonly is: 'phase';
  /** Length of the unit in seconds. */
  readonly unit: 3600 | 60 | 1;
  /** How many units lie from one wanted one to the next. */
  readonly n: number;
  /** A wanted unit, counted from 1970-01-01T00:00. */
  readonly anchor: number;
  /** Where on a day the two may meet: stretches of units that begin with these, counted from midnight. */
  readonly starts: readonly number[];
  /** How many more units each stretch has. */
  readonly width: number;
}

const DAY_SECONDS = 86_400;
/** After so many vain steps the days on which nothing can be found are passed over. */
const FEW_STEPS = 24;
/** A step of more units than this reaches the end of the search soon enough by itself. */
const LONGEST_STEP = 2_000_000;
/** Up to so many times of day are stretches of their own; more are taken together by hours. */
const FEW_TIMES = 64;

/**
 * The phase of some times of day. Stretches may hold more units than are wanted, and never fewer.
 *
 * @internal
 */
export function phaseRule(step: Pick<PhaseRule, 'unit' | 'n' | 'anchor'>, times: TimeSet): PhaseRule {
  const { unit } = step;
  const count = timeCount(times);
  if (count <= FEW_TIMES) {
    const all = Array.from({ length: count }, (_, place) => Math.floor(timeAt(times, place) / unit));
    return { is: 'phase', ...step, starts: [...new Set(all)], width: 0 };
  }
  const first = Math.floor((times.first % 3600) / unit);
  const last = Math.floor((times.last % 3600) / unit);
  const hours = Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => (times.hours & (1 << hour)) !== 0);
  return { is: 'phase', ...step, starts: hours.map((hour) => (hour * 3600) / unit + first), width: last - first };
}

/**
 * The first wanted wall time at or after `wall`, or `Infinity`.
 *
 * @internal
 */
export function phasedFrom(rule: PhaseRule, days: DayRule, times: TimeSet, wall: number): number {
  const { unit, n } = rule;
  let day = Math.floor(wall / DAY_MS);
  let time = ((wall - day * DAY_MS) / 1000) | 0;
  let patience = FEW_STEPS;
  for (let steps = 0; ; steps += 1) {
    const wanted = wantedDayFrom(days, day);
    if (wanted === NO_LATER_DAY) return Number.POSITIVE_INFINITY;
    if (wanted > day) time = 0;
    day = wanted;
    if (steps === patience) {
      const wait = daysToMeeting(rule, day, 1);
      patience = steps + (wait === 0 ? 2 * patience : FEW_STEPS);
      if (wait > 0) {
        day += wait;
        time = 0;
        continue;
      }
    }
    const found = wantedTimeFrom(times, time);
    if (found < 0) {
      day += 1;
      time = 0;
      continue;
    }
    const late = unitsLate(rule, day, found);
    if (late === 0) return day * DAY_MS + found * 1000;
    time = (Math.floor(found / unit) + n - late) * unit;
    const ahead = Math.floor(time / DAY_SECONDS);
    day += ahead;
    time -= ahead * DAY_SECONDS;
  }
}

/**
 * The last wanted wall time at or before `wall`, or `-Infinity`.
 *
 * @internal
 */
export function phasedUntil(rule: PhaseRule, days: DayRule, times: TimeSet, wall: number): number {
  const { unit } = rule;
  let day = Math.floor(wall / DAY_MS);
  let time = ((wall - day * DAY_MS) / 1000) | 0;
  let patience = FEW_STEPS;
  for (let steps = 0; ; steps += 1) {
    const wanted = wantedDayUntil(days, day);
    if (wanted === NO_EARLIER_DAY) return Number.NEGATIVE_INFINITY;
    if (wanted < day) time = DAY_SECONDS - 1;
    day = wanted;
    if (steps === patience) {
      const wait = daysToMeeting(rule, day, -1);
      patience = steps + (wait === 0 ? 2 * patience : FEW_STEPS);
      if (wait > 0) {
        day -= wait;
        time = DAY_SECONDS - 1;
        continue;
      }
    }
    const found = wantedTimeUntil(times, time);
    if (found < 0) {
      day -= 1;
      time = DAY_SECONDS - 1;
      continue;
    }
    const late = unitsLate(rule, day, found);
    if (late === 0) return day * DAY_MS + found * 1000;
    // The last second of the wanted unit before.
    time = (Math.floor(found / unit) - late + 1) * unit - 1;
    const ahead = Math.floor(time / DAY_SECONDS);
    day += ahead;
    time -= ahead * DAY_SECONDS;
  }
}

/** How many units lie between the last wanted unit and that of a time of day. */
function unitsLate({ unit, n, anchor }: PhaseRule, day: number, time: number): number {
  return modulo(Math.floor((day * DAY_SECONDS + time) / unit) - anchor, n);
}

/** In how many days, forward (1) or backward (-1), a wanted unit lies in a stretch of the day. */
function daysToMeeting({ unit, n, anchor, starts, width }: PhaseRule, day: number, direction: 1 | -1): number {
  if (n > LONGEST_STEP) return 0;
  const perDay = DAY_SECONDS / unit;
  // From day to day, the first wanted unit of a day comes earlier by this much, counted around n.
  const drift = modulo(-direction * perDay, n);
  const today = modulo(anchor - day * perDay, n);
  let least = DAY_SECONDS;
  for (const start of starts) {
    least = Math.min(least, firstWithin(modulo(today - start, n), drift, n, width));
    if (least === 0) return 0;
  }
  return least;
}
