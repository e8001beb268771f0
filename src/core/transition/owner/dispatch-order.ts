/**
 * Dispatch: which occurrence is next, and its claim (OC-2, OC-3, MF-5).
 *
 * Among schedules the one whose last claim is oldest comes first; within a schedule the due instant, the admission and
 * the id decide.
 */
import type { Gate } from '../../model/catalogue.js';
import type { Decision, DecisionContext, OwnerInput } from '../../model/input.js';
import type { Occurrence } from '../../model/occurrence.js';
import type { ScheduleEntry } from '../../model/schedule.js';
import { isAhead, isHeld, isPastExpiry, type KeyHold } from '../../policy/hold.js';
import { isTooLate } from '../../policy/lateness.js';
import type { EpochMs } from '../../time/instant.js';
import { accept, draftOf, end, put, set, without } from '../draft.js';

type Claim = Extract<OwnerInput, { kind: 'claim' }>;

/** The next occurrence of a schedule that may be claimed at `now`, as far as its key is held elsewhere left aside; undefined where none may. @public */
export function readyOccurrence(entry: ScheduleEntry, gate: Gate, now: EpochMs): Occurrence | undefined {
  if (isPastExpiry(entry.schedule, now)) return undefined;
  const active = activeOf(entry, gate);
  let first: Occurrence | undefined;
  for (const occurrence of entry.pending) {
    if (!isReady(entry, occurrence, gate, now) || isBehind(occurrence, active)) continue;
    if (first === undefined || compareWithin(occurrence, first) < 0) first = occurrence;
  }
  return first;
}

/** When the first waiting retry of a schedule may start, held ones left out; undefined where none waits. @public */
export function readyAt(entry: ScheduleEntry, gate: Gate): EpochMs | undefined {
  let at: EpochMs | undefined;
  for (const occurrence of entry.pending) {
    const { retryAt } = occurrence;
    if (retryAt === undefined || isHeld(entry.schedule, occurrence, gate)) continue;
    if (at === undefined || retryAt < at) at = retryAt;
  }
  return at;
}

/** Order of schedules with ready work: the last claim that is oldest first, then the id (OC-2). @public */
export function compareDispatch(a: ScheduleEntry, b: ScheduleEntry): number {
  return a.schedule.lastClaim - b.schedule.lastClaim || compareText(a.schedule.id, b.schedule.id);
}

function compareWithin(a: Occurrence, b: Occurrence): number {
  return a.dueAt - b.dueAt || a.admittedAt - b.admittedAt || compareText(a.id, b.id);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function isReady(entry: ScheduleEntry, occurrence: Occurrence, gate: Gate, now: EpochMs): boolean {
  const isWaiting = occurrence.status === 'retrying' && (occurrence.retryAt ?? now) <= now;
  return (occurrence.status === 'queued' || isWaiting) && !isHeld(entry.schedule, occurrence, gate);
}

/** What runs or waits unheld for another attempt. */
function activeOf(entry: ScheduleEntry, gate: Gate): readonly Occurrence[] {
  return entry.pending.filter(
    (occurrence) => occurrence.status !== 'queued' && !isHeld(entry.schedule, occurrence, gate),
  );
}

/** Whether another occurrence of the same schedule holds the key of this one (OC-2). */
function isBehind(occurrence: Occurrence, active: readonly Occurrence[]): boolean {
  const { id, concurrencyKey } = occurrence;
  return active.some(
    (other) => other.id !== id && other.concurrencyKey === concurrencyKey && isAhead(waitOf(other), waitOf(occurrence)),
  );
}

function waitOf({ id, retryAt }: Occurrence): Pick<KeyHold, 'occurrence' | 'retryAt'> {
  return retryAt === undefined ? { occurrence: id } : { occurrence: id, retryAt };
}

/** Claims an occurrence, or records that it is too late for its first claim (OC-3, MF-5). @internal */
export function claim(context: DecisionContext, entry: ScheduleEntry, input: Claim, now: EpochMs): Decision {
  const { schedule, pending } = entry;
  const occurrence = pending.find(({ id }) => id === input.occurrence);
  if (occurrence === undefined) return stale('it is not pending');
  if (isPastExpiry(schedule, now)) return stale('the schedule is past its expiry');
  const readyBy = input.isWaitOver === true ? (occurrence.retryAt ?? now) : now;
  if (!isReady(entry, occurrence, context.gate, readyBy)) return stale(`it is ${occurrence.status} or held`);
  const isOwnActive = isBehind(occurrence, activeOf(entry, context.gate));
  if (isOwnActive || context.isKeyHeld) return stale('its concurrency key is held');
  const draft = draftOf(context, entry);
  const isFirst = occurrence.firstClaimedAt === undefined;
  if (isFirst && occurrence.origin === 'trigger' && isTooLate(schedule, occurrence.dueAt, now)) {
    end(draft, occurrence, { status: 'skipped', reason: 'tooLate' }, now);
    return accept(draft, now, { occurrence: occurrence.id });
  }
  put(draft, {
    ...without(occurrence, 'retryAt'),
    status: 'running',
    firstClaimedAt: occurrence.firstClaimedAt ?? now,
    claim: {
      attempt: occurrence.attempts.length + 1,
      epoch: input.epoch,
      claimedAt: now,
      hasWorkspace: input.hasWorkspace,
    },
  });
  set(draft, { lastClaim: input.order });
  return accept(draft, now, { occurrence: occurrence.id });
}

function stale(found: string): Decision {
  return { kind: 'refused', refusal: { code: 'stale', found } };
}
