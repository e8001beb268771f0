/**
 * Schedules for people: lists, and one schedule with its history.
 */

import {
  type Declaration,
  REASONS,
  type ScheduleDetail,
  type SchedulePage,
  type SchedulePreview,
  type ScheduleView,
  type Trigger,
} from '../../../index.js';
import { durationText, momentText } from './layout/moment.js';
import { plain } from './layout/plain.js';
import { type Column, type Field, fieldsText, tableText } from './layout/table.js';
import { occurrenceLines, occurrenceText } from './occurrence-text.js';
import { previewText } from './preview-text.js';
import { type Asked, waitingText } from './waiting-text.js';

const LIST_COLUMNS: readonly Column<ScheduleView>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'STATUS', of: ({ status, quarantine }) => (quarantine === undefined ? status : `${status}, quarantined`) },
  { title: 'NEXT DUE', of: ({ nextDue }) => nextDue },
  { title: 'REV', of: ({ revision }) => revision, isNumber: true },
  { title: 'LEFT', of: ({ left, trigger }) => (trigger.kind === 'manual' ? undefined : left), isNumber: true },
  { title: 'PENDING', of: ({ pendingCount }) => pendingCount, isNumber: true },
  { title: 'LAST', of: ({ lastEnded }) => lastEnded?.status },
  { title: 'OBJECTIVE', of: ({ objective }) => objective, isCuttable: true },
];

/** A page of schedules as a table. @internal */
export function listText({ schedules, next }: SchedulePage, width?: number): string {
  if (schedules.length === 0) return 'no schedules\n';
  const more = next === undefined ? '' : `more: --after ${plain(next)}\n`;
  return `${tableText(schedules, LIST_COLUMNS, width)}${more}`;
}

/** One line that says how a schedule is after a control. @internal */
export function summaryText({ id, status, revision, version, nextDue }: ScheduleView): string {
  return plain(
    `${id}: ${status}, revision ${revision}, version ${version}, ${nextDue === undefined ? 'nothing due' : `next due ${nextDue}`}`,
  );
}

/** What is shown beside the detail of a schedule. @internal */
export interface Beside extends Asked {
  /** Its next due instants, where they were asked for. */
  readonly due?: SchedulePreview;
  /** Width of the terminal; absent in a pipe. */
  readonly width?: number | undefined;
}

/** One schedule with its pending work and its history. @internal */
export function detailText(detail: ScheduleDetail, { due, width, ...asked }: Beside): string {
  const { schedule, pending, history, next, occurrence, evidence } = detail;
  if (occurrence !== undefined) return occurrenceText(occurrence, evidence, waitingText(occurrence, asked));
  const dueNext = due === undefined ? '' : `\ndue next:\n${previewText(due, width, 'nothing due')}`;
  const lines = pending.map((one) => occurrenceLines(one, waitingText(one, asked)));
  const open = pending.length === 0 ? '' : `\npending:\n${lines.join('')}`;
  const records = history.map((one) => occurrenceLines(one)).join('');
  const ended = history.length === 0 ? '\nno history\n' : `\nhistory, newest first:\n${records}`;
  const more = next === undefined ? '' : `more: --before ${plain(next)}\n`;
  return `${plain(schedule.id)}\n${fieldsText(fieldsOf(schedule, asked.now), '  ')}${dueNext}${open}${ended}${more}`;
}

function fieldsOf(schedule: ScheduleView, now: number): readonly Field[] {
  const { declaration, statusNote, quarantine, plan, resume, lastEnded } = schedule;
  const { concurrencyKey } = declaration;
  return [
    ['objective', schedule.objective],
    ['status', statusNote === undefined ? schedule.status : `${schedule.status}: ${noteText(statusNote)}`],
    [
      'quarantine',
      quarantine === undefined ? undefined : `${quarantine.reason} since ${quarantine.since}: ${quarantine.detail}`,
    ],
    ['revision', `${schedule.revision} (version ${schedule.version})`],
    ['trigger', triggerText(schedule.trigger)],
    ['leaves out', exclusionText(declaration.exclude)],
    ['spread', declaration.spreadSeconds === undefined ? undefined : `within ${declaration.spreadSeconds} s`],
    ['next due', momentText(schedule.nextDue, now)],
    ['left', leftText(schedule)],
    ['expires', momentText(declaration.expiresAt, now)],
    ['policies', `overlap ${declaration.overlap}, misfire ${declaration.misfire}, grace ${declaration.graceSeconds} s`],
    ['attempts', attemptsText(declaration)],
    ['key', concurrencyKey],
    ['resume', resume === undefined ? undefined : `what was missed until ${resume.until} follows ${resume.missed}`],
    ['labels', labelsText(schedule.labels)],
    ['document', `${schedule.documentKind} ${schedule.documentDigest}`],
    ['providers', schedule.allowedProviders.join(', ') || undefined],
    ['plan', plan === undefined ? 'deferred until dispatch' : `${plan.id} ${plan.digest}`],
    ['registered', `${schedule.registeredAt} by ${schedule.caller}`],
    [
      'last ended',
      lastEnded === undefined ? undefined : `${lastEnded.occurrence} ${lastEnded.status} at ${lastEnded.at}`,
    ],
    ...attention(schedule),
  ];
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

function exclusionText(exclude: Declaration['exclude']): string | undefined {
  if (exclude === undefined) return undefined;
  const { dates = [], weekdays = [], calendar, timezone } = exclude;
  const parts = [
    ...(calendar === undefined ? [] : [`calendar ${calendar}`]),
    ...(weekdays.length === 0 ? [] : [weekdays.map((weekday) => WEEKDAYS[weekday]).join(' ')]),
    ...(dates.length === 0 ? [] : [dates.join(' ')]),
  ];
  return `${parts.join('; ')}${timezone === undefined ? '' : ` (${timezone})`}`;
}

/** `maxOccurrences` counts what the trigger makes; a manual one makes nothing. */
function leftText({ left, trigger, declaration }: ScheduleView): string | undefined {
  if (trigger.kind === 'manual') return undefined;
  return left === 'unlimited' ? 'unlimited' : `${left} of ${declaration.maxOccurrences}`;
}

/** `no retries; 1 h in all, 10 min a stage`. @internal */
export function attemptsText({ maxRetries, retryBackoff, budget }: ScheduleView['declaration']): string {
  const retries = maxRetries === 0 ? 'no retries' : `at most ${maxRetries} ${maxRetries === 1 ? 'retry' : 'retries'}`;
  const pause = maxRetries === 0 || retryBackoff === undefined ? '' : `, ${backoffText(retryBackoff)}`;
  const [all, stage] = [budget.maxElapsedSeconds, budget.timeoutPerStageSeconds].map((s) => durationText(s * 1000));
  return `${retries}${pause}; ${all} in all, ${stage} a stage`;
}

function backoffText({ initialSeconds, factor, maxSeconds }: NonNullable<Declaration['retryBackoff']>): string {
  const first = durationText(initialSeconds * 1000);
  return factor === 1 ? `${first} apart` : `after ${first}, times ${factor}, up to ${durationText(maxSeconds * 1000)}`;
}

function attention({ failuresInRow, skipsInRow, marks }: ScheduleView): readonly Field[] {
  return [
    ...(failuresInRow > 0 ? [['attention', `${failuresInRow} failures in a row`] as const] : []),
    ...(marks.skipsInRow === undefined ? [] : [['attention', `${skipsInRow} skips in a row`] as const]),
    ...(marks.recordedAhead === undefined ? [] : [['attention', aheadText(marks.recordedAhead)] as const]),
    ...marks.unresolved.map((id) => ['attention', `${id} was interrupted and nobody has resolved it`] as const),
  ];
}

/** Why a schedule is silent whose due instants were recorded while the clock was ahead, and what to do (CO-6). @internal */
export function aheadText({ from, until }: { readonly from: string; readonly until: string }): string {
  const what = `what is due from ${from} to ${until} was recorded while the clock was ahead and will not run`;
  return `${what}; trigger it by hand, or register it under another id`;
}

function noteText({ reason, by, at, note }: NonNullable<ScheduleView['statusNote']>): string {
  return `${reason}: ${REASONS[reason] ?? 'unknown to this version'} (by ${by} at ${at})${note === undefined ? '' : `: ${note}`}`;
}

function labelsText(labels: ScheduleView['labels']): string | undefined {
  return (
    Object.entries(labels)
      .map(([key, value]) => `${key}=${value}`)
      .join(', ') || undefined
  );
}

/** A trigger on one line. @internal */
export function triggerText(trigger: Trigger): string {
  switch (trigger.kind) {
    case 'once':
      return `once at ${trigger.at}`;
    case 'interval':
      return `every ${trigger.everySeconds} s from ${trigger.start}${trigger.end === undefined ? '' : ` to ${trigger.end}`}`;
    case 'cron':
      return `cron ${trigger.expression} (${trigger.timezone})`;
    case 'manual':
      return 'manual';
    default:
      return JSON.stringify(trigger);
  }
}
