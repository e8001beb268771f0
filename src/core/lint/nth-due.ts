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
import { isDueSet } from '../trigger/due/due-set.js';
import { timeAt, timeCount, timesBefore } from '../trigger/pattern/time-count.js';
import { wantedFrom } from '../trigger/pattern/wall-pattern.js';
import { isRecurrence } from '../trigger/rrule/recurrence-trigger.js';
import { isWallTrigger, type WallTrigger } from '../trigger/wall-trigger.js';

/**
 * The `n`-th due instant (from 1) counted from the due instant `first` on, or `undefined` where it lies after `until`.
 * Instants that a change of the clock adds or takes away are not counted as such: across one the answer may be off by the
 * due instants of that night. Looks at each wanted date up to `until`.
 *
 * @internal
 */
export function nthDue(trigger: CompiledTrigger, first: EpochMs, n: number, until: number): EpochMs | undefined {
  const found = findNth(trigger, first, n, until);
  return found !== undefined && found <= until ? found : undefined;
}

function findNth(trigger: CompiledTrigger, first: EpochMs, n: number, until: number): EpochMs | undefined {
  const isEven = (trigger.kind === 'once' || trigger.kind === 'interval') && !isDueSet(trigger);
  if (isEven) return nthOfSteps(trigger, first, n);
  if (isWallTrigger(trigger) && !isRecurrence(trigger)) return nthOfWall(trigger, first, n, until);
  return nthOfVisits(trigger, first, n, until);
}

/** A recurrence may pick single times of a period, a union or an exclusion has no rhythm: each instant is visited. */
function nthOfVisits(trigger: CompiledTrigger, first: EpochMs, n: number, until: number): EpochMs | undefined {
  if (trigger.count(first - 1, until, n) < n) return undefined;
  return trigger.list(first - 1, n).at(-1);
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
  const size = timeCount(times);
  // No clock is farther than a day from UTC.
  const lastWall = until + DAY_MS;
  let left = n;
  let wall = wantedFrom(pattern, wallTimeAt(zone, first));
  while (wall <= lastWall) {
    const dayStart = Math.floor(wall / DAY_MS) * DAY_MS;
    const passed = timesBefore(times, (wall - dayStart) / 1000);
    if (left <= size - passed) {
      const wanted = dayStart + timeAt(times, passed + left - 1) * 1000;
      const at = instantsShowing(zone, wanted)[0] ?? wanted - spanAt(zone, wanted).offset;
      return trigger.next(at - 1);
    }
    left -= size - passed;
    wall = wantedFrom(pattern, dayStart + DAY_MS);
  }
  return undefined;
}
