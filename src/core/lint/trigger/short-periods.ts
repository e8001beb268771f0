/**
 * Warnings about a day of the month that nobody wrote: it comes from the date that a trigger counts from, and months or
 * years without it are skipped (TR-4, TR-12, TR-14).
 */

import { monthsText } from '../../explain/describe/date-words.js';
import { civilOf, monthOf } from '../../time/civil.js';
import type { DayRule } from '../../trigger/pattern/day-rule.js';
import { isRecurrence } from '../../trigger/rrule/recurrence-trigger.js';
import { isWallTrigger, type WallTrigger } from '../../trigger/wall-trigger.js';
import { type Warning, warning } from '../warning.js';
import type { Single } from './singles.js';

/** Days of each month, of a year without 29 February. */
const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const FEBRUARY = 1 << 1;

/** A warning of `shortPeriods` for a trigger whose day comes from `anchor` or DTSTART. @internal */
export function shortPeriods({ compiled, trigger, path }: Single): readonly Warning[] {
  if (!isWallTrigger(compiled)) return [];
  const field = sourceOf(compiled, trigger);
  const day = onlyDayOf(compiled.pattern.days);
  if (field === undefined || day === undefined) return [];
  const short = shortMonths(compiled.pattern.days, day);
  if (short === 0) return [];
  const instead = trigger.kind === 'rrule' ? '`BYMONTHDAY=-1`' : '`monthDays: [-1]`';
  const skipped = short === FEBRUARY && day === 29 ? 'each February of 28 days' : monthsText(short);
  const text = `the day of the month comes from \`${field}\` and is ${day}, which is not in every period: nothing is due in ${skipped}; for the last day of the month use ${instead}`;
  return [warning('shortPeriods', `${path}.${field}`, text)];
}

/** The field that gives the day of the month, where no other does. */
function sourceOf(compiled: WallTrigger, trigger: Single['trigger']): 'anchor' | 'dtstart' | undefined {
  if (trigger.kind === 'calendar')
    return trigger.every !== undefined && trigger.monthDays === undefined ? 'anchor' : undefined;
  if (!isRecurrence(compiled)) return undefined;
  return compiled.recurrence.rule.numbers.BYMONTHDAY === undefined ? 'dtstart' : undefined;
}

/** The one day of the month that is wanted, of those that some month lacks. */
function onlyDayOf({ days: { monthPart, weekPart } }: DayRule): number | undefined {
  if (monthPart === undefined || weekPart !== undefined) return undefined;
  return [29, 30, 31].find((day) => monthPart.days === 1 << (day - 1));
}

/** The months in which the day is missing, of those that are asked for: a bit set, bit 0 is January. */
function shortMonths({ askedMonths, period }: DayRule, day: number): number {
  const isEveryLeapYear = period?.unit === 'year' && period.n % 4 === 0;
  let short = 0;
  for (let month = 1; month <= 12; month += 1) {
    const isAsked = (askedMonths & (1 << (month - 1))) !== 0 && isCounted(period, month);
    const isLeapDay = month === 2 && day === 29 && isEveryLeapYear;
    if (isAsked && !isLeapDay && (LENGTHS[month - 1] as number) < day) short |= 1 << (month - 1);
  }
  return short;
}

/** Whether a period of months ever comes to a month. */
function isCounted(period: DayRule['period'], month: number): boolean {
  if (period?.unit !== 'month') return true;
  const anchor = monthOf(civilOf(period.anchor));
  return Array.from({ length: 12 }, (_, k) => (anchor - 1 + k * period.n) % 12).includes(month - 1);
}
