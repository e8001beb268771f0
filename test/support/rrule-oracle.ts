/**
 * The oracle on recurrence rules: RFC 5545, section 3.3.10, written down as it is printed.
 *
 * Each period of FREQ, INTERVAL apart and counted from the one that holds DTSTART, is laid out in full; every BYxxx part
 * throws out what it does not name; what a rule leaves open comes from DTSTART. "Expand" and "limit" of the RFC's table
 * are then one thing, for a part that limits does so inside the period, and a part that expands does so inside it too;
 * they differ in what is taken from DTSTART where the part is missing. BYSETPOS picks last.
 *
 * What the RFC leaves to the reader is read as TR-14 says. A local time that is never shown is ignored and not counted.
 * One that is shown twice counts the first time; with a frequency below a day it counts both times, from the instant that
 * first shows DTSTART to the one that last shows UNTIL. The week of BYWEEKNO belongs to its year whole, with its days in
 * the neighbouring year. EXDATE gives no count back, RDATE is neither counted nor ended by the rule.
 */
import type { OracleClock } from './oracle-clock.js';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
/** No offset differs from another by more than this. */
const REACH = 26 * HOUR;
const SIXTY = Array.from({ length: 60 }, (_, i) => i);
const UNITS = { SECONDLY: SECOND, MINUTELY: 60 * SECOND, HOURLY: HOUR } as const;

/** Frequencies, from the finest. */
export const FREQUENCIES = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
/** Weekdays as the RFC names them, Sunday first, as `Date` counts them. */
export const DAY_NAMES = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const;

/** A recurrence rule as a structure; weekdays are Sunday = 0. */
export interface OracleRule {
  readonly freq: (typeof FREQUENCIES)[number];
  readonly interval?: number;
  readonly count?: number;
  /** An instant, a local time, or the start of a local date. */
  readonly until?: { readonly is: 'utc' | 'local' | 'date'; readonly at: number };
  readonly wkst?: number;
  readonly bySecond?: readonly number[];
  readonly byMinute?: readonly number[];
  readonly byHour?: readonly number[];
  readonly byDay?: readonly { readonly weekday: number; readonly nth?: number }[];
  readonly byMonthDay?: readonly number[];
  readonly byYearDay?: readonly number[];
  readonly byWeekNo?: readonly number[];
  readonly byMonth?: readonly number[];
  readonly bySetPos?: readonly number[];
}

/** A rule with what stands around it; times are local. */
export interface OracleRecurrence {
  readonly rule: OracleRule;
  readonly dtstart: number;
  readonly exdates?: readonly number[];
  readonly rdates?: readonly number[];
}

/** `YYYYMMDDTHHMMSS` of a local time. */
function compact(local: number): string {
  return new Date(local).toISOString().slice(0, 19).replace(/[-:]/g, '');
}

/** The parts of a rule, as text, FREQ first. */
export function ruleParts(rule: OracleRule): string[] {
  const { until } = rule;
  const list = (name: string, values: readonly (number | string)[] | undefined) =>
    values === undefined ? [] : [`${name}=${values.join(',')}`];
  return [
    `FREQ=${rule.freq}`,
    ...list('INTERVAL', rule.interval === undefined ? undefined : [rule.interval]),
    ...list('COUNT', rule.count === undefined ? undefined : [rule.count]),
    ...(until === undefined
      ? []
      : [
          `UNTIL=${until.is === 'date' ? compact(until.at).slice(0, 8) : compact(until.at)}${until.is === 'utc' ? 'Z' : ''}`,
        ]),
    ...list('WKST', rule.wkst === undefined ? undefined : [DAY_NAMES[rule.wkst] as string]),
    ...list('BYSECOND', rule.bySecond),
    ...list('BYMINUTE', rule.byMinute),
    ...list('BYHOUR', rule.byHour),
    ...list(
      'BYDAY',
      rule.byDay?.map(({ weekday, nth }) => `${nth ?? ''}${DAY_NAMES[weekday]}`),
    ),
    ...list('BYMONTHDAY', rule.byMonthDay),
    ...list('BYYEARDAY', rule.byYearDay),
    ...list('BYWEEKNO', rule.byWeekNo),
    ...list('BYMONTH', rule.byMonth),
    ...list('BYSETPOS', rule.bySetPos),
  ];
}

/** Every due instant in `[from, to)`, ascending. */
export function recurrencesWithin(
  recurrence: OracleRecurrence,
  clock: OracleClock,
  from: number,
  to: number,
): number[] {
  const { rule, dtstart, exdates = [], rdates = [] } = recurrence;
  const due = new Set(ruled(rule, dtstart, clock, from, to));
  for (const local of rdates) for (const at of clock.instantsShowing(local).slice(0, 1)) due.add(at);
  for (const local of exdates) for (const at of clock.instantsShowing(local)) due.delete(at);
  return [...due].filter((at) => at >= from && at < to).sort((a, b) => a - b);
}

/** What the rule alone gives up to `to`; from its beginning where it counts, else from `from` or a little before. */
function ruled(rule: OracleRule, dtstart: number, clock: OracleClock, from: number, to: number): number[] {
  const { count, until } = rule;
  const isFine = FREQUENCIES.indexOf(rule.freq) < 3;
  const start = clock.instantsShowing(dtstart)[0] ?? (clock.jumpOver(dtstart) as number);
  const localFrom = Math.max(dtstart, count === undefined ? clock.localAt(from) : dtstart) - REACH;
  const found = new Set<number>();
  let last = Number.POSITIVE_INFINITY;
  for (const local of (isFine ? fineLocals : datedLocals)(rule, dtstart, localFrom, clock.localAt(to) + REACH)) {
    if (local > last) break;
    if (new Date(local).getUTCFullYear() > 2199) continue;
    const shown = clock.instantsShowing(local);
    for (const at of isFine ? shown : shown.slice(0, 1)) {
      if (at >= start && (until === undefined || isBefore(until, isFine, clock, local, at))) found.add(at);
    }
    // Enough is counted, but an hour that is repeated may still bring earlier ones.
    if (found.size >= (count ?? Number.POSITIVE_INFINITY)) last = Math.min(last, local + REACH);
  }
  const all = [...found].sort((a, b) => a - b);
  return count === undefined ? all : all.slice(0, count);
}

/** Whether an instance lies before the end of its rule, or at it. */
function isBefore(
  until: { readonly is: string; readonly at: number },
  isFine: boolean,
  clock: OracleClock,
  local: number,
  at: number,
): boolean {
  if (until.is === 'utc') return at <= until.at;
  const last = until.is === 'date' ? until.at + DAY - SECOND : until.at;
  if (!isFine) return local <= last;
  return at <= (clock.instantsShowing(last).at(-1) ?? (clock.jumpOver(last) as number) - 1);
}

/** All local times that a rule of whole dates names from a local time to another, and perhaps some around them. */
function* datedLocals(rule: OracleRule, dtstart: number, from: number, to: number): Iterable<number> {
  for (let k = Math.max(0, periodBefore(rule, dtstart, from)); ; k += 1) {
    const period = periodOf(rule, dtstart, k);
    if (period.from > to) return;
    yield* pickPositions(rule, period.locals());
  }
}

/** The same where the period is an hour, a minute or a second. */
function* fineLocals(rule: OracleRule, dtstart: number, from: number, to: number): Iterable<number> {
  const { freq, interval = 1, byHour, byMinute, bySecond } = rule;
  const unit = UNITS[freq as 'HOURLY' | 'MINUTELY' | 'SECONDLY'];
  const base = Math.floor(dtstart / unit);
  const isPeriod = (at: number) => (at / unit - base) % interval === 0;
  const start = new Date(dtstart);
  const sixty = (by: readonly number[] | undefined) => SIXTY.filter((value) => by?.includes(value) ?? true);
  const minutes = sixty(byMinute ?? (freq === 'HOURLY' ? [start.getUTCMinutes()] : undefined));
  const seconds = sixty(bySecond ?? (freq === 'SECONDLY' ? undefined : [start.getUTCSeconds()]));
  for (let hour = Math.floor(from / HOUR) * HOUR; hour < to; hour += HOUR) {
    if (byHour && !byHour.includes(new Date(hour).getUTCHours())) continue;
    if (!isDateWanted(rule, dtstart, Math.floor(hour / DAY) * DAY)) continue;
    const times = minutes.map((minute) => seconds.map((second) => hour + (minute * 60 + second) * SECOND));
    if (freq === 'HOURLY') {
      if (isPeriod(hour)) yield* pickPositions(rule, times.flat());
    } else if (freq === 'MINUTELY') {
      for (const [i, minute] of minutes.entries()) {
        if (isPeriod(hour + minute * UNITS.MINUTELY)) yield* pickPositions(rule, times[i] as number[]);
      }
    } else {
      for (const at of times.flat()) if (isPeriod(at)) yield* pickPositions(rule, [at]);
    }
  }
}

function pickPositions(rule: OracleRule, locals: readonly number[]): readonly number[] {
  if (rule.bySetPos === undefined) return locals;
  return locals.filter((_, i) => rule.bySetPos?.some((place) => place === i + 1 || place === i - locals.length));
}

interface Period {
  /** A local time not after any in the period, nor more than a week before. */
  readonly from: number;
  /** All local times that the rule names in the period, ascending. */
  readonly locals: () => readonly number[];
}

/** The number of a period that begins before a local time; some periods too early does no harm. */
function periodBefore(rule: OracleRule, dtstart: number, local: number): number {
  const { freq, interval = 1 } = rule;
  const days = freq === 'YEARLY' ? 366 : freq === 'MONTHLY' ? 31 : freq === 'WEEKLY' ? 7 : 1;
  return Math.floor((local - dtstart) / (interval * days * DAY)) - 2;
}

/** The k-th period of whole dates. */
function periodOf(rule: OracleRule, dtstart: number, k: number): Period {
  const { freq, interval = 1, wkst = 1 } = rule;
  const start = new Date(dtstart);
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth()];
  if (freq === 'YEARLY') {
    const now = year + k * interval;
    // A week of the year may begin in the year before and end in the year after.
    return dated(rule, dtstart, Date.UTC(now, 0, -6), Date.UTC(now + 1, 0, 8), now);
  }
  if (freq === 'MONTHLY') {
    const now = month + k * interval;
    return dated(rule, dtstart, Date.UTC(year, now, 1), Date.UTC(year, now + 1, 1));
  }
  const length = freq === 'WEEKLY' ? 7 * DAY : DAY;
  const today = Math.floor(dtstart / DAY) * DAY;
  const first = freq === 'WEEKLY' ? today - ((start.getUTCDay() - wkst + 7) % 7) * DAY : today;
  return dated(rule, dtstart, first + k * interval * length, first + (k * interval + 1) * length);
}

/** A period of whole dates. */
function dated(rule: OracleRule, dtstart: number, from: number, to: number, year?: number): Period {
  return {
    from,
    locals: () => {
      const start = new Date(dtstart);
      const locals: number[] = [];
      for (let day = from; day < to; day += DAY) {
        if (!isDateWanted(rule, dtstart, day, year)) continue;
        for (const hour of rule.byHour ?? [start.getUTCHours()])
          for (const minute of rule.byMinute ?? [start.getUTCMinutes()])
            for (const second of rule.bySecond ?? [start.getUTCSeconds()])
              locals.push(day + ((hour * 60 + minute) * 60 + second) * SECOND);
      }
      return [...new Set(locals)].sort((a, b) => a - b);
    },
  };
}

/** Whether a rule names a date; `year` is the one whose period is laid out, with FREQ=YEARLY. */
function isDateWanted(rule: OracleRule, dtstart: number, day: number, year?: number): boolean {
  const { freq, byDay, byMonthDay, byYearDay, byWeekNo, byMonth } = rule;
  const date = new Date(day);
  const start = new Date(dtstart);
  const month = date.getUTCMonth() + 1;
  if (year !== undefined && byWeekNo === undefined && date.getUTCFullYear() !== year) return false;
  if (byMonth && !byMonth.includes(month)) return false;
  if (byWeekNo && !isInWeeks(byWeekNo, rule.wkst ?? 1, day, year as number)) return false;
  if (
    byYearDay &&
    !isCounted(byYearDay, day, Date.UTC(date.getUTCFullYear(), 0), Date.UTC(date.getUTCFullYear() + 1, 0))
  ) {
    return false;
  }
  const [monthStart, monthEnd] = [Date.UTC(date.getUTCFullYear(), month - 1), Date.UTC(date.getUTCFullYear(), month)];
  if (byMonthDay && !isCounted(byMonthDay, day, monthStart, monthEnd)) return false;
  if (byDay && !byDay.some((one) => isWeekdayNamed(rule, one, day))) return false;

  // What the rule leaves open comes from DTSTART.
  if (byDay || byMonthDay || byYearDay) return true;
  if (freq === 'WEEKLY' || byWeekNo) return date.getUTCDay() === start.getUTCDay();
  if (freq === 'MONTHLY') return date.getUTCDate() === start.getUTCDate();
  if (freq === 'YEARLY') {
    return date.getUTCDate() === start.getUTCDate() && (byMonth !== undefined || month === start.getUTCMonth() + 1);
  }
  return true;
}

/** Whether a day has one of the numbers, counted in days from 1 at `from`, or from -1 back from before `to`. */
function isCounted(numbers: readonly number[], day: number, from: number, to: number): boolean {
  return numbers.includes((day - from) / DAY + 1) || numbers.includes((day - to) / DAY);
}

/** Week 1 of a year is the first that has four of its days or more; weeks begin on WKST. */
function isInWeeks(numbers: readonly number[], wkst: number, day: number, year: number): boolean {
  const firstWeekOf = (of: number): number => {
    const fourth = Date.UTC(of, 0, 4);
    return fourth - ((new Date(fourth).getUTCDay() - wkst + 7) % 7) * DAY;
  };
  const [from, to] = [firstWeekOf(year), firstWeekOf(year + 1)];
  if (day < from || day >= to) return false;
  const week = Math.floor((day - from) / (7 * DAY)) + 1;
  return numbers.includes(week) || numbers.includes(week - 1 - (to - from) / (7 * DAY));
}

/** A numbered weekday is counted in the month, or in the year with FREQ=YEARLY and no BYMONTH. */
function isWeekdayNamed(
  rule: OracleRule,
  one: { readonly weekday: number; readonly nth?: number },
  day: number,
): boolean {
  const date = new Date(day);
  if (date.getUTCDay() !== one.weekday) return false;
  if (one.nth === undefined) return true;
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  const inYear = rule.freq === 'YEARLY' && rule.byMonth === undefined;
  const [from, to] = inYear
    ? [Date.UTC(year, 0), Date.UTC(year + 1, 0)]
    : [Date.UTC(year, month), Date.UTC(year, month + 1)];
  const fromStart = Math.floor((day - from) / (7 * DAY)) + 1;
  const fromEnd = Math.floor((to - DAY - day) / (7 * DAY)) + 1;
  return one.nth > 0 ? one.nth === fromStart : -one.nth === fromEnd;
}
