/**
 * Due instants that lie ahead and are accounted for already, from a time when the clock was ahead (CO-6).
 *
 * None of them runs, as the rule says, so a schedule may be silent for years. Nobody can see that from a next due instant
 * alone: this names the span, for the event of an accepted clock and for the mark of a schedule.
 */
import type { Schedule, TakenSpan } from '../model/schedule.js';
import { isOpen } from '../policy/hold.js';
import type { EpochMs } from '../time/instant.js';
import { type DueSources, triggerOf } from './trigger-of.js';

/** How much two clocks may differ without a word, as for a clock that is behind. */
const TOLERANCE_MS = 60_000;

/**
 * The first and the last due instant after `now` that are accounted for already, and that nothing runs for any more; undefined where
 * there is none.
 *
 * @internal
 */
export function recordedAhead(schedule: Schedule, sources: DueSources, now: EpochMs): TakenSpan | undefined {
  const { collectedThrough, definition } = schedule;
  if (collectedThrough - now <= TOLERANCE_MS || !isOpen(schedule)) return undefined;
  const due = triggerOf(definition.declaration, sources);
  if (!due.ok) return undefined;
  const from = due.value.next(now);
  const until = due.value.previous(collectedThrough + 1);
  return from === undefined || until === undefined || until < from ? undefined : { from, until };
}
