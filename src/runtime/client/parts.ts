/**
 * What the files of the client share: the parts that it works with, and the one way in which it submits a control.
 */
import { refuseUnknownOptions, unknownOptions } from '../../codec/json/option-names.js';
import { plainCopy } from '../../codec/json/plain-copy.js';
import type { Accepted, Control, Decision } from '../../core/model/input.js';
import { cutText } from '../../core/model/limits.js';
import type { ScheduleEntry, TakenSpan } from '../../core/model/schedule.js';
import type { EpochMs } from '../../core/time/instant.js';
import type { ZoneData } from '../../core/time/zone-data.js';
import { withSourcesFollowed } from '../../core/transition/due-basis.js';
import { recordedAhead } from '../../core/transition/recorded-ahead.js';
import { ScheduleError } from '../../errors.js';
import type { Clock } from '../../ports/clock.js';
import type { ExecutionService } from '../../ports/execution-service.js';
import type { CallOptions } from '../../ports/schedule-store.js';
import type { Workspace } from '../../ports/workspace.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import { isClockFollowed } from '../clock/clock-stops.js';
import type { Committer, SubmitOptions } from '../commit/commit.js';
import type { EventHub } from '../events.js';
import type { Owner } from '../owner/owner.js';
import type { OwnerOptions } from '../owner/owner-parts.js';
import { CALLER_NAMES } from './checked-call.js';
import type { Caller, CallerOptions } from './options.js';
import { type Attempt, notFoundError, refusalError } from './refusal-error.js';
import { type ScheduleView, scheduleView } from './view.js';

/** Parts of a client; an owner of the same process shares catalogue, committer and events. @internal */
export interface ClientParts {
  readonly workspace: Workspace;
  readonly execution?: ExecutionService;
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  readonly committer: Committer;
  readonly events: EventHub;
  /** The zone data of this process (TR-10). */
  readonly zoneData: ZoneData;
  /** On whose behalf calls are made that name nobody else. */
  readonly caller: Caller;
  /** 1..64 lower-case letters and digits, never the same twice. */
  readonly randomId: () => string;
  /** Makes the owner of this process. */
  readonly newOwner: (options: OwnerOptions) => Owner;
  /** Stops the owners of this process in order, and lets none begin any more. */
  readonly stopOwners: () => Promise<void>;
}

/** A control that took effect, or changed nothing because it had taken effect already. @internal */
export interface Controlled {
  /** The decision; never a refusal. */
  readonly decision: Exclude<Decision, { kind: 'refused' }>;
  /** The schedule after it; absent once it is deleted. */
  readonly entry?: ScheduleEntry;
}

/** Submits a control and throws its refusal as an error. @internal */
export async function submitControl(
  parts: ClientParts,
  attempt: Attempt,
  control: Control,
  options: CallerOptions & Pick<SubmitOptions, 'documents'>,
): Promise<Controlled> {
  const { documents } = options;
  const { decision, entry } = await parts.committer.submit(attempt.scheduleId, control, {
    actor: callerOf(parts, options).name,
    ...callOf(options),
    ...(documents === undefined ? {} : { documents }),
  });
  if (decision.kind === 'refused') throw refusalError(attempt, decision.refusal);
  return entry === undefined ? { decision } : { decision, entry };
}

/** Submits a control of a schedule that stays, and returns it. @internal */
export async function controlEntry(
  parts: ClientParts,
  attempt: Attempt,
  control: Control,
  options: CallerOptions & Pick<SubmitOptions, 'documents'>,
): Promise<ScheduleEntry> {
  const { entry } = await submitControl(parts, attempt, control, options);
  if (entry === undefined) throw notFoundError(attempt, 'schedule');
  return entry;
}

/** The caller of a call; one without a name is the host's fault: `SCHEDULE_CONFIG_INVALID`. @internal */
export function callerOf(parts: ClientParts, options: CallerOptions): Caller {
  const caller = options.caller === undefined ? parts.caller : options.caller;
  refuseBadCaller(caller);
  return { ...plainCopy(caller), name: cutText(caller.name) };
}

/** Refuses a caller without a name, or whose providers are no list of names, with `SCHEDULE_CONFIG_INVALID` (DE-6). @internal */
export function refuseBadCaller(caller: Caller | null): void {
  const { name, providers }: { name?: unknown; providers?: unknown } = caller ?? {};
  if (typeof name !== 'string' || name === '') {
    throw badCaller('a call was made for a caller without a name', {
      path: 'caller.name',
      message: 'must be text that names the caller',
    });
  }
  refuseUnknownOptions(
    `a call was made for the caller "${cutText(name)}"`,
    unknownOptions(caller, CALLER_NAMES, 'caller'),
  );
  const isList = Array.isArray(providers) && providers.every((provider) => typeof provider === 'string');
  if (providers === undefined || isList) return;
  throw badCaller(`the providers of the caller "${cutText(name)}" are no list of names`, {
    path: 'caller.providers',
    message: 'must be a list of provider names; absent: every configured one',
  });
}

function badCaller(message: string, issue: { readonly path: string; readonly message: string }): ScheduleError {
  return new ScheduleError('SCHEDULE_CONFIG_INVALID', message, {
    details: { issues: [{ ...issue, rule: 'DE-6' }] },
    hint: 'A caller is { name, providers? }, given by the host: its name is kept with what the call changes.',
  });
}

/** The signal of a call, and nothing else of its options. @internal */
export function callOf({ signal }: CallOptions): CallOptions {
  return signal === undefined ? {} : { signal };
}

/** The schedule as of now, or `SCHEDULE_NOT_FOUND`. @internal */
export async function freshEntry(parts: ClientParts, attempt: Attempt, options: CallOptions): Promise<ScheduleEntry> {
  await parts.catalogue.refresh(callOf(options));
  const entry = parts.catalogue.entry(attempt.scheduleId);
  if (entry === undefined) throw notFoundError(attempt, 'schedule');
  return entry;
}

/**
 * An entry with the next due instant that holds now: after an edit of a calendar, or under other zone data, an owner has
 * yet to record it (DE-12, TR-10). @internal
 */
export function currentEntry({ catalogue, zoneData }: ClientParts, entry: ScheduleEntry): ScheduleEntry {
  const { calendars = {} } = catalogue.row;
  const schedule = withSourcesFollowed(entry.schedule, { zoneData, calendars });
  return schedule === entry.schedule ? entry : { ...entry, schedule };
}

/**
 * Due instants ahead that nothing runs for any more. Unknown, and not told, while the clock is behind or the schedule has yet to
 * follow its acceptance: then nobody has looked which ones these are (CO-6). @internal
 */
export function aheadOf(
  { catalogue, zoneData }: ClientParts,
  { schedule }: ScheduleEntry,
  now: EpochMs,
): TakenSpan | undefined {
  if (!isClockFollowed(catalogue, schedule, now)) return undefined;
  return recordedAhead(schedule, { zoneData, calendars: catalogue.row.calendars ?? {} }, now);
}

/** The view of a schedule as of now. @internal */
export function viewOf(parts: ClientParts, entry: ScheduleEntry): ScheduleView {
  const now = parts.clock.now();
  return scheduleView(currentEntry(parts, entry), now, aheadOf(parts, entry, now));
}

/** The facts of a decision that was accepted; undefined where nothing changed. @internal */
export function acceptedOf({ decision }: Controlled): Accepted | undefined {
  return decision.kind === 'accepted' ? decision : undefined;
}
