/** Restarts: what users find doubled, lost or gone after a process came back. */
import { describe, expect, it } from 'vitest';
import { fails, held } from '../../src/testing/scripted-execution.js';
import { LOSES_ALL } from '../sim/disk/power-cut.js';
import { DAY, every, HOUR, hourly, hours, MINUTE, pendingOf, recordsOf, SECOND } from './jobs.js';
import { Machine, STORES } from './machine.js';

describe.each(STORES)('a restart, with the store in %s', (store) => {
  it('[OC-1, CO-1] a job runs twice after a restart: never, however often the process comes back', async () => {
    const machine = new Machine({ store });
    for (let restart = 0; restart < 25; restart++) {
      const process = await machine.serve();
      await process.schedules.ensure(hourly('job'));
      await machine.pass(5 * MINUTE);
      await process.kill();
    }
    const last = await machine.serve();
    expect(await recordsOf(last, 'job')).toEqual(hours(9, 10));
    expect(machine.ran).toHaveLength(2);
  });

  it('[OC-3, OC-6, OW-2] a job that was cut by a crash runs again by itself: never, in memory or on disk', async () => {
    const machine = new Machine({ store });
    const first = await machine.serve({ steps: [held()] });
    await first.schedules.ensure(hourly('job', { maxRetries: 2 }));
    await machine.pass(HOUR + MINUTE);
    await first.kill();
    const next = await machine.serve();
    await machine.pass(HOUR);
    expect(await recordsOf(next, 'job')).toEqual(['11-30 09:00 interrupted ownerDied', '11-30 10:00 succeeded']);
    expect(machine.starts('job~1~20261130T090000000Z')).toBe(1);
  });

  it('[CO-1, CO-2] an occurrence that falls due in the seconds of a restart is lost: it runs when the process is back', async () => {
    const machine = new Machine({ store });
    const first = await machine.serve();
    await first.schedules.ensure(hourly('job', { misfire: 'skip' }));
    await machine.pass(HOUR - 5 * SECOND);
    await machine.shut(first);
    await machine.pass(15 * SECOND);
    const next = await machine.serve();
    expect(await recordsOf(next, 'job')).toEqual(hours(9, 9));
    expect(machine.ranAt).toEqual(['11-30 09:00:10']);
  });

  it('[CT-7, OC-1] a job that is removed and registered again within its interval: it goes on, and runs nothing twice', async () => {
    const machine = new Machine({ store });
    const process = await machine.serve();
    await process.schedules.create(hourly('job'));
    await machine.pass(HOUR);
    const { revision } = (await process.schedules.get('job')).schedule;
    await process.schedules.delete('job', { revision });
    await process.schedules.create(hourly('job'));
    expect((await process.schedules.get('job')).schedule.nextDue).toBe('2026-11-30T10:00:00.000Z');
    await machine.pass(HOUR);
    expect(machine.ran).toEqual(['job~1~20261130T090000000Z 1', 'job~2~20261130T100000000Z 1']);
  });
});

describe('an interval', () => {
  it('[TR-2, CO-1] a weekly job never runs since each deployment starts its countdown anew: it is due by its start alone', async () => {
    const machine = new Machine();
    await machine.pass(HOUR - MINUTE);
    for (let day = 0; day < 15; day++) {
      const process = await machine.serve();
      await process.schedules.ensure(hourly('weekly', { trigger: every(7 * DAY) }));
      await machine.pass(2 * MINUTE);
      await process.kill();
      await machine.pass(DAY - 2 * MINUTE);
    }
    expect(machine.ranAt).toEqual(['11-30 09:00', '12-07 09:00', '12-14 09:00']);
  });

  it('[CT-4, CT-13] a monthly job runs at every deployment: a registration owes nothing from before', async () => {
    const machine = new Machine();
    const trigger = { kind: 'cron', expression: '0 0 1 * *', timezone: 'Europe/Berlin' } as const;
    for (let deployment = 0; deployment < 4; deployment++) {
      const process = await machine.serve();
      await process.schedules.ensure(hourly('monthly', { trigger, misfire: 'runOnce' }));
      await machine.pass(MINUTE);
      await process.kill();
    }
    expect(machine.ran).toEqual([]);
    const process = await machine.serve();
    await machine.pass(DAY);
    expect(await recordsOf(process, 'monthly')).toEqual(['11-30 23:00 succeeded']);
  });
});

describe('the chain of runs', () => {
  it('[CO-1, CT-11, OC-5] it breaks for ever when one run fails, is stopped, or dies: the next instant comes from the rule', async () => {
    const machine = new Machine();
    const first = await machine.serve({ steps: [fails('broken'), held(), held()] });
    await first.schedules.ensure(hourly('job'));
    await machine.pass(2 * HOUR + MINUTE);
    await first.schedules.stop('job', 'job~1~20261130T100000000Z');
    await machine.pass(HOUR);
    await first.kill();
    const next = await machine.serve();
    await machine.pass(HOUR);
    expect(await recordsOf(next, 'job')).toEqual([
      '11-30 09:00 failed retriesSpent',
      '11-30 10:00 cancelled stopped',
      '11-30 11:00 interrupted ownerDied',
      '11-30 12:00 succeeded',
    ]);
  });

  it('[ST-2, CO-1] everything is gone after a restart: schedules, history and the next instant survive a power cut', async () => {
    const machine = new Machine();
    const first = await machine.serve();
    for (const id of ['a', 'b', 'c']) await first.schedules.create(hourly(id));
    await machine.pass(2 * HOUR);
    await first.kill();
    machine.medium.cutPower(LOSES_ALL);
    const next = await machine.serve();
    const { schedules } = await next.schedules.list();
    expect(schedules.map(({ id, nextDue }) => `${id} ${nextDue}`)).toEqual([
      'a 2026-11-30T11:00:00.000Z',
      'b 2026-11-30T11:00:00.000Z',
      'c 2026-11-30T11:00:00.000Z',
    ]);
    for (const id of ['a', 'b', 'c']) expect(await recordsOf(next, id)).toEqual(hours(9, 10));
  });

  it('[OC-3, ST-2] a run is lost between its admission and its start: it waits in the catalogue for the next owner', async () => {
    const machine = new Machine();
    const first = await machine.serve({ otherwise: held() });
    await first.schedules.create(hourly('long'));
    await first.schedules.create(hourly('behind'));
    await machine.pass(HOUR);
    expect(machine.ran).toHaveLength(1);
    const waiting = machine.ran[0]?.startsWith('long') ? 'behind' : 'long';
    expect(await pendingOf(first, waiting)).toEqual(['11-30 09:00 queued']);
    await first.kill();
    const next = await machine.serve();
    await machine.clock.settle();
    expect(await recordsOf(next, waiting)).toEqual(hours(9, 9));
  });
});
