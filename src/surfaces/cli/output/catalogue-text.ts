/**
 * The catalogue as a whole, for people: its owner, its gate, its counts, and what a check of its files found.
 */
import type { WorkspaceFinding } from '../../../adapters/fs/index.js';
import type { SchedulesStatus } from '../../../index.js';
import { momentText } from './layout/moment.js';
import { plain } from './layout/plain.js';
import { fieldsText } from './layout/table.js';

/** How the catalogue is: owner, gate, clock, counts. @internal */
export function statusText(status: SchedulesStatus, workspace: string, now: number): string {
  const { owner, clockStop, counts, nextDue, seq, epoch } = status;
  const { quarantined, unresolved } = counts;
  return fieldsText([
    ['workspace', workspace],
    ['owner', ownerText(owner, workspace)],
    ['last tick', momentText(owner.lastTickAt, now)],
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
  const named = /^[\w./:@-]+$/.test(workspace) ? workspace : `'${workspace}'`;
  if (!isAlive) return `none is running; start one: everdue schedule --workspace ${named} serve`;
  return `alive: process ${pid ?? '?'} on ${host ?? '?'}, since ${since ?? '?'}`;
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

function findingText({ file, offset, rule, message, advice }: WorkspaceFinding): string {
  return `${plain(file)}, byte ${offset}, rule ${plain(rule)}: ${plain(message)}\n  do: ${plain(advice)}\n`;
}
