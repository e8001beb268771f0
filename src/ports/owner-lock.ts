/**
 * The owner lock: one owner per catalogue.
 *
 * The lock is for liveness and efficiency; safety comes from the epoch in the store.
 *
 * Clauses:
 * - L-1 At most one holder at a time among all who share the lock; a second `acquire` answers `held` at once, in the same process too.
 * - L-2 With `diesWithProcess` a killed holder frees it at once; age alone never frees it.
 * - L-3 `isHeld` of a lease is false once the lock is no longer that holder's, whatever took it away.
 * - L-4 `release` is idempotent; after it another may acquire.
 * - L-5 `report` tells who holds it and what it said last; it is advice and decides nothing.
 * - L-6 `close` is idempotent and releases.
 */
import type { EpochMs } from '../core/time/instant.js';
import type { CallOptions } from './schedule-store.js';

/** What a lock promises. @public */
export interface LockCapabilities {
  /** It excludes owners in other processes. */
  readonly isSharedBetweenProcesses: boolean;
  /** The operating system frees it when the holder dies. */
  readonly diesWithProcess: boolean;
}

/** What an owner says of itself, for `status`. @public */
export interface OwnerReport {
  /** Process id. */
  readonly pid: number;
  /** Host name. */
  readonly host: string;
  /** Its epoch; 0 while it is starting. */
  readonly epoch: number;
  /** Since when it holds the lock. */
  readonly since: EpochMs;
  /** Its last tick that it reported; at most 30 s old while it lives. */
  readonly lastTickAt: EpochMs;
  /** Occurrences that it ran then. */
  readonly running: readonly string[];
}

/** Whether an owner lives, and what the last one said. @public */
export interface OwnerStatus {
  /** Whether the lock is held now. */
  readonly isHeld: boolean;
  /** The last report, of a living or a former owner. */
  readonly report?: OwnerReport;
}

/** The lock, held. @public */
export interface Lease {
  /** Whether it is still held (L-3); costs microseconds. */
  isHeld(): boolean;
  /** Leaves a report (L-5). Failing to do so is no reason to stop. */
  note(report: OwnerReport): Promise<void>;
  /** Gives it back (L-4). */
  release(): Promise<void>;
}

/** What `acquire` answers. @public */
export type AcquireResult =
  | { readonly kind: 'acquired'; readonly lease: Lease }
  | { readonly kind: 'held'; readonly report?: OwnerReport };

/** See the clauses at the head of this file. @public */
export interface OwnerLock {
  /** What this lock promises. */
  readonly capabilities: LockCapabilities;
  /** Takes the lock or says who has it; never waits (L-1). */
  acquire(options?: CallOptions): Promise<AcquireResult>;
  /** Who holds it (L-5). */
  status(options?: CallOptions): Promise<OwnerStatus>;
  /** Releases everything (L-6). */
  close(): Promise<void>;
}
