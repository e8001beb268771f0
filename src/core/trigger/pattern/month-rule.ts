/**
 * Which days of a month are wanted, given no more than the month's length and the weekday of its first day.
 *
 * A set of days is one integer: bit 0 is the first of the month.
 */

/**
 * Days of the month by number.
 *
 * @internal
 */
export interface MonthPart {
  /** Bit 0 is day 1. */
  readonly days: number;
  /** Bit k is the day that lies k days before the last of the month. */
  readonly fromEnd: number;
  /** Bit 0 is day 1; each stands for the Monday-to-Friday nearest to it inside its month, if the month has it (`nW`). */
  readonly nearestWorkday: number;
  /** The last Monday-to-Friday of the month (`LW`). */
  readonly lastWorkday: boolean;
}

/**
 * Days of the month by weekday.
 *
 * @internal
 */
export interface WeekPart {
  /** Bit 0 is Monday: every such day. */
  readonly weekdays: number;
  /** Single ones: the n-th of a weekday, counted from the first (1..5) or the last (-1..-5). */
  readonly nth: readonly { readonly weekday: number; readonly nth: number }[];
}

/**
 * Days of a month: those of both parts, or those of either. A missing part wants every day.
 *
 * @internal
 */
export interface MonthRule {
  readonly monthPart: MonthPart | undefined;
  readonly weekPart: WeekPart | undefined;
  /** Whether a day of either part will do; meant for rules that have both. */
  readonly either: boolean;
}

/**
 * The wanted days of a month of `length` days whose first day is the weekday `first` (Monday = 0).
 *
 * @internal
 */
export function monthDaySet(rule: MonthRule, length: number, first: number): number {
  const { monthPart, weekPart } = rule;
  const all = -1 >>> (32 - length);
  if (monthPart === undefined) return weekPart === undefined ? all : weekdaySet(weekPart, length, first) & all;
  const byNumber = numberSet(monthPart, length, first);
  if (weekPart === undefined) return byNumber & all;
  const byWeekday = weekdaySet(weekPart, length, first);
  return (rule.either ? byNumber | byWeekday : byNumber & byWeekday) & all;
}

function numberSet(part: MonthPart, length: number, first: number): number {
  let set = part.days;
  for (let rest = part.fromEnd; rest !== 0; rest &= rest - 1) {
    const day = length - (31 - Math.clz32(rest & -rest));
    if (day >= 1) set |= 1 << (day - 1);
  }
  for (let rest = part.nearestWorkday; rest !== 0; rest &= rest - 1) {
    const day = 32 - Math.clz32(rest & -rest);
    if (day <= length) set |= 1 << (nearestWorkday(day, length, first) - 1);
  }
  if (part.lastWorkday) set |= 1 << (nearestWorkday(length, length, first) - 1);
  return set;
}

function nearestWorkday(day: number, length: number, first: number): number {
  const weekday = (first + day - 1) % 7;
  if (weekday === 5) return day > 1 ? day - 1 : day + 2;
  if (weekday === 6) return day < length ? day + 1 : day - 2;
  return day;
}

function weekdaySet(part: WeekPart, length: number, first: number): number {
  const week = ((part.weekdays >> first) | (part.weekdays << (7 - first))) & 0x7f;
  let set = week | (week << 7) | (week << 14) | (week << 21) | (week << 28);
  const { nth } = part;
  for (let i = 0; i < nth.length; i += 1) {
    const one = nth[i] as { readonly weekday: number; readonly nth: number };
    const earliest = 1 + ((one.weekday - first + 7) % 7);
    const inMonth = 1 + Math.trunc((length - earliest) / 7);
    const place = one.nth > 0 ? one.nth : inMonth + 1 + one.nth;
    if (place >= 1 && place <= inMonth) set |= 1 << (earliest + 7 * (place - 1) - 1);
  }
  return set;
}
