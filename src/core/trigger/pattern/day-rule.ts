/**
 * Which dates a trigger wants, as bit sets, and the search for the next and the previous of them.
 *
 * The search jumps by fields: from a date to the next wanted one inside its month, else to the next wanted month, else
 * to the next wanted year. A month is one 31-bit set, made from its length and the weekday of its first day. The rules
 * that most triggers have, every day and some weekdays, also of every n-th day or week, need no civil date at all.
 */

import { TRIGGER_LIMITS } from '../../model/trigger.js';
import { civilOf, dateOf, dayOf, daysInMonth, isLeapYear, monthOf, weekdayOf, yearOf } from '../../time/civil.js';
import { highestBit, lowestBit } from './bit-set.js';
import { type MonthRule, monthDaySet } from './month-rule.js';
import { type PeriodRule, periodDayFrom, periodDaySet, periodDayUntil } from './period-rule.js';
import { type YearRule, yearDaySet, yearMonths } from './recurrence/year-rule.js';

/** First year that a rule can name. @internal */
export const FIRST_YEAR = 1800;
/** Last year in which a trigger of a wall clock is due (TR-14). @internal */
export const LAST_YEAR = TRIGGER_LIMITS.year.max;

/** The first day that a rule can want. @internal */
export const FIRST_DAY = dayOf(FIRST_YEAR, 1, 1);
/** The last day that a rule can want. @internal */
export const LAST_DAY = dayOf(LAST_YEAR, 12, 31);

/** No later day, and no earlier day: beyond every real day number. @internal */
export const NO_LATER_DAY = 1 << 29;
/** See {@link NO_LATER_DAY}. @internal */
export const NO_EARLIER_DAY = -(1 << 29);

/** All twelve months. @internal */
export const ALL_MONTHS = 0xfff;
/** All seven weekdays. @internal */
export const ALL_WEEKDAYS = 0x7f;

/**
 * The dates that a trigger wants, between {@link FIRST_YEAR} and {@link LAST_YEAR}.
 *
 * @internal
 */
export interface DayRule {
  /** How dates are searched: all but `monthly` are short cuts for rules that ask for nothing else. */
  readonly search: 'daily' | 'weekly' | 'periodic' | 'monthly';
  /** Bit 0 is Monday; used by the `weekly` and the `periodic` search. */
  readonly weekdays: number;
  /** The months in which a date can match: bit 0 is January. */
  readonly months: number;
  /** The months that were asked for, also those in which no date can match. */
  readonly askedMonths: number;
  /** Wanted years, ascending; `undefined` for every year. */
  readonly years: readonly number[] | undefined;
  /** Which days of a month. */
  readonly days: MonthRule;
  /** Every n-th day, week, month or year. */
  readonly period: PeriodRule | undefined;
  /** What is counted within the year; recurrence rules alone have it. */
  readonly ofYear: YearRule | undefined;
}

/** Rules for some weekdays and nothing else, by weekday set: most triggers have one, and equal ones share it. */
const weeklyRules: (DayRule | undefined)[] = [];

function weeklyRule(weekdays: number): DayRule {
  const known = weeklyRules[weekdays];
  if (known !== undefined) return known;
  const rule: DayRule = {
    search: weekdays === ALL_WEEKDAYS ? 'daily' : 'weekly',
    weekdays,
    months: ALL_MONTHS,
    askedMonths: ALL_MONTHS,
    years: undefined,
    days: { monthPart: undefined, weekPart: { weekdays, nth: [] }, either: false },
    period: undefined,
    ofYear: undefined,
  };
  weeklyRules[weekdays] = rule;
  return rule;
}

/**
 * Builds a rule, picks its search, and drops the months in which no date can ever match, so that an impossible rule is
 * known as such (TR-8).
 *
 * @internal
 */
export function dayRule(
  wanted: Pick<DayRule, 'months' | 'years' | 'days' | 'period'>,
  ofYear: YearRule | undefined = undefined,
): DayRule {
  const { months, years, days, period } = wanted;
  const { monthPart, weekPart } = days;
  const isOfWeek = months === ALL_MONTHS && years === undefined && monthPart === undefined && ofYear === undefined;
  const weekdays = weekPart === undefined ? ALL_WEEKDAYS : weekPart.nth.length === 0 ? weekPart.weekdays : 0;
  if (isOfWeek && period === undefined && weekdays !== 0) return weeklyRule(weekdays);
  const isPeriodic = isOfWeek && period !== undefined && isShortPeriod(period, weekdays);
  return {
    search: isPeriodic ? 'periodic' : 'monthly',
    weekdays: isPeriodic ? weekdays : ALL_WEEKDAYS,
    months: possibleMonths(months, days, ofYear),
    askedMonths: months,
    years,
    days,
    period,
    ofYear,
  };
}

/** Whether the wanted days of a period follow from its length and the weekdays alone. */
function isShortPeriod({ unit }: PeriodRule, weekdays: number): boolean {
  return unit === 'day' ? weekdays === ALL_WEEKDAYS : unit === 'week' && weekdays !== 0;
}

function possibleMonths(months: number, days: MonthRule, ofYear: YearRule | undefined): number {
  if (days.monthPart === undefined && days.weekPart === undefined && ofYear === undefined) return months;
  const ofMonths = ofYear === undefined ? undefined : yearMonths(ofYear);
  let possible = 0;
  for (let month = 1; month <= 12; month += 1) {
    const bit = 1 << (month - 1);
    if ((months & bit) !== 0 && isMonthPossible(days, month, ofMonths?.[month - 1] ?? -1)) possible |= bit;
  }
  return possible;
}

/** Whether any month of that number can have a wanted day among some. */
function isMonthPossible(days: MonthRule, month: number, among: number): boolean {
  for (let first = 0; first < 7; first += 1) {
    // 2000 had a leap day, 2001 had none.
    if ((monthDaySet(days, daysInMonth(2000, month), first) & among) !== 0) return true;
    if (month === 2 && (monthDaySet(days, 28, first) & among) !== 0) return true;
  }
  return false;
}

/**
 * The first wanted day at or after `day`, or {@link NO_LATER_DAY}.
 *
 * @internal
 */
export function wantedDayFrom(rule: DayRule, day: number): number {
  const { search, weekdays } = rule;
  if (search === 'monthly') return monthlyFrom(rule, day);
  const from = Math.max(day, FIRST_DAY);
  let found = from;
  if (search === 'weekly') found += lowestBit(weekdaysFrom(weekdays, weekdayOf(from)));
  else if (search === 'periodic') found = periodDayFrom(rule.period as PeriodRule, weekdays, from);
  return found <= LAST_DAY ? found : NO_LATER_DAY;
}

/**
 * The last wanted day at or before `day`, or {@link NO_EARLIER_DAY}.
 *
 * @internal
 */
export function wantedDayUntil(rule: DayRule, day: number): number {
  const { search, weekdays } = rule;
  if (search === 'monthly') return monthlyUntil(rule, day);
  const until = Math.min(day, LAST_DAY);
  let found = until;
  // Rotated so that bit 6 is the weekday of `until`, and lower bits are the days before it.
  if (search === 'weekly') found += highestBit(weekdaysFrom(weekdays, (weekdayOf(until) + 1) % 7)) - 6;
  else if (search === 'periodic') {
    const period = rule.period as PeriodRule;
    found = periodDayUntil(period, weekdays, until);
    if (found < period.since) return NO_EARLIER_DAY;
  }
  return found >= FIRST_DAY ? found : NO_EARLIER_DAY;
}

/** The weekdays rotated so that bit 0 is `weekday`. */
function weekdaysFrom(weekdays: number, weekday: number): number {
  return ((weekdays >> weekday) | (weekdays << (7 - weekday))) & ALL_WEEKDAYS;
}

function monthlyFrom(rule: DayRule, from: number): number {
  const civil = civilOf(Math.max(from, FIRST_DAY));
  const startYear = yearOf(civil);
  let year = yearFrom(rule, startYear);
  let months = rule.months;
  let days = -1;
  if (year === startYear) {
    const month = monthOf(civil);
    months &= -1 << (month - 1);
    if ((months & (1 << (month - 1))) !== 0) days = -1 << (dateOf(civil) - 1);
  }
  while (year <= LAST_YEAR) {
    for (; months !== 0; months &= months - 1) {
      const month = lowestBit(months) + 1;
      const first = dayOf(year, month, 1);
      const found = daysOfMonth(rule, year, month, first) & days;
      if (found !== 0) return first + lowestBit(found);
      days = -1;
    }
    year = rule.months === 0 ? NO_LATER_DAY : yearFrom(rule, year + 1);
    months = rule.months;
  }
  return NO_LATER_DAY;
}

function monthlyUntil(rule: DayRule, until: number): number {
  const civil = civilOf(Math.min(until, LAST_DAY));
  const startYear = yearOf(civil);
  let year = yearUntil(rule, startYear);
  let months = rule.months;
  let days = -1;
  if (year === startYear) {
    const month = monthOf(civil);
    months &= (1 << month) - 1;
    if ((months & (1 << (month - 1))) !== 0) days = -1 >>> (32 - dateOf(civil));
  }
  while (year >= FIRST_YEAR) {
    while (months !== 0) {
      const month = highestBit(months) + 1;
      const first = dayOf(year, month, 1);
      const found = daysOfMonth(rule, year, month, first) & days;
      if (found !== 0) return first + highestBit(found);
      days = -1;
      months &= ~(1 << (month - 1));
    }
    year = rule.months === 0 ? NO_EARLIER_DAY : yearUntil(rule, year - 1);
    months = rule.months;
  }
  return NO_EARLIER_DAY;
}

function daysOfMonth(rule: DayRule, year: number, month: number, first: number): number {
  const length = month === 2 && !isLeapYear(year) ? 28 : daysInMonth(2000, month);
  const days = monthDaySet(rule.days, length, weekdayOf(first));
  if (days === 0) return 0;
  const ofYear = rule.ofYear === undefined ? days : days & yearDaySet(rule.ofYear, year, month);
  return rule.period === undefined ? ofYear : ofYear & periodDaySet(rule.period, year, month, first, length);
}

/**
 * The wanted days of a month: bit 0 is the first, whose day number is `first`. A month beyond the years of the rule has
 * days too, for a period that reaches over their end is counted as a whole.
 *
 * @internal
 */
export function wantedDaysOfMonth(rule: DayRule, year: number, month: number, first: number): number {
  if ((rule.months & (1 << (month - 1))) === 0) return 0;
  if (rule.years !== undefined && !rule.years.includes(year)) return 0;
  return daysOfMonth(rule, year, month, first);
}

function yearFrom(rule: DayRule, year: number): number {
  if (rule.years === undefined) return year;
  for (const wanted of rule.years) if (wanted >= year) return wanted;
  return NO_LATER_DAY;
}

function yearUntil(rule: DayRule, year: number): number {
  if (rule.years === undefined) return year;
  for (let i = rule.years.length - 1; i >= 0; i -= 1) {
    const wanted = rule.years[i] as number;
    if (wanted <= year) return wanted;
  }
  return NO_EARLIER_DAY;
}
