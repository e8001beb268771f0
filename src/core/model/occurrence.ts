/**
 * One occurrence: its identity, its status table and its record.
 *
 * An occurrence starts `queued`, or is recorded as `skipped` at once. `queued` becomes `running` when it is claimed;
 * the claim is durable before the execution service hears of it. A running one ends `succeeded`, `failed`, `cancelled`
 * or `interrupted`, or waits for another attempt as `retrying`. Terminal records never change: a verdict stands beside them.
 */
import type { EpochMs } from '../time/instant.js';
import { compactInstant } from '../time/instant.js';
import type { Json } from './declaration.js';
import type { MissedCause, ReasonCode } from './reason.js';

/** Status of an occurrence. @public */
export type OccurrenceStatus =
  | 'queued'
  | 'running'
  | 'retrying'
  | 'succeeded'
  | 'failed'
  | 'cancelled'
  | 'interrupted'
  | 'skipped';

/**
 * From each status, the statuses that may follow (OC). An empty list is a terminal status.
 *
 * @public
 */
export const OCCURRENCE_TRANSITIONS: Readonly<Record<OccurrenceStatus, readonly OccurrenceStatus[]>> = {
  queued: ['running', 'skipped', 'cancelled'],
  running: ['succeeded', 'failed', 'cancelled', 'interrupted', 'retrying'],
  retrying: ['running', 'failed', 'cancelled', 'interrupted'],
  succeeded: [],
  failed: [],
  cancelled: [],
  interrupted: [],
  skipped: [],
};

/** Whether nothing can follow this status. @public */
export function isTerminal(status: OccurrenceStatus): boolean {
  return OCCURRENCE_TRANSITIONS[status].length === 0;
}

/** Due instants that one record stands for (MF-4, OV-5, EX-1, CO-5). @public */
export interface DueWindow {
  /** First due instant of it. */
  readonly firstAt: EpochMs;
  /** Last due instant of it; names the record. */
  readonly lastAt: EpochMs;
  /** How many; a floor when `isFloor`. */
  readonly count: number;
  /** True when counting stopped at 10000. */
  readonly isFloor: boolean;
  /** Why they were missed, as far as known. */
  readonly causes: readonly MissedCause[];
}

/** What went wrong in an attempt: data, never thrown. @public */
export interface Fault {
  /** Stable code: one of {@link FAULTS} or a handler's own. */
  readonly code: string;
  /** For people; cut at 2000 characters. Plays no part in any decision. */
  readonly message: string;
  /** The provider whose handler failed, where one did. */
  readonly provider?: string;
  /** The stage in which it failed. */
  readonly stage?: string;
  /** False: trying again is pointless, so no retry follows. */
  readonly isRetryable?: boolean;
}

/** A named part of an attempt. @public */
export interface StageRecord {
  /** Its name; code outside every stage is `main`. */
  readonly name: string;
  /** When it began. */
  readonly startedAt: EpochMs;
  /** How long it took, in milliseconds of the monotonic clock. */
  readonly durationMs: number;
  /** How it ended. */
  readonly outcome: 'succeeded' | 'failed' | 'timedOut' | 'aborted';
}

/** What an execution service says of a publication that it read back. @public */
export interface Verification {
  /** True only when what was published was read back and found whole. */
  readonly isVerified: boolean;
  /** Digest of what was published, `sha256:<hex>`. */
  readonly digest?: string;
  /** Files or references that were published, with size and digest. */
  readonly receipts: readonly PublicationReceipt[];
}

/** One published thing. @public */
export interface PublicationReceipt {
  /** Path below the occurrence workspace, or a reference outside of it. */
  readonly name: string;
  /** Its digest, `sha256:<hex>`. */
  readonly digest: string;
  /** Its size in bytes. */
  readonly bytes: number;
}

/** A plan by name: what the execution service made of the document. @public */
export interface PlanReference {
  /** Its id, as the execution service names it. */
  readonly id: string;
  /** Its digest, `sha256:<hex>`. */
  readonly digest: string;
}

/** One try of an occurrence, as it ended. @public */
export interface AttemptRecord {
  /** 1 for the first. */
  readonly attempt: number;
  /** Epoch of the owner that claimed it. */
  readonly epoch: number;
  /** Commit number of the claim; 0 where the owner died before it could tell. */
  readonly fencingToken: number;
  /** When it was claimed. */
  readonly claimedAt: EpochMs;
  /** When its end was recorded. */
  readonly endedAt: EpochMs;
  /** How it ended. */
  readonly outcome: 'succeeded' | 'failed' | 'cancelled' | 'interrupted';
  /** What went wrong, if anything. */
  readonly fault?: Fault;
  /** Stages in the order in which they began. */
  readonly stages: readonly StageRecord[];
  /** The execution service's own names for the work. */
  readonly taskId?: string;
  /** The execution service's own names for the work. */
  readonly jobId?: string;
}

/** The claim of a running occurrence: durable before the dispatch (OC-3). @public */
export interface Claim {
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Epoch of the owner. */
  readonly epoch: number;
  /** When it was committed. */
  readonly claimedAt: EpochMs;
  /** Whether the execution service wants an occurrence workspace. */
  readonly hasWorkspace: boolean;
}

/** A request to end a pending occurrence, first come first kept (OC-11). @public */
export interface EndRequest {
  /** `cancel` ends it `cancelled`. */
  readonly kind: 'cancel';
  /** Who asked. */
  readonly by: string;
  /** When. */
  readonly at: EpochMs;
  /** The reason code that the record will carry. */
  readonly reason: ReasonCode;
}

/** An operator's word on an interrupted occurrence (CT-16). @public */
export interface Verdict {
  /** Whether its work was done, as far as the operator found out. */
  readonly verdict: 'done' | 'notDone' | 'unknown';
  /** For people. */
  readonly note: string;
  /** Who said it. */
  readonly by: string;
  /** When. */
  readonly at: EpochMs;
}

/**
 * The record of one occurrence.
 *
 * @public
 */
export interface Occurrence {
  /** See {@link occurrenceId}. */
  readonly id: string;
  /** Id of its schedule. */
  readonly scheduleId: string;
  /** Revision that made it. */
  readonly revision: number;
  /** `trigger` where the trigger made it, `manual` where a person or program asked for it. */
  readonly origin: 'trigger' | 'manual';
  /** Its due instant; for a manual one the time of the request. */
  readonly dueAt: EpochMs;
  /** When it was recorded first. */
  readonly admittedAt: EpochMs;
  /** Its key for mutual exclusion, as at its admission. */
  readonly concurrencyKey: string;
  /** See {@link OCCURRENCE_TRANSITIONS}. */
  readonly status: OccurrenceStatus;
  /** Why it has this status, where a reason applies. */
  readonly reason?: ReasonCode;
  /** The occurrence in whose way it was (`overlap`, `coalesced`). */
  readonly behind?: string;
  /** Due instants that it stands for, where it is more than its own. */
  readonly window?: DueWindow;
  /** True for the record that closes a revision; it spends no trigger budget (TB-1). */
  readonly isClosing?: true;
  /** The failed or interrupted occurrence that it runs again. */
  readonly replaces?: string;
  /** True where a caller chose the request id of a manual one: the id stays known when its record is pruned (OC-1). */
  readonly isRequestKept?: true;
  /** Present while running. */
  readonly claim?: Claim;
  /** First claim of all, from which the elapsed budget counts. */
  readonly firstClaimedAt?: EpochMs;
  /** Present while retrying: when the next attempt may start. */
  readonly retryAt?: EpochMs;
  /** Present once somebody asked to end it. */
  readonly endRequest?: EndRequest;
  /** Attempts that ended. */
  readonly attempts: readonly AttemptRecord[];
  /** The plan of every attempt, from the first settlement on. */
  readonly plan?: PlanReference;
  /** True when that plan is not the one of the registration (OC-4). */
  readonly isPlanChanged?: boolean;
  /** What the execution service verified, where it succeeded or tried to. */
  readonly verification?: Verification;
  /** Small result of the handler. */
  readonly result?: Json;
  /** For an interrupted one, what is known of the native work of its last attempt: `not-dispatched`, the handler was not called. */
  readonly nativeState?: 'not-dispatched' | 'unknown';
  /** When it became terminal. */
  readonly endedAt?: EpochMs;
  /** An operator's word on an interrupted one. */
  readonly verdict?: Verdict;
}

/**
 * The id of an occurrence of the trigger: `<schedule>~<revision>~<due instant>`; readable, unique, and the name of its directory (OC-1).
 *
 * @public
 */
export function occurrenceId(scheduleId: string, revision: number, dueAt: EpochMs): string {
  return `${scheduleId}~${revision}~${compactInstant(dueAt)}`;
}

/**
 * The id of a manual occurrence: `<schedule>~<revision>~m~<request>` (OC-1).
 *
 * @public
 */
export function manualOccurrenceId(scheduleId: string, revision: number, requestId: string): string {
  return `${scheduleId}~${revision}~m~${requestId}`;
}

/** The request id in the id of a manual occurrence, as spelled; undefined for one of the trigger. @internal */
export function requestIdOf({ id, scheduleId, revision, origin }: Occurrence): string | undefined {
  return origin === 'manual' ? id.slice(manualOccurrenceId(scheduleId, revision, '').length) : undefined;
}
