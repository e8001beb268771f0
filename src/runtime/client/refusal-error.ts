/**
 * Refusals as errors: what was attempted on what, what was found, what to do.
 *
 * The core answers with data; a caller of the client gets a {@link ScheduleError} with the same facts in its details.
 */

import type { Expected, Refusal } from '../../core/model/input.js';
import { foundText, type Issue, mendHint } from '../../core/model/issue.js';
import { CONTROLS_BY_STATUS, type ScheduleStatus } from '../../core/model/schedule.js';
import { formatInstant } from '../../core/time/instant.js';
import { ScheduleError } from '../../errors.js';

/** What was attempted. @internal */
export interface Attempt {
  /** The control, as its method is named. */
  readonly control: string;
  /** The schedule, as the caller named it. */
  readonly scheduleId: string;
  /** The occurrence, where the control is about one. */
  readonly occurrence?: string;
}

type Of<C extends Refusal['code']> = Extract<Refusal, { code: C }>;

/** The error of a refusal. @internal */
export function refusalError(attempt: Attempt, refusal: Refusal): ScheduleError {
  switch (refusal.code) {
    case 'notFound':
      return notFoundError(attempt, refusal.what);
    case 'exists':
    case 'spelling':
      return taken(attempt, refusal);
    case 'revision':
      return conflict(attempt, refusal);
    case 'workPending':
      return workPending(attempt, refusal);
    case 'queueFull':
      return queueFull(attempt, refusal);
    case 'notApplicable':
      return notApplicable(attempt, refusal);
    case 'neverDue':
      return neverDue(attempt, refusal);
    case 'triggerBroken':
      return invalidDeclaration(attempt, refusal.issues);
    case 'expiresInPast':
      return expiresInPast(attempt, refusal);
    case 'stale':
      return new ScheduleError('SCHEDULE_NOT_APPLICABLE', `${subject(attempt)}: ${refusal.found}`, {
        details: { ...facts(attempt), found: refusal.found },
      });
  }
}

/** The error for a schedule or occurrence that is not there. @internal */
export function notFoundError(attempt: Attempt, what: 'schedule' | 'occurrence' | 'evidence'): ScheduleError {
  const missing =
    what === 'schedule'
      ? `there is no schedule "${attempt.scheduleId}"`
      : `there is no such ${what} ("${attempt.occurrence ?? ''}")`;
  const hint =
    what === 'schedule'
      ? 'List the schedules to see the ids that exist.'
      : 'Get the schedule with its history to see its occurrences; those pruned or of a deleted schedule are gone.';
  return new ScheduleError('SCHEDULE_NOT_FOUND', `${subject(attempt)}: ${missing}`, {
    details: { ...facts(attempt), what },
    hint,
  });
}

/** The error for input that breaks rules; every issue is in the message and the details, as far as an error holds them. @internal */
export function invalidDeclaration(attempt: Attempt, issues: readonly Issue[]): ScheduleError {
  const list = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return new ScheduleError('SCHEDULE_DECLARATION_INVALID', `${subject(attempt)}: ${list.join('; ')}`, {
    details: { ...facts(attempt), issues },
    hint: mendHint(issues.length),
  });
}

function taken(attempt: Attempt, refusal: Of<'exists' | 'spelling'>): ScheduleError {
  const details = { ...facts(attempt), existing: refusal.id };
  if (refusal.code === 'exists') {
    return new ScheduleError('SCHEDULE_EXISTS', `${subject(attempt)}: the schedule "${refusal.id}" exists already`, {
      details,
      hint: 'Use update or ensure to change it, or choose another id; ids are equal whatever the case of their letters.',
    });
  }
  const message = `${subject(attempt)}: this id was used before and was spelled "${refusal.id}"`;
  return new ScheduleError('SCHEDULE_EXISTS', message, {
    details,
    hint: `Write the id as "${refusal.id}", or choose another one; ids are equal whatever the case of their letters.`,
  });
}

function conflict(attempt: Attempt, { given, revision, version }: Of<'revision'>): ScheduleError {
  const saw = describeExpected(given);
  const message = `${subject(attempt)}: the caller saw ${saw}, but it is at revision ${revision}, version ${version}`;
  return new ScheduleError('SCHEDULE_REVISION_CONFLICT', message, {
    details: { ...facts(attempt), given, revision, version },
    hint: 'Read the schedule again, look at what changed, and repeat the call with the new revision.',
  });
}

function describeExpected({ revision, version }: Expected): string {
  const parts = [
    ...(revision === undefined ? [] : [`revision ${revision}`]),
    ...(version === undefined ? [] : [`version ${version}`]),
  ];
  return parts.length === 0 ? 'no revision' : parts.join(', ');
}

function queueFull(attempt: Attempt, { max }: Of<'queueFull'>): ScheduleError {
  return new ScheduleError(
    'SCHEDULE_WORK_PENDING',
    `${subject(attempt)}: ${max} of its occurrences are pending, and no more can be`,
    {
      details: { ...facts(attempt), max },
      hint: 'Wait until some have ended, or withdraw them; a longer interval or `overlap: "coalesce"` lets fewer gather.',
    },
  );
}

function workPending(attempt: Attempt, { pending }: Of<'workPending'>): ScheduleError {
  const message = `${subject(attempt)}: ${pending.length} of its occurrences are pending (${pending.slice(0, 3).join(', ')})`;
  return new ScheduleError('SCHEDULE_WORK_PENDING', message, {
    details: { ...facts(attempt), pending },
    hint:
      attempt.control === 'update'
        ? 'Wait until they have ended, or update with pending: "withdraw".'
        : 'Wait until they have ended, or cancel the schedule first.',
  });
}

function notApplicable(attempt: Attempt, { status, control }: Of<'notApplicable'>): ScheduleError {
  const message = `${subject(attempt)}: not possible while it is ${NAMES[status] ?? status}`;
  const allowed = status in CONTROLS_BY_STATUS ? CONTROLS_BY_STATUS[status as ScheduleStatus] : [];
  return new ScheduleError('SCHEDULE_NOT_APPLICABLE', message, {
    details: { ...facts(attempt), control, status, allowed },
    hint:
      allowed.length === 0
        ? (HINTS[status] ?? '')
        : `Possible now: ${allowed.join(', ')}, and every reading, stop, resolve and ensure.`,
  });
}

const NAMES: Readonly<Record<string, string>> = {
  pastExpiry: 'past its expiresAt',
  quarantined: 'quarantined',
  resolved: 'resolved already',
};

const HINTS: Readonly<Record<string, string>> = {
  resolved: 'Get the occurrence to read its verdict; rerun it if its work is to be done again.',
  pastExpiry: 'Update the schedule with a later expiresAt.',
  quarantined:
    'Resume checks a broken trigger again; the mark of an unresponsive handler goes when the handler ends or another owner starts.',
};

function neverDue(attempt: Attempt, { last }: Of<'neverDue'>): ScheduleError {
  const before = last === undefined ? 'and never had one' : `the last one was ${formatInstant(last)}`;
  const message = `${subject(attempt)}: its trigger has no due instant left, ${before}`;
  return new ScheduleError('SCHEDULE_NEVER_DUE', message, {
    details: { ...facts(attempt), ...(last === undefined ? {} : { last: formatInstant(last) }) },
    hint: 'Preview the trigger to see when it is due; mend its dates, or its end.',
  });
}

function expiresInPast(attempt: Attempt, { expiresAt }: Of<'expiresInPast'>): ScheduleError {
  const message = 'must be after the time of the registration';
  const found = foundText(formatInstant(expiresAt));
  return invalidDeclaration(attempt, [{ path: 'expiresAt', rule: 'EX-1', message, found }]);
}

function subject({ control, scheduleId, occurrence }: Attempt): string {
  return `cannot ${control} "${occurrence ?? scheduleId}"`;
}

function facts({ control, scheduleId, occurrence }: Attempt): Readonly<Record<string, unknown>> {
  return { control, id: scheduleId, ...(occurrence === undefined ? {} : { occurrence }) };
}
