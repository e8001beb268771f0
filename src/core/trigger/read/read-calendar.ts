/**
 * Reads a calendar trigger: wall-clock times, and the conditions on their dates (TR-3, TR-4).
 */

import type { Issue } from '../../model/issue.js';
import { type CalendarTrigger, type NthWeekday, TRIGGER_LIMITS } from '../../model/trigger.js';
import { formatDate, formatTimeOfDay } from '../../time/civil.js';
import { formatInstant } from '../../time/instant.js';
import type { ZoneData } from '../../time/zone-data.js';
import { type CalendarParts, calendarPattern } from '../pattern/calendar-pattern.js';
import { wallTrigger } from '../wall-trigger.js';
import {
  type Bounds,
  type Fields,
  issue,
  readBound,
  readChoice,
  readDate,
  readInteger,
  readIntegerOrList,
  readIntegers,
  readList,
  readObject,
  readWeekday,
  readWeekdays,
  readZone,
} from './field-reader.js';
import { ascending, weekdaysInOrder } from './in-order.js';
import type { Reading } from './reading.js';

/** The fields of a calendar trigger, in the order in which they are stored. @internal */
export const CALENDAR_FIELDS = [
  'kind',
  'timezone',
  'hour',
  'minute',
  'second',
  'times',
  'weekdays',
  'monthDays',
  'months',
  'nthWeekdays',
  'years',
  'every',
  'anchor',
  'start',
  'end',
  'gap',
] as const;

type CalendarFields = Fields<(typeof CALENDAR_FIELDS)[number]>;

const RULE = 'TR-3';

/**
 * Reads the fields of a calendar trigger; every fault becomes an issue, and then there is no result.
 *
 * @internal
 */
export function readCalendar(
  fields: CalendarFields,
  issues: Issue[],
  zoneData: ZoneData | undefined,
): Reading | undefined {
  const zone = readZone(fields.timezone, 'timezone', issues, zoneData);
  const times = readTimes(fields, issues);
  const dates = readDates(fields, issues);
  const every = readEvery(fields, issues);
  const start = readBound(fields.start, 'start', issues);
  const end = readBound(fields.end, 'end', issues);
  const gap = fields.gap === undefined ? 'skip' : readChoice(fields.gap, 'gap', ['skip', 'shift'], RULE, issues);
  if (issues.length > 0 || zone === undefined || times === undefined) return undefined;

  const normalized: CalendarTrigger = {
    kind: 'calendar',
    timezone: zone.name,
    ...normalTimes(times),
    ...dates,
    ...(every && { every: { unit: every.unit, n: every.n }, anchor: formatDate(every.anchor) }),
    ...(start !== undefined && { start: formatInstant(start) }),
    ...(end !== undefined && { end: formatInstant(end) }),
    gap: gap ?? 'skip',
  };
  const pattern = calendarPattern({ ...dates, times, every });
  const policy = { everyPass: false, shift: gap === 'shift' };
  return { value: wallTrigger('calendar', zone, pattern, policy, start, end), normalized };
}

function readTimes(fields: CalendarFields, issues: Issue[]): CalendarParts['times'] | undefined {
  if (fields.times !== undefined) {
    for (const name of ['hour', 'minute', 'second'] as const) {
      const value = fields[name];
      if (value !== undefined) issues.push(issue(name, RULE, 'must not stand beside `times`', value));
    }
    const list = readList(fields.times, 'times', RULE, issues, (item, path) => readTime(item, path, issues));
    return list && { list: ascending(list) };
  }
  if (fields.hour === undefined) {
    issues.push(issue('hour', RULE, '`hour` or `times` says when on a day', undefined));
  }
  const hour =
    fields.hour === undefined ? undefined : readIntegerOrList(fields.hour, 'hour', TRIGGER_LIMITS.hour, RULE, issues);
  const minute = readIntegerOrList(
    fields.minute ?? TRIGGER_LIMITS.minute.default,
    'minute',
    TRIGGER_LIMITS.minute,
    RULE,
    issues,
  );
  const second = readIntegerOrList(
    fields.second ?? TRIGGER_LIMITS.second.default,
    'second',
    TRIGGER_LIMITS.second,
    RULE,
    issues,
  );
  return hour && minute && second && { hour, minute, second };
}

function readTime(value: unknown, path: string, issues: Issue[]): number | undefined {
  const match = typeof value === 'string' ? /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(value) : null;
  if (match !== null) return Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3] ?? 0);
  const isShort = typeof value === 'string' && /^\d:[0-5]\d(:[0-5]\d)?$/.test(value);
  const hint = isShort ? `; write "0${value}"` : '';
  issues.push(issue(path, RULE, `must be a time \`HH:MM\` or \`HH:MM:SS\`, 00:00..23:59:59${hint}`, value));
  return undefined;
}

function normalTimes(times: CalendarParts['times']) {
  if ('list' in times) return { times: times.list.map(formatTimeOfDay) };
  return { hour: oneOrList(times.hour), minute: oneOrList(times.minute), second: oneOrList(times.second) };
}

function oneOrList(numbers: readonly number[]): number | readonly number[] {
  return numbers.length === 1 ? (numbers[0] as number) : numbers;
}

type Dates = Pick<CalendarParts, 'weekdays' | 'monthDays' | 'months' | 'nthWeekdays' | 'years'>;

function readDates(fields: CalendarFields, issues: Issue[]): Dates {
  const dates: { -readonly [name in keyof Dates]: Dates[name] } = {};
  const numbers = (name: 'months' | 'years', bounds: Bounds) => {
    const list = fields[name] === undefined ? undefined : readIntegers(fields[name], name, bounds, RULE, issues);
    if (list !== undefined) dates[name] = list;
  };
  const weekdays = fields.weekdays === undefined ? undefined : readWeekdays(fields.weekdays, 'weekdays', RULE, issues);
  if (weekdays !== undefined) dates.weekdays = weekdays;
  if (fields.monthDays !== undefined) {
    const read = (item: unknown, path: string) => readCounted(item, path, TRIGGER_LIMITS.monthDay.max, issues);
    const list = readList(fields.monthDays, 'monthDays', RULE, issues, read);
    if (list !== undefined) dates.monthDays = ascending(list);
  }
  numbers('months', TRIGGER_LIMITS.month);
  if (fields.nthWeekdays !== undefined) {
    const read = (item: unknown, path: string) => readNthWeekday(item, path, issues);
    const list = readList(fields.nthWeekdays, 'nthWeekdays', RULE, issues, read);
    if (list !== undefined) dates.nthWeekdays = weekdaysInOrder(list);
  }
  numbers('years', TRIGGER_LIMITS.year);
  return dates;
}

/** A number counted from the beginning, 1..max, or from the end, -1..-max. */
function readCounted(value: unknown, path: string, max: number, issues: Issue[]): number | undefined {
  if (typeof value === 'number' && Number.isInteger(value) && value !== 0 && Math.abs(value) <= max) return value;
  issues.push(issue(path, RULE, `must be a whole number, 1..${max} or -1..-${max}`, value));
  return undefined;
}

function readNthWeekday(value: unknown, path: string, issues: Issue[]): NthWeekday | undefined {
  const fields = readObject(value, path, ['weekday', 'nth'], RULE, issues);
  if (fields === undefined) return undefined;
  const weekday = readWeekday(fields.weekday, `${path}.weekday`, RULE, issues);
  const nth = readCounted(fields.nth, `${path}.nth`, TRIGGER_LIMITS.nth.max, issues);
  return weekday === undefined || nth === undefined ? undefined : { weekday, nth };
}

function readEvery(fields: CalendarFields, issues: Issue[]): CalendarParts['every'] {
  if (fields.every === undefined) {
    if (fields.anchor !== undefined) issues.push(issue('anchor', 'TR-4', 'stands only beside `every`', fields.anchor));
    return undefined;
  }
  const anchor = readDate(fields.anchor, 'anchor', 'TR-4', issues);
  const every = readObject(fields.every, 'every', ['unit', 'n'], 'TR-4', issues);
  if (every === undefined) return undefined;
  const unit = readChoice(every.unit, 'every.unit', ['day', 'week', 'month', 'year'], 'TR-4', issues);
  const n = readInteger(every.n, 'every.n', TRIGGER_LIMITS.periods, 'TR-4', issues);
  return unit === undefined || n === undefined || anchor === undefined ? undefined : { unit, n, anchor };
}
