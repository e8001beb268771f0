/** Clocks: sleep of the machine, steps of the wall clock in both directions, and the nights on which it changes. */
import { describe, expect, it } from 'vitest';
import type { CronTrigger } from '../../src/core/model/trigger.js';
import { fails, held } from '../../src/testing/scripted-execution.js';
import { coveredBy, DAY, every, HOUR, hourly, hours, MINUTE, recordsOf, SECOND } from './jobs.js';
import { Machine, type Process } from './machine.js';

/** The machine sleeps: timers and the monotonic clock stand still, the wall clock does not. */
async function sleep(machine: Machine, ms: number): Promise<void> {
  machine.clock.step(ms);
  await machine.pass(30 * SECOND);
}

function toldOf({ events }: Process): readonly string[] {
  return events.flatMap((event) => (event.type === 'owner' ? [event.change] : []));
}

describe('after standby', () => {
  it('[OW-3, CO-1] jobs run late by the length of the sleep, or never: within half a minute of waking, and on time from then on', async () => {
    const machine = new Machine();
    const process = await machine.serve();
    await process.schedules.create(hourly('job'));
    await machine.pass(30 * MINUTE);
    await sleep(machine, 45 * MINUTE);
    expect(machine.ranAt).toEqual(['11-30 09:15:30']);
    await machine.pass(2 * HOUR);
    expect(machine.ranAt.slice(1)).toEqual(['11-30 10:00', '11-30 11:00']);
  });

  it('[MF-2, MF-4] the job fires once for every missed interval: one run that says for how many it stands', async () => {
    const machine = new Machine();
    const process = await machine.serve();
    await process.schedules.create(hourly('job', { trigger: every(MINUTE), misfire: 'runOnce' }));
    await machine.pass(HOUR);
    await sleep(machine, 50 * MINUTE);
    expect((await recordsOf(process, 'job')).slice(1)).toEqual(['11-30 09:50 (50) succeeded']);
  });

  it.each(['skip', 'runOnce', 'catchUp'] as const)(
    '[CO-1, MF-1, MF-2, MF-3] the rule for missed runs holds after a restart, but not after sleep: %s does the same for both',
    async (misfire) => {
      const told: (readonly string[])[] = [];
      for (const isAsleep of [true, false]) {
        const machine = new Machine();
        const first = await machine.serve();
        await first.schedules.create(hourly('job', { misfire }));
        await machine.pass(30 * MINUTE);
        if (isAsleep) machine.clock.step(4 * HOUR);
        else {
          await first.kill();
          await machine.pass(4 * HOUR);
        }
        const process = isAsleep ? first : await machine.serve();
        await machine.pass(10 * MINUTE);
        told.push(await recordsOf(process, 'job'));
      }
      expect(told[0]).toEqual(told[1]);
      expect(told[0]).toHaveLength({ skip: 1, runOnce: 1, catchUp: 4 }[misfire]);
    },
  );

  it('[CO-6, OW-7] each sleep is taken for a change of the clock: time that both clocks saw is none', async () => {
    const machine = new Machine();
    const process = await machine.serve();
    await machine.pass(6 * HOUR);
    expect(toldOf(process)).toEqual(['started']);
    await sleep(machine, HOUR);
    expect(toldOf(process)).toEqual(['started', 'clockStep']);
  });

  it('[OC-5] the budget of a job that runs is spent by the sleep of the machine: it counts the time in which it could run', async () => {
    const machine = new Machine();
    const process = await machine.serve({ steps: [held()] });
    await process.schedules.create(hourly('job', { maxElapsedSeconds: 7200 }));
    await machine.pass(HOUR);
    await sleep(machine, 10 * HOUR);
    expect(process.open()).toHaveLength(1);
    process.release();
    await machine.clock.settle();
    expect((await recordsOf(process, 'job'))[0]).toBe('11-30 09:00 succeeded');
  });
});

describe('a clock that goes forward', () => {
  it('[MF-3, CO-3] everything is queued at once: what is caught up is bounded, oldest first', async () => {
    const machine = new Machine();
    const process = await machine.serve({ otherwise: held() });
    await process.schedules.create(hourly('job', { trigger: every(MINUTE), maxCatchUp: 5 }));
    machine.clock.step(DAY);
    await machine.pass(MINUTE);
    const { schedule, pending } = await process.schedules.get('job');
    expect(pending.map(({ dueAt }) => dueAt.slice(11, 16))).toEqual(['09:00', '09:01', '09:02', '09:03', '09:04']);
    expect(schedule.nextDue).toBe('2026-11-30T09:05:00.000Z');
  });

  it('[CO-1, MF-4, TR-8] set thirty years ahead, all missed instants are counted one by one: it costs nothing, and the count is a floor', async () => {
    const machine = new Machine();
    const { schedules } = await machine.serve();
    await schedules.create(hourly('job', { trigger: every(SECOND), misfire: 'runOnce' }));
    const before = process.cpuUsage();
    machine.clock.step(30 * 365 * DAY);
    await machine.pass(2 * SECOND);
    expect(process.cpuUsage(before).user / 1000, 'milliseconds of the processor').toBeLessThan(3000);
    const missed = (await schedules.get('job')).history.at(-1);
    expect(missed?.window).toMatchObject({ count: 10_000, isFloor: true });
  });

  it('[CO-6, MF-3] a wrong clock that is set right leaves nothing to run: once it is accepted, what is not accounted for goes on', async () => {
    const machine = new Machine();
    const process = await machine.serve();
    await process.schedules.create(hourly('job', { maxCatchUp: 2 }));
    machine.clock.step(30 * 365 * DAY);
    await machine.pass(SECOND);
    machine.clock.step(-30 * 365 * DAY);
    await machine.pass(MINUTE);
    const ran = [...machine.ran];
    await process.schedules.acceptClock();
    await machine.pass((ran.length + 2) * HOUR);
    expect(machine.ran.slice(ran.length)).toHaveLength(2);
    expect((await process.schedules.get('job')).schedule.nextDue?.slice(0, 7)).toBe('2026-11');
  });
});

describe('a clock that goes back', () => {
  it('[CO-6, CO-1] no job runs until the old time is reached again: a small step stops nothing, and doubles nothing', async () => {
    const machine = new Machine();
    const process = await machine.serve();
    await process.schedules.create(hourly('job', { trigger: every(MINUTE) }));
    await machine.pass(HOUR + 10 * MINUTE);
    machine.clock.step(-45 * SECOND);
    await machine.pass(3 * MINUTE);
    expect(machine.ran).toHaveLength(13);
  });

  it('[CO-6, OW-7, CT-1] nothing runs any more and nothing says why: a large step is told, and one call lets jobs go on', async () => {
    const machine = new Machine();
    const process = await machine.serve();
    await process.schedules.create(hourly('job', { trigger: every(10 * MINUTE) }));
    await machine.pass(2 * HOUR);
    const ran = [...machine.ran];
    machine.clock.step(-5 * HOUR);
    await machine.pass(MINUTE);
    expect(toldOf(process)).toEqual(['started', 'clockStep', 'clockBehind']);
    expect((await process.schedules.status()).clockStop).toMatchObject({ reason: 'clockBehind' });
    await process.schedules.trigger('job', { requestId: 'by-hand' });
    await machine.clock.settle();
    expect(machine.ran.length).toBe(ran.length + 1);
    await process.schedules.acceptClock();
    await machine.pass(6 * HOUR);
    expect((await process.schedules.status()).clockStop).toBeUndefined();
    expect((await process.schedules.get('job')).schedule.nextDue?.slice(11, 16)).toBe('11:10');
    // At 10:10, 10:20, …, 11:00, and the one by hand.
    expect(machine.ran.length).toBe(ran.length + 7);
  });

  it('[CO-6, OW-2] a mark in the future breaks the scan at start-up: the new owner says so, waits, and goes on', async () => {
    const machine = new Machine();
    const first = await machine.serve();
    await first.schedules.create(hourly('job'));
    await machine.pass(4 * HOUR);
    await first.kill();
    machine.clock.step(-2 * HOUR);
    const next = await machine.serve();
    expect(toldOf(next)).toContain('clockBehind');
    await machine.pass(2 * HOUR + 30 * MINUTE);
    expect(await recordsOf(next, 'job')).toEqual(hours(9, 12));
    await machine.pass(HOUR);
    expect(await recordsOf(next, 'job')).toEqual(hours(9, 13));
  });

  it('[OC-5] a waiting retry starts only when the old time is reached again: its wait is measured, not read off the wall', async () => {
    const machine = new Machine();
    const process = await machine.serve({ steps: [fails('once')] });
    const retryBackoff = { initialSeconds: 60, factor: 1, maxSeconds: 60 };
    await process.schedules.create(hourly('job', { maxRetries: 1, retryBackoff }));
    await machine.pass(HOUR);
    machine.clock.step(-50 * SECOND);
    await machine.pass(65 * SECOND);
    expect(machine.ran).toEqual(['job~1~20261130T090000000Z 1', 'job~1~20261130T090000000Z 2']);
  });
});

describe('the night on which clocks change', () => {
  const berlin = (expression: string): CronTrigger => ({ kind: 'cron', expression, timezone: 'Europe/Berlin' });

  it('[TR-3, TR-6, OC-1] autumn: jobs fire twice, an hour apart, or without pause for an hour: each instant once', async () => {
    const machine = new Machine({ start: '2026-10-24T20:00:00Z' });
    const process = await machine.serve();
    await process.schedules.create(hourly('daily', { trigger: berlin('30 2 * * *') }));
    await process.schedules.create(hourly('quarter', { trigger: berlin('*/15 * * * *') }));
    await machine.pass(9 * HOUR);
    expect(await recordsOf(process, 'daily')).toEqual(['10-25 00:30 succeeded']);
    expect(await recordsOf(process, 'quarter')).toHaveLength(9 * 4 + 1);
    expect((await process.schedules.get('daily')).schedule.nextDue).toBe('2026-10-26T01:30:00.000Z');
  });

  it('[TR-3, TR-6, CO-1] spring: a job loops in the gap, or stays shifted for the rest of the season: that day is passed over', async () => {
    const machine = new Machine({ start: '2027-03-27T20:00:00Z' });
    const process = await machine.serve();
    await process.schedules.create(hourly('daily', { trigger: berlin('30 2 * * *') }));
    await process.schedules.create(hourly('quarter', { trigger: berlin('*/15 * * * *') }));
    await machine.pass(30 * HOUR);
    expect(await recordsOf(process, 'daily')).toEqual(['03-29 00:30 succeeded']);
    expect(await coveredBy(process, 'quarter')).toBe(30 * 4 + 1);
    expect((await process.schedules.get('daily')).schedule.nextDue).toBe('2027-03-30T00:30:00.000Z');
  });

  it('[CO-1, TR-6, MF-3] a restart or a step in the repeated hour doubles or loses runs: all are accounted for once', async () => {
    const machine = new Machine({ start: '2026-10-24T23:50:00Z' });
    const first = await machine.serve();
    await first.schedules.create(hourly('quarter', { trigger: berlin('*/15 * * * *') }));
    await machine.pass(20 * MINUTE);
    await first.kill();
    await machine.pass(45 * MINUTE);
    const next = await machine.serve();
    machine.clock.step(HOUR);
    await machine.pass(30 * MINUTE);
    expect(await coveredBy(next, 'quarter')).toBe(10);
    expect(machine.ran).toHaveLength(10);
  });
});
