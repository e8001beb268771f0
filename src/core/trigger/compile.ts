/**
 * The door to the trigger engine: an untrusted trigger object in, due instants out.
 *
 * A trigger is checked completely and strictly, and all its faults are reported at once (DE-1). It is compiled once and
 * may then be asked as often as one likes.
 */

import type { Issue } from '../model/issue.js';
import type { Trigger } from '../model/trigger.js';
import type { CompiledTrigger } from './compiled-trigger.js';
import { readChoice, readObject } from './read/field-reader.js';
import { CALENDAR_FIELDS, readCalendar } from './read/read-calendar.js';
import { CRON_FIELDS, readCron } from './read/read-cron.js';
import {
  INTERVAL_FIELDS,
  MANUAL_FIELDS,
  ONCE_FIELDS,
  readInterval,
  readManual,
  readOnce,
} from './read/read-elapsed.js';
import type { Reading } from './read/reading.js';

export type { CompiledTrigger } from './compiled-trigger.js';

/**
 * A compiled trigger and the trigger in its normal form, or everything that is wrong with it. In the normal form
 * instants are UTC text with milliseconds, the zone is spelled as in the table of zone names, lists ascend without
 * repetition, and defaults are filled in, so that triggers which mean the same are written the same.
 *
 * @public
 */
export type CompileResult =
  | { readonly ok: true; readonly value: CompiledTrigger; readonly normalized: Trigger }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Every kind of trigger; `rrule` and `anyOf` will take their places here and in {@link readKind}. */
const KINDS = ['once', 'interval', 'calendar', 'cron', 'manual'] as const;

/**
 * Checks and compiles a trigger (TR-1 to TR-9, TR-13, TR-14); never throws. Paths of issues are relative to the
 * trigger, such as `hour[1]`.
 *
 * @public
 */
export function compileTrigger(trigger: unknown): CompileResult {
  const issues: Issue[] = [];
  const reading = readTrigger(trigger, issues);
  if (reading === undefined) return { ok: false, issues };
  return { ok: true, value: reading.value, normalized: reading.normalized };
}

function readTrigger(trigger: unknown, issues: Issue[]): Reading | undefined {
  const kindOnly = typeof trigger === 'object' && trigger !== null && !Array.isArray(trigger) ? trigger : undefined;
  if (kindOnly === undefined) {
    readObject(trigger, '', [], 'DE-1', issues);
    return undefined;
  }
  const given = Object.hasOwn(kindOnly, 'kind') ? (kindOnly as { readonly kind: unknown }).kind : undefined;
  const kind = readChoice(given, 'kind', KINDS, 'DE-1', issues);
  return kind === undefined ? undefined : readKind(kind, kindOnly, issues);
}

function readKind(kind: Trigger['kind'], trigger: object, issues: Issue[]): Reading | undefined {
  switch (kind) {
    case 'once':
      return readOnce(readObject(trigger, '', ONCE_FIELDS, 'DE-1', issues) ?? {}, issues);
    case 'interval':
      return readInterval(readObject(trigger, '', INTERVAL_FIELDS, 'DE-1', issues) ?? {}, issues);
    case 'calendar':
      return readCalendar(readObject(trigger, '', CALENDAR_FIELDS, 'DE-1', issues) ?? {}, issues);
    case 'cron':
      return readCron(readObject(trigger, '', CRON_FIELDS, 'DE-1', issues) ?? {}, issues);
    case 'manual':
      return readManual(readObject(trigger, '', MANUAL_FIELDS, 'DE-1', issues) ?? {}, issues);
  }
}
