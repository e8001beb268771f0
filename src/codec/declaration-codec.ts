/**
 * From what an author hands over to a declaration in normal form with its pinned document, or every issue at once.
 *
 * The order: a plain copy of everything, the schema, the trigger, what holds between fields, the clock. Each step
 * reports all that it finds, and a fault in one field hides no other (DE-1). The schema library is loaded by the first
 * call only.
 */
import type { AttemptBudget, Declaration, Json, JsonObject } from '../core/model/declaration.js';
import type { Issue } from '../core/model/issue.js';
import { foundText } from '../core/model/issue.js';
import { LIMITS } from '../core/model/limits.js';
import { type EpochMs, formatInstant, parseInstant } from '../core/time/instant.js';
import type { ZoneData } from '../core/time/zone-data.js';
import { compileDue } from '../core/trigger/due/compile-due.js';
import { readAuthored } from './declaration/authored-input.js';
import type { Authored } from './declaration/declaration-schema.js';
import { expiryIssues, relationIssues } from './declaration/relations.js';
import { nameFromObjective } from './declaration/schedule-name.js';
import { digestOf } from './digest.js';

export { expiryIssues } from './declaration/relations.js';
export { nameFault } from './declaration/schedule-name.js';

/** How a declaration is to be read. @internal */
export interface DecodeOptions {
  /** The time of the registration; absent: `expiresAt` is not held against the clock (CT-13). */
  readonly now?: EpochMs;
  /** True: an id must be given, as for `ensure`. */
  readonly requireId?: boolean;
  /** The random end of an id that is made from the objective: 1..64 lower-case letters and digits. */
  readonly randomId?: () => string;
  /** Which zones there are; absent: those of the runtime. */
  readonly zoneData?: ZoneData | undefined;
}

/** A declaration and its pinned document. @internal */
export interface DecodedDeclaration {
  /** In normal form: defaults filled in, instants as UTC text. */
  readonly declaration: Declaration;
  /** A copy of what was written in place of it, for what is told by the author's order and by what he left out. */
  readonly authored: JsonObject;
  /** A copy that shares nothing with the caller's object. */
  readonly document: JsonObject;
  /** SHA-256 over its canonical JSON, `sha256:<hex>`. */
  readonly documentDigest: string;
  /** Its `version` text. */
  readonly documentKind: string;
}

/** A declaration that is good, or everything that is wrong with it. @internal */
export type DecodeResult =
  | { readonly ok: true; readonly value: DecodedDeclaration }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Reads and validates an authored declaration (DE-1 to DE-3, DE-8, DE-9, DE-11); never rejects because of the input.
 *
 * @internal
 */
export async function decodeDeclaration(input: unknown, options: DecodeOptions): Promise<DecodeResult> {
  const issues: Issue[] = [];
  const { document, fields } = readAuthored(input, issues);
  if (issues.some(({ path }) => path === '')) return { ok: false, issues };
  return decodeFields(fields, document, options, issues);
}

/**
 * The second half of {@link decodeDeclaration}, for fields and a document that are plain copies already. `found` are
 * the issues found so far: a field that was refused for them is not called missing too.
 *
 * @internal
 */
export async function decodeFields(
  fields: JsonObject,
  document: JsonObject | undefined,
  options: DecodeOptions,
  found: readonly Issue[],
): Promise<DecodeResult> {
  const { authoredSchema } = await import('./declaration/declaration-schema.js');
  const { issuesOfSchema } = await import('./declaration/schema-issues.js');
  const issues: Issue[] = [];
  const parsed = authoredSchema.safeParse(fields);
  if (!parsed.success) issues.push(...issuesOfSchema(parsed.error, fields));
  const due = readDue(fields, options.zoneData, issues);
  const between = [...relationIssues(fields), ...(options.now === undefined ? [] : expiryIssues(fields, options.now))];
  // A field that is wrong by itself is not held against others too.
  issues.push(...between.filter(({ path }) => !issues.some((issue) => issue.path === path)));
  const documentKind = readKind(document, issues);
  const id = readId(fields, options, issues);
  const isWhole = parsed.success && due !== undefined && document !== undefined && documentKind !== undefined;
  if (found.length + issues.length > 0 || !isWhole || id === undefined) {
    const judged = new Set(found.map(({ path }) => fieldOf(path)).filter((name) => !Object.hasOwn(fields, name)));
    return { ok: false, issues: [...found, ...issues.filter(({ path }) => !judged.has(fieldOf(path)))] };
  }
  const declaration = normalForm(id, parsed.data, due);
  const documentDigest = digestOf(document);
  return { ok: true, value: { declaration, authored: fields, document, documentDigest, documentKind } };
}

/** The top-level field that a path begins with. */
function fieldOf(path: string): string {
  return /^[^.[]*/.exec(path)?.[0] ?? path;
}

/** Trigger and exclusion in their normal form; whether a calendar exists is for the catalogue to say. */
function readDue(
  { trigger, exclude }: JsonObject,
  zoneData: ZoneData | undefined,
  issues: Issue[],
): Pick<Declaration, 'trigger' | 'exclude'> | undefined {
  if (trigger === undefined) {
    issues.push({ path: 'trigger', rule: 'DE-1', message: 'is required: must be an object with a kind' });
    return undefined;
  }
  // The schema judges the spread, which has no normal form.
  const due = compileDue({ trigger, exclude }, { zoneData });
  if (due.ok) return due.normalized;
  issues.push(...due.issues);
  return undefined;
}

function readKind(document: JsonObject | undefined, issues: Issue[]): string | undefined {
  if (document === undefined) {
    issues.push({ path: 'document', rule: 'DE-1', message: 'is required: must be an object' });
    return undefined;
  }
  const version: Json | undefined = document['version'];
  const { min, max } = LIMITS.documentKindLength;
  if (typeof version === 'string' && version.length >= min && version.length <= max) return version;
  const message = `must be text of ${min}..${max} characters that names the kind of the document`;
  issues.push({
    path: 'document.version',
    rule: 'DE-1',
    ...(version === undefined ? { message: `is required: ${message}` } : { message, found: foundText(version) }),
  });
  return undefined;
}

/** The id that was given, judged by the schema, or one made from the objective. */
function readId(fields: JsonObject, options: DecodeOptions, issues: Issue[]): string | undefined {
  const { id, objective } = fields;
  if (typeof id === 'string') return id;
  if (id !== undefined) return undefined;
  if (options.requireId !== true && options.randomId !== undefined) {
    return typeof objective === 'string' ? nameFromObjective(objective, options.randomId()) : undefined;
  }
  issues.push({ path: 'id', rule: 'DE-1', message: 'is required here' });
  return undefined;
}

function normalForm(id: string, authored: Authored, due: Pick<Declaration, 'trigger' | 'exclude'>): Declaration {
  const { expiresAt, retryBackoff, maxLatenessSeconds, concurrencyKey, pauseAfterFailures, spreadSeconds } = authored;
  const expiry = expiresAt === undefined ? undefined : parseInstant(expiresAt);
  return {
    id,
    objective: authored.objective,
    allowedProviders: [...new Set(authored.allowedProviders)],
    ...due,
    ...(spreadSeconds !== undefined && { spreadSeconds }),
    overlap: authored.overlap,
    misfire: authored.misfire,
    graceSeconds: authored.graceSeconds,
    maxCatchUp: authored.maxCatchUp,
    maxOccurrences: authored.maxOccurrences,
    maxRetries: authored.maxRetries,
    ...(retryBackoff !== undefined && { retryBackoff }),
    budget: wholeBudget(authored),
    ...(maxLatenessSeconds !== undefined && { maxLatenessSeconds }),
    ...(expiry !== undefined && { expiresAt: formatInstant(expiry) }),
    ...(concurrencyKey !== undefined && { concurrencyKey }),
    ...(pauseAfterFailures !== undefined && { pauseAfterFailures }),
    labels: authored.labels,
  };
}

/** The budget with those of its fields that stand at the top level; where both are given they are equal (DE-9). */
function wholeBudget(authored: Authored): AttemptBudget {
  const { budget } = authored;
  return {
    maxAttempts: authored.maxAttempts ?? budget.maxAttempts,
    maxRepeatedFailures: authored.maxRepeatedFailures ?? budget.maxRepeatedFailures,
    maxElapsedSeconds: authored.maxElapsedSeconds ?? budget.maxElapsedSeconds,
    timeoutPerStageSeconds: authored.timeoutPerStageSeconds ?? budget.timeoutPerStageSeconds,
  };
}
