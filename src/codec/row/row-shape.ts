/**
 * Shapes of stored rows: small readers that check a JSON value and give back the value of the model.
 *
 * A shape is written as a table of members, checked by the compiler against the type of the model, so that a new
 * member cannot be forgotten. Reading is strict: a missing, unknown or wrong member is a fault with its path (ST-3).
 * No library is loaded, and a row without faults builds no paths.
 */
import { foundText, type Issue } from '../../core/model/issue.js';
import { type EpochMs, parseInstant } from '../../core/time/instant.js';
import { joinPath, memberPath } from '../json/issue-path.js';

/** Reads a value; where it is not what it must be, adds to `faults`, and the answer is not to be used. @internal */
export type Reader<T> = (value: unknown, faults: Issue[]) => T;

/** A value of the model, or what is wrong with the row. @internal */
export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };

type RequiredNames<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];
type Required<T> = { readonly [K in RequiredNames<T>]: Reader<T[K]> };
type Optional<T> = { readonly [K in Exclude<keyof T, RequiredNames<T>>]-?: Reader<Exclude<T[K], undefined>> };

/** The answer of a reader as data. @internal */
export function decodeWith<T>(reader: Reader<T>, value: unknown): Decoded<T> {
  const faults: Issue[] = [];
  const result = reader(value, faults);
  return faults.length === 0 ? { ok: true, value: result } : { ok: false, issues: faults };
}

/** An object with exactly these members; those of the second table may be absent. @internal */
export function record<T extends object>(required: Required<T>, optional: Optional<T>): Reader<T> {
  const needed = Object.keys(required);
  const readers = new Map<string, Reader<unknown>>(Object.entries({ ...optional, ...required }));
  return (value, faults) => {
    if (!isObject(value)) return fault<T>(faults, 'must be an object', value);
    const model: Record<string, unknown> = {};
    let met = 0;
    for (const name of Object.keys(value)) {
      const reader = readers.get(name);
      if (reader === undefined) faults.push(issueAt(memberPath('', name), 'must not have this member', value[name]));
      else model[name] = readMember(name, reader, value[name], faults);
      if (name in required) met++;
    }
    if (met < needed.length) faults.push(...missing(needed, value));
    return model as T;
  };
}

/** A list of values of one shape. @internal */
export function listOf<T>(item: Reader<T>): Reader<readonly T[]> {
  return (value, faults) => {
    if (!Array.isArray(value)) return fault(faults, 'must be a list', value);
    return value.map((entry, index) => readMember(index, item, entry, faults));
  };
}

/** An object whose members all have one shape, under any name. @internal */
export function recordOf<T>(member: Reader<T>): Reader<Readonly<Record<string, T>>> {
  return (value, faults) => {
    if (!isObject(value)) return fault(faults, 'must be an object', value);
    for (const name of Object.keys(value)) readMember(name, member, value[name], faults);
    return value as Readonly<Record<string, T>>;
  };
}

/** One of the names of a table. @internal */
export function oneOf<T extends string>(table: Readonly<Record<T, unknown>>): Reader<T> {
  const names: ReadonlySet<unknown> = new Set(Object.keys(table));
  return (value, faults) =>
    names.has(value) ? (value as T) : fault(faults, `must be one of ${[...names].join(', ')}`, value);
}

/** A shape with a relation between its members: `broken` names the member and what is wrong, or nothing. @internal */
export function related<T>(
  reader: Reader<T>,
  broken: (value: T) => readonly [path: string, message: string] | undefined,
): Reader<T> {
  return (value, faults) => {
    const before = faults.length;
    const model = reader(value, faults);
    const wrong = faults.length === before ? broken(model) : undefined;
    if (wrong !== undefined) faults.push({ path: wrong[0], rule: 'ST-3', message: wrong[1] });
    return model;
  };
}

/** Any text. @internal */
export const text: Reader<string> = (value, faults) =>
  typeof value === 'string' ? value : fault(faults, 'must be text', value);

/** Whole numbers from 0 on. @internal */
export const count: Reader<number> = (value, faults) =>
  Number.isSafeInteger(value) && (value as number) >= 0
    ? (value as number)
    : fault(faults, 'must be a whole number from 0 on', value);

/** Numbers from 0 on, whole or not. @internal */
export const amount: Reader<number> = (value, faults) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0
    ? value
    : fault(faults, 'must be a number from 0 on', value);

/** True or false. @internal */
export const truth: Reader<boolean> = (value, faults) =>
  typeof value === 'boolean' ? value : fault(faults, 'must be true or false', value);

/** True, where a member is present only if it is. @internal */
export const always: Reader<true> = (value, faults) => (value === true ? value : fault(faults, 'must be true', value));

/** UTC text with milliseconds, as an instant of the model. @internal */
export const instant: Reader<EpochMs> = (value, faults) => {
  const isWritten = typeof value === 'string' && value.length === 24 && value.endsWith('Z');
  return (
    (isWritten ? parseInstant(value) : undefined) ??
    fault(faults, 'must be UTC text such as 2026-11-30T08:00:00.000Z', value)
  );
};

/** A SHA-256 digest, `sha256:<hex>`. @internal */
export const digest: Reader<string> = (value, faults) =>
  typeof value === 'string' && DIGEST.test(value)
    ? value
    : fault(faults, 'must be sha256: and 64 hexadecimal digits', value);

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** Whatever stands there, passed on untouched. @internal */
export function asIs<T>(): Reader<T> {
  return (value) => value as T;
}

function readMember<T>(name: string | number, reader: Reader<T>, value: unknown, faults: Issue[]): T {
  const before = faults.length;
  const result = reader(value, faults);
  for (let index = before; index < faults.length; index++) {
    const issue = faults[index] as Issue;
    faults[index] = { ...issue, path: joinPath(memberPath('', name), issue.path) };
  }
  return result;
}

function missing(needed: readonly string[], value: Record<string, unknown>): readonly Issue[] {
  return needed
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ path: name, rule: 'ST-3', message: 'is required' }));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function issueAt(path: string, message: string, found: unknown): Issue {
  return { path, rule: 'ST-3', message, found: foundText(found) };
}

/** Notes a fault; what it answers is never used, since a row with faults is refused. */
function fault<T>(faults: Issue[], message: string, found: unknown): T {
  faults.push(issueAt('', message, found));
  return undefined as T;
}
