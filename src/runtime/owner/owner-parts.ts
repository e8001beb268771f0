/**
 * What an owner is made of and how it is told to run: the shapes that the files of the owner share.
 */
import type { ZoneData } from '../../core/time/zone-data.js';
import type { Clock } from '../../ports/clock.js';
import type { Evidence } from '../../ports/evidence.js';
import type { ExecutionService } from '../../ports/execution-service.js';
import type { OwnerLock } from '../../ports/owner-lock.js';
import type { ScheduleStore } from '../../ports/schedule-store.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import type { ScheduleView } from '../client/view.js';
import type { Committer } from '../commit/commit.js';
import type { EventHub } from '../events.js';
import type { OwnTerms } from '../own-terms.js';
import type { UnendedWork } from '../unended-work.js';

/** Parts that an owner works with; client and owner of one process share catalogue, committer and events. @internal */
export interface OwnerParts {
  readonly store: ScheduleStore;
  readonly lock: OwnerLock;
  readonly evidence: Evidence;
  readonly execution: ExecutionService;
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  readonly committer: Committer;
  readonly events: EventHub;
  /** What of this process runs on; owners of one process share it. */
  readonly unended: UnendedWork;
  /** What the owners of this process are at. */
  readonly ownTerms: OwnTerms;
  /** The zone data of this process (TR-10). */
  readonly zoneData: ZoneData;
  /** This process, for reports. */
  readonly process: { readonly pid: number; readonly host: string };
  /** Providers that this host authorises (OC-4); absent: all that the execution service configures. */
  readonly authorised?: readonly string[];
}

/** How an owner runs. @public */
export interface OwnerOptions {
  /** Occurrences that may run at the same time, 1..10000; 1 where absent (OC-2). */
  readonly concurrency?: number | undefined;
  /** Seconds that running work has to end after it was asked to, 0..86400; 20 where absent (OC-11). */
  readonly drainSeconds?: number | undefined;
  /**
   * Which schedules this owner collects (OW-9); all of them where absent. Never stored; manual triggers run in any
   * case. It is asked again when the schedule changes. One that throws ends the owner with `SCHEDULE_CONFIG_INVALID`.
   */
  readonly collect?: boolean | ((schedule: ScheduleView) => boolean) | undefined;
}

/** What an outside tick did (OW-6). @public */
export interface TickSummary {
  /** Occurrences of the trigger that were recorded, the skipped ones included. */
  readonly collected: number;
  /** Claims that were made; every attempt has one. */
  readonly claimed: number;
  /** Occurrences that ended `succeeded`. */
  readonly succeeded: number;
  /** Occurrences that ended `failed`. */
  readonly failed: number;
  /** Occurrences that ended `cancelled`. */
  readonly cancelled: number;
  /** Occurrences that ended `interrupted`, those that recovery found included. */
  readonly interrupted: number;
  /** Occurrences that were recorded or ended as `skipped`. */
  readonly skipped: number;
  /** Occurrences that are pending still: waiting for a retry, held, or left for a later tick. */
  readonly remaining: number;
  /** When another tick has something to do, as ISO 8601 UTC text; absent where only a change brings work. */
  readonly nextWakeAt?: string;
}
