/**
 * Times of day by their place in a set: how many come before a time, and which is the n-th.
 */

import { bitCount, nthBit } from './bit-set.js';
import type { SixtySet, TimeSet } from './time-set.js';

/**
 * How many times a set has.
 *
 * @internal
 */
export function timeCount({ list, hours, minutes, seconds }: TimeSet): number {
  return list === undefined ? bitCount(hours) * sixtyCount(minutes) * sixtyCount(seconds) : list.length;
}

/**
 * How many times of a set come before a time of day in seconds, 0..86400.
 *
 * @internal
 */
export function timesBefore({ list, hours, minutes, seconds }: TimeSet, time: number): number {
  if (list !== undefined) return list.reduce((before, one) => before + (one < time ? 1 : 0), 0);
  const perMinute = sixtyCount(seconds);
  const hour = Math.floor(time / 3600);
  const minute = Math.floor(time / 60) % 60;
  let before = bitCount(hours & ((1 << hour) - 1)) * sixtyCount(minutes) * perMinute;
  if ((hours & (1 << hour)) === 0) return before;
  before += sixtyBelow(minutes, minute) * perMinute;
  return sixtyHas(minutes, minute) ? before + sixtyBelow(seconds, time % 60) : before;
}

/**
 * The time of a place in a set, from 0; the set must have so many.
 *
 * @internal
 */
export function timeAt({ list, hours, minutes, seconds }: TimeSet, place: number): number {
  if (list !== undefined) return list[place] as number;
  const perMinute = sixtyCount(seconds);
  const perHour = sixtyCount(minutes) * perMinute;
  const ofHour = place % perHour;
  const hour = nthBit(hours, Math.floor(place / perHour));
  return (
    hour * 3600 + nthOfSixty(minutes, Math.floor(ofHour / perMinute)) * 60 + nthOfSixty(seconds, place % perMinute)
  );
}

function sixtyCount({ low, high }: SixtySet): number {
  return bitCount(low) + bitCount(high);
}

function sixtyBelow({ low, high }: SixtySet, value: number): number {
  if (value <= 30) return bitCount(low & ((1 << value) - 1));
  return bitCount(low) + bitCount(high & ((1 << (value - 30)) - 1));
}

function sixtyHas({ low, high }: SixtySet, value: number): boolean {
  return value < 30 ? (low & (1 << value)) !== 0 : (high & (1 << (value - 30))) !== 0;
}

function nthOfSixty({ low, high }: SixtySet, n: number): number {
  const inLow = bitCount(low);
  return n < inLow ? nthBit(low, n) : 30 + nthBit(high, n - inLow);
}
