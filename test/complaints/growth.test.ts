/** Growth: history, memory, files, timers and formatters that become more from day to day. */
import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import type { EpochMs } from '../../src/core/time/instant.js';
import { compileTrigger } from '../../src/core/trigger/compile.js';
import type { ExecutionService } from '../../src/ports/execution-service.js';
import { held } from '../../src/testing/scripted-execution.js';
import { AT } from '../sim/disk/workspace-on.js';
import { every, HOUR, hourly, MINUTE, recordsOf, SECOND } from './jobs.js';
import { Machine } from './machine.js';
import { openFiles, sizeOf } from './tampering.js';

const { DateTimeFormat } = Intl;

afterEach(() => {
  Reflect.set(Intl, 'DateTimeFormat', DateTimeFormat);
});

/** Counts the formatters that are made from now on. */
function countedFormatters(): () => number {
  let made = 0;
  class Counted extends DateTimeFormat {
    constructor(...options: ConstructorParameters<typeof DateTimeFormat>) {
      super(...options);
      made += 1;
    }
  }
  Reflect.set(Intl, 'DateTimeFormat', Counted);
  return () => made;
}

/** A service that keeps nothing of what it ran. */
const FORGETFUL: ExecutionService = {
  capabilities: { needsWorkspace: false },
  providers: () => ['scripted'],
  plan: async () => ({ kind: 'planned', plan: { id: 'plan', digest: `sha256:${'0'.repeat(64)}`, providers: [] } }),
  execute: async () => ({ outcome: 'succeeded', stages: [], verification: { isVerified: true, receipts: [] } }),
};

/** Bytes of the heap that something still holds. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

describe('history', () => {
  it('[ST-6, OC-1] finished jobs stay, and the store grows; when old ones are removed their jobs run again: neither', async () => {
    const machine = new Machine({ perSchedule: 100 });
    const process = await machine.serve({ steps: [held()] });
    await process.schedules.create(hourly('busy', { trigger: every(SECOND), overlap: 'skip' }));
    await process.schedules.create(hourly('calm', { trigger: every(MINUTE), concurrencyKey: 'calm' }));
    await machine.pass(HOUR + 40 * MINUTE);
    const sizes = [sizeOf(machine.medium, AT)];
    for (let round = 0; round < 2; round++) {
      await machine.pass(40 * MINUTE);
      sizes.push(sizeOf(machine.medium, AT));
    }
    const most = Math.max(...sizes.map(({ bytes }) => bytes));
    expect(most, 'a journal, two snapshots, some pages of history').toBeLessThan(2_000_000);
    expect(sizes.at(-1)?.files).toBeLessThan(40);
    const { schedule } = await process.schedules.get('busy');
    expect((await recordsOf(process, 'busy')).length).toBeLessThan(schedule.spent);
    await process.kill();
    const next = await machine.serve();
    await next.schedules.ensure(hourly('busy', { trigger: every(SECOND), overlap: 'skip' }));
    const due = (await next.schedules.get('busy')).schedule.nextDue ?? '';
    expect(Date.parse(due)).toBeGreaterThan(machine.clock.now());
  });

  it('[ST-6, CO-6, OC-1] a process that keeps its catalogue in memory grows for ever: its history is bounded, and what went is kept in mind', async () => {
    const machine = new Machine({ store: 'memory' });
    const process = await machine.serve({ steps: [held()] });
    await process.schedules.create(hourly('job', { trigger: every(SECOND), overlap: 'skip' }));
    await process.schedules.trigger('job', { requestId: 'by-hand' });
    await machine.pass(2 * HOUR);
    const { records, next } = await process.workspace.store.history({ scheduleId: 'job', limit: 1000 });
    expect(records).toHaveLength(1000);
    const rest = await process.workspace.store.history({ scheduleId: 'job', limit: 1000, before: next ?? '1' });
    expect(rest.next).toBeUndefined();
    const { schedules } = await process.workspace.store.changes(0);
    const [stored] = schedules;
    expect(stored?.entry.schedule.spent).toBe(3601);
    expect(stored?.prunedThrough).toBeGreaterThan(Date.UTC(2026, 10, 30, 9));
    expect(stored?.requests).toEqual(['by-hand']);
  });
});

describe('memory', () => {
  it('[ST-6, OW-8] it grows over days: after five times as many runs a process holds no more than before', async () => {
    const machine = new Machine({ store: 'memory' });
    const process = await machine.serve({ observer: undefined, execution: FORGETFUL });
    const trigger = { kind: 'cron', expression: '*/2 * * * * *', timezone: 'Europe/Berlin' } as const;
    await process.schedules.create(hourly('job', { trigger }));
    const heapAfter = async (ms: number) => {
      await machine.pass(ms);
      return heapBytes();
    };
    const before = await heapAfter(80 * MINUTE);
    const after = await heapAfter(100 * MINUTE);
    expect((await process.schedules.get('job')).schedule.spent).toBeGreaterThan(3600);
    expect(after - before).toBeLessThan(2_000_000);
  });

  it('[TR-9, OW-8] each evaluation makes a date formatter, which is never freed: a zone has one, however often it is asked', () => {
    const made = countedFormatters();
    let at: number | undefined = Date.UTC(2026, 0, 1);
    for (let n = 0; n < 2000 && at !== undefined; n++) at = everyQuarter('Asia/Kathmandu')(at);
    expect(at).toBe(Date.UTC(2026, 0, 1) + 2000 * 15 * MINUTE);
    expect(made()).toBeLessThan(10);
  });

  it('[CT-7, OW-3] deleted, cancelled and finished jobs stay referenced, and wake the owner: nothing of them is left to look at', async () => {
    const machine = new Machine({ store: 'memory' });
    const { schedules } = await machine.serve();
    for (let n = 0; n < 300; n++) {
      await schedules.create(hourly(`deleted-${n}`));
      await schedules.delete(`deleted-${n}`, { revision: 1 });
      await schedules.create(hourly(`cancelled-${n}`));
      await schedules.cancel(`cancelled-${n}`, { revision: 1 });
    }
    expect((await schedules.status()).counts).toMatchObject({ schedules: 300, active: 0, pending: 0 });
    await machine.clock.advanceTo('2026-11-30T08:59:59Z');
    const { seq } = await schedules.status();
    await machine.pass(MINUTE);
    expect((await schedules.status()).seq).toBe(seq);
    expect(machine.clock.sleepers()).toHaveLength(1);
  });

  it('[CT-1, ST-5] listeners pile up on a signal, a watch or an observer that lives long: each call leaves none behind', async () => {
    const machine = new Machine();
    const { schedules, workspace } = await machine.serve();
    await schedules.create(hourly('job'));
    const { signal } = new AbortController();
    for (let n = 0; n < 200; n++) {
      await schedules.trigger('job', { requestId: `r${n}`, signal });
      await schedules.get('job', { signal });
      await schedules.waitFor(`job~1~m~r${n}`, { signal });
      workspace.store.watch(() => {})();
      schedules.observe(() => {})();
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    await machine.pass(MINUTE);
    expect(machine.clock.sleepers()).toHaveLength(1);
  });

  it('[ST-5, OW-4] each restart inside one process leaves a file, a lock or a watch open: closing closes all of it', async () => {
    const machine = new Machine();
    const open: number[] = [];
    for (let n = 0; n < 30; n++) {
      const process = await machine.serve();
      await process.schedules.ensure(hourly('job', { trigger: every(10 * SECOND) }));
      await machine.pass(MINUTE);
      await machine.shut(process);
      open.push(openFiles(machine.medium));
    }
    expect(open).toEqual(open.map(() => 0));
    expect(machine.clock.sleepers()).toEqual([]);
  });
});

/** The next quarter of an hour on the clock of a zone, compiled anew. */
function everyQuarter(timezone: string): (after: number) => number | undefined {
  const compiled = compileTrigger({ kind: 'cron', expression: '*/15 * * * *', timezone });
  if (!compiled.ok) throw new Error('the trigger is good');
  return (after) => compiled.value.next(after as EpochMs);
}
