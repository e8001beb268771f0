/**
 * Run now: a manual occurrence, which spends no trigger budget and is never made twice (CT-8, CT-14, OC-1).
 */
import { concurrencyKeyOf } from '../../model/declaration.js';
import type { Control, Decision, DecisionContext } from '../../model/input.js';
import { manualOccurrenceId, type Occurrence } from '../../model/occurrence.js';
import type { ScheduleEntry } from '../../model/schedule.js';
import { isHeld } from '../../policy/hold.js';
import { admission } from '../../policy/overlap.js';
import type { EpochMs } from '../../time/instant.js';
import { accept, draftOf, optional, record, set } from '../draft.js';

type Trigger = Extract<Control, { kind: 'trigger' }>;

/** The occurrence that a request id of this revision made already, looked at before anything else (OC-1). @internal */
export function existingManual(entry: ScheduleEntry, input: Trigger): string | undefined {
  const { schedule, pending } = entry;
  const id = manualOccurrenceId(schedule.id, schedule.revision, input.requestId);
  const folded = id.toLowerCase();
  const waiting = pending.find((occurrence) => occurrence.id.toLowerCase() === folded);
  if (waiting !== undefined) return waiting.id;
  const kept = schedule.requests.find((request) => request.toLowerCase() === input.requestId.toLowerCase());
  return kept === undefined ? undefined : manualOccurrenceId(schedule.id, schedule.revision, kept);
}

/** Admits one occurrence now, following the overlap policy (CT-8). @internal */
export function trigger(context: DecisionContext, entry: ScheduleEntry, input: Trigger, now: EpochMs): Decision {
  const { schedule } = entry;
  const { declaration } = schedule.definition;
  const draft = draftOf(entry);
  set(draft, { version: schedule.version + 1 });
  if (input.isRequestKept) set(draft, { requests: [...schedule.requests, input.requestId] });
  const occurrence: Occurrence = {
    id: manualOccurrenceId(schedule.id, schedule.revision, input.requestId),
    scheduleId: schedule.id,
    revision: schedule.revision,
    origin: 'manual',
    dueAt: now,
    admittedAt: now,
    concurrencyKey: concurrencyKeyOf(declaration),
    status: 'queued',
    ...optional('replaces', input.replaces),
    attempts: [],
  };
  const inTheWay = entry.pending.filter((other) => !isHeld(schedule, other, context.gate));
  const verdict = admission(declaration.overlap, inTheWay, context.keyPending);
  if (verdict.kind === 'refuse') {
    record(draft, { ...occurrence, behind: verdict.behind }, { status: 'skipped', reason: verdict.reason }, now);
    return accept(draft, now, { occurrence: occurrence.id, admitted: 'skipped' });
  }
  draft.pending.push(occurrence);
  return accept(draft, now, { occurrence: occurrence.id, admitted: 'queued' });
}
