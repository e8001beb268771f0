/** Controls of an existing schedule, as a person uses them. */
import { describe, expect, it } from 'vitest';
import type { Schedules } from '../../src/runtime/client/face.js';
import { type Bench, bench, hourly, manual } from './client-bench.js';

/** Ticks until nothing is ready any more. */
function tick({ schedules, clock }: Bench) {
  return clock.runUntil(schedules.owner().tick());
}

/** A schedule whose only occurrence failed. */
async function failedOne(): Promise<Bench & { occurrence: string }> {
  const all = await bench();
  await all.schedules.create(manual('a', 'fail'));
  const { occurrence } = await all.schedules.trigger('a');
  await tick(all);
  return { ...all, occurrence };
}

/** A schedule with an occurrence that was interrupted, since its owner was forced to end. */
async function interruptedOne(): Promise<Bench & { occurrence: string }> {
  const all = await bench();
  const { schedules, clock } = all;
  await schedules.create(manual('a', 'hang'));
  const { occurrence } = await schedules.trigger('a');
  const owner = schedules.owner();
  await owner.start();
  await clock.runUntil(async () => (await schedules.status()).counts.running === 1);
  await clock.runUntil(owner.stop());
  expect((await schedules.get('a')).history[0]).toMatchObject({ id: occurrence, status: 'interrupted' });
  return { ...all, occurrence };
}

const CONFLICT = { code: 'SCHEDULE_REVISION_CONFLICT', details: { given: { revision: 7 }, revision: 1, version: 1 } };

describe('pause and resume', () => {
  it('[CT-5] a pause stops collection, with who and why; resume says what becomes of what was missed', async () => {
    const all = await bench();
    const { schedules, clock } = all;
    await schedules.create(hourly('a'));
    const caller = { name: 'mia' };
    const paused = await schedules.pause('a', { revision: 1, note: 'holiday', caller });
    expect(paused).toMatchObject({
      status: 'paused',
      statusNote: { reason: 'pausedByControl', by: 'mia', note: 'holiday', at: '2026-11-30T08:00:00.000Z' },
    });
    await clock.advanceTo('2026-11-30T11:30:00Z');
    expect((await tick(all)).collected).toBe(0);
    const resumed = await schedules.resume('a', { revision: 1, missed: 'skip' });
    expect(resumed).toMatchObject({ status: 'active', resume: { missed: 'skip', until: '2026-11-30T11:30:00.000Z' } });
    await tick(all);
    expect((await schedules.get('a')).history).toMatchObject([
      { status: 'skipped', reason: 'misfire', window: { count: 3, causes: ['paused'] } },
    ]);
  });

  it('[CT-2] pause, resume, cancel and delete refuse another revision with both numbers', async () => {
    const { schedules } = await bench();
    await schedules.create(hourly('a'));
    const calls: ((revision: number) => Promise<unknown>)[] = [
      (revision) => schedules.pause('a', { revision }),
      (revision) => schedules.resume('a', { revision }),
      (revision) => schedules.cancel('a', { revision }),
      (revision) => schedules.delete('a', { revision }),
    ];
    for (const call of calls) {
      await expect(call(7)).rejects.toMatchObject(CONFLICT);
      await expect(call(undefined as unknown as number)).rejects.toMatchObject({
        code: 'SCHEDULE_DECLARATION_INVALID',
      });
    }
  });

  it('[CT-2] trigger, stop, rerun and resolve take the revision where it is given, and the version too', async () => {
    const { schedules } = await bench();
    await schedules.create(manual('a'));
    await expect(schedules.trigger('a', { revision: 7 })).rejects.toMatchObject(CONFLICT);
    await expect(schedules.stop('a', 'x', { revision: 7 })).rejects.toMatchObject(CONFLICT);
    await expect(schedules.resolve('a', 'x', { verdict: 'done', note: '', revision: 7 })).rejects.toMatchObject(
      CONFLICT,
    );
    await expect(schedules.trigger('a', { revision: 1, version: 9 })).rejects.toMatchObject({
      code: 'SCHEDULE_REVISION_CONFLICT',
    });
    expect((await schedules.trigger('a', { revision: 1, version: 1 })).schedule.version).toBe(2);
  });

  it('[CT-15] a control that the status does not allow is refused with the status and what is allowed', async () => {
    const { schedules } = await bench();
    await schedules.create(hourly('a'));
    await expect(schedules.resume('a', { revision: 1 })).rejects.toMatchObject({
      code: 'SCHEDULE_NOT_APPLICABLE',
      details: { status: 'active', allowed: ['update', 'pause', 'cancel', 'delete', 'trigger', 'rerun'] },
    });
    await schedules.cancel('a', { revision: 1 });
    for (const call of [schedules.pause('a', { revision: 1 }), schedules.trigger('a')]) {
      await expect(call).rejects.toMatchObject({ code: 'SCHEDULE_NOT_APPLICABLE', details: { status: 'cancelled' } });
    }
  });
});

describe('cancel and delete', () => {
  it('[CT-6] cancel ends waiting work and the schedule at once', async () => {
    const { schedules } = await bench();
    await schedules.create(hourly('a'));
    const { occurrence } = await schedules.trigger('a');
    const view = await schedules.cancel('a', { revision: 1, note: 'no longer needed' });
    expect(view).toMatchObject({ status: 'cancelled', statusNote: { note: 'no longer needed' }, pendingCount: 0 });
    expect(view.nextDue).toBeUndefined();
    expect((await schedules.get('a')).history).toMatchObject([
      { id: occurrence, status: 'cancelled', reason: 'cancelled' },
    ]);
  });

  it('[CT-7] delete is refused while work is pending, and leaves a mark that the next schedule of the id goes on from', async () => {
    const { schedules } = await bench();
    await schedules.create(hourly('Nightly'));
    await schedules.update('nightly', { graceSeconds: 1 }, { revision: 1 });
    const { occurrence } = await schedules.trigger('nightly');
    await expect(schedules.delete('nightly', { revision: 2 })).rejects.toMatchObject({
      code: 'SCHEDULE_WORK_PENDING',
      details: { pending: [occurrence] },
    });
    await schedules.stop('nightly', occurrence);
    expect(await schedules.delete('nightly', { revision: 2 })).toEqual({
      id: 'Nightly',
      revision: 2,
      deletedAt: '2026-11-30T08:00:00.000Z',
    });
    await expect(schedules.get('nightly')).rejects.toMatchObject({
      code: 'SCHEDULE_NOT_FOUND',
      details: { what: 'schedule' },
    });
    await expect(schedules.create(hourly('nightly'))).rejects.toMatchObject({
      code: 'SCHEDULE_EXISTS',
      details: { existing: 'Nightly' },
    });
    await expect(schedules.ensure(hourly('nightly'))).rejects.toMatchObject({ code: 'SCHEDULE_EXISTS' });
    expect(await schedules.create(hourly('Nightly'))).toMatchObject({ revision: 3, version: 1 });
  });

  it('[CT-7, CT-12] the evidence of a deleted schedule can still be read', async () => {
    const all = await bench();
    const { schedules } = all;
    await schedules.create(manual('a'));
    const { occurrence } = await schedules.trigger('a');
    await tick(all);
    await schedules.delete('a', { revision: 1 });
    const kept = await schedules.evidence(occurrence);
    expect(kept.attempts).toMatchObject([{ attempt: 1, result: expect.anything() }]);
    await expect(schedules.evidence('a~1~m~nothing')).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND' });
  });
});

describe('trigger', () => {
  it('[CT-8] asks for one occurrence now, also while paused, and spends no trigger budget', async () => {
    const all = await bench();
    const { schedules } = all;
    await schedules.create(hourly('a'), { paused: true });
    const result = await schedules.trigger('a');
    expect(result).toMatchObject({
      occurrence: 'a~1~m~id1',
      admitted: 'queued',
      record: { status: 'queued', origin: 'manual', dueAt: '2026-11-30T08:00:00.000Z' },
      schedule: { spent: 0, pendingCount: 1 },
    });
    await tick(all);
    expect((await schedules.get('a')).history).toMatchObject([{ id: 'a~1~m~id1', status: 'succeeded' }]);
  });

  it('[CT-8] follows the overlap policy while work is pending, and says which occurrence is in the way', async () => {
    const { schedules } = await bench();
    await schedules.create(manual('a', 'succeed', { overlap: 'skip' }));
    const first = await schedules.trigger('a');
    const second = await schedules.trigger('a');
    expect(second).toMatchObject({
      admitted: 'skipped',
      record: { status: 'skipped', reason: 'overlap', behind: first.occurrence },
    });
  });

  it('[OC-1] a request id of this revision that exists answers with its occurrence, before anything else is looked at', async () => {
    const all = await bench();
    const { schedules } = all;
    await schedules.create(manual('a', 'succeed', { overlap: 'skip' }));
    const first = await schedules.trigger('a', { requestId: 'Order-1' });
    const again = await schedules.trigger('a', { requestId: 'order-1', revision: 99 });
    expect(again).toMatchObject({ occurrence: first.occurrence, admitted: 'existing', record: { status: 'queued' } });
    await tick(all);
    await schedules.cancel('a', { revision: 1 });
    const later = await schedules.trigger('a', { requestId: 'ORDER-1' });
    expect(later).toMatchObject({ occurrence: 'a~1~m~Order-1', admitted: 'existing', record: { status: 'succeeded' } });
    expect(later.schedule.version).toBe(3);
  });

  it('[OC-1] a request id has the rules of an id and at most 64 characters', async () => {
    const { schedules } = await bench();
    await schedules.create(manual('a'));
    for (const requestId of ['', 'a/b', '../x', 'x'.repeat(65)]) {
      await expect(schedules.trigger('a', { requestId })).rejects.toMatchObject({
        code: 'SCHEDULE_DECLARATION_INVALID',
        details: { issues: [{ path: 'requestId', rule: 'OC-1' }] },
      });
    }
  });

  it('[EX-1, CT-8] is refused past expiry, whether or not an owner has recorded it', async () => {
    const { schedules, clock } = await bench();
    await schedules.create(manual('a', 'succeed', { expiresAt: '2026-11-30T09:00:00Z' }));
    await clock.advanceTo('2026-11-30T09:00:00Z');
    await expect(schedules.trigger('a')).rejects.toMatchObject({
      code: 'SCHEDULE_NOT_APPLICABLE',
      details: { status: 'pastExpiry' },
    });
  });
});

describe('stop, rerun and resolve', () => {
  it('[CT-11] stop ends one queued occurrence; the schedule goes on', async () => {
    const { schedules } = await bench();
    await schedules.create(manual('a'));
    const { occurrence } = await schedules.trigger('a');
    const result = await schedules.stop('a', occurrence);
    expect(result).toMatchObject({
      occurrence: { status: 'cancelled', reason: 'stopped' },
      schedule: { status: 'active', pendingCount: 0 },
    });
    await expect(schedules.stop('a', occurrence)).rejects.toMatchObject({
      code: 'SCHEDULE_NOT_APPLICABLE',
      details: { status: 'cancelled' },
    });
    await expect(schedules.stop('a', 'a~1~m~x')).rejects.toMatchObject({ details: { what: 'occurrence' } });
  });

  it('[CT-11, OC-11] stop of a running occurrence is a request that the owner hears', async () => {
    const { schedules, clock } = await bench();
    await schedules.create(manual('a', 'hang'));
    const { occurrence } = await schedules.trigger('a');
    const owner = schedules.owner();
    await owner.start();
    await clock.runUntil(async () => (await schedules.status()).counts.running === 1);
    const { occurrence: record } = await schedules.stop('a', occurrence, { caller: { name: 'mia' } });
    expect(record).toMatchObject({ status: 'running', endRequest: { kind: 'cancel', by: 'mia', reason: 'stopped' } });
    expect(await clock.runUntil(schedules.waitFor(occurrence))).toMatchObject({ status: 'cancelled' });
    await clock.runUntil(owner.stop());
  });

  it('[CT-14] rerun makes a new manual occurrence that names the failed one', async () => {
    const { schedules, occurrence } = await failedOne();
    const result = await schedules.rerun('a', occurrence, { requestId: 'again' });
    expect(result).toMatchObject({ admitted: 'queued', record: { replaces: occurrence, origin: 'manual' } });
    expect(await schedules.rerun('a', occurrence, { requestId: 'again' })).toMatchObject({ admitted: 'existing' });
  });

  it('[CT-14, CT-15] rerun takes failed and interrupted occurrences only, also of a cancelled schedule', async () => {
    const all = await bench();
    const { schedules } = all;
    await schedules.create(manual('a'));
    const { occurrence } = await schedules.trigger('a');
    for (const status of ['queued', 'succeeded']) {
      await expect(schedules.rerun('a', occurrence)).rejects.toMatchObject({
        code: 'SCHEDULE_NOT_APPLICABLE',
        details: { status },
      });
      await tick(all);
    }
    await expect(schedules.rerun('a', 'a~1~m~x')).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND' });
    const failed = await failedOne();
    await failed.schedules.cancel('a', { revision: 1 });
    expect(await failed.schedules.rerun('a', failed.occurrence)).toMatchObject({ admitted: 'queued' });
  });

  it('[CT-16] resolve puts a verdict beside an interrupted occurrence, which stays interrupted', async () => {
    const { schedules, occurrence } = await interruptedOne();
    expect((await schedules.get('a')).schedule.marks.unresolved).toEqual([occurrence]);
    expect((await schedules.list({ failing: true })).schedules).toHaveLength(1);
    const record = await schedules.resolve('a', occurrence, { verdict: 'notDone', note: 'the file is missing' });
    expect(record).toMatchObject({
      status: 'interrupted',
      verdict: { verdict: 'notDone', note: 'the file is missing', by: 'host' },
    });
    const { schedule, history } = await schedules.get('a');
    expect(schedule.marks.unresolved).toEqual([]);
    expect(history[0]).toMatchObject({ id: occurrence, status: 'interrupted', verdict: { verdict: 'notDone' } });
    expect(await schedules.rerun('a', occurrence)).toMatchObject({ record: { replaces: occurrence } });
  });

  it('[CT-16] resolve refuses what is not interrupted, and an unknown verdict', async () => {
    const { schedules, occurrence } = await failedOne();
    await expect(schedules.resolve('a', occurrence, { verdict: 'done', note: '' })).rejects.toMatchObject({
      code: 'SCHEDULE_NOT_APPLICABLE',
      details: { status: 'failed' },
    });
    const odd = schedules.resolve('a', occurrence, { verdict: 'maybe' as 'done', note: '' });
    await expect(odd).rejects.toMatchObject({ details: { issues: [{ path: 'verdict' }] } });
  });
});

describe('controls without an owner', () => {
  it('[CT-10] every control works with no owner running and starts none', async () => {
    const { schedules, clock } = await bench();
    const run = async (each: Schedules): Promise<void> => {
      await each.create(hourly('a'));
      await each.pause('a', { revision: 1 });
      await each.resume('a', { revision: 1 });
      await each.trigger('a');
      await each.cancel('a', { revision: 1 });
      await each.delete('a', { revision: 1 });
    };
    await run(schedules);
    expect((await schedules.status()).owner.isAlive).toBe(false);
    expect(clock.sleepers()).toEqual([]);
  });

  it('[DE-6] a caller has a name', async () => {
    const { schedules } = await bench();
    await schedules.create(hourly('a'));
    await expect(schedules.pause('a', { revision: 1, caller: { name: '' } })).rejects.toMatchObject({
      code: 'SCHEDULE_CONFIG_INVALID',
      details: { issues: [{ path: 'caller.name' }] },
    });
  });

  it('[DE-11] cuts the words of people at 2000 characters, visibly', async () => {
    const { schedules } = await bench();
    await schedules.create(hourly('a'));
    const { statusNote } = await schedules.pause('a', { revision: 1, note: 'x'.repeat(3000) });
    expect(statusNote?.note).toHaveLength(2000);
    expect(statusNote?.note?.endsWith('…')).toBe(true);
  });
});
