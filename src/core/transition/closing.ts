/**
 * What ends a revision or its pending work: the closing record, withdrawal, expiry (CO-5, EX-1, CT-3, CT-6).
 *
 * A due instant that has passed is never forgotten: what ends a revision records those that nobody collected, as one
 * closing record outside of the trigger budget.
 */

import { concurrencyKeyOf } from '../model/declaration.js';
import type { DecisionContext } from '../model/input.js';
import type { OccurrenceStatus } from '../model/occurrence.js';
import { type Occurrence, occurrenceId } from '../model/occurrence.js';
import type { ReasonCode } from '../model/reason.js';
import type { HeldSpan, TakenSpan } from '../model/schedule.js';
import { expiryOf, isOpen } from '../policy/hold.js';
import { dueWindow } from '../policy/lateness.js';
import { type EpochMs, epochMs } from '../time/instant.js';
import type { CompiledTrigger } from '../trigger/compile.js';
import { clear, type Draft, record, set } from './draft.js';
import { withSourcesFollowed } from './due-basis.js';
import { triggerOf } from './trigger-of.js';

/** A fresh occurrence of the trigger, not pending and not ended yet. @internal */
export function newOccurrence(draft: Draft, dueAt: EpochMs, now: EpochMs): Occurrence {
  const { id, revision, definition } = draft.schedule;
  return {
    id: occurrenceId(id, revision, dueAt),
    scheduleId: id,
    revision,
    origin: 'trigger',
    dueAt,
    admittedAt: now,
    concurrencyKey: concurrencyKeyOf(definition.declaration),
    status: 'queued',
    attempts: [],
  };
}

/**
 * Records the elapsed instants that nobody collected as one closing record, and ends the collection of this revision (CO-5). The
 * next revision may be due at this very moment: `before` is its first due instant, which is its own to record.
 *
 * @internal
 */
export function closeCollection(
  draft: Draft,
  context: DecisionContext,
  reason: ReasonCode,
  now: EpochMs,
  spans: readonly HeldSpan[] = [],
  before: EpochMs | undefined = undefined,
): void {
  const { schedule } = draft;
  const { taken = [] } = schedule;
  const { nextDue } = withSourcesFollowed(schedule, context);
  clear(draft, 'nextDue', 'resume', 'collectNotBefore', 'isBacklogged');
  const result = triggerOf(schedule.definition.declaration, context);
  if (!result.ok || nextDue === undefined) return;
  const until = Math.min(now + 1, expiryOf(schedule) ?? Number.POSITIVE_INFINITY, before ?? Number.POSITIVE_INFINITY);
  const ahead = taken.filter((span) => span.until >= nextDue);
  for (const { from, until: lastAt } of freeRuns(result.value, nextDue, until, ahead)) {
    recordClosing(draft, result.value, from, lastAt, reason, now, spans);
  }
}

/** Runs of due instants from `nextDue` to before `until` that no taken span parts: one, but after an accepted clock (CO-6). */
function freeRuns(
  trigger: CompiledTrigger,
  nextDue: EpochMs,
  until: number,
  taken: readonly TakenSpan[],
): readonly TakenSpan[] {
  const runs: TakenSpan[] = [];
  let from: EpochMs | undefined = nextDue;
  for (const bound of [...taken.map((span) => span.from), Number.POSITIVE_INFINITY]) {
    const end = Math.min(bound, until);
    const last = from === undefined || from >= end ? undefined : trigger.previous(end);
    if (from !== undefined && last !== undefined && last >= from) runs.push({ from, until: last });
    const span = taken.find((one) => one.from === bound);
    if (span === undefined || bound >= until) return runs;
    from = trigger.next(span.until);
  }
  return runs;
}

function recordClosing(
  draft: Draft,
  trigger: CompiledTrigger,
  firstAt: EpochMs,
  lastAt: EpochMs,
  reason: ReasonCode,
  now: EpochMs,
  spans: readonly HeldSpan[],
): void {
  const window = dueWindow(trigger, firstAt, lastAt, [...draft.schedule.held, ...spans]);
  const closing = { ...newOccurrence(draft, lastAt, now), window, isClosing: true } as const;
  record(draft, closing, { status: 'skipped', reason }, now);
  set(draft, { collectedThrough: epochMs(Math.max(draft.schedule.collectedThrough, lastAt)) });
}

/** Ends queued and waiting work; what runs goes on (EX-1, CT-3, CT-6). @internal */
export function endWaiting(
  draft: Draft,
  endings: { readonly queued: OccurrenceStatus; readonly retrying: OccurrenceStatus; readonly reason: ReasonCode },
  now: EpochMs,
): void {
  const waiting = draft.pending.filter(({ status }) => status !== 'running');
  draft.pending = draft.pending.filter(({ status }) => status === 'running');
  for (const occurrence of waiting) {
    const status = occurrence.status === 'queued' ? endings.queued : endings.retrying;
    record(draft, occurrence, { status, reason: endings.reason }, now);
  }
}

/** What is to be recorded at and after `expiresAt`: ends waiting work, closes the revision, marks an active or paused schedule (EX-1). @internal */
export function expire(draft: Draft, context: DecisionContext, now: EpochMs, spans: readonly HeldSpan[]): boolean {
  const { schedule, pending } = draft;
  const isActive = isOpen(schedule);
  if (!isActive && !pending.some(({ status }) => status === 'queued' || status === 'retrying')) return false;
  endWaiting(draft, { queued: 'skipped', retrying: 'failed', reason: 'expired' }, now);
  if (!isActive) return true;
  closeCollection(draft, context, 'expired', now, spans);
  set(draft, { status: 'expired', statusNote: { reason: 'expired', by: 'owner', at: now } });
  return true;
}
