/**
 * Single places in the wall times of each week, month or year: BYSETPOS of a recurrence rule (TR-14).
 *
 * The wall times of a period are its wanted days times its wanted times of day. Days are counted by months, as bits, and
 * times by arithmetic, so that a place is found without laying out what comes before it.
 */

import { civilOf, DAY_MS, dayOf, dayOfYearStart, daysInMonth, monthOf, yearOf } from '../../../time/civil.js';
import { bitCount, nthBit } from '../bit-set.js';
import {
  type DayRule,
  FIRST_DAY,
  LAST_DAY,
  NO_EARLIER_DAY,
  NO_LATER_DAY,
  wantedDayFrom,
  wantedDaysOfMonth,
  wantedDayUntil,
} from '../day-rule.js';
import { weekStartOf } from '../period-rule.js';
import { timeAt, timesBefore } from '../time-count.js';
import type { TimeSet } from '../time-set.js';
import { weekYearStart } from './year-rule.js';

/**
 * The places wanted in each period that has a wanted day.
 *
 * @internal
 */
export interface PlaceRule {
  readonly is: 'places';
  /** With `weekYear` a period is a year of whole weeks. */
  readonly unit: 'week' | 'month' | 'year' | 'weekYear';
  /** Weekday on which a week begins, Monday = 0. */
  readonly weekStart: number;
  /** From 1, or from -1 backwards from the end; not empty. */
  readonly places: readonly number[];
  /** How many times a day has. */
  readonly perDay: number;
}

/** The years of a rule end within a week: what lies beyond is counted and never wanted (TR-14). */
const FIRST_WALL = FIRST_DAY * DAY_MS;
const LAST_WALL = (LAST_DAY + 1) * DAY_MS - 1000;

/**
 * The first wanted wall time at or after `wall`, or `Infinity`.
 *
 * @internal
 */
export function placedFrom(rule: PlaceRule, days: DayRule, times: TimeSet, wall: number): number {
  const { places, perDay } = rule;
  const from = Math.max(wall, FIRST_WALL);
  const day = Math.floor(from / DAY_MS);
  const time = ((from - day * DAY_MS) / 1000) | 0;
  let found = wantedDayFrom(days, periodStart(rule, day));
  while (found !== NO_LATER_DAY) {
    const start = periodStart(rule, found);
    const end = periodEnd(rule, start);
    const counts = countDays(days, start, end, day);
    const total = totalOf(counts) * perDay;
    const least = start <= day ? timesGone(rule, times, counts, time) : 0;
    let nearest = total;
    for (let i = 0; i < places.length; i += 1) {
      const place = places[i] as number;
      const index = place > 0 ? place - 1 : total + place;
      if (index >= least && index < nearest) nearest = index;
    }
    if (nearest < total) return notAfterLast(wallAt(rule, days, times, start, nearest));
    found = wantedDayFrom(days, end);
  }
  return Number.POSITIVE_INFINITY;
}

/**
 * The last wanted wall time at or before `wall`, or `-Infinity`.
 *
 * @internal
 */
export function placedUntil(rule: PlaceRule, days: DayRule, times: TimeSet, wall: number): number {
  const { places, perDay } = rule;
  const until = Math.min(wall, LAST_WALL);
  const day = Math.floor(until / DAY_MS);
  const time = ((until - day * DAY_MS) / 1000) | 0;
  let found = wantedDayUntil(days, periodEnd(rule, periodStart(rule, day)) - 1);
  while (found !== NO_EARLIER_DAY) {
    const start = periodStart(rule, found);
    const end = periodEnd(rule, start);
    const counts = countDays(days, start, end, day);
    const total = totalOf(counts) * perDay;
    const most = day < end ? timesGone(rule, times, counts, time + 1) - 1 : total - 1;
    let nearest = -1;
    for (let i = 0; i < places.length; i += 1) {
      const place = places[i] as number;
      const index = place > 0 ? place - 1 : total + place;
      if (index <= most && index > nearest) nearest = index;
    }
    if (nearest >= 0) return notBeforeFirst(wallAt(rule, days, times, start, nearest));
    found = wantedDayUntil(days, start - 1);
  }
  return Number.NEGATIVE_INFINITY;
}

function notAfterLast(wall: number): number {
  return wall <= LAST_WALL ? wall : Number.POSITIVE_INFINITY;
}

function notBeforeFirst(wall: number): number {
  return wall >= FIRST_WALL ? wall : Number.NEGATIVE_INFINITY;
}

/** The day number on which the period of a day begins. */
function periodStart({ unit, weekStart }: PlaceRule, day: number): number {
  if (unit === 'week') return weekStartOf(day, weekStart);
  const civil = civilOf(day);
  const year = yearOf(civil);
  if (unit === 'month') return dayOf(year, monthOf(civil), 1);
  if (unit === 'year') return dayOfYearStart(year);
  if (day < weekYearStart(year, weekStart)) return weekYearStart(year - 1, weekStart);
  const next = weekYearStart(year + 1, weekStart);
  return day < next ? weekYearStart(year, weekStart) : next;
}

/** The first day number behind a period that begins on day `start`. */
function periodEnd({ unit, weekStart }: PlaceRule, start: number): number {
  if (unit === 'week') return start + 7;
  // A year of weeks begins at most three days before its year.
  const civil = civilOf(start + 3);
  const year = yearOf(civil);
  if (unit === 'month') return start + daysInMonth(year, monthOf(civil));
  return unit === 'year' ? dayOfYearStart(year + 1) : weekYearStart(year + 1, weekStart);
}

/** How many wall times of the period that holds the day of `counts` come before a time of that day. */
function timesGone({ perDay }: PlaceRule, times: TimeSet, counts: number, time: number): number {
  const before = goneOf(counts) * perDay;
  return isDayWanted(counts) ? before + timesBefore(times, time) : before;
}

/**
 * How many days are wanted in `[from, to)`, and how many of them before `day`, and whether `day` is one: in one integer,
 * read with the three functions below.
 */
function countDays(days: DayRule, from: number, to: number, day: number): number {
  const civil = civilOf(from);
  let year = yearOf(civil);
  let month = monthOf(civil);
  let first = dayOf(year, month, 1);
  let total = 0;
  let gone = 0;
  let isWanted = 0;
  while (first < to) {
    const length = daysInMonth(year, month);
    const set = between(wantedDaysOfMonth(days, year, month, first), first, from, to);
    total += bitCount(set);
    if (day >= first + length) gone += bitCount(set);
    else if (day >= first) {
      gone += bitCount(set & ((1 << (day - first)) - 1));
      isWanted = (set >>> (day - first)) & 1;
    }
    first += length;
    year += month === 12 ? 1 : 0;
    month = month === 12 ? 1 : month + 1;
  }
  return (gone << 11) | (total << 1) | isWanted;
}

function totalOf(counts: number): number {
  return (counts >> 1) & 0x3ff;
}

function goneOf(counts: number): number {
  return counts >> 11;
}

function isDayWanted(counts: number): boolean {
  return (counts & 1) === 1;
}

/** The days of a month that lie in `[from, to)`, which has a day of the month. */
function between(set: number, first: number, from: number, to: number): number {
  const after = from > first ? set & (-1 << (from - first)) : set;
  return to - first < 31 ? after & ((1 << (to - first)) - 1) : after;
}

/** The wall time of a place, from 0, in the period that begins on day `start`; it must have so many. */
function wallAt({ perDay }: PlaceRule, days: DayRule, times: TimeSet, start: number, place: number): number {
  const civil = civilOf(start);
  let year = yearOf(civil);
  let month = monthOf(civil);
  let first = dayOf(year, month, 1);
  let left = perDay === 1 ? place : Math.floor(place / perDay);
  for (;;) {
    const all = wantedDaysOfMonth(days, year, month, first);
    const set = start > first ? all & (-1 << (start - first)) : all;
    const count = bitCount(set);
    if (left < count) {
      const time = perDay === 1 ? times.first : timeAt(times, place % perDay);
      return (first + nthBit(set, left)) * DAY_MS + time * 1000;
    }
    left -= count;
    first += daysInMonth(year, month);
    year += month === 12 ? 1 : 0;
    month = month === 12 ? 1 : month + 1;
  }
}
