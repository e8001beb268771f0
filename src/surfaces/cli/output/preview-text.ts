/**
 * Due instants for people: in UTC, as the clock of their zone shows them, and what that clock leaves out.
 */
import type { ExcludedInstant, PreviewInstant, SchedulePreview, ScheduleView } from '../../../index.js';
import { distanceText, durationText } from './layout/moment.js';
import { plain } from './layout/plain.js';
import { type Column, tableText } from './layout/table.js';

/** The preview of what is not due any more. @internal */
export const NOTHING_DUE: SchedulePreview = {
  instants: [],
  skipped: [],
  isSkippedCut: false,
  excluded: [],
  isExcludedCut: false,
};

const PREVIEW_COLUMNS: readonly Column<PreviewInstant>[] = [
  { title: 'DUE (UTC)', of: ({ at }) => at },
  { title: 'LOCAL', of: ({ local, offset }) => `${local}${offset}` },
  { title: 'ZONE', of: ({ timezone }) => timezone },
  { title: 'NOTE', of: noteText },
];

const NOTES = {
  secondPass: 'second pass of a repeated hour',
  repeatedFirst: 'this wall time comes again',
  shifted: 'moved to the end of a gap',
} as const;

/** What is worth a second look, which triggers of `anyOf` are due, and how far the instant was put off. */
function noteText({ notes, members, spread }: PreviewInstant): string {
  const due = members === undefined ? [] : [`by ${members.map((place) => place + 1).join(' and ')} of anyOf`];
  const putOff = spread === undefined ? [] : [`put off by ${durationText(spread.offsetMs)}`];
  return [...due, ...notes.map((note) => NOTES[note]), ...putOff].join(', ');
}

const ENDS = {
  trigger: 'the trigger ends here',
  expiresAt: 'the schedule expires here',
  maxOccurrences: 'maxOccurrences is spent here',
} as const;

/** Due instants with local times, and what is left out; `none` says that there are none. @internal */
export function previewText(preview: SchedulePreview, width?: number, none = 'never due in this range'): string {
  const { instants } = preview;
  const table = instants.length === 0 ? `${none}\n` : tableText(instants, PREVIEW_COLUMNS, width);
  return `${table}${leftOutText(preview)}`;
}

/** What is left out of due instants, and why they end, a line each; empty where there is nothing to say. @internal */
export function leftOutText(preview: Omit<SchedulePreview, 'instants'>): string {
  const { skipped, isSkippedCut, excluded, isExcludedCut, endsWith } = preview;
  const left = [
    ...skipped.map(({ date, time, timezone }) => `skipped: ${date} ${time} does not exist in ${timezone}`),
    ...(isSkippedCut ? ['skipped: and more'] : []),
    ...excluded.map((one) => `left out: ${localText(one)} (${reasonText(one.reason)})`),
    ...(isExcludedCut ? ['left out: and more'] : []),
    ...(endsWith === undefined ? [] : [`end: ${ENDS[endsWith]}`]),
  ];
  return left.map((line) => `${plain(line)}\n`).join('');
}

const WEEKDAYS = ['Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'];

function reasonText(reason: ExcludedInstant['reason']): string {
  if (reason.kind === 'weekday') return WEEKDAYS[reason.weekday] ?? '';
  const dates = reason.dates.replace('/', ' to ');
  return reason.kind === 'dates' ? dates : `${dates} in the calendar ${reason.calendar}`;
}

/** An instant as the clock of its zone shows it: `2026-11-30T02:00:00+01:00 Europe/Berlin`; UTC has no other clock. @internal */
export function localText({ at, local, offset, timezone }: PreviewInstant): string {
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
