/**
 * Every n-th hour, minute or second of a recurrence rule, in English (TR-14).
 *
 * A phase wants whole units, and the times of day say what is due in one of them and which of them count. What the phase
 * itself leaves of a hand of the clock is not told again.
 */

import { modulo } from '../../time/civil.js';
import { formatWallTime } from '../../time/instant.js';
import type { PhaseRule } from '../../trigger/pattern/recurrence/phase-rule.js';
import type { SixtySet, TimeSet } from '../../trigger/pattern/time-set.js';
import { counted, everySpanText, numbersOf, ordinal } from './list-words.js';
import { isEvery, sixtyNumbers, sixtyWords, timeWords } from './time-words.js';

/** Up to so many minutes or seconds are always listed. */
const MOST_LISTED = 4;
const UNIT_NAMES = { 3600: 'hour', 60: 'minute', 1: 'second' } as const;

/** The hands of a clock from the finest: how long one step of it takes, and how many numbers are on its circle. */
const HANDS = [
  { unit: 1, size: 60, name: 'second', numbers: ({ seconds }: TimeSet) => sixtyNumbers(seconds) },
  { unit: 60, size: 60, name: 'minute', numbers: ({ minutes }: TimeSet) => sixtyNumbers(minutes) },
  { unit: 3600, size: 24, name: 'hour', numbers: ({ hours }: TimeSet) => numbersOf(hours, 0) },
] as const;

/**
 * `every 5 hours on the clock, counted from 2027-01-01T09:00:00`, and where a unit has several times,
 * `at minutes 0 and 30 of every 5th hour on the clock, counted from that of 2027-01-01T09:00:00`.
 *
 * @internal
 */
export function phaseWords(phase: PhaseRule, times: TimeSet, dtstart: number): string {
  const { n, unit } = phase;
  const first = firstUnit(phase, dtstart) * unit;
  const only = onlyTime(phase, times);
  const words =
    only === undefined
      ? `${timesInUnit(phase, times)} of every ${ordinal(n)} ${UNIT_NAMES[unit]} on the clock, counted from that of ${formatWallTime(first * 1000)}`
      : `every ${everySpanText(n * unit * 1000)} on the clock, counted from ${formatWallTime((first + only) * 1000)}`;
  return `${words}${restriction(phase, times)}`;
}

/** The first wanted unit that is not before the one of DTSTART. */
function firstUnit({ n, unit, anchor }: PhaseRule, dtstart: number): number {
  const unitOfStart = Math.floor(dtstart / 1000 / unit);
  return unitOfStart + modulo(anchor - unitOfStart, n);
}

/** The one time that is due in a unit, in seconds from its beginning; `undefined` where there are several. */
function onlyTime({ unit }: PhaseRule, times: TimeSet): number | undefined {
  if (unit === 1) return 0;
  const [seconds, minutes] = [sixtyNumbers(times.seconds), sixtyNumbers(times.minutes)];
  if (times.list !== undefined || seconds.length > 1) return undefined;
  if (unit === 60) return seconds[0];
  return minutes.length > 1 ? undefined : (minutes[0] as number) * 60 + (seconds[0] as number);
}

function timesInUnit({ unit }: PhaseRule, times: TimeSet): string {
  const { minutes, seconds, list } = times;
  if (list !== undefined) return `${timeWords(times, true).text}, those`;
  if (unit === 60) return fewWords(seconds, 'second');
  if (seconds.low === 1 && seconds.high === 0) return fewWords(minutes, 'minute');
  const ofMinutes = isEvery(minutes) ? 'every minute' : counted('minute', sixtyNumbers(minutes));
  return `${fewWords(seconds, 'second')} of ${ofMinutes}`;
}

/** A few are told one by one: beside the rhythm of the units, another one would be hard to read. */
function fewWords(set: SixtySet, word: 'minute' | 'second'): string {
  const numbers = sixtyNumbers(set);
  return numbers.length > MOST_LISTED ? sixtyWords(set, word) : `at ${counted(word, numbers)}`;
}

/** Which of the units count, where the rule asks for less than the phase reaches: `, only in hours 9 to 17`. */
function restriction({ n, unit }: PhaseRule, times: TimeSet): string {
  if (times.list !== undefined) return '';
  const told = HANDS.filter((hand) => hand.unit >= unit).flatMap((hand) => {
    const wanted = hand.numbers(times);
    const step = hand.unit === unit ? commonDivisor(n, hand.size) : 1;
    const isRestricted = wanted.length < hand.size / step;
    return isRestricted ? [counted(hand.name, wanted)] : [];
  });
  return told.length === 0 ? '' : `, only in ${told.join(' of ')}`;
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
