/**
 * Execution services that break one clause each, made from the in-process one.
 */
import { sha256Hex } from '../../../src/codec/digest.js';
import type {
  ExecutionOutcome,
  ExecutionRequest,
  ExecutionService,
  PlanRequest,
} from '../../../src/ports/execution-service.js';
import { executionContract } from '../../../src/testing/contracts/execution-contract.js';
import { type BreaksExecution, openInProcess } from '../open-in-process.js';
import type { Mutant } from './mutant.js';

/** A deaf service is given up soon. */
const DRAIN_MS = 100;

function execution(clause: string, what: string, breaks: BreaksExecution): Mutant {
  return { clause, what, cases: executionContract(() => openInProcess(breaks, { drainMs: DRAIN_MS })) };
}

function asking(change: (request: ExecutionRequest) => ExecutionRequest): BreaksExecution {
  return (good) => ({ execute: (request) => good.execute(change(request)) });
}

function answering(change: (outcome: ExecutionOutcome) => ExecutionOutcome): BreaksExecution {
  return (good) => ({ execute: async (request) => change(await good.execute(request)) });
}

/** Plans as the good one does, under a digest of its own. */
function planning(digest: (request: PlanRequest) => string): BreaksExecution {
  return (good: ExecutionService) => ({
    plan: async (request) => {
      const result = await good.plan(request);
      if (result.kind === 'refused') return result;
      return { ...result, plan: { ...result.plan, digest: `sha256:${digest(request)}` } };
    },
  });
}

let plans = 0;

/** The broken services. */
export const BROKEN_EXECUTION: readonly Mutant[] = [
  execution(
    'X-1',
    'plans each time otherwise',
    planning(() => {
      plans += 1;
      return sha256Hex(String(plans));
    }),
  ),
  execution(
    'X-1',
    'plans by the order of members',
    planning(({ document }) => sha256Hex(JSON.stringify(document))),
  ),
  execution(
    'X-1',
    'sorts the members at the top alone',
    planning(({ document }) => sha256Hex(JSON.stringify(Object.entries(document).sort()))),
  ),
  execution('X-1', 'works while it plans', (good, start) => ({
    plan: (request) => {
      start();
      return good.plan(request);
    },
  })),
  execution('X-1', 'plans whatever it is given', (good) => ({
    plan: async (request) => {
      const plan = { id: 'any', digest: `sha256:${'0'.repeat(64)}`, providers: ['report'] };
      const result = await good.plan(request);
      return result.kind === 'planned' ? result : { kind: 'planned', plan };
    },
  })),
  execution(
    'X-3',
    'is deaf to its signal',
    asking((request) => ({ ...request, signal: new AbortController().signal })),
  ),
  execution(
    'X-3',
    'calls aborted work a success',
    answering((outcome) => {
      if (outcome.outcome === 'succeeded') return outcome;
      const verification = { isVerified: true, digest: `sha256:${'0'.repeat(64)}`, receipts: [] };
      return { outcome: 'succeeded', stages: outcome.stages, verification };
    }),
  ),
  execution(
    'X-4',
    'verifies nothing',
    answering((outcome) =>
      outcome.outcome === 'failed' ? outcome : { ...outcome, verification: { isVerified: false, receipts: [] } },
    ),
  ),
  execution(
    'X-4',
    'knows no digest',
    answering((outcome) =>
      outcome.outcome === 'failed' ? outcome : { ...outcome, verification: { isVerified: true, receipts: [] } },
    ),
  ),
  execution('X-5', 'rejects when work fails', (good) => ({
    execute: async (request) => {
      const outcome = await good.execute(request);
      if (outcome.outcome === 'failed') throw new Error(outcome.fault.message);
      return outcome;
    },
  })),
  execution(
    'X-5',
    'tells endless tales',
    answering((outcome) =>
      outcome.outcome === 'succeeded'
        ? outcome
        : { ...outcome, fault: { ...outcome.fault, message: 'x'.repeat(9000) } },
    ),
  ),
  execution(
    'X-6',
    'knows no timeouts',
    asking((request) => ({ ...request, budget: { ...request.budget, timeoutPerStageSeconds: 86_400 } })),
  ),
  execution(
    'X-6',
    'tells the owner of no timeout',
    asking(({ timedOut: _, ...request }) => request),
  ),
  execution(
    'X-6',
    'names another stage than the fault does',
    asking((request) => ({ ...request, timedOut: () => request.timedOut?.('another') })),
  ),
];
