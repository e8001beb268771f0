/**
 * A workspace: the store, the lock and the evidence of one catalogue, opened together.
 *
 * They belong together: a store that processes share is of no use with a lock that they do not share.
 */
import type { Evidence } from './evidence.js';
import type { OwnerLock } from './owner-lock.js';
import type { ScheduleStore } from './schedule-store.js';

/** What a host opens and hands to `openSchedules`. @public */
export interface Workspace {
  /** Where the catalogue lives. */
  readonly store: ScheduleStore;
  /** One owner per catalogue. */
  readonly lock: OwnerLock;
  /** What attempts leave behind. */
  readonly evidence: Evidence;
  /** Releases all three; idempotent. */
  close(): Promise<void>;
}
