/**
 * Updates: a partial declaration put on top of the present one, and how two declarations compare (CT-3, CT-13).
 *
 * Top-level fields are replaced whole; `budget`, `retryBackoff` and `labels` are merged by key; null clears what is
 * optional. The merged whole is read as a new declaration would be.
 */
import { concurrencyKeyOf, type Declaration, type Json, type JsonObject } from '../core/model/declaration.js';
import { foundText, type Issue } from '../core/model/issue.js';
import type { EpochMs } from '../core/time/instant.js';
import type { ZoneData } from '../core/time/zone-data.js';
import { canonicalJson } from './canonical-json.js';
import { isObject, readAuthored } from './declaration/authored-input.js';
import { relationIssues, withBudgetFolded } from './declaration/relations.js';
import { type DecodedDeclaration, decodeFields, expiryIssues } from './declaration-codec.js';
import { digestOf } from './digest.js';

/** A declaration with its document, as it is stored now. @internal */
export interface PresentDeclaration {
  /** The declaration. */
  readonly declaration: Declaration;
  /** Its pinned document. */
  readonly document: JsonObject;
}

/** The merged whole, and how it differs from what was there. @internal */
export interface MergedDeclaration extends DecodedDeclaration {
  /** Nothing differs: normal forms and document digest are equal. */
  readonly isSame: boolean;
  /** Only `objective` or `labels` differ: no new revision (CT-3). */
  readonly isCosmetic: boolean;
}

/** The merged declaration, or everything that is wrong with the changes. @internal */
export type MergeResult =
  | { readonly ok: true; readonly value: MergedDeclaration }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Fields that are merged by key. */
const MERGED: readonly string[] = ['budget', 'retryBackoff', 'labels'];

/**
 * Merges changes into a declaration and validates the whole; `expiresAt` is held against `now` unless only `objective`
 * or `labels` differ. Never rejects because of the input.
 *
 * @internal
 */
export async function mergeChanges(
  present: PresentDeclaration,
  changes: unknown,
  options: { readonly now: EpochMs; readonly zoneData?: ZoneData | undefined },
): Promise<MergeResult> {
  const issues: Issue[] = [];
  const { document, fields } = readAuthored(changes, issues);
  if (issues.some(({ path }) => path === '')) return { ok: false, issues };
  issues.push(...ownIssues(present.declaration, fields));
  const merged = mergeFields(present.declaration, fields);
  const decoded = await decodeFields(merged, document ?? present.document, { zoneData: options.zoneData }, issues);
  if (!decoded.ok) return decoded;
  const { declaration, documentDigest } = decoded.value;
  const isDocumentSame = document === undefined || documentDigest === digestOf(present.document);
  const isCosmetic = isDocumentSame && sameBesideTexts(present.declaration, declaration);
  const expired = isCosmetic ? [] : expiryIssues(declaration, options.now);
  if (expired.length > 0) return { ok: false, issues: expired };
  const isSame = isDocumentSame && sameDeclaration(present.declaration, declaration);
  return { ok: true, value: { ...decoded.value, isSame, isCosmetic: isCosmetic && !isSame } };
}

/**
 * Whether two declarations in normal form mean the same; the documents are compared by their digests beside it.
 *
 * @internal
 */
export function sameDeclaration(a: Declaration, b: Declaration): boolean {
  return meaningOf(a) === meaningOf(b);
}

/**
 * Whether two declarations differ in `objective` and `labels` at most.
 *
 * @internal
 */
export function sameBesideTexts(a: Declaration, b: Declaration): boolean {
  return sameDeclaration(a, { ...b, objective: a.objective, labels: a.labels });
}

/** One text for all declarations that mean the same: providers are a set, and a missing key is the id. */
function meaningOf(declaration: Declaration): string {
  const allowedProviders = [...declaration.allowedProviders].sort();
  const whole = { ...declaration, allowedProviders, concurrencyKey: concurrencyKeyOf(declaration) };
  return canonicalJson(whole as unknown as JsonObject);
}

/** Issues that the merged whole does not show: another id, and a budget field that is given twice. */
function ownIssues(declaration: Declaration, fields: JsonObject): readonly Issue[] {
  const issues = relationIssues(fields).filter(({ rule }) => rule === 'DE-9');
  const { id } = fields;
  if (id === undefined || id === declaration.id) return issues;
  return [...issues, { path: 'id', rule: 'CT-3', message: `must stay ${declaration.id}`, found: foundText(id) }];
}

function mergeFields(declaration: Declaration, fields: JsonObject): JsonObject {
  const merged = new Map<string, Json>(Object.entries(declaration as unknown as JsonObject));
  for (const [name, value] of Object.entries(withBudgetFolded(fields))) {
    const before = merged.get(name);
    if (value === null && CLEARABLE.has(name)) merged.delete(name);
    else if (MERGED.includes(name) && isObject(value))
      merged.set(name, mergeKeys(isObject(before) ? before : {}, value, name === 'labels'));
    else if (name !== 'id') merged.set(name, value);
  }
  return Object.fromEntries(merged);
}

/** Fields that null clears; under any other name it stays in the whole, which is refused for it. */
const CLEARABLE: ReadonlySet<string> = new Set([
  ...MERGED,
  'exclude',
  'spreadSeconds',
  'allowedProviders',
  'overlap',
  'misfire',
  'graceSeconds',
  'maxCatchUp',
  'maxOccurrences',
  'maxRetries',
  'maxLatenessSeconds',
  'expiresAt',
  'concurrencyKey',
  'pauseAfterFailures',
]);

/** Null takes a key away; under a key that is not there it is left in, to be refused, unless any key `isFree`. */
function mergeKeys(before: JsonObject, changes: JsonObject, isFree: boolean): JsonObject {
  const merged = new Map<string, Json>(Object.entries(before));
  for (const [key, value] of Object.entries(changes)) {
    if (value === null && (isFree || merged.has(key))) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}
