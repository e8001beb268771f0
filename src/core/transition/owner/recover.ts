/**
 * What a new owner and an accepted clock mean for a schedule (OW-2, OC-6, OC-11, CO-6).
 */
import type { Decision, DecisionContext, OwnerInput } from '../../model/input.js';
import type { AttemptRecord, Claim, Occurrence } from '../../model/occurrence.js';
import type { Quarantine, Schedule, ScheduleEntry, TakenSpan } from '../../model/schedule.js';
import { isOpen } from '../../policy/hold.js';
import { occurrencesLeft } from '../../policy/trigger-budget.js';
import { type EpochMs, epochMs } from '../../time/instant.js';
import type { CompiledTrigger } from '../../trigger/compile.js';
import { accept, clear, type Draft, draftOf, end, hold, optional, releaseHold, set } from '../draft.js';
import { recordedAhead } from '../recorded-ahead.js';
import { firstUntaken, inOrder, spanOf, takenBeyond } from '../taken-spans.js';
import { triggerOf } from '../trigger-of.js';

type Of<K extends OwnerInput['kind']> = Extract<OwnerInput, { kind: K }>;

/**
 * Marks every claim of an older epoch as interrupted; it is never run again (OW-2, OC-6). A handler of an older epoch
 * that still runs in this process keeps its schedule quarantined, or puts it there (OC-11, CT-15).
 *
 * @internal
 */
export function recover(context: DecisionContext, entry: ScheduleEntry, input: Of<'recover'>, now: EpochMs): Decision {
  const draft = draftOf(context, entry);
  const { quarantine } = entry.schedule;
  const isMarkOld = quarantine?.reason === 'unresponsive' && quarantine.epoch < input.epoch;
  const orphans = entry.pending.filter(({ claim }) => claim !== undefined && claim.epoch < input.epoch);
  if (!isMarkOld && orphans.length === 0) return { kind: 'unchanged' };
  if (isMarkOld) renewMark(draft, quarantine, input, now);
  for (const occurrence of orphans) {
    const { claim } = occurrence;
    if (claim === undefined) continue;
    const isRunningHere = input.stillRunning.includes(occurrence.id);
    const detail = `the handler of ${occurrence.id}, begun by an owner before, still runs in this process`;
    if (isRunningHere) markUnresponsive(draft, occurrence, { epoch: input.epoch, detail }, now);
    const isNotDispatched = !isRunningHere && input.notDispatched.includes(occurrence.id);
    const nativeState = isNotDispatched ? 'not-dispatched' : 'unknown';
    const attempts = [...occurrence.attempts, lostAttempt(claim, now)];
    end(draft, occurrence, { status: 'interrupted', reason: 'ownerDied', nativeState, attempts }, now);
  }
  return accept(draft, now);
}

/** The mark of an owner before: it goes on in this epoch while the handler runs in this process, and goes otherwise. */
function renewMark(draft: Draft, mark: Quarantine, input: Of<'recover'>, now: EpochMs): void {
  if (mark.occurrence !== undefined && input.stillRunning.includes(mark.occurrence)) {
    set(draft, { quarantine: { ...mark, epoch: input.epoch } });
    return;
  }
  clear(draft, 'quarantine');
  releaseHold(draft, 'quarantined', now);
}

/** Quarantines a schedule while the handler of one of its occurrences runs on (OC-11). @internal */
export function markUnresponsive(
  draft: Draft,
  { id, concurrencyKey }: Occurrence,
  { epoch, detail }: { readonly epoch: number; readonly detail: string },
  now: EpochMs,
): void {
  set(draft, {
    quarantine: { reason: 'unresponsive', since: now, epoch, detail, occurrence: id, concurrencyKey },
  });
  hold(draft, { cause: 'quarantined', from: now });
}

function lostAttempt(claim: Claim, now: EpochMs): AttemptRecord {
  const { attempt, epoch, claimedAt } = claim;
  return { attempt, epoch, fencingToken: 0, claimedAt, endedAt: now, outcome: 'interrupted', stages: [] };
}

/** An unresponsive handler has ended at last, whichever epoch it is of: its schedule goes on (OC-11, CT-15). @internal */
export function handlerEnded(
  context: DecisionContext,
  entry: ScheduleEntry,
  input: Of<'handlerEnded'>,
  now: EpochMs,
): Decision {
  const { quarantine } = entry.schedule;
  if (quarantine?.reason !== 'unresponsive' || quarantine.occurrence !== input.occurrence) return { kind: 'unchanged' };
  const draft = draftOf(context, entry);
  clear(draft, 'quarantine');
  releaseHold(draft, 'quarantined', now);
  return accept(draft, now);
}

/**
 * Follows an accepted clock: the first due instant at or after it that nothing accounts for, under whatever revision, becomes
 * `nextDue` (CO-6). Where the clock was behind, an earlier one that is still owed (by a pause, a backlog) stays it, so that
 * none is lost (CO-5).
 *
 * @internal
 */
export function acceptClock(
  context: DecisionContext,
  entry: ScheduleEntry,
  input: Of<'acceptClock'>,
  now: EpochMs,
): Decision {
  const { schedule } = entry;
  if (schedule.acceptedClockAt === input.acceptedAt) return { kind: 'unchanged' };
  const draft = draftOf(context, entry);
  set(draft, { acceptedClockAt: input.acceptedAt });
  const result = triggerOf(schedule.definition.declaration, context);
  if (isOpen(schedule) && result.ok && occurrencesLeft(schedule) > 0) {
    const found = [...input.taken, ...entry.pending.flatMap(spanOf), ...formerSpan(schedule, input.acceptedAt)];
    const isOwing = input.isClockBehind === true && (schedule.nextDue ?? input.acceptedAt) < input.acceptedAt;
    if (isOwing) leaveAlone(draft, result.value, found);
    else goOn(draft, result.value, found, context, input.acceptedAt);
  }
  return accept(draft, now);
}

/** What is owed from before stays owed; what is taken beyond it is passed over when it comes. */
function leaveAlone(draft: Draft, due: CompiledTrigger, found: readonly TakenSpan[]): void {
  const { taken = [], collectedThrough } = draft.schedule;
  clear(draft, 'collectNotBefore', 'taken');
  set(draft, takenBeyond(inOrder(due, [...taken, ...found]), collectedThrough));
}

/** Goes on with the first due instant at or after the accepted time that is free. */
function goOn(
  draft: Draft,
  due: CompiledTrigger,
  found: readonly TakenSpan[],
  context: DecisionContext,
  acceptedAt: EpochMs,
): void {
  const taken = inOrder(due, found);
  const nextDue = firstUntaken(due, taken, acceptedAt);
  clear(draft, 'nextDue', 'resume', 'collectNotBefore', 'isBacklogged', 'taken');
  const collectedThrough = nextDue === undefined ? draft.schedule.collectedThrough : epochMs(nextDue - 1);
  set(draft, { collectedThrough, ...optional('nextDue', nextDue), ...takenBeyond(taken, collectedThrough) });
  const silent = recordedAhead(draft.schedule, context, acceptedAt);
  if (silent !== undefined) draft.notices.push({ kind: 'recordedAhead', ...silent, ...optional('nextDue', nextDue) });
}

/** What a deleted schedule of this id accounted for: its history is gone, so nothing else speaks of it (CT-7). */
function formerSpan({ formerDueAt }: Schedule, from: EpochMs): readonly TakenSpan[] {
  return formerDueAt === undefined || formerDueAt < from ? [] : [{ from, until: formerDueAt }];
}
