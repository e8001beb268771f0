/**
 * A recurrence rule to a pattern of wall times (TR-14): what a rule leaves open comes from DTSTART.
 *
 * Most of a rule is days times times of day, as in a calendar. BYSETPOS within a day, an hour or a minute picks the same
 * times over and over, and so becomes times of day. An interval below the day that divides the minute, the hour or the day,
 * or is a multiple of it, becomes seconds, minutes, hours or every n-th day. What remains is a phase that wanders through
 * the day, and places in the wall times of a week, month or year.
 */

import { civilOf, DAY_MS, dateOf, monthOf, weekdayOf, yearOf } from '../../time/civil.js';
import { bitCount, bitsOf } from '../pattern/bit-set.js';
import { ALL_MONTHS, type DayRule, dayRule, NO_EARLIER_DAY } from '../pattern/day-rule.js';
import { type MonthRule, monthDaySet } from '../pattern/month-rule.js';
import type { PeriodRule } from '../pattern/period-rule.js';
import type { PlaceRule } from '../pattern/recurrence/place-rule.js';
import {
  bothTables,
  numberedDays,
  numberedWeekdays,
  numberedWeeks,
  type YearRule,
} from '../pattern/recurrence/year-rule.js';
import { timeCount } from '../pattern/time-count.js';
import { listedTimes, type TimeSet } from '../pattern/time-set.js';
import type { WallPattern } from '../pattern/wall-pattern.js';
import { isBelowDay, type RecurrenceRule, type RuleWeekday } from './recurrence-rule.js';
import { type RuleTimes, ruleTimes } from './rule-times.js';

/**
 * The wall times of a rule; `dtstart` is the wall time that it begins with. What lies before it is left to the trigger.
 *
 * @internal
 */
export function recurrencePattern(rule: RecurrenceRule, dtstart: number): WallPattern {
  const found = ruleTimes(rule, dtstart);
  if (found === undefined) return NEVER;
  const days = ruleDays(rule, Math.floor(dtstart / DAY_MS), found);
  if (rule.numbers.BYSETPOS === undefined || !isPlacedByPeriod(rule)) {
    return { days, times: found.times, recurrence: found.phase };
  }
  const places = placeRule(rule, days.days, found.times);
  return places === undefined ? NEVER : { days, times: found.times, recurrence: places };
}

/** A pattern without any wall time. */
const NEVER: WallPattern = {
  days: dayRule({
    months: 0,
    years: undefined,
    days: { monthPart: undefined, weekPart: undefined, either: false },
    period: undefined,
  }),
  times: listedTimes([0]),
  recurrence: undefined,
};

/** Whether BYSETPOS picks from more than the times of a day. */
function isPlacedByPeriod(rule: RecurrenceRule): boolean {
  return rule.freq !== 'DAILY' && !isBelowDay(rule);
}

function ruleDays(rule: RecurrenceRule, first: number, { period }: RuleTimes): DayRule {
  const { freq, numbers, weekdays } = withDefaults(rule, first);
  const inYear = freq === 'YEARLY' && numbers.BYMONTH === undefined && weekdays?.some(({ nth }) => nth !== 0) === true;
  const days: MonthRule = {
    monthPart: numbers.BYMONTHDAY && monthPart(numbers.BYMONTHDAY),
    weekPart: weekdays === undefined || inYear ? undefined : weekPart(weekdays),
    either: false,
  };
  const every = periodRule(rule, first, period);
  const isNever = every?.unit === 'day' && missesWeekdays(every, weekdays);
  const months = isNever ? 0 : numbers.BYMONTH === undefined ? ALL_MONTHS : bitsOf(numbers.BYMONTH, 1);
  const ofYear = yearRule(rule, first, inYear ? weekdays : undefined);
  return dayRule({ months, years: undefined, days, period: every }, ofYear);
}

/** Whether every n-th day always falls on one weekday, and on none of those that are wanted. */
function missesWeekdays({ n, anchor }: PeriodRule, weekdays: readonly RuleWeekday[] | undefined): boolean {
  return n % 7 === 0 && weekdays?.every(({ weekday }) => weekday !== weekdayOf(anchor)) === true;
}

/** The rule with the days that DTSTART gives where it names none. */
function withDefaults(rule: RecurrenceRule, first: number): Pick<RecurrenceRule, 'freq' | 'numbers' | 'weekdays'> {
  const { freq, numbers, weekdays } = rule;
  if (weekdays !== undefined || numbers.BYMONTHDAY !== undefined || numbers.BYYEARDAY !== undefined) return rule;
  if (freq === 'WEEKLY' || numbers.BYWEEKNO !== undefined) {
    return { freq, numbers, weekdays: [{ weekday: weekdayOf(first), nth: 0 }] };
  }
  const civil = civilOf(first);
  const BYMONTHDAY = [dateOf(civil)];
  if (freq === 'MONTHLY') return { freq, weekdays, numbers: { ...numbers, BYMONTHDAY } };
  if (freq !== 'YEARLY') return rule;
  return { freq, weekdays, numbers: { ...numbers, BYMONTHDAY, BYMONTH: numbers.BYMONTH ?? [monthOf(civil)] } };
}

function monthPart(monthDays: readonly number[]): MonthRule['monthPart'] {
  const fromEnd = monthDays.filter((day) => day < 0).map((day) => -day);
  const fromStart = monthDays.filter((day) => day > 0);
  return { days: bitsOf(fromStart, 1), fromEnd: bitsOf(fromEnd, 1), nearestWorkday: 0, lastWorkday: false };
}

function weekPart(weekdays: readonly RuleWeekday[]): MonthRule['weekPart'] {
  const every = weekdays.filter(({ nth }) => nth === 0).map(({ weekday }) => weekday);
  return { weekdays: bitsOf(every, 0), nth: weekdays.filter(({ nth }) => nth !== 0) };
}

/** What is counted within the year; with `weekdays`, those too. */
function yearRule(
  { numbers, weekStart, interval }: RecurrenceRule,
  first: number,
  weekdays: readonly RuleWeekday[] | undefined,
): YearRule | undefined {
  const { BYYEARDAY, BYWEEKNO } = numbers;
  const days = bothTables(BYYEARDAY && numberedDays(BYYEARDAY), weekdays && numberedWeekdays(weekdays));
  const weeks = BYWEEKNO && numberedWeeks(BYWEEKNO, weekStart, interval, yearOf(civilOf(first)));
  return days === undefined && weeks === undefined ? undefined : { days, weeks };
}

const UNITS = { YEARLY: 'year', MONTHLY: 'month', WEEKLY: 'week', DAILY: 'day' } as const;

function periodRule(rule: RecurrenceRule, first: number, ofDays: RuleTimes['period']): PeriodRule | undefined {
  const { freq, interval, numbers, weekStart } = rule;
  // What lies before DTSTART is left to the trigger.
  const bounds = { since: NO_EARLIER_DAY, weekStart };
  if (isBelowDay(rule)) return ofDays && { unit: 'day', ...ofDays, ...bounds };
  // Every n-th year of weeks is the affair of the weeks.
  if (interval === 1 || numbers.BYWEEKNO !== undefined) return undefined;
  return { unit: UNITS[freq as keyof typeof UNITS], n: interval, anchor: first, ...bounds };
}

/** BYSETPOS of a week, month or year; `undefined` where no period has so many wall times. */
function placeRule(rule: RecurrenceRule, days: MonthRule, times: TimeSet): PlaceRule | undefined {
  const { freq, numbers, weekStart } = rule;
  const perDay = timeCount(times);
  const most = perDay * mostDays(rule, days);
  const places = numbers.BYSETPOS?.filter((place) => Math.abs(place) <= most) ?? [];
  if (places.length === 0) return undefined;
  const unit = numbers.BYWEEKNO === undefined ? UNITS[freq as keyof typeof UNITS] : 'weekYear';
  return { is: 'places', unit: unit === 'day' ? 'week' : unit, weekStart, places, perDay };
}

/** The most days that a week, a month or a year can have by a rule. */
function mostDays({ freq }: RecurrenceRule, days: MonthRule): number {
  if (freq === 'YEARLY') return 371;
  if (freq === 'WEEKLY') return bitCount(days.weekPart?.weekdays ?? 0);
  let most = 0;
  for (let length = 28; length <= 31; length += 1) {
    for (let first = 0; first < 7; first += 1) most = Math.max(most, bitCount(monthDaySet(days, length, first)));
  }
  return most;
}
