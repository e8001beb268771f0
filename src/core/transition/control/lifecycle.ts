/**
 * Controls of an existing schedule: pause, resume, cancel, delete, stop, resolve (CT-5 to CT-7, CT-11, CT-16).
 */
import type { Control, Decision, DecisionContext } from '../../model/input.js';
import type { EndRequest, Occurrence } from '../../model/occurrence.js';
import type { ScheduleEntry } from '../../model/schedule.js';
import { gateSpans, isPastExpiry } from '../../policy/hold.js';
import { type EpochMs, epochMs } from '../../time/instant.js';
import { closeCollection, endWaiting, expire } from '../closing.js';
import {
  accept,
  clear,
  type Draft,
  draftOf,
  end,
  hold,
  optional,
  pause as pauseDraft,
  put,
  releaseHold,
  set,
} from '../draft.js';
import { renewNextDue } from '../due-basis.js';
import { triggerOf } from '../trigger-of.js';

type Of<K extends Control['kind']> = Extract<Control, { kind: K }>;

function counted(context: DecisionContext, entry: ScheduleEntry): Draft {
  const draft = draftOf(context, entry);
  set(draft, { version: entry.schedule.version + 1 });
  return draft;
}

/** Stops collection and the dispatch of what the trigger made (CT-5). @internal */
export function pause(context: DecisionContext, entry: ScheduleEntry, input: Of<'pause'>, now: EpochMs): Decision {
  const draft = counted(context, entry);
  pauseDraft(draft, { reason: 'pausedByControl', by: input.by, at: now, ...optional('note', input.note) });
  return accept(draft, now);
}

/** Ends a pause, with a choice for what was missed; or checks a quarantine again (CT-5, CT-15). @internal */
export function resume(context: DecisionContext, entry: ScheduleEntry, input: Of<'resume'>, now: EpochMs): Decision {
  const { schedule } = entry;
  const draft = counted(context, entry);
  if (schedule.quarantine !== undefined) {
    const due = triggerOf(schedule.definition.declaration, context);
    if (schedule.quarantine.reason === 'unresponsive' || !due.ok) {
      return { kind: 'refused', refusal: { code: 'notApplicable', control: 'resume', status: 'quarantined' } };
    }
    clear(draft, 'quarantine');
    renewNextDue(draft, due.value, context);
    releaseHold(draft, 'quarantined', now);
    return accept(draft, now);
  }
  endBacklog(draft, now);
  clear(draft, 'statusNote');
  const missed = input.missed ?? schedule.definition.declaration.misfire;
  set(draft, { status: 'active', failuresInRow: 0, resume: { missed, until: now } });
  releaseHold(draft, 'paused', now);
  return accept(draft, now);
}

/** A resume may choose another policy than catch-up, which alone waits for its pending occurrences to end (MF-3). */
function endBacklog(draft: Draft, now: EpochMs): void {
  const { nextDue, isBacklogged } = draft.schedule;
  if (!isBacklogged || nextDue === undefined) return;
  hold(draft, { cause: 'backlog', from: nextDue, until: now });
  clear(draft, 'isBacklogged');
}

/** Ends the schedule: waiting work is cancelled, running work asked to end (CT-6). @internal */
export function cancel(context: DecisionContext, entry: ScheduleEntry, input: Of<'cancel'>, now: EpochMs): Decision {
  const draft = counted(context, entry);
  endWaiting(draft, { queued: 'cancelled', retrying: 'cancelled', reason: 'cancelled' }, now);
  for (const occurrence of draft.pending) requestEnd(draft, occurrence, 'cancelled', input.by, now);
  closeCollection(draft, context, 'cancelled', now, gateSpans(context.gate));
  const statusNote = { reason: 'cancelled', by: input.by, at: now, ...optional('note', input.note) } as const;
  set(draft, { status: 'cancelled', statusNote });
  return accept(draft, now);
}

/**
 * Removes the schedule and its history; a mark stays. A handler that does not end is work too (CT-7, OC-11); what an expiry
 * ends is none, recorded or not (EX-1).
 *
 * @internal
 */
export function remove(context: DecisionContext, entry: ScheduleEntry, now: EpochMs): Decision {
  const draft = draftOf(context, entry);
  if (isPastExpiry(entry.schedule, now)) expire(draft, context, now, []);
  const { schedule, pending } = draft;
  const unended = schedule.quarantine?.occurrence;
  const working = [...pending.map(({ id }) => id), ...(unended === undefined ? [] : [unended])];
  if (working.length > 0) return { kind: 'refused', refusal: { code: 'workPending', pending: working } };
  const { id, revision, taken = [] } = schedule;
  // The history that speaks of what a clock ahead has recorded goes too.
  const collectedThrough = epochMs(
    Math.max(schedule.collectedThrough, taken.at(-1)?.until ?? schedule.collectedThrough),
  );
  return {
    kind: 'accepted',
    ended: draft.ended,
    notices: [],
    mark: { id, revision, collectedThrough, deletedAt: now },
  };
}

/** Ends one pending occurrence; the schedule goes on (CT-11). @internal */
export function stop(context: DecisionContext, entry: ScheduleEntry, input: Of<'stop'>, now: EpochMs): Decision {
  const occurrence = entry.pending.find(({ id }) => id === input.occurrence);
  if (occurrence === undefined) return { kind: 'refused', refusal: { code: 'notFound', what: 'occurrence' } };
  if (occurrence.status !== 'running' && isPastExpiry(entry.schedule, now)) {
    return { kind: 'refused', refusal: { code: 'notApplicable', control: 'stop', status: 'pastExpiry' } };
  }
  if (occurrence.endRequest !== undefined) return { kind: 'unchanged', occurrence: occurrence.id };
  const draft = counted(context, entry);
  if (occurrence.status === 'running') requestEnd(draft, occurrence, 'stopped', input.by, now);
  else end(draft, occurrence, { status: 'cancelled', reason: 'stopped' }, now);
  return accept(draft, now, { occurrence: occurrence.id });
}

/** Puts an operator's verdict beside an interrupted occurrence (CT-16). @internal */
export function resolve(context: DecisionContext, entry: ScheduleEntry, input: Of<'resolve'>, now: EpochMs): Decision {
  const { unresolved } = entry.schedule;
  if (!unresolved.includes(input.occurrence)) {
    return { kind: 'refused', refusal: { code: 'notFound', what: 'occurrence' } };
  }
  const draft = counted(context, entry);
  set(draft, { unresolved: unresolved.filter((id) => id !== input.occurrence) });
  return accept(draft, now, {
    occurrence: input.occurrence,
    verdict: { occurrence: input.occurrence, verdict: input.verdict },
  });
}

/** Asks for the end of a running occurrence, unless that was asked already (OC-11: the first request stands). */
function requestEnd(draft: Draft, occurrence: Occurrence, reason: EndRequest['reason'], by: string, at: EpochMs): void {
  if (occurrence.status !== 'running' || occurrence.endRequest !== undefined) return;
  put(draft, { ...occurrence, endRequest: { kind: 'cancel', by, at, reason } });
}
