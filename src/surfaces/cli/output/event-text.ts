/**
 * Events of a running owner as lines of a log: for people a time and a sentence, for programs a small object.
 *
 * An occurrence is told of when it has ended, or waits for another attempt; its progress is on the terminal alone.
 */

import { isTerminal, type ObservedEvent } from '../../../index.js';
import { plain } from './layout/plain.js';
import { reasonText } from './occurrence-text.js';
import { aheadText } from './schedule-text.js';

/** A line of the log in both forms. @internal */
export interface LogLine {
  /** For programs: `type`, `at` as ISO UTC text, and what it is about. */
  readonly value: Readonly<Record<string, unknown>>;
  /** For people, safe to print. */
  readonly text: string;
}

/** The line of an event; undefined for what is no line of its own. @internal */
export function eventLine(event: ObservedEvent): LogLine | undefined {
  switch (event.type) {
    case 'occurrence':
      return occurrenceLine(event);
    case 'schedule':
      return scheduleLine(event);
    case 'notice':
      return line(
        event,
        { scheduleId: event.scheduleId, notice: event.notice.kind },
        `${event.scheduleId}: ${noticeText(event.notice)}`,
      );
    case 'owner':
      return event.change === 'started'
        ? undefined
        : line(event, { change: event.change, detail: event.detail }, `owner ${event.change}: ${event.detail}`);
    case 'gate':
      return line(
        event,
        { isPaused: event.isPaused, by: event.by },
        `gate ${event.isPaused ? 'paused' : 'opened'} by ${event.by}`,
      );
    case 'store':
      return line(event, { change: event.change, detail: event.detail }, `store ${event.change}: ${event.detail}`);
    case 'progress':
      return undefined;
  }
}

type Of<Type extends ObservedEvent['type']> = Extract<ObservedEvent, { type: Type }>;

function occurrenceLine(event: Of<'occurrence'>): LogLine | undefined {
  const { occurrence, to } = event;
  if (!isTerminal(to) && to !== 'retrying') return undefined;
  const fault = occurrence.attempts.at(-1)?.fault;
  const facts = {
    scheduleId: event.scheduleId,
    occurrence: occurrence.id,
    status: to,
    ...(occurrence.reason === undefined ? {} : { reason: occurrence.reason }),
    ...(fault === undefined ? {} : { fault: { code: fault.code, message: fault.message } }),
    attempts: occurrence.attempts.length,
  };
  const because = occurrence.reason === undefined ? '' : `, ${reasonText(occurrence.reason, occurrence.behind)}`;
  const broken = fault === undefined ? '' : `, ${fault.code}: ${fault.message}`;
  return line(event, facts, `${occurrence.id} ${to}${because}${broken}`);
}

function scheduleLine(event: Of<'schedule'>): LogLine {
  const { scheduleId, change, from, to, schedule, resolved } = event;
  const facts = {
    scheduleId,
    change,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(resolved === undefined ? {} : { occurrence: resolved.occurrence, verdict: resolved.verdict.verdict }),
  };
  const verdict = resolved === undefined ? '' : `: ${resolved.occurrence} is ${resolved.verdict.verdict}`;
  const detail = change === 'quarantined' ? `: ${schedule?.quarantine?.detail ?? ''}` : verdict;
  const told = change === 'status' ? `${from ?? '?'} -> ${to ?? '?'}` : change;
  const reason = change === 'status' ? schedule?.statusNote?.reason : undefined;
  return line(event, facts, `${scheduleId} ${told}${detail}${reason === undefined ? '' : `, ${reasonText(reason)}`}`);
}

function noticeText(notice: Of<'notice'>['notice']): string {
  switch (notice.kind) {
    case 'budgetLow':
      return `${notice.spent} of ${notice.of} occurrences are spent`;
    case 'skipsInRow':
      return `${notice.count} skips in a row`;
    case 'nextDueMoved': {
      const [from, to] = [notice.from, notice.to].map((at) => at ?? 'nothing');
      const why =
        notice.cause === 'calendar'
          ? `by an edit of calendar ${notice.calendar}`
          : `under zone data ${notice.zoneData}`;
      return `next due moved from ${from} to ${to} ${why}`;
    }
    case 'recordedAhead':
      return `nothing is due by the trigger until ${notice.nextDue ?? 'its end'}: ${aheadText(notice)}`;
  }
}

function line(event: ObservedEvent, facts: Readonly<Record<string, unknown>>, text: string): LogLine {
  const { at } = event;
  return { value: { type: event.type, at, ...facts }, text: `${at} ${plain(text)}` };
}
