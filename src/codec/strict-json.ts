/**
 * Strict JSON: what `JSON.parse` accepts, without what it passes over in silence.
 *
 * A duplicate key, half of a surrogate pair, a number that would not survive and a text that is too deep or too large
 * are refused with path and position (DE-3). Most texts have none of this: one quick pass over the text shows it, and
 * only where that pass leaves a doubt is the text looked at closely.
 */
import type { Json } from '../core/model/declaration.js';
import type { Issue } from '../core/model/issue.js';
import { faultsOfJson, type JsonBounds } from './json/json-scan.js';
import { isNumberKept } from './json/number-text.js';
import { hasLoneSurrogate, isLongerThan } from './json/unicode-text.js';

/** Bounds of a JSON text, all inclusive; what is absent is as in {@link DEFAULT_JSON_LIMITS}. @public */
export interface JsonLimits {
  /** Size in bytes of UTF-8. */
  readonly bytes?: number;
  /** Levels of lists and objects, at most 1000. */
  readonly depth?: number;
  /** Keys of all objects together. */
  readonly keys?: number;
}

/** Bounds where a caller gives none: 64 MiB, 128 levels, and no bound on keys but the size. @public */
export const DEFAULT_JSON_LIMITS = { bytes: 67_108_864, depth: 128, keys: Number.POSITIVE_INFINITY } as const;

/** A JSON value, or every fault that was found in the text, each with its path. @public */
export type StrictJsonResult =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Parses a JSON text as `JSON.parse` does (-0 becomes 0), and refuses what that would lose or guess; never throws.
 *
 * @remarks `__proto__` and its like are keys as any other: own properties of the result. Linear in the text.
 * @public
 */
export function parseStrictJson(text: string, limits: JsonLimits = {}): StrictJsonResult {
  const { bytes, depth, keys } = { ...DEFAULT_JSON_LIMITS, ...limits };
  if (isLongerThan(text, bytes)) {
    const message = `must have at most ${bytes} bytes`;
    return { ok: false, issues: [{ path: '', rule: 'DE-3', message, found: `${text.length} characters` }] };
  }
  const bounds = { depth: Math.min(depth, 1000), keys };
  const value = parse(text);
  if (value !== undefined && isSurelyFit(text, value, bounds)) return { ok: true, value };
  const issues = faultsOfJson(text, bounds);
  return issues.length > 0 ? { ok: false, issues } : { ok: true, value: JSON.parse(text, withoutNegativeZero) };
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // The close look says where the text stops being JSON.
    return undefined;
  }
}

function withoutNegativeZero(_key: string, value: Json): Json {
  return Object.is(value, -0) ? 0 : value;
}

/** False wherever the quick pass cannot rule out a fault. */
function isSurelyFit(text: string, value: Json, bounds: JsonBounds): boolean {
  if (SURROGATE_ESCAPE.test(text) || hasLoneSurrogate(text)) return false;
  const keys = keysInText(text, bounds.depth);
  return keys !== undefined && keys <= bounds.keys && keys === keysInValue(value);
}

const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/** Keys written in a text that is known to be JSON, or nothing where a number or the depth needs a close look. */
function keysInText(text: string, depthAllowed: number): number | undefined {
  let keys = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COLON) keys++;
    else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      if (++depth > depthAllowed) return undefined;
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) depth--;
    else if (code === MINUS || (code >= DIGIT_0 && code <= DIGIT_9)) {
      const end = endOfNumber(text, at);
      if (end === undefined) return undefined;
      at = end;
    }
  }
  return keys;
}

/** Position of the closing quote: the first one behind an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((end - before) % 2 === 1) return end;
  }
}

/** Position of the last character of a number that is kept as it is; nothing for one that is not, and for -0. */
function endOfNumber(text: string, start: number): number | undefined {
  const isNegative = text.charCodeAt(start) === MINUS;
  const first = isNegative ? start + 1 : start;
  let at = first;
  let code = text.charCodeAt(at);
  while ((code >= DIGIT_0 && code <= DIGIT_9) || code === POINT) code = text.charCodeAt(++at);
  // A double holds every number of up to 15 digits without an exponent.
  if (code === LOWER_E || code === UPPER_E || at - first > 15) {
    while (isNumberPart(code)) code = text.charCodeAt(++at);
    if (!isNumberKept(text.slice(start, at))) return undefined;
  }
  const mayBeNegativeZero = isNegative && text.charCodeAt(first) === DIGIT_0;
  return mayBeNegativeZero && Number(text.slice(first, at)) === 0 ? undefined : at - 1;
}

function isNumberPart(code: number): boolean {
  return (
    (code >= DIGIT_0 && code <= DIGIT_9) ||
    code === POINT ||
    (code | 0x20) === LOWER_E ||
    code === MINUS ||
    code === PLUS
  );
}

/** Keys of all objects of a value whose depth is known to be bounded. */
function keysInValue(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) keys += keysInValue(item);
    return keys;
  }
  for (const item of Object.values(value)) keys += 1 + keysInValue(item);
  return keys;
}

const QUOTE = 0x22;
const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const COLON = 0x3a;
const UPPER_E = 0x45;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const LOWER_E = 0x65;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
