/**
 * Settlement: what becomes of an attempt that ended (OC-4 to OC-7, OC-10, OC-11).
 *
 * A verified success is `succeeded`, whatever was asked meanwhile. Any other answer after a request to end goes as the
 * first request says. A failure by itself is retried while every budget allows it.
 */

import type { RetryBackoff } from '../../model/declaration.js';
import type { Decision, DecisionContext, Settlement } from '../../model/input.js';
import { cutText, LIMITS } from '../../model/limits.js';
import type { AttemptRecord, Claim, Fault, Occurrence } from '../../model/occurrence.js';
import type { FAULTS, ReasonCode } from '../../model/reason.js';
import type { ScheduleEntry } from '../../model/schedule.js';
import { backoffMs, refusedBy } from '../../policy/attempt-budget.js';
import { expiryOf } from '../../policy/hold.js';
import { type EpochMs, epochMs } from '../../time/instant.js';
import { accept, type Draft, draftOf, type Ending, end, optional, put } from '../draft.js';
import { markUnresponsive } from './recover.js';

const SECOND_MS = 1000;

/** Everything that the ends of an attempt need to know. */
interface Case {
  readonly draft: Draft;
  readonly occurrence: Occurrence;
  readonly claim: Claim;
  readonly input: Settlement;
  readonly now: EpochMs;
}

/** Settles the attempt of a claim; an answer to another claim is refused as stale (OC-11). @internal */
export function settle(context: DecisionContext, entry: ScheduleEntry, input: Settlement, now: EpochMs): Decision {
  const occurrence = entry.pending.find(({ id }) => id === input.occurrence);
  const claim = occurrence?.claim;
  if (occurrence === undefined || claim === undefined) return stale('it is not running');
  if (claim.epoch !== input.epoch || claim.attempt !== input.attempt) return stale('another claim took its place');
  const draft = draftOf(context, entry);
  const pinned = pinPlan(entry, occurrence, input);
  const settled: Case = { draft, occurrence: pinned, claim, input, now };
  switch (input.outcome.kind) {
    case 'unresponsive':
      return interrupt(settled, 'unresponsive', true);
    case 'attemptExists':
      return interrupt(settled, 'attemptExists', false);
    case 'succeeded':
      return input.outcome.verification.isVerified ? succeed(settled, input.outcome) : fail(settled, unverified());
    case 'failed':
      return fail(settled, { ...input.outcome.fault, message: cutText(input.outcome.fault.message) });
  }
}

function pinPlan(entry: ScheduleEntry, occurrence: Occurrence, input: Settlement): Occurrence {
  if (input.plan === undefined || occurrence.plan !== undefined) return occurrence;
  const { id, digest } = input.plan;
  const registered = entry.schedule.definition.plan;
  const isChanged = registered !== undefined && registered.digest !== digest;
  return { ...occurrence, plan: { id, digest }, ...(isChanged ? { isPlanChanged: true } : {}) };
}

function attemptRecord(settled: Case, outcome: AttemptRecord['outcome'], fault?: Fault): AttemptRecord {
  const { claim, input, now } = settled;
  return {
    attempt: claim.attempt,
    epoch: claim.epoch,
    fencingToken: input.fencingToken,
    claimedAt: claim.claimedAt,
    endedAt: now,
    outcome,
    ...optional('fault', fault),
    stages: input.stages,
    ...optional('taskId', input.taskId),
    ...optional('jobId', input.jobId),
  };
}

/** The attempts with one more; stages of the newest are kept, as many as a list may have, so that no record outgrows a commit. */
function withAttempt(attempts: readonly AttemptRecord[], attempt: AttemptRecord): readonly AttemptRecord[] {
  let room: number = LIMITS.listLength.max;
  const bounded = [attempt, ...attempts.toReversed()].map((one) => {
    room -= one.stages.length;
    return room < 0 ? { ...one, stages: [] } : one;
  });
  return bounded.reverse();
}

function endAs(settled: Case, ending: Ending, attempt: AttemptRecord): Decision {
  const { draft, occurrence, now } = settled;
  end(draft, occurrence, { ...ending, attempts: withAttempt(occurrence.attempts, attempt) }, now);
  return accept(draft, now, { occurrence: occurrence.id });
}

function succeed(settled: Case, outcome: Extract<Settlement['outcome'], { kind: 'succeeded' }>): Decision {
  const { verification, result } = outcome;
  const ending: Ending = { status: 'succeeded', verification, ...optional('result', result) };
  return endAs(settled, ending, attemptRecord(settled, 'succeeded'));
}

/** The handler may still run, or may have run before: it is never run again. */
function interrupt(settled: Case, reason: ReasonCode, isStillRunning: boolean): Decision {
  const { draft, occurrence, claim, now } = settled;
  if (isStillRunning) {
    const detail = `the handler of ${occurrence.id} did not end within the drain limit`;
    markUnresponsive(draft, occurrence, { epoch: claim.epoch, detail }, now);
  }
  const ending: Ending = { status: 'interrupted', reason, nativeState: 'unknown' };
  return endAs(settled, ending, attemptRecord(settled, 'interrupted'));
}

function fail(settled: Case, fault: Fault): Decision {
  const { input, occurrence } = settled;
  const attempt = attemptRecord(settled, 'failed', fault);
  if (input.abort === 'stop') {
    return stopped(settled, { ...attempt, outcome: 'interrupted' });
  }
  const isCancelled = input.abort === 'cancel' || (input.abort === undefined && occurrence.endRequest !== undefined);
  if (isCancelled) {
    const reason = occurrence.endRequest?.reason ?? 'cancelled';
    return endAs(settled, { status: 'cancelled', reason }, { ...attempt, outcome: 'cancelled' });
  }
  return retryOrFail(settled, attempt);
}

/** Faults with which an attempt ends before its handler could be called. */
const BEFORE_DISPATCH: ReadonlySet<string> = new Set<keyof typeof FAULTS>([
  'planFailed',
  'providerDenied',
  'evidenceUnavailable',
  'notDispatched',
]);

/** What a stop interrupts; this owner knows whether it called the handler for this attempt (OC-8). */
function stopped(settled: Case, attempt: AttemptRecord): Decision {
  const { fault, stages } = attempt;
  const isUntouched = fault !== undefined && BEFORE_DISPATCH.has(fault.code) && stages.length === 0;
  const nativeState = isUntouched ? 'not-dispatched' : 'unknown';
  return endAs(settled, { status: 'interrupted', reason: 'ownerStopped', nativeState }, attempt);
}

function retryOrFail(settled: Case, attempt: AttemptRecord): Decision {
  const { draft, occurrence, input, now } = settled;
  const attempts = withAttempt(occurrence.attempts, attempt);
  const verification = input.outcome.kind === 'succeeded' ? input.outcome.verification : undefined;
  const failed = (reason: ReasonCode): Decision =>
    endAs(settled, { status: 'failed', reason, ...optional('verification', verification) }, attempt);
  const refusal = whyNotRetried(settled, attempts);
  if (refusal !== undefined) return failed(refusal);
  const { retryBackoff } = draft.schedule.definition.declaration;
  if (retryBackoff !== undefined) return wait(settled, retryBackoff, attempts, failed);
  if (input.isStopping) return stopped(settled, attempt);
  const { claim } = settled;
  put(draft, { ...occurrence, attempts, claim: { ...claim, attempt: claim.attempt + 1, claimedAt: now } });
  return accept(draft, now, { occurrence: occurrence.id, isClaimedAgain: true });
}

/** The first thing that stands against another attempt (OC-5). */
function whyNotRetried(settled: Case, attempts: readonly AttemptRecord[]): ReasonCode | undefined {
  const { draft, occurrence, input, now } = settled;
  const { schedule } = draft;
  if (input.abort === 'elapsed') return 'elapsedBudget';
  if (occurrence.endRequest !== undefined) return occurrence.endRequest.reason;
  if (occurrence.revision !== schedule.revision) return 'superseded';
  const expiry = expiryOf(schedule);
  if (expiry !== undefined && now >= expiry) return 'expired';
  return refusedBy(schedule.definition.declaration, attempts, input.elapsedMs);
}

/** OC-5 with `retryBackoff`: the retry waits, unless it would start after the elapsed budget or the expiry. */
function wait(
  settled: Case,
  retryBackoff: RetryBackoff,
  attempts: readonly AttemptRecord[],
  failed: (reason: ReasonCode) => Decision,
): Decision {
  const { draft, occurrence, input, now } = settled;
  const { budget } = draft.schedule.definition.declaration;
  const waitMs = backoffMs(retryBackoff, attempts.length, occurrence.id);
  if (input.elapsedMs + waitMs > budget.maxElapsedSeconds * SECOND_MS) return failed('elapsedBudget');
  const expiry = expiryOf(draft.schedule);
  if (expiry !== undefined && now + waitMs >= expiry) return failed('expired');
  const { claim: _claim, ...rest } = occurrence;
  put(draft, { ...rest, status: 'retrying', attempts, retryAt: epochMs(now + waitMs) });
  return accept(draft, now, { occurrence: occurrence.id });
}

function unverified(): Fault {
  return { code: 'publicationUnverified', message: 'the execution service could not verify what was published' };
}

function stale(found: string): Decision {
  return { kind: 'refused', refusal: { code: 'stale', found } };
}
