/**
 * From an accepted decision to the rows that a commit writes, and how big they are.
 *
 * Only what changed is written, found by reference: a decision shares with the former state whatever it left alone.
 */
import type { CatalogueRow } from '../../core/model/catalogue.js';
import type { Accepted } from '../../core/model/input.js';
import type { Occurrence } from '../../core/model/occurrence.js';
import type { ScheduleEntry } from '../../core/model/schedule.js';
import type { EpochMs } from '../../core/time/instant.js';
import type { ScheduleEvent } from '../../ports/observer.js';
import type { CommitBatch, RowChange } from '../../ports/schedule-store.js';

/** Rows that take the catalogue from `before` to what was accepted. @internal */
export function rowChanges(before: ScheduleEntry | undefined, accepted: Accepted): readonly RowChange[] {
  const changes: RowChange[] = [];
  if (accepted.entry === undefined) {
    // A schedule is removed without pending work: what an expiry has ended is recorded as ended first.
    for (const occurrence of accepted.ended) changes.push({ kind: 'occurrence', occurrence });
    if (accepted.mark !== undefined) changes.push({ kind: 'remove', mark: accepted.mark });
    return changes;
  }
  const { schedule, pending } = accepted.entry;
  if (schedule !== before?.schedule) {
    const isDefinitionChanged = schedule.definition !== before?.schedule.definition;
    changes.push({ kind: 'schedule', schedule, isDefinitionChanged });
  }
  const former = before?.pending ?? [];
  // A list is as quick as a set while it is short, and it mostly is.
  const known = former.length > SHORT ? new Set(former) : undefined;
  for (const occurrence of pending) {
    const isKnown = known === undefined ? former.includes(occurrence) : known.has(occurrence);
    if (!isKnown) changes.push({ kind: 'occurrence', occurrence });
  }
  for (const occurrence of accepted.ended) changes.push({ kind: 'occurrence', occurrence });
  if (accepted.verdict !== undefined) {
    changes.push({ kind: 'verdict', scheduleId: schedule.id, ...accepted.verdict });
  }
  return changes;
}

const SHORT = 8;

/** Events that follow from a change of the catalogue's own row. @internal */
export function rowEvents(before: CatalogueRow, after: CatalogueRow, at: EpochMs): readonly ScheduleEvent[] {
  const events: ScheduleEvent[] = [];
  const { gate, clockStop } = after;
  if (gate.isPaused !== before.gate.isPaused) {
    const note = gate.note === undefined ? {} : { note: gate.note };
    events.push({ type: 'gate', at, isPaused: gate.isPaused, by: gate.by ?? '', ...note });
  }
  if (clockStop !== undefined && clockStop.reason !== before.clockStop?.reason) {
    events.push({ type: 'owner', at, change: clockStop.reason, detail: clockStop.detail });
  }
  if (after.acceptedClockAt !== before.acceptedClockAt) {
    events.push({ type: 'owner', at, change: 'clockAccepted', detail: 'an operator accepted the clock' });
  }
  return events;
}

/** Bytes of a schedule row without its definition, and of an occurrence or attempt without what its author chose; rounded up. */
const ROW_BYTES = 900;
const ATTEMPT_BYTES = 300;

/** About how many bytes a batch with these parts takes; errs on the high side for common rows. @internal */
export function estimateBytes(changes: readonly RowChange[], documents: CommitBatch['documents']): number {
  let bytes = 0;
  for (const change of changes) bytes += ROW_BYTES + bytesBeyond(change);
  for (const { document } of documents) bytes += JSON.stringify(document).length;
  return bytes;
}

function bytesBeyond(change: RowChange): number {
  if (change.kind === 'schedule') {
    return change.isDefinitionChanged ? JSON.stringify(change.schedule.definition).length : 0;
  }
  return change.kind === 'occurrence' ? occurrenceBytes(change.occurrence) : 0;
}

function occurrenceBytes(occurrence: Occurrence): number {
  let bytes = occurrence.result === undefined ? 0 : JSON.stringify(occurrence.result).length;
  for (const attempt of occurrence.attempts) {
    bytes += ATTEMPT_BYTES + attempt.stages.length * 120 + (attempt.fault?.message.length ?? 0);
  }
  return bytes;
}
