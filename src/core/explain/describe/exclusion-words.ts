/**
 * What is left out of a trigger, and how far its instants are put off, in English (DE-12).
 */

import type { DateOrRange, Exclusion } from '../../model/exclusion.js';
import type { ExclusionReason } from '../../trigger/due/excluded-days.js';
import { weekdayName, weekdaysText } from './date-words.js';
import { listed } from './list-words.js';

/** Dates that are told one by one. */
const MOST_DATES = 10;

/** `except on 2026-12-24 to 2026-12-26, Saturdays and the days of the calendar "de"`. @internal */
export function exclusionWords({ dates = [], weekdays, calendar, timezone }: Exclusion): string {
  const told = dates.length <= MOST_DATES ? dates : dates.slice(0, MOST_DATES - 1);
  const more = dates.length - told.length;
  const parts = [
    ...told.map(datesText),
    ...(more > 0 ? [`${more} more dates`] : []),
    ...(weekdays ?? []).map((weekday) => `${weekdayName(weekday)}s`),
    ...(calendar === undefined ? [] : [`the days of the calendar ${JSON.stringify(calendar)}`]),
  ];
  return `except on ${listed(parts)}${timezone === undefined ? '' : `, ${timezone}`}`;
}

/** Why a day is left out: `2026-12-24 to 2026-12-26`, `Saturdays`, `2026-10-03 of the calendar "de"`. @internal */
export function leftOutText(reason: ExclusionReason): string {
  if (reason.kind === 'weekday') return weekdaysText(1 << reason.weekday, (name) => `${name}s`);
  const dates = datesText(reason.dates);
  return reason.kind === 'dates' ? dates : `${dates} of the calendar ${JSON.stringify(reason.calendar)}`;
}

function datesText(dates: DateOrRange): string {
  return dates.replace('/', ' to ');
}
