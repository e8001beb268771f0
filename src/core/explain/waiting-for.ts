/**
 * What stands in the way of a pending occurrence, so that a person need not guess (OC-9).
 *
 * The first of these that holds is told, in the order in which they must be cleared away: what keeps it from running
 * whoever looks, then that nobody looks, then what only time or other work can end.
 */
import type { Gate } from '../model/catalogue.js';
import type { Occurrence } from '../model/occurrence.js';
import type { Schedule } from '../model/schedule.js';
import { isPastExpiry } from '../policy/hold.js';
import type { EpochMs } from '../time/instant.js';

/** What a pending occurrence waits for, the first that stands in its way. @public */
export type WaitingFor =
  /** It runs by its record, but no owner lives: what happened is settled when one starts (OW-2). */
  | { readonly kind: 'ownerGone' }
  /** Its schedule is quarantined (CT-15). */
  | { readonly kind: 'quarantine' }
  /** Its schedule is past its expiry; an owner will record that (EX-1). */
  | { readonly kind: 'expiry' }
  /** The gate of the catalogue is paused (CT-9). */
  | { readonly kind: 'gate' }
  /** Its schedule is paused (CT-5). */
  | { readonly kind: 'schedulePaused' }
  /** No owner lives (OW-1). */
  | { readonly kind: 'noOwner' }
  /** Its next attempt may not start before this instant (OC-5). */
  | { readonly kind: 'retryAt'; readonly at: EpochMs }
  /** Another occurrence holds its concurrency key (OC-2). */
  | { readonly kind: 'key'; readonly key: string; readonly occurrence: string }
  /** Nothing but its turn: a slot of the owner, and what comes before it (OC-2). */
  | { readonly kind: 'slot' };

/** What is looked at beside the occurrence. @internal */
export interface Surroundings {
  /** Its schedule. */
  readonly schedule: Schedule;
  /** The gate of the catalogue. */
  readonly gate: Gate;
  /** Whether an owner lives. */
  readonly isOwned: boolean;
  /** Another occurrence that holds its key. */
  readonly keyHolder?: string;
  /** The time. */
  readonly now: EpochMs;
}

/** See the head of this file; undefined for what runs under a living owner. @internal */
export function waitingFor(occurrence: Occurrence, around: Surroundings): WaitingFor | undefined {
  const { status, origin, retryAt, concurrencyKey: key } = occurrence;
  const { schedule, gate, isOwned, keyHolder, now } = around;
  if (status === 'running') return isOwned ? undefined : { kind: 'ownerGone' };
  if (schedule.quarantine !== undefined) return { kind: 'quarantine' };
  if (isPastExpiry(schedule, now)) return { kind: 'expiry' };
  if (origin === 'trigger' && gate.isPaused) return { kind: 'gate' };
  if (origin === 'trigger' && schedule.status === 'paused') return { kind: 'schedulePaused' };
  if (!isOwned) return { kind: 'noOwner' };
  if (retryAt !== undefined && retryAt > now) return { kind: 'retryAt', at: retryAt };
  if (keyHolder !== undefined) return { kind: 'key', key, occurrence: keyHolder };
  return { kind: 'slot' };
}
