/**
 * The catalogue as a whole, for people: its owner, its gate, its counts, and what a check of its files found.
 */
import type { WorkspaceFinding } from '../../../adapters/fs/index.js';
import type { SchedulesStatus } from '../../../index.js';
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

/** Findings of a workspace, or that there are none. @internal */
export function findingsText(findings: readonly WorkspaceFinding[], workspace: string): string {
  if (findings.length === 0) return `${plain(workspace)}: everything that is stored is whole\n`;
  return findings.map(findingText).join('');
}

function findingText({ severity, file, offset, rule, message, advice }: WorkspaceFinding): string {
  const prefix = [`${file} at byte ${offset}: `, `${file}: `].find((place) => message.startsWith(place)) ?? '';
  const found = message.slice(prefix.length);
  const kind = severity === 'note' ? 'note: ' : '';
  return `${kind}${plain(file)}, byte ${offset}, rule ${plain(rule)}: ${plain(found)}\n  do: ${plain(advice)}\n`;
}

/** A finding with advice for whoever runs \`check\` already. @internal */
export function withAdvice(finding: WorkspaceFinding, workspace: string): WorkspaceFinding {
  const own = finding.advice.replace(CIRCULAR, '').trim();
  return { ...finding, advice: own === '' ? adviceOn(finding, workspace) : own };
}

/** What errors say when they are met elsewhere. */
const CIRCULAR = /Nothing was changed\. `everdue check` lists everything that is wrong\./;

const COPY = 'Stop every process that uses the workspace and keep a copy of it.';

/** By what is damaged: one file that can be put back alone, or the catalogue, whose files stand for one another. */
function adviceOn({ file, rule }: WorkspaceFinding, workspace: string): string {
  const folder = /[\\/]catalogue[\\/](documents|history)(?:[\\/]|$)/.exec(file)?.[1];
  if (folder === 'documents') {
    return `${COPY} Put this file back from a backup: a document never changes, so any backup that has it will do.`;
  }
  if (folder === 'history' && rule === 'name')
    return `Move ${file} out of the workspace: nothing in use has this name.`;
  if (folder === 'history') {
    return `${COPY} Put this file back from a backup that was made after its last record. Without one: ${wholeCatalogue(workspace)}`;
  }
  return `${COPY} ${wholeCatalogue(workspace)}`;
}

function wholeCatalogue(workspace: string): string {
  const accept = `${scheduleCommand(workspace)} accept-clock`;
  return `Put the whole of catalogue/ back from a backup, not single files of it, and leave occurrences/ as it is: the evidence is intact, and keeps what ran since the backup from running again. Where the owner then stops with \`catalogueBehind\`: ${accept}`;
}
