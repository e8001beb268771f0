/**
 * The due instants of a schedule: those of its trigger, without the days that are left out, each put off by one fixed
 * span (DE-12).
 *
 * `due = u + offsetMs` for each instant `u` of the trigger that is not left out. The set is the same from wherever it is
 * asked, and a search costs one step for each run of days that is left out, not one for each instant in it.
 */

import { type EpochMs, epochMs, MAX_INSTANT } from '../../time/instant.js';
import { type CompiledTrigger, countByNext, listByNext } from '../compiled-trigger.js';
import type { DayExclusion, ExcludedDays } from './excluded-days.js';
import { leapFrom, leapUntil, type Outline, outlineOf } from './leap.js';

/**
 * A compiled trigger with its exclusion and its spread.
 *
 * @internal
 */
export interface DueSet extends CompiledTrigger {
  /** The trigger as it stands, before exclusion and spread. */
  readonly base: CompiledTrigger;
  /** Days that are left out, judged on the instant before the spread; `undefined` where there are none. */
  readonly exclusion: ExcludedDays | undefined;
  /** Milliseconds by which every instant is put off, from 0. */
  readonly offsetMs: number;
}

interface SpreadSet extends DueSet {
  readonly exclusion: undefined;
}

interface ThinnedSet extends DueSet {
  readonly exclusion: DayExclusion;
  /** Where the trigger may be due, so that days can be leapt over. */
  readonly outline: Outline;
}

/**
 * Whether a compiled trigger has an exclusion or a spread.
 *
 * @internal
 */
export function isDueSet(trigger: CompiledTrigger): trigger is DueSet {
  return 'offsetMs' in trigger;
}

/** The instants of `base`, each put off by `offsetMs`. @internal */
export function spreadSet(base: CompiledTrigger, offsetMs: number): DueSet {
  const set: SpreadSet = {
    ...nameOf(base),
    base,
    exclusion: undefined,
    offsetMs,
    next: spreadNext,
    previous: spreadPrevious,
    list: spreadList,
    count: spreadCount,
  };
  return set;
}

/** The instants of `base` that `exclusion` leaves, each put off by `offsetMs`. @internal */
export function thinnedSet(base: CompiledTrigger, exclusion: DayExclusion, offsetMs: number): DueSet {
  const set: ThinnedSet = {
    ...nameOf(base),
    base,
    exclusion,
    outline: outlineOf(base, exclusion),
    offsetMs,
    next: thinnedNext,
    previous: thinnedPrevious,
    list: listByNext,
    count: countByNext,
  };
  return set;
}

function nameOf({ kind, timezone }: CompiledTrigger): Pick<CompiledTrigger, 'kind' | 'timezone'> {
  return timezone === undefined ? { kind } : { kind, timezone };
}

function spreadNext(this: SpreadSet, after: number): EpochMs | undefined {
  return putOff(this.base.next(after - this.offsetMs), this.offsetMs);
}

function spreadPrevious(this: SpreadSet, before: number): EpochMs | undefined {
  return putOff(this.base.previous(Math.min(before, MAX_INSTANT + 1) - this.offsetMs), this.offsetMs);
}

function spreadList(this: SpreadSet, after: number, count: number): EpochMs[] {
  const { base, offsetMs } = this;
  const found = base.list(after - offsetMs, count);
  return found.map((at) => epochMs(at + offsetMs)).filter((at) => at <= MAX_INSTANT);
}

function spreadCount(this: SpreadSet, after: number, through: number, limit: number): number {
  const { base, offsetMs } = this;
  return base.count(after - offsetMs, Math.min(through, MAX_INSTANT) - offsetMs, limit);
}

function thinnedNext(this: ThinnedSet, after: number): EpochMs | undefined {
  const { base, exclusion, outline, offsetMs } = this;
  let at = base.next(after - offsetMs);
  while (at !== undefined) {
    const free = exclusion.freeFrom(at);
    if (free === at) break;
    at = free === Number.POSITIVE_INFINITY ? undefined : base.next(leapFrom(outline, exclusion, free) - 1);
  }
  return putOff(at, offsetMs);
}

function thinnedPrevious(this: ThinnedSet, before: number): EpochMs | undefined {
  const { base, exclusion, outline, offsetMs } = this;
  let at = base.previous(Math.min(before, MAX_INSTANT + 1) - offsetMs);
  while (at !== undefined) {
    const free = exclusion.freeUntil(at);
    if (free === at) break;
    at = free === Number.NEGATIVE_INFINITY ? undefined : base.previous(leapUntil(outline, exclusion, free) + 1);
  }
  return putOff(at, offsetMs);
}

/** An instant put off; `undefined` where there is none, or where it would lie after the year 9999. */
function putOff(at: number | undefined, offsetMs: number): EpochMs | undefined {
  return at === undefined || at + offsetMs > MAX_INSTANT ? undefined : epochMs(at + offsetMs);
}
