/**
 * The dates that a trigger wants, in English.
 *
 * Everything is told that the rule asks for, also what no date can meet: a description never says more or less than the
 * rule that runs.
 */

import { formatDate } from '../../time/civil.js';
import { ALL_MONTHS, ALL_WEEKDAYS, type DayRule } from '../../trigger/pattern/day-rule.js';
import type { MonthPart, MonthRule, WeekPart } from '../../trigger/pattern/month-rule.js';
import type { PeriodRule } from '../../trigger/pattern/period-rule.js';
import { counted, listed, namesText, numbersOf, numbersText, ordinal, placeText } from './list-words.js';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** `every day`, `on Mondays to Fridays in January`, `on day 13 of the month or on Fridays`. @internal */
export function dateWords(rule: DayRule): string {
  const { days, period, askedMonths } = rule;
  const inMonths = askedMonths === ALL_MONTHS ? '' : `in ${monthsText(askedMonths)}`;
  const inYears = rule.years === undefined ? '' : `in ${numbersText(rule.years)}`;
  const every = period === undefined ? '' : periodWords(period);
  const isNamed = days.monthPart !== undefined || !isAnyWeekday(days.weekPart);
  if (!isNamed && period?.unit === 'day') return phrases(every, inMonths, inYears);
  if (!isNamed) return phrases(phrase('every day', inMonths), inYears, every);
  if (days.monthPart === undefined && days.weekPart?.nth.length === 0) {
    return phrases(phrase(partWords(days), inMonths), inYears, every);
  }
  if (inMonths === '' || !isOfMonth(days)) return phrases(partWords(days), inMonths, inYears, every);
  return phrases(partWords(days).replace('of the month', `of ${monthsText(askedMonths)}`), inYears, every);
}

function partWords({ monthPart, weekPart, either }: MonthRule): string {
  if (monthPart === undefined) return `on ${weekPartWords(weekPart as WeekPart)}`;
  if (weekPart === undefined) return `on ${monthPartWords(monthPart)}`;
  if (either) return `on ${monthPartWords(monthPart)} or on ${weekPartWords(weekPart)}`;
  const named = weekPartWords(weekPart);
  const isOne = weekPart.weekdays === 0 && weekPart.nth.length === 1;
  return `on ${named} ${isOne ? 'if it falls' : 'that fall'} on ${monthPartWords(monthPart)}`;
}

/** Whether the words for days speak of their month once, at the end. */
function isOfMonth({ monthPart, weekPart }: MonthRule): boolean {
  return weekPart === undefined || (monthPart === undefined && weekPart.weekdays === 0 && weekPart.nth.length > 0);
}

function isAnyWeekday(part: WeekPart | undefined): boolean {
  return part === undefined || part.weekdays === ALL_WEEKDAYS;
}

function phrase(...words: readonly string[]): string {
  return words.filter((word) => word !== '').join(' ');
}

function phrases(...words: readonly string[]): string {
  return words.filter((word) => word !== '').join(', ');
}

/** `day 13 of the month`, `the last day of the month`. @internal */
export function monthPartWords({ days, fromEnd, nearestWorkday, lastWorkday }: MonthPart): string {
  const parts = [
    ...(days === 0 ? [] : [counted('day', numbersOf(days, 1))]),
    ...numbersOf(nearestWorkday, 1).map((day) => `the workday (Monday to Friday) nearest day ${day}`),
    ...numbersOf(fromEnd, 1).map((place) => `the ${placeText(-place)} day`),
    ...(lastWorkday ? ['the last workday (Monday to Friday)'] : []),
  ];
  return `${listed(parts)} of the month`;
}

/** `Mondays to Fridays`, `the 2nd Tuesday of the month`. @internal */
export function weekPartWords({ weekdays, nth }: WeekPart): string {
  const parts = weekdays === 0 ? [] : [weekdaysText(weekdays, (name) => `${name}s`)];
  if (nth.length > 0) parts.push(`${nthText(nth)} of the month`);
  return parts.length === 0 ? 'no weekday' : listed(parts);
}

/** `a Monday or a Friday`, `the 2nd Tuesday of the month`: what one date may be. @internal */
export function oneOfWeekPart({ weekdays, nth }: WeekPart): string {
  const parts = weekdays === 0 ? [] : [`a ${listed(numbersOf(weekdays, 0).map(weekdayName), 'or')}`];
  if (nth.length > 0) parts.push(`${nthText(nth, 'or')} of the month`);
  return parts.length === 0 ? 'no weekday' : listed(parts, 'or');
}

function nthText(nth: WeekPart['nth'], last?: string): string {
  return listed(
    nth.map((one) => `the ${placeText(one.nth)} ${weekdayName(one.weekday)}`),
    last,
  );
}

/** `Mondays to Fridays` of a bit set (bit 0 is Monday). @internal */
export function weekdaysText(weekdays: number, form: (name: string) => string = String, last?: string): string {
  if (weekdays === ALL_WEEKDAYS) return 'all weekdays';
  return namesText(numbersOf(weekdays, 0), (weekday) => form(weekdayName(weekday)), last);
}

/** `January and June to August` of a bit set (bit 0 is January). @internal */
export function monthsText(months: number, last?: string): string {
  if (months === 0) return 'no month';
  return namesText(numbersOf(months, 1), monthName, last);
}

/**
 * `every 3rd day from 2026-01-05 on`, `in every 2nd week from 2026-01-05 on`; where dates before the anchor count as well,
 * `in every 2nd week counted from 2026-01-05`.
 *
 * @internal
 */
export function periodWords({ unit, n, anchor, since, weekStart }: PeriodRule): string {
  const date = formatDate(anchor);
  const from = since === anchor ? `from ${date} on` : `counted from ${date}`;
  if (n === 1) return unit === 'day' ? `every day ${from}` : from;
  const weeks = unit === 'week' && weekStart !== 0 ? ` (weeks begin on ${weekdayName(weekStart)})` : '';
  return `${unit === 'day' ? '' : 'in '}every ${ordinal(n)} ${unit} ${from}${weeks}`;
}

/** Monday = 0. @internal */
export function weekdayName(weekday: number): string {
  return WEEKDAYS[weekday] as string;
}

/** January = 1. @internal */
export function monthName(month: number): string {
  return MONTHS[month - 1] as string;
}
