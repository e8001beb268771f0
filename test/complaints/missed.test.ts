/** Missed runs: what becomes of due instants that nobody was there for, and how much of it starts at once. */
import { describe, expect, it } from 'vitest';
import type { MisfirePolicy } from '../../src/core/model/declaration.js';
import { held } from '../../src/testing/scripted-execution.js';
import { coveredBy, DAY, every, HOUR, hourly, hours, MINUTE, pendingOf, recordsOf, SECOND } from './jobs.js';
import { Machine, type Process } from './machine.js';

/** Runs of an hourly schedule after a downtime from 08:00 to 12:30. */
async function afterDowntime(fields: Parameters<typeof hourly>[1]): Promise<readonly string[]> {
  const machine = new Machine();
  await (await machine.boot()).schedules.create(hourly('job', fields));
  await machine.pass(4 * HOUR + 30 * MINUTE);
  const process = await machine.serve();
  await machine.pass(MINUTE);
  return recordsOf(process, 'job');
}

describe('an outage', () => {
  it('[MF-1, MF-2, MF-3] one user wants each missed run, another one of them, another none: each is a policy of the schedule', async () => {
    const told: Record<string, readonly string[]> = {};
    for (const misfire of ['skip', 'runOnce', 'catchUp'] as const) told[misfire] = await afterDowntime({ misfire });
    expect(told).toEqual({
      skip: ['11-30 12:00 (4) skipped misfire'],
      runOnce: ['11-30 12:00 (4) succeeded'],
      catchUp: hours(9, 12),
    });
  });

  it('[CO-2, MF-2] the defaults lose runs in an ordinary outage: nothing is lost with what an author gets without asking', async () => {
    const defaults = { misfire: undefined, overlap: undefined };
    expect(await afterDowntime(defaults)).toEqual(['11-30 12:00 (4) succeeded']);
  });

  it('[CO-2] a slow machine drops jobs by a grace of one second: a minute of lateness is still in time', async () => {
    const machine = new Machine();
    const process = await machine.boot();
    await process.schedules.create(hourly('job', { misfire: 'skip', graceSeconds: undefined }));
    for (let hour = 0; hour < 3; hour++) {
      await machine.pass(hour === 0 ? HOUR + 55 * SECOND : HOUR);
      await process.owner.tick();
    }
    expect(await recordsOf(process, 'job')).toEqual(hours(9, 11));
  });

  it.each(['skip', 'runOnce', 'catchUp'] as const)(
    '[CO-1, MF-3, TR-8] after more than a hundred missed starts the job never starts again: with %s it goes on after years',
    async (misfire) => {
      const machine = new Machine();
      await (await machine.boot()).schedules.create(hourly('job', { trigger: every(MINUTE), misfire, maxCatchUp: 3 }));
      await machine.pass(2 * 365 * DAY);
      const process = await machine.serve();
      await machine.pass(SECOND);
      const before = machine.ran.length;
      await machine.pass(2 * MINUTE);
      expect(machine.ran.length).toBeGreaterThanOrEqual(before + 2);
      expect((await process.schedules.get('job')).schedule.status).toBe('active');
    },
  );

  it('[MF-5, OC-9] a run of Friday starts on Sunday: past its greatest lateness it is recorded, with the reason in words, and never run', async () => {
    const machine = new Machine();
    const first = await machine.serve();
    await first.schedules.create(hourly('job', { trigger: every(7 * DAY), maxLatenessSeconds: 86_400 }));
    await first.kill();
    await machine.pass(2 * DAY);
    const next = await machine.serve();
    const { history } = await next.schedules.get('job');
    expect(history).toMatchObject([{ status: 'skipped', reason: 'tooLate', explanation: expect.any(String) }]);
    expect(machine.ran).toEqual([]);
  });

  it('[MF-2, MF-4, OW-7] a yearly run is missed without a word: it runs late, and says how late and why', async () => {
    const machine = new Machine();
    const yearly = { kind: 'cron', expression: '0 9 1 1 *', timezone: 'UTC' } as const;
    await (await machine.serve()).schedules.create(hourly('job', { trigger: yearly, misfire: undefined }));
    await machine.pass(HOUR);
    await machine.end();
    await machine.pass(60 * DAY);
    const process = await machine.serve();
    expect((await process.schedules.get('job')).history).toMatchObject([
      { status: 'succeeded', dueAt: '2027-01-01T09:00:00.000Z', window: { count: 1, causes: ['ownerDown'] } },
    ]);
    const told = process.events.filter((event) => event.type === 'occurrence' && (event.latenessMs ?? 0) > 20 * DAY);
    expect(told.length).toBeGreaterThan(0);
  });

  it('[CO-1, MF-2] the catch-up run comes before the time of today and takes the place of the one of today: both run', async () => {
    const machine = new Machine();
    await (await machine.boot()).schedules.create(hourly('job', { trigger: every(DAY), misfire: 'runOnce' }));
    await machine.pass(3 * DAY + 30 * MINUTE);
    await machine.serve();
    await machine.pass(HOUR);
    expect(machine.ranAt).toEqual(['12-03 08:30', '12-03 09:00']);
  });

  it('[TR-1, MF-2, OV-1] each of several rules in one schedule catches up on its own: the union is caught up', async () => {
    const of = ['0 9 * * *', '0 10 * * *', '0 9,10,11 * * *'].map((expression) => {
      return { kind: 'cron', expression, timezone: 'UTC' } as const;
    });
    expect(await afterDowntime({ trigger: { kind: 'anyOf', of }, misfire: 'runOnce' })).toEqual([
      '11-30 11:00 (3) succeeded',
    ]);
    expect(await afterDowntime({ trigger: { kind: 'anyOf', of } })).toEqual(hours(9, 11));
  });
});

describe('a storm', () => {
  it('[OC-2, MF-2] three hundred overdue jobs start in one instant: no more at once than the host allows, and each one once', async () => {
    const machine = new Machine({ store: 'memory' });
    const first = await machine.boot();
    for (let n = 0; n < 300; n++) await first.schedules.create(hourly(`job-${n}`, { misfire: 'runOnce' }));
    await machine.pass(14 * DAY);
    const process = await machine.serve({ concurrency: 4, otherwise: held() });
    let most = 0;
    while (process.open().length > 0) {
      most = Math.max(most, process.open().length);
      process.release();
      await machine.clock.settle();
    }
    expect(most).toBe(4);
    expect(machine.ran).toHaveLength(300);
  });

  it('[OC-2, OW-2] work that must run one at a time runs several times at once after an outage or a crash: its key is held', async () => {
    const machine = new Machine();
    for (let crash = 0; crash < 3; crash++) {
      const process = await machine.serve({ concurrency: 10, otherwise: held() });
      for (const id of ['a', 'b', 'c']) await process.schedules.ensure(hourly(id, { concurrencyKey: 'press' }));
      await machine.pass(3 * HOUR);
      for (let end = 0; end < 4; end++) {
        expect(process.open()).toHaveLength(1);
        process.release();
        await machine.clock.settle();
      }
      await process.kill();
      await machine.pass(3 * HOUR);
    }
  });

  it('[DE-12, CO-1] everything that is due on the hour starts together: a spread puts each job off by a span of its own', async () => {
    const machine = new Machine({ store: 'memory' });
    const process = await machine.serve({ concurrency: 50 });
    for (let n = 0; n < 20; n++) await process.schedules.create(hourly(`job-${n}`, { spreadSeconds: 600 }));
    await machine.pass(HOUR + 10 * MINUTE);
    expect(new Set(machine.ranAt).size).toBeGreaterThan(15);
    await machine.pass(HOUR);
    const minutes = machine.ranAt.map((at) => at.slice(at.indexOf(':')));
    expect(minutes.slice(20)).toEqual(minutes.slice(0, 20));
  });
});

describe('a pause', () => {
  const MISSED: Readonly<Record<MisfirePolicy, readonly string[]>> = {
    skip: ['11-30 11:00 (3) skipped misfire'],
    runOnce: ['11-30 11:00 (3) succeeded'],
    catchUp: hours(9, 11),
  };

  it.each(['skip', 'runOnce', 'catchUp'] as const)(
    '[CT-5, MF-4] a resume fires what was passed, or forgets it: it says %s for this once, whatever is declared, and leaves a record',
    async (missed) => {
      const machine = new Machine();
      const process = await machine.serve();
      await process.schedules.create(hourly('job', { misfire: missed === 'skip' ? 'catchUp' : 'skip' }));
      await process.schedules.pause('job', { revision: 1 });
      await machine.pass(3 * HOUR + 30 * MINUTE);
      await process.kill();
      const next = await machine.boot();
      await next.schedules.resume('job', { revision: 1, missed });
      await next.owner.start();
      await machine.pass(HOUR);
      expect(await recordsOf(next, 'job')).toEqual([...MISSED[missed], ...hours(12, 12)]);
      const { history } = await next.schedules.get('job');
      if (missed !== 'catchUp') expect(history[1]?.window?.causes).toContain('paused');
    },
  );
});

describe('a slot that is taken', () => {
  async function longRun(machine: Machine, id: string): Promise<Process> {
    const process = await machine.serve({ steps: [held()] });
    await process.schedules.create(hourly(id, { trigger: every(DAY) }));
    await machine.pass(HOUR);
    return process;
  }

  it('[OC-2, CO-5] a one-shot whose moment passed while another job ran never runs, and says nothing: it stays owed', async () => {
    const machine = new Machine();
    const first = await longRun(machine, 'long');
    await first.schedules.create(hourly('once', { trigger: { kind: 'once', at: '2026-11-30T09:30:00Z' } }));
    await machine.pass(2 * HOUR);
    expect(await pendingOf(first, 'once')).toEqual(['11-30 09:30 queued']);
    await first.kill();
    const next = await machine.serve();
    expect(await recordsOf(next, 'once')).toEqual(['11-30 09:30 succeeded']);
  });

  it('[OV-2, CO-1] a run that outlasts its interval has the missed one start at the next time: it starts at once', async () => {
    const machine = new Machine();
    const process = await machine.serve({ steps: [held()] });
    await process.schedules.create(hourly('job'));
    await machine.pass(2 * HOUR + 20 * MINUTE);
    process.release();
    await machine.pass(SECOND);
    expect(machine.ranAt).toEqual(['11-30 09:00', '11-30 10:20']);
  });

  it('[CO-5, OW-2] the next time moves on though nothing ran, and the list looks perfect: each instant has a record', async () => {
    const machine = new Machine();
    for (let crash = 0; crash < 4; crash++) {
      const process = await machine.serve({ steps: [held()] });
      await process.schedules.ensure(
        hourly('job', { trigger: every(10 * MINUTE), misfire: 'runOnce', overlap: 'skip' }),
      );
      await machine.pass(75 * MINUTE);
      await process.kill();
      await machine.pass(35 * MINUTE);
    }
    const last = await machine.serve();
    await machine.clock.settle();
    const { nextDue } = (await last.schedules.get('job')).schedule;
    const due = (Date.parse(nextDue ?? '') - Date.UTC(2026, 10, 30, 9)) / (10 * MINUTE);
    expect(await coveredBy(last, 'job')).toBe(due);
  });
});
