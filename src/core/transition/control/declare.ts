/**
 * Create and update: what makes a revision (CT-2, CT-3, CT-4, CT-7).
 */
import type { Control, Decision, DecisionContext, Refusal } from '../../model/input.js';
import type { Definition, Schedule, ScheduleEntry, TakenSpan } from '../../model/schedule.js';
import { gateSpans, isPastExpiry, statusAt } from '../../policy/hold.js';
import { type EpochMs, epochMs, parseInstant } from '../../time/instant.js';
import type { CompiledTrigger } from '../../trigger/compile.js';
import { closeCollection, endWaiting, expire } from '../closing.js';
import { accept, clear, type Draft, draftOf, optional, releaseHold, set } from '../draft.js';
import { firstUntaken, inOrder, takenBeyond } from '../taken-spans.js';
import { basisOf, triggerOf } from '../trigger-of.js';

type Create = Extract<Control, { kind: 'create' }>;
type Update = Extract<Control, { kind: 'update' }>;

const SECOND_MS = 1000;

/** Creates a schedule; an id that was used before goes on from its mark (CT-4, CT-7). @internal */
export function create(context: DecisionContext, input: Create, now: EpochMs): Decision {
  const { definition } = input;
  const { id } = definition.declaration;
  if (context.entry !== undefined) return refuse({ code: 'exists', id: context.entry.schedule.id });
  if (context.mark !== undefined && context.mark.id !== id) return refuse({ code: 'spelling', id: context.mark.id });
  const due = dueOf(context, definition, now);
  if ('code' in due) return refuse(due);
  const earliest = earliestDue(due, definition, now);
  const collectedThrough = epochMs(Math.max(earliest - 1, context.mark?.collectedThrough ?? Number.NEGATIVE_INFINITY));
  const first = firstDue(context, due, definition, collectedThrough, now);
  if ('code' in first) return refuse(first);
  const formerDueAt = context.mark?.collectedThrough;
  const schedule: Schedule = {
    id,
    revision: (context.mark?.revision ?? 0) + 1,
    version: 1,
    definition,
    createdAt: now,
    status: 'active',
    ...first,
    spent: 0,
    held: [],
    lastClaim: 0,
    failuresInRow: 0,
    skipsInRow: 0,
    unresolved: [],
    ...optional('formerDueAt', formerDueAt),
  };
  const draft = draftOf(context, { schedule, pending: [] });
  if (input.isPaused) {
    const statusNote = { reason: 'pausedByControl', by: input.by, at: now } as const;
    set(draft, { status: 'paused', statusNote, held: [{ cause: 'paused', from: now }] });
  }
  return accept(draft, now);
}

/** Replaces the declaration: a new revision, unless only words change (CT-3). @internal */
export function update(context: DecisionContext, entry: ScheduleEntry, input: Update, now: EpochMs): Decision {
  const draft = draftOf(context, entry);
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
  if (isPastExpiry(schedule, now)) expire(draft, context, now, spans);
  if (draft.pending.length > 0 && input.pending !== 'withdraw') {
    return refuse({ code: 'workPending', pending: draft.pending.map(({ id }) => id) });
  }
  const due = dueOf(context, input.definition, now);
  if ('code' in due) return refuse(due);
  const collectedThrough = epochMs(Math.max(schedule.collectedThrough, now - 1));
  const first = firstDue(context, due, input.definition, collectedThrough, now, schedule.taken);
  if ('code' in first) return refuse(first);
  const staysPaused = statusAt(schedule, now) === 'paused' && input.activate === false;
  endWaiting(draft, { queued: 'skipped', retrying: 'cancelled', reason: 'superseded' }, now);
  closeCollection(draft, context, 'superseded', now, spans, first.nextDue);
  clear(draft, 'isBudgetNoticed', 'nextDue', 'calendarDigest', 'resume', 'collectNotBefore', 'isBacklogged', 'taken');
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
    held: draft.schedule.held.filter(({ until }) => until === undefined),
    failuresInRow: 0,
    skipsInRow: 0,
    ...first,
    // What was closed at this very moment is accounted for too.
    collectedThrough: epochMs(Math.max(first.collectedThrough, draft.schedule.collectedThrough)),
  });
  return accept(draft, now);
}

/** Earliest instant that a new schedule may be due at: a one-shot may lie up to the grace in the past (CT-4). */
function earliestDue(due: CompiledTrigger, { declaration }: Definition, now: EpochMs): number {
  const { trigger, graceSeconds } = declaration;
  const at = trigger.kind === 'once' ? due.previous(now) : undefined;
  return at !== undefined && now - at <= graceSeconds * SECOND_MS ? at : now;
}

/** The due instants of a definition, or why there are none (CO-4, EX-1). */
function dueOf(context: DecisionContext, { declaration }: Definition, now: EpochMs): CompiledTrigger | Refusal {
  const { expiresAt } = declaration;
  const expiry = expiresAt === undefined ? undefined : parseInstant(expiresAt);
  if (expiry !== undefined && expiry <= now) return { code: 'expiresInPast', expiresAt: expiry };
  const result = triggerOf(declaration, context);
  return result.ok ? result.value : { code: 'triggerBroken', issues: result.issues };
}

/**
 * The first due instant after `collectedThrough` that is not taken, with what it stands on, or why there is none (TR-8, TR-10,
 * DE-12). Taken ones on the way to it are accounted for with it (CO-6).
 */
function firstDue(
  context: DecisionContext,
  due: CompiledTrigger,
  { declaration }: Definition,
  collectedThrough: EpochMs,
  now: EpochMs,
  taken: readonly TakenSpan[] = [],
): Pick<Schedule, 'nextDue' | 'zoneData' | 'calendarDigest' | 'collectedThrough' | 'taken'> | Refusal {
  const ahead = inOrder(due, taken);
  const nextDue = firstUntaken(due, ahead, epochMs(collectedThrough + 1));
  if (nextDue === undefined && declaration.trigger.kind !== 'manual') return neverDue(due, now);
  const isPassing = nextDue !== due.next(collectedThrough);
  const through = isPassing && nextDue !== undefined ? epochMs(nextDue - 1) : collectedThrough;
  return {
    ...basisOf(declaration, context),
    ...optional('nextDue', nextDue),
    collectedThrough: through,
    ...takenBeyond(ahead, through),
  };
}

function neverDue(trigger: CompiledTrigger, now: EpochMs): Refusal {
  return { code: 'neverDue', ...optional('last', trigger.previous(now + 1)) };
}

function refuse(refusal: Refusal): Decision {
  return { kind: 'refused', refusal };
}
