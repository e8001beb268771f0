/**
 * Triggers without a calendar: once, at intervals of elapsed time, never.
 *
 * All of it is integer arithmetic in milliseconds, in constant time for any distance (TR-2).
 */

import { type EpochMs, epochMs, MAX_INSTANT } from '../time/instant.js';
import { type CompiledTrigger, countByNext, listByNext } from './compiled-trigger.js';

interface IntervalSteps extends CompiledTrigger {
  readonly start: number;
  readonly every: number;
  /** Number of due instants, all told. */
  readonly size: number;
}

/**
 * Due at `start + k * every` milliseconds for k = 0, 1, 2 .., not after `end` (inclusive) nor after the year 9999
 * (TR-2, TR-5, TR-14).
 *
 * @internal
 */
export function intervalTrigger(start: EpochMs, every: number, end: EpochMs = MAX_INSTANT): CompiledTrigger {
  return steps('interval', start, every, end < start ? 0 : Math.floor((end - start) / every) + 1);
}

/**
 * Due at one instant.
 *
 * @internal
 */
export function onceTrigger(at: EpochMs): CompiledTrigger {
  return steps('once', at, 1, 1);
}

/** Never due. @internal */
export const MANUAL_TRIGGER: CompiledTrigger = {
  kind: 'manual',
  next: () => undefined,
  previous: () => undefined,
  list: listByNext,
  count: countByNext,
};

function steps(kind: 'once' | 'interval', start: number, every: number, size: number): IntervalSteps {
  return { kind, start, every, size, next, previous, list, count };
}

/** How many due instants lie at or before `at`; 0 where `at` is no number. */
function dueUntil(trigger: IntervalSteps, at: number): number {
  if (!(at >= trigger.start)) return 0;
  // Exact: dividend and divisor are whole and below 2^53, so the rounded quotient has the right floor.
  return Math.min(trigger.size, Math.floor((Math.floor(at) - trigger.start) / trigger.every) + 1);
}

function next(this: IntervalSteps, after: number): EpochMs | undefined {
  const k = dueUntil(this, after);
  return k < this.size && !Number.isNaN(after) ? epochMs(this.start + k * this.every) : undefined;
}

function previous(this: IntervalSteps, before: number): EpochMs | undefined {
  const k = dueUntil(this, Math.ceil(before) - 1);
  return k > 0 ? epochMs(this.start + (k - 1) * this.every) : undefined;
}

function list(this: IntervalSteps, after: number, count: number): EpochMs[] {
  if (Number.isNaN(after)) return [];
  const from = dueUntil(this, after);
  const until = Math.min(this.size, from + count);
  const found: EpochMs[] = [];
  for (let k = from; k < until; k += 1) found.push(epochMs(this.start + k * this.every));
  return found;
}

function count(this: IntervalSteps, after: number, through: number, limit: number): number {
  if (Number.isNaN(after)) return 0;
  return Math.max(0, Math.min(limit, dueUntil(this, through) - dueUntil(this, after)));
}
