/**
 * Run now: a manual occurrence, which spends no trigger budget and is never made twice (CT-8, CT-14, OC-1).
 */
import { concurrencyKeyOf } from '../../model/declaration.js';
import type { Control, Decision, DecisionContext } from '../../model/input.js';
import { LIMITS } from '../../model/limits.js';
import { manualOccurrenceId, type Occurrence } from '../../model/occurrence.js';
import type { ScheduleEntry } from '../../model/schedule.js';
import { isHeld } from '../../policy/hold.js';
import { admission } from '../../policy/overlap.js';
import type { EpochMs } from '../../time/instant.js';
import { accept, draftOf, optional, record, set } from '../draft.js';

type Trigger = Extract<Control, { kind: 'trigger' }>;

/**
 * The occurrence that a request id of this revision made already, looked at before anything else (OC-1). Kept ids are the
 * caller's to look up, since they outlive every record; those that the client made are found while they are pending.
 *
 * @internal
 */
export function existingManual(
  { existing }: DecisionContext,
  { schedule, pending }: ScheduleEntry,
  { requestId }: Trigger,
): string | undefined {
  if (existing !== undefined) return existing;
  const folded = manualOccurrenceId(schedule.id, schedule.revision, requestId).toLowerCase();
  return pending.find(({ id }) => id.length === folded.length && id.toLowerCase() === folded)?.id;
}

/** Admits one occurrence now, following the overlap policy (CT-8). @internal */
export function trigger(context: DecisionContext, entry: ScheduleEntry, input: Trigger, now: EpochMs): Decision {
  const { schedule } = entry;
  const { declaration } = schedule.definition;
  const { max } = LIMITS.pendingPerSchedule;
  if (entry.pending.length >= max) return { kind: 'refused', refusal: { code: 'queueFull', max } };
  const draft = draftOf(context, entry);
  set(draft, { version: schedule.version + 1 });
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
    ...(input.isRequestKept ? { isRequestKept: true } : {}),
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
