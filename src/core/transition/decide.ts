/**
 * The front of the core: one function that says what an input does to a schedule.
 *
 * It is total and deterministic: every pairing of state and input has an answer, and equal arguments give equal answers.
 * It waits for nothing, reads no clock and throws for nothing that can happen. The runtime commits what it answers and
 * only then acts on it.
 */
import type { Control, Decision, DecisionContext, Expected, Input, OwnerInput, Refusal } from '../model/input.js';
import { CONTROLS_BY_STATUS, type GuardedControl, type ScheduleEntry } from '../model/schedule.js';
import { isPastExpiry, statusAt } from '../policy/hold.js';
import type { EpochMs } from '../time/instant.js';
import { knowingFaults } from '../time/zone-data.js';
import { create, update } from './control/declare.js';
import { cancel, pause, remove, resolve, resume, stop } from './control/lifecycle.js';
import { existingManual, trigger } from './control/manual.js';
import { tick } from './owner/collect.js';
import { claim } from './owner/dispatch-order.js';
import { acceptClock, handlerEnded, recover } from './owner/recover.js';
import { settle } from './owner/settle.js';

/**
 * What an input does to a schedule: the next state with the records that ended, or a refusal.
 *
 * @param now - The wall clock, in milliseconds since the Unix epoch.
 * @public
 */
export function decide(context: DecisionContext, input: Input, now: EpochMs): Decision {
  const { zoneFaults = [] } = context;
  return knowingFaults((found) =>
    decided(found.length === 0 ? context : { ...context, zoneFaults: [...zoneFaults, ...found] }, input, now),
  );
}

function decided(context: DecisionContext, input: Input, now: EpochMs): Decision {
  if (input.kind === 'create') return create(context, input, now);
  const { entry } = context;
  if (entry === undefined) return refuse({ code: 'notFound', what: 'schedule' });
  return 'expected' in input ? control(context, entry, input, now) : ownerInput(context, entry, input, now);
}

type ExistingControl = Exclude<Control, { kind: 'create' }>;

function control(context: DecisionContext, entry: ScheduleEntry, input: ExistingControl, now: EpochMs): Decision {
  const existing = input.kind === 'trigger' ? existingManual(context, entry, input) : undefined;
  if (existing !== undefined) return { kind: 'unchanged', occurrence: existing };
  const refusal = whyRefused(entry, input, now);
  if (refusal !== undefined) return refuse(refusal);
  switch (input.kind) {
    case 'update':
      return update(context, entry, input, now);
    case 'pause':
      return pause(context, entry, input, now);
    case 'resume':
      return resume(context, entry, input, now);
    case 'cancel':
      return cancel(context, entry, input, now);
    case 'delete':
      return remove(context, entry, now);
    case 'trigger':
      return trigger(context, entry, input, now);
    case 'stop':
      return stop(context, entry, input, now);
    case 'resolve':
      return resolve(context, entry, input, now);
  }
}

function ownerInput(context: DecisionContext, entry: ScheduleEntry, input: OwnerInput, now: EpochMs): Decision {
  switch (input.kind) {
    case 'tick':
      return tick(context, entry, input, now);
    case 'claim':
      return claim(context, entry, input, now);
    case 'settle':
      return settle(context, entry, input, now);
    case 'recover':
      return recover(context, entry, input, now);
    case 'handlerEnded':
      return handlerEnded(context, entry, input, now);
    case 'acceptClock':
      return acceptClock(context, entry, input, now);
  }
}

/** The revision that the caller saw comes first, then what the status allows (CT-2, CT-15). */
function whyRefused(entry: ScheduleEntry, input: ExistingControl, now: EpochMs): Refusal | undefined {
  const { schedule } = entry;
  if (!isExpected(input.expected, schedule.revision, schedule.version)) {
    return { code: 'revision', given: input.expected, revision: schedule.revision, version: schedule.version };
  }
  if (input.kind === 'stop' || input.kind === 'resolve') return undefined;
  const wanted: GuardedControl = input.kind === 'trigger' && input.replaces !== undefined ? 'rerun' : input.kind;
  if (wanted === 'update' && input.kind === 'update' && input.isCosmetic) return undefined;
  if (wanted === 'trigger' || wanted === 'rerun') {
    if (isPastExpiry(schedule, now)) return { code: 'notApplicable', control: wanted, status: 'pastExpiry' };
    if (schedule.quarantine !== undefined) return { code: 'notApplicable', control: wanted, status: 'quarantined' };
  }
  const status = statusAt(schedule, now);
  const isAllowed = CONTROLS_BY_STATUS[status].includes(wanted);
  const isRecheck = wanted === 'resume' && schedule.quarantine !== undefined;
  return isAllowed || isRecheck ? undefined : { code: 'notApplicable', control: wanted, status };
}

function isExpected(expected: Expected, revision: number, version: number): boolean {
  return (expected.revision ?? revision) === revision && (expected.version ?? version) === version;
}

function refuse(refusal: Refusal): Decision {
  return { kind: 'refused', refusal };
}
