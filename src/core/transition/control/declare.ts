/**
 * Create and update: what makes a revision (CT-2, CT-3, CT-4, CT-7).
 */
import type { Control, Decision, DecisionContext, Refusal } from '../../model/input.js';
import type { Definition, Schedule, ScheduleEntry } from '../../model/schedule.js';
import { gateSpans, isPastExpiry, statusAt } from '../../policy/hold.js';
import { type EpochMs, epochMs, parseInstant } from '../../time/instant.js';
import type { CompiledTrigger } from '../../trigger/compile.js';
import { closeCollection, endWaiting, expire } from '../closing.js';
import { accept, clear, type Draft, draftOf, optional, releaseHold, set } from '../draft.js';
import { triggerOf } from '../trigger-of.js';

type Create = Extract<Control, { kind: 'create' }>;
type Update = Extract<Control, { kind: 'update' }>;

const SECOND_MS = 1000;

/** Creates a schedule; an id that was used before goes on from its mark (CT-4, CT-7). @internal */
export function create(context: DecisionContext, input: Create, now: EpochMs): Decision {
  const { definition } = input;
  const { id } = definition.declaration;
  if (context.entry !== undefined) return refuse({ code: 'exists', id: context.entry.schedule.id });
  if (context.mark !== undefined && context.mark.id !== id) return refuse({ code: 'spelling', id: context.mark.id });
  const earliest = earliestDue(definition, now);
  const collectedThrough = epochMs(Math.max(earliest - 1, context.mark?.collectedThrough ?? Number.NEGATIVE_INFINITY));
  const first = firstDue(definition, collectedThrough, now, context.zoneData);
  if ('code' in first) return refuse(first);
  const schedule: Schedule = {
    id,
    revision: (context.mark?.revision ?? 0) + 1,
    version: 1,
    definition,
    createdAt: now,
    status: 'active',
    ...first,
    collectedThrough,
    spent: 0,
    held: [],
    lastClaim: 0,
    failuresInRow: 0,
    skipsInRow: 0,
    unresolved: [],
  };
  const draft = draftOf({ schedule, pending: [] });
  if (input.isPaused) {
    const statusNote = { reason: 'pausedByControl', by: input.by, at: now } as const;
    set(draft, { status: 'paused', statusNote, held: [{ cause: 'paused', from: now }] });
  }
  return accept(draft, now);
}

/** Replaces the declaration: a new revision, unless only words change (CT-3). @internal */
export function update(context: DecisionContext, entry: ScheduleEntry, input: Update, now: EpochMs): Decision {
  const draft = draftOf(entry);
  set(draft, { version: entry.schedule.version + 1 });
  return input.isCosmetic ? reword(draft, input.definition, now) : revise(context, entry, draft, input, now);
}

function reword(draft: Draft, definition: Definition, now: EpochMs): Decision {
  const { registeredAt } = draft.schedule.definition;
  set(draft, { definition: { ...definition, registeredAt } });
  return accept(draft, now);
}

function revise(context: DecisionContext, entry: ScheduleEntry, draft: Draft, input: Update, now: EpochMs): Decision {
  const { schedule } = entry;
  const spans = gateSpans(context.gate);
  if (isPastExpiry(schedule, now)) expire(draft, now, spans);
  if (draft.pending.length > 0 && input.pending !== 'withdraw') {
    return refuse({ code: 'workPending', pending: draft.pending.map(({ id }) => id) });
  }
  const collectedThrough = epochMs(Math.max(schedule.collectedThrough, now - 1));
  const first = firstDue(input.definition, collectedThrough, now, context.zoneData);
  if ('code' in first) return refuse(first);
  const staysPaused = statusAt(schedule, now) === 'paused' && input.activate === false;
  endWaiting(draft, { queued: 'skipped', retrying: 'cancelled', reason: 'superseded' }, now);
  closeCollection(draft, 'superseded', now, spans);
  clear(draft, 'isBudgetNoticed', 'nextDue', 'resume', 'collectNotBefore', 'isBacklogged');
  if (!staysPaused) {
    clear(draft, 'statusNote');
    releaseHold(draft, 'paused', now);
  }
  if (schedule.quarantine?.reason === 'triggerBroken') {
    clear(draft, 'quarantine');
    releaseHold(draft, 'quarantined', now);
  }
  set(draft, {
    definition: input.definition,
    revision: schedule.revision + 1,
    status: staysPaused ? 'paused' : 'active',
    spent: 0,
    collectedThrough,
    held: draft.schedule.held.filter(({ until }) => until === undefined),
    failuresInRow: 0,
    skipsInRow: 0,
    ...first,
  });
  return accept(draft, now);
}

/** Earliest instant that a new schedule may be due at: a one-shot may lie up to the grace in the past (CT-4). */
function earliestDue(definition: Definition, now: EpochMs): number {
  const { trigger, graceSeconds } = definition.declaration;
  if (trigger.kind !== 'once') return now;
  const at = parseInstant(trigger.at);
  const isWithinGrace = at !== undefined && at < now && now - at <= graceSeconds * SECOND_MS;
  return isWithinGrace ? at : now;
}

/** The first due instant after `collectedThrough` with the zone data it stands on, or why there is none (TR-8, TR-10). */
function firstDue(
  definition: Definition,
  collectedThrough: EpochMs,
  now: EpochMs,
  zoneData: string,
): Pick<Schedule, 'nextDue' | 'zoneData'> | Refusal {
  const { trigger, expiresAt } = definition.declaration;
  const expiry = expiresAt === undefined ? undefined : parseInstant(expiresAt);
  if (expiry !== undefined && expiry <= now) return { code: 'expiresInPast', expiresAt: expiry };
  const result = triggerOf(trigger);
  if (!result.ok) return { code: 'triggerBroken', issues: result.issues };
  const nextDue = result.value.next(collectedThrough);
  if (nextDue === undefined && trigger.kind !== 'manual') return neverDue(result.value, now);
  return { zoneData, ...optional('nextDue', nextDue) };
}

function neverDue(trigger: CompiledTrigger, now: EpochMs): Refusal {
  return { code: 'neverDue', ...optional('last', trigger.previous(now + 1)) };
}

function refuse(refusal: Refusal): Decision {
  return { kind: 'refused', refusal };
}
