/** The in-process execution with a handler for every document that the contract of execution services asks for. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HandlerContext } from '../../src/adapters/in-process/handler-context.js';
import { inProcess } from '../../src/adapters/in-process/in-process.js';
import { provider } from '../../src/adapters/in-process/provider.js';
import { systemClock } from '../../src/adapters/system-clock.js';
import type { JsonObject } from '../../src/core/model/declaration.js';
import type { ExecutionService } from '../../src/ports/execution-service.js';
import type { OpenExecution } from '../../src/testing/contracts/execution-contract.js';
import { manualClock } from '../../src/testing/manual-clock.js';

/** What a mutant does otherwise; it may count work as started. */
export type BreaksExecution = (good: ExecutionService, start: () => void) => Partial<ExecutionService>;

/** Its clock is a manual one; what waits for a signal waits on the clock of the machine. */
export async function openInProcess(
  breaks: BreaksExecution = () => ({}),
  ground: Partial<OpenExecution> = {},
): Promise<OpenExecution> {
  const clock = manualClock('2026-03-01T08:00:00Z');
  const directory = await mkdtemp(join(tmpdir(), 'everdue-contract-'));
  let started = 0;
  const kind = (run: (document: JsonObject, context: HandlerContext) => Promise<void>) => ({
    run: async (document: JsonObject, context: HandlerContext) => {
      started += 1;
      await run(document, context);
    },
  });
  const asleep = (signal: AbortSignal) => systemClock().sleep(600_000, { signal });
  const report = provider({
    'good/1': kind(async (_, { publish }) => void (await publish('a', 'b'))),
    'bad/1': kind(() => Promise.reject(new Error('x'.repeat(9000)))),
    'long/1': kind((_, { signal }) => asleep(signal)),
    'slow/1': kind((_, { stage }) => stage('slow', asleep)),
  });
  const good = inProcess({ providers: { report }, clock });
  const start = () => {
    started += 1;
  };
  return {
    service: { ...good, ...breaks(good, start) },
    allowedProviders: ['report'],
    succeeding: { version: 'good/1', parts: [{ name: 'a', size: 1 }] },
    failing: { version: 'bad/1' },
    lasting: { version: 'long/1' },
    stalling: { version: 'slow/1' },
    refused: { version: 'none/1' },
    advance: (ms) => clock.advance(ms),
    directory: async () => directory,
    started: () => started,
    close: () => rm(directory, { recursive: true }),
    ...ground,
  };
}
