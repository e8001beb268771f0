/**
 * Reads a cron trigger: its expression, its zone and its departures from the default meaning (TR-6, TR-7).
 */

import type { Issue } from '../../model/issue.js';
import type { CronDialect, CronTrigger } from '../../model/trigger.js';
import { formatInstant } from '../../time/instant.js';
import type { ZoneData } from '../../time/zone-data.js';
import { cronPattern } from '../cron/cron-pattern.js';
import { parseCron } from '../cron/cron-syntax.js';
import { wallTrigger } from '../wall-trigger.js';
import { type Fields, issue, readBound, readChoice, readObject, readParsed, readZone } from './field-reader.js';
import type { Reading } from './reading.js';

/** The fields of a cron trigger, in the order in which they are stored. @internal */
export const CRON_FIELDS = ['kind', 'expression', 'timezone', 'start', 'end', 'gap', 'repeat', 'dialect'] as const;

const RULE = 'TR-6';
const SWITCHES = ['sloppySteps', 'wrapRanges', 'lastOffset'] as const;

/**
 * Reads the fields of a cron trigger; every fault becomes an issue, and then there is no result.
 *
 * @internal
 */
export function readCron(
  fields: Fields<(typeof CRON_FIELDS)[number]>,
  issues: Issue[],
  zoneData: ZoneData | undefined,
): Reading | undefined {
  const dialect = fields.dialect === undefined ? {} : readDialect(fields.dialect, issues);
  const what = 'the text of a cron expression';
  const parse = (text: string) => parseCron(text, dialect);
  const cron = readParsed(fields.expression, 'expression', 'TR-7', what, parse, issues);
  const zone = readZone(fields.timezone, 'timezone', issues, zoneData);
  const start = readBound(fields.start, 'start', issues);
  const end = readBound(fields.end, 'end', issues);
  const gap = fields.gap === undefined ? 'skip' : readChoice(fields.gap, 'gap', ['skip', 'shift'], 'TR-13', issues);
  const repeat =
    fields.repeat === undefined ? 'first' : readChoice(fields.repeat, 'repeat', ['first', 'both'], RULE, issues);
  if (issues.length > 0 || cron === undefined || zone === undefined) return undefined;

  const normalized: { -readonly [name in keyof CronTrigger]: CronTrigger[name] } = {
    kind: 'cron',
    expression: oneBlank(fields.expression as string),
    timezone: zone.name,
    gap: gap ?? 'skip',
    repeat: repeat ?? 'first',
  };
  if (start !== undefined) normalized.start = formatInstant(start);
  if (end !== undefined) normalized.end = formatInstant(end);
  if (Object.keys(dialect).length > 0) normalized.dialect = dialect;
  const policy = { everyPass: cron.wildcard || repeat === 'both', shift: gap === 'shift' && !cron.wildcard };
  return { value: wallTrigger('cron', zone, cronPattern(cron), policy, start, end), normalized };
}

/** The text without outer blanks, and with one space between fields. */
function oneBlank(expression: string): string {
  return /^ |\t| {2}| $/.test(expression) ? expression.replace(/[ \t]+/g, ' ').trim() : expression;
}

/** The flags that are set; a switch that is off is left out. */
function readDialect(value: unknown, issues: Issue[]): CronDialect {
  const fields = readObject(value, 'dialect', [...SWITCHES, 'fields', 'dayFields', 'weekdays'], RULE, issues);
  const dialect: { -readonly [name in keyof CronDialect]: CronDialect[name] } = {};
  for (const name of SWITCHES) {
    const flag = fields?.[name];
    if (flag === true) dialect[name] = true;
    else if (flag !== undefined && flag !== false) {
      issues.push(issue(`dialect.${name}`, RULE, 'must be true or false', flag));
    }
  }
  if (fields?.fields !== undefined) {
    const five = readChoice(fields.fields, 'dialect.fields', [5], RULE, issues);
    if (five !== undefined) dialect.fields = five;
  }
  if (fields?.dayFields !== undefined) {
    const and = readChoice(fields.dayFields, 'dialect.dayFields', ['and'], RULE, issues);
    if (and !== undefined) dialect.dayFields = and;
  }
  if (fields?.weekdays !== undefined) {
    const quartz = readChoice(fields.weekdays, 'dialect.weekdays', ['quartz'], RULE, issues);
    if (quartz !== undefined) dialect.weekdays = quartz;
  }
  return dialect;
}
