/**
 * Planning at dispatch: the document is planned again, and that plan is pinned for every attempt of the occurrence (OC-4).
 *
 * A plan that cannot be made is a failed attempt (`planFailed`), one that needs what is not allowed or not configured
 * now too (`providerDenied`). After a restart the plan of the earlier attempts is made again and must come out the same.
 */
import { frozenCopy } from '../../codec/json/plain-copy.js';
import type { JsonObject } from '../../core/model/declaration.js';
import { cutText, LIMITS } from '../../core/model/limits.js';
import type { Occurrence } from '../../core/model/occurrence.js';
import type { Definition } from '../../core/model/schedule.js';
import { isScheduleError } from '../../errors.js';
import type { ExecutionService, Plan, PlanResult } from '../../ports/execution-service.js';
import type { ScheduleStore } from '../../ports/schedule-store.js';
import { isPassing } from '../clock/store-trouble.js';
import { type Answer, failedWith, isDigest } from './execution-answer.js';

/** What planning needs. @internal */
export interface PlanningParts {
  /** The execution service of the host. */
  readonly execution: ExecutionService;
  /** Pinned documents. */
  readonly documents: PinnedDocuments;
  /** Providers that the owner's host authorises; absent: all that it configures. */
  readonly authorised?: readonly string[];
}

/** A document with its plan, or the failure that the attempt ends with. @internal */
export type Planned = { readonly document: JsonObject; readonly plan: Plan } | { readonly failure: Answer };

/**
 * Loads the document of an occurrence and plans it, unless an earlier attempt in this process `pinned` a plan already;
 * that one is used, but judged anew.
 *
 * @remarks The document was read before the claim, so it is nearly always at hand. Rejects where it is not, and is missing
 * or damaged: that ends the owner, and is no failure of the occurrence (ST-3).
 * @internal
 */
export async function planAgain(
  parts: PlanningParts,
  definition: Definition,
  occurrence: Occurrence,
  signal: AbortSignal,
  pinned?: Plan,
): Promise<Planned> {
  const { documentDigest, declaration } = definition;
  const { allowedProviders } = declaration;
  let document: JsonObject;
  try {
    document = await parts.documents.get(documentDigest);
  } catch (error) {
    if (!isPassing(error)) throw error;
    return { failure: failedWith('planFailed', error) };
  }
  try {
    const request = { document, documentDigest, allowedProviders: [...allowedProviders] };
    const plan = pinned ?? readPlan(await parts.execution.plan(request, { signal }));
    if (typeof plan === 'string') return { failure: failedWith('planFailed', plan, false) };
    const denied = deniedProviders(parts, allowedProviders, plan);
    if (denied !== undefined) return { failure: failedWith('providerDenied', denied, false) };
    const changed = pinBroken(occurrence, plan);
    return changed === undefined ? { document, plan } : { failure: failedWith('planFailed', changed, false) };
  } catch (error) {
    return { failure: failedWith('planFailed', error, isLasting(error) ? false : undefined) };
  }
}

/** A copy of the plan, or what is wrong with the answer. */
function readPlan(result: PlanResult): Plan | string {
  if (result.kind === 'refused') {
    const [issue] = result.issues;
    return issue === undefined ? result.message : `${result.message} (${issue.path}: ${issue.message})`;
  }
  const { id, digest, providers } = result.plan;
  const isNamed = typeof id === 'string' && id !== '' && id === cutText(id) && isDigest(digest);
  if (!isNamed || !Array.isArray(providers) || !providers.every((provider) => typeof provider === 'string')) {
    return `The execution service planned without an id of at most ${LIMITS.textLength.max} characters, a sha256 digest and a list of providers.`;
  }
  return frozenCopy({ id, digest, providers });
}

function deniedProviders(parts: PlanningParts, allowed: readonly string[], plan: Plan): string | undefined {
  const { authorised } = parts;
  const configured = parts.execution.providers();
  const reasons = plan.providers.flatMap((provider) => {
    if (!allowed.includes(provider)) return [`${provider} is not in allowedProviders`];
    if (!configured.includes(provider)) return [`${provider} is not configured on this host`];
    return authorised === undefined || authorised.includes(provider) ? [] : [`${provider} is not authorised here`];
  });
  return reasons.length === 0 ? undefined : `The plan needs providers that it may not use: ${reasons.join(', ')}.`;
}

function pinBroken(occurrence: Occurrence, plan: Plan): string | undefined {
  const pinned = occurrence.plan;
  if (pinned === undefined || pinned.digest === plan.digest) return undefined;
  return `The plan ${pinned.digest} of the earlier attempts cannot be made again: it is now ${plan.digest}.`;
}

/** Whether planning again would go wrong again. */
function isLasting(error: unknown): boolean {
  return isScheduleError(error) && error.retry !== 'later';
}

/** Documents kept at most, and about how much of their text. */
const MOST_KEPT = 4096;
const MOST_TEXT = 16 * 1024 * 1024;

interface Kept {
  readonly reading: Promise<JsonObject>;
  /** Length of its text; undefined until it is read. */
  length?: number;
}

/** Pinned documents that dispatch needs, read from the store once; those used longest ago go first. @internal */
export class PinnedDocuments {
  readonly #store: ScheduleStore;
  readonly #kept = new Map<string, Kept>();
  #text = 0;

  constructor(store: ScheduleStore) {
    this.#store = store;
  }

  /** Whether the document of a digest is at hand. */
  isAtHand(digest: string): boolean {
    return this.#kept.get(digest)?.length !== undefined;
  }

  /** Begins to read a document that will soon be needed; what goes wrong is told to whoever needs it. */
  prepare(digest: string): void {
    if (!this.#kept.has(digest)) this.#read(digest);
  }

  /** The document of a digest; rejects with what the store rejects with, and asks again the next time. */
  get(digest: string): Promise<JsonObject> {
    const kept = this.#kept.get(digest);
    if (kept === undefined) return this.#read(digest);
    this.#kept.delete(digest);
    this.#kept.set(digest, kept);
    return kept.reading;
  }

  #read(digest: string): Promise<JsonObject> {
    // Execution services are shown it again and again.
    const kept: Kept = { reading: this.#store.document(digest).then(frozenCopy) };
    this.#kept.set(digest, kept);
    kept.reading.then(
      (document) => {
        if (this.#kept.get(digest) !== kept) return;
        kept.length = JSON.stringify(document).length;
        this.#text += kept.length;
        this.#forgetOldest();
      },
      () => {
        if (this.#kept.get(digest) === kept) this.#kept.delete(digest);
      },
    );
    return kept.reading;
  }

  #forgetOldest(): void {
    for (const [digest, { length }] of this.#kept) {
      if (this.#kept.size <= MOST_KEPT && this.#text <= MOST_TEXT) return;
      if (length === undefined) continue;
      this.#kept.delete(digest);
      this.#text -= length;
    }
  }
}
