/**
 * What a trigger will do, for a person: its next due instants with local time and offset, and what its clock leaves out.
 *
 * Preview asks the same compiled trigger that runs the schedule, and changes nothing (TR-11).
 */

import type { EpochMs } from '../../time/instant.js';
import { isAnyOf } from '../any-of-trigger.js';
import type { CompiledTrigger } from '../compiled-trigger.js';
import { isDueSet } from '../due/due-set.js';
import type { ExcludedDays } from '../due/excluded-days.js';
import { isWallTrigger } from '../wall-trigger.js';
import { type ExcludedInstant, excludedInstants } from './excluded.js';
import { type PreviewInstant, shownInstant } from './shown-instant.js';
import { MOST_LISTED, type SkippedWallTime, skippedWallTimes } from './skipped.js';

/**
 * Due instants, and what is left out among them: wall times that the clock skips, and instants that are excluded.
 *
 * @public
 */
export interface TriggerPreview {
  /** Due instants of the range, earliest first. */
  readonly instants: readonly PreviewInstant[];
  /** Wall times of the range that the clock jumped over, but on days that are left out, earliest first; the first 100 where there are more. */
  readonly skipped: readonly SkippedWallTime[];
  /** Whether more wall times were skipped than are listed. */
  readonly isSkippedCut: boolean;
  /** Instants of the range that the trigger names and that are left out (DE-12), earliest first; the first 100 where there are more. */
  readonly excluded: readonly ExcludedInstant[];
  /** Whether more instants were left out than are listed. */
  readonly isExcludedCut: boolean;
}

/**
 * What to show: at most `count` instants from `from` to `until`, both inclusive, in milliseconds.
 *
 * @public
 */
export interface PreviewRange {
  /** The earliest instant that may be shown, inclusive. */
  readonly from: EpochMs;
  /** Most instants that are shown, a whole number of at least 1. */
  readonly count: number;
  /** The latest instant that may be shown, inclusive; absent: the end of the trigger. */
  readonly until?: EpochMs;
}

/**
 * The due instants of a trigger in a range, and what is left out up to the last one shown, or up to the end of the range
 * where it holds no more (TR-11).
 *
 * @public
 */
export function previewTrigger(compiled: CompiledTrigger, range: PreviewRange): TriggerPreview {
  const { from, count, until = Number.POSITIVE_INFINITY } = range;
  const due = compiled.list(from - 1, count).filter((at) => at <= until);
  const through = due.length === count ? (due.at(-1) ?? from) : until;
  const skipped = skippedBy(compiled, from, through);
  const excluded = isDueSet(compiled) ? excludedInstants(compiled, from, through) : [];
  return {
    instants: due.map((at) => shownInstant(compiled, at)),
    skipped: skipped.slice(0, MOST_LISTED),
    isSkippedCut: skipped.length > MOST_LISTED,
    excluded: excluded.slice(0, MOST_LISTED),
    isExcludedCut: excluded.length > MOST_LISTED,
  };
}

/** What the clocks of a trigger skip, each wall time of a zone once, at least one more than may be listed where there is more. */
function skippedBy(
  compiled: CompiledTrigger,
  from: number,
  through: number,
  exclusion?: ExcludedDays,
): readonly SkippedWallTime[] {
  if (isWallTrigger(compiled)) return skippedWallTimes(compiled, from, through, exclusion);
  if (isDueSet(compiled)) {
    const { base, offsetMs } = compiled;
    return skippedBy(base, from - offsetMs, through - offsetMs, compiled.exclusion);
  }
  if (!isAnyOf(compiled)) return [];
  const all = compiled.of.flatMap((member) => skippedBy(member, from, through, exclusion));
  const known = new Map(all.map((one) => [`${one.date}T${one.time} ${one.timezone}`, one]));
  return [...known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}
