/**
 * The times of day that a trigger wants, in English.
 *
 * A few are listed, equal distances are a rhythm with its first and last time, and the rest is told field by field.
 */

import { digits, formatTimeOfDay } from '../../time/civil.js';
import { timeCount } from '../../trigger/pattern/time-count.js';
import { ALL_HOURS, type SixtySet, type TimeSet, wantedTimeFrom } from '../../trigger/pattern/time-set.js';
import { counted, everySpanText, listed, numbersOf } from './list-words.js';

/** Up to so many times are always listed. */
const FEW = 4;
/** Up to so many where they have no rhythm. */
const MOST_LISTED = 12;
const DAY_SECONDS = 86_400;
const HALF_HOUR = 0x3fffffff;

/** Times of day in words. @internal */
export interface TimeWords {
  /** Begins with `at` or `every`. */
  readonly text: string;
  /** Whether it says by itself that nothing depends on the day: `every 15 minutes`. */
  readonly isWholeDay: boolean;
  /** Whether it names its times one by one. */
  readonly isList: boolean;
}

/**
 * `at 02:30`, `every 15 minutes`, `every hour from 09:00 to 17:00`, `at minutes 0 and 45 of every hour`. What is due in
 * one pass of a repeated hour alone has no rhythm that runs through the night, so its first and last time are told.
 *
 * @internal
 */
export function timeWords(set: TimeSet, everyPass: boolean): TimeWords {
  const times = firstTimes(set, MOST_LISTED + 1);
  if (times.length <= FEW) return listWords(times);
  const step = rhythmOf(set);
  if (step > 0) {
    const isWholeDay = everyPass && set.first === 0 && set.last === DAY_SECONDS - step && step <= 3600;
    return { text: isWholeDay ? everyWords(step) : seriesWords(set, step), isWholeDay, isList: false };
  }
  if (times.length <= MOST_LISTED) return listWords(times);
  if (set.list === undefined) {
    return { text: fieldWords(set), isWholeDay: everyPass && set.hours === ALL_HOURS, isList: false };
  }
  const hourly = hourlyWords(set.list);
  return hourly === undefined ? listWords(set.list) : { text: hourly, isWholeDay: false, isList: false };
}

/** What one time of day must be: `09:00 or 17:30`, `one of: every hour from 00:00 to 23:00`. @internal */
export function oneTimeOf(set: TimeSet): string {
  const times = firstTimes(set, MOST_LISTED + 1);
  if (times.length <= FEW) return listed(times.map(formatTimeOfDay), 'or');
  const step = rhythmOf(set);
  if (step > 0) return `one of: ${seriesWords(set, step)}`;
  if (times.length <= MOST_LISTED) return listed(times.map(formatTimeOfDay), 'or');
  const others = timeCount(set) - FEW;
  return listed([...times.slice(0, FEW).map(formatTimeOfDay), `one of ${others} others`], 'or');
}

function listWords(times: readonly number[]): TimeWords {
  return { text: `at ${listed(times.map(formatTimeOfDay))}`, isWholeDay: false, isList: true };
}

function everyWords(step: number): string {
  return `every ${everySpanText(step * 1000)}`;
}

function seriesWords({ first, last }: TimeSet, step: number): string {
  return `${everyWords(step)} from ${formatTimeOfDay(first)} to ${formatTimeOfDay(last)}`;
}

/** A list that has the same times in each of its hours: `at 07:00 and 15:30 (minutes and seconds) of every hour`. */
function hourlyWords(list: readonly number[]): string | undefined {
  const hours = [...new Set(list.map((time) => Math.floor(time / 3600)))];
  const inHour = [...new Set(list.map((time) => time % 3600))].sort((a, b) => a - b);
  if (hours.length === 1 || hours.length * inHour.length !== list.length) return undefined;
  const ofHours = hours.length === 24 ? 'of every hour' : `of ${counted('hour', hours)}`;
  if (inHour.every((time) => time % 60 === 0)) {
    return `at ${counted(
      'minute',
      inHour.map((time) => time / 60),
    )} ${ofHours}`;
  }
  const times = inHour.map((time) => `${digits(Math.floor(time / 60), 2)}:${digits(time % 60, 2)}`);
  return `at ${listed(times)} (minutes and seconds) ${ofHours}`;
}

/** The numbers of a set of minutes or seconds. @internal */
export function sixtyNumbers({ low, high }: SixtySet): readonly number[] {
  return [...numbersOf(low, 0), ...numbersOf(high, 30)];
}

function firstTimes(set: TimeSet, count: number): readonly number[] {
  const times: number[] = [];
  for (let time = set.first; time >= 0 && times.length < count; time = laterTime(set, time)) times.push(time);
  return times;
}

function laterTime(set: TimeSet, time: number): number {
  return wantedTimeFrom(set, time + 1);
}

/** The distance of all neighbours in seconds where it is one and the same; else 0. */
function rhythmOf(set: TimeSet): number {
  const step = laterTime(set, set.first) - set.first;
  for (let time = set.first; time < set.last; ) {
    const later = laterTime(set, time);
    if (later - time !== step) return 0;
    time = later;
  }
  return step;
}

/** Hours, minutes and seconds that combine, more than can be listed. */
function fieldWords({ hours, minutes, seconds }: TimeSet): string {
  const ofHours = hours === ALL_HOURS ? 'of every hour' : `of ${counted('hour', numbersOf(hours, 0))}`;
  if (seconds.low === 1 && seconds.high === 0) return `${sixtyWords(minutes, 'minute')} ${ofHours}`;
  const ofMinutes = isEvery(minutes) ? 'of every minute' : `of ${counted('minute', sixtyNumbers(minutes))}`;
  return `${sixtyWords(seconds, 'second')} ${ofMinutes} ${ofHours}`;
}

/** `every minute`, `every 5 minutes`, `at minutes 0 and 45`. @internal */
export function sixtyWords(set: SixtySet, word: 'minute' | 'second'): string {
  const numbers = sixtyNumbers(set);
  const step = 60 / numbers.length;
  const isRhythm = numbers.length > 1 && numbers.every((number, i) => number === i * step);
  if (!isRhythm) return `at ${counted(word, numbers)}`;
  return step === 1 ? `every ${word}` : `every ${step} ${word}s`;
}

/** Whether a set of minutes or seconds holds all sixty. @internal */
export function isEvery({ low, high }: SixtySet): boolean {
  return low === HALF_HOUR && high === HALF_HOUR;
}
