/**
 * The pure rules that the runtime asks: one object, so that a test of the machinery can bring rules of its own.
 *
 * The runtime decides nothing by itself. What may happen to a schedule, when it has to be looked at, what is to be
 * dispatched next and what is worth telling are answers of the core.
 */
import type { Gate } from '../core/model/catalogue.js';
import type { Accepted, Decision, DecisionContext, Input } from '../core/model/input.js';
import type { Occurrence } from '../core/model/occurrence.js';
import type { ScheduleEntry } from '../core/model/schedule.js';
import { type KeyHold, keyHolds } from '../core/policy/hold.js';
import type { EpochMs } from '../core/time/instant.js';
import { announce } from '../core/transition/announce.js';
import { decide } from '../core/transition/decide.js';
import { compareDispatch, readyAt, readyOccurrence } from '../core/transition/owner/dispatch-order.js';
import { wakeAt } from '../core/transition/owner/wake.js';
import type { ScheduleEvent } from '../ports/observer.js';

/** What the core answers; each member is a pure function. @internal */
export interface Rules {
  /** The next state, or why there is none. */
  decide(context: DecisionContext, input: Input, now: EpochMs): Decision;
  /** Earliest time at which a tick has something to do for it; undefined: only a change can wake it. */
  wakeAt(entry: ScheduleEntry, gate: Gate): EpochMs | undefined;
  /** Its next claimable occurrence. */
  readyOccurrence(entry: ScheduleEntry, gate: Gate, now: EpochMs): Occurrence | undefined;
  /** When its first waiting retry may start, held ones left out. */
  readyAt(entry: ScheduleEntry, gate: Gate): EpochMs | undefined;
  /** Order of dispatch between schedules. */
  compareDispatch(a: ScheduleEntry, b: ScheduleEntry): number;
  /** The keys that it contributes to the key table. */
  keyHolds(entry: ScheduleEntry, gate: Gate): readonly KeyHold[];
  /** Events that follow from what changed. */
  announce(before: ScheduleEntry | undefined, accepted: Accepted, at: EpochMs): readonly ScheduleEvent[];
}

/** The rules of the core. @internal */
export const CORE_RULES: Rules = {
  decide,
  wakeAt,
  readyOccurrence,
  readyAt,
  compareDispatch,
  keyHolds,
  announce,
};
