/** Edits and deployments: what users find doubled, left over or undone when a schedule is registered anew. */
import { describe, expect, it } from 'vitest';
import { fails, held } from '../../src/testing/scripted-execution.js';
import { DAY, every, HOUR, hourly, hours, MINUTE, pendingOf, recordsOf, SECOND } from './jobs.js';
import { Machine } from './machine.js';

const HALF_PAST = every(HOUR, '2026-11-30T08:30:00Z');

describe('registering at every start', () => {
  it('[CT-13, ST-5] several copies after restarts, or of processes that start at once: one schedule, one run', async () => {
    const machine = new Machine();
    const processes = await Promise.all(Array.from({ length: 8 }, () => machine.boot()));
    const results = await Promise.all(processes.map(({ schedules }) => schedules.ensure(hourly('job'))));
    expect(results.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    const owner = await machine.serve();
    for (let round = 0; round < 5; round++) await owner.schedules.ensure(hourly('job'));
    await machine.pass(HOUR);
    expect((await owner.schedules.list()).schedules).toHaveLength(1);
    expect(machine.ran).toHaveLength(1);
  });

  it('[OC-1, CT-13] two schedules of one handler overwrite each other: an id names a schedule, whatever it runs', async () => {
    const machine = new Machine();
    const document = { version: 'test/1', of: 'both' };
    for (let start = 0; start < 3; start++) {
      const process = await machine.serve();
      await process.schedules.ensure(hourly('north', { document }));
      await process.schedules.ensure(hourly('south', { document, trigger: HALF_PAST }));
      await machine.pass(30 * MINUTE);
      await process.kill();
    }
    expect(machine.ranAt).toEqual(['11-30 08:30', '11-30 09:00', '11-30 09:30']);
  });

  it('[CT-13, CT-5] a deployment cancels the pause that a person made: it stays paused, also with a new rule', async () => {
    const machine = new Machine();
    const first = await machine.serve();
    await first.schedules.ensure(hourly('job'));
    await first.schedules.pause('job', { revision: 1, note: 'audit' });
    await first.kill();
    const next = await machine.serve();
    await next.schedules.ensure(hourly('job', { trigger: HALF_PAST }));
    await machine.pass(2 * HOUR);
    expect((await next.schedules.get('job')).schedule).toMatchObject({
      status: 'paused',
      statusNote: { note: 'audit' },
    });
    expect(machine.ran).toEqual([]);
  });

  it('[CT-13] a deployment deletes late runs that should still run: an equal declaration leaves them alone', async () => {
    const machine = new Machine();
    const first = await machine.serve({ otherwise: held() });
    await first.schedules.ensure(hourly('job'));
    await machine.pass(3 * HOUR);
    await first.kill();
    const next = await machine.boot();
    await next.schedules.ensure(hourly('job'));
    expect(await pendingOf(next, 'job')).toEqual(['11-30 09:00 running', '11-30 10:00 queued', '11-30 11:00 queued']);
    await next.owner.start();
    await machine.clock.settle();
    expect((await recordsOf(next, 'job')).slice(1)).toEqual(hours(10, 11));
  });

  it('[CO-1, OC-1] registering another schedule makes others run again that are still in their grace: a done run is done', async () => {
    const machine = new Machine();
    const process = await machine.serve();
    await process.schedules.create(hourly('a', { graceSeconds: 3600 }));
    await machine.pass(HOUR + SECOND);
    for (const id of ['b', 'c', 'd']) {
      await process.schedules.create(hourly(id, { graceSeconds: 3600 }));
      await machine.pass(MINUTE);
    }
    expect(machine.ran).toEqual(['a~1~20261130T090000000Z 1']);
  });
});

describe('an edit', () => {
  it('[CT-3, CO-5] the old rule fires beside the new one: its queue is withdrawn with a reason, and it is never due again', async () => {
    const machine = new Machine();
    const first = await machine.serve({ steps: [held()] });
    await first.schedules.create(hourly('job'));
    await machine.pass(2 * HOUR);
    await first.schedules.update('job', { trigger: HALF_PAST }, { revision: 1, pending: 'withdraw' });
    expect(await recordsOf(first, 'job')).toEqual(['11-30 10:00 skipped superseded']);
    first.release();
    await machine.pass(HOUR);
    await first.kill();
    const next = await machine.serve();
    await machine.pass(HOUR);
    expect(machine.ranAt).toEqual(['11-30 09:00', '11-30 10:30', '11-30 11:30']);
    expect((await recordsOf(next, 'job')).filter((record) => record.includes('succeeded'))).toHaveLength(3);
  });

  it('[CT-3] an update takes effect only after the old interval: it is due by the new rule at once', async () => {
    const machine = new Machine();
    const process = await machine.serve();
    await process.schedules.create(hourly('job', { trigger: every(30 * DAY, '2026-12-24T00:00:00Z') }));
    await machine.pass(10 * MINUTE);
    const changes = { trigger: every(10 * SECOND) };
    const updated = await process.schedules.update('job', changes, { revision: 1 });
    expect(updated.nextDue).toBe('2026-11-30T09:00:00.000Z');
    await machine.pass(50 * MINUTE + 20 * SECOND);
    expect(machine.ranAt).toEqual(['11-30 09:00', '11-30 09:00:10', '11-30 09:00:20']);
  });

  it('[CT-3, CO-5] an edit runs what the new rule missed before it: it owes nothing from before its own time', async () => {
    const machine = new Machine();
    const first = await machine.boot();
    await first.schedules.create(hourly('job'));
    await machine.pass(4 * HOUR + 10 * MINUTE);
    const next = await machine.boot();
    await next.schedules.ensure(hourly('job', { trigger: every(MINUTE, '2026-11-30T00:00:30Z') }));
    await next.owner.start();
    await machine.pass(MINUTE);
    expect(await recordsOf(next, 'job')).toEqual(['11-30 12:00 (4) skipped superseded', '11-30 12:10:30 succeeded']);
  });

  it('[CO-6, CT-3, OC-1] an edit at the very instant of a run makes it due again: never, under any revision', async () => {
    const machine = new Machine();
    const process = await machine.serve();
    await process.schedules.create(hourly('job'));
    await machine.pass(HOUR);
    for (let revision = 1; revision <= 3; revision++) {
      const { nextDue } = await process.schedules.update('job', { graceSeconds: 60 + revision }, { revision });
      expect(nextDue).toBe('2026-11-30T10:00:00.000Z');
    }
    await machine.pass(MINUTE);
    expect(machine.ran).toEqual(['job~1~20261130T090000000Z 1']);
  });

  it('[CT-3, TR-9] a change of the zone silently skips a run that is due: it is a new revision with an explicit next instant', async () => {
    const machine = new Machine();
    const process = await machine.serve();
    const daily = (timezone: string) => ({ kind: 'cron', expression: '0 10 * * *', timezone }) as const;
    await process.schedules.create(hourly('job', { trigger: daily('Europe/Berlin') }));
    await machine.pass(30 * MINUTE);
    const updated = await process.schedules.update('job', { trigger: daily('Europe/London') }, { revision: 1 });
    expect(updated).toMatchObject({ revision: 2, nextDue: '2026-11-30T10:00:00.000Z' });
    await machine.pass(2 * HOUR);
    expect(machine.ranAt).toEqual(['11-30 10:00']);
  });

  it('[CT-3, OC-4] a run is given a definition that changed under it: each one keeps the document that it was admitted with', async () => {
    const machine = new Machine();
    const first = await machine.serve({ steps: [held()] });
    await first.schedules.create(hourly('job'));
    await machine.pass(HOUR);
    const document = { version: 'test/2' };
    await first.schedules.update('job', { document }, { revision: 1, pending: 'withdraw' });
    first.release();
    await machine.pass(HOUR);
    const { history } = await first.schedules.get('job');
    expect(history.map(({ revision }) => revision)).toEqual([2, 1]);
    expect(machine.documents).toEqual(['test/1', 'test/2']);
  });
});

describe('what is left over', () => {
  it('[CT-7, CT-1] a removed job goes on after a deployment: a deleted one is gone, one that nobody registers is listed', async () => {
    const machine = new Machine();
    const first = await machine.serve();
    for (const id of ['kept', 'removed', 'forgotten']) await first.schedules.create(hourly(id));
    await first.schedules.delete('removed', { revision: 1 });
    await first.kill();
    const next = await machine.serve();
    await next.schedules.ensure(hourly('kept'));
    await machine.pass(HOUR);
    expect((await next.schedules.list()).schedules.map(({ id }) => id)).toEqual(['forgotten', 'kept']);
    expect(machine.starts('removed~1~20261130T090000000Z')).toBe(0);
  });

  it('[CT-7] a deleted schedule is still listed, and cannot be deleted again: every process sees it gone, and is told so', async () => {
    const machine = new Machine();
    const [first, other] = [await machine.boot(), await machine.boot()];
    await first.schedules.create(hourly('job'));
    expect((await other.schedules.list()).schedules).toHaveLength(1);
    await first.schedules.delete('job', { revision: 1 });
    for (const { schedules } of [first, other]) {
      expect((await schedules.list()).schedules).toEqual([]);
      await expect(schedules.delete('job', { revision: 1 })).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND' });
    }
  });

  it('[OC-4, OC-5] a job whose handler is gone fails at each tick without end: it fails with a reason and parks after so many', async () => {
    const machine = new Machine();
    const first = await machine.serve({ steps: [] });
    await first.schedules.create(hourly('job', { pauseAfterFailures: 3, maxRetries: 2 }));
    await first.schedules.create(hourly('other', { allowedProviders: [] }));
    await machine.pass(HOUR);
    await first.kill();
    const next = await machine.serve({ authorised: [] });
    await machine.pass(10 * HOUR);
    expect((await next.schedules.get('job')).schedule).toMatchObject({
      status: 'paused',
      statusNote: { reason: 'failuresInRow' },
    });
    expect((await recordsOf(next, 'job')).slice(1)).toEqual(hours(10, 12, 'failed notRetryable'));
    expect(await recordsOf(next, 'other')).toEqual(hours(9, 19));
  });

  it('[CT-7, CO-5] a schedule vanishes when it is paused for longer than anything is kept, or finished: only a person deletes it', async () => {
    const machine = new Machine({ perSchedule: 1 });
    const first = await machine.serve();
    await first.schedules.create(hourly('paused'));
    await first.schedules.pause('paused', { revision: 1 });
    await first.schedules.create(hourly('finished', { maxOccurrences: 1 }));
    await machine.pass(HOUR);
    await first.kill();
    await machine.pass(3 * 365 * DAY);
    const next = await machine.serve();
    const { schedules } = await next.schedules.list();
    expect(schedules.map(({ id, status }) => `${id} ${status}`)).toEqual(['finished completed', 'paused paused']);
    expect(await recordsOf(next, 'finished')).toEqual(hours(9, 9));
    const resumed = await next.schedules.resume('paused', { revision: 1, missed: 'skip' });
    expect(resumed.status).toBe('active');
  });

  it('[OC-5] the count of failures is not reset by a success, so that a schedule stops for ever: it starts anew', async () => {
    const machine = new Machine();
    const steps = [fails('a'), fails('b'), undefined, fails('c'), fails('d'), undefined];
    const process = await machine.serve({ steps: steps.map((step) => step ?? { ends: SUCCESS }) });
    await process.schedules.create(hourly('job', { pauseAfterFailures: 3 }));
    await machine.pass(7 * HOUR);
    expect((await process.schedules.get('job')).schedule).toMatchObject({ status: 'active', failuresInRow: 0 });
    expect(machine.ran).toHaveLength(7);
  });
});

const SUCCESS = { outcome: 'succeeded', stages: [], verification: { isVerified: true, receipts: [] } } as const;
