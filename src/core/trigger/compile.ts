/**
 * The door to the trigger engine: an untrusted trigger object in, due instants out.
 *
 * A trigger is checked completely and strictly, and all its faults are reported at once (DE-1). It is compiled once and
 * may then be asked as often as one likes.
 */

import type { Issue } from '../model/issue.js';
import type { Trigger } from '../model/trigger.js';
import type { ZoneData } from '../time/zone-data.js';
import type { CompiledTrigger } from './compiled-trigger.js';
import { issue, readChoice, readObject } from './read/field-reader.js';
import { ANY_OF_FIELDS, readAnyOf } from './read/read-any-of.js';
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
import { RRULE_FIELDS, readRrule } from './read/read-rrule.js';
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

/**
 * What a trigger is compiled with.
 *
 * @public
 */
export interface CompileOptions {
  /** Where offsets of zones come from; absent: the runtime's own zone data (TR-10). */
  readonly zoneData?: ZoneData | undefined;
}

/** Every kind of trigger. */
const KINDS = ['once', 'interval', 'calendar', 'cron', 'rrule', 'anyOf', 'manual'] as const;

/** How many `anyOf` may stand one in another (DE-11). */
const MOST_NESTED = 2;

/**
 * Checks and compiles a trigger (TR-1 to TR-9, TR-13, TR-14); never throws. Paths of issues are relative to the
 * trigger, such as `hour[1]` or `of[2].expression`. What is compiled with zone data that a host brings along may throw
 * `SCHEDULE_ADAPTER_BROKEN` when it is asked, where that data breaks its contract.
 *
 * @public
 */
export function compileTrigger(trigger: unknown, options: CompileOptions = {}): CompileResult {
  const issues: Issue[] = [];
  const reading = readTrigger(trigger, { issues, zoneData: options.zoneData, depth: 0 });
  if (reading === undefined) return { ok: false, issues };
  return { ok: true, value: reading.value, normalized: reading.normalized };
}

/** How a trigger is read: where its faults go, whose zones it has, and in how many `anyOf` it stands. */
interface Surroundings {
  readonly issues: Issue[];
  readonly zoneData: ZoneData | undefined;
  readonly depth: number;
}

function readTrigger(trigger: unknown, around: Surroundings): Reading | undefined {
  const { issues } = around;
  const kindOnly = typeof trigger === 'object' && trigger !== null && !Array.isArray(trigger) ? trigger : undefined;
  if (kindOnly === undefined) {
    readObject(trigger, '', [], 'DE-1', issues);
    return undefined;
  }
  const given = Object.hasOwn(kindOnly, 'kind') ? (kindOnly as { readonly kind: unknown }).kind : undefined;
  const kind = readChoice(given, 'kind', KINDS, 'DE-1', issues);
  const misplaced = kind === undefined ? undefined : whyMisplaced(kind, around.depth);
  if (misplaced !== undefined) issues.push(issue('kind', 'DE-11', misplaced, kind));
  return kind === undefined || misplaced !== undefined ? undefined : readKind(kind, kindOnly, around);
}

/** Why a trigger of a kind may not stand where it does, in so many `anyOf`. */
function whyMisplaced(kind: Trigger['kind'], depth: number): string | undefined {
  if (kind === 'manual' && depth > 0) return 'must not be `manual` inside `anyOf`: it is never due, so it adds nothing';
  if (kind !== 'anyOf' || depth < MOST_NESTED) return undefined;
  return `must not be a third \`anyOf\` inside others: put its triggers into the \`of\` around it`;
}

function readKind(kind: Trigger['kind'], trigger: object, around: Surroundings): Reading | undefined {
  const { issues, zoneData, depth } = around;
  switch (kind) {
    case 'once':
      return readOnce(readObject(trigger, '', ONCE_FIELDS, 'DE-1', issues) ?? {}, issues);
    case 'interval':
      return readInterval(readObject(trigger, '', INTERVAL_FIELDS, 'DE-1', issues) ?? {}, issues);
    case 'calendar':
      return readCalendar(readObject(trigger, '', CALENDAR_FIELDS, 'DE-1', issues) ?? {}, issues, zoneData);
    case 'cron':
      return readCron(readObject(trigger, '', CRON_FIELDS, 'DE-1', issues) ?? {}, issues, zoneData);
    case 'rrule':
      return readRrule(readObject(trigger, '', RRULE_FIELDS, 'DE-1', issues) ?? {}, issues, zoneData);
    case 'anyOf':
      return readAnyOf(readObject(trigger, '', ANY_OF_FIELDS, 'DE-1', issues) ?? {}, issues, (one, found) =>
        readTrigger(one, { issues: found, zoneData, depth: depth + 1 }),
      );
    case 'manual':
      return readManual(readObject(trigger, '', MANUAL_FIELDS, 'DE-1', issues) ?? {}, issues);
  }
}
