/**
 * A schedule: what was declared, and how far its collection has come.
 *
 * `Definition` changes with an accepted update only; `Schedule` changes with every tick that collects, claims or settles.
 * Pending occurrences stand beside it in the entry; ended ones are history and not here.
 */
import type { EpochMs } from '../time/instant.js';
import type { Declaration, MisfirePolicy } from './declaration.js';
import type { Occurrence, PlanReference } from './occurrence.js';
import type { MissedCause, ReasonCode } from './reason.js';

/** Status of a schedule; what each allows is in {@link CONTROLS_BY_STATUS}. @public */
export type ScheduleStatus = 'active' | 'paused' | 'completed' | 'expired' | 'cancelled';

/** What an author declared, with its pinned document and plan. @public */
export interface Definition {
  /** The declaration in normal form, without the document. */
  readonly declaration: Declaration;
  /** SHA-256 over the canonical JSON of the document, `sha256:<hex>`. */
  readonly documentDigest: string;
  /** The document's `version` text: its kind. */
  readonly documentKind: string;
  /** The plan of the registration; absent when planning was deferred. */
  readonly plan?: PlanReference;
  /** Name of the caller who registered it. */
  readonly caller: string;
  /** When this revision was registered. */
  readonly registeredAt: EpochMs;
}

/** Why a schedule has its status. @public */
export interface StatusNote {
  /** The reason code. */
  readonly reason: ReasonCode;
  /** Who brought it about; `owner` for the owner itself. */
  readonly by: string;
  /** When. */
  readonly at: EpochMs;
  /** Words of a person. */
  readonly note?: string;
}

/** The mark of a schedule that nothing may be collected or dispatched for (CT-15, CO-4, OC-11). @public */
export interface Quarantine {
  /** Why. */
  readonly reason: 'triggerBroken' | 'unresponsive';
  /** Since when. */
  readonly since: EpochMs;
  /** Epoch of the owner that set it. */
  readonly epoch: number;
  /** For people: what was found. */
  readonly detail: string;
  /** The occurrence whose handler does not end, for `unresponsive`. */
  readonly occurrence?: string;
  /** The key that this handler still holds, for `unresponsive`. */
  readonly concurrencyKey?: string;
}

/** A past span in which nothing was collected, kept to explain what was missed (MF-4). @public */
export interface HeldSpan {
  /** Why. */
  readonly cause: MissedCause;
  /** From when. */
  readonly from: EpochMs;
  /** Until when; absent while it lasts. */
  readonly until?: EpochMs;
}

/** How the last ended occurrence ended, for lists. @public */
export interface LastEnded {
  /** Its id. */
  readonly occurrence: string;
  /** Its terminal status. */
  readonly status: Occurrence['status'];
  /** Its reason, where one applies. */
  readonly reason?: ReasonCode;
  /** When. */
  readonly at: EpochMs;
}

/**
 * A schedule without its pending work.
 *
 * @public
 */
export interface Schedule {
  /** As spelled at its creation. */
  readonly id: string;
  /** Counts declarations; 1 at creation (CT-2). */
  readonly revision: number;
  /** Counts accepted controls (CT-2). */
  readonly version: number;
  /** What was declared. */
  readonly definition: Definition;
  /** When it was created. */
  readonly createdAt: EpochMs;
  /** See {@link ScheduleStatus}. */
  readonly status: ScheduleStatus;
  /** Why, where it is not simply active. */
  readonly statusNote?: StatusNote;
  /** Present while quarantined. */
  readonly quarantine?: Quarantine;
  /** The next instant to collect; absent when none is left or the budget is spent. */
  readonly nextDue?: EpochMs;
  /** Version of the zone data under which `nextDue` was computed (TR-10). */
  readonly zoneData?: string;
  /** Digest of the named calendar under which `nextDue` was computed; absent where the declaration names none (DE-12). */
  readonly calendarDigest?: string;
  /** Every due instant up to it is accounted for (CO). */
  readonly collectedThrough: EpochMs;
  /** Occurrences that count against `maxOccurrences` of this revision (TB-1). */
  readonly spent: number;
  /** True once the 90 % notice was given for this revision (TB-4). */
  readonly isBudgetNoticed?: true;
  /** What a resume owes: due instants up to `until` follow `missed` (CT-5). */
  readonly resume?: { readonly missed: MisfirePolicy; readonly until: EpochMs };
  /** No collection before this instant, after a tick that met `maxCatchUp` (CO-3). */
  readonly collectNotBefore?: EpochMs;
  /** True while a catch-up waits for its pending occurrences to end (MF-3). */
  readonly isBacklogged?: true;
  /** Spans in which nothing was collected and that are not accounted for yet; at most 8, newest last. */
  readonly held: readonly HeldSpan[];
  /** Order number of its last claim; 0 when it never had one (OC-2). */
  readonly lastClaim: number;
  /** Terminal failures since the last success (pauseAfterFailures). */
  readonly failuresInRow: number;
  /** Skips since the last occurrence that ran (CT-16). */
  readonly skipsInRow: number;
  /** Interrupted occurrences that nobody resolved yet, oldest first (CT-16). */
  readonly unresolved: readonly string[];
  /** The last occurrence that succeeded. */
  readonly lastSuccess?: { readonly occurrence: string; readonly dueAt: EpochMs; readonly endedAt: EpochMs };
  /** The last one that ended. */
  readonly lastEnded?: LastEnded;
  /** The `acceptClock` that this schedule has followed already (CO-6). */
  readonly acceptedClockAt?: EpochMs;
  /** Due instants ahead that were accounted for while the clock was wrong, first and last of each run of them, in order (CO-6). */
  readonly taken?: readonly TakenSpan[];
  /** What a deleted schedule of this id accounted for: due instants up to it are never due again, whatever clock is accepted (CO-6, CT-7). */
  readonly formerDueAt?: EpochMs;
}

/** Successive due instants that are accounted for already. @public */
export interface TakenSpan {
  /** The first. */
  readonly from: EpochMs;
  /** The last. */
  readonly until: EpochMs;
}

/** A schedule with its pending occurrences (queued, running, retrying), in order of admission. @public */
export interface ScheduleEntry {
  /** The schedule. */
  readonly schedule: Schedule;
  /** Its pending work. */
  readonly pending: readonly Occurrence[];
}

/** Controls that a status may refuse. @public */
export type GuardedControl = 'update' | 'pause' | 'resume' | 'cancel' | 'delete' | 'trigger' | 'rerun';

/**
 * What each status allows (CT-15); every other control is allowed always.
 *
 * @public
 */
export const CONTROLS_BY_STATUS: Readonly<Record<ScheduleStatus, readonly GuardedControl[]>> = {
  active: ['update', 'pause', 'cancel', 'delete', 'trigger', 'rerun'],
  paused: ['update', 'resume', 'cancel', 'delete', 'trigger', 'rerun'],
  completed: ['update', 'trigger', 'rerun', 'delete'],
  expired: ['update', 'delete'],
  cancelled: ['update', 'rerun', 'delete'],
};
