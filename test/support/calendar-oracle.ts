/** The oracle on calendar triggers (TR-3, TR-4): each condition judged by itself, date by date. */
import { combine, isNth, lengthOf, type OracleTrigger, weekdayOf } from './trigger-oracle.js';

const DAY = 86_400_000;

/** The parts of a calendar trigger that decide on dates and times; lists as on the wire. */
export interface OracleCalendar {
  readonly hour?: number | readonly number[];
  readonly minute?: number | readonly number[];
  readonly second?: number | readonly number[];
  readonly times?: readonly string[];
  readonly weekdays?: readonly number[];
  readonly monthDays?: readonly number[];
  readonly months?: readonly number[];
  readonly nthWeekdays?: readonly { readonly weekday: number; readonly nth: number }[];
  readonly years?: readonly number[];
  readonly every?: { readonly unit: 'day' | 'week' | 'month' | 'year'; readonly n: number };
  /** `YYYY-MM-DD`. */
  readonly anchor?: string;
}

/** What a calendar trigger asks for. */
export function oracleOfCalendar(calendar: OracleCalendar, shift: boolean): OracleTrigger {
  const { weekdays, monthDays, months, nthWeekdays, years } = calendar;
  return {
    times: timesOf(calendar),
    wantsDate: (year, month, day) => {
      const weekday = (weekdayOf(year, month, day) + 6) % 7;
      if (years && !years.includes(year)) return false;
      if (months && !months.includes(month)) return false;
      if (weekdays && !weekdays.includes(weekday)) return false;
      if (monthDays && !monthDays.includes(day) && !monthDays.includes(day - lengthOf(year, month) - 1)) return false;
      if (nthWeekdays && !nthWeekdays.some((one) => one.weekday === weekday && isNth(year, month, day, one.nth))) {
        return false;
      }
      return inPeriod(calendar, new Date(Date.UTC(year, month - 1, day)));
    },
    everyPass: false,
    shift,
  };
}

function timesOf({ hour, minute = 0, second = 0, times }: OracleCalendar): number[] {
  if (times === undefined) return combine([hour ?? []].flat(), [minute].flat(), [second].flat());
  return times.map((text) => {
    const [h, m, s = 0] = text.split(':').map(Number);
    return (h as number) * 3600 + (m as number) * 60 + s;
  });
}

function inPeriod({ every, anchor = '', ...other }: OracleCalendar, date: Date): boolean {
  if (every === undefined) return true;
  const noDay = !other.weekdays && !other.monthDays && !other.nthWeekdays;
  const from = new Date(`${anchor}T00:00:00Z`);
  if (date < from) return false;
  const monday = (at: Date) => at.getTime() - ((at.getUTCDay() + 6) % 7) * DAY;
  const years = date.getUTCFullYear() - from.getUTCFullYear();
  const sameDay = date.getUTCDate() === from.getUTCDate();
  const sameMonth = date.getUTCMonth() === from.getUTCMonth();
  switch (every.unit) {
    case 'day':
      return ((date.getTime() - from.getTime()) / DAY) % every.n === 0;
    case 'week': {
      const weeks = (monday(date) - monday(from)) / (7 * DAY);
      return weeks % every.n === 0 && (!noDay || date.getUTCDay() === from.getUTCDay());
    }
    case 'month':
      return (years * 12 + date.getUTCMonth() - from.getUTCMonth()) % every.n === 0 && (!noDay || sameDay);
    case 'year':
      return years % every.n === 0 && (!noDay || sameDay) && (other.months !== undefined || sameMonth);
  }
}
