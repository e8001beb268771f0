/**
 * The execution service of a host that runs its handlers itself, in the process of the owner.
 *
 * A host registers providers; a document is planned by looking at it alone, and run by one handler under the stage timeout
 * of its schedule. What the handler publishes is read back before the attempt may call itself succeeded. Keeps clauses X-1
 * to X-6 of the execution port.
 */
import { memberPath } from '../../codec/json/issue-path.js';
import { type OptionNames, refuseUnknownOptions, unknownOptions } from '../../codec/json/option-names.js';
import { isPlainObject } from '../../codec/json/plain-prototype.js';
import type { Json } from '../../core/model/declaration.js';
import { LIMITS } from '../../core/model/limits.js';
import type { Fault, Verification } from '../../core/model/occurrence.js';
import { type ErrorDetails, ScheduleError } from '../../errors.js';
import type { Clock } from '../../ports/clock.js';
import type { ExecutionOutcome, ExecutionRequest, ExecutionService } from '../../ports/execution-service.js';
import { systemClock } from '../system-clock.js';
import { Alarms } from './attempt/alarms.js';
import { contextOf } from './attempt/attempt-context.js';
import { Publications } from './attempt/publications.js';
import { Stages } from './attempt/stages.js';
import { faultOf, messageOf, plainText, readResult } from './handler-answer.js';
import type { HandlerLogger } from './handler-context.js';
import { checkDocument, findStep, type Providers, planDocument, type Step } from './plan-document.js';
import type { AnyHandler, Provider } from './provider.js';

/** What {@link inProcess} is made of. @public */
export interface InProcessOptions {
  /** Providers by name: what this host can run. */
  readonly providers: Readonly<Record<string, Provider>>;
  /** False: attempts get no directory, `publish` is refused, and the result's digest alone is kept (OC-8). True where absent. */
  readonly needsWorkspace?: boolean | undefined;
  /** Measures stages; the clock of the machine where absent. Give it the clock that the owner is given. */
  readonly clock?: Clock | undefined;
  /** Where handlers' log lines go; nowhere where absent. */
  readonly logger?: HandlerLogger | undefined;
}

/**
 * An execution service that runs a host's own handlers.
 *
 * @remarks Throws `SCHEDULE_CONFIG_INVALID` for a provider without a good name, a handler without `run`, and a misspelt member
 * of a plain object. It names its work
 * for inspection (OC-9): the task is `<provider>:<kind>`, the job `<occurrence>#<attempt>`.
 * @public
 */
export function inProcess(options: InProcessOptions): ExecutionService {
  refuseUnknownOptions('cannot make an execution service', unknownOptions(options, NAMES));
  const providers = readProviders(options?.providers);
  const clock = options.clock ?? systemClock();
  const host: Host = { providers, clock, alarms: new Alarms(clock), logger: options.logger };
  return {
    capabilities: { needsWorkspace: options.needsWorkspace ?? true },
    providers: () => [...providers.keys()],
    plan: (request) => planDocument(providers, request),
    execute: (request) => execute(host, request),
  };
}

const NAMES: OptionNames<InProcessOptions> = { providers: true, needsWorkspace: true, clock: true, logger: true };
const PROVIDER_NAMES: OptionNames<Provider> = { kinds: true };
const HANDLER_NAMES: OptionNames<AnyHandler> = { schema: true, needs: true, run: true };

interface Host {
  readonly providers: Providers;
  readonly clock: Clock;
  readonly alarms: Alarms;
  readonly logger: HandlerLogger | undefined;
}

async function execute(host: Host, request: ExecutionRequest): Promise<ExecutionOutcome> {
  const step = findStep(host.providers, request.document, request.plan.providers);
  if (step === undefined) return refused(`None of its planned providers handles the document on this host.`);
  const checked = await checkDocument(step, request.document);
  if (!checked.ok) {
    const found = checked.issues.map(({ path, message }) => `${path || 'document'}: ${message}`).join('; ');
    return refused(`Provider ${step.provider} refuses the document: ${found}`, step.provider);
  }
  const names = { taskId: `${step.provider}:${step.kind}`, jobId: `${request.occurrence}#${request.attempt}` };
  return Object.assign(await attempt(host, step, checked.value, request), names);
}

async function attempt(
  host: Host,
  step: Step,
  document: unknown,
  request: ExecutionRequest,
): Promise<ExecutionOutcome> {
  const stages = new Stages({
    clock: host.clock,
    alarms: host.alarms,
    timeoutMs: request.budget.timeoutPerStageSeconds * 1000,
    signal: request.signal,
    onTimeout: (stage) => request.timedOut?.(stage),
  });
  const publications = new Publications(request.directory);
  const context = contextOf({ request, stages, publications, logger: host.logger });
  const end = await stages.runMain(() => step.handler.run(document as never, context));
  const at = { provider: step.provider, stage: end.kind === 'threw' ? end.stage : 'main' };
  if (end.kind === 'threw') {
    return failed(stages, timeoutFault(stages, at.provider, end.error) ?? faultOf(end.error, at));
  }
  const result = readResult(end.value);
  if (!result.ok) {
    return failed(stages, { code: 'handlerFailed', message: plainText(result.message), ...at, isRetryable: false });
  }
  const verification = await publications.verify(result.value ?? null);
  const late = verification.isVerified ? undefined : timeoutFault(stages, at.provider, undefined);
  return late === undefined ? succeeded(stages, verification, result.value) : failed(stages, late);
}

/** A stage at its timeout is what made the attempt fail, whatever the handler threw while it unwound (OC-10). */
function timeoutFault(stages: Stages, provider: string, thrown: unknown): Fault | undefined {
  const stage = stages.timedOut;
  if (stage === undefined) return undefined;
  const reason: unknown = stages.signal.reason;
  const own = thrown === undefined || thrown === reason ? '' : ` It ended with: ${messageOf(thrown)}`;
  return { code: 'stageTimeout', message: plainText(`${messageOf(reason)}${own}`), provider, stage };
}

function succeeded(stages: Stages, verification: Verification, result: Json | undefined): ExecutionOutcome {
  const stated = result === undefined ? {} : { result };
  return { outcome: 'succeeded', stages: stages.records(), verification, ...stated };
}

function failed(stages: Stages, fault: Fault): ExecutionOutcome {
  return { outcome: 'failed', stages: stages.records(), fault };
}

/** The document was planned, and now cannot be run: trying again is pointless. */
function refused(message: string, provider?: string): ExecutionOutcome {
  const named = provider === undefined ? {} : { provider };
  const fault: Fault = { code: 'planFailed', message: plainText(message), ...named, isRetryable: false };
  return { outcome: 'failed', stages: [], fault };
}

function readProviders(given: InProcessOptions['providers'] | undefined): Providers {
  if (!isObject(given) || Array.isArray(given)) throw badConfig('No providers are given by name.', {});
  const providers = new Map(Object.entries(given));
  for (const [name, provider] of providers) {
    if (name.length < 1 || name.length > LIMITS.providerLength.max) {
      refuseConfig(name, `its name must have ${LIMITS.providerLength.min}..${LIMITS.providerLength.max} characters`);
    }
    if (!isObject(provider) || !isObject(provider.kinds)) refuseConfig(name, 'it has no `kinds`');
    if (Array.isArray(provider.kinds)) refuseConfig(name, 'its `kinds` is a list');
    const at = memberPath('providers', name);
    refuseUnknownMembers(provider, PROVIDER_NAMES, at);
    for (const [kind, handler] of Object.entries(provider.kinds)) {
      refuseUnknownMembers(handler, HANDLER_NAMES, memberPath(memberPath(at, 'kinds'), kind));
      if (typeof handler?.run !== 'function') refuseConfig(name, `its handler of ${kind} has no \`run\``);
    }
  }
  return providers;
}

/** An instance of a class may have members of its own; what is written in place is spelled as it is meant (DE-1). */
function refuseUnknownMembers(given: unknown, known: Readonly<Record<string, true>>, path: string): void {
  if (!isObject(given) || !isPlainObject(given)) return;
  refuseUnknownOptions('cannot make an execution service', unknownOptions(given, known, path));
}

function isObject<T>(value: T): value is NonNullable<T> {
  return typeof value === 'object' && value !== null;
}

function refuseConfig(name: string, what: string): never {
  throw badConfig(`Provider ${JSON.stringify(name)} cannot be used: ${what}.`, { provider: name });
}

function badConfig(message: string, details: ErrorDetails): ScheduleError {
  const hint =
    'Did you forget `kinds`, or `provider({...})`? inProcess takes `{ providers: { [name]: { kinds: { [kind]: { run } } } } }`, and provider({ [kind]: { run } }) makes what stands under a name.';
  return new ScheduleError('SCHEDULE_CONFIG_INVALID', message, { details, hint });
}
