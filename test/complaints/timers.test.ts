/** Timers: waits that are longer than a timer can hold, timers that fire early, drift, and timers that are left over. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { memoryWorkspace } from '../../src/adapters/memory-workspace.js';
import type { EpochMs } from '../../src/core/time/instant.js';
import { openSchedules } from '../../src/open-schedules.js';
import type { Clock } from '../../src/ports/clock.js';
import type { CallOptions } from '../../src/ports/schedule-store.js';
import type { ManualClock } from '../../src/testing/manual-clock.js';
import { held, scriptedExecution, succeeds } from '../../src/testing/scripted-execution.js';
import { Random } from '../sim/random.js';
import { DAY, every, HOUR, hourly, MINUTE, recordsOf, SECOND } from './jobs.js';
import { Machine } from './machine.js';

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A clock that notes how long it is asked to wait. */
function notedClock(clock: Clock, asked: number[]): Clock {
  return {
    capabilities: clock.capabilities,
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    sleep: (ms: number, options?: CallOptions) => {
      asked.push(ms);
      return clock.sleep(ms, options);
    },
  };
}

/** A clock whose timers fire after a part of their time, as those of some systems do. */
function earlyClock(clock: Clock, part: number): Clock {
  const sleep = (ms: number, options?: CallOptions) => clock.sleep(Math.ceil(ms * part), options);
  return { capabilities: clock.capabilities, now: () => clock.now(), monotonic: () => clock.monotonic(), sleep };
}

/** A clock that skips whole naps, so that months pass in few steps: the owner wakes as it would after sleep. */
async function leap(clock: ManualClock, ms: number): Promise<void> {
  clock.step(ms);
  await clock.advance(30 * SECOND);
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a timer that is longer than it can hold', () => {
  it.each([24, 25, 49, 50, 400])(
    '[OW-3, CO-1] a job far in the future runs at once, or in a loop: a one-shot in %i days runs then, and once',
    async (days) => {
      const machine = new Machine({ store: 'memory' });
      const asked: number[] = [];
      const process = await machine.serve({ clock: notedClock(machine.clock, asked) });
      const at = new Date(machine.clock.now() + days * DAY);
      await process.schedules.create(hourly('job', { trigger: { kind: 'once', at } }));
      await machine.pass(MINUTE);
      expect(asked.length, 'it spins').toBeLessThan(20);
      await leap(machine.clock, days * DAY - HOUR);
      expect(machine.ran).toEqual([]);
      await machine.pass(2 * HOUR);
      expect(machine.ran).toHaveLength(1);
      expect(machine.ranAt).toEqual([at.toISOString().slice(5, 16).replace('T', ' ')]);
      expect(Math.max(...asked)).toBeLessThanOrEqual(LONGEST_TIMER_MS);
    },
  );

  it('[OC-5, C-4] the limits of a run overflow as well: a budget of days neither spins nor ends early', async () => {
    const machine = new Machine({ store: 'memory' });
    const asked: number[] = [];
    const process = await machine.serve({ clock: notedClock(machine.clock, asked), steps: [held()] });
    await process.schedules.create(hourly('job', { maxElapsedSeconds: 3 * 86_400, timeoutPerStageSeconds: 86_400 }));
    await machine.pass(2 * DAY);
    expect(process.open()).toEqual(['job~1~20261130T090000000Z']);
    expect(Math.max(...asked)).toBeLessThanOrEqual(LONGEST_TIMER_MS);
    await machine.pass(DAY + HOUR);
    expect((await recordsOf(process, 'job'))[0]).toBe('11-30 09:00 failed elapsedBudget');
  });
});

describe('a timer that fires early', () => {
  it.each([0.5, 0.9, 0.99])(
    '[CO-1, OC-1] the job runs before its time and again at it: with timers of %d of their time it runs at it, and once',
    async (part) => {
      const machine = new Machine({ store: 'memory' });
      const process = await machine.serve({ clock: earlyClock(machine.clock, part) });
      await process.schedules.create(hourly('job', { trigger: every(10 * SECOND) }));
      await machine.pass(HOUR + MINUTE);
      expect(machine.ranAt).toEqual(
        ['09:00', '09:00:10', '09:00:20', '09:00:30', '09:00:40', '09:00:50', '09:01'].map((at) => `11-30 ${at}`),
      );
    },
  );
});

describe('drift', () => {
  it('[TR-2, CO-1] a fixed rate is counted from the end of the last run: after 600 runs of any length no phase is lost', async () => {
    const machine = new Machine({ store: 'memory' });
    const process = await machine.serve({ otherwise: held() });
    const random = new Random('drift');
    await process.schedules.create(hourly('job', { trigger: every(7 * SECOND), misfire: 'runOnce', graceSeconds: 3 }));
    await machine.pass(HOUR);
    while (machine.ran.length < 600) {
      await machine.pass(random.between(0, 9000));
      // Now and then nobody looks for a while, so that some are late.
      if (random.between(0, 9) === 0) machine.clock.step(random.between(5000, 60_000));
      process.release();
      await machine.clock.settle();
    }
    const start = Date.UTC(2026, 10, 30, 9);
    const { history, schedule } = await process.schedules.get('job', { history: { limit: 1000 } });
    const dues = [...history.map(({ dueAt }) => dueAt), schedule.nextDue ?? ''].map((at) => Date.parse(at));
    expect(dues.filter((due) => (due - start) % (7 * SECOND) !== 0)).toEqual([]);
  });

  it('[TR-2, CT-5] pause and resume shift the phase of an interval: it comes from the start', async () => {
    const machine = new Machine({ store: 'memory' });
    const process = await machine.serve();
    await process.schedules.create(hourly('job'));
    for (const minutes of [7, 13, 29]) {
      await process.schedules.pause('job', { revision: 1 });
      await machine.pass(minutes * MINUTE);
      await process.schedules.resume('job', { revision: 1, missed: 'skip' });
      await machine.pass(minutes * MINUTE);
    }
    await machine.pass(2 * HOUR);
    expect(machine.ranAt).toEqual(['11-30 10:00', '11-30 11:00']);
  });
});

describe('timers and stop', () => {
  it('[OW-4] a stop leaves timers behind: nobody sleeps once the schedules are closed, whatever ran or waited', async () => {
    const machine = new Machine({ store: 'memory' });
    const process = await machine.serve({ steps: [held(), { ends: FAILED }], concurrency: 3 });
    await process.schedules.create(hourly('runs'));
    const retryBackoff = { initialSeconds: 600, factor: 1, maxSeconds: 600 };
    await process.schedules.create(hourly('waits', { maxRetries: 1, retryBackoff }));
    await machine.pass(HOUR + MINUTE);
    expect(machine.clock.sleepers().length).toBeGreaterThan(0);
    await machine.shut(process);
    expect(machine.clock.sleepers()).toEqual([]);
  });

  it('[OW-4, CT-10] the process ends while a job waits, or hangs because of a client: an owner keeps it alive, a client does not', async () => {
    const made = vi.spyOn(globalThis, 'setTimeout');
    const cleared = vi.spyOn(globalThis, 'clearTimeout');
    const naps = () => made.mock.results.filter((_, n) => made.mock.calls[n]?.[1] === 30 * SECOND);
    const schedules = await openSchedules({ workspace: memoryWorkspace(), execution: scriptedExecution() });
    await schedules.create(hourly('job', { trigger: every(HOUR, '2199-01-01T00:00:00Z') }));
    const owner = schedules.owner();
    expect(naps()).toEqual([]);
    await owner.start();
    await vi.waitUntil(() => naps().length > 0);
    const [nap] = naps();
    expect(nap?.value.hasRef()).toBe(true);
    await owner.stop();
    await schedules.close();
    expect(cleared).toHaveBeenCalledWith(nap?.value);
  });

  it('[OW-4, OW-1] after a stop and a start nothing is picked up: the cycle works as often as one likes', async () => {
    const machine = new Machine();
    const process = await machine.serve();
    await process.schedules.create(hourly('job', { trigger: every(10 * MINUTE) }));
    await machine.pass(HOUR);
    for (let cycle = 0; cycle < 10; cycle++) {
      await machine.clock.runUntil(process.owner.stop());
      await process.owner.start();
      await machine.pass(10 * MINUTE);
    }
    expect(machine.ran).toHaveLength(11);
  });

  it('[TB-2, OW-7] a schedule without a next instant stops in silence: it is told, listed as completed, and says why', async () => {
    const machine = new Machine({ store: 'memory' });
    const process = await machine.serve({ otherwise: succeeds() });
    const trigger = { kind: 'cron', expression: '0 10 30 11 *', timezone: 'UTC', end: '2026-12-24T00:00:00Z' } as const;
    await process.schedules.create(hourly('job', { trigger }));
    await machine.pass(3 * HOUR);
    const { schedules } = await process.schedules.list({ status: 'completed' });
    expect(schedules).toMatchObject([{ id: 'job', statusNote: { reason: 'triggerSpent' } }]);
    const told = process.events.flatMap((event) => (event.type === 'schedule' ? [event.to ?? event.change] : []));
    expect(told).toEqual(['active', 'completed']);
  });

  it('[OW-3, CO-1] ticks that drift past a fixed look-back window lose instants: the spans of any two ticks join', async () => {
    const machine = new Machine();
    const process = await machine.boot();
    const random = new Random('ticks');
    await process.schedules.create(hourly('job', { trigger: every(MINUTE), misfire: 'runOnce' }));
    while (machine.clock.now() < (Date.UTC(2026, 11, 2) as EpochMs)) {
      await machine.pass(random.of([59, 61, 75, 3600, 11_000]) * SECOND);
      await process.owner.tick();
    }
    const { history, schedule } = await process.schedules.get('job', { history: { limit: 1000 } });
    const covered = history.reduce((sum, { window }) => sum + (window?.count ?? 1), 0);
    const elapsed = (Date.parse(schedule.nextDue ?? '') - Date.UTC(2026, 10, 30, 9)) / MINUTE;
    expect(covered).toBe(elapsed);
  });
});

const FAILED = { outcome: 'failed', stages: [], fault: { code: 'broken', message: 'broken' } } as const;
