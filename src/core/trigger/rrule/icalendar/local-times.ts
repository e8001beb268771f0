/**
 * Times of iCalendar properties to wall times of the trigger's zone (TR-14).
 *
 * A trigger names local times alone. A time in UTC is taken over where a local time names the same instant, and refused
 * where it does not: a local time of a repeated hour is the first pass.
 */

import type { Issue } from '../../../model/issue.js';
import { formatWallTime } from '../../../time/instant.js';
import { instantsShowing, wallTimeAt } from '../../../time/wall-clock.js';
import type { Zone } from '../../../time/zone-spans.js';
import { zoneName } from '../../../time/zones.js';
import { readCompactTime } from '../rule-values.js';
import { type ContentLine, lineIssue } from './content-lines.js';

/**
 * A local time as a trigger writes it, and the line that it comes from.
 *
 * @internal
 */
export interface LocalTime {
  readonly text: string;
  readonly line: number;
}

/**
 * Where the local times of a text live.
 *
 * @internal
 */
export interface LocalClock {
  readonly timezone: string;
  /** `undefined` where there is no such zone; that is told elsewhere. */
  readonly zone: Zone | undefined;
  /** Whether the rule comes back within a day, and so at both passes of a repeated hour. */
  readonly isBelowDay: boolean;
}

const FORM = 'is no time that exists: YYYYMMDDTHHMMSS, or with `Z` for UTC';

/**
 * The start: its wall time, and the zone that it names; none where it is floating.
 *
 * @internal
 */
export function readStart(
  line: ContentLine,
  issues: Issue[],
): { text: string; timezone: string | undefined } | undefined {
  if (!isDateTime(line, issues)) return undefined;
  const isUtc = line.value.endsWith('Z');
  const tzid = line.parameters.get('TZID');
  if (isUtc && tzid !== undefined) {
    issues.push(lineIssue(line.line, line.name, 'has both TZID and `Z`; one says the zone', line.value));
    return undefined;
  }
  const wall = readCompactTime(isUtc ? line.value.slice(0, -1) : line.value);
  if (wall === undefined) {
    issues.push(lineIssue(line.line, line.name, FORM, line.value));
    return undefined;
  }
  return { text: formatWallTime(wall), timezone: isUtc ? 'UTC' : tzid };
}

/**
 * The times of an EXDATE or RDATE line, between commas.
 *
 * @internal
 */
export function readTimes(line: ContentLine, clock: LocalClock, issues: Issue[]): readonly LocalTime[] {
  if (!isDateTime(line, issues)) return [];
  const tzid = line.parameters.get('TZID');
  if (tzid !== undefined && (zoneName(tzid) ?? tzid) !== (zoneName(clock.timezone) ?? clock.timezone)) {
    issues.push(lineIssue(line.line, line.name, `must be in the zone of DTSTART, ${clock.timezone}, or in UTC`, tzid));
    return [];
  }
  return line.value.split(',').flatMap((text) => {
    const wall = text.endsWith('Z') ? wallOfUtc(text, line, clock, issues) : readCompactTime(text);
    if (wall === undefined && !text.endsWith('Z')) issues.push(lineIssue(line.line, line.name, FORM, text));
    return wall === undefined ? [] : [{ text: formatWallTime(wall), line: line.line }];
  });
}

function wallOfUtc(text: string, line: ContentLine, clock: LocalClock, issues: Issue[]): number | undefined {
  const at = readCompactTime(text.slice(0, -1));
  if (at === undefined) {
    issues.push(lineIssue(line.line, line.name, FORM, text));
    return undefined;
  }
  const { zone, isBelowDay } = clock;
  if (zone === undefined) return undefined;
  const wall = wallTimeAt(zone, at);
  const passes = instantsShowing(zone, wall);
  // A local EXDATE of a rule below the day takes out both passes.
  const isOneOfTwo = passes.length > 1 && (passes[0] !== at || (isBelowDay && line.name === 'EXDATE'));
  if (!isOneOfTwo) return wall;
  const shown = formatWallTime(wall);
  issues.push(
    lineIssue(
      line.line,
      line.name,
      `is ${shown} in ${zone.name}, shown twice: a local time cannot name this pass alone`,
      text,
    ),
  );
  return undefined;
}

/** Whether the values of a line are dates with times; a date alone and a period are refused. */
function isDateTime({ line, name, parameters }: ContentLine, issues: Issue[]): boolean {
  const value = parameters.get('VALUE') ?? 'DATE-TIME';
  for (const parameter of parameters.keys()) {
    const isKnown = parameter === 'VALUE' || parameter === 'TZID' || parameter.startsWith('X-');
    if (!isKnown) issues.push(lineIssue(line, name, 'has an unknown parameter; known are TZID and VALUE', parameter));
  }
  if (value.toUpperCase() === 'DATE-TIME') return true;
  const reason = value.toUpperCase() === 'DATE' ? 'a date alone says no time of day' : 'a trigger names points in time';
  issues.push(lineIssue(line, name, `must have VALUE=DATE-TIME: ${reason}`, value));
  return false;
}
