/** Stuck states: runs, flags and schedules that a crash, an error or one bad neighbour leaves standing for ever. */
import { describe, expect, it } from 'vitest';
import { fails, held, hung, rejects } from '../../src/testing/scripted-execution.js';
import { DAY, every, HOUR, hourly, hours, MINUTE, pendingOf, recordsOf, SECOND } from './jobs.js';
import { Machine, STORES } from './machine.js';
import { takeCatalogueAway } from './tampering.js';

const FIRST = 'job~1~20261130T090000000Z';

describe.each(STORES)('work of a dead worker, with the store in %s', (store) => {
  it('[OW-2, OC-6] it stays locked for hours, or for ever: the next owner ends it at once, and the next instant runs', async () => {
    const machine = new Machine({ store });
    const first = await machine.serve({ steps: [held()] });
    await first.schedules.create(hourly('job', { overlap: 'skip' }));
    await machine.pass(HOUR + MINUTE);
    await first.kill();
    const next = await machine.serve();
    expect(await recordsOf(next, 'job')).toEqual(['11-30 09:00 interrupted ownerDied']);
    expect(await pendingOf(next, 'job')).toEqual([]);
    await machine.pass(HOUR);
    expect(machine.ranAt).toEqual(['11-30 09:00', '11-30 10:00']);
  });

  it('[OW-2, OC-6] thousands stay in running: all of one owner are ended before anything else is done', async () => {
    const machine = new Machine({ store });
    const first = await machine.serve({ otherwise: held(), concurrency: 100 });
    for (let n = 0; n < 100; n++) await first.schedules.create(hourly(`job-${n}`));
    await machine.pass(HOUR);
    expect(machine.ran).toHaveLength(100);
    await first.kill();
    const next = await machine.serve();
    expect((await next.schedules.status()).counts).toMatchObject({ running: 0, pending: 0, unresolved: 100 });
  });

  it('[CT-16, OC-9] a run that a restart has cut leaves no record, and the night looks healthy: it is listed until somebody looks', async () => {
    const machine = new Machine({ store });
    const first = await machine.serve({ steps: [held()] });
    await first.schedules.create(hourly('job'));
    await machine.pass(HOUR);
    await first.kill();
    const { schedules, events } = await machine.serve();
    expect((await schedules.list({ failing: true })).schedules).toMatchObject([{ marks: { unresolved: [FIRST] } }]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'occurrence', to: 'interrupted' }));
    await schedules.resolve('job', FIRST, { verdict: 'done', note: 'seen in the mail log' });
    expect((await schedules.list({ failing: true })).schedules).toEqual([]);
  });

  it('[OW-2, OC-7] the rescue overwrites a job that was completed in between: what is recorded is never touched again', async () => {
    const machine = new Machine({ store });
    const first = await machine.serve({ steps: [held()] });
    await first.schedules.create(hourly('job'));
    await machine.pass(HOUR);
    first.release();
    await machine.clock.settle();
    await first.kill();
    const next = await machine.serve();
    expect(await recordsOf(next, 'job')).toEqual(hours(9, 9));
  });

  it('[OC-5, OW-2] attempts of a retried job are counted anew after each restart, so that it never ends: its budget holds', async () => {
    const machine = new Machine({ store });
    const retryBackoff = { initialSeconds: 600, factor: 1, maxSeconds: 600 };
    for (let restart = 0; restart < 6; restart++) {
      const process = await machine.serve({ otherwise: fails(`broken-${restart}`) });
      const fields = { trigger: every(30 * DAY), maxRetries: 2, retryBackoff };
      await process.schedules.ensure(hourly('job', fields));
      await machine.pass(HOUR + MINUTE);
      await process.kill();
    }
    const last = await machine.serve();
    expect(await recordsOf(last, 'job')).toEqual(['11-30 09:00 failed retriesSpent']);
    expect(machine.starts(FIRST)).toBe(3);
  });
});

describe('one bad neighbour', () => {
  it('[OW-2, OC-8] a run whose evidence cannot be read keeps the rescue of all others from ending: it is ended as unknown', async () => {
    const machine = new Machine();
    const options = { otherwise: held(), concurrency: 3, needsWorkspace: true } as const;
    const first = await machine.serve(options);
    for (const id of ['a', 'job', 'z']) await first.schedules.create(hourly(id));
    await machine.pass(HOUR);
    await first.kill();
    let isMended = false;
    const isBad = (path: string) => !isMended && path.startsWith('/work/occurrences/job');
    const next = await machine.serve({
      needsWorkspace: true,
      hook: ({ call, path }) => (call === 'list' && isBad(path) ? { kind: 'fail', code: 'EACCES' } : undefined),
    });
    for (const id of ['a', 'job', 'z']) {
      const { history } = await next.schedules.get(id);
      expect(history).toMatchObject([{ status: 'interrupted', reason: 'ownerDied', nativeState: 'unknown' }]);
    }
    await machine.pass(HOUR);
    // What may have run under another revision is not run (CO-6); the others are, and this one once its evidence can be read.
    expect((await recordsOf(next, 'a')).slice(1)).toEqual(hours(10, 10));
    expect((await recordsOf(next, 'job')).slice(1)).toEqual(['11-30 10:00 failed retriesSpent']);
    isMended = true;
    await machine.pass(HOUR);
    expect((await recordsOf(next, 'job')).slice(2)).toEqual(hours(11, 11));
  });

  it('[OC-2, OC-11] a handler that never ends keeps every other schedule from running: it loses its slot, and is marked', async () => {
    const machine = new Machine();
    const process = await machine.serve({ steps: [hung()], drainSeconds: 5 });
    await process.schedules.create(hourly('job', { maxElapsedSeconds: 1800 }));
    await machine.pass(HOUR);
    await process.schedules.create(hourly('other', { trigger: every(HOUR, '2026-11-30T09:10:00Z') }));
    await machine.pass(2 * HOUR);
    expect((await process.schedules.get('job')).schedule.quarantine).toMatchObject({ reason: 'unresponsive' });
    expect(await recordsOf(process, 'other')).toEqual(['11-30 09:10 succeeded', '11-30 10:10 succeeded']);
    process.release();
    await machine.pass(HOUR);
    expect((await process.schedules.get('job')).schedule.quarantine).toBeUndefined();
    expect((await recordsOf(process, 'job')).at(-1)).toBe('11-30 12:00 succeeded');
  });
});

describe('the overlap guard', () => {
  it.each([
    ['throws', rejects(new Error('thrown'))],
    ['fails', fails('broken')],
    ['is aborted', held()],
  ] as const)(
    '[OV-3, OC-5] a run that %s leaves the guard closed, and the schedule never runs again: it is open',
    async (how, step) => {
      const machine = new Machine();
      const process = await machine.serve({ steps: [step] });
      await process.schedules.create(hourly('job', { overlap: 'skip' }));
      await machine.pass(HOUR + MINUTE);
      if (how === 'is aborted') await process.schedules.stop('job', FIRST);
      await machine.pass(HOUR);
      expect((await recordsOf(process, 'job')).at(-1)).toBe('11-30 10:00 succeeded');
    },
  );

  it.each(['skip', 'coalesce', 'queue'] as const)(
    '[OV-2, OV-3, OV-4, OC-2] the guard opens before the work has ended, or is not there for some triggers: with %s it follows the end',
    async (overlap) => {
      const machine = new Machine();
      const process = await machine.serve({ otherwise: held(), concurrency: 9 });
      const cron = { kind: 'cron', expression: '*/10 * * * *', timezone: 'UTC' } as const;
      await process.schedules.create(hourly('by-interval', { overlap, trigger: every(10 * MINUTE) }));
      await process.schedules.create(
        hourly('by-cron', { overlap, trigger: { ...cron, start: '2026-11-30T09:00:00Z' } }),
      );
      await machine.pass(2 * HOUR);
      await process.schedules.trigger('by-cron');
      expect(process.open().map((id) => id.split('~')[0])).toEqual(['by-cron', 'by-interval']);
      for (const id of ['by-cron', 'by-interval']) {
        const waiting = (await process.schedules.get(id)).pending.length - 1;
        expect(waiting).toBe({ skip: 0, coalesce: 1, queue: id === 'by-cron' ? 7 : 6 }[overlap]);
      }
    },
  );

  it('[OV-3, CT-16, OC-5] a stuck run makes all later ones skip unseen: it is told at 3, 10 and 100, and the budget ends the run', async () => {
    const machine = new Machine();
    const process = await machine.serve({ steps: [held()] });
    const fields = { trigger: every(MINUTE), overlap: 'skip', maxElapsedSeconds: 101.5 * 60 } as const;
    await process.schedules.create(hourly('job', fields));
    await machine.pass(2 * HOUR + 39 * MINUTE);
    const { schedule } = await process.schedules.get('job');
    expect(schedule).toMatchObject({ skipsInRow: 99, marks: { skipsInRow: 10 } });
    await machine.pass(4 * MINUTE);
    const told = process.events.flatMap((event) => (event.type === 'notice' ? [event.notice] : []));
    expect(told).toMatchObject([
      { kind: 'skipsInRow', count: 3 },
      { kind: 'skipsInRow', count: 10 },
      { kind: 'skipsInRow', count: 100 },
    ]);
    expect((await process.schedules.get('job')).schedule.skipsInRow).toBe(0);
    expect(machine.ran).toHaveLength(3);
  });

  it('[OW-6, OC-9] what a run waits for is not shown, so that it looks stuck: a queued one names what holds its key', async () => {
    const machine = new Machine();
    const process = await machine.serve({ otherwise: held(), concurrency: 5 });
    await process.schedules.create(hourly('job', { concurrencyKey: 'press' }));
    await machine.pass(HOUR);
    await process.schedules.create(
      hourly('other', { trigger: every(HOUR, '2026-11-30T09:01:00Z'), concurrencyKey: 'press' }),
    );
    await machine.pass(MINUTE);
    const [waiting] = (await process.schedules.get('other')).pending;
    expect(waiting?.waitingFor).toMatchObject({ occurrence: FIRST });
  });
});

describe('trouble of the store', () => {
  it('[ST-4, OC-3] a write that failed leaves a claim behind, and the row is picked for ever: it runs once when the disk is well', async () => {
    const machine = new Machine();
    let isFull = false;
    const process = await machine.serve({
      hook: ({ call, path }) =>
        isFull && call === 'write' && path.includes('journal')
          ? { kind: 'fail', code: 'ENOSPC', written: 9 }
          : undefined,
    });
    await process.schedules.create(hourly('job'));
    isFull = true;
    await machine.pass(HOUR + 10 * MINUTE);
    expect(machine.ran).toEqual([]);
    isFull = false;
    await machine.pass(10 * SECOND);
    expect(machine.ran).toEqual([`${FIRST} 1`]);
  });

  it('[ST-4, OW-3] after a lost connection a job runs hours late: the owner looks again seconds after the trouble', async () => {
    const machine = new Machine();
    let isGone = false;
    const process = await machine.serve({
      hook: ({ call, path }) =>
        isGone && ['lookNow', 'open', 'readNow', 'write'].includes(call) && path.includes('catalogue')
          ? { kind: 'fail', code: 'EIO' }
          : undefined,
    });
    await process.schedules.create(hourly('job', { trigger: every(DAY, '2026-11-30T12:00:00Z') }));
    await machine.pass(2 * HOUR);
    isGone = true;
    await machine.pass(2 * HOUR + 20 * SECOND);
    isGone = false;
    await machine.pass(10 * SECOND);
    expect(await recordsOf(process, 'job')).toEqual(['11-30 12:00 succeeded']);
  });

  it('[ST-3, OW-7] the store is emptied while the process runs, and all schedules stop in silence: the owner ends and says why', async () => {
    const machine = new Machine();
    const process = await machine.boot();
    await process.schedules.create(hourly('job'));
    const running = process.owner.run();
    const ended = running.then(
      () => 'stopped',
      (error: unknown) => error,
    );
    await machine.pass(MINUTE);
    const kept = takeCatalogueAway(machine.medium);
    await machine.pass(MINUTE);
    expect(await ended).toMatchObject({ code: 'SCHEDULE_CATALOGUE_CORRUPT' });
    const told = process.events.flatMap((event) => (event.type === 'owner' ? [event.detail] : []));
    expect(told.at(-1)).toContain('does not exist');
    await expect(process.schedules.list()).rejects.toMatchObject({ code: 'SCHEDULE_CATALOGUE_CORRUPT' });
    kept();
    expect((await process.schedules.list()).schedules).toHaveLength(1);
  });
});
