/**
 * The stored shape of an occurrence and of what stands in it: claims, attempts, faults, stages, verdicts.
 */
import type {
  AttemptRecord,
  Claim,
  DueWindow,
  EndRequest,
  Fault,
  Occurrence,
  PlanReference,
  PublicationReceipt,
  StageRecord,
  Verdict,
  Verification,
} from '../../core/model/occurrence.js';
import { isTerminal, manualOccurrenceId, OCCURRENCE_TRANSITIONS } from '../../core/model/occurrence.js';
import { type MissedCause, REASONS } from '../../core/model/reason.js';
import { always, amount, asIs, count, instant, listOf, oneOf, record, related, text, truth } from './row-shape.js';

/** Reason codes. @internal */
export const reasonCode = oneOf(REASONS);

/** Statuses of an occurrence. @internal */
export const occurrenceStatus = oneOf(OCCURRENCE_TRANSITIONS);

/** Causes of a missed window. @internal */
export const missedCause = oneOf<MissedCause>({
  ownerDown: 1,
  paused: 1,
  gate: 1,
  backlog: 1,
  clockStep: 1,
  quarantined: 1,
});

/** A plan by name. @internal */
export const planReference = record<PlanReference>({ id: text, digest: text }, {});

/** An operator's word. @internal */
export const verdict = record<Verdict>(
  { verdict: oneOf({ done: 1, notDone: 1, unknown: 1 }), note: text, by: text, at: instant },
  {},
);

const fault = record<Fault>({ code: text, message: text }, { provider: text, stage: text, isRetryable: truth });

const stage = record<StageRecord>(
  {
    name: text,
    startedAt: instant,
    durationMs: amount,
    outcome: oneOf({ succeeded: 1, failed: 1, timedOut: 1, aborted: 1 }),
  },
  {},
);

const attempt = record<AttemptRecord>(
  {
    attempt: count,
    epoch: count,
    fencingToken: count,
    claimedAt: instant,
    endedAt: instant,
    outcome: oneOf({ succeeded: 1, failed: 1, cancelled: 1, interrupted: 1 }),
    stages: listOf(stage),
  },
  { fault, taskId: text, jobId: text },
);

const claim = record<Claim>({ attempt: count, epoch: count, claimedAt: instant, hasWorkspace: truth }, {});

const endRequest = record<EndRequest>({ kind: oneOf({ cancel: 1 }), by: text, at: instant, reason: reasonCode }, {});

const dueWindow = record<DueWindow>(
  { firstAt: instant, lastAt: instant, count, isFloor: truth, causes: listOf(missedCause) },
  {},
);

const receipt = record<PublicationReceipt>({ name: text, digest: text, bytes: amount }, {});

const verification = record<Verification>({ isVerified: truth, receipts: listOf(receipt) }, { digest: text });

/** One occurrence, pending or ended; its status must agree with what it carries. @internal */
export const occurrence = related(
  record<Occurrence>(
    {
      id: text,
      scheduleId: text,
      revision: count,
      origin: oneOf({ trigger: 1, manual: 1 }),
      dueAt: instant,
      admittedAt: instant,
      concurrencyKey: text,
      status: occurrenceStatus,
      attempts: listOf(attempt),
    },
    {
      reason: reasonCode,
      behind: text,
      window: dueWindow,
      isClosing: always,
      replaces: text,
      isRequestKept: always,
      claim,
      firstClaimedAt: instant,
      retryAt: instant,
      endRequest,
      plan: planReference,
      isPlanChanged: truth,
      verification,
      result: asIs(),
      nativeState: oneOf({ 'not-dispatched': 1, unknown: 1 }),
      endedAt: instant,
      verdict,
    },
  ),
  brokenRelation,
);

function brokenRelation(row: Occurrence): readonly [path: string, message: string] | undefined {
  const { id, scheduleId } = row;
  if (!id.startsWith(scheduleId) || !id.startsWith(`~${row.revision}~`, scheduleId.length)) {
    return ['id', 'must begin with the id of its schedule and the revision'];
  }
  if (
    row.isRequestKept &&
    !(row.origin === 'manual' && id.startsWith(manualOccurrenceId(scheduleId, row.revision, '')))
  ) {
    return ['isRequestKept', 'must stand with a manual occurrence alone'];
  }
  if (row.status === 'running' && row.claim === undefined) return ['claim', 'is required while it is running'];
  if (row.status === 'retrying' && row.retryAt === undefined) return ['retryAt', 'is required while it waits to retry'];
  if (isTerminal(row.status) && row.endedAt === undefined) return ['endedAt', 'is required once it has ended'];
  return undefined;
}
