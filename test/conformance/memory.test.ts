/** The adapters in memory, the clocks and the in-process execution keep the published contracts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HandlerContext } from '../../src/adapters/in-process/handler-context.js';
import { inProcess } from '../../src/adapters/in-process/in-process.js';
import { provider } from '../../src/adapters/in-process/provider.js';
import { memoryData } from '../../src/adapters/memory-data.js';
import { memoryEvidence } from '../../src/adapters/memory-evidence.js';
import { memoryLock } from '../../src/adapters/memory-lock.js';
import { memoryStore } from '../../src/adapters/memory-store.js';
import { systemClock } from '../../src/adapters/system-clock.js';
import type { JsonObject } from '../../src/core/model/declaration.js';
import { clockContract } from '../../src/testing/contracts/clock-contract.js';
import { evidenceContract } from '../../src/testing/contracts/evidence-contract.js';
import { executionContract } from '../../src/testing/contracts/execution-contract.js';
import { lockContract } from '../../src/testing/contracts/lock-contract.js';
import { storeContract } from '../../src/testing/contracts/store-contract.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { fails, held, scriptedExecution, succeeds } from '../../src/testing/scripted-execution.js';
import { keeps } from './keeps.js';

keeps(
  'memoryStore',
  'ST-5',
  storeContract(async () => {
    const data = memoryData();
    return { store: memoryStore(data), another: async () => memoryStore(data), close: () => data.dispose() };
  }),
);

keeps(
  'memoryLock',
  'OW-1',
  lockContract(async () => {
    const data = memoryData();
    return { lock: memoryLock(data), another: async () => memoryLock(data), close: () => data.dispose() };
  }),
);

keeps(
  'memoryEvidence',
  'OC-8',
  evidenceContract(async () => {
    const data = memoryData();
    return { evidence: memoryEvidence(data), close: () => data.dispose() };
  }),
);

keeps(
  'systemClock',
  'OW-3',
  clockContract(async () => ({ clock: systemClock(), close: async () => {} })),
);

keeps(
  'manualClock',
  'OW-3',
  clockContract(async () => {
    const clock = manualClock('2026-03-01T08:00:00Z');
    return { clock, advance: (ms) => clock.advance(ms), close: async () => {} };
  }),
);

keeps(
  'inProcess',
  'OC-7',
  executionContract(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'everdue-contract-'));
    let started = 0;
    const kind = (run: (document: JsonObject, context: HandlerContext) => Promise<void>) => ({
      run: async (document: JsonObject, context: HandlerContext) => {
        started += 1;
        await run(document, context);
      },
    });
    const report = provider({
      'good/1': kind(async (_, { publish }) => void (await publish('a', 'b'))),
      'bad/1': kind(() => Promise.reject(new Error('x'.repeat(9000)))),
      'long/1': kind((_, { signal }) => systemClock().sleep(600_000, { signal })),
    });
    return {
      service: inProcess({ providers: { report } }),
      allowedProviders: ['report'],
      succeeding: { version: 'good/1' },
      failing: { version: 'bad/1' },
      lasting: { version: 'long/1' },
      refused: { version: 'none/1' },
      directory: async () => directory,
      started: () => started,
      close: () => rm(directory, { recursive: true }),
    };
  }),
);

for (const [name, step] of Object.entries({ succeeding: succeeds(7), failing: fails('broken'), lasting: held() })) {
  keeps(
    `scriptedExecution, ${name}`,
    'OC-7',
    executionContract(async () => {
      const service = scriptedExecution([step]);
      const document = { version: 'sample/1' };
      return {
        service,
        allowedProviders: ['scripted'],
        succeeding: document,
        ...(name === 'failing' ? { failing: document } : {}),
        ...(name === 'lasting' ? { lasting: document } : {}),
        started: () => service.executed.length,
        close: async () => {},
      };
    }).filter(
      ({ clause }) => clause === { succeeding: 'X-4', failing: 'X-5', lasting: 'X-3' }[name] || clause === 'X-1',
    ),
  );
}
