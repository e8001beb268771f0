/**
 * The execution service: what a host injects to plan and run documents.
 *
 * Clauses:
 * - X-1 `plan` starts no provider and has no side effect; equal documents give equal digests, whatever the order of their members.
 * - X-2 `execute` is called after the claim is durable, at most once per attempt, with the plan that was made for it.
 * - X-3 It answers within the drain limit after its signal fires; what it answers later is refused.
 * - X-4 `succeeded` comes with a verification that the service made by reading back what was published.
 * - X-5 What goes wrong with the work is an outcome with a fault; a rejection counts as the fault `executionBroken`.
 * - X-6 `stage` timeouts and the budget in the request are the service's to keep; the owner aborts at the elapsed budget in any case.
 *   A service that aborts a stage at its timeout tells the owner at once (`timedOut`), and answers when the work has really ended.
 */
import type { AttemptBudget, Json, JsonObject } from '../core/model/declaration.js';
import type { DueWindow, Fault, PlanReference, StageRecord, Verification } from '../core/model/occurrence.js';
import type { EpochMs } from '../core/time/instant.js';
import type { CallOptions } from './schedule-store.js';

/** What an execution service promises. @public */
export interface ExecutionCapabilities {
  /** True: each attempt gets a directory of its own; false: its evidence is the digest in the record alone (OC-8). */
  readonly needsWorkspace: boolean;
}

/** A document to be planned. @public */
export interface PlanRequest {
  /** The pinned document, frozen: every attempt is shown the same. */
  readonly document: JsonObject;
  /** Its digest. */
  readonly documentDigest: string;
  /** Providers that the plan may use. */
  readonly allowedProviders: readonly string[];
}

/** What to run, decided without running anything. @public */
export interface Plan extends PlanReference {
  /** Providers that it needs. */
  readonly providers: readonly string[];
}

/** The answer to a plan request. `issues` are faults of the document, with paths inside of it. @public */
export type PlanResult =
  | { readonly kind: 'planned'; readonly plan: Plan }
  | {
      readonly kind: 'refused';
      readonly message: string;
      readonly issues: readonly { readonly path: string; readonly message: string }[];
    };

/** Everything an attempt is given (OC-12). @public */
export interface ExecutionRequest {
  /** The pinned document, frozen: every attempt is shown the same. */
  readonly document: JsonObject;
  /** Its digest. */
  readonly documentDigest: string;
  /** The plan of this occurrence. */
  readonly plan: Plan;
  /** Id of the schedule. */
  readonly scheduleId: string;
  /** Revision that made the occurrence. */
  readonly revision: number;
  /** Id of the occurrence; equal for all of its attempts, so it is the idempotency key too. */
  readonly occurrence: string;
  /** Same as `occurrence`, under the name that other systems expect. */
  readonly idempotencyKey: string;
  /** Its due instant. */
  readonly dueAt: EpochMs;
  /** Milliseconds between the due instant and the first claim. */
  readonly latenessMs: number;
  /** Due instants that it stands for, where more than its own. */
  readonly window?: DueWindow;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /**
   * Number of the commit that made the claim (OC-3), for whatever must refuse a late writer: for each resource, refuse what is
   * lower than the highest seen. It never falls while the catalogue is not restored from a backup, is higher for every later
   * claim of an occurrence or under one `concurrencyKey`, and is shared by claims of others that were committed together.
   */
  readonly fencingToken: number;
  /** The whole attempt budget. */
  readonly budget: AttemptBudget;
  /** When the elapsed budget ends. */
  readonly elapsedDeadlineAt: EpochMs;
  /** The last occurrence that succeeded before this one. */
  readonly previousSuccess?: { readonly occurrence: string; readonly dueAt: EpochMs; readonly endedAt: EpochMs };
  /** The directory of this attempt; absent where the service needs none. */
  readonly directory?: string;
  /** Fires when the attempt is to end: cancel, stop, elapsed budget. */
  readonly signal: AbortSignal;
  /** Tells observers how far it is. */
  progress(note: string, fraction?: number): void;
  /** Tells the owner that the service aborted a stage at its timeout, so that the drain limit begins (OC-11); what is told twice counts once. */
  timedOut?(stage: string): void;
}

/** How an attempt ended. @public */
export type ExecutionOutcome = {
  /** The service's own name for the task. */
  readonly taskId?: string;
  /** The service's own name for the job. */
  readonly jobId?: string;
  /** Stages in the order in which they began. */
  readonly stages: readonly StageRecord[];
} & (
  | { readonly outcome: 'succeeded'; readonly verification: Verification; readonly result?: Json }
  | { readonly outcome: 'failed'; readonly fault: Fault }
);

/** See the clauses at the head of this file. @public */
export interface ExecutionService {
  /** What this service promises. */
  readonly capabilities: ExecutionCapabilities;
  /** Names of the providers that this host configures. */
  providers(): readonly string[];
  /** Plans a document. */
  plan(request: PlanRequest, options?: CallOptions): Promise<PlanResult>;
  /** Runs an attempt. */
  execute(request: ExecutionRequest): Promise<ExecutionOutcome>;
}
