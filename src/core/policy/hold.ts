/**
 * Who is held back, and who holds a concurrency key.
 *
 * A pause and the gate hold work that the trigger made; a quarantine holds everything. What runs is never held.
 * Held work neither counts against its key nor is dispatched (OV-1, OC-2, CT-5, CT-9, CT-15).
 */
import type { Gate } from '../model/catalogue.js';
import type { Occurrence } from '../model/occurrence.js';
import type { HeldSpan, Schedule, ScheduleEntry, ScheduleStatus } from '../model/schedule.js';
import { type EpochMs, parseInstant } from '../time/instant.js';

/** One occurrence's hold on a concurrency key. @public */
export interface KeyHold {
  /** The key. */
  readonly key: string;
  /** The occurrence. */
  readonly occurrence: string;
  /** True when it is active: running, waiting for another attempt, or unresponsive. */
  readonly isActive: boolean;
  /** Present while it waits for another attempt: when that may start. */
  readonly retryAt?: EpochMs;
}

/**
 * Whether an active occurrence keeps another one from the key of both. What runs does; of several that wait for another
 * attempt, which a released hold can bring about, the one whose wait ends first has the key (OC-2).
 *
 * @internal
 */
export function isAhead(
  holder: Pick<KeyHold, 'occurrence' | 'retryAt'>,
  other: Pick<KeyHold, 'occurrence' | 'retryAt'>,
): boolean {
  if (holder.retryAt === undefined || other.retryAt === undefined) return true;
  return holder.retryAt === other.retryAt ? holder.occurrence < other.occurrence : holder.retryAt < other.retryAt;
}

/** Whether a pending occurrence may not be dispatched because of a pause, the gate or a quarantine. @public */
export function isHeld(schedule: Schedule, occurrence: Occurrence, gate: Gate): boolean {
  if (occurrence.status === 'running') return false;
  if (schedule.quarantine !== undefined) return true;
  return occurrence.origin === 'trigger' && (gate.isPaused || schedule.status === 'paused');
}

/** Every hold of an entry on a concurrency key; held work has none (OV-1, OC-2). @public */
export function keyHolds(entry: ScheduleEntry, gate: Gate): readonly KeyHold[] {
  const holds: KeyHold[] = [];
  for (const occurrence of entry.pending) {
    if (isHeld(entry.schedule, occurrence, gate)) continue;
    const { concurrencyKey: key, id, status, retryAt } = occurrence;
    const hold = { key, occurrence: id, isActive: status !== 'queued' };
    holds.push(status === 'retrying' && retryAt !== undefined ? { ...hold, retryAt } : hold);
  }
  const { quarantine } = entry.schedule;
  if (quarantine?.occurrence !== undefined && quarantine.concurrencyKey !== undefined) {
    holds.push({ key: quarantine.concurrencyKey, occurrence: quarantine.occurrence, isActive: true });
  }
  return holds;
}

/** Spans in which the gate kept everything from being collected, as far as it remembers them (MF-4, CT-9). @internal */
export function gateSpans({ isPaused, at, lastSpan }: Gate): readonly HeldSpan[] {
  const past = lastSpan === undefined ? [] : [lastSpan];
  return isPaused && at !== undefined ? [...past, { cause: 'gate', from: at }] : past;
}

/** The instant at and after which nothing new is collected or dispatched (EX-1). @internal */
export function expiryOf(schedule: Schedule): EpochMs | undefined {
  const text = schedule.definition.declaration.expiresAt;
  return text === undefined ? undefined : parseInstant(text);
}

/** Whether a schedule is past its expiry, recorded or not (EX-1). @public */
export function isPastExpiry(schedule: Schedule, now: EpochMs): boolean {
  const expiry = expiryOf(schedule);
  return expiry !== undefined && now >= expiry;
}

/** Whether a schedule is active or paused: not ended by its budget, its trigger, its expiry or a cancellation. @internal */
export function isOpen({ status }: Pick<Schedule, 'status'>): boolean {
  return status === 'active' || status === 'paused';
}

/** Whether a tick may do anything but expire it: open, and not in quarantine (CT-15). @internal */
export function isCollectable(schedule: Schedule): boolean {
  return isOpen(schedule) && schedule.quarantine === undefined;
}

/** The status that counts for controls: an open schedule past its expiry is expired, recorded or not (EX-1). @internal */
export function statusAt(schedule: Schedule, now: EpochMs): ScheduleStatus {
  return isOpen(schedule) && isPastExpiry(schedule, now) ? 'expired' : schedule.status;
}
