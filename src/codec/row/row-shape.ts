/**
 * Shapes of stored rows: each checks a JSON value and gives back the value of the model, or writes such a value.
 *
 * A shape is written as a table of members, checked by the compiler against the type of the model, so that a new
 * member cannot be forgotten. Reading is strict: a missing, unknown or wrong member is a fault with its path (ST-3).
 * Writing asks for the same, so that nothing is stored that could not be read. No library is loaded, a row without
 * faults builds no paths, and writing builds nothing but bytes.
 */
import { foundText, type Issue } from '../../core/model/issue.js';
import { type EpochMs, formatInstant, isInstant, parseInstant } from '../../core/time/instant.js';
import { joinPath, memberPath } from '../json/issue-path.js';
import type { JsonBytes } from '../json/json-bytes.js';

/** A value that its own shape would not read; says nothing more, since reading what it would be written as tells all. @internal */
export class NotWritable extends Error {}

/** Values of the model and how they are stored. @internal */
export interface Shape<T> {
  /** Reads a value; where it is not what it must be, adds to `faults`, and the answer is not to be used. */
  read(value: unknown, faults: Issue[]): T;
  /** Writes the JSON that `read` takes back; throws {@link NotWritable}, perhaps amid it, for a value that `read` would refuse. */
  write(value: T, out: JsonBytes): void;
}

/** A value of the model, or what is wrong with the row. @internal */
export type Decoded<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };

type RequiredNames<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];
type Required<T> = { readonly [K in RequiredNames<T>]: Shape<T[K]> };
type Optional<T> = { readonly [K in Exclude<keyof T, RequiredNames<T>>]-?: Shape<Exclude<T[K], undefined>> };

/** The answer of a shape as data. @internal */
export function decodeWith<T>(shape: Shape<T>, value: unknown): Decoded<T> {
  const faults: Issue[] = [];
  const result = shape.read(value, faults);
  return faults.length === 0 ? { ok: true, value: result } : { ok: false, issues: faults };
}

/** An object with exactly these members; those of the second table may be absent. @internal */
export function record<T extends object>(required: Required<T>, optional: Optional<T>): Shape<T> {
  const needed = Object.keys(required);
  const shapes = new Map<string, Shape<unknown>>(Object.entries({ ...required, ...optional }));
  return {
    read(value, faults) {
      if (!isObject(value)) return fault<T>(faults, 'must be an object', value);
      const model: Record<string, unknown> = {};
      let met = 0;
      for (const name of Object.keys(value)) {
        const shape = shapes.get(name);
        if (shape === undefined) faults.push(issueAt(memberPath('', name), 'must not have this member', value[name]));
        else model[name] = readMember(name, shape, value[name], faults);
        if (name in required) met++;
      }
      if (met < needed.length) faults.push(...missing(needed, value));
      return model as T;
    },
    write: recordWriter(shapes, needed.length),
  };
}

/** How a member is written. */
interface Member {
  /** What stands before its value where it is the first one, and where it follows another. */
  readonly first: string;
  readonly next: string;
  readonly shape: Shape<unknown>;
  readonly isNeeded: boolean;
}

/** Writes the members that a value has, in its own order; what is undefined is absent. */
function recordWriter<T>(shapes: ReadonlyMap<string, Shape<unknown>>, needed: number): Shape<T>['write'] {
  const members = new Map<string, Member>();
  for (const [name, shape] of shapes) {
    const quoted = JSON.stringify(name);
    members.set(name, { first: `{${quoted}:`, next: `,${quoted}:`, shape, isNeeded: members.size < needed });
  }
  return (value, out) => {
    if (!isObject(value)) throw new NotWritable();
    let met = 0;
    let isFirst = true;
    for (const name of Object.keys(value)) {
      const given = value[name];
      if (given === undefined) continue;
      const member = members.get(name) ?? notWritable();
      if (member.isNeeded) met++;
      if (member.shape === storedElsewhere) continue;
      out.ascii(isFirst ? member.first : member.next);
      isFirst = false;
      member.shape.write(given, out);
    }
    if (met !== needed) throw new NotWritable();
    out.ascii(isFirst ? '{}' : '}');
  };
}

/** A list of values of one shape. @internal */
export function listOf<T>(item: Shape<T>): Shape<readonly T[]> {
  return {
    read(value, faults) {
      if (!Array.isArray(value)) return fault(faults, 'must be a list', value);
      return value.map((entry, index) => readMember(index, item, entry, faults));
    },
    write(values, out) {
      if (!Array.isArray(values)) throw new NotWritable();
      out.ascii('[');
      for (let index = 0; index < values.length; index += 1) {
        if (index > 0) out.ascii(',');
        item.write(values[index], out);
      }
      out.ascii(']');
    },
  };
}

/** An object whose members all have one shape, under any name. @internal */
export function recordOf<T>(member: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return {
    read(value, faults) {
      if (!isObject(value)) return fault(faults, 'must be an object', value);
      for (const name of Object.keys(value)) readMember(name, member, value[name], faults);
      return value as Readonly<Record<string, T>>;
    },
    write(value, out) {
      if (!isObject(value)) throw new NotWritable();
      out.ascii('{');
      for (const [index, name] of Object.keys(value).entries()) {
        if (index > 0) out.ascii(',');
        out.quoted(name);
        out.ascii(':');
        member.write(value[name] as T, out);
      }
      out.ascii('}');
    },
  };
}

/** One of the names of a table. @internal */
export function oneOf<T extends string>(table: Readonly<Record<T, unknown>>): Shape<T> {
  const texts = new Map<unknown, string>(Object.keys(table).map((name) => [name, JSON.stringify(name)]));
  return {
    read: (value, faults) =>
      texts.has(value) ? (value as T) : fault(faults, `must be one of ${[...texts.keys()].join(', ')}`, value),
    write: (value, out) => out.ascii(texts.get(value) ?? notWritable()),
  };
}

/** A shape with a relation between its members: `broken` names the member and what is wrong, or nothing. @internal */
export function related<T>(
  shape: Shape<T>,
  broken: (value: T) => readonly [path: string, message: string] | undefined,
): Shape<T> {
  return {
    read(value, faults) {
      const before = faults.length;
      const model = shape.read(value, faults);
      const wrong = faults.length === before ? broken(model) : undefined;
      if (wrong !== undefined) faults.push({ path: wrong[0], rule: 'ST-3', message: wrong[1] });
      return model;
    },
    write(value, out) {
      shape.write(value, out);
      if (broken(value) !== undefined) throw new NotWritable();
    },
  };
}

/** A shape of one test: what passes it is written by `write`, and `must` is what the others are told. */
function plain<T>(is: (value: unknown) => boolean, must: string, write: Shape<T>['write']): Shape<T> {
  return {
    read: (value, faults) => (is(value) ? (value as T) : fault(faults, must, value)),
    write: (value, out) => (is(value) ? write(value, out) : notWritable()),
  };
}

const writeQuoted = (value: string, out: JsonBytes): void => out.quoted(value);
const writeAscii = (value: number | boolean, out: JsonBytes): void => out.ascii(String(value));

/** Any text. @internal */
export const text = plain<string>((value) => typeof value === 'string', 'must be text', writeQuoted);

/** Whole numbers from 0 on. @internal */
export const count = plain<number>(
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  'must be a whole number from 0 on',
  writeAscii,
);

/** Numbers from 0 on, whole or not. @internal */
export const amount = plain<number>(
  (value) => Number.isFinite(value) && (value as number) >= 0,
  'must be a number from 0 on',
  writeAscii,
);

/** True or false. @internal */
export const truth = plain<boolean>((value) => typeof value === 'boolean', 'must be true or false', writeAscii);

/** True, where a member is present only if it is. @internal */
export const always = plain<true>((value) => value === true, 'must be true', writeAscii);

/** UTC text with milliseconds, as an instant of the model. @internal */
export const instant: Shape<EpochMs> = {
  read(value, faults) {
    const isWritten = typeof value === 'string' && value.length === 24 && value.endsWith('Z');
    return (
      (isWritten ? parseInstant(value) : undefined) ??
      fault(faults, 'must be UTC text such as 2026-11-30T08:00:00.000Z', value)
    );
  },
  write(value, out) {
    if (!isInstant(value)) throw new NotWritable();
    out.quoted(formatInstant(value));
  },
};

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** A SHA-256 digest, `sha256:<hex>`. @internal */
export const digest = plain<string>(
  (value) => typeof value === 'string' && DIGEST.test(value),
  'must be sha256: and 64 hexadecimal digits',
  writeQuoted,
);

/** A member of the model that is stored elsewhere: it is not written, and must not be read. @internal */
export const storedElsewhere: Shape<unknown> = {
  read: (value, faults) => fault(faults, 'must not have this member', value),
  write: () => undefined,
};

/** Whatever JSON stands there, passed on untouched. @internal */
export function asIs<T>(): Shape<T> {
  return { read: (value) => value as T, write: (value, out) => out.utf8(JSON.stringify(value) ?? notWritable()) };
}

function readMember<T>(name: string | number, shape: Shape<T>, value: unknown, faults: Issue[]): T {
  const before = faults.length;
  const result = shape.read(value, faults);
  for (let index = before; index < faults.length; index++) {
    const issue = faults[index] as Issue;
    faults[index] = { ...issue, path: joinPath(memberPath('', name), issue.path) };
  }
  return result;
}

function notWritable(): never {
  throw new NotWritable();
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
