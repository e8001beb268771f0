/**
 * Events, derived from the difference of two states: what happened cannot be forgotten by whoever made it happen (OW-7).
 */
import type { Accepted, Notice } from '../model/input.js';
import type { Occurrence, OccurrenceStatus, Verdict } from '../model/occurrence.js';
import type { Schedule, ScheduleEntry, ScheduleStatus } from '../model/schedule.js';
import { latenessMs } from '../policy/lateness.js';
import type { EpochMs } from '../time/instant.js';
import { optional } from './draft.js';

/** A transition of a schedule or an occurrence, or a notice beside it. @public */
export type TransitionEvent =
  | {
      readonly type: 'schedule';
      /** When it was decided. */
      readonly at: EpochMs;
      /** Which schedule. */
      readonly scheduleId: string;
      /** What changed. */
      readonly change: 'created' | 'updated' | 'status' | 'deleted' | 'quarantined' | 'released' | 'resolved';
      /** The status before. */
      readonly from?: ScheduleStatus;
      /** The status after. */
      readonly to?: ScheduleStatus;
      /** The schedule after; absent once deleted. */
      readonly schedule?: Schedule;
      /** For `resolved`: an operator's word on an interrupted occurrence (CT-16). */
      readonly resolved?: { readonly occurrence: string; readonly verdict: Verdict };
    }
  | {
      readonly type: 'occurrence';
      /** When it was decided. */
      readonly at: EpochMs;
      /** Which schedule. */
      readonly scheduleId: string;
      /** The status before; absent for a new record. */
      readonly from?: OccurrenceStatus;
      /** The status after. */
      readonly to: OccurrenceStatus;
      /** The record after. */
      readonly occurrence: Occurrence;
      /** When it starts: milliseconds between due instant and first claim. */
      readonly latenessMs?: number;
    }
  | {
      readonly type: 'notice';
      /** When it was decided. */
      readonly at: EpochMs;
      /** Which schedule. */
      readonly scheduleId: string;
      /** What is worth telling. */
      readonly notice: Notice;
    };

/** Every event of an accepted decision: the schedule's own changes, then its occurrences, then notices. @public */
export function announce(
  before: ScheduleEntry | undefined,
  accepted: Accepted,
  at: EpochMs,
): readonly TransitionEvent[] {
  const { entry, mark, ended, notices } = accepted;
  const scheduleId = entry?.schedule.id ?? mark?.id ?? '';
  const events: TransitionEvent[] = [];
  if (entry === undefined) events.push({ type: 'schedule', at, scheduleId, change: 'deleted' });
  else events.push(...scheduleEvents(before?.schedule, entry.schedule, at));
  const known = new Map((before?.pending ?? []).map((occurrence) => [occurrence.id, occurrence]));
  for (const occurrence of [...ended, ...(entry?.pending ?? [])]) {
    const event = occurrenceEvent(known.get(occurrence.id), occurrence, entry?.schedule, at);
    if (event !== undefined) events.push(event);
  }
  if (entry !== undefined && accepted.verdict !== undefined) {
    const { schedule } = entry;
    events.push({ type: 'schedule', at, scheduleId, change: 'resolved', schedule, resolved: accepted.verdict });
  }
  for (const notice of notices) events.push({ type: 'notice', at, scheduleId, notice });
  return events;
}

function scheduleEvents(before: Schedule | undefined, after: Schedule, at: EpochMs): TransitionEvent[] {
  const event = { type: 'schedule', at, scheduleId: after.id, schedule: after } as const;
  if (before === undefined) return [{ ...event, change: 'created', to: after.status }];
  const events: TransitionEvent[] = [];
  if (before.definition !== after.definition) events.push({ ...event, change: 'updated', to: after.status });
  if (before.status !== after.status) {
    events.push({ ...event, change: 'status', from: before.status, to: after.status });
  }
  if (before.quarantine === undefined && after.quarantine !== undefined)
    events.push({ ...event, change: 'quarantined' });
  if (before.quarantine !== undefined && after.quarantine === undefined) events.push({ ...event, change: 'released' });
  return events;
}

function occurrenceEvent(
  before: Occurrence | undefined,
  after: Occurrence,
  schedule: Schedule | undefined,
  at: EpochMs,
): TransitionEvent | undefined {
  const isNewAttempt = before?.claim?.attempt !== after.claim?.attempt;
  if (before?.status === after.status && !isNewAttempt) return undefined;
  const isStart = after.status === 'running' && schedule !== undefined;
  return {
    type: 'occurrence',
    at,
    scheduleId: after.scheduleId,
    ...optional('from', before?.status),
    to: after.status,
    occurrence: after,
    ...optional('latenessMs', isStart ? latenessMs(schedule, after.dueAt, at) : undefined),
  };
}
