/**
 * Reads a recurrence trigger: its rule, where it begins, and the dates taken out and put in (TR-14).
 */

import type { Issue } from '../../model/issue.js';
import type { RruleTrigger } from '../../model/trigger.js';
import { formatWallTime, parseWallTime } from '../../time/instant.js';
import type { ZoneData } from '../../time/zone-data.js';
import { formatRule } from '../rrule/recurrence-rule.js';
import { recurrenceTrigger } from '../rrule/recurrence-trigger.js';
import { parseRule } from '../rrule/rule-syntax.js';
import { type Fields, issue, readList, readParsed, readZone } from './field-reader.js';
import { ascending } from './in-order.js';
import type { Reading } from './reading.js';

/** The fields of a recurrence trigger, in the order in which they are stored. @internal */
export const RRULE_FIELDS = ['kind', 'rule', 'dtstart', 'timezone', 'exdates', 'rdates'] as const;

const RULE = 'TR-14';

/**
 * Reads the fields of a recurrence trigger; every fault becomes an issue, and then there is no result.
 *
 * @internal
 */
export function readRrule(
  fields: Fields<(typeof RRULE_FIELDS)[number]>,
  issues: Issue[],
  zoneData: ZoneData | undefined,
): Reading | undefined {
  const what = 'the text of a recurrence rule, such as `FREQ=DAILY`';
  const rule = readParsed(fields.rule, 'rule', RULE, what, parseRule, issues);
  const dtstart = readWallTime(fields.dtstart, 'dtstart', issues);
  const zone = readZone(fields.timezone, 'timezone', issues, zoneData);
  const exdates = readWallTimes(fields.exdates, 'exdates', issues);
  const rdates = readWallTimes(fields.rdates, 'rdates', issues);
  if (issues.length > 0 || rule === undefined || dtstart === undefined || zone === undefined) return undefined;

  const normalized: { -readonly [name in keyof RruleTrigger]: RruleTrigger[name] } = {
    kind: 'rrule',
    rule: formatRule(rule),
    dtstart: formatWallTime(dtstart),
    timezone: zone.name,
  };
  if (exdates.length > 0) normalized.exdates = exdates.map(formatWallTime);
  if (rdates.length > 0) normalized.rdates = rdates.map(formatWallTime);
  return { value: recurrenceTrigger(zone, { rule, dtstart, exdates, rdates }), normalized };
}

/** A list of wall times, ascending, each once; empty where the field is absent. */
function readWallTimes(value: unknown, path: string, issues: Issue[]): readonly number[] {
  if (value === undefined) return [];
  return ascending(readList(value, path, RULE, issues, (item, at) => readWallTime(item, at, issues)) ?? []);
}

/** A wall time that exists on the calendar, in milliseconds "as if UTC". */
function readWallTime(value: unknown, path: string, issues: Issue[]): number | undefined {
  const isInYears = typeof value === 'string' && value >= '1800' && value < '2200';
  const wall = isInYears ? parseWallTime(value) : undefined;
  if (wall !== undefined) return wall;
  const isInstant = typeof value === 'string' && /(Z|[+-]\d\d:\d\d)$/.test(value);
  const hint = isInstant ? '; it is a time on the clock of `timezone` and has no offset' : '';
  const message = `must be a local time that exists: \`YYYY-MM-DDTHH:mm:ss\`, year 1800..2199${hint}`;
  issues.push(issue(path, RULE, message, value));
  return undefined;
}
