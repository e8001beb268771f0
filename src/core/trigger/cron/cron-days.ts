/**
 * The two day fields of a cron expression, whose items may be more than numbers: `L`, `LW`, `15W`, `5L`, `5#3` (TR-6).
 */

import type { CronDialect } from '../../model/trigger.js';
import { type CronFault, FIELDS, type FieldSpec, readRange, readValue } from './cron-field.js';

/**
 * The day fields as bit sets, in the numbering of day rules: bit 0 is day 1, and Monday.
 *
 * @internal
 */
export interface DayFields {
  /** Whether the day-of-month field is exactly `*` or `?`. */
  readonly anyMonthDay: boolean;
  /** Whether the day-of-week field is exactly `*` or `?`. */
  readonly anyWeekday: boolean;
  /** Whether a date must meet both fields, rather than either. */
  readonly both: boolean;
  readonly monthDays: { days: number; fromEnd: number; nearestWorkday: number; lastWorkday: boolean };
  readonly weekdays: { weekdays: number; nth: { readonly weekday: number; readonly nth: number }[] };
}

/**
 * Adds one item of the day-of-month field, or says why it is refused.
 *
 * @internal
 */
export function readMonthDayItem(
  item: string,
  into: DayFields['monthDays'],
  dialect: CronDialect,
): CronFault | undefined {
  if (item === 'L') {
    into.fromEnd |= 1;
    return undefined;
  }
  if (item === 'LW') {
    into.lastWorkday = true;
    return undefined;
  }
  if (item.startsWith('L-')) return dialect.lastOffset === true ? readLastOffset(item, into) : LAST_OFFSET;
  if (/^(l|lw|\d+w)$/.test(item)) return { ...CASE, instead: `write \`${item.toUpperCase()}\`` };
  const value = readValue(item, 0, FIELDS.monthDay);
  if (value !== undefined && item.slice(value.end) === 'W') {
    if (value.number < 1 || value.number > 31) return { fault: 'is out of range', at: 0 };
    into.nearestWorkday |= 1 << (value.number - 1);
    return undefined;
  }
  const range = readRange(item, FIELDS.monthDay, dialect);
  if ('fault' in range) return range;
  for (let day = range.first; day <= range.last; day += range.step) into.days |= 1 << ((day - 1) % 31);
  return undefined;
}

/** The form is that of another cron. */
const LAST_OFFSET: CronFault = {
  fault: 'is counted from the last day of the month',
  at: 0,
  instead: 'to allow `L-n`, set `lastOffset` in `dialect`',
};

const CASE: CronFault = { fault: 'has its letters in lower case', at: 0 };

function readLastOffset(item: string, into: DayFields['monthDays']): CronFault | undefined {
  const offset = readValue(item, 2, FIELDS.monthDay);
  const allowed = '1-30 after `L-`';
  if (offset === undefined || offset.end < item.length) return { fault: 'is not `L-n`', at: 2, allowed };
  if (offset.number < 1 || offset.number > 30) return { fault: 'has an offset out of range', at: 2, allowed };
  into.fromEnd |= 1 << offset.number;
  return undefined;
}

/**
 * Adds one item of the day-of-week field, or says why it is refused.
 *
 * @internal
 */
export function readWeekdayItem(
  item: string,
  into: DayFields['weekdays'],
  field: FieldSpec,
  dialect: CronDialect,
): CronFault | undefined {
  if (item === 'L' && dialect.weekdays === 'quartz') {
    into.weekdays |= 1 << mondayFirst(7, field);
    return undefined;
  }
  const value = readValue(item, 0, field);
  const suffix = value === undefined ? '' : item.slice(value.end);
  if (value !== undefined && (suffix === 'L' || suffix.startsWith('#'))) {
    if (value.number < field.min || value.number > field.max) return { fault: 'is out of range', at: 0 };
    const nth = suffix === 'L' || suffix === '#L' ? -1 : Number(/^#([1-5])$/.exec(suffix)?.[1] ?? 0);
    if (nth === 0) {
      return { fault: 'has something other than 1-5 or L after `#`', at: value.end + 1, allowed: NTH };
    }
    into.nth.push({ weekday: mondayFirst(value.number, field), nth });
    return undefined;
  }
  const range = readRange(item, field, dialect);
  if ('fault' in range) return range;
  for (let day = range.first; day <= range.last; day += range.step) into.weekdays |= 1 << mondayFirst(day, field);
  return undefined;
}

const NTH = '1-5 after `#`, counted from the first, and L for the last of the month';

/** The weekday of a cron number as Monday = 0: numbers count from Sunday, which is `firstName`. */
function mondayFirst(number: number, field: FieldSpec): number {
  return (number - field.firstName + 6) % 7;
}
