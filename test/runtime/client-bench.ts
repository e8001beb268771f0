/** Schedules over a catalogue in memory, with a clock in the hands of the test and handlers that do as they are told. */
import { inProcess } from '../../src/adapters/in-process/in-process.js';
import { type MemoryData, memoryData } from '../../src/adapters/memory-data.js';
import { memoryWorkspace } from '../../src/adapters/memory-workspace.js';
import type { DeclarationInput } from '../../src/codec/declaration-input.js';
import { type OpenOptions, openSchedules } from '../../src/open-schedules.js';
import type { ExecutionService } from '../../src/ports/execution-service.js';
import type { ObservedEvent } from '../../src/ports/observer.js';
import type { Schedules } from '../../src/runtime/client/face.js';
import { type ManualClock, manualClock } from '../../src/testing/manual-clock.js';

/** When every bench begins. */
export const START = '2026-11-30T08:00:00.000Z';

/** What a document tells its handler to do. */
export type Order = 'succeed' | 'fail' | 'hang';

/** One process of a test. */
export interface Bench {
  readonly schedules: Schedules;
  readonly clock: ManualClock;
  readonly events: ObservedEvent[];
  /** Documents that were planned, in order. */
  readonly planned: string[];
  /** A second process on the same catalogue, on the same clock. */
  second(options?: Partial<OpenOptions>): Promise<Schedules>;
  /** A process that has no execution service. */
  withoutPlanner(): Promise<Schedules>;
}

/** An execution service of providers `report` and `other` that do what their document says. */
export function obedient(clock: ManualClock, planned: string[] = []): ExecutionService {
  const run = async (document: Record<string, unknown>, context: { signal: AbortSignal }): Promise<void> => {
    if (document['order'] === 'fail') throw new Error('told to fail');
    if (document['order'] === 'hang') {
      await new Promise((_resolve, reject) => {
        context.signal.addEventListener('abort', () => reject(context.signal.reason), { once: true });
      });
    }
  };
  const service = inProcess({
    clock,
    providers: { report: { kinds: { 'report/1': { run } } }, other: { kinds: { 'other/1': { run } } } },
  });
  return {
    capabilities: service.capabilities,
    providers: () => service.providers(),
    execute: (request) => service.execute(request),
    plan: (request, call) => {
      planned.push(request.documentDigest);
      return service.plan(request, call);
    },
  };
}

/** Opens schedules on a new catalogue at {@link START}. */
export async function bench(options: Partial<OpenOptions> = {}): Promise<Bench> {
  const clock = manualClock(START);
  const data: MemoryData = memoryData();
  const events: ObservedEvent[] = [];
  const planned: string[] = [];
  let made = 0;
  const randomId = () => {
    made += 1;
    return `id${made}`;
  };
  const bare = (): OpenOptions => {
    // Each is a process of its own: nothing of another one runs in it.
    const { identity: _, ...workspace } = memoryWorkspace({ data });
    return { workspace, clock, randomId };
  };
  const open = (more: Partial<OpenOptions>): Promise<Schedules> =>
    openSchedules({ ...bare(), execution: obedient(clock, planned), ...more });
  const schedules = await open({ observer: (event) => void events.push(event), ...options });
  const second = (more: Partial<OpenOptions> = {}): Promise<Schedules> => open({ ...options, ...more });
  return { schedules, clock, events, planned, second, withoutPlanner: () => openSchedules(bare()) };
}

/** A declaration that is due every hour from nine o'clock. */
export function hourly(id: string, fields: Partial<DeclarationInput> = {}): DeclarationInput & { readonly id: string } {
  return {
    objective: `Report ${id}`,
    document: { version: 'report/1', order: 'succeed' },
    allowedProviders: ['report'],
    trigger: { kind: 'interval', start: '2026-11-30T09:00:00Z', everySeconds: 3600 },
    ...fields,
    id,
  };
}

/** A declaration that is never due by itself, whose handler obeys an order. */
export function manual(id: string, order: Order = 'succeed', fields: Partial<DeclarationInput> = {}) {
  return hourly(id, { trigger: { kind: 'manual' }, document: { version: 'report/1', order }, ...fields });
}
