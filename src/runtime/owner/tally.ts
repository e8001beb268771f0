/**
 * Counting what a tick did, from the decisions that were committed (OW-6).
 */
import type { Decision } from '../../core/model/input.js';
import type { OccurrenceStatus } from '../../core/model/occurrence.js';
import type { ScheduleEntry } from '../../core/model/schedule.js';
import type { TickSummary } from './owner-parts.js';

type Counts = Omit<TickSummary, 'remaining' | 'nextWakeAt'>;

/** See the head of this file. @internal */
export class Tally {
  readonly #ended: Record<OccurrenceStatus, number> = {
    queued: 0,
    running: 0,
    retrying: 0,
    succeeded: 0,
    failed: 0,
    cancelled: 0,
    interrupted: 0,
    skipped: 0,
  };
  #collected = 0;
  #claimed = 0;

  /** Counts what a committed decision ended. */
  ended(decision: Decision): void {
    if (decision.kind !== 'accepted') return;
    for (const { status } of decision.ended) this.#ended[status] += 1;
  }

  /** Counts what a tick of one schedule recorded, given the schedule before it. */
  collected(before: ScheduleEntry, decision: Decision): void {
    if (decision.kind !== 'accepted') return;
    const known = new Set(before.pending.map(({ id }) => id));
    const recorded = [...(decision.entry?.pending ?? []), ...decision.ended];
    this.#collected += recorded.filter(({ id }) => !known.has(id)).length;
    this.ended(decision);
  }

  /** Counts a claim. */
  claimed(): void {
    this.#claimed += 1;
  }

  /** Everything counted so far. */
  get counts(): Counts {
    const { succeeded, failed, cancelled, interrupted, skipped } = this.#ended;
    return { collected: this.#collected, claimed: this.#claimed, succeeded, failed, cancelled, interrupted, skipped };
  }
}
