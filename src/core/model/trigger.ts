/**
 * When a schedule is due: the trigger of a declaration, as it stands on the wire (TR).
 *
 * A union by `kind`. Instants are ISO 8601 text with an offset; dates and times of a calendar are those of the wall
 * clock in the trigger's zone. Weekdays are Monday = 0 .. Sunday = 6 everywhere but in cron text.
 */

import type { NumberLimit } from './limits.js';

/**
 * Bounds and defaults of every number in a trigger (DE-7). Where days or places may be counted from the end, the bounds
 * are those of the absolute value.
 *
 * @public
 */
export const TRIGGER_LIMITS = {
  everySeconds: { min: 0.001, max: 10_000_000_000 },
  hour: { min: 0, max: 23 },
  minute: { default: 0, min: 0, max: 59 },
  second: { default: 0, min: 0, max: 59 },
  weekday: { min: 0, max: 6 },
  monthDay: { min: 1, max: 31 },
  month: { min: 1, max: 12 },
  nth: { min: 1, max: 5 },
  year: { min: 1970, max: 2199 },
  periods: { min: 1, max: 10_000 },
  expressionLength: { min: 1, max: 1000 },
  ruleLength: { min: 1, max: 1000 },
  ruleInterval: { default: 1, min: 1, max: 1_000_000_000 },
  ruleCount: { min: 1, max: 100_000 },
  yearDay: { min: 1, max: 366 },
  weekNumber: { min: 1, max: 53 },
  nthInYear: { min: 1, max: 53 },
  setPosition: { min: 1, max: 366 },
} as const satisfies Record<string, NumberLimit>;

/**
 * One number, or a list of numbers of which any will do.
 *
 * @public
 */
export type NumberOrList = number | readonly number[];

/**
 * What becomes of a wall time that the clock jumps over: nothing, or the first instant after the gap (TR-3, TR-13).
 *
 * @remarks `shift` moves a time on a date that the clock shows in part. Where a whole date is missing, as 2011-12-30 was in
 * `Pacific/Apia`, nothing is due in its place (TR-4).
 *
 * @public
 */
export type GapPolicy = 'skip' | 'shift';

/**
 * Due once, at `at`.
 *
 * @public
 */
export interface OnceTrigger {
  /** Tells it from the other triggers: one due instant in all. */
  readonly kind: 'once';
  /** The due instant, ISO 8601 with an offset. */
  readonly at: string;
}

/**
 * Due at `start + k * everySeconds`, in elapsed time: zones and clock changes play no part (TR-2).
 *
 * @public
 */
export interface IntervalTrigger {
  /** Tells it from the other triggers: elapsed time alone decides. */
  readonly kind: 'interval';
  /** The first due instant and the phase of all others. */
  readonly start: string;
  /** Seconds between due instants, 0.001..10^10, in whole milliseconds. */
  readonly everySeconds: number;
  /** The latest instant that may be due, inclusive (TR-5). */
  readonly end?: string;
}

/**
 * The n-th of a weekday in its month, counted from the first (1..5) or from the last (-1..-5).
 *
 * @public
 */
export interface NthWeekday {
  /** Monday = 0 .. Sunday = 6. */
  readonly weekday: number;
  /** 1..5 or -1..-5. */
  readonly nth: number;
}

/**
 * Every n-th calendar period, counted from the one that holds the trigger's `anchor` (TR-4).
 *
 * @public
 */
export interface CalendarPeriod {
  /** The period that is counted; weeks begin on Monday. */
  readonly unit: 'day' | 'week' | 'month' | 'year';
  /** 1..10000. */
  readonly n: number;
}

/**
 * Due at wall-clock times on the dates that meet every given condition (TR-3, TR-4).
 *
 * @remarks One plain interface, so that code may put a trigger together from parts; that `hour` or `times` is there and not both,
 * and `anchor` beside `every`, is refused when it is read, and by the JSON Schema.
 * @public
 */
export interface CalendarTrigger {
  /** Tells it from the other triggers: dates and wall-clock times decide. */
  readonly kind: 'calendar';
  /** IANA name of a zone or link (TR-9). */
  readonly timezone: string;
  /** 0..23; required unless `times` is given. Hours, minutes and seconds combine. */
  readonly hour?: NumberOrList;
  /** 0..59. */
  readonly minute?: NumberOrList;
  /** 0..59. */
  readonly second?: NumberOrList;
  /** `HH:MM` or `HH:MM:SS`, in place of `hour`, `minute` and `second`. */
  readonly times?: readonly string[];
  /** Monday = 0 .. Sunday = 6. */
  readonly weekdays?: readonly number[];
  /** 1..31, or -1..-31 counted from the last day of the month. */
  readonly monthDays?: readonly number[];
  /** 1..12. */
  readonly months?: readonly number[];
  /** A date must be one of these weekdays of its month, and meet `weekdays` and `monthDays` as well where they are given. */
  readonly nthWeekdays?: readonly NthWeekday[];
  /** 1970..2199. */
  readonly years?: readonly number[];
  /** Needs `anchor`. */
  readonly every?: CalendarPeriod;
  /** `YYYY-MM-DD`: the date that `every` counts from; nothing is due before it. */
  readonly anchor?: string;
  /** The earliest instant that may be due, inclusive (TR-5). */
  readonly start?: string;
  /** The latest instant that may be due, inclusive (TR-5). */
  readonly end?: string;
  /** What becomes of a wall time that the clock jumps over; absent: `skip` (TR-3, TR-13). */
  readonly gap?: GapPolicy;
}

/**
 * Departures from the grammar of TR-6, for expressions that were written for another cron.
 *
 * @public
 */
export interface CronDialect {
  /** `n/m` means `n-max/m`. */
  readonly sloppySteps?: boolean;
  /** A range may run over the end of its field: `22-2`. */
  readonly wrapRanges?: boolean;
  /** `L-n`: the n-th day before the last of the month. */
  readonly lastOffset?: boolean;
  /** Exactly five fields. */
  readonly fields?: 5;
  /** A date must meet both day fields, as if `+` stood before the weekday. */
  readonly dayFields?: 'and';
  /** Weekdays are numbered Sunday = 1 .. Saturday = 7. */
  readonly weekdays?: 'quartz';
}

/**
 * Due when the wall clock matches a cron expression (TR-6).
 *
 * @public
 */
export interface CronTrigger {
  /** Tells it from the other triggers: a cron expression decides. */
  readonly kind: 'cron';
  /** Five, six (seconds first) or seven (year last) fields, or a nickname such as `@daily`. */
  readonly expression: string;
  /** IANA name of a zone or link (TR-9). */
  readonly timezone: string;
  /** The earliest instant that may be due, inclusive (TR-5). */
  readonly start?: string;
  /** The latest instant that may be due, inclusive (TR-5). */
  readonly end?: string;
  /** What becomes of a wall time that the clock jumps over, for fixed-time jobs only; absent: `skip` (TR-6, TR-13). */
  readonly gap?: GapPolicy;
  /** Whether a fixed-time job is due in both passes of a repeated hour; absent: in the first alone. A wildcard job always is. */
  readonly repeat?: 'first' | 'both';
  /** How the expression departs from the grammar of TR-6; absent: not at all. */
  readonly dialect?: CronDialect;
}

/**
 * Never due by itself: run by hand only.
 *
 * @public
 */
export interface ManualTrigger {
  /** Tells it from the other triggers: it has no due instant. */
  readonly kind: 'manual';
}

/**
 * Due as an iCalendar recurrence says: RFC 5545 rules over a local start, with dates taken out and put in (TR-14).
 *
 * @public
 */
export interface RruleTrigger {
  /** Tells it from the other triggers: a recurrence rule decides. */
  readonly kind: 'rrule';
  /**
   * The value of an RRULE property, such as `FREQ=MONTHLY;BYDAY=-1FR`; 1..1000 characters, COUNT at most 100000. What it
   * leaves open comes from `dtstart`: the time of day, and the date, so BYWEEKNO without BYDAY means the weekday of
   * `dtstart` in those weeks, and FREQ=MONTHLY alone its day of the month, which short months lack. COUNT counts what
   * `exdates` take out, and not what the clock skips or `rdates` put in.
   */
  readonly rule: string;
  /** `YYYY-MM-DDTHH:mm:ss` on the clock of the zone, year 1800..2199: where the rule begins; due if it matches the rule. */
  readonly dtstart: string;
  /** IANA name of a zone or link (TR-9). */
  readonly timezone: string;
  /** Local times, written as `dtstart`, that are never due, at neither pass of a repeated hour; 1..400. */
  readonly exdates?: readonly string[];
  /** Local times, written as `dtstart`, that are due beside those of the rule, once, wherever it begins and ends; 1..400. */
  readonly rdates?: readonly string[];
}

/**
 * Due whenever one of several triggers is; each instant counts once.
 *
 * @public
 */
export interface AnyOfTrigger {
  /** Tells it from the other triggers: it is the union of those in `of`. */
  readonly kind: 'anyOf';
  /**
   * 1..400 triggers, `manual` not among them; an `anyOf` in it may not hold another one (DE-11). Their order means nothing:
   * the normal form, which is stored and shown, has one of its own.
   */
  readonly of: readonly Trigger[];
}

/**
 * When a schedule is due.
 *
 * @public
 */
export type Trigger =
  | OnceTrigger
  | IntervalTrigger
  | CalendarTrigger
  | CronTrigger
  | RruleTrigger
  | AnyOfTrigger
  | ManualTrigger;
