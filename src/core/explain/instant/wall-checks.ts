/**
 * The conditions of a pattern of wall times, one by one, held against a wall time (TR-3, TR-4, TR-6).
 *
 * Days are judged with the same functions that search them. A condition that asks for everything is left out.
 */

import {
  civilOf,
  DAY_MS,
  dateOf,
  dayOf,
  daysInMonth,
  digits,
  formatDate,
  formatTimeOfDay,
  monthOf,
  weekdayOf,
  yearOf,
} from '../../time/civil.js';
import { ALL_MONTHS, ALL_WEEKDAYS, type DayRule, FIRST_YEAR, LAST_YEAR } from '../../trigger/pattern/day-rule.js';
import { type MonthRule, monthDaySet, type WeekPart } from '../../trigger/pattern/month-rule.js';
import { type PeriodRule, periodDaySet, weekStartOf } from '../../trigger/pattern/period-rule.js';
import { type YearRule, yearDaySet } from '../../trigger/pattern/recurrence/year-rule.js';
import { ALL_HOURS, type SixtySet, type TimeSet } from '../../trigger/pattern/time-set.js';
import type { WallPattern } from '../../trigger/pattern/wall-pattern.js';
import type { RecurrenceRule } from '../../trigger/rrule/recurrence-rule.js';
import {
  monthName,
  monthPartWords,
  monthsText,
  oneOfWeekPart,
  periodWords,
  weekdayName,
  weekdaysText,
} from '../describe/date-words.js';
import { numbersOf, numbersText, ordinal, placeText } from '../describe/list-words.js';
import { yearWords } from '../describe/rule-words.js';
import { isEvery, oneTimeOf, sixtyNumbers } from '../describe/time-words.js';
import { check } from './conditions.js';
import type { ConditionCheck } from './due-explanation.js';

/** A date taken apart. */
interface Civil {
  readonly day: number;
  readonly year: number;
  readonly month: number;
  readonly date: number;
  /** Number of days of the month. */
  readonly length: number;
  /** Day number of the first of the month. */
  readonly first: number;
}

/**
 * The conditions of a pattern, held against a wall time in milliseconds "as if UTC"; `rule` is the recurrence rule that the
 * pattern was made from.
 *
 * @internal
 */
export function patternChecks(
  { days, times }: WallPattern,
  wall: number,
  rule?: RecurrenceRule,
): readonly ConditionCheck[] {
  const day = Math.floor(wall / DAY_MS);
  const civil = civilAt(day);
  const ofYear = days.ofYear === undefined || rule === undefined ? [] : [yearCheck(days.ofYear, rule, civil)];
  return [...dateChecks(days, civil), ...ofYear, ...timeChecks(times, wall - day * DAY_MS)];
}

/** What a recurrence rule counts within the year. */
function yearCheck(ofYear: YearRule, rule: RecurrenceRule, { day, year, month, date }: Civil): ConditionCheck {
  const holds = (yearDaySet(ofYear, year, month) & (1 << (date - 1))) !== 0;
  const found = `day ${day - dayOf(year, 1, 1) + 1} of the year, a ${weekdayName(weekdayOf(day))}`;
  return check('rule', `a date ${yearWords(rule)}`, found, holds);
}

function civilAt(day: number): Civil {
  const civil = civilOf(day);
  const [year, month, date] = [yearOf(civil), monthOf(civil), dateOf(civil)];
  return { day, year, month, date, length: daysInMonth(year, month), first: dayOf(year, month, 1) };
}

function dateChecks(rule: DayRule, civil: Civil): readonly ConditionCheck[] {
  const { year, month } = civil;
  const { askedMonths, years, period } = rule;
  const checks: ConditionCheck[] = [];
  if (years !== undefined) checks.push(check('year', numbersText(years, 'or'), String(year), years.includes(year)));
  if (years === undefined && (year < FIRST_YEAR || year > LAST_YEAR)) {
    checks.push(check('year', `${FIRST_YEAR} to ${LAST_YEAR}`, String(year), false));
  }
  if (askedMonths !== ALL_MONTHS) {
    const holds = (askedMonths & (1 << (month - 1))) !== 0;
    checks.push(check('month', monthsText(askedMonths, 'or'), monthName(month), holds));
  }
  checks.push(...dayChecks(rule.days, civil));
  if (period !== undefined) checks.push(periodCheck(period, civil));
  return checks;
}

function dayChecks(rule: MonthRule, civil: Civil): readonly ConditionCheck[] {
  const { monthPart, weekPart, either } = rule;
  const isAnyWeekday = weekPart === undefined || (monthPart === undefined && weekPart.weekdays === ALL_WEEKDAYS);
  if (monthPart === undefined && isAnyWeekday) return [];
  if (monthPart === undefined) return [weekdayCheck(rule, civil)];
  if (weekPart === undefined) return [monthDayCheck(rule, civil)];
  if (!either) {
    return [
      monthDayCheck({ ...rule, weekPart: undefined }, civil),
      weekdayCheck({ ...rule, monthPart: undefined }, civil),
    ];
  }
  const wanted = `${monthPartWords(monthPart)} or ${oneOfWeekPart(weekPart)}`;
  const found = `${weekdayText(civil, weekPart)} (${monthDayText(civil)})`;
  return [check('day', wanted, found, isIn(rule, civil))];
}

function monthDayCheck(rule: MonthRule, civil: Civil): ConditionCheck {
  const wanted = monthPartWords(rule.monthPart as NonNullable<MonthRule['monthPart']>);
  return check('dayOfMonth', wanted, monthDayText(civil), isIn(rule, civil));
}

function weekdayCheck(rule: MonthRule, civil: Civil): ConditionCheck {
  const part = rule.weekPart as WeekPart;
  const wanted = part.nth.length === 0 ? weekdaysText(part.weekdays, String, 'or') : oneOfWeekPart(part);
  return check('dayOfWeek', wanted === '' ? 'no weekday' : wanted, weekdayText(civil, part), isIn(rule, civil));
}

function isIn(rule: MonthRule, { date, length, first }: Civil): boolean {
  return (monthDaySet(rule, length, weekdayOf(first)) & (1 << (date - 1))) !== 0;
}

function monthDayText({ date, length }: Civil): string {
  return `day ${date} of ${length}`;
}

/** The weekday, and its place in the month where places are asked for. */
function weekdayText({ day, date, length }: Civil, { nth }: WeekPart): string {
  const name = weekdayName(weekdayOf(day));
  if (nth.length === 0) return name;
  const fromEnd = -1 - Math.floor((length - date) / 7);
  return `the ${ordinal(Math.ceil(date / 7))} (${placeText(fromEnd)}) ${name} of the month`;
}

function periodCheck(period: PeriodRule, { day, year, month, date, length, first }: Civil): ConditionCheck {
  const holds = (periodDaySet(period, year, month, first, length) & (1 << (date - 1))) !== 0;
  const found = day < period.since ? `before ${formatDate(period.since)}` : distanceText(period, day, year, month);
  return check('every', periodWords(period), found, holds);
}

/** How many periods a date lies after the anchor's. */
function distanceText({ unit, anchor, weekStart }: PeriodRule, day: number, year: number, month: number): string {
  const civil = civilOf(anchor);
  const weeks = (weekStartOf(day, weekStart) - weekStartOf(anchor, weekStart)) / 7;
  const distance = {
    day: day - anchor,
    week: weeks,
    month: (year - yearOf(civil)) * 12 + month - monthOf(civil),
    year: year - yearOf(civil),
  }[unit];
  return `${distance} ${unit}${distance === 1 ? '' : 's'} after that of ${formatDate(anchor)}`;
}

function timeChecks(set: TimeSet, ms: number): readonly ConditionCheck[] {
  const time = Math.floor(ms / 1000);
  const fraction = ms % 1000;
  const second = `${time % 60}${fraction === 0 ? '' : `.${digits(fraction, 3)}`}`;
  if (set.list !== undefined) {
    const found = `${formatTimeOfDay(time)}${fraction === 0 ? '' : ` and ${fraction} ms`}`;
    return [check('time', oneTimeOf(set), found, fraction === 0 && set.list.includes(time))];
  }
  const hour = Math.floor(time / 3600);
  const checks: ConditionCheck[] = [];
  if (set.hours !== ALL_HOURS) {
    const wanted = numbersText(numbersOf(set.hours, 0), 'or');
    checks.push(check('hour', wanted, String(hour), (set.hours & (1 << hour)) !== 0));
  }
  const minute = Math.floor(time / 60) % 60;
  if (!isEvery(set.minutes)) checks.push(sixtyCheck('minute', set.minutes, minute, String(minute), true));
  if (!isEvery(set.seconds)) checks.push(sixtyCheck('second', set.seconds, time % 60, second, fraction === 0));
  else if (fraction !== 0) checks.push(check('second', 'a whole one', second, false));
  return checks;
}

function sixtyCheck(
  field: 'minute' | 'second',
  set: SixtySet,
  number: number,
  found: string,
  isWhole: boolean,
): ConditionCheck {
  const numbers = sixtyNumbers(set);
  return check(field, numbersText(numbers, 'or'), found, isWhole && numbers.includes(number));
}
