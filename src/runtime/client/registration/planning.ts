/**
 * What a registration must pass before it is submitted: the caller's authorisation, then a plan (DE-6, SF-2).
 *
 * Planning is host-only: no provider starts. The plan may need no provider outside of `allowedProviders`.
 */
import type { DecodedDeclaration } from '../../../codec/declaration-codec.js';
import { frozenCopy } from '../../../codec/json/plain-copy.js';
import type { Issue } from '../../../core/model/issue.js';
import type { PlanReference } from '../../../core/model/occurrence.js';
import { isScheduleError, ScheduleError } from '../../../errors.js';
import type { ExecutionService, Plan, PlanResult } from '../../../ports/execution-service.js';
import type { CallOptions } from '../../../ports/schedule-store.js';
import { isDigest } from '../../dispatch/execution-answer.js';
import type { Caller } from '../options.js';
import type { Attempt } from '../refusal-error.js';

/** Refuses `allowedProviders` that name one outside of the caller's authorisation, planned or not (DE-6). @internal */
export function authorise(
  attempt: Attempt,
  allowedProviders: readonly string[],
  caller: Caller,
  execution: ExecutionService | undefined,
): void {
  const authorised = caller.providers ?? execution?.providers();
  if (authorised === undefined) return;
  const denied = allowedProviders.filter((provider) => !authorised.includes(provider));
  if (denied.length === 0) return;
  const whose = caller.providers === undefined ? 'this host configures' : `${caller.name} may use`;
  throw new ScheduleError(
    'SCHEDULE_PROVIDER_DENIED',
    `cannot ${attempt.control} "${attempt.scheduleId}": allowedProviders names ${denied.join(', ')}, but ${whose} ${listed(authorised)}`,
    {
      details: { id: attempt.scheduleId, denied, authorised, caller: caller.name },
      hint: 'Name only providers that the caller is authorised for, or have the host authorise more.',
    },
  );
}

/** The plan of a document (DE-6); undefined where planning is deferred. @internal */
export async function planDocument(
  attempt: Attempt,
  { declaration, document, documentDigest }: DecodedDeclaration,
  execution: ExecutionService | undefined,
  options: CallOptions & { readonly deferPlanning?: boolean | undefined },
): Promise<PlanReference | undefined> {
  if (options.deferPlanning === true) return undefined;
  if (execution === undefined) throw noPlanner(attempt);
  const { allowedProviders } = declaration;
  const request = { document: frozenCopy(document), documentDigest, allowedProviders: [...allowedProviders] };
  // A service is the host's code, and may answer anything.
  const result = await askForPlan(attempt, execution, request, options);
  if (result?.kind === 'refused') throw refusedPlan(attempt, String(result.message), result.issues ?? []);
  const { id, digest, providers }: Partial<Plan> = result?.plan ?? {};
  if (typeof id !== 'string' || id === '' || !isDigest(digest) || !Array.isArray(providers)) throw brokenPlan(attempt);
  const denied = providers.filter((provider) => !allowedProviders.includes(provider));
  if (denied.length > 0) throw deniedPlan(attempt, denied, allowedProviders);
  return { id, digest };
}

async function askForPlan(
  attempt: Attempt,
  execution: ExecutionService,
  request: Parameters<ExecutionService['plan']>[0],
  { signal }: CallOptions,
): Promise<PlanResult> {
  try {
    return await orGivenUp(execution.plan(request, signal === undefined ? {} : { signal }), signal);
  } catch (cause) {
    if (isScheduleError(cause, 'SCHEDULE_ABORTED')) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ScheduleError(
      'SCHEDULE_PLAN_FAILED',
      `cannot ${attempt.control} "${attempt.scheduleId}": planning its document failed: ${reason}`,
      { details: { id: attempt.scheduleId, issues: [] }, cause, hint: 'Look at the cause: the planner itself failed.' },
    );
  }
}

/** What a service plans, or `SCHEDULE_ABORTED` once the signal fires: a service may take no notice of it. */
function orGivenUp<T>(planning: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return planning;
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      const message = 'planning was given up by its signal; nothing was registered';
      reject(new ScheduleError('SCHEDULE_ABORTED', message, { cause: signal.reason }));
    };
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    const over = () => signal.removeEventListener('abort', giveUp);
    planning.then(resolve, reject).finally(over);
  });
}

function noPlanner({ control, scheduleId }: Attempt): ScheduleError {
  return new ScheduleError(
    'SCHEDULE_NO_PLANNER',
    `cannot ${control} "${scheduleId}": its document must be planned, and no execution service is configured here`,
    {
      details: { id: scheduleId },
      hint: 'Give openSchedules an execution service, or defer planning: the plan made at dispatch must pass then.',
    },
  );
}

function refusedPlan(
  { control, scheduleId }: Attempt,
  message: string,
  faults: readonly { readonly path: string; readonly message: string }[],
): ScheduleError {
  const issues: readonly Issue[] = faults.map(({ path, message: text }) => ({ path, rule: 'DE-6', message: text }));
  const list = issues.map(({ path, message: text }) => (path === '' ? text : `${path}: ${text}`));
  const all = list.length === 0 ? message : `${message} (${list.join('; ')})`;
  return new ScheduleError(
    'SCHEDULE_PLAN_FAILED',
    `cannot ${control} "${scheduleId}": its document cannot be planned: ${all}`,
    { details: { id: scheduleId, issues }, hint: 'Mend the document, or allow the provider that handles its kind.' },
  );
}

function deniedPlan(
  { control, scheduleId }: Attempt,
  denied: readonly string[],
  allowed: readonly string[],
): ScheduleError {
  return new ScheduleError(
    'SCHEDULE_PROVIDER_DENIED',
    `cannot ${control} "${scheduleId}": its plan needs ${denied.join(', ')}, but allowedProviders names ${listed(allowed)}`,
    {
      details: { id: scheduleId, denied, allowed },
      hint: 'Add what is needed to allowedProviders, or change the document.',
    },
  );
}

function brokenPlan({ scheduleId }: Attempt): ScheduleError {
  return new ScheduleError(
    'SCHEDULE_ADAPTER_BROKEN',
    `the execution service planned the document of "${scheduleId}" without an id, a sha256 digest and a list of providers`,
    { details: { id: scheduleId }, hint: 'This is a fault of the execution service, not of the declaration.' },
  );
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}
