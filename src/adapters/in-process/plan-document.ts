/**
 * Planning: from a document to the provider that runs it, without starting anything (DE-6, DE-10).
 *
 * The kind of a document is its `version` text. Where several providers know a kind, the first one in the order of
 * `allowedProviders` takes it; where none of them is allowed, the plan names the first one that is configured, so that the
 * refusal says which provider was missing. The digest covers the document's digest and what the plan would run.
 */
import { canonicalJson } from '../../codec/canonical-json.js';
import { sha256Hex } from '../../codec/digest.js';
import { plainCopy, plainPartsCopied } from '../../codec/json/plain-copy.js';
import { type StandardCheck, validateStandard } from '../../codec/standard-schema.js';
import type { JsonObject } from '../../core/model/declaration.js';
import { nearestNames, suggestion } from '../../core/time/nearest-names.js';
import type { Plan, PlanRequest, PlanResult } from '../../ports/execution-service.js';
import { messageOf } from './handler-answer.js';
import type { AnyHandler, Provider } from './provider.js';

/** Providers by name. @internal */
export type Providers = ReadonlyMap<string, Provider>;

/** The handler of a document, with the provider that it belongs to. @internal */
export interface Step {
  /** Name of the provider. */
  readonly provider: string;
  /** Kind of the document. */
  readonly kind: string;
  /** Runs it. */
  readonly handler: AnyHandler;
}

const SUGGESTIONS = 3;

/** Plans a document; a refusal says what is wrong with it and where. @internal */
export async function planDocument(providers: Providers, request: PlanRequest): Promise<PlanResult> {
  const { document, documentDigest, allowedProviders } = request;
  const step = findStep(providers, document, [...allowedProviders, ...providers.keys()]);
  if (step === undefined) return refuseKind(providers, document);
  const checked = await checkDocument(step, document);
  if (!checked.ok) {
    const message = `Provider ${step.provider} refuses this ${step.kind} document.`;
    return { kind: 'refused', message, issues: checked.issues.map(({ path, message }) => ({ path, message })) };
  }
  const needed = neededProviders(step, checked.value);
  if (needed.kind === 'failed')
    return refuse(`Provider ${step.provider} cannot say what it needs: ${needed.message}`, []);
  return { kind: 'planned', plan: planOf(step, documentDigest, [step.provider, ...needed.names]) };
}

/** The step that a document leads to with the first of the named providers that knows its kind. @internal */
export function findStep(providers: Providers, document: JsonObject, names: readonly string[]): Step | undefined {
  const kind = document['version'];
  if (typeof kind !== 'string') return undefined;
  for (const name of names) {
    const kinds = providers.get(name)?.kinds ?? {};
    const handler = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (handler !== undefined) return { provider: name, kind, handler };
  }
  return undefined;
}

/**
 * What the handler's schema makes of a document of its own; without a schema, that document. A schema may put in what it gives
 * to everybody, such as a default: that is copied too.
 *
 * @internal
 */
export function checkDocument(step: Step, document: JsonObject): Awaitable<StandardCheck<unknown>> {
  const { schema } = step.handler;
  const own = plainCopy(document);
  if (schema === undefined) return { ok: true, value: own };
  return validateStandard(schema, own).then((checked) =>
    checked.ok ? { ok: true, value: plainPartsCopied(checked.value) } : checked,
  );
}

type Awaitable<T> = T | Promise<T>;

type Needed =
  | { readonly kind: 'known'; readonly names: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string };

function neededProviders(step: Step, document: unknown): Needed {
  try {
    const names: unknown = step.handler.needs?.(document as never) ?? [];
    if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return { kind: 'known', names };
    return { kind: 'failed', message: '`needs` must give a list of names.' };
  } catch (error) {
    return { kind: 'failed', message: messageOf(error) };
  }
}

function planOf(step: Step, documentDigest: string, needed: readonly string[]): Plan {
  const providers = needed.length === 1 ? needed : [...new Set(needed)];
  const steps = [{ kind: step.kind, provider: step.provider }];
  const hex = sha256Hex(canonicalJson({ documentDigest, format: 1, providers, steps }));
  return { id: `plan-${hex.slice(0, 16)}`, digest: `sha256:${hex}`, providers };
}

function refuseKind(providers: Providers, document: JsonObject): PlanResult {
  const found = document['version'];
  if (typeof found !== 'string') {
    return refuse('The document does not say of which kind it is.', [
      { path: 'version', message: 'must be a text that names the kind of the document' },
    ]);
  }
  const known = [...new Set([...providers.values()].flatMap(({ kinds }) => Object.keys(kinds)))].sort();
  const near = nearestNames(found, known, SUGGESTIONS);
  const list = known.length === 0 ? 'none' : known.slice(0, 10).join(', ');
  const message = near.length > 0 ? `no handler${suggestion(near)}` : `no handler; the kinds known here: ${list}`;
  return refuse(`No provider of this host handles documents of kind ${JSON.stringify(found)}.`, [
    { path: 'version', message },
  ]);
}

function refuse(message: string, issues: readonly { readonly path: string; readonly message: string }[]): PlanResult {
  return { kind: 'refused', message, issues };
}
