/**
 * Recurrences in and out of iCalendar text (RFC 5545), for calendars that a schedule comes from or goes to (TR-14).
 */

import { foundText, type Issue } from '../../../model/issue.js';
import { LIMITS } from '../../../model/limits.js';
import type { RruleTrigger } from '../../../model/trigger.js';
import { findZone, zoneName } from '../../../time/zones.js';
import { readGiven, refuseAsk } from '../../ask.js';
import { type CompileOptions, compileTrigger } from '../../compile.js';
import { issue, readZone } from '../../read/field-reader.js';
import { isBelowDay } from '../recurrence-rule.js';
import { parseRule } from '../rule-syntax.js';
import { type ContentLine, contentLines, foldLine } from './content-lines.js';
import { type LocalTime, readStart, readTimes } from './local-times.js';
import { type RecurrenceLines, recurrenceLines } from './recurrence-lines.js';

/**
 * Options of {@link parseICalendar}.
 *
 * @public
 */
export interface ICalendarOptions extends CompileOptions {
  /** Zone of a DTSTART that names none; without it such a text is refused. */
  readonly timezone?: string | undefined;
  /**
   * IANA names by TZID, for texts with names of their own, such as `{ 'W. Europe Standard Time': 'Europe/Berlin' }` for those
   * of Outlook. A TZID that stands here, spelled just so, is read as that name; others must be IANA names themselves.
   */
  readonly timezones?: Readonly<Record<string, string>> | undefined;
}

/**
 * The recurrence of an iCalendar text in its normal form: DTSTART, one RRULE, any EXDATE and RDATE, alone or in the one
 * VEVENT of the text, of which all else is left out. DTSTART in UTC gives the zone `UTC`; UTC times in lists become local
 * ones; a TZID that is no IANA name is told by `options.timezones`. The text has at most 65536 characters. Throws `SCHEDULE_DECLARATION_INVALID`, with `details.issues` that name lines,
 * for what a trigger cannot say: several rules, EXRULE, dates without a time, periods, one pass of a repeated hour.
 *
 * @public
 */
export function parseICalendar(text: string, options: ICalendarOptions = {}): RruleTrigger {
  const issues: Issue[] = [];
  const trigger = readText(text, options, issues);
  if (trigger !== undefined) return trigger;
  issues.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  refuseAsk('the iCalendar text is invalid', issues);
}

/**
 * A recurrence as iCalendar text: the lines DTSTART, RRULE, EXDATE and RDATE, with TZID, or in UTC where that is the zone;
 * each ended with CRLF and folded at 75 octets. {@link parseICalendar} gives the same trigger back, in its normal form. An
 * UNTIL without `Z` stands as it is, though the RFC wants it in UTC. Throws `SCHEDULE_DECLARATION_INVALID`, with
 * `details.issues`, for an invalid trigger.
 *
 * @public
 */
export function formatICalendar(trigger: RruleTrigger): string {
  const compiled = compileTrigger(trigger);
  if (!compiled.ok) refuseAsk('the trigger is invalid', compiled.issues);
  if (compiled.normalized.kind !== 'rrule') {
    const found = foundText(compiled.normalized.kind);
    refuseAsk('the trigger is invalid', [{ path: 'kind', rule: 'TR-14', message: 'must be "rrule"', found }]);
  }
  const { rule, dtstart, timezone, exdates, rdates } = compiled.normalized;
  const [tzid, suffix] = timezone === 'UTC' ? ['', 'Z'] : [`;TZID=${timezone}`, ''];
  const times = (name: string, texts: readonly string[]): string =>
    foldLine(`${name}${tzid}:${texts.map((text) => text.replace(/[-:]/g, '') + suffix).join(',')}`);
  return [
    times('DTSTART', [dtstart]),
    foldLine(`RRULE:${rule}`),
    ...(exdates === undefined ? [] : [times('EXDATE', exdates)]),
    ...(rdates === undefined ? [] : [times('RDATE', rdates)]),
  ].join('');
}

const OPTIONS = ['timezone', 'timezones', 'zoneData'] as const;

function readText(text: unknown, given: unknown, issues: Issue[]): RruleTrigger | undefined {
  const options = readGiven(given, 'options', OPTIONS, issues) as ICalendarOptions;
  const { max } = LIMITS.declarationBytes;
  if (typeof text !== 'string' || text.length > max) {
    issues.push({
      path: '',
      rule: 'TR-14',
      message: `must be a text of at most ${max} characters`,
      found: foundText(text),
    });
    return undefined;
  }
  const named = withIanaNames(contentLines(text, issues), options, issues);
  const lines = named && recurrenceLines(named, issues);
  const start = lines && readStart(lines.dtstart, issues);
  if (lines === undefined || start === undefined) return undefined;
  const timezone = start.timezone ?? options.timezone;
  if (timezone === undefined) {
    const message = `line ${lines.dtstart.line}: names no time zone: add \`;TZID=…\`, or give \`timezone\` as an option`;
    issues.push({ path: 'DTSTART', rule: 'TR-14', message, line: lines.dtstart.line });
    return undefined;
  }
  return readLines(lines, { dtstart: start.text, timezone }, options, issues);
}

/** The lines with every TZID that the caller has an IANA name for under that name; nothing where such a name is wrong. */
function withIanaNames(
  lines: readonly ContentLine[],
  { timezones = {}, zoneData }: ICalendarOptions,
  issues: Issue[],
): readonly ContentLine[] | undefined {
  const before = issues.length;
  if (typeof timezones !== 'object' || timezones === null || Array.isArray(timezones)) {
    issues.push(issue('timezones', 'TR-9', 'must be an object: IANA names by TZID', timezones));
    return undefined;
  }
  const used = new Set(lines.flatMap(({ parameters }) => parameters.get('TZID') ?? []));
  const known = [...used].filter((tzid) => Object.hasOwn(timezones, tzid));
  for (const tzid of known) readZone(timezones[tzid], `timezones[${JSON.stringify(tzid)}]`, issues, zoneData);
  if (issues.length > before) return undefined;
  return lines.map((line) => {
    const tzid = line.parameters.get('TZID') ?? '';
    if (!known.includes(tzid)) return line;
    return { ...line, parameters: new Map([...line.parameters, ['TZID', timezones[tzid] as string]]) };
  });
}

function readLines(
  lines: RecurrenceLines,
  { dtstart, timezone }: Pick<RruleTrigger, 'dtstart' | 'timezone'>,
  { zoneData }: ICalendarOptions,
  issues: Issue[],
): RruleTrigger | undefined {
  const parsed = parseRule(lines.rrule.value);
  const clock = { timezone, zone: findZone(timezone, zoneData), isBelowDay: 'freq' in parsed && isBelowDay(parsed) };
  const exdates = lines.exdates.flatMap((line) => readTimes(line, clock, issues));
  const rdates = lines.rdates.flatMap((line) => readTimes(line, clock, issues));
  const trigger = {
    kind: 'rrule',
    rule: lines.rrule.value,
    dtstart,
    timezone,
    ...(exdates.length > 0 && { exdates: exdates.map(({ text }) => text) }),
    ...(rdates.length > 0 && { rdates: rdates.map(({ text }) => text) }),
  };
  const compiled = compileTrigger(trigger, { zoneData });
  if (!compiled.ok) issues.push(...compiled.issues.map((fault) => onLine(fault, lines, { exdates, rdates })));
  return compiled.ok && issues.length === 0 ? (compiled.normalized as RruleTrigger) : undefined;
}

/** A fault of the trigger as one of the line that it comes from. */
function onLine(
  fault: Issue,
  lines: RecurrenceLines,
  times: { readonly exdates: readonly LocalTime[]; readonly rdates: readonly LocalTime[] },
): Issue {
  const [, field = '', place] = /^(\w+)(?:\[(\d+)\])?/.exec(fault.path) ?? [];
  const list = field === 'exdates' || field === 'rdates' ? times[field] : [];
  const [path, line] =
    field === 'rule'
      ? ['RRULE', lines.rrule.line]
      : list.length > 0
        ? [field === 'exdates' ? 'EXDATE' : 'RDATE', (list[Number(place ?? 0)] as LocalTime).line]
        : ['DTSTART', lines.dtstart.line];
  const named = lines.dtstart.parameters.get('TZID');
  const isOwnName = field === 'timezone' && named !== undefined && zoneName(named) === undefined;
  const other = isOwnName ? `; or say with \`timezones\` what is meant: \`{ ${JSON.stringify(named)}: "…" }\`` : '';
  return { ...fault, path, line, message: `line ${line}: ${fault.message}${other}` };
}
