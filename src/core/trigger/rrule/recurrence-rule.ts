/**
 * A recurrence rule as data: the parts of RFC 5545, section 3.3.10, and their one normal text (TR-14).
 */

import { formatWallTime } from '../../time/instant.js';

/** Frequencies, from the coarsest. @internal */
export const FREQUENCIES = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY', 'SECONDLY'] as const;

/** How often a rule comes back. @internal */
export type Frequency = (typeof FREQUENCIES)[number];

/** Weekdays as the RFC names them, Monday = 0. @internal */
export const RULE_WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;

/**
 * A weekday, Monday = 0, of every week where `nth` is 0, else the n-th of its month or year, from the end where negative.
 *
 * @internal
 */
export interface RuleWeekday {
  readonly weekday: number;
  readonly nth: number;
}

/**
 * Where a rule ends, inclusive: an instant, or a time on the clock of the zone; milliseconds, the latter "as if UTC".
 *
 * @internal
 */
export interface RuleUntil {
  readonly is: 'instant' | 'wall';
  readonly at: number;
}

/** The BYxxx parts that are lists of numbers, in the order of the normal text. @internal */
export const NUMBER_PARTS = [
  'BYMONTH',
  'BYWEEKNO',
  'BYYEARDAY',
  'BYMONTHDAY',
  'BYHOUR',
  'BYMINUTE',
  'BYSECOND',
  'BYSETPOS',
] as const;

/** A BYxxx part that is a list of numbers. @internal */
export type NumberPart = (typeof NUMBER_PARTS)[number];

/** Every part that a rule may have. @internal */
export const RULE_PARTS = ['FREQ', 'UNTIL', 'COUNT', 'INTERVAL', 'BYDAY', 'WKST', ...NUMBER_PARTS] as const;

/** The name of a part. @internal */
export type RulePart = (typeof RULE_PARTS)[number];

/**
 * A rule that was read and found good; lists ascend, have no number twice and are not empty.
 *
 * @internal
 */
export interface RecurrenceRule {
  readonly freq: Frequency;
  readonly interval: number;
  readonly count: number | undefined;
  readonly until: RuleUntil | undefined;
  readonly numbers: { readonly [Part in NumberPart]?: readonly number[] };
  /** BYDAY. */
  readonly weekdays: readonly RuleWeekday[] | undefined;
  /** WKST, Monday = 0. */
  readonly weekStart: number;
}

/**
 * Whether a rule comes back within a day, and so at both passes of a repeated hour.
 *
 * @internal
 */
export function isBelowDay({ freq }: RecurrenceRule): boolean {
  return FREQUENCIES.indexOf(freq) > FREQUENCIES.indexOf('DAILY');
}

/**
 * The one text of a rule: upper case, parts in a fixed order, what makes no difference left out.
 *
 * @internal
 */
export function formatRule(rule: RecurrenceRule): string {
  const { freq, interval, count, until, numbers, weekdays, weekStart } = rule;
  const parts = [`FREQ=${freq}`];
  if (until !== undefined) parts.push(`UNTIL=${untilText(until)}`);
  if (count !== undefined) parts.push(`COUNT=${count}`);
  if (interval !== 1) parts.push(`INTERVAL=${interval}`);
  for (const part of NUMBER_PARTS) {
    if (part === 'BYHOUR' && weekdays !== undefined) parts.push(`BYDAY=${weekdays.map(weekdayText).join(',')}`);
    const list = numbers[part];
    if (list !== undefined) parts.push(`${part}=${list.join(',')}`);
  }
  if (weekStart !== 0 && isWeekStartUsed(rule)) parts.push(`WKST=${RULE_WEEKDAYS[weekStart]}`);
  return parts.join(';');
}

/** Where a week begins matters where weeks are counted, and where places in a week are. */
function isWeekStartUsed({ freq, interval, numbers }: RecurrenceRule): boolean {
  return freq === 'WEEKLY' ? interval > 1 || numbers.BYSETPOS !== undefined : numbers.BYWEEKNO !== undefined;
}

function weekdayText({ weekday, nth }: RuleWeekday): string {
  return `${nth === 0 ? '' : nth}${RULE_WEEKDAYS[weekday]}`;
}

function untilText({ is, at }: RuleUntil): string {
  return `${compactWallTime(at)}${is === 'instant' ? 'Z' : ''}`;
}

/**
 * `YYYYMMDDTHHMMSS`, as iCalendar writes a wall time.
 *
 * @internal
 */
export function compactWallTime(wall: number): string {
  return formatWallTime(wall).replace(/[-:]/g, '');
}
