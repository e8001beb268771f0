/**
 * `given(state).when(input, at)`: the decisions of the core, told as examples.
 *
 * Each step hands its state on to the next one, as a store would between two commits, so that a test reads as the life of
 * a schedule. What was expected and did not come is an `AssertionError` that shows what came.
 */
import { AssertionError } from 'node:assert';
import { type DeletedMark, foldId } from '../core/model/catalogue.js';
import type { Accepted, Decision, DecisionContext, Input, Refusal } from '../core/model/input.js';
import { manualOccurrenceId, type Occurrence } from '../core/model/occurrence.js';
import type { ScheduleEntry } from '../core/model/schedule.js';
import { type EpochMs, epochMs, type InstantInput, toEpochMs } from '../core/time/instant.js';
import { runtimeZoneData } from '../core/time/zones.js';
import { decide } from '../core/transition/decide.js';

/**
 * What stands around the schedule; where absent, an open gate, the zone data of the runtime under the version `given`, no
 * calendars, and no other work under its key.
 *
 * @public
 */
export type Surroundings = Partial<Omit<DecisionContext, 'entry'>>;

/** A state from which something can happen. @public */
export interface Given {
  /** The schedule; absent where none exists. */
  readonly entry: ScheduleEntry | undefined;
  /** Decides about one input at an instant, given as text, date or epoch milliseconds. */
  when(input: Input, at: InstantInput | EpochMs): Decided;
  /** The same state in other surroundings. */
  amid(surroundings: Surroundings): Given;
}

/** What became of an input, and the state after it; a declined input leaves the state as it was. @public */
export interface Decided extends Given {
  /** The answer of the core. */
  readonly decision: Decision;
  /** Hands the answer to a check, and goes on. */
  expect(check: (decision: Decision) => void): Decided;
  /** The answer, which must be an acceptance. */
  accepted(): Accepted;
  /** The refusal, which the answer must be. */
  refused(): Refusal;
  /** Goes on, where the answer is that nothing changes. */
  unchanged(): Decided;
}

/** A state: a schedule with its pending work, or none, in its surroundings. @public */
export function given(entry?: ScheduleEntry, surroundings: Surroundings = {}): Given {
  return stateOf(entry, surroundings, keptIn(entry?.pending ?? []));
}

/** By folded id the manual occurrences whose request ids a store would keep (OC-1). */
type Kept = ReadonlyMap<string, string>;

function stateOf(entry: ScheduleEntry | undefined, around: Surroundings, kept: Kept): Given {
  return {
    entry,
    when: (input, at) => decided({ entry, around, kept }, input, instantOf(at)),
    amid: (more) => stateOf(entry, { ...around, ...more }, kept),
  };
}

interface State {
  readonly entry: ScheduleEntry | undefined;
  readonly around: Surroundings;
  readonly kept: Kept;
}

function decided({ entry, around, kept }: State, input: Input, now: EpochMs): Decided {
  const decision = decide(contextOf({ entry, around, kept }, input), input, now);
  const next = decision.kind === 'accepted' ? decision.entry : entry;
  const mark = decision.kind === 'accepted' ? markAfter(decision, around.mark) : around.mark;
  const { mark: _, ...rest } = around;
  const made = decision.kind === 'accepted' ? keptIn([...decision.ended, ...(next?.pending ?? [])]) : [];
  const it: Decided = {
    ...stateOf(next, mark === undefined ? rest : { ...rest, mark }, new Map([...kept, ...made])),
    decision,
    expect: (check) => {
      check(decision);
      return it;
    },
    accepted: () => (decision.kind === 'accepted' ? decision : unexpected('accepted', input, decision)),
    refused: () => (decision.kind === 'refused' ? decision.refusal : unexpected('refused', input, decision)),
    unchanged: () => (decision.kind === 'unchanged' ? it : unexpected('unchanged', input, decision)),
  };
  return it;
}

const ZONE_DATA = runtimeZoneData('given');

function contextOf({ entry, around, kept }: State, input: Input): DecisionContext {
  const calm = { gate: { isPaused: false }, zoneData: ZONE_DATA, isKeyHeld: false };
  const { id = '', revision = 0 } = entry?.schedule ?? {};
  const request = input.kind === 'trigger' ? foldId(manualOccurrenceId(id, revision, input.requestId)) : '';
  const existing = kept.get(request);
  const found = existing === undefined ? {} : { existing };
  return { ...calm, ...found, ...around, ...(entry === undefined ? {} : { entry }) };
}

function keptIn(occurrences: readonly Occurrence[]): Kept {
  return new Map(occurrences.filter(({ isRequestKept }) => isRequestKept).map(({ id }) => [foldId(id), id]));
}

/** A deletion leaves its mark; a creation takes the mark away (CT-7). */
function markAfter(decision: Accepted, before: DeletedMark | undefined): DeletedMark | undefined {
  return decision.mark ?? (decision.entry === undefined ? before : undefined);
}

function instantOf(at: InstantInput | EpochMs): EpochMs {
  const instant = typeof at === 'number' ? epochMs(at) : toEpochMs(at);
  if (instant !== undefined) return instant;
  throw new AssertionError({ message: `This is no instant: ${String(at)}` });
}

function unexpected(expected: string, input: Input, decision: Decision): never {
  const message = `${input.kind} was not ${expected}: ${JSON.stringify(decision)}`;
  throw new AssertionError({ message, actual: decision.kind, expected });
}
