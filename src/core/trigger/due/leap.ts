/**
 * Leaps over days on which nothing can be due: those that a trigger does not want, or that are left out.
 *
 * Without them, a trigger for Mondays that leaves Mondays out would look at every Monday up to 2199 on the clock of its
 * zone. A leap asks the calendar alone, and lands before or behind the day that it found, farther from it than any clock is
 * from UTC. It begins two days early, since a clock that is set back may show a day again. What the calendar alone cannot
 * say is asked of the trigger itself, from one instant to the next: intervals, and members of `anyOf` on another clock.
 */

import { DAY_MS } from '../../time/civil.js';
import { wallTimeAt } from '../../time/wall-clock.js';
import { isAnyOf } from '../any-of-trigger.js';
import type { CompiledTrigger } from '../compiled-trigger.js';
import { ALL_WEEKDAYS, type DayRule, dayRule } from '../pattern/day-rule.js';
import { type WallPattern, wantedFrom, wantedUntil } from '../pattern/wall-pattern.js';
import { addedInstants, isRecurrence, type RecurrenceTrigger } from '../rrule/recurrence-trigger.js';
import { isWallTrigger, type WallTrigger } from '../wall-trigger.js';
import { type DayExclusion, freeDayFrom, freeDayUntil } from './excluded-days.js';

/** Where a trigger may be due and is not left out, as far as that is known without a clock. @internal */
export type Outline =
  | { readonly is: 'pattern'; readonly pattern: WallPattern; readonly adding: RecurrenceTrigger | undefined }
  | { readonly is: 'anyOf'; readonly of: readonly Outline[] }
  | { readonly is: 'trigger'; readonly trigger: CompiledTrigger };

/** How far from a day its instants may lie, and how far back a clock may be set. */
const REACH_DAYS = 2;
/** Seconds of a day from which a clock may jump over midnight: none has ever done so by more than two hours. */
const LATE_IN_DAY = 18 * 3600;

/** The outline of a trigger without the weekdays that are left out. @internal */
export function outlineOf(trigger: CompiledTrigger, exclusion: DayExclusion): Outline {
  if (isAnyOf(trigger)) return { is: 'anyOf', of: trigger.of.map((member) => outlineOf(member, exclusion)) };
  if (!isWallTrigger(trigger) || !isByDate(trigger, exclusion)) return { is: 'trigger', trigger };
  const adding = isRecurrence(trigger) && trigger.recurrence.rdates.length > 0 ? trigger : undefined;
  return { is: 'pattern', pattern: withoutWeekdays(trigger.pattern, exclusion.weekdays), adding };
}

/** Whether an instant of a trigger lies on the date that its pattern wants, by the clock that tells the days. */
function isByDate({ zone, shift, pattern }: WallTrigger, exclusion: DayExclusion): boolean {
  return zone.name === exclusion.timezone && !(shift && pattern.times.last >= LATE_IN_DAY);
}

/** The first instant at or after `at` that may be due and not left out, as far as days tell; `Infinity` where none is. @internal */
export function leapFrom(outline: Outline, exclusion: DayExclusion, at: number): number {
  switch (outline.is) {
    case 'trigger':
      return outline.trigger.next(at - 1) ?? Number.POSITIVE_INFINITY;
    case 'anyOf':
      return outline.of.reduce((least, one) => Math.min(least, leapFrom(one, exclusion, at)), Number.POSITIVE_INFINITY);
    case 'pattern': {
      const found = wantedDayFrom(outline.pattern, exclusion, at);
      const added = addedOf(outline).find((one) => one >= at && !exclusion.isExcluded(one));
      return added === undefined ? found : Math.min(found, added);
    }
  }
}

/** The last instant at or before `at` that may be due and not left out, as far as days tell; `-Infinity` where none is. @internal */
export function leapUntil(outline: Outline, exclusion: DayExclusion, at: number): number {
  switch (outline.is) {
    case 'trigger':
      return outline.trigger.previous(at + 1) ?? Number.NEGATIVE_INFINITY;
    case 'anyOf':
      return outline.of.reduce((most, one) => Math.max(most, leapUntil(one, exclusion, at)), Number.NEGATIVE_INFINITY);
    case 'pattern': {
      const found = wantedDayUntil(outline.pattern, exclusion, at);
      const added = addedOf(outline).findLast((one) => one <= at && !exclusion.isExcluded(one));
      return added === undefined ? found : Math.max(found, added);
    }
  }
}

const NONE: readonly number[] = [];

function addedOf({ adding }: Extract<Outline, { is: 'pattern' }>): readonly number[] {
  return adding === undefined ? NONE : addedInstants(adding);
}

function wantedDayFrom(pattern: WallPattern, exclusion: DayExclusion, at: number): number {
  let day = Math.floor(wallTimeAt(exclusion.zone, at) / DAY_MS) - REACH_DAYS;
  for (;;) {
    const wanted = Math.floor(wantedFrom(pattern, day * DAY_MS) / DAY_MS);
    if (wanted === Number.POSITIVE_INFINITY) return wanted;
    day = freeDayFrom(exclusion, wanted);
    if (day === wanted) return Math.max(at, (day - REACH_DAYS) * DAY_MS);
    if (day === Number.POSITIVE_INFINITY) return day;
  }
}

function wantedDayUntil(pattern: WallPattern, exclusion: DayExclusion, at: number): number {
  let day = Math.floor(wallTimeAt(exclusion.zone, at) / DAY_MS) + REACH_DAYS;
  for (;;) {
    const wanted = Math.floor(wantedUntil(pattern, (day + 1) * DAY_MS - 1000) / DAY_MS);
    if (wanted === Number.NEGATIVE_INFINITY) return wanted;
    day = freeDayUntil(exclusion, wanted);
    if (day === wanted) return Math.min(at, (day + 1 + REACH_DAYS) * DAY_MS);
    if (day === Number.NEGATIVE_INFINITY) return day;
  }
}

/** A pattern without some weekdays (bit 0 is Monday), where that can be said; else the pattern as it is. */
function withoutWeekdays(pattern: WallPattern, weekdays: number): WallPattern {
  const { days, recurrence } = pattern;
  if (weekdays === 0 || days.days.either) return pattern;
  const left = daysWithout(days, weekdays);
  // Places are counted among all days of a period; where no day is left, none of them is either.
  if (recurrence?.is === 'places')
    return left.months === 0 ? { ...pattern, days: left, recurrence: undefined } : pattern;
  return { ...pattern, days: left };
}

function daysWithout({ askedMonths, years, days, period, ofYear }: DayRule, weekdays: number): DayRule {
  const { monthPart, weekPart = { weekdays: ALL_WEEKDAYS, nth: [] } } = days;
  const left = {
    weekdays: weekPart.weekdays & ~weekdays,
    nth: weekPart.nth.filter(({ weekday }) => (weekdays & (1 << weekday)) === 0),
  };
  return dayRule({ months: askedMonths, years, days: { monthPart, weekPart: left, either: false }, period }, ofYear);
}
