/**
 * What is known of an attempt before and after it, and what of that is written into its workspace (OC-8).
 *
 * The dispatch record holds the authored input and the plan and names the commit of the claim; the result record holds
 * how it ended with stages, faults, receipts, verification and result. Instants are UTC text, as everywhere outside.
 */
import { toWire } from '../../codec/rows.js';
import type { JsonObject } from '../../core/model/declaration.js';
import type { AbortCause } from '../../core/model/input.js';
import type { Claim, Occurrence } from '../../core/model/occurrence.js';
import type { Schedule } from '../../core/model/schedule.js';
import type { Plan } from '../../ports/execution-service.js';
import type { Answer } from './execution-answer.js';

/** A claim that is durable. @internal */
export interface Claimed {
  /** The schedule as of the claim. */
  readonly schedule: Schedule;
  /** The running occurrence. */
  readonly occurrence: Occurrence;
  /** Its claim. */
  readonly claim: Claim;
  /** Number of the commit that made the claim: the fencing token (OC-3). */
  readonly seq: number;
  /** Hash of that commit. */
  readonly hash: string;
  /** When the commit was known, by the monotonic clock. */
  readonly committedAt: number;
  /** When the elapsed budget ends, by the monotonic clock. */
  readonly deadline: number;
  /** The plan that an earlier attempt pinned. */
  readonly plan?: Plan;
}

/** How an attempt ended, before it is settled. @internal */
export interface AttemptEnd extends Omit<Answer, 'outcome'> {
  readonly outcome: Answer['outcome'] | { readonly kind: 'unresponsive' } | { readonly kind: 'attemptExists' };
  /** The first request to end it. */
  readonly abort?: AbortCause;
  /** The plan that is pinned now. */
  readonly plan?: Plan;
  /** Whether a workspace was made, so that a result belongs into it. */
  readonly hasDirectory: boolean;
}

/** The record of `evidence.begin`. @internal */
export function dispatchRecord(claimed: Claimed, document: JsonObject, plan: Plan): JsonObject {
  const { schedule, occurrence, claim, seq, hash } = claimed;
  const { id, revision, dueAt, window } = occurrence;
  const facts = {
    seq,
    hash,
    epoch: claim.epoch,
    attempt: claim.attempt,
    occurrence: id,
    scheduleId: schedule.id,
    revision,
    dueAt,
    claimedAt: claim.claimedAt,
    ...(window === undefined ? {} : { window }),
    documentDigest: schedule.definition.documentDigest,
    plan: { id: plan.id, digest: plan.digest, providers: plan.providers },
  };
  // The document is the author's: none of its members is an instant of ours.
  return { ...(toWire(facts) as unknown as JsonObject), document };
}

/** The record of `evidence.finish`. @internal */
export function resultRecord(end: AttemptEnd): JsonObject {
  const { outcome, stages, abort, taskId, jobId } = end;
  const named = {
    ...(taskId === undefined ? {} : { taskId }),
    ...(jobId === undefined ? {} : { jobId }),
    ...(abort === undefined ? {} : { abort }),
  };
  const ran = { outcome: outcome.kind, ...(toWire({ stages }) as unknown as JsonObject), ...named };
  switch (outcome.kind) {
    case 'succeeded': {
      const { isVerified, digest, receipts } = outcome.verification;
      const verification = { isVerified, ...(digest === undefined ? {} : { digest }) };
      const kept = receipts.map(({ name, digest: of, bytes }) => ({ name, digest: of, bytes }));
      const result = outcome.result === undefined ? {} : { result: outcome.result };
      return { ...ran, faults: [], verification, receipts: kept, ...result };
    }
    case 'failed':
      return { ...ran, faults: [{ ...outcome.fault }] };
    default:
      return { ...ran, faults: [] };
  }
}
