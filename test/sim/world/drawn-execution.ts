/**
 * Handlers whose length and outcome follow from the seed and the name of the attempt. What they do is noted outside of the
 * disk, the moment they are called.
 */
import { digestOf } from '../../../src/codec/digest.js';
import type { ExecutionOutcome, ExecutionRequest, ExecutionService } from '../../../src/ports/execution-service.js';
import type { Ledger } from '../audit/ledger.js';
import { Random } from '../random.js';
import type { SimProcess } from './sim-process.js';

/** Name of the one provider. */
export const PROVIDER = 'drawn';

/** See the head of this file. */
export function drawnExecution(process: SimProcess, ledger: Ledger): ExecutionService {
  const { options } = process.machine;
  return {
    capabilities: { needsWorkspace: options.needsWorkspace },
    providers: () => [PROVIDER],
    async plan({ documentDigest }) {
      await process.sleep(process.random.next(), 'plans');
      const digest = digestOf({ documentDigest });
      return { kind: 'planned', plan: { id: digest.slice(7, 15), digest, providers: [PROVIDER] } };
    },
    execute: (request) => run(process, ledger, request),
  };
}

async function run(process: SimProcess, ledger: Ledger, request: ExecutionRequest): Promise<ExecutionOutcome> {
  const { occurrence, attempt, fencingToken, signal } = request;
  const { machine, name } = process;
  machine.scheduler.note(process, `runs ${occurrence} attempt ${attempt}`);
  ledger.effected({ occurrence, attempt, fencingToken, by: name, atMs: machine.scheduler.now });
  const random = new Random(`${machine.options.seed}/${occurrence}/${attempt}`);
  const isDeaf = random.chance(0.03);
  const lengthMs = random.chance(0.6) ? random.next() * 20 : random.spread(20, 60_000);
  const isHeard = await rest(process, lengthMs, isDeaf ? undefined : signal);
  if (isHeard) return { outcome: 'failed', stages: [], fault: { code: 'aborted', message: 'its signal fired' } };
  return outcomeOf(random, machine.options.ballast);
}

/** Waits; true where the signal fired first. */
function rest(process: SimProcess, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  return process.clock.sleep(ms, { signal }).then(
    () => false,
    () => true,
  );
}

function outcomeOf(random: Random, ballast: number): ExecutionOutcome {
  const drawn = random.next();
  if (drawn < 0.05) throw new Error('a handler of a simulation throws');
  if (drawn < 0.25) {
    const isRetryable = random.chance(0.9);
    const code = random.of(['flaky', 'flaky', 'broken']);
    return { outcome: 'failed', stages: [], fault: { code, message: `drawn ${drawn}`, isRetryable } };
  }
  if (drawn < 0.28) return { outcome: 'succeeded', stages: [], verification: { isVerified: false, receipts: [] } };
  const result = { text: 'x'.repeat(random.between(ballast >> 1, ballast)) };
  const digest = digestOf(result);
  const receipts = [{ name: 'result', digest, bytes: result.text.length }];
  return { outcome: 'succeeded', stages: [], verification: { isVerified: true, digest, receipts }, result };
}
