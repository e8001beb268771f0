/**
 * When a schedule wants a tick: the key of the owner's heap, so that an idle owner looks at no schedule (OW-3, OW-8).
 */
import type { Gate } from '../../model/catalogue.js';
import { LIMITS } from '../../model/limits.js';
import type { Schedule, ScheduleEntry } from '../../model/schedule.js';
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
  if (schedule.isBacklogged && pending.length >= mostPending(schedule)) return tooLateAt(schedule, nextDue);
  return epochMs(Math.max(nextDue, collectNotBefore ?? nextDue));
}

/** How many may be pending before collection waits for the end of one (MF-3, OV-2). */
function mostPending({ resume, definition: { declaration } }: Schedule): number {
  const isCatchingUp = (resume?.missed ?? declaration.misfire) === 'catchUp';
  return isCatchingUp ? declaration.maxCatchUp : LIMITS.pendingPerSchedule.max;
}

function wantsExpiry({ schedule, pending }: ScheduleEntry): boolean {
  return isOpen(schedule) || pending.some(({ status }) => status === 'queued' || status === 'retrying');
}
