/**
 * The catalogue as a whole, for people: its owner, its gate, its counts, and what a check of its files found.
 */
import type { CalendarView, SchedulesStatus } from '../../../index.js';
import { scheduleCommand } from '../hint.js';
import { momentText } from './layout/moment.js';
import { plain } from './layout/plain.js';
import { fieldsText } from './layout/table.js';

/** Schedules whose due instant is past: how many, and whether there may be more. @internal */
export interface Overdue {
  readonly count: number;
  readonly isFloor: boolean;
}

/** How the catalogue is: owner, gate, clock, counts; `overdue` where nobody collects. @internal */
export function statusText(status: SchedulesStatus, workspace: string, now: number, overdue?: Overdue): string {
  const { owner, clockStop, counts, nextDue, seq, epoch } = status;
  const { quarantined, unresolved } = counts;
  return fieldsText([
    ['workspace', workspace],
    ['owner', ownerText(owner, workspace)],
    ['last report', momentText(owner.lastTickAt, now)],
    ['overdue', overdueText(overdue)],
    ['gate', gateText(status.gate)],
    ['clock', clockStop && `${clockStop.reason} since ${clockStop.since}: ${clockStop.detail}`],
    ['schedules', countsText(counts)],
    ['pending', `${counts.pending}, ${counts.running} of them running`],
    ['quarantined', quarantined === 0 ? undefined : quarantined],
    ['unresolved', unresolved === 0 ? undefined : `${unresolved} interrupted occurrences without a verdict`],
    ['next due', momentText(nextDue, now)],
    ['commit', `${seq}, epoch ${epoch}`],
  ]);
}

function ownerText({ isAlive, pid, host, since }: SchedulesStatus['owner'], workspace: string): string {
  if (!isAlive) return `none is running; start one: ${scheduleCommand(workspace)} serve`;
  return `alive: process ${pid ?? '?'} on ${host ?? '?'}, since ${since ?? '?'}`;
}

function overdueText(overdue: Overdue | undefined): string | undefined {
  if (overdue === undefined || overdue.count === 0) return undefined;
  const { count, isFloor } = overdue;
  return `${isFloor ? 'at least ' : ''}${count} schedule${count === 1 ? '' : 's'} due, and no owner to collect ${count === 1 ? 'it' : 'them'}`;
}

/** How the gate is, and who made it so. @internal */
export function gateText({ isPaused, by, at, note }: SchedulesStatus['gate']): string {
  const who = by === undefined ? '' : ` by ${by}`;
  const when = at === undefined ? '' : ` at ${at}`;
  return `${isPaused ? 'paused' : 'open'}${who}${when}${note === undefined ? '' : `: ${note}`}`;
}

function countsText(counts: SchedulesStatus['counts']): string {
  const { schedules, pending: _p, running: _r, quarantined: _q, unresolved: _u, ...byStatus } = counts;
  const parts = Object.entries(byStatus).filter(([, count]) => count > 0);
  return parts.length === 0
    ? `${schedules}`
    : `${schedules} (${parts.map(([name, count]) => `${count} ${name}`).join(', ')})`;
}

/** Calendars with their days and who uses them. @internal */
export function calendarsText(calendars: readonly CalendarView[]): string {
  if (calendars.length === 0) return 'no calendars\n';
  return calendars.map(calendarText).join('');
}

function calendarText({ name, dates, usedBy }: CalendarView): string {
  const days = dates.length === 0 ? '  no days\n' : dates.map((date) => `  ${date}\n`).join('');
  const users = usedBy.length === 0 ? 'no schedule names it' : `named by ${usedBy.join(', ')}`;
  return `${plain(name)}: ${plain(users)}\n${days}`;
}
