/**
 * What a recurrence rule asks for beyond dates and times of day, in English (TR-14).
 */

import { formatWallTime } from '../../time/instant.js';
import type { DayRule } from '../../trigger/pattern/day-rule.js';
import type { PhaseRule } from '../../trigger/pattern/recurrence/phase-rule.js';
import type { PlaceRule } from '../../trigger/pattern/recurrence/place-rule.js';
import { ALL_HOURS, type TimeSet } from '../../trigger/pattern/time-set.js';
import type { RecurrenceRule } from '../../trigger/rrule/recurrence-rule.js';
import type { Recurrence, RecurrenceTrigger } from '../../trigger/rrule/recurrence-trigger.js';
import { dateWords, weekdayName } from './date-words.js';
import { counted, everySpanText, listed, ordinal, placeText } from './list-words.js';
import { isEvery, timeWords } from './time-words.js';

/** Dates taken out or put in that are told one by one. */
const MOST_DATES = 5;

/** A recurrence trigger, without its zone. @internal */
export function recurrenceWords({ pattern, recurrence, everyPass }: RecurrenceTrigger): string {
  const { days, times } = pattern;
  const { rule, dtstart } = recurrence;
  const dates = datesOfRule(days, rule);
  const { text, isWholeDay } = timeWords(times, everyPass);
  const when = isWholeDay && dates === 'every day' ? text : `${text} ${dates}`;
  if (days.months === 0) return 'never, since no time meets the rule';
  if (pattern.recurrence === undefined) return when;
  if (pattern.recurrence.is === 'places') return `of the times (${when}) ${placesWords(pattern.recurrence)}`;
  const phase = phaseWords(pattern.recurrence, dtstart);
  const those = isTrivial(times, pattern.recurrence) ? '' : `, of these ${text}`;
  return dates === 'every day' ? `${phase}${those}` : `${phase}${those}, ${dates}`;
}

/** Where a rule begins and ends, and what is taken out and put in. @internal */
export function recurrenceBounds({ rule, dtstart, exdates, rdates }: Recurrence): string {
  const until =
    rule.until === undefined ? '' : `, until ${formatWallTime(rule.until.at)}${rule.until.is === 'instant' ? 'Z' : ''}`;
  const count = rule.count === undefined ? '' : `, ${rule.count === 1 ? 'once' : `${rule.count} times`}`;
  const without = exdates.length === 0 ? '' : `; not at ${wallTimesText(exdates)}`;
  const also = rdates.length === 0 ? '' : `; also at ${wallTimesText(rdates)}`;
  return `, from ${formatWallTime(dtstart)}${until}${count}${without}${also}`;
}

function wallTimesText(walls: readonly number[]): string {
  const told = walls.length <= MOST_DATES ? walls : walls.slice(0, MOST_DATES - 1);
  const more = walls.length - told.length;
  return listed([...told.map(formatWallTime), ...(more > 0 ? [`${more} other times`] : [])]);
}

function datesOfRule(days: DayRule, rule: RecurrenceRule): string {
  const dates = dateWords(days);
  if (days.ofYear === undefined) return dates;
  const ofYear = yearWords(rule);
  return dates === 'every day' ? ofYear : `${dates}, only ${ofYear}`;
}

/** `on day 100 of the year`, `in week 20 of the year`, `on the 20th Monday of the year`. @internal */
export function yearWords({ freq, interval, numbers, weekdays, weekStart }: RecurrenceRule): string {
  const { BYYEARDAY, BYWEEKNO, BYMONTH } = numbers;
  const words: string[] = [];
  if (BYYEARDAY !== undefined) words.push(`on ${placesInYear('day', BYYEARDAY)} of the year`);
  if (BYWEEKNO !== undefined) {
    const begin = weekStart === 0 ? '' : ` (weeks begin on ${weekdayName(weekStart)})`;
    const years = interval === 1 ? 'the year' : `every ${ordinal(interval)} year from the first on`;
    words.push(`in ${placesInYear('week', BYWEEKNO)} of ${years}${begin}`);
  }
  if (freq === 'YEARLY' && BYMONTH === undefined && weekdays?.some(({ nth }) => nth !== 0) === true) {
    const named = weekdays.map(({ weekday, nth }) =>
      nth === 0 ? `${weekdayName(weekday)}s` : `the ${placeText(nth)} ${weekdayName(weekday)}`,
    );
    words.push(`on ${listed(named)} of the year`);
  }
  return words.join(', only ');
}

function placesInYear(word: 'day' | 'week', numbers: readonly number[]): string {
  const fromStart = numbers.filter((number) => number > 0);
  const fromEnd = numbers.filter((number) => number < 0);
  return listed([
    ...(fromStart.length === 0 ? [] : [counted(word, fromStart)]),
    ...fromEnd.map((number) => `the ${placeText(number)} ${word}`),
  ]);
}

/** `the first and the last of each month`; with another last word, `the first or the last of each month`. @internal */
export function placesWords({ places, unit }: PlaceRule, last?: string): string {
  const inOrder = [...places.filter((place) => place > 0), ...places.filter((place) => place < 0)];
  const named = inOrder.map((place) => `the ${place === 1 ? 'first' : placeText(place)}`);
  return `${listed(named, last)} of each ${unit === 'weekYear' ? 'year, counted in whole weeks' : unit}`;
}

/** `every 1 hour 30 minutes counted from 2026-01-01T00:00:00`. @internal */
export function phaseWords({ n, unit }: PhaseRule, dtstart: number): string {
  return `every ${everySpanText(n * unit * 1000)} on the clock, counted from ${formatWallTime(dtstart)}`;
}

/** Whether times of day leave every unit of a phase. */
function isTrivial({ list, hours, minutes, seconds }: TimeSet, { unit }: PhaseRule): boolean {
  if (list !== undefined || hours !== ALL_HOURS) return false;
  return (unit === 3600 || isEvery(minutes)) && (unit !== 1 || isEvery(seconds));
}
