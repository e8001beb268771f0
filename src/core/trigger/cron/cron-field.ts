/**
 * One field of a cron expression: its name, its range, and how its items are read (TR-6).
 *
 * Every character of a field is consumed by an item or refused; nothing is skipped over or guessed.
 */

import { type CronDialect, TRIGGER_LIMITS } from '../../model/trigger.js';

/**
 * What sets one field apart from another.
 *
 * @internal
 */
export interface FieldSpec {
  readonly name: 'second' | 'minute' | 'hour' | 'day-of-month' | 'month' | 'day-of-week' | 'year';
  readonly min: number;
  readonly max: number;
  /** Numbers after which a range that wraps begins again; 0 where none may wrap. */
  readonly cycle: number;
  /** Three-letter names, of which the first stands for `firstName`. */
  readonly names: readonly string[];
  readonly firstName: number;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** What the three letters are the beginning of. */
const WHOLE_NAMES =
  'SUNDAY MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY JANUARY FEBRUARY MARCH APRIL JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER'.split(
    ' ',
  );

/** The seven fields, in the order of an expression that has them all. @internal */
export const FIELDS = {
  second: { name: 'second', min: 0, max: 59, cycle: 60, names: [], firstName: 0 },
  minute: { name: 'minute', min: 0, max: 59, cycle: 60, names: [], firstName: 0 },
  hour: { name: 'hour', min: 0, max: 23, cycle: 24, names: [], firstName: 0 },
  monthDay: { name: 'day-of-month', min: 1, max: 31, cycle: 31, names: [], firstName: 1 },
  month: { name: 'month', min: 1, max: 12, cycle: 12, names: MONTHS, firstName: 1 },
  weekday: { name: 'day-of-week', min: 0, max: 7, cycle: 7, names: WEEKDAYS, firstName: 0 },
  quartzWeekday: { name: 'day-of-week', min: 1, max: 7, cycle: 7, names: WEEKDAYS, firstName: 1 },
  year: { name: 'year', ...TRIGGER_LIMITS.year, cycle: 0, names: [], firstName: 0 },
} as const satisfies Record<string, FieldSpec>;

/**
 * A single number or name.
 *
 * @internal
 */
export interface CronValue {
  readonly number: number;
  /** Position behind its last character. */
  readonly end: number;
}

/**
 * The values of an item as first, last and step; `last` may lie beyond the field's maximum where a range wraps.
 *
 * @internal
 */
export interface CronRange {
  readonly first: number;
  readonly last: number;
  readonly step: number;
}

/**
 * Why an item is refused: what is wrong, and where in the item.
 *
 * @internal
 */
export interface CronFault {
  readonly fault: string;
  readonly at: number;
  /** What to write in its place, where that can be said. */
  readonly instead?: string;
  /** What is allowed there; absent: the values of the field. */
  readonly allowed?: string;
}

/**
 * The allowed values of a field, for a message: `0-59`, `1-12 or JAN-DEC`.
 *
 * @internal
 */
export function allowedRange(field: FieldSpec): string {
  const { min, max, names } = field;
  return names.length === 0 ? `${min}-${max}` : `${min}-${max} or ${names[0]}-${names.at(-1)}`;
}

/**
 * Reads a number or a name at `start`: digits with any leading zeros, or three letters of any case. A number too large
 * for any field is cut at 10^6, which no field allows.
 *
 * @internal
 */
export function readValue(text: string, start: number, field: FieldSpec): CronValue | undefined {
  let end = start;
  let number = 0;
  for (let digit = digitAt(text, end); digit >= 0; digit = digitAt(text, end)) {
    number = Math.min(number * 10 + digit, 1_000_000);
    end += 1;
  }
  if (end > start) return { number, end };
  if (field.names.length === 0) return undefined;
  const index = field.names.indexOf(text.slice(start, start + 3).toUpperCase());
  return index < 0 ? undefined : { number: index + field.firstName, end: start + 3 };
}

/**
 * Reads an item that names a range: `*`, `*&#47;n`, `v`, `v-w`, `v-w/n`, and `v/n` where the dialect has sloppy steps.
 * The whole item must be consumed.
 *
 * @internal
 */
export function readRange(item: string, field: FieldSpec, dialect: CronDialect): CronRange | CronFault {
  const { min, max } = field;
  if (item.startsWith('*')) {
    if (item.length === 1) return { first: min, last: wholeRangeEnd(field), step: 1 };
    return readStep(item, 1, field, min, wholeRangeEnd(field));
  }
  const first = readValue(item, 0, field);
  if (first === undefined) return { fault: 'is not a value of this field', at: 0 };
  if (first.number < min || first.number > max) return { fault: 'is out of range', at: 0 };
  if (first.end === item.length) return { first: first.number, last: first.number, step: 1 };
  if (item[first.end] !== '-') {
    const stepped = readStep(item, first.end, field, first.number, max);
    if ('fault' in stepped || dialect.sloppySteps === true) return stepped;
    const whole = `${item.slice(0, first.end)}-${nameOf(max, item, field)}${item.slice(first.end)}`;
    const instead = `write \`${whole}\`, or set \`sloppySteps\` in \`dialect\``;
    return { fault: 'has a step on a single value', at: first.end, instead };
  }
  const last = readValue(item, first.end + 1, field);
  if (last === undefined) return { fault: 'has no value of this field after `-`', at: first.end + 1 };
  if (last.number < min || last.number > max) {
    return { fault: 'has a range end that is out of range', at: first.end + 1 };
  }
  const end = rangeEnd(item.slice(first.end + 1, last.end), last.number, field);
  if (end >= first.number) return readStep(item, last.end, field, first.number, end);
  const wrapped = field.cycle === 0 ? undefined : readStep(item, last.end, field, first.number, end + field.cycle);
  if (wrapped !== undefined && ('fault' in wrapped || dialect.wrapRanges === true)) return wrapped;
  return { fault: 'is a range that runs backwards', at: 0, instead: forwards(item, field, wrapped) };
}

/** A weekday range that ends in the name SUN ends with the Sunday after Saturday. */
function rangeEnd(token: string, number: number, field: FieldSpec): number {
  return field.names === WEEKDAYS && token.toUpperCase() === 'SUN' ? number + 7 : number;
}

/** `*` of a field that has two numbers for one value stops before the second. */
function wholeRangeEnd(field: FieldSpec): number {
  return field.cycle === 0 ? field.max : field.min + field.cycle - 1;
}

function readStep(item: string, at: number, field: FieldSpec, first: number, last: number): CronRange | CronFault {
  if (at === item.length) return { first, last, step: 1 };
  if (item[at] !== '/') return { fault: `has an unexpected ${JSON.stringify(item[at])}`, at, ...blankAdvice(item[at]) };
  let end = at + 1;
  let step = 0;
  for (let digit = digitAt(item, end); digit >= 0; digit = digitAt(item, end)) {
    step = Math.min(step * 10 + digit, 1_000_000);
    end += 1;
  }
  const allowed = `1-${field.max} as a step`;
  if (end === at + 1 || end < item.length) {
    return { fault: 'has a step that is not a whole number', at: at + 1, allowed };
  }
  if (step < 1 || step > field.max) {
    const isLong = field.min === 0 && field.max < 60 && field.names.length === 0 && step > field.max;
    const instead = isLong ? { instead: 'a longer step is an `interval` trigger' } : {};
    return { fault: 'has a step out of range', at: at + 1, allowed, ...instead };
  }
  return { first, last, step };
}

/** Line breaks and the like are no separators, and are hard to see. */
function blankAdvice(character: string | undefined): Pick<CronFault, 'instead'> {
  return /\s/.test(character ?? '') ? { instead: 'only spaces and tabs stand between fields, and around them' } : {};
}

/**
 * What to write for an item with names of more than three letters (`Monday`, `Tues`, `Mondays`); nothing where it has none.
 *
 * @internal
 */
export function shortNames(item: string, field: FieldSpec): string | undefined {
  const short = item.replace(/[a-z]{4,}/gi, (word) => {
    const letters = word.toUpperCase();
    const name = letters.slice(0, 3);
    const isName = WHOLE_NAMES.some((whole) => `${whole}S`.startsWith(letters)) && field.names.includes(name);
    return isName ? name : word;
  });
  return short === item ? undefined : `write \`${short}\``;
}

/** What to write for a range that runs backwards: the two ranges that it stands for, or with a step its values. */
function forwards(item: string, field: FieldSpec, wrapped: CronRange | undefined): string {
  const [first = '', last = ''] = item.split(/[-/]/);
  if (wrapped === undefined) return `write \`${last}-${first}${item.slice(first.length + last.length + 1)}\``;
  const top = wholeRangeEnd(field);
  const rest = rangeText(nameOf(field.min, item, field), last, wrapped.last - field.cycle === field.min);
  // Sunday as 7 is the first day of the rest.
  const ranges =
    wrapped.first > top ? [rest] : [rangeText(first, nameOf(top, item, field), wrapped.first === top), rest];
  const values: string[] = [];
  for (let value = wrapped.first; value <= wrapped.last; value += wrapped.step) {
    values.push(nameOf(value > top ? value - field.cycle : value, item, field));
  }
  return `write \`${(wrapped.step === 1 ? ranges : values).join(',')}\`, or set \`wrapRanges\` in \`dialect\``;
}

function rangeText(first: string, last: string, isOne: boolean): string {
  return isOne ? first : `${first}-${last}`;
}

/** A number of a field as an item writes it: by its name where the item begins with one. */
function nameOf(number: number, item: string, field: FieldSpec): string {
  return /^\d/.test(item) ? String(number) : (field.names[number - field.firstName] ?? String(number));
}

function digitAt(text: string, index: number): number {
  const digit = text.charCodeAt(index) - 48;
  return digit >= 0 && digit <= 9 ? digit : -1;
}
