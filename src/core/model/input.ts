/**
 * Everything that can happen to one schedule, and what `decide` answers.
 *
 * Inputs come from controls (a person or program), from the owner's loop (tick, claim, settle, recover) and from
 * nowhere else. The answer is the next state and what is to be recorded, or a refusal: data, never an exception.
 */
import type { EpochMs } from '../time/instant.js';
import type { ZoneData, ZoneFault } from '../time/zone-data.js';
import type { DeletedMark, Gate } from './catalogue.js';
import type { Json, MisfirePolicy } from './declaration.js';
import type { NamedCalendar } from './exclusion.js';
import type { Issue } from './issue.js';
import type { Fault, Occurrence, PlanReference, StageRecord, Verdict, Verification } from './occurrence.js';
import type { Definition, GuardedControl, HeldSpan, ScheduleEntry, ScheduleStatus, TakenSpan } from './schedule.js';

/** The revision or version that a caller saw; what is given must match (CT-2). @public */
export interface Expected {
  /** The revision. */
  readonly revision?: number;
  /** The stricter count of every accepted control. */
  readonly version?: number;
}

/** A control: something that a person or program asks of one schedule (CT). @public */
export type Control =
  | { readonly kind: 'create'; readonly definition: Definition; readonly isPaused: boolean; readonly by: string }
  | {
      readonly kind: 'update';
      readonly expected: Expected;
      /** The whole merged definition. */
      readonly definition: Definition;
      /** True when the update names `objective` and `labels` alone: it makes no new revision. */
      readonly isCosmetic: boolean;
      /** `withdraw`: pending work is ended as CT-3 says; absent: refused while work is pending. */
      readonly pending?: 'withdraw';
      /** False: a paused schedule stays paused. */
      readonly activate?: boolean;
      readonly by: string;
    }
  | { readonly kind: 'pause'; readonly expected: Expected; readonly by: string; readonly note?: string }
  | { readonly kind: 'resume'; readonly expected: Expected; readonly missed?: MisfirePolicy; readonly by: string }
  | { readonly kind: 'cancel'; readonly expected: Expected; readonly by: string; readonly note?: string }
  | { readonly kind: 'delete'; readonly expected: Expected; readonly by: string }
  | {
      readonly kind: 'trigger';
      readonly expected: Expected;
      readonly requestId: string;
      /** True when the caller chose the request id, so that it is kept (OC-1). */
      readonly isRequestKept: boolean;
      /** For a rerun: the occurrence that it replaces; the runtime has seen that it failed or was interrupted. */
      readonly replaces?: string;
      readonly by: string;
    }
  | { readonly kind: 'stop'; readonly expected: Expected; readonly occurrence: string; readonly by: string }
  | { readonly kind: 'resolve'; readonly expected: Expected; readonly occurrence: string; readonly verdict: Verdict };

/** How an attempt ended, as the dispatcher saw it. @public */
export type AttemptOutcome =
  | {
      readonly kind: 'succeeded';
      readonly verification: Verification;
      readonly result?: Json;
    }
  | { readonly kind: 'failed'; readonly fault: Fault }
  /** The handler did not end within the drain limit: it may still run, so its schedule is quarantined (OC-11). */
  | { readonly kind: 'unresponsive' }
  /** The attempt directory exists already: it may have run, so it is never run. */
  | { readonly kind: 'attemptExists' };

/** Why the dispatcher aborted an attempt: the first request stands (OC-11). @public */
export type AbortCause = 'cancel' | 'stop' | 'timeout' | 'elapsed';

/** The end of an attempt (OC-5, OC-11). @public */
export interface Settlement {
  /** Tells it from the other inputs. */
  readonly kind: 'settle';
  /** Id of the occurrence; one that is not running any more is refused as `stale`. */
  readonly occurrence: string;
  /** Epoch of the claim that this answers; another one is refused as `stale`. */
  readonly epoch: number;
  /** Attempt of the claim that this answers, 1 for the first; another one is refused as `stale`. */
  readonly attempt: number;
  /** Commit number of the claim (OC-3), for the record of the attempt. */
  readonly fencingToken: number;
  /** How the attempt ended, before `abort` and the budgets are looked at. */
  readonly outcome: AttemptOutcome;
  /** The first request to end it, if there was one. */
  readonly abort?: AbortCause;
  /** Milliseconds since the first claim, by the monotonic clock where one process saw both. */
  readonly elapsedMs: number;
  /** Stages of the attempt in the order in which they began. */
  readonly stages: readonly StageRecord[];
  /** The plan that the attempt ran by; the first one settled is pinned to the occurrence (OC-4). */
  readonly plan?: PlanReference;
  /** The execution service's own name for the task. */
  readonly taskId?: string;
  /** The execution service's own name for the job. */
  readonly jobId?: string;
  /** True once the owner is stopping: no further attempt is claimed. */
  readonly isStopping: boolean;
}

/** What only an owner does. @public */
export type OwnerInput =
  | {
      readonly kind: 'tick';
      /** Spans in which no owner looked, to explain what was missed. */
      readonly spans: readonly HeldSpan[];
      /** False where this owner does not collect this schedule (OW-9), or collection is stopped (CO-6). Expiry is noted all the same. */
      readonly collects: boolean;
    }
  | {
      readonly kind: 'claim';
      readonly occurrence: string;
      readonly epoch: number;
      /** Rises with every claim of the catalogue (OC-2). */
      readonly order: number;
      readonly hasWorkspace: boolean;
      /** True where the owner measured by its monotonic clock that the wait of a retry is over, whatever `retryAt` says (OC-5). */
      readonly isWaitOver?: boolean;
    }
  | Settlement
  | {
      readonly kind: 'recover';
      readonly epoch: number;
      /** For running occurrences whose attempt directory is known to be absent. */
      readonly notDispatched: readonly string[];
      /** Occurrences whose handler still runs in the process of this owner, left by an owner before it (OC-11). */
      readonly stillRunning: readonly string[];
    }
  | { readonly kind: 'handlerEnded'; readonly occurrence: string }
  | {
      readonly kind: 'acceptClock';
      readonly acceptedAt: EpochMs;
      /** True where the clock was behind the catalogue: what is owed from before stays owed. After a restored backup nobody knows what is. */
      readonly isClockBehind?: boolean;
      /** Due instants at or after it that are recorded, windowed, pruned or attempted already, under whatever revision, as closed spans. */
      readonly taken: readonly TakenSpan[];
    };

/** Everything that can happen to one schedule. @public */
export type Input = Control | OwnerInput;

/** What a decision may look at beside the input and the time. @public */
export interface DecisionContext {
  /** The schedule; absent where none exists. */
  readonly entry?: ScheduleEntry;
  /** The mark of a deleted schedule of this id. */
  readonly mark?: DeletedMark;
  /** The gate of the catalogue. */
  readonly gate: Gate;
  /** The zone data of this process (TR-10). */
  readonly zoneData: ZoneData;
  /** Zones that are known to have no usable data: what is judged by one of them cannot be evaluated (CO-4). */
  readonly zoneFaults?: readonly ZoneFault[];
  /** Calendars of the catalogue by name; absent where there are none (DE-12). */
  readonly calendars?: Readonly<Record<string, NamedCalendar>>;
  /** A pending occurrence of another schedule under the same concurrency key, held ones left out (OV-1); its id. */
  readonly keyPending?: string;
  /** Whether another schedule keeps the occurrence to be claimed from its key: by one that runs, is unresponsive, or waits unheld and sooner (OC-2). */
  readonly isKeyHeld: boolean;
  /** For `trigger`: the occurrence that its request id, a kept one, made already in this revision, pending or ended, as spelled (OC-1). */
  readonly existing?: string;
}

/** A thing worth telling that no difference of states shows. @public */
export type Notice =
  /** 90 % of `maxOccurrences` are spent, told once for each revision (TB-4). */
  | { readonly kind: 'budgetLow'; readonly spent: number; readonly of: number }
  /** So many records in a row were skipped; told at 3, 10 and 100 (CT-16). */
  | { readonly kind: 'skipsInRow'; readonly count: number }
  /**
   * Other zone data, or an edit of the calendar that is named, moved the next due instant; without `from` there was none,
   * without `to` none is left (TR-10, DE-12). `zoneData` is the version that holds now.
   */
  | {
      readonly kind: 'nextDueMoved';
      readonly cause: 'zoneData' | 'calendar';
      readonly from?: EpochMs;
      readonly to?: EpochMs;
      readonly zoneData: string;
      /** Name of the calendar, where it was the cause. */
      readonly calendar?: string;
    }
  /**
   * An accepted clock finds due instants ahead, from `from` until `until`, that were recorded while it was ahead: none of them
   * runs any more. `nextDue` is the first due instant after them, absent where none is left (CO-6).
   */
  | {
      readonly kind: 'recordedAhead';
      readonly from: EpochMs;
      readonly until: EpochMs;
      readonly nextDue?: EpochMs;
    };

/** Why a control or input was declined: data with the facts that the error will carry. @public */
export type Refusal =
  | { readonly code: 'notFound'; readonly what: 'schedule' | 'occurrence' }
  | { readonly code: 'exists'; readonly id: string }
  | { readonly code: 'spelling'; readonly id: string }
  | { readonly code: 'revision'; readonly given: Expected; readonly revision: number; readonly version: number }
  | { readonly code: 'workPending'; readonly pending: readonly string[] }
  | { readonly code: 'queueFull'; readonly max: number }
  | {
      readonly code: 'notApplicable';
      readonly control: GuardedControl | 'stop' | 'resolve' | 'claim';
      readonly status: ScheduleStatus | Occurrence['status'] | 'quarantined' | 'pastExpiry' | 'resolved';
    }
  | { readonly code: 'neverDue'; readonly last?: EpochMs }
  | { readonly code: 'triggerBroken'; readonly issues: readonly Issue[] }
  | { readonly code: 'expiresInPast'; readonly expiresAt: EpochMs }
  /** An owner's input that does not fit the state any more (late answer, lost claim): nothing changes. */
  | { readonly code: 'stale'; readonly found: string };

/** What an accepted input leads to. @public */
export interface Accepted {
  /** Tells it from a refusal, and from `unchanged`. */
  readonly kind: 'accepted';
  /** The next state; absent once the schedule is deleted. */
  readonly entry?: ScheduleEntry;
  /** Records that became terminal, in order; the entry's `pending` no longer holds them. */
  readonly ended: readonly Occurrence[];
  /** For `delete`. */
  readonly mark?: DeletedMark;
  /** A verdict to put beside a terminal record. */
  readonly verdict?: { readonly occurrence: string; readonly verdict: Verdict };
  /** Things worth telling beside the differences. */
  readonly notices: readonly Notice[];
  /** The occurrence that the input made, found or changed, where it is about one. */
  readonly occurrence?: string;
  /** For a manual trigger: what became of it. */
  readonly admitted?: 'queued' | 'skipped';
  /** For a tick: more is to be collected at once, in a further commit (CO-3). */
  readonly hasMore?: boolean;
  /** For a settlement: the next attempt was claimed in the same step. */
  readonly isClaimedAgain?: boolean;
}

/** The answer of `decide`. `unchanged`: accepted, and there is nothing to commit. @public */
export type Decision =
  | Accepted
  | { readonly kind: 'unchanged'; readonly occurrence?: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal };
