/**
 * Cron fields to a pattern of wall times.
 */

import { bitsOf } from '../pattern/bit-set.js';
import { ALL_MONTHS, dayRule } from '../pattern/day-rule.js';
import type { MonthRule } from '../pattern/month-rule.js';
import { combinedTimes, sixtySet } from '../pattern/time-set.js';
import type { WallPattern } from '../pattern/wall-pattern.js';
import { ascending } from '../read/in-order.js';
import type { DayFields } from './cron-days.js';
import type { CronFields } from './cron-syntax.js';

/**
 * The wall times that cron fields ask for.
 *
 * @internal
 */
export function cronPattern(fields: CronFields): WallPattern {
  const months = bitsOf(fields.months, 1) & ALL_MONTHS;
  const years = fields.years && ascending(fields.years);
  return {
    days: dayRule({ months, years, days: monthRule(fields.days), period: undefined }),
    times: combinedTimes(bitsOf(fields.hours, 0), sixtySet(fields.minutes), sixtySet(fields.seconds)),
    recurrence: undefined,
  };
}

/** Either field will do where both are restricted, unless the expression asks for both (TR-6). */
function monthRule(days: DayFields): MonthRule {
  const monthPart = days.anyMonthDay ? undefined : days.monthDays;
  const weekPart = days.anyWeekday ? undefined : days.weekdays;
  return { monthPart, weekPart, either: !days.both };
}
