/**
 * Reads what a declaration leaves out, and the dates of a calendar: strict, with every fault at once (DE-12, DE-1).
 *
 * In the normal form dates are ascending runs of days of which none touches another, a run of one day being a day, and
 * weekdays ascend, so that exclusions which mean the same are written the same.
 */

import type { DateOrRange, Exclusion } from '../../model/exclusion.js';
import type { Issue } from '../../model/issue.js';
import { LIMITS } from '../../model/limits.js';
import { nearestNames, suggestion } from '../../time/nearest-names.js';
import type { ZoneData } from '../../time/zone-data.js';
import type { Zone } from '../../time/zone-spans.js';
import type { CalendarInput } from '../due-input.js';
import { issue, readDate, readList, readObject, readWeekdays, readZone } from '../read/field-reader.js';
import { type DayRun, type ExclusionSources, runText } from './excluded-days.js';

/** Calendars by name. @internal */
export type Calendars = Readonly<Record<string, CalendarInput>>;

/** An exclusion that was read and found good. @internal */
export interface ReadExclusion {
  /** In its normal form. */
  readonly normalized: Exclusion;
  /** Its own dates, and those of its calendar as far as that is known. */
  readonly runs: readonly DayRun[];
  /** Where they come from. */
  readonly sources: ExclusionSources;
  /** Bit 0 is Monday. */
  readonly weekdays: number;
  /** The zone that it names; absent where the trigger has one. */
  readonly zone: Zone | undefined;
}

const RULE = 'DE-12';
const FIELDS = ['dates', 'weekdays', 'calendar', 'timezone'] as const;

/** What an exclusion is judged by. @internal */
export interface ExclusionSurroundings {
  /** Whether the trigger has a zone of its own; `undefined` where the trigger is invalid. */
  readonly hasZone: boolean | undefined;
  /** Absent: calendars are not known here, and a name of one is taken as it is. */
  readonly calendars: Calendars | undefined;
  readonly zoneData: ZoneData | undefined;
}

/** Reads an exclusion; paths of issues begin with `exclude`, or with `calendars` where one that is named is wrong itself. @internal */
export function readExclusion(
  value: unknown,
  around: ExclusionSurroundings,
  issues: Issue[],
): ReadExclusion | undefined {
  const before = issues.length;
  const fields = readObject(value, 'exclude', FIELDS, RULE, issues);
  if (fields === undefined) return undefined;
  if (fields.dates === undefined && fields.weekdays === undefined && fields.calendar === undefined) {
    issues.push(issue('exclude', RULE, 'must name `dates`, `weekdays` or a `calendar`', value));
  }
  const own = fields.dates === undefined ? [] : readDayRuns(fields.dates, 'exclude.dates', issues);
  const weekdays =
    fields.weekdays === undefined ? undefined : readWeekdays(fields.weekdays, 'exclude.weekdays', RULE, issues);
  const named = fields.calendar === undefined ? undefined : readCalendarName(fields.calendar, around.calendars, issues);
  const zone = readOwnZone(fields.timezone, around, issues);
  if (issues.length > before || own === undefined) return undefined;
  const normalized: { -readonly [name in keyof Exclusion]: Exclusion[name] } = {};
  if (own.length > 0) normalized.dates = own.map(runText);
  if (weekdays !== undefined) normalized.weekdays = weekdays;
  if (typeof fields.calendar === 'string') normalized.calendar = fields.calendar;
  if (zone !== undefined) normalized.timezone = zone.name;
  const mask = (weekdays ?? []).reduce((bits, weekday) => bits | (1 << weekday), 0);
  const sources = { own, named: named ?? [], calendar: normalized.calendar };
  return { normalized, runs: joined([...own, ...sources.named]), sources, weekdays: mask, zone };
}

/**
 * Reads days and ranges of days, 1..400 of them, as runs in order of which none touches another.
 *
 * @internal
 */
export function readDayRuns(value: unknown, path: string, issues: Issue[]): readonly DayRun[] | undefined {
  const runs = readList(value, path, RULE, issues, (item, at) => readRun(item, at, issues));
  return runs && joined(runs);
}

/**
 * Reads the dates of a calendar, at most 400 days and ranges, in their normal form; an empty list is good.
 *
 * @internal
 */
export function readCalendarDates(value: unknown, path: string, issues: Issue[]): DateOrRange[] | undefined {
  if (Array.isArray(value) && value.length === 0) return [];
  return readDayRuns(value, path, issues)?.map(runText);
}

function readRun(value: unknown, path: string, issues: Issue[]): DayRun | undefined {
  const [from, to, ...rest] = typeof value === 'string' ? value.split('/') : [];
  if (from === undefined || rest.length > 0) {
    issues.push(issue(path, RULE, 'must be a date `YYYY-MM-DD`, or two with a slash between', value));
    return undefined;
  }
  const first = readDate(from, path, RULE, issues);
  const last = to === undefined ? first : readDate(to, path, RULE, issues);
  if (first === undefined || last === undefined) return undefined;
  if (last >= first) return { first, last };
  issues.push(issue(path, RULE, 'must not end before it begins', value));
  return undefined;
}

function joined(runs: readonly DayRun[]): readonly DayRun[] {
  const result: DayRun[] = [];
  for (const run of [...runs].sort((a, b) => a.first - b.first)) {
    const before = result.at(-1);
    if (before === undefined || run.first > before.last + 1) result.push(run);
    else if (run.last > before.last) result[result.length - 1] = { first: before.first, last: run.last };
  }
  return result;
}

/** The days of a calendar by its name. */
function readCalendarName(
  value: unknown,
  calendars: Calendars | undefined,
  issues: Issue[],
): readonly DayRun[] | undefined {
  const path = 'exclude.calendar';
  if (typeof value !== 'string' || value === '' || value.length > LIMITS.calendarNameLength.max) {
    issues.push(issue(path, RULE, 'must be the name of a calendar', value));
    return undefined;
  }
  if (calendars === undefined) return undefined;
  const found = Object.hasOwn(calendars, value) ? calendars[value] : undefined;
  if (found !== undefined) return readCalendar(found, value, issues);
  const known = Object.keys(calendars);
  const hint = suggestion(nearestNames(value, known, 3)) || (known.length === 0 ? ': there is none' : '');
  issues.push(issue(path, RULE, `must be the name of a calendar of the catalogue${hint}`, value));
  return undefined;
}

/** The days of a calendar that a caller brings along; its digest says nothing here. */
function readCalendar(calendar: unknown, name: string, issues: Issue[]): readonly DayRun[] | undefined {
  const path = /^\w+$/.test(name) ? `calendars.${name}` : `calendars[${JSON.stringify(name)}]`;
  const isObject = typeof calendar === 'object' && calendar !== null && !Array.isArray(calendar);
  if (!isObject) {
    issues.push(issue(path, RULE, 'must be an object with its days, `{ dates: ["2026-12-24"] }`', calendar));
    return undefined;
  }
  const { dates } = calendar as { readonly dates?: unknown };
  return Array.isArray(dates) && dates.length === 0 ? [] : readDayRuns(dates, `${path}.dates`, issues);
}

function readOwnZone(value: unknown, around: ExclusionSurroundings, issues: Issue[]): Zone | undefined {
  if (value === undefined && around.hasZone !== false) return undefined;
  const path = 'exclude.timezone';
  if (value !== undefined && around.hasZone === true) {
    issues.push(issue(path, RULE, 'must not stand here: the trigger has a zone, by which days are told', value));
    return undefined;
  }
  return readZone(value, path, issues, around.zoneData);
}
