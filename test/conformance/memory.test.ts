/** The adapters in memory, the clocks and the in-process execution keep the published contracts. */
import { memoryData } from '../../src/adapters/memory-data.js';
import { memoryEvidence } from '../../src/adapters/memory-evidence.js';
import { memoryLock } from '../../src/adapters/memory-lock.js';
import { memoryStore } from '../../src/adapters/memory-store.js';
import { memoryWorkspace } from '../../src/adapters/memory-workspace.js';
import { systemClock } from '../../src/adapters/system-clock.js';
import { clockContract } from '../../src/testing/contracts/clock-contract.js';
import { evidenceContract } from '../../src/testing/contracts/evidence-contract.js';
import { executionContract } from '../../src/testing/contracts/execution-contract.js';
import { lockContract } from '../../src/testing/contracts/lock-contract.js';
import { storeContract } from '../../src/testing/contracts/store-contract.js';
import { crashingWorkspace } from '../../src/testing/crash-workspace.js';
import { faultyStore } from '../../src/testing/faulty-store.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { fails, held, scriptedExecution, succeeds } from '../../src/testing/scripted-execution.js';
import { keeps } from './keeps.js';
import { openInProcess } from './open-in-process.js';

keeps(
  'memoryStore',
  'ST-5',
  storeContract(async () => {
    const data = memoryData();
    return { store: memoryStore(data), another: async () => memoryStore(data), close: () => data.dispose() };
  }),
  ['reopen', 'cutPower', 'spoilWrites'],
);

keeps(
  'faultyStore without a trouble',
  'ST-5',
  storeContract(async () => {
    const data = memoryData();
    const another = async () => faultyStore(memoryStore(data));
    return { store: await another(), another, close: () => data.dispose() };
  }),
  ['reopen', 'cutPower', 'spoilWrites'],
);

keeps(
  'the store of a crashingWorkspace that lives',
  'ST-5',
  storeContract(async () => {
    const data = memoryData();
    const another = async () => crashingWorkspace(memoryWorkspace({ data })).store;
    return { store: await another(), another, close: () => data.dispose() };
  }),
  ['reopen', 'cutPower', 'spoilWrites'],
);

keeps(
  'memoryLock',
  'OW-1',
  lockContract(async () => {
    const data = memoryData();
    return { lock: memoryLock(data), another: async () => memoryLock(data), close: () => data.dispose() };
  }),
  ['holdElsewhere', 'passTime', 'takeAway'],
);

keeps(
  'memoryEvidence',
  'OC-8',
  evidenceContract(async () => {
    const data = memoryData();
    return { evidence: memoryEvidence(data), close: () => data.dispose() };
  }),
  ['reopen', 'cutPower'],
);

keeps(
  'systemClock',
  'OW-3',
  clockContract(async () => ({ clock: systemClock(), close: async () => {} })),
  ['advance', 'step'],
);

keeps(
  'manualClock',
  'OW-3',
  clockContract(async () => {
    const clock = manualClock('2026-03-01T08:00:00Z');
    return { clock, advance: (ms) => clock.advance(ms), step: (ms) => clock.step(ms), close: async () => {} };
  }),
);

keeps(
  'inProcess',
  'OC-7',
  executionContract(() => openInProcess()),
);

const SCRIPTS = { succeeding: succeeds(7), failing: fails('broken'), lasting: held() } as const;

for (const [name, step] of Object.entries(SCRIPTS)) {
  const others = Object.keys(SCRIPTS).filter((other) => other !== name && other !== 'succeeding');
  const cases = executionContract(async () => {
    const service = scriptedExecution([], { otherwise: step });
    const document = { version: 'sample/1', part: 1 };
    return {
      service,
      allowedProviders: ['scripted'],
      succeeding: document,
      ...(name === 'failing' ? { failing: document } : {}),
      ...(name === 'lasting' ? { lasting: document } : {}),
      started: () => service.executed.length,
      close: async () => {},
    };
  });
  // One script has one ending: a success is judged where it is the ending.
  const judged = cases.filter(({ clause }) => clause !== 'X-4' || name === 'succeeding');
  keeps(`scriptedExecution, ${name}`, 'OC-7', judged, [...others, 'refused', 'stalling']);
}
