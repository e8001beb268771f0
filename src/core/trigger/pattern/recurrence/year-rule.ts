/**
 * Days that a recurrence rule counts within their year: by number, by n-th weekday, by week (TR-14).
 *
 * What days of a year are wanted depends on no more than whether it is a leap year and on the weekday of its first day.
 * So there are fourteen kinds of years, and a table of their months is all that a search has to look at. A week of the
 * year may reach into the years before and after; it belongs to its own year whole.
 */

import { dayOfYearStart, daysInMonth, isLeapYear, weekdayOf } from '../../../time/civil.js';

/**
 * The days wanted by what is counted within the year.
 *
 * @internal
 */
export interface YearRule {
  /** Days by kind of year and month, `kind * 12 + month - 1`, bit 0 the first; `undefined` where all will do. */
  readonly days: Int32Array | undefined;
  /** Weeks; `undefined` where all will do. */
  readonly weeks: YearWeeks | undefined;
}

/**
 * Weeks of the year, in every n-th year.
 *
 * @internal
 */
export interface YearWeeks {
  /**
   * Days by kind of year: `kind * 14` and then twelve months, December of the year before, January of the year after.
   */
  readonly days: Int32Array;
  readonly n: number;
  readonly anchorYear: number;
}

/** Number of kinds of years, and the months of a row in the table of weeks. */
const KINDS = 14;
const WEEK_ROW = 14;
const DECEMBER_BEFORE = 12;
const JANUARY_AFTER = 13;

/** Which of the fourteen kinds a year is. */
function kindOf(year: number): number {
  return weekdayOf(dayOfYearStart(year)) + (isLeapYear(year) ? 7 : 0);
}

function lengthOf(kind: number): number {
  return kind < 7 ? 365 : 366;
}

/** A year of a kind, for the lengths of its months. */
function monthLength(kind: number, month: number): number {
  return daysInMonth(kind < 7 ? 2001 : 2000, month);
}

/**
 * The days of a month that a rule wants: bit 0 is the first.
 *
 * @internal
 */
export function yearDaySet({ days, weeks }: YearRule, year: number, month: number): number {
  const byDay = days === undefined ? -1 : (days[kindOf(year) * 12 + month - 1] as number);
  return weeks === undefined || byDay === 0 ? byDay : byDay & weekDaySet(weeks, year, month);
}

function weekDaySet(weeks: YearWeeks, year: number, month: number): number {
  const own = weekRow(weeks, year, month - 1);
  if (month === 1) return own | weekRow(weeks, year - 1, JANUARY_AFTER);
  return month === 12 ? own | weekRow(weeks, year + 1, DECEMBER_BEFORE) : own;
}

function weekRow({ days, n, anchorYear }: YearWeeks, year: number, column: number): number {
  return (year - anchorYear) % n === 0 ? (days[kindOf(year) * WEEK_ROW + column] as number) : 0;
}

/**
 * Every day that a month of some year can have by a rule, by month: what no year has is 0.
 *
 * @internal
 */
export function yearMonths({ days, weeks }: YearRule): readonly number[] {
  return Array.from({ length: 12 }, (_, month) => {
    let some = 0;
    for (let kind = 0; kind < KINDS; kind += 1) {
      const inWeeks = weeks === undefined ? -1 : monthOfWeeks(weeks.days, kind, month);
      some |= inWeeks & (days === undefined ? -1 : (days[kind * 12 + month] as number));
    }
    return some;
  });
}

/** With what neighbours of any kind may reach into it. */
function monthOfWeeks(days: Int32Array, kind: number, month: number): number {
  let set = days[kind * WEEK_ROW + month] as number;
  const column = month === 0 ? JANUARY_AFTER : DECEMBER_BEFORE;
  if (month !== 0 && month !== 11) return set;
  for (let other = 0; other < KINDS; other += 1) set |= days[other * WEEK_ROW + column] as number;
  return set;
}

/**
 * The table of days by their number in the year, 1..366 or -1..-366 from the end.
 *
 * @internal
 */
export function numberedDays(numbers: readonly number[]): Int32Array {
  return tableOf((kind) => numbers.map((number) => (number > 0 ? number - 1 : lengthOf(kind) + number)));
}

/**
 * The table of weekdays (Monday = 0): every one where `nth` is 0, else the n-th of the year, from its end where negative.
 *
 * @internal
 */
export function numberedWeekdays(weekdays: readonly { readonly weekday: number; readonly nth: number }[]): Int32Array {
  return tableOf((kind) => weekdays.flatMap((one) => placesOf(one.weekday, one.nth, kind)));
}

function placesOf(weekday: number, nth: number, kind: number): readonly number[] {
  const first = (weekday - (kind % 7) + 7) % 7;
  const inYear = Math.ceil((lengthOf(kind) - first) / 7);
  if (nth === 0) return Array.from({ length: inYear }, (_, week) => first + 7 * week);
  return [first + 7 * (nth > 0 ? nth - 1 : inYear + nth)].filter((day) => day >= first);
}

/** The table of the days of each kind of year, counted from 0; what lies outside of the year is left out. */
function tableOf(daysOf: (kind: number) => readonly number[]): Int32Array {
  const table = new Int32Array(KINDS * 12);
  for (let kind = 0; kind < KINDS; kind += 1) {
    for (const day of daysOf(kind)) if (day >= 0 && day < lengthOf(kind)) mark(table, kind * 12, kind, day);
  }
  return table;
}

function mark(table: Int32Array, row: number, kind: number, dayOfYear: number): void {
  let day = dayOfYear;
  let month = 1;
  while (day >= monthLength(kind, month)) {
    day -= monthLength(kind, month);
    month += 1;
  }
  table[row + month - 1] = (table[row + month - 1] as number) | (1 << day);
}

/**
 * Both of two tables of days.
 *
 * @internal
 */
export function bothTables(one: Int32Array | undefined, other: Int32Array | undefined): Int32Array | undefined {
  return one === undefined || other === undefined ? (one ?? other) : one.map((days, i) => days & (other[i] as number));
}

/**
 * The weeks of a number, 1..53 or -1..-53 from the end, in every n-th year from one on. Weeks begin on `weekStart`; the
 * first of a year is the first with four days or more in it.
 *
 * @internal
 */
export function numberedWeeks(numbers: readonly number[], weekStart: number, n: number, anchorYear: number): YearWeeks {
  const table = new Int32Array(KINDS * WEEK_ROW);
  for (let kind = 0; kind < KINDS; kind += 1) {
    const start = firstWeek(kind, weekStart);
    const weeks = (lengthOf(kind) + firstWeek((kind + lengthOf(kind)) % 7, weekStart) - start) / 7;
    for (const number of numbers) {
      const week = number > 0 ? number - 1 : weeks + number;
      if (week < 0 || week >= weeks) continue;
      for (let day = start + 7 * week; day < start + 7 * week + 7; day += 1) markWeekday(table, kind, day);
    }
  }
  return { days: table, n, anchorYear };
}

/** The first day of week 1, counted from the first of the year, -3..3; of a kind its weekday alone counts. */
function firstWeek(kind: number, weekStart: number): number {
  const gone = ((kind % 7) - weekStart + 7) % 7;
  return gone <= 3 ? -gone : 7 - gone;
}

function markWeekday(table: Int32Array, kind: number, day: number): void {
  const row = kind * WEEK_ROW;
  const length = lengthOf(kind);
  if (day >= 0 && day < length) {
    mark(table, row, kind, day);
    return;
  }
  const column = row + (day < 0 ? DECEMBER_BEFORE : JANUARY_AFTER);
  table[column] = (table[column] as number) | (1 << (day < 0 ? 31 + day : day - length));
}

/**
 * The day number on which week 1 of a year begins.
 *
 * @internal
 */
export function weekYearStart(year: number, weekStart: number): number {
  const first = dayOfYearStart(year);
  return first + firstWeek(weekdayOf(first), weekStart);
}
