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
  const last = timeOf(31 - Math.clz32(hours), atOrBefore(minutes, 59), atOrBefore(seconds, 59));
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
  const { hours, minutes, seconds } = set;
  const hour = (time / 3600) | 0;
  if ((hours & (1 << hour)) !== 0) {
    const minute = ((time / 60) | 0) - hour * 60;
    if (hasSixty(minutes, minute)) {
      const second = atOrAfter(seconds, time % 60);
      if (second >= 0) return timeOf(hour, minute, second);
    }
    const later = atOrAfter(minutes, minute + 1);
    if (later >= 0) return timeOf(hour, later, set.first % 60);
  }
  return lowestBit(hours & (-2 << hour)) * 3600 + (set.first % 3600);
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
  const { hours, minutes, seconds } = set;
  const hour = (time / 3600) | 0;
  if ((hours & (1 << hour)) !== 0) {
    const minute = ((time / 60) | 0) - hour * 60;
    if (hasSixty(minutes, minute)) {
      const second = atOrBefore(seconds, time % 60);
      if (second >= 0) return timeOf(hour, minute, second);
    }
    const earlier = atOrBefore(minutes, minute - 1);
    if (earlier >= 0) return timeOf(hour, earlier, set.last % 60);
  }
  return (31 - Math.clz32(hours & ((1 << hour) - 1))) * 3600 + (set.last % 3600);
}

function hasSixty(set: SixtySet, value: number): boolean {
  return value < 30 ? (set.low & (1 << value)) !== 0 : (set.high & (1 << (value - 30))) !== 0;
}

function atOrAfter(set: SixtySet, value: number): number {
  if (value < 30) {
    const low = set.low & (-1 << value);
    if (low !== 0) return lowestBit(low);
    return set.high === 0 ? -1 : 30 + lowestBit(set.high);
  }
  const high = value > 59 ? 0 : set.high & (-1 << (value - 30));
  return high === 0 ? -1 : 30 + lowestBit(high);
}

function atOrBefore(set: SixtySet, value: number): number {
  if (value >= 30) {
    const high = set.high & ((2 << (value - 30)) - 1);
    if (high !== 0) return 61 - Math.clz32(high);
    return set.low === 0 ? -1 : 31 - Math.clz32(set.low);
  }
  const low = value < 0 ? 0 : set.low & ((2 << value) - 1);
  return low === 0 ? -1 : 31 - Math.clz32(low);
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

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
