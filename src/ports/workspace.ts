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
  /**
   * The same for every handle of this catalogue in this process, and for no other catalogue; absent: each opening counts as a
   * catalogue of its own. With it an owner knows of handlers that still run from before the schedules were closed (OC-11).
   */
  readonly identity?: string;
  /** Releases all three; idempotent. */
  close(): Promise<void>;
}
