/**
 * Due instants for people: in UTC, as the clock of their zone shows them, and what that clock leaves out.
 */
import type { SchedulePreview, ScheduleView } from '../../../index.js';
import { distanceText } from './layout/moment.js';
import { type Column, tableText } from './layout/table.js';

const PREVIEW_COLUMNS: readonly Column<SchedulePreview['instants'][number]>[] = [
  { title: 'DUE (UTC)', of: ({ at }) => at },
  { title: 'LOCAL', of: ({ local, offset }) => `${local}${offset}` },
  { title: 'ZONE', of: ({ timezone }) => timezone },
  { title: 'NOTE', of: ({ notes }) => notes.map((note) => NOTES[note]).join(', ') },
];

const NOTES = {
  secondPass: 'second pass of a repeated hour',
  repeatedFirst: 'this wall time comes again',
  shifted: 'moved to the end of a gap',
} as const;

const ENDS = {
  trigger: 'the trigger ends here',
  expiresAt: 'the schedule expires here',
  maxOccurrences: 'maxOccurrences is spent here',
} as const;

/** Due instants with local times, and what the clock leaves out; `none` says that there are none. @internal */
export function previewText(
  { instants, skipped, isSkippedCut, endsWith }: SchedulePreview,
  width?: number,
  none = 'never due in this range',
): string {
  const table = instants.length === 0 ? `${none}\n` : tableText(instants, PREVIEW_COLUMNS, width);
  const gaps = skipped.map(({ date, time, timezone }) => `skipped: ${date} ${time} does not exist in ${timezone}\n`);
  const cut = isSkippedCut ? 'skipped: and more\n' : '';
  return `${table}${gaps.join('')}${cut}${endsWith === undefined ? '' : `end: ${ENDS[endsWith]}\n`}`;
}

/** An instant as the clock of its zone shows it: `2026-11-30T02:00:00+01:00 Europe/Berlin`; UTC has no other clock. @internal */
export function localText({ at, local, offset, timezone }: SchedulePreview['instants'][number]): string {
  return timezone === 'UTC' ? at : `${local}${offset} ${timezone}`;
}

/** What a registration leads to: the next due instant, and how far the occurrences that are left will last. @internal */
export function outlookText(schedule: ScheduleView, outlook: SchedulePreview, now: number): string {
  if (schedule.trigger.kind === 'manual') return '  due only when it is triggered\n';
  const [first] = outlook.instants;
  if (first === undefined || schedule.nextDue === undefined) return '  nothing due\n';
  return `  next due ${localText(first)} (${distanceText(first.at, now)})\n  ${lastingText(schedule, outlook)}\n`;
}

function lastingText({ left, declaration }: ScheduleView, { instants, endsWith }: SchedulePreview): string {
  const last = instants.at(-1)?.at ?? '';
  if (endsWith === 'trigger' || endsWith === 'expiresAt') {
    const end = endsWith === 'trigger' ? 'then its trigger ends' : `then it expires, at ${declaration.expiresAt}`;
    return instants.length === 1 ? `once, ${end}` : `${instants.length} occurrences, the last about ${last}; ${end}`;
  }
  if (left === 'unlimited') return 'no limit on occurrences';
  if (left === 1) return '1 occurrence is left';
  return `${left} occurrences, the last about ${reached(instants, left) ?? last}`;
}

/** About when so many due instants are over, at the rate of those that are known; undefined beyond the calendar. */
function reached(instants: SchedulePreview['instants'], count: number): string | undefined {
  const [first, last] = [instants[0], instants.at(-1)].map((instant) => Date.parse(instant?.at ?? ''));
  if (first === undefined || last === undefined || instants.length < 2) return undefined;
  const at = new Date(first + ((last - first) / (instants.length - 1)) * (count - 1));
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString().slice(0, 10);
}
