/**
 * Reading one untrusted field at a time: a good value, or an issue and `undefined`.
 *
 * Readers go on after a fault, so that all faults of a trigger are reported at once (DE-1). `undefined` is taken for an
 * absent field.
 */

import { foundText, type Issue } from '../../model/issue.js';
import { LIMITS } from '../../model/limits.js';
import { TRIGGER_LIMITS } from '../../model/trigger.js';
import { parseDate } from '../../time/civil.js';
import { type EpochMs, type InstantInput, instantFault, toEpochMs } from '../../time/instant.js';
import { nearestNames, suggestion } from '../../time/nearest-names.js';
import type { ZoneData } from '../../time/zone-data.js';
import type { Zone } from '../../time/zone-spans.js';
import { adviceOnZone, findZone, zoneName } from '../../time/zones.js';
import { ascending } from './in-order.js';

/**
 * The known fields of an object, by name; unknown ones have become issues.
 *
 * @internal
 */
export type Fields<Name extends string> = { readonly [name in Name]?: unknown };

/**
 * Least and greatest whole number allowed.
 *
 * @internal
 */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/**
 * Takes an object apart: each known field is read once, each unknown one is an issue with the nearest known name
 * (DE-1). What is inherited does not count.
 *
 * @internal
 */
export function readObject<Name extends string>(
  value: unknown,
  path: string,
  known: readonly Name[],
  rule: string,
  issues: Issue[],
): Fields<Name> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    issues.push(issue(path, rule, 'must be an object', value));
    return undefined;
  }
  const fields: { [name in Name]?: unknown } = {};
  for (const key of Object.keys(value)) {
    if (isKnown(key, known)) fields[key] = (value as Record<string, unknown>)[key];
    else issues.push(unknownField(path, key, known));
  }
  return fields;
}

function isKnown<Name extends string>(key: string, known: readonly Name[]): key is Name {
  return (known as readonly string[]).includes(key);
}

function unknownField(path: string, key: string, known: readonly string[]): Issue {
  const hint = suggestion(nearestNames(key, known, 1)) || `; known are ${known.join(', ')}`;
  return {
    path: path === '' ? key : `${path}.${key}`,
    rule: 'DE-1',
    message: `unknown field ${foundText(key)}${hint}`,
    found: foundText(key),
  };
}

/** A whole number within bounds. @internal */
export function readInteger(value: unknown, path: string, bounds: Bounds, rule: string, issues: Issue[]) {
  if (typeof value === 'number' && Number.isInteger(value) && value >= bounds.min && value <= bounds.max) {
    return value + 0;
  }
  const asText = typeof value === 'string' && /^-?\d+$/.test(value) ? ', not text' : '';
  issues.push(issue(path, rule, `must be a whole number, ${bounds.min}..${bounds.max}${asText}`, value));
  return undefined;
}

/**
 * A list that is not empty and not too long (DE-11), each item read by `read`; `undefined` where any item is bad.
 *
 * @internal
 */
export function readList<Item>(
  value: unknown,
  path: string,
  rule: string,
  issues: Issue[],
  read: (item: unknown, path: string) => Item | undefined,
): Item[] | undefined {
  if (!Array.isArray(value)) {
    issues.push(issue(path, rule, 'must be a list', value));
    return undefined;
  }
  const { max } = LIMITS.listLength;
  if (value.length === 0 || value.length > max) {
    issues.push(issue(path, value.length === 0 ? rule : 'DE-11', `must have 1..${max} items`, value));
    return undefined;
  }
  const items: Item[] = [];
  for (let i = 0; i < value.length; i += 1) {
    const item = read(value[i], `${path}[${i}]`);
    if (item !== undefined) items.push(item);
  }
  return items.length === value.length ? items : undefined;
}

/** A list of whole numbers within bounds, ascending and without repetition. @internal */
export function readIntegers(value: unknown, path: string, bounds: Bounds, rule: string, issues: Issue[]) {
  const list = readList(value, path, rule, issues, (item, at) => readInteger(item, at, bounds, rule, issues));
  return list && ascending(list);
}

/** A weekday by its number, Monday = 0; one that is given by a name is told its number. @internal */
export function readWeekday(value: unknown, path: string, rule: string, issues: Issue[]): number | undefined {
  const { min, max } = TRIGGER_LIMITS.weekday;
  const named = typeof value === 'string' && value.length >= 2 ? weekdayNamed(value) : -1;
  if (named < 0) return readInteger(value, path, TRIGGER_LIMITS.weekday, rule, issues);
  issues.push(issue(path, rule, `must be a whole number, ${min}..${max}; ${WEEKDAY_NAMES[named]} is ${named}`, value));
  return undefined;
}

/** A list of weekdays, ascending and without repetition. @internal */
export function readWeekdays(value: unknown, path: string, rule: string, issues: Issue[]): number[] | undefined {
  const list = readList(value, path, rule, issues, (item, at) => readWeekday(item, at, rule, issues));
  return list && ascending(list);
}

const WEEKDAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** The weekday whose name begins with a text, such as `Mon`, `MO` or `Tuesdays`; -1 where none does. */
function weekdayNamed(text: string): number {
  return WEEKDAY_NAMES.findIndex((name) => `${name}s`.toLowerCase().startsWith(text.toLowerCase()));
}

/** A whole number, or a list of them. @internal */
export function readIntegerOrList(value: unknown, path: string, bounds: Bounds, rule: string, issues: Issue[]) {
  if (Array.isArray(value)) return readIntegers(value, path, bounds, rule, issues);
  const one = readInteger(value, path, bounds, rule, issues);
  return one === undefined ? undefined : [one];
}

/** A text with a grammar of its own, of which `parse` gives the meaning or every fault; `what` it must be. @internal */
export function readParsed<Parsed extends object>(
  value: unknown,
  path: string,
  rule: string,
  what: string,
  parse: (text: string) => Parsed | readonly Issue[],
  issues: Issue[],
): Parsed | undefined {
  if (typeof value !== 'string') {
    issues.push(issue(path, rule, `must be ${what}`, value));
    return undefined;
  }
  const parsed = parse(value);
  if (!isFaults(parsed)) return parsed;
  issues.push(...parsed);
  return undefined;
}

function isFaults(parsed: object | readonly Issue[]): parsed is readonly Issue[] {
  return Array.isArray(parsed);
}

/** One of some words. @internal */
export function readChoice<Word extends string | number>(
  value: unknown,
  path: string,
  words: readonly Word[],
  rule: string,
  issues: Issue[],
): Word | undefined {
  const chosen = words.find((word) => word === value);
  if (chosen !== undefined) return chosen;
  const isNumberAsText = typeof value === 'string' && words.some((word) => word === Number(value));
  const hint = typeof value === 'string' ? suggestion(nearestNames(value, words.map(String), 1)) : '';
  const allowed = words.map((word) => JSON.stringify(word)).join(' or ');
  const fault = isNumberAsText ? `must be the number ${allowed}, not text` : `must be ${allowed}${hint}`;
  issues.push(issue(path, rule, fault, value));
  return undefined;
}

/** An instant: ISO 8601 text with an offset, a `Date`, or what has `epochMilliseconds` (DE-2). @internal */
export function readInstant(value: unknown, path: string, issues: Issue[]): EpochMs | undefined {
  const instant = toEpochMs(value as InstantInput);
  if (instant === undefined) issues.push(issue(path, 'DE-2', instantFault(value), value));
  return instant;
}

/** An instant that may be absent. @internal */
export function readBound(value: unknown, path: string, issues: Issue[]): EpochMs | undefined {
  return value === undefined ? undefined : readInstant(value, path, issues);
}

/** A date as its day number: strict `YYYY-MM-DD` in the years 1800..2199. @internal */
export function readDate(value: unknown, path: string, rule: string, issues: Issue[]): number | undefined {
  const inYears = typeof value === 'string' && value >= '1800-01-01' && value < '2200';
  const day = inYears ? parseDate(value) : undefined;
  if (day === undefined) {
    issues.push(issue(path, rule, 'must be a date that exists: `YYYY-MM-DD`, year 1800..2199', value));
  }
  return day;
}

/** A time zone that the table knows and the zone data has: the runtime's, where none is given (TR-9). @internal */
export function readZone(value: unknown, path: string, issues: Issue[], zoneData?: ZoneData): Zone | undefined {
  if (typeof value !== 'string') {
    issues.push(issue(path, 'TR-9', 'must be the IANA name of a time zone, such as "Europe/Berlin"', value));
    return undefined;
  }
  const zone = findZone(value, zoneData);
  if (zone !== undefined) return zone;
  if (zoneName(value) === undefined) {
    issues.push(issue(path, 'TR-9', `must be the IANA name of a time zone${adviceOnZone(value)}`, value));
  } else {
    issues.push(
      issue(path, 'TR-9', 'is a time zone that the zone data of this runtime lacks: update the runtime', value),
    );
  }
  return undefined;
}

/**
 * A fault of a field: what must be, and what was found there; a missing one is `required`.
 *
 * @internal
 */
export function issue(path: string, rule: string, message: string, value: unknown): Issue {
  if (value === undefined) return { path, rule, message: `is required: ${message}` };
  return { path, rule, message, found: foundText(value) };
}

/** A fault of a part as one of the whole, in which the part stands at `path`. @internal */
export function below(path: string, fault: Issue): Issue {
  return { ...fault, path: fault.path === '' ? path : `${path}.${fault.path}` };
}
