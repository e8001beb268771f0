/**
 * What a recurrence rule asks for beyond dates and times of day, in English (TR-14).
 */

import { formatWallTime } from '../../time/instant.js';
import { gapHolding } from '../../time/wall-clock.js';
import type { DayRule } from '../../trigger/pattern/day-rule.js';
import type { PlaceRule } from '../../trigger/pattern/recurrence/place-rule.js';
import type { WallPattern } from '../../trigger/pattern/wall-pattern.js';
import type { RecurrenceRule } from '../../trigger/rrule/recurrence-rule.js';
import { addedInstants, type Recurrence, type RecurrenceTrigger } from '../../trigger/rrule/recurrence-trigger.js';
import { clockWords } from './clock-words.js';
import { dateWords, weekdayName } from './date-words.js';
import { counted, listed, ordinal, placeText } from './list-words.js';
import { phaseWords } from './phase-words.js';
import { type TimeWords, timeWords } from './time-words.js';

/** Dates taken out or put in that are told one by one. */
const MOST_DATES = 5;

/** A recurrence trigger with its zone, from where to where it goes, and what is taken out and put in. @internal */
export function recurrenceWords(trigger: RecurrenceTrigger): string {
  const { pattern, recurrence, everyPass, timezone } = trigger;
  const times = timeWords(pattern.times, everyPass);
  if (pattern.days.months === 0) return `${noTimeWords(trigger)}${changeWords(trigger)}`;
  // A phase goes on through both passes of a repeated hour, which no words for times of day say.
  const said = pattern.recurrence?.is === 'phase' ? { ...times, isWholeDay: false } : times;
  const words = `${ruleWords(pattern, recurrence, times)}, ${timezone}${boundWords(recurrence)}`;
  return `${words}${clockWords(trigger, said)}${changeWords(trigger)}`;
}

/** A rule that no time meets: what is put in beside it may be due all the same. */
function noTimeWords(trigger: RecurrenceTrigger): string {
  const never =
    addedInstants(trigger).length === 0
      ? 'never, since no time meets the rule'
      : 'at no time of the rule, since none meets it';
  return `${never}, ${trigger.timezone}${boundWords(trigger.recurrence)}`;
}

function ruleWords({ days, times, recurrence }: WallPattern, { rule, dtstart }: Recurrence, told: TimeWords): string {
  const dates = datesOfRule(days, rule);
  if (recurrence?.is === 'phase') {
    const phase = phaseWords(recurrence, times, dtstart);
    return dates === 'every day' ? phase : `${phase}, ${dates}`;
  }
  const when = told.isWholeDay && dates === 'every day' ? told.text : `${told.text} ${dates}`;
  return recurrence === undefined ? when : `${when}, but only ${placesWords(recurrence)}`;
}

function boundWords({ rule, dtstart }: Recurrence): string {
  const until =
    rule.until === undefined ? '' : `, until ${formatWallTime(rule.until.at)}${rule.until.is === 'instant' ? 'Z' : ''}`;
  const count = rule.count === undefined ? '' : `, ${rule.count === 1 ? 'once' : `${rule.count} times`}`;
  return `, from ${formatWallTime(dtstart)}${until}${count}`;
}

/** What is taken out, which COUNT has counted all the same, and what is put in beside it. */
function changeWords({ zone, recurrence }: RecurrenceTrigger): string {
  const { rule, exdates, rdates } = recurrence;
  const added = rdates.filter((wall) => !exdates.includes(wall));
  const shown = added.filter((wall) => gapHolding(zone, wall) === undefined);
  const skipped = added.filter((wall) => !shown.includes(wall));
  return [
    exdates.length === 0 ? '' : `; ${rule.count === undefined ? 'not' : 'of these not'} at ${wallTimesText(exdates)}`,
    shown.length === 0 ? '' : `; also at ${wallTimesText(shown)}`,
    skipped.length === 0 ? '' : `; never at ${wallTimesText(skipped)}, which it names and the clock skips`,
  ].join('');
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

/** `the first and the last of these times in each month`. @internal */
export function placesWords(rule: PlaceRule): string {
  return placesOf('these times', rule);
}

/** What one time may be: `the first or the last of its times in each month`. @internal */
export function onePlaceWords(rule: PlaceRule): string {
  return placesOf('its times', rule, 'or');
}

function placesOf(what: string, { places, unit, weekStart }: PlaceRule, last?: string): string {
  const inOrder = [...places.filter((place) => place > 0), ...places.filter((place) => place < 0)];
  const named = inOrder.map((place) => `the ${place === 1 ? 'first' : placeText(place)}`);
  const begin = unit === 'week' && weekStart !== 0 ? ` (weeks begin on ${weekdayName(weekStart)})` : '';
  const each = unit === 'weekYear' ? 'year, counted in whole weeks' : `${unit}${begin}`;
  return `${listed(named, last)} of ${what} in each ${each}`;
}
