/**
 * What callers see: flat, readable views of schedules and occurrences, with instants as UTC text.
 *
 * A view is a copy; nothing that is done to it changes anything. It is also what every surface sends.
 */
import { plainCopy } from '../../codec/json/plain-copy.js';
import { toWire, type Wire } from '../../codec/rows.js';
import { explanationOf, lastFault } from '../../core/explain/explanation.js';
import type { OccurrenceView } from '../../core/explain/occurrence-view.js';
import { type Surroundings, waitingFor } from '../../core/explain/waiting-for.js';
import type { Gate } from '../../core/model/catalogue.js';
import type { Declaration, MisfirePolicy } from '../../core/model/declaration.js';
import type { NamedCalendar } from '../../core/model/exclusion.js';
import { isTerminal, type Occurrence, type PlanReference } from '../../core/model/occurrence.js';
import type {
  LastEnded,
  Quarantine,
  Schedule,
  ScheduleEntry,
  ScheduleStatus,
  StatusNote,
  TakenSpan,
} from '../../core/model/schedule.js';
import type { Trigger } from '../../core/model/trigger.js';
import { expiryOf, isOpen, statusAt } from '../../core/policy/hold.js';
import { latenessMs } from '../../core/policy/lateness.js';
import type { EpochMs } from '../../core/time/instant.js';

export type { OccurrenceView } from '../../core/explain/occurrence-view.js';

/** The gate as callers see it. @public */
export type GateView = Wire<Gate>;

/** A named calendar of the catalogue (DE-12). @public */
export interface CalendarView extends NamedCalendar {
  /** Its name: what `exclude.calendar` of a declaration says. */
  readonly name: string;
  /** Ids of the schedules whose declaration names it, in order. */
  readonly usedBy: readonly string[];
}

/** Skips in a row at which the schedule carries a mark (CT-16). @public */
export const SKIP_MARKS = [3, 10, 100] as const;

/** What a person should look at (CT-16). @public */
export interface AttentionMarks {
  /** The highest of {@link SKIP_MARKS} that the skips in a row have reached; absent below the least. */
  readonly skipsInRow?: (typeof SKIP_MARKS)[number];
  /**
   * The first and the last due instant ahead that were recorded while the clock was ahead, as UTC text: none of them runs, and
   * `nextDue` lies behind them (CO-6). Trigger it by hand, or register it under another id.
   */
  readonly recordedAhead?: { readonly from: string; readonly until: string };
  /** Interrupted occurrences that nobody has resolved yet, oldest first. */
  readonly unresolved: readonly string[];
}

/** A schedule as callers see it. @public */
export interface ScheduleView {
  /** As spelled at its creation. */
  readonly id: string;
  /** What it is for. */
  readonly objective: string;
  /** As of the time of the call: past its `expiresAt` it is `expired`, recorded or not (EX-1). See {@link CONTROLS_BY_STATUS}. */
  readonly status: ScheduleStatus;
  /** Why it has this status, where it is not simply active. */
  readonly statusNote?: Wire<StatusNote>;
  /** Give it back with update, pause, resume, cancel and delete (CT-2). */
  readonly revision: number;
  /** Counts every accepted control (CT-2). */
  readonly version: number;
  /**
   * The next instant to be collected, by the calendars of the catalogue and the zone data of this process as they are now;
   * absent where none is left, and while it is cancelled or expired.
   */
  readonly nextDue?: string;
  /** Occurrences of this revision that count against `maxOccurrences`. */
  readonly spent: number;
  /** How many are left of `maxOccurrences` (TB-4). */
  readonly left: number | 'unlimited';
  /** When it is due. */
  readonly trigger: Trigger;
  /** Free texts of its author. */
  readonly labels: Readonly<Record<string, string>>;
  /** Providers that its plan may use. */
  readonly allowedProviders: readonly string[];
  /** The whole declaration with its defaults filled in, without the document. */
  readonly declaration: Declaration;
  /** Digest of the pinned document. */
  readonly documentDigest: string;
  /** The document's `version` text. */
  readonly documentKind: string;
  /** The plan of the registration; absent where planning was deferred. */
  readonly plan?: PlanReference;
  /** Who registered this revision. */
  readonly caller: string;
  /** When this revision was registered. */
  readonly registeredAt: string;
  /** When it was created. */
  readonly createdAt: string;
  /** How many occurrences are queued, running or waiting for another attempt. */
  readonly pendingCount: number;
  /** Those that run now. */
  readonly running: readonly string[];
  /** How the last ended occurrence ended. */
  readonly lastEnded?: Wire<LastEnded>;
  /** The last occurrence that succeeded. */
  readonly lastSuccess?: Wire<NonNullable<Schedule['lastSuccess']>>;
  /** Failures since the last success. */
  readonly failuresInRow: number;
  /** Skips since the last occurrence that ran. */
  readonly skipsInRow: number;
  /** Present while nothing may be collected or dispatched for it (CT-15). */
  readonly quarantine?: Wire<Quarantine>;
  /** What a resume still owes (CT-5). */
  readonly resume?: { readonly missed: MisfirePolicy; readonly until: string };
  /** What a person should look at. */
  readonly marks: AttentionMarks;
  /** Version of the zone data under which `nextDue` was computed, where an owner has noted it (TR-10). */
  readonly zoneData?: string;
  /** Digest of the named calendar under which `nextDue` was computed; absent where the declaration names none (DE-12). */
  readonly calendarDigest?: string;
}

/** The view of a schedule at a time; `ahead` as {@link AttentionMarks.recordedAhead} has it. @internal */
export function scheduleView(entry: ScheduleEntry, now: EpochMs, ahead?: TakenSpan): ScheduleView {
  const { schedule, pending } = entry;
  const { definition, held: _h, collectedThrough: _c, lastClaim: _l, ...rest } = schedule;
  const declaration = plainCopy(definition.declaration);
  const status = statusAt(schedule, now);
  const wire = toWire({ ...rest, ...expiryNote(schedule, status) });
  const { plan, registeredAt } = toWire(definition);
  return {
    id: schedule.id,
    objective: declaration.objective,
    status,
    revision: schedule.revision,
    version: schedule.version,
    ...pick(wire, ['statusNote', 'lastEnded', 'lastSuccess', 'quarantine', 'resume', 'zoneData', 'calendarDigest']),
    ...(isOpen({ status }) ? pick(wire, ['nextDue']) : {}),
    spent: schedule.spent,
    left: left(schedule),
    trigger: declaration.trigger,
    labels: declaration.labels,
    allowedProviders: declaration.allowedProviders,
    declaration,
    ...pick(definition, ['documentDigest', 'documentKind', 'caller']),
    ...(plan === undefined ? {} : { plan }),
    registeredAt,
    createdAt: wire.createdAt,
    pendingCount: pending.length,
    running: pending.filter(({ status }) => status === 'running').map(({ id }) => id),
    failuresInRow: schedule.failuresInRow,
    skipsInRow: schedule.skipsInRow,
    marks: attention(schedule, ahead),
  };
}

/** The view of an occurrence; `schedule` is absent where it is not known any more. @internal */
export function occurrenceView(occurrence: Occurrence, schedule: Schedule | undefined): OccurrenceView {
  const { firstClaimedAt } = occurrence;
  const fault = lastFault(occurrence);
  const explanation = explanationOf(occurrence);
  return {
    ...toWire(occurrence),
    ...(firstClaimedAt === undefined ? {} : { latenessMs: latenessOf(occurrence, schedule, firstClaimedAt) }),
    ...(fault === undefined ? {} : { fault: plainCopy(fault) }),
    ...(explanation === undefined ? {} : { explanation }),
  };
}

/** The view of an occurrence that is pending, where it is, with what it waits for. @internal */
export function pendingView(occurrence: Occurrence, around: Surroundings): OccurrenceView {
  const view = occurrenceView(occurrence, around.schedule);
  const waits = isTerminal(occurrence.status) ? undefined : waitingFor(occurrence, around);
  return waits === undefined ? view : { ...view, waitingFor: toWire(waits) };
}

/** What was registered with an older revision is not known any more: its lateness counts from the due instant. */
function latenessOf({ revision, dueAt }: Occurrence, schedule: Schedule | undefined, claimedAt: EpochMs): number {
  return revision === schedule?.revision ? latenessMs(schedule, dueAt, claimedAt) : Math.max(0, claimedAt - dueAt);
}

/** Whether a person should look at a schedule: failures in a row, a quarantine, unresolved interruptions. @internal */
export function isFailing(schedule: Schedule): boolean {
  return schedule.failuresInRow > 0 || schedule.quarantine !== undefined || schedule.unresolved.length > 0;
}

/** Why it is expired, where no owner has recorded that yet (EX-1). */
function expiryNote(schedule: Schedule, status: ScheduleStatus): { readonly statusNote?: StatusNote } {
  const at = expiryOf(schedule);
  if (status === schedule.status || at === undefined) return {};
  return { statusNote: { reason: 'expired', by: 'owner', at } };
}

function left({ definition, spent }: Schedule): number | 'unlimited' {
  const { maxOccurrences } = definition.declaration;
  return maxOccurrences === 'unlimited' ? 'unlimited' : Math.max(0, maxOccurrences - spent);
}

function attention({ skipsInRow, unresolved }: Schedule, ahead: TakenSpan | undefined): AttentionMarks {
  const reached = SKIP_MARKS.filter((mark) => skipsInRow >= mark).at(-1);
  return {
    ...(reached === undefined ? {} : { skipsInRow: reached }),
    ...(ahead === undefined ? {} : { recordedAhead: toWire(ahead) }),
    unresolved: [...unresolved],
  };
}

/** Some members of an object; those that are absent stay absent. */
function pick<T extends object, K extends keyof T>(from: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]])) as Pick<
    T,
    K
  >;
}
