/**
 * The times of day that a trigger wants, in English.
 *
 * A few are listed, equal distances are a rhythm with its first and last time, and the rest is told field by field.
 */

import { formatTimeOfDay } from '../../time/civil.js';
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
}

/**
 * `at 02:30`, `every 15 minutes`, `every hour from 09:00 to 17:00`, `at minutes 0 and 45 of every hour`. What is due in
 * one pass of a repeated hour alone has no rhythm that runs through the night, so its first and last time are told.
 *
 * @internal
 */
export function timeWords(set: TimeSet, everyPass: boolean): TimeWords {
  const times = firstTimes(set, MOST_LISTED + 1);
  if (times.length <= FEW) return { text: `at ${listed(times.map(formatTimeOfDay))}`, isWholeDay: false };
  const step = rhythmOf(set);
  if (step > 0) {
    const isWholeDay = everyPass && set.first === 0 && set.last === DAY_SECONDS - step && step <= 3600;
    const every = `every ${everySpanText(step * 1000)}`;
    return {
      text: isWholeDay ? every : `${every} from ${formatTimeOfDay(set.first)} to ${formatTimeOfDay(set.last)}`,
      isWholeDay,
    };
  }
  if (set.list !== undefined) return { text: `at ${listed(set.list.map(formatTimeOfDay))}`, isWholeDay: false };
  if (times.length <= MOST_LISTED) return { text: `at ${listed(times.map(formatTimeOfDay))}`, isWholeDay: false };
  return { text: fieldWords(set), isWholeDay: everyPass && set.hours === ALL_HOURS };
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

/** `every minute`, `every 5 minutes`, `at minutes 0 and 45`. */
function sixtyWords(set: SixtySet, word: 'minute' | 'second'): string {
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
