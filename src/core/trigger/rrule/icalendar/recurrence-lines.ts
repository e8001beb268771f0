/**
 * The properties of an iCalendar text that say when an event comes back: DTSTART, RRULE, EXDATE, RDATE (TR-14).
 *
 * They stand alone, or in the one VEVENT of a text, with or without a VCALENDAR around it. What else an event says is left
 * out; what else stands alone is refused. Other components, such as a VTIMEZONE with rules of its own, are passed over.
 */

import type { Issue } from '../../../model/issue.js';
import { type ContentLine, lineIssue } from './content-lines.js';

/**
 * The lines that matter.
 *
 * @internal
 */
export interface RecurrenceLines {
  readonly dtstart: ContentLine;
  readonly rrule: ContentLine;
  readonly exdates: readonly ContentLine[];
  readonly rdates: readonly ContentLine[];
}

/**
 * Finds them; what must not be there, or is missing, becomes an issue, and then there is no result.
 *
 * @internal
 */
export function recurrenceLines(lines: readonly ContentLine[], issues: Issue[]): RecurrenceLines | undefined {
  const properties = eventProperties(lines, issues);
  const named = (name: string): readonly ContentLine[] => properties.filter((one) => one.name === name);
  const only = (name: string): ContentLine | undefined => {
    const [first, ...others] = named(name);
    for (const { line } of others) issues.push(lineIssue(line, name, 'stands a second time; a trigger has one'));
    if (first === undefined) issues.push({ path: name, rule: 'TR-14', message: 'is required' });
    return first;
  };
  for (const { line } of named('EXRULE')) {
    issues.push(lineIssue(line, 'EXRULE', 'is not supported: RFC 5545 has taken it out; list the dates as EXDATE'));
  }
  const dtstart = only('DTSTART');
  const rrule = only('RRULE');
  if (dtstart === undefined || rrule === undefined) return undefined;
  return { dtstart, rrule, exdates: named('EXDATE'), rdates: named('RDATE') };
}

const KNOWN: readonly string[] = ['DTSTART', 'RRULE', 'EXDATE', 'RDATE', 'EXRULE'];

/** The properties of the one event, or those that stand alone. */
function eventProperties(lines: readonly ContentLine[], issues: Issue[]): readonly ContentLine[] {
  const open: ContentLine[] = [];
  const alone: ContentLine[] = [];
  const ofEvent: ContentLine[] = [];
  let events = 0;
  let components = 0;
  for (const one of lines) {
    if (one.name === 'BEGIN') {
      open.push(one);
      components += 1;
      if (!isEvent(open)) continue;
      events += 1;
      if (events > 1) issues.push(lineIssue(one.line, 'VEVENT', 'begins a second event; a trigger is made from one'));
    } else if (one.name === 'END') {
      if (nameOf(open.pop()) !== nameOf(one)) {
        issues.push(lineIssue(one.line, 'END', 'ends what did not begin last', one.value));
      }
    } else if (open.length === 0) {
      alone.push(one);
    } else if (isEvent(open) && events === 1) {
      ofEvent.push(one);
    }
  }
  for (const one of open) issues.push(lineIssue(one.line, 'BEGIN', 'begins what does not end', one.value));
  if (components > 0 && events === 0) issues.push({ path: 'VEVENT', rule: 'TR-14', message: 'there is no event' });
  for (const { line, name } of alone) {
    const isStray = components > 0 || !KNOWN.includes(name);
    if (isStray)
      issues.push(
        lineIssue(
          line,
          name,
          'is out of place: beside an event nothing stands but DTSTART, RRULE, EXDATE and RDATE, and these only where there is no event',
        ),
      );
  }
  return components > 0 ? ofEvent : alone;
}

/** Whether the innermost open component is a VEVENT that stands alone or in a VCALENDAR. */
function isEvent(open: readonly ContentLine[]): boolean {
  const names = open.map(nameOf);
  return names.at(-1) === 'VEVENT' && (names.length === 1 || (names.length === 2 && names[0] === 'VCALENDAR'));
}

/** What a BEGIN or an END names. */
function nameOf(line: ContentLine | undefined): string {
  return line === undefined ? '' : line.value.trim().toUpperCase();
}
