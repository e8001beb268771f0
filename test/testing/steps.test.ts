/** Sequences of client calls: equal on every adapter, and unequal on one that is wrong. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryData } from '../../src/adapters/memory-data.js';
import { memoryWorkspace } from '../../src/adapters/memory-workspace.js';
import { openSchedules } from '../../src/open-schedules.js';
import type { Workspace } from '../../src/ports/workspace.js';
import { arbitraries } from '../../src/testing/arbitraries.js';
import type { ClientStep } from '../../src/testing/steps/client-step.js';
import { type PlayedStep, playSteps } from '../../src/testing/steps/play-steps.js';
import { boundStore } from '../conformance/mutants/durable-memory.js';
import { SimulatedMachine } from '../conformance/simulated-workspace.js';

const made = arbitraries(fc);

function play(steps: readonly ClientStep[], workspace: () => Promise<Workspace>): Promise<readonly PlayedStep[]> {
  return playSteps(steps, async (world) => openSchedules({ ...world, workspace: await workspace() }));
}

function inMemory(steps: readonly ClientStep[], change: (good: Workspace) => Workspace = (good) => good) {
  const data = memoryData();
  return play(steps, async () => change(memoryWorkspace({ data })));
}

async function onDisk(steps: readonly ClientStep[]): Promise<readonly PlayedStep[]> {
  const machine = new SimulatedMachine();
  return await play(steps, () => machine.open()).finally(() => machine.close());
}

function refusalsOf(played: readonly PlayedStep[]): readonly string[] {
  return played.flatMap(({ answer }) => (answer as { refused?: string } | null)?.refused ?? []);
}

describe('steps', () => {
  it('[ST-5] the file store and the one in memory tell the same of equal steps', async () => {
    await fc.assert(
      fc.asyncProperty(made.steps, async (steps) => {
        expect(await onDisk(steps)).toEqual(await inMemory(steps));
      }),
      { numRuns: 15 },
    );
  }, 60_000);

  it('[OW-6] what is drawn does much: work runs and fails, calls are refused', async () => {
    const refused = new Set<string>();
    const statuses = new Set<string>();
    for (const steps of fc.sample(made.steps, { numRuns: 40, seed: 7 })) {
      const played = await inMemory(steps);
      for (const code of refusalsOf(played)) refused.add(code);
      for (const [, status] of JSON.stringify(played).matchAll(/"status":"(\w+)"/g)) statuses.add(status ?? '');
    }
    for (const status of ['queued', 'succeeded', 'failed', 'skipped', 'cancelled', 'paused', 'completed']) {
      expect(statuses).toContain(status);
    }
    for (const code of ['EXISTS', 'NOT_FOUND', 'REVISION_CONFLICT', 'NOT_APPLICABLE', 'WORK_PENDING', 'NEVER_DUE']) {
      expect(refused).toContain(`SCHEDULE_${code}`);
    }
  });

  it('[OC-1] equal steps are told equally, to the last name', async () => {
    for (const steps of fc.sample(made.steps, { numRuns: 5, seed: 3 })) {
      expect(await inMemory(steps)).toEqual(await inMemory(steps));
    }
  });

  it('[ST-5] an adapter that forgets what was deleted is found out', async () => {
    const forgetful = ({ store, ...good }: Workspace): Workspace => ({
      ...good,
      store: {
        ...boundStore(store),
        capabilities: store.capabilities,
        changes: async (since) => ({ ...(await store.changes(since)), marks: [] }),
      },
    });
    const found = await fc.check(
      fc.asyncProperty(made.steps, async (steps) => {
        expect(await inMemory(steps, forgetful)).toEqual(await inMemory(steps));
      }),
      { numRuns: 300, seed: 11, endOnFailure: true },
    );
    expect(found.failed).toBe(true);
    const [steps] = found.counterexample ?? [[]];
    expect(steps.map(({ call }) => call)).toContain('delete');
  }, 60_000);

  it('[OC-3] an adapter that lets an attempt be dispatched twice rejects the play', async () => {
    const declaration = {
      id: 'a',
      objective: 'x',
      document: { version: 'sample/1' },
      allowedProviders: ['sample'],
      trigger: { kind: 'manual' },
    } as const;
    const tick = { call: 'tick' } as const;
    const restart = { call: 'restart' } as const;
    const steps: readonly ClientStep[] = [
      { call: 'create', declaration, paused: false },
      { call: 'trigger', id: 'a', requestId: 'one' },
      tick,
      restart,
      { call: 'create', declaration, paused: false },
      { call: 'trigger', id: 'a', requestId: 'one' },
      tick,
    ];
    // Each start finds an empty catalogue: everything was lost.
    await expect(play(steps, async () => memoryWorkspace())).rejects.toThrow(/dispatched twice/);
    expect(refusalsOf(await inMemory(steps))).toEqual(['SCHEDULE_EXISTS']);
  });
});
