/**
 * Days that are left out of a trigger, on the clock of a zone, and the search for the nearest instant that is not (DE-12).
 *
 * Days are runs in order and a set of weekdays. The search goes from the day of an instant over the whole run that holds
 * it, however long, and from span to span of the zone, since a clock that is set back may show a day again. Everything
 * after 2199 counts as left out: no date of an exclusion lies there, and no zone is looked at so far ahead.
 */

import type { DateOrRange } from '../../model/exclusion.js';
import { DAY_MS, dayOf, formatDate, weekdayOf } from '../../time/civil.js';
import { wallTimeAt } from '../../time/wall-clock.js';
import { spanAt, type Zone } from '../../time/zone-spans.js';
import { ALL_WEEKDAYS, LAST_YEAR } from '../pattern/day-rule.js';

/** Successive days, both ends included, as day numbers. @internal */
export interface DayRun {
  readonly first: number;
  readonly last: number;
}

/** The same runs apart: those of the declaration, and those of the calendar that it names. @internal */
export interface ExclusionSources {
  readonly own: readonly DayRun[];
  readonly named: readonly DayRun[];
  readonly calendar: string | undefined;
}

/**
 * Why a day is left out: it lies in dates of the declaration, it is one of its weekdays (Monday = 0), or it lies in dates
 * of the calendar that is named. `dates` is a day, or the first and the last of a run with a slash between.
 *
 * @public
 */
export type ExclusionReason =
  | { readonly kind: 'dates'; readonly dates: DateOrRange }
  | { readonly kind: 'weekday'; readonly weekday: number }
  | { readonly kind: 'calendar'; readonly calendar: string; readonly dates: DateOrRange };

/**
 * Days that are left out.
 *
 * @internal
 */
export interface ExcludedDays {
  /** The zone by whose clock days are told, as the table of zone names spells it. */
  readonly timezone: string;
  /** Whether the date that the zone shows at an instant (before any spread, in milliseconds) is left out. */
  isExcluded(at: number): boolean;
  /** Why that date is left out, the first reason that holds; `undefined` where it is not. */
  whyExcluded(at: number): ExclusionReason | undefined;
  /** Why a date is left out, by its day number. */
  whyDayExcluded(day: number): ExclusionReason | undefined;
  /** The first instant at or after `at` whose date is not left out, or `Infinity`. */
  freeFrom(at: number): number;
  /** The last instant at or before `at` whose date is not left out, or `-Infinity`. */
  freeUntil(at: number): number;
}

/**
 * The same with what it was made of.
 *
 * @internal
 */
export interface DayExclusion extends ExcludedDays {
  readonly zone: Zone;
  /** In order; none touches another. */
  readonly runs: readonly DayRun[];
  readonly sources: ExclusionSources;
  /** Bit 0 is Monday. */
  readonly weekdays: number;
}

/** The last day that is judged; all later ones are left out. */
const LAST_DAY = dayOf(LAST_YEAR, 12, 31);
/** Them, as they are told. */
const BEYOND = '2200-01-01/9999-12-31';
/** By then 2199 has ended on every clock: at most a day behind UTC. */
const END_MS = (LAST_DAY + 2) * DAY_MS;

/**
 * The days of `runs`, in order and none touching another, and every day of `weekdays` (bit 0 is Monday).
 *
 * @internal
 */
export function excludedDays(
  zone: Zone,
  runs: readonly DayRun[],
  weekdays: number,
  sources: ExclusionSources = { own: runs, named: [], calendar: undefined },
): DayExclusion {
  const timezone = zone.name;
  return { timezone, zone, runs, sources, weekdays, isExcluded, whyExcluded, whyDayExcluded, freeFrom, freeUntil };
}

function isExcluded(this: DayExclusion, at: number): boolean {
  return this.freeFrom(at) !== at;
}

function whyExcluded(this: DayExclusion, at: number): ExclusionReason | undefined {
  return this.whyDayExcluded(Math.floor(wallTimeAt(this.zone, at) / DAY_MS));
}

function whyDayExcluded(this: DayExclusion, day: number): ExclusionReason | undefined {
  if (day > LAST_DAY) return { kind: 'dates', dates: BEYOND };
  const { own, named, calendar } = this.sources;
  const ownDates = datesHolding(own, day);
  if (ownDates !== undefined) return { kind: 'dates', dates: ownDates };
  const weekday = weekdayOf(day);
  if ((this.weekdays & (1 << weekday)) !== 0) return { kind: 'weekday', weekday };
  const dates = datesHolding(named, day);
  return calendar === undefined || dates === undefined ? undefined : { kind: 'calendar', calendar, dates };
}

function datesHolding(runs: readonly DayRun[], day: number): DateOrRange | undefined {
  const run = runs[firstEndingFrom(runs, day)];
  return run !== undefined && run.first <= day ? runText(run) : undefined;
}

/** A run of days as text: a day, or its first and last with a slash between. @internal */
export function runText({ first, last }: DayRun): DateOrRange {
  return first === last ? formatDate(first) : `${formatDate(first)}/${formatDate(last)}`;
}

function freeFrom(this: DayExclusion, at: number): number {
  if (!(at < END_MS)) return Number.POSITIVE_INFINITY;
  let span = spanAt(this.zone, at);
  let wall = at + span.offset;
  for (;;) {
    const day = Math.floor(wall / DAY_MS);
    const free = freeDayFrom(this, day);
    if (free === day) return wall - span.offset;
    if (free === Number.POSITIVE_INFINITY) return free;
    if (free * DAY_MS < span.end + span.offset) return free * DAY_MS - span.offset;
    span = spanAt(this.zone, span.end);
    wall = span.start + span.offset;
  }
}

function freeUntil(this: DayExclusion, at: number): number {
  const until = Math.min(at, END_MS - 1);
  let span = spanAt(this.zone, until);
  let wall = until + span.offset;
  for (;;) {
    const day = Math.floor(wall / DAY_MS);
    const free = freeDayUntil(this, day);
    if (free === day) return wall - span.offset;
    if (free === Number.NEGATIVE_INFINITY) return free;
    const lastOfDay = (free + 1) * DAY_MS - 1;
    if (lastOfDay >= span.start + span.offset) return lastOfDay - span.offset;
    span = spanAt(this.zone, span.start - 1);
    wall = span.end - 1 + span.offset;
  }
}

/** The first day number at or after `day` that is not left out, or `Infinity`. @internal */
export function freeDayFrom({ runs, weekdays }: DayExclusion, day: number): number {
  let free = weekdays === ALL_WEEKDAYS ? Number.POSITIVE_INFINITY : day;
  while (free <= LAST_DAY) {
    const run = runs[firstEndingFrom(runs, free)];
    if (run !== undefined && run.first <= free) free = run.last + 1;
    else if ((weekdays & (1 << weekdayOf(free))) !== 0) free += 1;
    else return free;
  }
  return Number.POSITIVE_INFINITY;
}

/** The last day number at or before `day` that is not left out, or `-Infinity`. @internal */
export function freeDayUntil({ runs, weekdays }: DayExclusion, day: number): number {
  if (weekdays === ALL_WEEKDAYS) return Number.NEGATIVE_INFINITY;
  let free = Math.min(day, LAST_DAY);
  for (;;) {
    const run = runs[firstEndingFrom(runs, free)];
    if (run !== undefined && run.first <= free) free = run.first - 1;
    else if ((weekdays & (1 << weekdayOf(free))) !== 0) free -= 1;
    else return free;
  }
}

/** The place of the first run that ends at or after a day; the number of runs where none does. */
function firstEndingFrom(runs: readonly DayRun[], day: number): number {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle] as DayRun).last < day) low = middle + 1;
    else high = middle;
  }
  return low;
}
