/**
 * What callers of the conveniences hand over, read with exceptions for wrong input: what is asked about, with which options,
 * and when.
 *
 * Readers collect faults, so that all of one call are reported at once (DE-1); the convenience throws them together. A fault
 * of a declaration has the path that it has there, such as `trigger.hour`, a fault of a bare trigger that of the trigger.
 */

import { ScheduleError } from '../../errors.js';
import type { AttemptBudget, Declaration } from '../model/declaration.js';
import type { Exclusion } from '../model/exclusion.js';
import { faultText, foundText, type Issue, mendHint } from '../model/issue.js';
import { LIMITS } from '../model/limits.js';
import type { Trigger } from '../model/trigger.js';
import { type EpochMs, type InstantInput, instantFault, parseWallTime, toEpochMs } from '../time/instant.js';
import type { ZoneData } from '../time/zone-data.js';
import { type CompiledTrigger, compileTrigger } from './compile.js';
import { type CompileDueOptions, compileDue, type DueParts } from './due/compile-due.js';
import type { DueInput } from './due-input.js';
import { type Fields, issue, readObject, readZone } from './read/field-reader.js';

export type { DueInput } from './due-input.js';

/**
 * Options of `nextDue` and of all that takes what it takes.
 *
 * @public
 */
export interface DueOptions extends CompileDueOptions {
  /** Calendars of the catalogue by name. Absent: there is none, and an exclusion that names one is refused, but by `describe`. */
  readonly calendars?: CompileDueOptions['calendars'];
  /**
   * Zone of a bare cron text, and for `explain` of a time on the clock where the trigger has no zone; UTC where absent. One
   * that differs from that of the trigger, or that nothing would use, is refused.
   */
  readonly timezone?: string | undefined;
}

/**
 * What is asked about, compiled and in its normal form.
 *
 * @public
 */
export interface AskedDue {
  /** Its due instants. */
  readonly compiled: CompiledTrigger;
  /** Its trigger in the normal form. */
  readonly trigger: Trigger;
  /** What it leaves out, in the normal form. */
  readonly exclude?: Exclusion;
}

/** What a convenience makes of its options. @internal */
export interface Asking {
  /** A zone also means that of a time on the clock, where the trigger has none. */
  readonly isClockAsked?: boolean;
  /** A calendar counts by its name alone: what it leaves out is not asked. */
  readonly isCalendarNamed?: boolean;
}

/**
 * The compiled form of what a caller asks about, for many questions about one thing. Throws as `nextDue` does.
 *
 * @public
 */
export function askDue(due: DueInput, options: DueOptions = {}): AskedDue {
  const issues: Issue[] = [];
  const asked = readDue(due, options, issues);
  if (asked === undefined) refuseAsk('no due instants', issues);
  return asked;
}

const OPTIONS = ['timezone', 'calendars', 'zoneData'] as const;

/** What a caller asks about, or `undefined` where that or an option is wrong. @internal */
export function readDue(due: unknown, options: unknown, issues: Issue[], how: Asking = {}): AskedDue | undefined {
  const before = issues.length;
  const { timezone, ...given } = readGiven(options, 'options', OPTIONS, issues);
  const sources = readSources(given, how, issues);
  // Without good sources nothing can be said about what is asked.
  if (sources === undefined) return undefined;
  const asked = compiled(due, timezone, sources, issues);
  if (timezone !== undefined && typeof due !== 'string') checkZone(timezone, asked, sources.zoneData, how, issues);
  return issues.length > before ? undefined : asked;
}

/** Where calendars and offsets come from; `undefined` where either is wrong. */
function readSources(
  { calendars, zoneData }: Fields<'calendars' | 'zoneData'>,
  { isCalendarNamed = false }: Asking,
  issues: Issue[],
): CompileDueOptions | undefined {
  const areCalendars = calendars === undefined || isObject(calendars);
  const isZoneData = zoneData === undefined || isZoneSource(zoneData);
  if (!areCalendars) issues.push(issue('calendars', 'DE-12', 'must be an object: calendars by name', calendars));
  if (!isZoneData) issues.push(issue('zoneData', 'TR-10', ZONE_DATA, zoneData));
  if (!areCalendars || !isZoneData) return undefined;
  const known = calendars ?? (isCalendarNamed ? undefined : {});
  return { calendars: known as CompileDueOptions['calendars'], zoneData: zoneData as ZoneData | undefined };
}

const ZONE_DATA = `must have a \`version\` of ${LIMITS.zoneDataVersionLength.min}..${LIMITS.zoneDataVersionLength.max} characters and a function \`offsetAt\``;

/** Whether it can be asked; what it answers is checked then (TR-10). */
function isZoneSource(value: unknown): boolean {
  if (!isObject(value) || typeof value['offsetAt'] !== 'function') return false;
  const { version, nextChange } = value;
  const { min, max } = LIMITS.zoneDataVersionLength;
  const isVersion = typeof version === 'string' && version.length >= min && version.length <= max;
  return isVersion && (nextChange === undefined || typeof nextChange === 'function');
}

/** The fields of an object that a caller gives beside what is asked about; none where it is no object. @internal */
export function readGiven<Name extends string>(
  value: unknown,
  name: string,
  known: readonly Name[],
  issues: Issue[],
): Fields<Name> {
  if (isObject(value)) return readObject(value, '', known, 'DE-1', issues) ?? {};
  issues.push(issue(name, 'DE-1', 'must be an object', value));
  return {};
}

/** The instant that a caller gives; `other` tells what else may be asked where a text lacks its offset. @internal */
export function readMoment(input: unknown, path: string, issues: Issue[], other = ''): EpochMs | undefined {
  const ms = toEpochMs(input as InstantInput);
  if (ms !== undefined) return ms;
  const isLocal = typeof input === 'string' && parseWallTime(input) !== undefined;
  issues.push(issue(path, 'DE-2', `${instantFault(input)}${isLocal ? other : ''}`, input));
  return undefined;
}

/** Throws for wrong input; `what` says what there is not for it. @internal */
export function refuseAsk(what: string, issues: readonly Issue[]): never {
  const message = `${what}: ${issues.map(faultText).join('; ')}`;
  throw new ScheduleError('SCHEDULE_DECLARATION_INVALID', message, {
    details: { issues },
    hint: mendHint(issues.length),
  });
}

function compiled(due: unknown, timezone: unknown, sources: CompileDueOptions, issues: Issue[]): AskedDue | undefined {
  if (typeof due !== 'string' && !isObject(due)) {
    const message = 'must be a trigger, a cron text, or an object with a `trigger`';
    issues.push({ path: '', rule: 'DE-1', message, found: foundText(due) });
    return undefined;
  }
  if (typeof due !== 'string' && 'trigger' in due && !('kind' in due)) {
    const parts = readObject(due, '', DECLARATION_KEYS, 'DE-1', issues) ?? {};
    const result = compileDue(parts as DueParts, sources);
    if (result.ok) return { compiled: result.value, ...result.normalized };
    issues.push(...result.issues);
    return undefined;
  }
  const cron = { kind: 'cron', expression: due, timezone: timezone === undefined ? 'UTC' : timezone };
  const result = compileTrigger(typeof due === 'string' ? cron : due, sources);
  if (result.ok) return { compiled: result.value, trigger: result.normalized };
  issues.push(...result.issues);
  return undefined;
}

/** A zone beside what is no cron text: it must be one, must not differ from that of the trigger, and must have a use. */
function checkZone(
  timezone: unknown,
  asked: AskedDue | undefined,
  zoneData: ZoneData | undefined,
  { isClockAsked = false }: Asking,
  issues: Issue[],
): void {
  const zone = readZone(timezone, 'timezone', issues, zoneData);
  if (zone === undefined || asked === undefined) return;
  const own = asked.compiled.timezone;
  if (own === zone.name || (own === undefined && isClockAsked)) return;
  const why = own === undefined ? 'this trigger has no use for a zone' : `the trigger has its own, ${foundText(own)}`;
  issues.push(issue('timezone', 'TR-11', `must not stand here: ${why}`, timezone));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type DeclarationKey = keyof Declaration | keyof AttemptBudget | 'document';

function keysOf(keys: Readonly<Record<DeclarationKey, true>>): readonly DeclarationKey[] {
  return Object.keys(keys) as DeclarationKey[];
}

/** Everything that an author may write beside `trigger`; limits of the budget may stand at the top (DE-1). */
const DECLARATION_KEYS: readonly DeclarationKey[] = keysOf({
  id: true,
  objective: true,
  document: true,
  allowedProviders: true,
  trigger: true,
  exclude: true,
  spreadSeconds: true,
  overlap: true,
  misfire: true,
  graceSeconds: true,
  maxCatchUp: true,
  maxOccurrences: true,
  maxRetries: true,
  retryBackoff: true,
  budget: true,
  maxAttempts: true,
  maxRepeatedFailures: true,
  maxElapsedSeconds: true,
  timeoutPerStageSeconds: true,
  maxLatenessSeconds: true,
  expiresAt: true,
  concurrencyKey: true,
  pauseAfterFailures: true,
  labels: true,
});
