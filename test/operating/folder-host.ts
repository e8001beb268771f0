/**
 * A host on a real folder with a clock in the hands of the test: what it observes is kept, and it is closed after the test.
 */
import { onTestFinished } from 'vitest';
import type { Disk } from '../../src/adapters/fs/disk/disk.js';
import type { ZoneData } from '../../src/core/time/zone-data.js';
import { openSchedules } from '../../src/open-schedules.js';
import type { ExecutionService } from '../../src/ports/execution-service.js';
import type { ObservedEvent } from '../../src/ports/observer.js';
import { type ManualClock, manualClock } from '../../src/testing/manual-clock.js';
import { scriptedExecution } from '../../src/testing/scripted-execution.js';
import { openAt } from '../adapters/fs/ground.js';

/** When the clock of a host begins. */
export const START = '2026-11-30T08:00:00.000Z';

/** What a test may bring along. */
export interface HostOptions {
  readonly clock?: ManualClock;
  readonly disk?: Disk;
  readonly execution?: ExecutionService;
  readonly zoneData?: ZoneData;
}

/** Opens the schedules of a folder. */
export async function folderHost(root: string, options: HostOptions = {}) {
  const clock = options.clock ?? manualClock(START);
  const told: ObservedEvent[] = [];
  const execution = options.execution ?? scriptedExecution();
  const schedules = await openSchedules({
    workspace: await openAt(root, {}, options.disk),
    clock,
    execution,
    zoneData: options.zoneData,
    observer: (event) => void told.push(event),
  });
  onTestFinished(() => schedules.close());
  const changes = () => told.flatMap((event) => (event.type === 'owner' || event.type === 'store' ? event.change : []));
  return { clock, schedules, told, changes };
}

/** A declaration that is due every minute from {@link START} on, unless it says otherwise. */
export function everyMinute(id: string, changes: object = {}) {
  return {
    id,
    objective: `Work of ${id}`,
    document: { version: 'scripted/1' },
    allowedProviders: ['scripted'],
    trigger: { kind: 'interval', start: START, everySeconds: 60 },
    maxOccurrences: 'unlimited',
    ...changes,
  } as const;
}

/** Status and due instant of what is in a history, oldest first. */
export async function outcomesOf(
  schedules: Awaited<ReturnType<typeof folderHost>>['schedules'],
  id: string,
): Promise<readonly string[]> {
  const { history } = await schedules.get(id, { history: { limit: 1000 } });
  return history.map(({ status, dueAt }) => `${dueAt.slice(11, 19)} ${status}`).reverse();
}
