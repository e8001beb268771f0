/**
 * Integer arithmetic on the proleptic Gregorian calendar.
 *
 * A day is a whole number: days since 1970-01-01. A wall time is a number of milliseconds "as if UTC": the civil
 * date and time read off a clock on the wall, with no zone attached. Nothing here allocates.
 */

/** Milliseconds of one civil day. @internal */
export const DAY_MS = 86_400_000;

/** Days before each month of a common year, then of a leap year, January first. */
const DAYS_BEFORE = new Int16Array([
  0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335,
]);

/**
 * Whether a year has a 29 February.
 *
 * @internal
 */
export function isLeapYear(year: number): boolean {
  return (year & 3) === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/**
 * Number of days of a month; `month` is 1..12.
 *
 * @internal
 */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return 30 + ((month + (month >> 3)) & 1);
}

/**
 * The day number of 1 January of a year (years 1..9999).
 *
 * @internal
 */
export function dayOfYearStart(year: number): number {
  const before = year - 1;
  return 365 * before + (before >> 2) - ((before / 100) | 0) + ((before / 400) | 0) - 719_162;
}

/**
 * The day number of a civil date; the date must exist (years 1..9999).
 *
 * @internal
 */
export function dayOf(year: number, month: number, day: number): number {
  return dayOfYearStart(year) + (DAYS_BEFORE[month - 1 + (isLeapYear(year) ? 12 : 0)] as number) + day - 1;
}

/**
 * The civil date of a day number, packed in one integer: read it with {@link yearOf}, {@link monthOf}, {@link dateOf}.
 *
 * @internal
 */
export function civilOf(day: number): number {
  // Years are counted from 1 March, so that the leap day is the last of its year.
  const shifted = day + 719_468;
  const era = (shifted / 146_097) | 0;
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra =
    ((dayOfEra - ((dayOfEra / 1460) | 0) + ((dayOfEra / 36_524) | 0) - ((dayOfEra / 146_096) | 0)) / 365) | 0;
  const dayOfYear = dayOfEra - (365 * yearOfEra + (yearOfEra >> 2) - ((yearOfEra / 100) | 0));
  const shiftedMonth = ((5 * dayOfYear + 2) / 153) | 0;
  const date = dayOfYear - (((153 * shiftedMonth + 2) / 5) | 0) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return (year << 9) | (month << 5) | date;
}

/** Year of a packed civil date. @internal */
export function yearOf(civil: number): number {
  return civil >> 9;
}

/** Month of a packed civil date, 1..12. @internal */
export function monthOf(civil: number): number {
  return (civil >> 5) & 15;
}

/** Day of the month of a packed civil date, 1..31. @internal */
export function dateOf(civil: number): number {
  return civil & 31;
}

/**
 * Weekday of a day number, Monday = 0 .. Sunday = 6; right for every day after year 1.
 *
 * @internal
 */
export function weekdayOf(day: number): number {
  return (day + 719_470) % 7;
}

/**
 * The remainder that is never negative.
 *
 * @internal
 */
export function modulo(value: number, divisor: number): number {
  const rest = value % divisor;
  return rest < 0 ? rest + divisor : rest;
}

/**
 * A number as decimal digits, filled with zeros on the left up to `width`.
 *
 * @internal
 */
export function digits(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

/**
 * `YYYY-MM-DD` of a day number.
 *
 * @internal
 */
export function formatDate(day: number): string {
  const civil = civilOf(day);
  return `${digits(yearOf(civil), 4)}-${digits(monthOf(civil), 2)}-${digits(dateOf(civil), 2)}`;
}

/**
 * `HH:mm`, or `HH:mm:ss` where there are seconds, of a time of day in seconds.
 *
 * @internal
 */
export function formatTimeOfDay(time: number): string {
  const minute = Math.floor(time / 60);
  const text = `${digits(Math.floor(minute / 60), 2)}:${digits(minute % 60, 2)}`;
  return time % 60 === 0 ? text : `${text}:${digits(time % 60, 2)}`;
}

/**
 * The day number of a strict `YYYY-MM-DD` text, or `undefined` where the text has another form or the date does not
 * exist.
 *
 * @internal
 */
export function parseDate(text: string): number | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return undefined;
  return dayIfReal(Number(match[1]), Number(match[2]), Number(match[3]));
}

/**
 * The day number of a date that may not exist, or `undefined` where it does not.
 *
 * @internal
 */
export function dayIfReal(year: number, month: number, day: number): number | undefined {
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  return dayOf(year, month, day);
}
