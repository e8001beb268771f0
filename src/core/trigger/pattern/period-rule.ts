/**
 * Every n-th day, week, month or year, counted in calendar periods from an anchor date (TR-4, TR-14).
 *
 * The phase depends on the anchor alone: a period without a matching date is passed over and still counts. Two rules need
 * no months to be searched: every n-th day, and some weekdays of every n-th week.
 */

import { civilOf, modulo, monthOf, weekdayOf, yearOf } from '../../time/civil.js';
import { highestBit, lowestBit } from './bit-set.js';

/**
 * The periods wanted.
 *
 * @internal
 */
export interface PeriodRule {
  readonly unit: 'day' | 'week' | 'month' | 'year';
  /** At least 1. */
  readonly n: number;
  /** Day number of the anchor: its period is wanted, and every n-th one before and after it. */
  readonly anchor: number;
  /** Day number of the first day that may be wanted. */
  readonly since: number;
  /** Weekday on which a week begins, Monday = 0. */
  readonly weekStart: number;
}

/**
 * The days of a month that lie in a wanted period: bit 0 is the first. `first` is the day number of the first.
 *
 * @internal
 */
export function periodDaySet(rule: PeriodRule, year: number, month: number, first: number, length: number): number {
  const { unit, n, anchor, since } = rule;
  if (first + length <= since) return 0;
  const allowed = since > first ? -1 << (since - first) : -1;
  if (unit === 'day') return everyNthDay(first, length, n, anchor) & allowed;
  if (unit === 'week') return everyNthWeek(rule, first, length) & allowed;
  const civil = civilOf(anchor);
  const periods = unit === 'year' ? year - yearOf(civil) : (year - yearOf(civil)) * 12 + month - monthOf(civil);
  return periods % n === 0 ? allowed : 0;
}

function everyNthDay(first: number, length: number, n: number, anchor: number): number {
  let set = 0;
  for (let day = modulo(anchor - first, n); day < length; day += n) set |= 1 << day;
  return set;
}

function everyNthWeek(rule: PeriodRule, first: number, length: number): number {
  let set = 0;
  for (let week = weekStartOf(first, rule.weekStart); week < first + length; week += 7) {
    if (weeksToWait(rule, week) !== 0) continue;
    set |= week >= first ? 0x7f << (week - first) : 0x7f >> (first - week);
  }
  return set;
}

/** In how many weeks a wanted one begins, counted from the week that begins on day `week`. */
function weeksToWait({ anchor, weekStart, n }: PeriodRule, week: number): number {
  return modulo((weekStartOf(anchor, weekStart) - week) / 7, n);
}

/**
 * The first day of the week that holds a day.
 *
 * @internal
 */
export function weekStartOf(day: number, weekStart: number): number {
  return day - ((weekdayOf(day) - weekStart + 7) % 7);
}

/**
 * The first day at or after `from` on one of the weekdays (bit 0 is Monday) in a wanted period, which must be one of days
 * or weeks; with days, every weekday must be wanted.
 *
 * @internal
 */
export function periodDayFrom(rule: PeriodRule, weekdays: number, from: number): number {
  const day = Math.max(from, rule.since);
  if (rule.unit === 'day') return day + modulo(rule.anchor - day, rule.n);
  const week = weekStartOf(day, rule.weekStart);
  const ofWeek = fromWeekStart(weekdays, rule.weekStart);
  const wait = weeksToWait(rule, week);
  const left = wait === 0 ? ofWeek & (-1 << (day - week)) : 0;
  if (left !== 0) return week + lowestBit(left);
  return week + 7 * (wait === 0 ? rule.n : wait) + lowestBit(ofWeek);
}

/**
 * The last day at or before `until`, as {@link periodDayFrom}; the caller looks whether it is one that may be wanted.
 *
 * @internal
 */
export function periodDayUntil(rule: PeriodRule, weekdays: number, until: number): number {
  if (rule.unit === 'day') return until - modulo(until - rule.anchor, rule.n);
  const week = weekStartOf(until, rule.weekStart);
  const ofWeek = fromWeekStart(weekdays, rule.weekStart);
  const wait = weeksToWait(rule, week);
  const gone = wait === 0 ? ofWeek & ((2 << (until - week)) - 1) : 0;
  if (gone !== 0) return week + highestBit(gone);
  return week + 7 * (wait - rule.n) + highestBit(ofWeek);
}

/** The weekdays rotated so that bit 0 is the first of the week. */
function fromWeekStart(weekdays: number, weekStart: number): number {
  return ((weekdays >> weekStart) | (weekdays << (7 - weekStart))) & 0x7f;
}
