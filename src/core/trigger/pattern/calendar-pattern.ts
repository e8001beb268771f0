/**
 * The parts of a calendar trigger to a pattern of wall times (TR-3, TR-4).
 */

import type { NthWeekday } from '../../model/trigger.js';
import { civilOf, dateOf, monthOf, weekdayOf } from '../../time/civil.js';
import { bitsOf } from './bit-set.js';
import { ALL_MONTHS, dayRule } from './day-rule.js';
import type { MonthPart, WeekPart } from './month-rule.js';
import type { PeriodRule } from './period-rule.js';
import { combinedTimes, listedTimes, sixtySet } from './time-set.js';
import type { WallPattern } from './wall-pattern.js';

/**
 * A calendar trigger that was read and found good; lists ascend and are not empty.
 *
 * @internal
 */
export interface CalendarParts {
  readonly times:
    | { readonly list: readonly number[] }
    | { readonly hour: readonly number[]; readonly minute: readonly number[]; readonly second: readonly number[] };
  readonly weekdays?: readonly number[];
  readonly monthDays?: readonly number[];
  readonly months?: readonly number[];
  readonly nthWeekdays?: readonly NthWeekday[];
  readonly years?: readonly number[];
  readonly every: Pick<PeriodRule, 'unit' | 'n' | 'anchor'> | undefined;
}

/**
 * The wall times that meet every condition of a calendar trigger.
 *
 * @internal
 */
export function calendarPattern(parts: CalendarParts): WallPattern {
  const { times } = parts;
  const dates = fromAnchor(parts);
  return {
    times:
      'list' in times
        ? listedTimes(times.list)
        : combinedTimes(bitsOf(times.hour, 0), sixtySet(times.minute), sixtySet(times.second)),
    days: dayRule({
      months: dates.months === undefined ? ALL_MONTHS : bitsOf(dates.months, 1),
      years: dates.years,
      days: { monthPart: monthPart(dates), weekPart: weekPart(dates), either: false },
      // Nothing is due before the anchor, and weeks start on Monday (TR-4).
      period: dates.every && { ...dates.every, since: dates.every.anchor, weekStart: 0 },
    }),
    recurrence: undefined,
  };
}

/** What the anchor gives where no day of a longer period is named (TR-4). */
function fromAnchor(parts: CalendarParts): CalendarParts {
  const { every } = parts;
  if (every === undefined || every.unit === 'day') return parts;
  const civil = civilOf(every.anchor);
  const months = every.unit === 'year' && parts.months === undefined ? { months: [monthOf(civil)] } : {};
  const noDay = parts.weekdays === undefined && parts.monthDays === undefined && parts.nthWeekdays === undefined;
  if (!noDay) return { ...parts, ...months };
  if (every.unit === 'week') return { ...parts, weekdays: [weekdayOf(every.anchor)] };
  return { ...parts, ...months, monthDays: [dateOf(civil)] };
}

function monthPart(parts: CalendarParts): MonthPart | undefined {
  if (parts.monthDays === undefined) return undefined;
  const fromStart = parts.monthDays.filter((day) => day > 0);
  const fromEnd = parts.monthDays.filter((day) => day < 0).map((day) => -day);
  return { days: bitsOf(fromStart, 1), fromEnd: bitsOf(fromEnd, 1), nearestWorkday: 0, lastWorkday: false };
}

/** Weekdays and n-th weekdays must both hold: where both are given, the n-th ones among the weekdays remain. */
function weekPart(parts: CalendarParts): WeekPart | undefined {
  const { weekdays, nthWeekdays } = parts;
  if (nthWeekdays === undefined) return weekdays && { weekdays: bitsOf(weekdays, 0), nth: [] };
  return { weekdays: 0, nth: nthWeekdays.filter((one) => weekdays?.includes(one.weekday) ?? true) };
}
