/**
 * Controls of an existing schedule: pause, resume, cancel, delete, trigger, rerun, stop, resolve (CT-5 to CT-16).
 *
 * The core decides on the newest state; here the arguments are checked, and what is about an occurrence is looked up.
 */
import { toWire } from '../../../codec/rows.js';
import { foldId } from '../../../core/model/catalogue.js';
import type { Control } from '../../../core/model/input.js';
import { cutText } from '../../../core/model/limits.js';
import { manualOccurrenceId, type Occurrence } from '../../../core/model/occurrence.js';
import type { ScheduleEntry } from '../../../core/model/schedule.js';
import { isScheduleError } from '../../../errors.js';
import { ArgumentCheck } from '../arguments.js';
import type {
  CallerOptions,
  ChangeOptions,
  DeletedSchedule,
  ResolveOptions,
  ResumeOptions,
  RevisionOptions,
  StopResult,
  TriggerOptions,
  TriggerResult,
} from '../options.js';
import {
  acceptedOf,
  type ClientParts,
  type Controlled,
  callerOf,
  controlEntry,
  freshEntry,
  submitControl,
  viewOf,
} from '../parts.js';
import { type Attempt, notFoundError, refusalError } from '../refusal-error.js';
import { type OccurrenceView, occurrenceView, type ScheduleView } from '../view.js';
import { findOccurrence, findRecord } from './read.js';

/** See `Schedules.pause` and `Schedules.cancel`. @internal */
export async function hold(
  parts: ClientParts,
  kind: 'pause' | 'cancel',
  id: string,
  options: ChangeOptions,
): Promise<ScheduleView> {
  const attempt = { control: kind, scheduleId: id };
  const check = new ArgumentCheck(attempt);
  const expected = check.required(options);
  const note = check.text('note', options.note);
  check.done();
  const by = callerOf(parts, options).name;
  const control: Control = { kind, expected, by, ...(note === undefined ? {} : { note }) };
  return viewOf(parts, await controlEntry(parts, attempt, control, options));
}

/** See `Schedules.resume`. @internal */
export async function resume(parts: ClientParts, id: string, options: ResumeOptions): Promise<ScheduleView> {
  const attempt = { control: 'resume', scheduleId: id };
  const check = new ArgumentCheck(attempt);
  const expected = check.required(options);
  check.oneOf('missed', ['skip', 'runOnce', 'catchUp'], options.missed);
  check.done();
  const { missed } = options;
  const by = callerOf(parts, options).name;
  const control: Control = { kind: 'resume', expected, ...(missed === undefined ? {} : { missed }), by };
  return viewOf(parts, await controlEntry(parts, attempt, control, options));
}

/** See `Schedules.delete`. @internal */
export async function remove(parts: ClientParts, id: string, options: RevisionOptions): Promise<DeletedSchedule> {
  const attempt = { control: 'delete', scheduleId: id };
  const check = new ArgumentCheck(attempt);
  const expected = check.required(options);
  check.done();
  const control: Control = { kind: 'delete', expected, by: callerOf(parts, options).name };
  const mark = acceptedOf(await submitControl(parts, attempt, control, options))?.mark;
  if (mark === undefined) throw notFoundError(attempt, 'schedule');
  const { id: spelled, revision, deletedAt } = toWire(mark);
  return { id: spelled, revision, deletedAt };
}

/** See `Schedules.trigger`. @internal */
export async function trigger(parts: ClientParts, id: string, options: TriggerOptions): Promise<TriggerResult> {
  return request(parts, { control: 'trigger', scheduleId: id }, options);
}

/** See `Schedules.rerun`. @internal */
export async function rerun(
  parts: ClientParts,
  id: string,
  occurrence: string,
  options: TriggerOptions,
): Promise<TriggerResult> {
  const attempt = { control: 'rerun', scheduleId: id, occurrence };
  const check = new ArgumentCheck(attempt);
  check.requestId(options.requestId);
  check.done();
  const entry = await freshEntry(parts, attempt, options);
  if (!isRequestKnown(parts, entry, options.requestId)) {
    const { status } = await findOccurrence(parts, attempt, entry, occurrence, options);
    if (status !== 'failed' && status !== 'interrupted') {
      throw refusalError(attempt, { code: 'notApplicable', control: 'rerun', status });
    }
  }
  return request(parts, attempt, options);
}

async function request(parts: ClientParts, attempt: Attempt, options: TriggerOptions): Promise<TriggerResult> {
  const check = new ArgumentCheck(attempt);
  const expected = check.expected(options);
  check.requestId(options.requestId);
  check.done();
  const { requestId } = options;
  const by = callerOf(parts, options).name;
  const control: Control = {
    kind: 'trigger',
    expected,
    requestId: requestId ?? parts.randomId(),
    isRequestKept: requestId !== undefined,
    ...(attempt.occurrence === undefined ? {} : { replaces: attempt.occurrence }),
    by,
  };
  const controlled = await submitControl(parts, attempt, control, options);
  const { entry, decision } = controlled;
  if (entry === undefined || decision.occurrence === undefined) throw notFoundError(attempt, 'schedule');
  const { occurrence } = decision;
  const admitted = acceptedOf(controlled)?.admitted ?? 'existing';
  const record = recordOf(controlled, occurrence) ?? (await findRecord(parts, entry, occurrence, options));
  const seen = record === undefined ? {} : { record: occurrenceView(record, entry.schedule) };
  return { occurrence, admitted, ...seen, schedule: viewOf(parts, entry) };
}

/** See `Schedules.stop`. @internal */
export async function stop(
  parts: ClientParts,
  id: string,
  occurrence: string,
  options: CallerOptions & Partial<RevisionOptions>,
): Promise<StopResult> {
  const attempt = { control: 'stop', scheduleId: id, occurrence };
  const check = new ArgumentCheck(attempt);
  const expected = check.expected(options);
  check.done();
  const control: Control = { kind: 'stop', expected, occurrence, by: callerOf(parts, options).name };
  const controlled = await explained(parts, attempt, submitControl(parts, attempt, control, options), options);
  const record = recordOf(controlled, occurrence);
  if (record === undefined || controlled.entry === undefined) throw notFoundError(attempt, 'occurrence');
  const { entry } = controlled;
  return { occurrence: occurrenceView(record, entry.schedule), schedule: viewOf(parts, entry) };
}

/** See `Schedules.resolve`. @internal */
export async function resolve(
  parts: ClientParts,
  id: string,
  occurrence: string,
  options: ResolveOptions,
): Promise<OccurrenceView> {
  const attempt = { control: 'resolve', scheduleId: id, occurrence };
  const check = new ArgumentCheck(attempt);
  const expected = check.expected(options);
  check.oneOf('verdict', ['done', 'notDone', 'unknown'], options.verdict ?? ('' as 'done'));
  check.text('note', options.note ?? (null as never));
  check.done();
  const by = callerOf(parts, options).name;
  const verdict = { verdict: options.verdict, note: cutText(options.note), by, at: parts.clock.now() };
  const control: Control = { kind: 'resolve', expected, occurrence, verdict };
  const submitted = submitControl(parts, attempt, control, options);
  const { entry } = await explained(parts, attempt, submitted, options);
  if (entry === undefined) throw notFoundError(attempt, 'schedule');
  const record = await findOccurrence(parts, attempt, entry, occurrence, options);
  return occurrenceView({ ...record, verdict }, entry.schedule);
}

/** Says more than `not found` where the occurrence is there and its status is what does not fit. */
async function explained(
  parts: ClientParts,
  attempt: Attempt & { readonly occurrence: string },
  submitted: Promise<Controlled>,
  options: CallerOptions,
): Promise<Controlled> {
  try {
    return await submitted;
  } catch (error) {
    const isMissing = isScheduleError(error, 'SCHEDULE_NOT_FOUND') && error.details['what'] === 'occurrence';
    const entry = isMissing ? parts.catalogue.entry(attempt.scheduleId) : undefined;
    const record = entry === undefined ? undefined : await findRecord(parts, entry, attempt.occurrence, options);
    if (record === undefined) throw error;
    if (attempt.control === 'stop') {
      throw refusalError(attempt, { code: 'notApplicable', control: 'stop', status: record.status });
    }
    const status = record.status === 'interrupted' ? 'resolved' : record.status;
    throw refusalError(attempt, { code: 'notApplicable', control: 'resolve', status });
  }
}

/** The record of an occurrence as a control left it. */
function recordOf(controlled: Controlled, id: string): Occurrence | undefined {
  const { entry } = controlled;
  const ended = acceptedOf(controlled)?.ended ?? [];
  return [...(entry?.pending ?? []), ...ended].find((occurrence) => occurrence.id === id);
}

/** Whether a request id was used already in this revision: then it answers before anything else is looked at (OC-1). */
function isRequestKnown({ catalogue }: ClientParts, { schedule, pending }: ScheduleEntry, requestId?: string): boolean {
  if (requestId === undefined) return false;
  const id = foldId(manualOccurrenceId(schedule.id, schedule.revision, requestId));
  const isKept = catalogue.existing(schedule.id, requestId) !== undefined;
  return isKept || pending.some((occurrence) => foldId(occurrence.id) === id);
}
