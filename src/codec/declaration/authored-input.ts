/**
 * The first step of reading what an author hands over: two plain copies, of the document and of everything else.
 *
 * Behind this step there are no getters, no classes, no shared objects and no keys that could reach a prototype; dates
 * have become UTC text. Nothing is known yet about fields and their bounds.
 */
import type { Json, JsonObject } from '../../core/model/declaration.js';
import { foundText, type Issue } from '../../core/model/issue.js';
import { LIMITS } from '../../core/model/limits.js';
import { formatInstant, type InstantInput, toEpochMs } from '../../core/time/instant.js';
import { canonicalJson } from '../canonical-json.js';
import { memberPath } from '../json/issue-path.js';
import { isPlainObject, PROTOTYPE_KEYS } from '../json/plain-prototype.js';
import { isLongerThan } from '../json/unicode-text.js';
import { copyPlainJson } from '../plain-json.js';

/** The two copies. What was refused is in neither. @internal */
export interface AuthoredInput {
  /** The pinned document; absent where the author gave none, or one that is refused. */
  readonly document?: JsonObject;
  /** Every other field, null where the author wrote null. */
  readonly fields: JsonObject;
}

/** Levels of lists and objects outside of the document; a trigger has fewer. */
const FIELD_DEPTH = 16;

/**
 * Copies an authored object field by field; what is not plain JSON becomes issues. An issue with an empty path is about
 * the whole, and then there is nothing to go on with.
 *
 * @internal
 */
export function readAuthored(input: unknown, issues: Issue[]): AuthoredInput {
  if (typeof input !== 'object' || input === null || !isPlainObject(input)) {
    issues.push({ path: '', rule: 'DE-1', message: 'must be a plain object', found: foundText(input) });
    return { fields: {} };
  }
  try {
    return copyFields(Object.getOwnPropertyDescriptors(input), issues);
  } catch (error) {
    // Only a proxy can throw here: what its traps do is the caller's own code.
    const what = error instanceof Error ? error.message : foundText(error);
    issues.push({ path: '', rule: 'DE-1', message: `could not be read: ${what}` });
    return { fields: {} };
  }
}

function copyFields(properties: Readonly<Record<PropertyKey, PropertyDescriptor>>, issues: Issue[]): AuthoredInput {
  const fields: Record<string, Json> = {};
  let document: JsonObject | undefined;
  for (const key of Reflect.ownKeys(properties)) {
    const property = properties[key] as PropertyDescriptor;
    const path = memberPath('', String(key));
    if (property.enumerable !== true) continue;
    if (typeof key === 'symbol')
      issues.push({ path: '', rule: 'DE-1', message: `must have no symbol as a key: ${path}` });
    else if (!('value' in property))
      issues.push({ path, rule: 'DE-1', message: 'must be data, not a getter or setter' });
    else if (PROTOTYPE_KEYS.includes(key)) issues.push(mergeKeyIssue(path));
    else if (property.value === undefined) continue;
    else if (key === 'document') document = copyDocument(property.value, issues);
    else {
      const copy = copyField(property.value, key, path, issues);
      if (copy !== undefined) fields[key] = copy;
    }
  }
  if (isLongerThan(canonicalJson(fields), LIMITS.declarationBytes.max)) {
    const message = `must have at most ${LIMITS.declarationBytes.max} bytes beside the document`;
    issues.push({ path: '', rule: 'DE-11', message });
  }
  return document === undefined ? { fields } : { document, fields };
}

function copyField(value: unknown, name: string, path: string, issues: Issue[]): Json | undefined {
  const copy = copyPlainJson(value, path, {
    bytes: LIMITS.declarationBytes.max,
    depth: FIELD_DEPTH,
    dropsUndefined: true,
    replace: (object, below) => instantText(object, name, below),
    rule: 'DE-1',
    sizeRule: 'DE-11',
  });
  if (copy.ok) return isObject(copy.value) ? withoutMergeKeys(copy.value, path, issues) : copy.value;
  issues.push(...copy.issues);
  return undefined;
}

function copyDocument(value: unknown, issues: Issue[]): JsonObject | undefined {
  const { bytes, depth } = { bytes: LIMITS.documentBytes.max, depth: LIMITS.documentDepth.max };
  const copy = copyPlainJson(value, 'document', { bytes, depth });
  if (copy.ok && isObject(copy.value)) return copy.value;
  if (!copy.ok) issues.push(...copy.issues);
  else issues.push({ path: 'document', rule: 'DE-3', message: 'must be an object', found: foundText(copy.value) });
  return undefined;
}

/** The UTC text of a `Date` or of anything with `epochMilliseconds`, in the fields that are instants (DE-2). */
function instantText(value: object, field: string, below: readonly (string | number)[]): Json | undefined {
  const isInstant = below.length === 0 ? field === 'expiresAt' : field === 'trigger' && INSTANTS.includes(below.at(-1));
  if (!isInstant) return undefined;
  const instant = toEpochMs(value as InstantInput);
  if (instant !== undefined) return formatInstant(instant);
  // What is no valid date stays what it says of itself, and is refused as an instant rather than as a class.
  return value instanceof Date ? String(value) : undefined;
}

const INSTANTS: readonly (string | number | undefined)[] = ['at', 'start', 'end'];

function withoutMergeKeys(object: JsonObject, path: string, issues: Issue[]): JsonObject {
  const kept: Record<string, Json> = {};
  for (const [key, value] of Object.entries(object)) {
    const at = memberPath(path, key);
    if (PROTOTYPE_KEYS.includes(key)) issues.push(mergeKeyIssue(at));
    else kept[key] = isObject(value) ? withoutMergeKeys(value, at, issues) : value;
  }
  return kept;
}

function mergeKeyIssue(path: string): Issue {
  return { path, rule: 'DE-8', message: 'must not be used as a key here' };
}

/**
 * Whether a JSON value is an object.
 *
 * @internal
 */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
