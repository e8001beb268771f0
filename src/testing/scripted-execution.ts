/**
 * An execution service that answers as it is told, in the order in which it is told.
 *
 * For tests of what stands around the work: retries, overlap, cancel, stop. A step can be held until the test releases it,
 * so that a run is open as long as the test wants. Every request is kept.
 */
import { canonicalJson } from '../codec/canonical-json.js';
import { digestOf, sha256Hex } from '../codec/digest.js';
import { type OptionNames, refuseUnknownOptions, unknownOptions } from '../codec/json/option-names.js';
import type { Json } from '../core/model/declaration.js';
import type { Fault, Verification } from '../core/model/occurrence.js';
import type {
  ExecutionOutcome,
  ExecutionRequest,
  ExecutionService,
  PlanRequest,
  PlanResult,
} from '../ports/execution-service.js';

/** How one attempt ends. @public */
export interface ScriptedStep {
  /** What the service answers, or the error with which it rejects. */
  readonly ends: ExecutionOutcome | { readonly outcome: 'rejected'; readonly error: unknown };
  /** Absent: it ends at once. `hold`: when released, or when its signal fires. `hang`: only when released, deaf to its signal. */
  readonly until?: 'hold' | 'hang';
}

/** How a scripted service is made. @public */
export interface ScriptOptions {
  /** Names of the providers that it configures; `scripted` alone where absent. */
  readonly providers?: readonly string[];
  /** Whether attempts get a directory; false where absent. */
  readonly needsWorkspace?: boolean;
  /** How it plans; where absent, every document is planned with all of `allowedProviders`. */
  readonly plan?: (request: PlanRequest) => PlanResult | Promise<PlanResult>;
  /** How attempts end once the script is over; with a success where absent. */
  readonly otherwise?: ScriptedStep;
}

/** See the head of this file. @public */
export interface ScriptedExecution extends ExecutionService {
  /** Requests to plan, oldest first. */
  readonly planned: readonly PlanRequest[];
  /** Requests to execute, oldest first. */
  readonly executed: readonly ExecutionRequest[];
  /** Occurrences whose attempts are open, oldest first. */
  open(): readonly string[];
  /** Lets the oldest open attempt end, or that of one occurrence; false where there is none. */
  release(occurrence?: string): boolean;
}

/** An attempt that succeeds with a verified result. @public */
export function succeeds(result?: Json): ScriptedStep {
  const digest = `sha256:${sha256Hex(canonicalJson(result ?? null))}`;
  const bytes = new TextEncoder().encode(canonicalJson(result ?? null)).byteLength;
  const verification: Verification = { isVerified: true, digest, receipts: [{ name: 'result', digest, bytes }] };
  const kept = result === undefined ? {} : { result };
  return { ends: { outcome: 'succeeded', stages: [], verification, ...kept } };
}

/** An attempt that calls itself succeeded without having verified anything (OC-7). @public */
export function succeedsUnverified(): ScriptedStep {
  return { ends: { outcome: 'succeeded', stages: [], verification: { isVerified: false, receipts: [] } } };
}

/** An attempt that fails with this code. @public */
export function fails(code: string, more: Partial<Omit<Fault, 'code'>> = {}): ScriptedStep {
  return { ends: { outcome: 'failed', stages: [], fault: { code, message: `scripted ${code}`, ...more } } };
}

/** An attempt whose service breaks its contract by rejecting. @public */
export function rejects(error: unknown): ScriptedStep {
  return { ends: { outcome: 'rejected', error } };
}

/** The same step, held open until it is released or its signal fires; a signal ends it with the fault `aborted`. @public */
export function held(step: ScriptedStep = succeeds()): ScriptedStep {
  return { ...step, until: 'hold' };
}

/** The same step, held open until it is released, whatever its signal does. @public */
export function hung(step: ScriptedStep = succeeds()): ScriptedStep {
  return { ...step, until: 'hang' };
}

const NAMES: OptionNames<ScriptOptions> = { providers: true, needsWorkspace: true, plan: true, otherwise: true };

/**
 * An execution service whose attempts end as the steps say, one step for each attempt in the order of dispatch.
 *
 * @public
 */
export function scriptedExecution(steps: readonly ScriptedStep[] = [], options: ScriptOptions = {}): ScriptedExecution {
  refuseUnknownOptions('cannot script an execution', unknownOptions(options, NAMES));
  const left = [...steps];
  const planned: PlanRequest[] = [];
  const executed: ExecutionRequest[] = [];
  const gates: Gate[] = [];
  return {
    capabilities: { needsWorkspace: options.needsWorkspace ?? false },
    planned,
    executed,
    providers: () => options.providers ?? ['scripted'],
    plan: async (request) => {
      planned.push(request);
      return (await options.plan?.(request)) ?? planEverything(request);
    },
    execute: async (request) => {
      executed.push(request);
      const step = left.shift() ?? options.otherwise ?? succeeds();
      const isReleased = step.until === undefined || (await gateOf(gates, request, step.until));
      if (!isReleased) return aborted();
      if (step.ends.outcome === 'rejected') throw step.ends.error;
      return step.ends;
    },
    open: () => gates.map(({ occurrence }) => occurrence),
    release: (occurrence) => {
      const gate = gates.find((one) => occurrence === undefined || one.occurrence === occurrence);
      gate?.end(true);
      return gate !== undefined;
    },
  };
}

interface Gate {
  readonly occurrence: string;
  end(isReleased: boolean): void;
}

/** Resolves with true once released, with false once its signal has fired where it listens to it. */
function gateOf(gates: Gate[], request: ExecutionRequest, until: 'hold' | 'hang'): Promise<boolean> {
  const { occurrence, signal } = request;
  return new Promise((resolve) => {
    const abort = () => gate.end(false);
    const gate: Gate = {
      occurrence,
      end: (isReleased) => {
        signal.removeEventListener('abort', abort);
        gates.splice(gates.indexOf(gate), 1);
        resolve(isReleased);
      },
    };
    gates.push(gate);
    if (until === 'hang') return;
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

function aborted(): ExecutionOutcome {
  return { outcome: 'failed', stages: [], fault: { code: 'aborted', message: 'its signal fired' } };
}

function planEverything({ documentDigest, allowedProviders }: PlanRequest): PlanResult {
  const digest = digestOf({ documentDigest, allowedProviders });
  return { kind: 'planned', plan: { id: `plan-${digest.slice(7, 15)}`, digest, providers: allowedProviders } };
}
