/**
 * What calls of the client take and give, beside declarations and views.
 */

import type { Wire } from '../../codec/rows.js';
import type { ClockStop } from '../../core/model/catalogue.js';
import type { JsonObject, MisfirePolicy } from '../../core/model/declaration.js';
import type { Verdict } from '../../core/model/occurrence.js';
import type { ScheduleStatus } from '../../core/model/schedule.js';
import type { InstantInput } from '../../core/time/instant.js';
import type { TriggerPreview } from '../../core/trigger/preview/preview.js';
import type { OccurrenceEvidence } from '../../ports/evidence.js';
import type { OwnerReport } from '../../ports/owner-lock.js';
import type { CallOptions } from '../../ports/schedule-store.js';
import type { GateView, OccurrenceView, ScheduleView } from './view.js';

/** On whose behalf a call is made: given by the host, never by a request (DE-6). @public */
export interface Caller {
  /** Kept with what the call registers or changes; not empty, cut at 2000 characters. */
  readonly name: string;
  /** Providers that this caller may name; every configured one where absent. */
  readonly providers?: readonly string[] | undefined;
}

/** Options of calls that change something. @public */
export interface CallerOptions extends CallOptions {
  /** Instead of the caller that the schedules were opened with. */
  readonly caller?: Caller | undefined;
}

/** The revision that the caller saw (CT-2). @public */
export interface RevisionOptions extends CallerOptions {
  /** The revision that the caller saw; another one is refused with both numbers. */
  readonly revision: number;
  /** For a stricter check: the version too. */
  readonly version?: number | undefined;
}

/** Options of pause and cancel. @public */
export interface ChangeOptions extends RevisionOptions {
  /** Why, in a person's words; cut at 2000 characters. */
  readonly note?: string | undefined;
}

/** Options of create. @public */
export interface CreateOptions extends CallerOptions {
  /** True: it starts paused. */
  readonly paused?: boolean | undefined;
  /** The digest of the document that the caller saw; another one is refused (DE-4). */
  readonly expectedDocumentDigest?: string | undefined;
  /** True: registered without a plan; the one made at dispatch must pass (SF-2). */
  readonly deferPlanning?: boolean | undefined;
}

/** Options of ensure. @public */
export type EnsureOptions = Omit<CreateOptions, 'expectedDocumentDigest'>;

/** Options of update. @public */
export interface UpdateOptions extends RevisionOptions {
  /** `withdraw`: pending work is ended as CT-3 says; absent: the update is refused while work is pending. */
  readonly pending?: 'withdraw' | undefined;
  /** False: a paused schedule stays paused. */
  readonly activate?: boolean | undefined;
  /** The digest of the new document that the caller saw; another one is refused (DE-4). */
  readonly expectedDocumentDigest?: string | undefined;
  /** True: a changed document is registered without a plan (SF-2). */
  readonly deferPlanning?: boolean | undefined;
}

/** Options of resume. @public */
export interface ResumeOptions extends RevisionOptions {
  /** What becomes of the due instants in the pause; the declared misfire policy where absent. */
  readonly missed?: MisfirePolicy | undefined;
}

/** Options of trigger and rerun. @public */
export interface TriggerOptions extends Partial<RevisionOptions> {
  /**
   * 1..64 characters with the rules of an id: the same one twice asks for one occurrence of this revision (OC-1). A new
   * revision (an update, or an `ensure` that changes more than words) knows none of them: there it asks for another one.
   * Made by the client where absent.
   */
  readonly requestId?: string | undefined;
}

/** Options of resolve. @public */
export interface ResolveOptions extends Partial<RevisionOptions> {
  /** Whether its work was done, as far as the operator found out. */
  readonly verdict: Verdict['verdict'];
  /** How the operator knows; cut at 2000 characters. */
  readonly note: string;
}

/** Options of preview. @public */
export interface PreviewOptions {
  /** First instant to be looked at, itself included; now where absent. */
  readonly from?: InstantInput | undefined;
  /** Instants at most, 1..1000; 10 where absent. */
  readonly count?: number | undefined;
}

/** Filters and paging of list; several filters must all hold. @public */
export interface ListOptions extends CallOptions {
  /** Only schedules of this status, or of one of these. */
  readonly status?: ScheduleStatus | readonly ScheduleStatus[] | undefined;
  /** `key`: has this label; `key=value`: has it with this value. */
  readonly label?: string | undefined;
  /** True: only those with failures in a row, a quarantine or unresolved interruptions; false: only the others. */
  readonly failing?: boolean | undefined;
  /** Only those whose next due instant lies before this one. */
  readonly dueBefore?: InstantInput | undefined;
  /** Schedules at most, 1..1000; 100 where absent. */
  readonly limit?: number | undefined;
  /** The `next` of the page before. */
  readonly after?: string | undefined;
}

/** A page of schedules. @public */
export interface SchedulePage {
  /** In order of their ids, ignoring case. */
  readonly schedules: readonly ScheduleView[];
  /** Give it as `after` to get what follows; absent on the last page. */
  readonly next?: string;
}

/** Options of explain. @public */
export interface ExplainOptions extends CallOptions {
  /** Zone of a `local` time where the trigger has none of its own; UTC where absent. */
  readonly timezone?: string | undefined;
}

/** Options of get. @public */
export interface GetOptions extends CallOptions {
  /** Which part of the history: at most `limit` records (1..1000; 20 where absent), those behind the cursor `before`. */
  readonly history?: { readonly limit?: number | undefined; readonly before?: string | undefined } | undefined;
  /** Also this one occurrence, pending or ended. */
  readonly occurrence?: string | undefined;
  /** True: also the pinned document. */
  readonly document?: boolean | undefined;
}

/** A schedule with its occurrences. @public */
export interface ScheduleDetail {
  /** The schedule. */
  readonly schedule: ScheduleView;
  /** Queued, running and waiting occurrences, in the order of their admission. */
  readonly pending: readonly OccurrenceView[];
  /** Ended ones, newest first. */
  readonly history: readonly OccurrenceView[];
  /** Cursor of the next page of the history; absent at its end. */
  readonly next?: string;
  /** The occurrence that was asked for, with its evidence where there is some. */
  readonly occurrence?: OccurrenceView;
  /** What the attempts of that occurrence left behind. */
  readonly evidence?: OccurrenceEvidence;
  /** The pinned document, where it was asked for. */
  readonly document?: JsonObject;
}

/** What ensure did. @public */
export interface EnsureResult {
  /** `reworded`: only `objective` or `labels` changed. */
  readonly outcome: 'created' | 'unchanged' | 'reworded' | 'updated';
  /** The schedule as it is now. */
  readonly schedule: ScheduleView;
}

/** A deleted schedule. @public */
export interface DeletedSchedule {
  /** Its id, as it must be spelled if it is used again. */
  readonly id: string;
  /** Its last revision; the next schedule of this id goes on from it. */
  readonly revision: number;
  /** When it was deleted. */
  readonly deletedAt: string;
}

/** What became of a request for an occurrence. @public */
export interface TriggerResult {
  /** Id of the occurrence. */
  readonly occurrence: string;
  /** `existing`: the request id was used before, and this is its occurrence. */
  readonly admitted: 'queued' | 'skipped' | 'existing';
  /** Its record; absent where it was pruned from the history. */
  readonly record?: OccurrenceView;
  /** The schedule after it. */
  readonly schedule: ScheduleView;
}

/** What became of a stop. @public */
export interface StopResult {
  /** Its record: ended already, or running with a request to end. */
  readonly occurrence: OccurrenceView;
  /** The schedule after it. */
  readonly schedule: ScheduleView;
}

/** Due instants of a declaration. @public */
export interface SchedulePreview extends TriggerPreview {
  /** Why there are fewer than asked for; absent where there are as many. */
  readonly endsWith?: 'trigger' | 'expiresAt' | 'maxOccurrences';
}

/** How a catalogue is. @public */
export interface SchedulesStatus {
  /** The owner: whether it lives, and what it, or the last one, said of itself. */
  readonly owner: { readonly isAlive: boolean } & Partial<Wire<OwnerReport>>;
  /** The gate. */
  readonly gate: GateView;
  /** Present while collection is stopped because of the clock (CO-6). */
  readonly clockStop?: Wire<ClockStop>;
  /** Schedules by status, and what is pending. */
  readonly counts: Readonly<Record<ScheduleStatus, number>> & {
    /** All schedules. */
    readonly schedules: number;
    /** Occurrences that are queued, running or waiting. */
    readonly pending: number;
    /** Occurrences that run. */
    readonly running: number;
    /** Schedules in quarantine. */
    readonly quarantined: number;
    /** Interrupted occurrences without a verdict. */
    readonly unresolved: number;
  };
  /** The earliest due instant of all active schedules. */
  readonly nextDue?: string;
  /** Number of the newest commit. */
  readonly seq: number;
  /** Epoch of the newest owner; 0 before the first. */
  readonly epoch: number;
  /** Highest time of any commit; absent before the first. */
  readonly lastSeenAt?: string;
}
