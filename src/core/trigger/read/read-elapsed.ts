/**
 * Reads the triggers without a calendar: `once`, `interval` and `manual` (TR-2).
 */

import type { Issue } from '../../model/issue.js';
import { TRIGGER_LIMITS } from '../../model/trigger.js';
import { formatInstant } from '../../time/instant.js';
import { intervalTrigger, MANUAL_TRIGGER, onceTrigger } from '../elapsed-trigger.js';
import { type Fields, issue, readBound, readInstant } from './field-reader.js';
import type { Reading } from './reading.js';

/** The fields of each kind, in the order in which they are stored. @internal */
export const ONCE_FIELDS = ['kind', 'at'] as const;
/** See {@link ONCE_FIELDS}. @internal */
export const INTERVAL_FIELDS = ['kind', 'start', 'everySeconds', 'end'] as const;
/** See {@link ONCE_FIELDS}. @internal */
export const MANUAL_FIELDS = ['kind'] as const;

/** Reads a `once` trigger. @internal */
export function readOnce(fields: Fields<(typeof ONCE_FIELDS)[number]>, issues: Issue[]): Reading | undefined {
  const at = readInstant(fields.at, 'at', issues);
  if (issues.length > 0 || at === undefined) return undefined;
  return { value: onceTrigger(at), normalized: { kind: 'once', at: formatInstant(at) } };
}

/** Reads an `interval` trigger. @internal */
export function readInterval(fields: Fields<(typeof INTERVAL_FIELDS)[number]>, issues: Issue[]): Reading | undefined {
  const start = readInstant(fields.start, 'start', issues);
  const everyMs = readEveryMs(fields.everySeconds, issues);
  const end = readBound(fields.end, 'end', issues);
  if (issues.length > 0 || start === undefined || everyMs === undefined) return undefined;
  return {
    value: intervalTrigger(start, everyMs, end),
    normalized: {
      kind: 'interval',
      start: formatInstant(start),
      everySeconds: everyMs / 1000,
      ...(end !== undefined && { end: formatInstant(end) }),
    },
  };
}

/** Reads a `manual` trigger. @internal */
export function readManual(_fields: Fields<(typeof MANUAL_FIELDS)[number]>, issues: Issue[]): Reading | undefined {
  return issues.length > 0 ? undefined : { value: MANUAL_TRIGGER, normalized: { kind: 'manual' } };
}

/** Seconds as whole milliseconds: the number must be the one nearest to a whole number of milliseconds. */
function readEveryMs(value: unknown, issues: Issue[]): number | undefined {
  const { min, max } = TRIGGER_LIMITS.everySeconds;
  if (typeof value === 'number' && value >= min && value <= max) {
    const ms = Math.round(value * 1000);
    if (ms / 1000 === value) return ms;
  }
  const message = `must be seconds, ${min}..${max}, in whole milliseconds`;
  issues.push(issue('everySeconds', 'TR-2', message, value));
  return undefined;
}
