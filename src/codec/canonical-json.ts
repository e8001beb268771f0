/**
 * Canonical JSON (RFC 8785): one text for each JSON value, whatever the order in which its keys were written.
 *
 * Keys are sorted by UTF-16 code units, numbers and strings are written as ECMAScript writes them, -0 is 0, and
 * nothing stands between the tokens. The digest of a document is taken over this text (DE-3).
 */
import type { Json, JsonObject } from '../core/model/declaration.js';
import { ScheduleError } from '../errors.js';

/**
 * The canonical text of a JSON value: equal values give equal texts, and `JSON.parse` of it gives the value back.
 *
 * @remarks Takes what {@link copyPlainJson} or {@link parseStrictJson} let through. A value that JSON does not have
 * (NaN, infinity, undefined) throws `SCHEDULE_DECLARATION_INVALID`. A lone surrogate, which those two refuse, is
 * written as its escape.
 * @internal
 */
export function canonicalJson(value: Json): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return Number.isFinite(value) ? String(value) : refuse(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? canonicalList(value) : canonicalObject(value as JsonObject);
    default:
      return refuse(value);
  }
}

function canonicalList(list: readonly Json[]): string {
  let text = '[';
  for (let index = 0; index < list.length; index++) {
    if (index > 0) text += ',';
    text += canonicalJson(list[index] as Json);
  }
  return `${text}]`;
}

function canonicalObject(object: JsonObject): string {
  const keys = inOrder(Object.keys(object));
  let text = '{';
  for (const key of keys) {
    if (text.length > 1) text += ',';
    text += `${JSON.stringify(key)}:${canonicalJson(object[key] as Json)}`;
  }
  return `${text}}`;
}

/** The keys by their UTF-16 code units; they mostly are in this order already, and sorting is dear beside looking. */
function inOrder(keys: string[]): string[] {
  for (let index = 1; index < keys.length; index += 1) {
    if ((keys[index - 1] as string) > (keys[index] as string)) return keys.sort();
  }
  return keys;
}

function refuse(value: unknown): never {
  throw new ScheduleError(
    'SCHEDULE_DECLARATION_INVALID',
    `canonical JSON of a value that JSON does not have: ${String(value)}`,
    {
      details: {
        issues: [{ path: '', rule: 'DE-3', message: 'must be a value that JSON has', found: String(value) }],
      },
      hint: 'Use null, a number or a text instead.',
    },
  );
}
