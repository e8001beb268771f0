/**
 * The times of day of a recurrence rule, with what its interval below the day leaves of them (TR-14).
 */

import { DAY_MS, modulo } from '../../time/civil.js';
import { bitsOf } from '../pattern/bit-set.js';
import { type PhaseRule, phaseRule } from '../pattern/recurrence/phase-rule.js';
import { timeAt, timeCount } from '../pattern/time-count.js';
import { combinedTimes, listedTimes, sixtySet, type TimeSet } from '../pattern/time-set.js';
import { isBelowDay, type RecurrenceRule } from './recurrence-rule.js';

/**
 * Times of day.
 *
 * @internal
 */
export interface RuleTimes {
  readonly times: TimeSet;
  /** Of an interval below the day: every n-th day, counted from one. */
  readonly period: Step | undefined;
  /** Of an interval below the day: what is neither times of day nor days. */
  readonly phase: PhaseRule | undefined;
}

/** Wanted numbers on each hand of a clock; they combine. */
interface Hands {
  readonly hours: readonly number[];
  readonly minutes: readonly number[];
  readonly seconds: readonly number[];
}

/** Every n-th of something, counted from an anchor. */
interface Step {
  readonly n: number;
  readonly anchor: number;
}

/** An interval that was taken in by the hands, as far as it could be. */
interface Folded extends Hands {
  readonly period: Step | undefined;
  readonly phase: (Step & Pick<PhaseRule, 'unit'>) | undefined;
}

const NO_INTERVAL = { period: undefined, phase: undefined };

/**
 * The times of day of a rule that begins with the wall time `dtstart`; `undefined` where there can be none.
 *
 * @internal
 */
export function ruleTimes(rule: RecurrenceRule, dtstart: number): RuleTimes | undefined {
  const hands = pickSeconds(rule, handsOf(rule, dtstart));
  const folded: Folded = isBelowDay(rule) ? fold(rule, dtstart, hands) : { ...hands, ...NO_INTERVAL };
  const { hours, minutes, seconds, period, phase } = folded;
  if (hours.length === 0 || minutes.length === 0 || seconds.length === 0) return undefined;
  if (phase !== undefined && !canMeet(rule, phase, folded)) return undefined;
  const all = combinedTimes(bitsOf(hours, 0), sixtySet(minutes), sixtySet(seconds));
  const times = pickTimes(rule, hours, all);
  return times && { times, period, phase: phase && phaseRule(phase, times) };
}

function handsOf({ freq, numbers }: RecurrenceRule, dtstart: number): Hands {
  const time = (dtstart - Math.floor(dtstart / DAY_MS) * DAY_MS) / 1000;
  const isByMinute = freq === 'MINUTELY' || freq === 'SECONDLY';
  return {
    hours: numbers.BYHOUR ?? (isByMinute || freq === 'HOURLY' ? upTo(24) : [Math.floor(time / 3600)]),
    minutes: numbers.BYMINUTE ?? (isByMinute ? upTo(60) : [Math.floor(time / 60) % 60]),
    seconds: numbers.BYSECOND ?? (freq === 'SECONDLY' ? upTo(60) : [time % 60]),
  };
}

function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, number) => number);
}

/** BYSETPOS of a second and of a minute picks among the seconds. */
function pickSeconds({ freq, numbers }: RecurrenceRule, hands: Hands): Hands {
  const places = numbers.BYSETPOS;
  if (places === undefined || (freq !== 'SECONDLY' && freq !== 'MINUTELY')) return hands;
  if (freq === 'SECONDLY') return places.includes(1) || places.includes(-1) ? hands : { ...hands, seconds: [] };
  return { ...hands, seconds: indexesOf(places, hands.seconds.length).map((i) => hands.seconds[i] as number) };
}

/** BYSETPOS of an hour and of a day picks among the times of each; `undefined` where it picks none. */
function pickTimes({ freq, numbers }: RecurrenceRule, hours: readonly number[], all: TimeSet): TimeSet | undefined {
  const places = numbers.BYSETPOS;
  if (places === undefined || (freq !== 'HOURLY' && freq !== 'DAILY')) return all;
  const count = timeCount(all);
  const perHour = count / hours.length;
  const picked =
    freq === 'DAILY'
      ? indexesOf(places, count)
      : hours.flatMap((_, hour) => indexesOf(places, perHour).map((i) => hour * perHour + i));
  return picked.length === 0 ? undefined : listedTimes(picked.map((i) => timeAt(all, i)));
}

/** The indexes that places, from 1 or from -1 backwards, name in a list of `count`: ascending, each once. */
function indexesOf(places: readonly number[], count: number): readonly number[] {
  const indexes = places.map((place) => (place > 0 ? place - 1 : count + place));
  return [...new Set(indexes)].filter((i) => i >= 0 && i < count).sort((a, b) => a - b);
}

/** The hands of a clock from the finest: how many numbers are on its circle, and how many seconds one stands for. */
const HANDS = [
  { hand: 'seconds', size: 60, unit: 1 },
  { hand: 'minutes', size: 60, unit: 60 },
  { hand: 'hours', size: 24, unit: 3600 },
] as const;

/**
 * Takes an interval in hand by hand. What its step and the circle of a hand have in common leaves only some numbers on it.
 * Where the step divides the circle, that is all. Where one number is left, the step goes on as one of the next hand, and
 * from the last one as one of days. Where several are left, a phase remains.
 */
function fold({ freq, interval }: RecurrenceRule, dtstart: number, hands: Hands): Folded {
  const folded = { ...hands };
  const finest = BELOW_DAY.indexOf(freq as (typeof BELOW_DAY)[number]);
  let n = interval;
  let anchor = Math.floor(dtstart / 1000 / (HANDS[finest] as (typeof HANDS)[number]).unit);
  for (const { hand, size, unit } of HANDS.slice(finest)) {
    const common = commonDivisor(n, size);
    const left = folded[hand].filter((number) => (number - anchor) % common === 0);
    folded[hand] = left;
    if (common === n || left.length === 0) return { ...folded, ...NO_INTERVAL };
    if (left.length > 1) return { ...folded, ...NO_INTERVAL, phase: { unit, n, anchor } };
    const only = left[0] as number;
    while (modulo(anchor, size) !== only) anchor += n;
    anchor = (anchor - only) / size;
    n /= common;
  }
  return { ...folded, period: { n, anchor }, phase: undefined };
}

const BELOW_DAY = ['SECONDLY', 'MINUTELY', 'HOURLY'] as const;

/**
 * Whether a phase can ever meet the hands. All units of the phase have one remainder by the greatest divisor that its step
 * has in common with the week, and so it is enough to look for it among the times of one week.
 */
function canMeet(
  { weekdays }: RecurrenceRule,
  { unit, n, anchor }: NonNullable<Folded['phase']>,
  hands: Hands,
): boolean {
  const perDay = DAY_MS / 1000 / unit;
  const divisor = commonDivisor(n, 7 * perDay);
  // Day 0 was a Thursday.
  const days = weekdays === undefined ? upTo(7) : weekdays.map(({ weekday }) => (weekday + 4) % 7);
  const minutes = unit === 3600 ? [0] : hands.minutes;
  const seconds = unit === 1 ? hands.seconds : [0];
  const remainders = new Set<number>();
  for (const day of days) {
    for (const hour of hands.hours) {
      for (const minute of minutes) {
        remainders.add((day * perDay + Math.floor((hour * 3600 + minute * 60) / unit)) % divisor);
      }
    }
  }
  return seconds.some((second) => remainders.has(modulo(anchor - second, divisor)));
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
