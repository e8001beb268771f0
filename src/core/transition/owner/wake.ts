/**
 * When a schedule wants a tick: the key of the owner's heap, so that an idle owner looks at no schedule (OW-3, OW-8).
 */
import type { Gate } from '../../model/catalogue.js';
import type { ScheduleEntry } from '../../model/schedule.js';
import { expiryOf, isOpen } from '../../policy/hold.js';
import { tooLateAt } from '../../policy/lateness.js';
import { type EpochMs, epochMs } from '../../time/instant.js';

/** The earliest time at which a tick for this schedule has something to do; undefined: only a change of it can bring that about. @public */
export function wakeAt(entry: ScheduleEntry, gate: Gate): EpochMs | undefined {
  const collectAt = nextCollection(entry, gate);
  const expireAt = wantsExpiry(entry) ? expiryOf(entry.schedule) : undefined;
  if (collectAt === undefined) return expireAt;
  return expireAt === undefined || collectAt < expireAt ? collectAt : expireAt;
}

function nextCollection({ schedule, pending }: ScheduleEntry, gate: Gate): EpochMs | undefined {
  const { nextDue, collectNotBefore } = schedule;
  if (nextDue === undefined || gate.isPaused || schedule.status !== 'active') return undefined;
  if (schedule.quarantine !== undefined) return undefined;
  const isFull = pending.length >= schedule.definition.declaration.maxCatchUp;
  if (schedule.isBacklogged && isFull) return tooLateAt(schedule, nextDue);
  return epochMs(Math.max(nextDue, collectNotBefore ?? nextDue));
}

function wantsExpiry({ schedule, pending }: ScheduleEntry): boolean {
  return isOpen(schedule) || pending.some(({ status }) => status === 'queued' || status === 'retrying');
}
