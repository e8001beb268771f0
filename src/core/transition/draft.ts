/**
 * A draft: the one mutable thing of a decision, made from an entry and turned into an accepted decision at its end.
 *
 * It keeps the bookkeeping that every ending shares in one place (last ended, failures and skips in a row, unresolved
 * interruptions) and the completion of a spent schedule. It never leaves the decision that made it.
 */
import type { Accepted, Notice } from '../model/input.js';
import type { Occurrence } from '../model/occurrence.js';
import type { HeldSpan, Schedule, ScheduleEntry, StatusNote } from '../model/schedule.js';
import { occurrencesLeft } from '../policy/trigger-budget.js';
import type { EpochMs } from '../time/instant.js';
import { type DueSources, withoutCalendar } from './trigger-of.js';

/** Skips in a row that are worth an event (CT-16). */
const SKIPS_TOLD: readonly number[] = [3, 10, 100];

/** Unresolved interruptions that a schedule keeps in mind, the newest; its row is written by every commit of it. */
const UNRESOLVED_KEPT = 1000;

/** Spans kept to explain what was missed. */
const SPANS_KEPT = 8;

/** Fields of a schedule that a step may take away. */
type Clearable =
  | 'nextDue'
  | 'calendarDigest'
  | 'resume'
  | 'statusNote'
  | 'quarantine'
  | 'collectNotBefore'
  | 'isBacklogged'
  | 'isBudgetNoticed'
  | 'taken';

/** See the head of this file. @internal */
export interface Draft {
  readonly sources: DueSources;
  schedule: Schedule;
  pending: Occurrence[];
  readonly ended: Occurrence[];
  readonly notices: Notice[];
}

/** A draft of an entry; `sources` say what its due instants are computed with. @internal */
export function draftOf(sources: DueSources, entry: ScheduleEntry): Draft {
  return { sources, schedule: entry.schedule, pending: [...entry.pending], ended: [], notices: [] };
}

/** Sets fields of the schedule. @internal */
export function set(draft: Draft, fields: Partial<Schedule>): void {
  draft.schedule = { ...draft.schedule, ...fields };
}

/** Takes fields away from the schedule. @internal */
export function clear(draft: Draft, ...fields: readonly Clearable[]): void {
  draft.schedule = without(draft.schedule, ...fields) as Schedule;
}

/** The same without some of its members; itself where it has none of them. @internal */
export function without<T extends object, K extends keyof T>(value: T, ...names: readonly K[]): Omit<T, K> {
  if (!names.some((name) => value[name] !== undefined)) return value;
  const rest: Partial<T> = {};
  for (const name in value) {
    if (!(names as readonly (keyof T)[]).includes(name)) rest[name] = value[name];
  }
  return rest as Omit<T, K>;
}

/** An optional field as an object to spread: nothing where it is undefined. @internal */
export function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };
}

/** Puts a pending occurrence in the place of the one with its id, or behind all. @internal */
export function put(draft: Draft, occurrence: Occurrence): void {
  const at = draft.pending.findIndex(({ id }) => id === occurrence.id);
  if (at < 0) draft.pending.push(occurrence);
  else draft.pending[at] = occurrence;
}

/** What an ending says beside the status. @internal */
export type Ending = Pick<Occurrence, 'status'> &
  Partial<
    Pick<Occurrence, 'reason' | 'attempts' | 'nativeState' | 'plan' | 'isPlanChanged' | 'verification' | 'result'>
  >;

/** Ends a pending occurrence. @internal */
export function end(draft: Draft, occurrence: Occurrence, ending: Ending, now: EpochMs): void {
  draft.pending = draft.pending.filter(({ id }) => id !== occurrence.id);
  record(draft, occurrence, ending, now);
}

/** Records the end of an occurrence that is not pending, or not any more, and keeps the books of its schedule. @internal */
export function record(draft: Draft, occurrence: Occurrence, ending: Ending, now: EpochMs): void {
  const ended: Occurrence = { ...without(occurrence, 'claim', 'retryAt'), ...ending, endedAt: now };
  draft.ended.push(ended);
  if (ended.isClosing) return;
  const { id, status, reason } = ended;
  const lastEnded = { occurrence: id, status, ...optional('reason', reason), at: now };
  set(draft, { lastEnded, ...booksAfter(draft.schedule, ended, now) });
  if (status === 'failed') pauseAfterFailures(draft, now);
  const { skipsInRow: count } = draft.schedule;
  if (status === 'skipped' && SKIPS_TOLD.includes(count)) draft.notices.push({ kind: 'skipsInRow', count });
}

/** What a schedule counts and keeps in mind once one more has ended. */
function booksAfter(schedule: Schedule, { id, status, dueAt }: Occurrence, now: EpochMs): Partial<Schedule> {
  switch (status) {
    case 'succeeded':
      return { failuresInRow: 0, skipsInRow: 0, lastSuccess: { occurrence: id, dueAt, endedAt: now } };
    case 'failed':
      return { failuresInRow: schedule.failuresInRow + 1, skipsInRow: 0 };
    case 'interrupted':
      return { skipsInRow: 0, unresolved: [...schedule.unresolved, id].slice(-UNRESOLVED_KEPT) };
    case 'skipped':
      return { skipsInRow: schedule.skipsInRow + 1 };
    default:
      return {};
  }
}

function pauseAfterFailures(draft: Draft, now: EpochMs): void {
  const { schedule } = draft;
  const limit = schedule.definition.declaration.pauseAfterFailures;
  if (limit === undefined || schedule.failuresInRow < limit || schedule.status !== 'active') return;
  pause(draft, { reason: 'failuresInRow', by: 'owner', at: now });
}

/** Pauses the schedule and notes since when nothing is collected. @internal */
export function pause(draft: Draft, statusNote: StatusNote): void {
  set(draft, { status: 'paused', statusNote });
  hold(draft, { cause: 'paused', from: statusNote.at });
}

/** Notes a span in which nothing is collected. @internal */
export function hold(draft: Draft, span: HeldSpan): void {
  set(draft, { held: [...draft.schedule.held, span].slice(-SPANS_KEPT) });
}

/** Ends every open span of a cause. @internal */
export function releaseHold(draft: Draft, cause: HeldSpan['cause'], until: EpochMs): void {
  const held = draft.schedule.held.map((span) =>
    span.cause === cause && span.until === undefined ? { ...span, until } : span,
  );
  set(draft, { held });
}

/** The accepted decision of a draft: a schedule with nothing left and nothing pending is completed (TB-1, TB-2). @internal */
export function accept(draft: Draft, now: EpochMs, more: Partial<Accepted> = {}): Accepted {
  complete(draft, now);
  return {
    kind: 'accepted',
    entry: { schedule: draft.schedule, pending: draft.pending },
    ended: draft.ended,
    notices: draft.notices,
    ...more,
  };
}

function complete(draft: Draft, now: EpochMs): void {
  const { schedule, pending } = draft;
  const { trigger } = schedule.definition.declaration;
  if (schedule.status !== 'active' || schedule.nextDue !== undefined || pending.length > 0) return;
  if (trigger.kind === 'manual' || schedule.quarantine !== undefined) return;
  if (occurrencesLeft(schedule) > 0 && isHeldByCalendar(draft)) return;
  const reason = occurrencesLeft(schedule) === 0 ? 'budgetSpent' : 'triggerSpent';
  set(draft, { status: 'completed', statusNote: { reason, by: 'owner', at: now } });
}

/**
 * Whether the calendar alone leaves a schedule without a next due instant: an edit made it so, and another one may bring
 * the instants back, so that nothing is spent (DE-12). What cannot be evaluated is not spent either (CO-4).
 */
function isHeldByCalendar({ schedule, sources }: Draft): boolean {
  const { definition, collectedThrough } = schedule;
  if (definition.declaration.exclude?.calendar === undefined) return false;
  const due = withoutCalendar(definition.declaration, sources);
  return !due.ok || due.value.next(collectedThrough) !== undefined;
}
