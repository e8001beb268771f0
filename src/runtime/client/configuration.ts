/**
 * The form of what a host opens schedules with, for hosts whose compiler does not check it.
 *
 * What is wrong is refused here, at the start, and not when the first occurrence is due.
 */
import type { Issue } from '../../core/model/issue.js';
import { LIMITS } from '../../core/model/limits.js';
import { ScheduleError } from '../../errors.js';
import { refuseBadCaller } from './parts.js';

/** What a host may give beside the workspace. @internal */
export interface Configuration {
  readonly execution?: unknown;
  readonly clock?: unknown;
  readonly observer?: unknown;
  readonly caller?: unknown;
  readonly authorised?: unknown;
  readonly randomId?: unknown;
  readonly zoneData?: unknown;
}

const RANDOM_ID = /^[a-z0-9]{1,64}$/;

/** Refuses what cannot work, with every fault at once: `SCHEDULE_CONFIG_INVALID`. @internal */
export function refuseBadConfiguration(given: Configuration): void {
  const { execution, clock, observer, authorised, randomId, zoneData } = given;
  if (given.caller !== undefined) refuseBadCaller(given.caller as never);
  const faults: readonly (Issue | undefined)[] = [
    fault('execution', has(execution, ['plan', 'execute', 'providers']), 'must be an execution service'),
    fault('clock', has(clock, ['now', 'monotonic', 'sleep']), 'must be a clock'),
    fault('observer', observer === undefined || typeof observer === 'function', 'must be a function'),
    fault('authorised', isNames(authorised), 'must be a list of provider names'),
    fault('zoneData', isZoneData(zoneData), 'must have a `version` of 1..128 characters and a function `offsetAt`'),
    fault('randomId', randomId === undefined || typeof randomId === 'function', 'must be a function'),
  ];
  const issues = faults.filter((issue) => issue !== undefined);
  if (issues.length === 0) return;
  const list = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
  throw new ScheduleError('SCHEDULE_CONFIG_INVALID', `cannot open schedules: ${list}`, {
    details: { issues },
    hint: 'Mend the options of openSchedules that are named.',
  });
}

/** A source of random ids that is held to its contract: it ends up in ids and in names of directories (OC-1). @internal */
export function checkedRandomId(randomId: () => string): () => string {
  return () => {
    const id: unknown = randomId();
    if (typeof id === 'string' && RANDOM_ID.test(id)) return id;
    throw new ScheduleError(
      'SCHEDULE_CONFIG_INVALID',
      'randomId gave something else than 1..64 lower-case letters and digits',
      {
        details: {
          issues: [{ path: 'randomId', rule: 'OC-1', message: 'must give 1..64 lower-case letters and digits' }],
        },
        hint: 'Leave randomId away, or mend it.',
      },
    );
  };
}

function fault(path: keyof Configuration, isGood: boolean, message: string): Issue | undefined {
  return isGood ? undefined : { path, rule: 'SF-2', message };
}

function has(value: unknown, methods: readonly string[]): boolean {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  const members = value as Readonly<Record<string, unknown>>;
  return methods.every((method) => typeof members[method] === 'function');
}

/** What it answers is checked when it is asked (TR-10). */
function isZoneData(value: unknown): boolean {
  if (value === undefined) return true;
  if (!has(value, ['offsetAt'])) return false;
  const { version, nextChange } = value as Readonly<Record<string, unknown>>;
  const { min, max } = LIMITS.zoneDataVersionLength;
  const isVersion = typeof version === 'string' && version.length >= min && version.length <= max;
  return isVersion && (nextChange === undefined || typeof nextChange === 'function');
}

function isNames(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((name) => typeof name === 'string'));
}
