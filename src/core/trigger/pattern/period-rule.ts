/**
 * Every n-th day, week, month or year, counted in calendar periods from an anchor date (TR-4).
 *
 * The phase depends on the anchor alone: a period without a matching date is passed over and still counts.
 */

import { civilOf, monthOf, weekdayOf, yearOf } from '../../time/civil.js';

/**
 * The periods wanted.
 *
 * @internal
 */
export interface PeriodRule {
  readonly unit: 'day' | 'week' | 'month' | 'year';
  /** At least 1. */
  readonly n: number;
  /** Day number of the anchor: nothing before it is wanted. */
  readonly anchor: number;
}

/**
 * The days of a month that lie in a wanted period: bit 0 is the first. `first` is the day number of the first.
 *
 * @internal
 */
export function periodDaySet(rule: PeriodRule, year: number, month: number, first: number, length: number): number {
  const { unit, n, anchor } = rule;
  if (first + length <= anchor) return 0;
  const fromAnchor = anchor > first ? -1 << (anchor - first) : -1;
  if (unit === 'day') return everyNthDay(first, length, n, anchor) & fromAnchor;
  if (unit === 'week') return everyNthWeek(first, length, n, anchor) & fromAnchor;
  const civil = civilOf(anchor);
  const periods = unit === 'year' ? year - yearOf(civil) : (year - yearOf(civil)) * 12 + month - monthOf(civil);
  return periods % n === 0 ? fromAnchor : 0;
}

function everyNthDay(first: number, length: number, n: number, anchor: number): number {
  let set = 0;
  for (let day = modulo(anchor - first, n); day < length; day += n) set |= 1 << day;
  return set;
}

function everyNthWeek(first: number, length: number, n: number, anchor: number): number {
  const anchorMonday = anchor - weekdayOf(anchor);
  const firstMonday = first - weekdayOf(first);
  let set = 0;
  for (let monday = firstMonday; monday < first + length; monday += 7) {
    if (modulo((monday - anchorMonday) / 7, n) !== 0) continue;
    set |= monday >= first ? 0x7f << (monday - first) : 0x7f >> (first - monday);
  }
  return set;
}

/** The remainder that is never negative. */
function modulo(value: number, divisor: number): number {
  const rest = value % divisor;
  return rest < 0 ? rest + divisor : rest;
}
