/**
 * The instants that a trigger names and that are left out, with the reason of each (DE-12).
 */

import { type EpochMs, epochMs } from '../../time/instant.js';
import type { DueSet } from '../due/due-set.js';
import type { ExclusionReason } from '../due/excluded-days.js';
import { type PreviewInstant, shownInstant } from './shown-instant.js';
import { MOST_LISTED } from './skipped.js';

/**
 * An instant that the trigger names and that is left out: it is shown as it was before any spread.
 *
 * @public
 */
export interface ExcludedInstant extends PreviewInstant {
  /** The date, the weekday or the calendar that leaves it out. */
  readonly reason: ExclusionReason;
}

/** What is left out of the due instants from `from` through `through`, one more than may be listed where there is more. @internal */
export function excludedInstants(
  { base, exclusion, offsetMs }: DueSet,
  from: number,
  through: number,
): ExcludedInstant[] {
  const excluded: ExcludedInstant[] = [];
  if (exclusion === undefined) return excluded;
  let at: EpochMs | undefined = epochMs(from - offsetMs - 1);
  while (excluded.length <= MOST_LISTED) {
    at = base.next(at);
    if (at === undefined || at + offsetMs > through) break;
    const reason = exclusion.whyExcluded(at);
    if (reason !== undefined) excluded.push({ ...shownInstant(base, at), reason });
  }
  return excluded;
}
