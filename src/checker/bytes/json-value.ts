/**
 * JSON of unknown origin: read with a bound on its depth, looked into without trust, compared without regard to order.
 */
import { digestOf } from './digest.js';

/** A JSON object as it was read. @internal */
export type Row = Readonly<Record<string, unknown>>;

/** Levels of nesting that any writer of a workspace stays below. */
const DEEPEST = 200;

/** The value of a JSON text; nothing where it is none, or nested deeper than anything that is ever written. @internal */
export function jsonIn(bytes: Buffer): { readonly value: unknown } | undefined {
  if (isTooDeep(bytes)) return undefined;
  try {
    return { value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    // No JSON: the caller says what should have stood there.
    return undefined;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

function isTooDeep(bytes: Buffer): boolean {
  // Text without so many brackets cannot be deep: most lines are not looked at byte by byte.
  if (bytes.length < 2 * DEEPEST || countOpening(bytes) <= DEEPEST) return false;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (OPENING.has(byte) && ++depth > DEEPEST) return true;
    else if (CLOSING.has(byte)) depth--;
  }
  return false;
}

function countOpening(bytes: Buffer): number {
  let count = 0;
  for (const opening of OPENING) {
    for (let at = bytes.indexOf(opening); at >= 0; at = bytes.indexOf(opening, at + 1)) {
      if (++count > DEEPEST) return count;
    }
  }
  return count;
}

/** The value as an object; nothing where it is something else. @internal */
export function rowOf(value: unknown): Row | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : undefined;
}

/** The value as an object, an empty one where it is something else. @internal */
export function rowOrEmpty(value: unknown): Row {
  return rowOf(value) ?? {};
}

/** The value as a list; an empty one where it is something else. @internal */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value as text; an empty one where it is something else. @internal */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Whether a value is a whole number from 0 on that a double holds exactly. @internal */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** The value as a count; 0 where it is none. @internal */
export function countOf(value: unknown): number {
  return isCount(value) ? value : 0;
}

/** One text for equal values, whatever the order of their members. @internal */
export function stableText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += text === '' ? stableText(item) : `,${stableText(item)}`;
    return `[${text}]`;
  }
  const row = value as Row;
  for (const name of Object.keys(row).sort()) {
    const member = row[name];
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${stableText(member)}`;
  }
  return `{${text}}`;
}

/** A short text that is equal for equal values and, for all practical purposes, for no others. @internal */
export function fingerprint(value: unknown): string {
  return digestOf(stableText(value), 'base64').slice(0, 22);
}

/** Whether two values are equal, whatever the order of their members. @internal */
export function isSame(a: unknown, b: unknown): boolean {
  return a === b || stableText(a) === stableText(b);
}
