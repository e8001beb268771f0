/** What callers, observers and execution services do to what they were given changes nothing but that. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryData } from '../../src/adapters/memory-data.js';
import { memoryWorkspace } from '../../src/adapters/memory-workspace.js';
import { openSchedules } from '../../src/open-schedules.js';
import type { ExecutionService } from '../../src/ports/execution-service.js';
import type { Workspace } from '../../src/ports/workspace.js';
import { arbitraries } from '../../src/testing/arbitraries.js';
import type { ClientStep } from '../../src/testing/steps/client-step.js';
import { type PlayedSchedules, type PlayedWorld, playSteps } from '../../src/testing/steps/play-steps.js';
import { SimulatedMachine } from '../conformance/simulated-workspace.js';

const made = arbitraries(fc);

/** Changes everything that can be changed, all the way down; what is frozen stays. */
function spoil(value: unknown, seen = new Set<unknown>()): void {
  if (typeof value !== 'object' || value === null || value instanceof AbortSignal || seen.has(value)) return;
  seen.add(value);
  for (const name of Object.keys(value)) {
    const member: unknown = Reflect.get(value, name);
    if (typeof member === 'object') spoil(member, seen);
    else if (typeof member === 'string') Reflect.set(value, name, `spoilt ${member}`);
    else if (typeof member === 'number') Reflect.set(value, name, member + 7);
    else if (typeof member === 'boolean') Reflect.set(value, name, !member);
  }
  if (Array.isArray(value)) Reflect.set(value, value.length, 'spoilt');
  else Reflect.set(value, 'spoilt', true);
}

/** A service that spoils what it was asked, once it has answered and what it answered was taken. */
function spoiling(good: ExecutionService): ExecutionService {
  const after = async <R, A>(request: R, answer: Promise<A>): Promise<A> => {
    const kept = structuredClone(await answer);
    spoil(request);
    return kept;
  };
  return {
    capabilities: good.capabilities,
    providers: () => good.providers(),
    plan: (request) => after(request, good.plan(request)),
    execute: (request) => after(request, good.execute(request)),
  };
}

/** Schedules whose answers are spoilt, behind copies of them. */
function spoilt(schedules: PlayedSchedules): PlayedSchedules {
  const guarded = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(of, name) {
        const member: unknown = Reflect.get(of, name);
        if (name === 'gate') return guarded(member as object);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]) => {
          const answer: unknown = Reflect.apply(member, of, given);
          if (!(answer instanceof Promise)) return name === 'owner' ? guarded(answer as object) : answer;
          return answer.then((settled) => {
            const kept = structuredClone(settled);
            spoil(settled);
            return kept;
          });
        };
      },
    });
  return guarded(schedules);
}

async function play(steps: readonly ClientStep[], open: () => Promise<Workspace>, spoils: boolean) {
  return await playSteps(steps, async (world: PlayedWorld) => {
    const workspace = await open();
    if (!spoils) return openSchedules({ ...world, workspace, observer: () => undefined });
    const execution = spoiling(world.execution);
    return spoilt(await openSchedules({ clock: world.clock, execution, workspace, observer: (event) => spoil(event) }));
  });
}

function inMemory(steps: readonly ClientStep[], spoils: boolean) {
  const data = memoryData();
  return play(steps, async () => memoryWorkspace({ data }), spoils);
}

async function onDisk(steps: readonly ClientStep[], spoils: boolean) {
  const machine = new SimulatedMachine();
  return await play(steps, () => machine.open(), spoils).finally(() => machine.close());
}

describe('foreign hands', () => {
  it('[OC-4, OW-7, SF-1, DE-3] spoil answers, events and requests, and everything goes on as if they had not', async () => {
    await fc.assert(
      fc.asyncProperty(made.steps, async (steps) => {
        expect(await inMemory(steps, true)).toEqual(await inMemory(steps, false));
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  it('[ST-5, DE-3] nor does the file store keep anything of what they spoil', async () => {
    await fc.assert(
      fc.asyncProperty(made.steps, async (steps) => {
        expect(await onDisk(steps, true)).toEqual(await onDisk(steps, false));
      }),
      { numRuns: 6 },
    );
  }, 60_000);
});
