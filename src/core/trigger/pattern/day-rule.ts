/**
 * Which dates a trigger wants, as bit sets, and the search for the next and the previous of them.
 *
 * The search jumps by fields: from a date to the next wanted one inside its month, else to the next wanted month, else
 * to the next wanted year. A month is one 31-bit set, made from its length and the weekday of its first day. The two
 * rules that most triggers have, every day and some weekdays, need no civil date at all.
 */

import { TRIGGER_LIMITS } from '../../model/trigger.js';
import { civilOf, dateOf, dayOf, daysInMonth, isLeapYear, monthOf, weekdayOf, yearOf } from '../../time/civil.js';
import { type MonthRule, monthDaySet } from './month-rule.js';
import { type PeriodRule, periodDaySet } from './period-rule.js';

/** First year that a rule can name. @internal */
export const FIRST_YEAR = 1800;
/** Last year in which a calendar or cron trigger is due (TR-14). @internal */
export const LAST_YEAR = TRIGGER_LIMITS.year.max;

const FIRST_DAY = dayOf(FIRST_YEAR, 1, 1);
const LAST_DAY = dayOf(LAST_YEAR, 12, 31);

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
  /** How dates are searched: `daily` and `weekly` are the short cuts for rules that ask for nothing else. */
  readonly search: 'daily' | 'weekly' | 'monthly';
  /** Bit 0 is Monday; used by the `weekly` search. */
  readonly weekdays: number;
  /** Bit 0 is January. */
  readonly months: number;
  /** Wanted years, ascending; `undefined` for every year. */
  readonly years: readonly number[] | undefined;
  /** Which days of a month. */
  readonly days: MonthRule;
  /** Every n-th day, week, month or year. */
  readonly period: PeriodRule | undefined;
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
    years: undefined,
    days: { monthPart: undefined, weekPart: { weekdays, nth: [] }, either: false },
    period: undefined,
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
export function dayRule(wanted: Pick<DayRule, 'months' | 'years' | 'days' | 'period'>): DayRule {
  const { months, years, days, period } = wanted;
  const { monthPart, weekPart } = days;
  const anyDate = months === ALL_MONTHS && years === undefined && period === undefined && monthPart === undefined;
  if (anyDate && weekPart === undefined) return weeklyRule(ALL_WEEKDAYS);
  if (anyDate && weekPart?.nth.length === 0 && weekPart.weekdays !== 0) return weeklyRule(weekPart.weekdays);
  return { search: 'monthly', weekdays: ALL_WEEKDAYS, months: possibleMonths(months, days), years, days, period };
}

function possibleMonths(months: number, days: MonthRule): number {
  if (days.monthPart === undefined && days.weekPart === undefined) return months;
  let possible = 0;
  for (let month = 1; month <= 12; month += 1) {
    const bit = 1 << (month - 1);
    if ((months & bit) !== 0 && isMonthPossible(days, month)) possible |= bit;
  }
  return possible;
}

function isMonthPossible(days: MonthRule, month: number): boolean {
  for (let first = 0; first < 7; first += 1) {
    // 2000 had a leap day, 2001 had none.
    if (monthDaySet(days, daysInMonth(2000, month), first) !== 0) return true;
    if (month === 2 && monthDaySet(days, 28, first) !== 0) return true;
  }
  return false;
}

/**
 * The first wanted day at or after `day`, or {@link NO_LATER_DAY}.
 *
 * @internal
 */
export function wantedDayFrom(rule: DayRule, day: number): number {
  if (rule.search === 'monthly') return monthlyFrom(rule, day);
  const from = Math.max(day, FIRST_DAY);
  const found = rule.search === 'daily' ? from : from + lowestBit(weekdaysFrom(rule.weekdays, weekdayOf(from)));
  return found <= LAST_DAY ? found : NO_LATER_DAY;
}

/**
 * The last wanted day at or before `day`, or {@link NO_EARLIER_DAY}.
 *
 * @internal
 */
export function wantedDayUntil(rule: DayRule, day: number): number {
  if (rule.search === 'monthly') return monthlyUntil(rule, day);
  const until = Math.min(day, LAST_DAY);
  // Rotated so that bit 6 is the weekday of `until`, and lower bits are the days before it.
  const found =
    rule.search === 'daily' ? until : until - 6 + highestBit(weekdaysFrom(rule.weekdays, (weekdayOf(until) + 1) % 7));
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
  if (rule.period === undefined || days === 0) return days;
  return days & periodDaySet(rule.period, year, month, first, length);
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

/** Position of the lowest bit that is set. */
function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

/** Position of the highest bit that is set. */
function highestBit(bits: number): number {
  return 31 - Math.clz32(bits);
}
