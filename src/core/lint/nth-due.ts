/**
 * The n-th due instant, found without visiting the ones before it.
 *
 * A wall-clock trigger asks for the same times on every wanted date, so whole dates are counted at once: the cost is that
 * of the dates in the range, however many instants they hold.
 */

import { DAY_MS } from '../time/civil.js';
import type { EpochMs } from '../time/instant.js';
import { instantsShowing, wallTimeAt } from '../time/wall-clock.js';
import { spanAt } from '../time/zone-spans.js';
import type { CompiledTrigger } from '../trigger/compile.js';
import type { SixtySet, TimeSet } from '../trigger/pattern/time-set.js';
import { wantedFrom } from '../trigger/pattern/wall-pattern.js';
import { isWallTrigger, type WallTrigger } from '../trigger/wall-trigger.js';

const DAY_SECONDS = DAY_MS / 1000;

/**
 * The `n`-th due instant (from 1) counted from the due instant `first` on, or `undefined` where it lies after `until`.
 * Instants that a change of the clock adds or takes away are not counted as such: across one the answer may be off by the
 * due instants of that night. Looks at each wanted date up to `until`.
 *
 * @internal
 */
export function nthDue(trigger: CompiledTrigger, first: EpochMs, n: number, until: number): EpochMs | undefined {
  const found = isWallTrigger(trigger) ? nthOfWall(trigger, first, n, until) : nthOfSteps(trigger, first, n);
  return found !== undefined && found <= until ? found : undefined;
}

/** Instants at intervals: as far apart everywhere as the first two. */
function nthOfSteps(trigger: CompiledTrigger, first: EpochMs, n: number): EpochMs | undefined {
  if (n === 1) return first;
  const second = trigger.next(first);
  return second === undefined ? undefined : trigger.next(first + (n - 1) * (second - first) - 1);
}

function nthOfWall(trigger: WallTrigger, first: EpochMs, n: number, until: number): EpochMs | undefined {
  const { zone, pattern } = trigger;
  const { times } = pattern;
  const size = timesBefore(times, DAY_SECONDS);
  // No clock is farther than a day from UTC.
  const lastWall = until + DAY_MS;
  let left = n;
  let wall = wantedFrom(pattern, wallTimeAt(zone, first));
  while (wall <= lastWall) {
    const dayStart = Math.floor(wall / DAY_MS) * DAY_MS;
    const passed = timesBefore(times, (wall - dayStart) / 1000);
    if (left <= size - passed) {
      const wanted = dayStart + nthTime(times, passed + left) * 1000;
      const at = instantsShowing(zone, wanted)[0] ?? wanted - spanAt(zone, wanted).offset;
      return trigger.next(at - 1);
    }
    left -= size - passed;
    wall = wantedFrom(pattern, dayStart + DAY_MS);
  }
  return undefined;
}

/** The n-th time of day of a set, from 1, in seconds since midnight; the set must have so many. */
function nthTime(times: TimeSet, n: number): number {
  let low = times.first;
  let high = times.last;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timesBefore(times, middle + 1) >= n) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** How many times of a set lie before `time`, in seconds since midnight, 0..86400. */
function timesBefore({ list, hours, minutes, seconds }: TimeSet, time: number): number {
  if (list !== undefined) return list.filter((listed) => listed < time).length;
  const hour = Math.floor(time / 3600);
  const minute = Math.floor(time / 60) - hour * 60;
  const perMinute = sixtyBelow(seconds, 60);
  const perHour = sixtyBelow(minutes, 60) * perMinute;
  const whole = bitsBelow(hours, hour) * perHour;
  if (bitsBelow(hours, hour + 1) === bitsBelow(hours, hour)) return whole;
  const wholeMinutes = sixtyBelow(minutes, minute);
  const isMinuteWanted = sixtyBelow(minutes, minute + 1) > wholeMinutes;
  return whole + wholeMinutes * perMinute + (isMinuteWanted ? sixtyBelow(seconds, time % 60) : 0);
}

function sixtyBelow({ low, high }: SixtySet, value: number): number {
  return value <= 30 ? bitsBelow(low, value) : bitsBelow(low, 30) + bitsBelow(high, value - 30);
}

/** How many of the lowest `count` bits are set; at most 30 of them. */
function bitsBelow(bits: number, count: number): number {
  let left = bits & ((1 << count) - 1);
  let found = 0;
  for (; left !== 0; left &= left - 1) found += 1;
  return found;
}
