/**
 * Which times of day a trigger wants: hours, minutes and seconds that combine, or a plain list.
 *
 * A time is a whole number of seconds since midnight, 0..86399, as the wall clock shows it.
 */

/**
 * A set of times of day that is not empty.
 *
 * @internal
 */
export interface TimeSet {
  /** The least time. */
  readonly first: number;
  /** The greatest time. */
  readonly last: number;
  /** Bit 0 is midnight's hour. */
  readonly hours: number;
  readonly minutes: SixtySet;
  readonly seconds: SixtySet;
  /** Ascending times in place of the three sets above. */
  readonly list: readonly number[] | undefined;
}

/**
 * A set of numbers 0..59 in two integers.
 *
 * @internal
 */
export interface SixtySet {
  /** Bit 0 is 0. */
  readonly low: number;
  /** Bit 0 is 30. */
  readonly high: number;
}

/** All 24 hours. @internal */
export const ALL_HOURS = 0xffffff;

/** The set of 0 alone: most triggers' seconds. */
const ZERO: SixtySet = { low: 1, high: 0 };

/**
 * The set of the given numbers, 0..59.
 *
 * @internal
 */
export function sixtySet(values: readonly number[]): SixtySet {
  if (values.length === 1 && values[0] === 0) return ZERO;
  let low = 0;
  let high = 0;
  for (const value of values) {
    if (value < 30) low |= 1 << value;
    else high |= 1 << (value - 30);
  }
  return { low, high };
}

/**
 * Every combination of the hours (bit 0 is 0), minutes and seconds; none of the three may be empty.
 *
 * @internal
 */
export function combinedTimes(hours: number, minutes: SixtySet, seconds: SixtySet): TimeSet {
  const first = timeOf(lowestBit(hours), atOrAfter(minutes, 0), atOrAfter(seconds, 0));
  const last = timeOf(highestBit(hours), atOrBefore(minutes, 59), atOrBefore(seconds, 59));
  return { first, last, hours, minutes, seconds, list: undefined };
}

/**
 * The given times, ascending; there must be one.
 *
 * @internal
 */
export function listedTimes(list: readonly number[]): TimeSet {
  return { first: list[0] as number, last: list.at(-1) as number, hours: 0, minutes: ZERO, seconds: ZERO, list };
}

function timeOf(hour: number, minute: number, second: number): number {
  return hour * 3600 + minute * 60 + second;
}

/**
 * The first wanted time at or after `time`, or -1.
 *
 * @internal
 */
export function wantedTimeFrom(set: TimeSet, time: number): number {
  if (time <= set.first) return set.first;
  if (time > set.last) return -1;
  if (set.list !== undefined) return listedFrom(set.list, time);
  const { hours, minutes, seconds, first, last } = set;
  // No wanted second is left of an earlier minute, and no wanted minute of an earlier hour.
  const earliest = ((time + 59 - (last % 60)) / 60) | 0;
  const earliestHour = ((earliest + 59 - (((last / 60) | 0) % 60)) / 60) | 0;
  const hour = lowestBit(hours & (-1 << earliestHour));
  if (hour * 60 > earliest) return hour * 3600 + (first % 3600);
  const minute = hour * 60 + atOrAfter(minutes, earliest - hour * 60);
  if (minute * 60 >= time) return minute * 60 + (first % 60);
  return minute * 60 + atOrAfter(seconds, time - minute * 60);
}

/**
 * The last wanted time at or before `time`, or -1.
 *
 * @internal
 */
export function wantedTimeUntil(set: TimeSet, time: number): number {
  if (time >= set.last) return set.last;
  if (time < set.first) return -1;
  if (set.list !== undefined) return listedUntil(set.list, time);
  const { hours, minutes, seconds, first, last } = set;
  // No wanted second has come of a later minute, and no wanted minute of a later hour.
  const latest = ((time - (first % 60)) / 60) | 0;
  const latestHour = ((latest - (((first / 60) | 0) % 60)) / 60) | 0;
  const hour = highestBit(hours & ((2 << latestHour) - 1));
  if (hour * 60 + 59 < latest) return hour * 3600 + (last % 3600);
  const minute = hour * 60 + atOrBefore(minutes, latest - hour * 60);
  if (minute * 60 + 59 <= time) return minute * 60 + (last % 60);
  return minute * 60 + atOrBefore(seconds, time - minute * 60);
}

/** The first number of the set at or after `value`; there must be one. */
function atOrAfter(set: SixtySet, value: number): number {
  const half = halfOf(value);
  const bits = halfSet(set, half) & (-1 << (value - (half & 30)));
  return bits !== 0 ? (half & 30) + lowestBit(bits) : 30 + lowestBit(set.high);
}

/** The last number of the set at or before `value`; there must be one. */
function atOrBefore(set: SixtySet, value: number): number {
  const half = halfOf(value);
  const bits = halfSet(set, half) & ((2 << (value - (half & 30))) - 1);
  return bits !== 0 ? (half & 30) + highestBit(bits) : highestBit(set.low);
}

/** No bit for a number below 30, every bit for one of 30..59: without a branch, which no processor could foresee. */
function halfOf(value: number): number {
  return (29 - value) >> 31;
}

function halfSet({ low, high }: SixtySet, half: number): number {
  return (low & ~half) | (high & half);
}

function listedFrom(list: readonly number[], time: number): number {
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] as number) < time) low = middle + 1;
    else high = middle;
  }
  return list[low] as number;
}

function listedUntil(list: readonly number[], time: number): number {
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((list[middle] as number) > time) high = middle - 1;
    else low = middle;
  }
  return list[low] as number;
}

function highestBit(bits: number): number {
  return 31 - Math.clz32(bits);
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
