/** Past its expiry a schedule is judged by the instant, whether or not an owner has recorded it; and what inspection shows. */
import { describe, expect, it } from 'vitest';
import { bench, hourly, manual } from './client-bench.js';

const HOUR = 3_600_000;
const EXPIRING = { expiresAt: '2026-11-30T12:00:00Z', overlap: 'queue' } as const;

/** A schedule with queued work, past its expiry, that no owner has looked at. */
async function pastExpiry() {
  const made = await bench();
  await made.schedules.create(hourly('a', EXPIRING));
  await made.schedules.trigger('a', { requestId: 'r1' });
  await made.clock.advance(5 * HOUR);
  return made;
}

describe('clients judge by the instant, whether or not an owner has recorded it', () => {
  it('[EX-1] list, get and status show it as expired', async () => {
    const { schedules } = await pastExpiry();
    const { schedule } = await schedules.get('a');
    expect(schedule).toMatchObject({
      status: 'expired',
      statusNote: { reason: 'expired', by: 'owner', at: '2026-11-30T12:00:00.000Z' },
    });
    expect(schedule).not.toHaveProperty('nextDue');
    expect((await schedules.list({ status: 'expired' })).schedules).toHaveLength(1);
    expect((await schedules.list({ status: 'active' })).schedules).toHaveLength(0);
    expect((await schedules.list({ dueBefore: '2030-01-01T00:00:00Z' })).schedules).toHaveLength(0);
    const status = await schedules.status();
    expect(status.counts).toMatchObject({ active: 0, expired: 1 });
    expect(status).not.toHaveProperty('nextDue');
  });

  it('[EX-1, CT-7] queued work that the expiry has ended is not pending, so it does not bar a deletion', async () => {
    const { schedules, events } = await pastExpiry();
    expect(await schedules.delete('a', { revision: 1 })).toMatchObject({ id: 'a', revision: 1 });
    const ends = events.flatMap((event) => (event.type === 'occurrence' ? [[event.occurrence.id, event.to]] : []));
    expect(ends).toContainEqual(['a~1~m~r1', 'skipped']);
    expect((await schedules.create(hourly('a'))).revision).toBe(2);
  });

  it('[EX-1, CT-3] nor an update, which records the expiry of the old revision first', async () => {
    const { schedules } = await pastExpiry();
    const updated = await schedules.update('a', { expiresAt: null, maxCatchUp: 5 }, { revision: 1 });
    expect(updated).toMatchObject({ revision: 2, status: 'active', nextDue: '2026-11-30T13:00:00.000Z' });
    const { history } = await schedules.get('a');
    expect(history.map(({ id, status, reason }) => [id, status, reason])).toEqual([
      ['a~1~20261130T110000000Z', 'skipped', 'expired'],
      ['a~1~m~r1', 'skipped', 'expired'],
    ]);
  });

  it('[EX-1, CT-11] what the expiry has ended cannot be stopped any more', async () => {
    const { schedules } = await pastExpiry();
    const refused = { code: 'SCHEDULE_NOT_APPLICABLE', details: { control: 'stop', status: 'pastExpiry' } };
    await expect(schedules.stop('a', 'a~1~m~r1')).rejects.toMatchObject(refused);
    await schedules.owner().tick();
    const { history } = await schedules.get('a');
    expect(history.find(({ id }) => id === 'a~1~m~r1')).toMatchObject({ status: 'skipped', reason: 'expired' });
  });

  it('[EX-1, CT-7] a run that is active at the expiry may finish, so it is pending still', async () => {
    const { schedules, clock } = await bench();
    await schedules.create(manual('a', 'hang', EXPIRING));
    const owner = schedules.owner();
    await owner.start();
    await schedules.trigger('a', { requestId: 'r1' });
    await clock.settle();
    clock.step(5 * HOUR);
    await expect(schedules.delete('a', { revision: 1 })).rejects.toMatchObject({ code: 'SCHEDULE_WORK_PENDING' });
    expect((await schedules.stop('a', 'a~1~m~r1')).occurrence.status).toBe('running');
    await owner.stop();
    expect((await schedules.get('a')).history[0]).toMatchObject({ status: 'cancelled', reason: 'stopped' });
  });
});

describe('what inspection shows of an occurrence', () => {
  it('[CT-4, OC-9] lateness of a one-shot that lay in the past counts from its registration', async () => {
    const { schedules } = await bench();
    await schedules.create(hourly('a', { trigger: { kind: 'once', at: '2026-11-30T07:59:30Z' } }));
    await schedules.owner().tick();
    expect((await schedules.get('a')).history[0]).toMatchObject({ status: 'succeeded', latenessMs: 0 });
  });

  it('[OC-9] task, plan and job ids, workspace, status, attempts, stages and verification', async () => {
    const { schedules } = await bench();
    await schedules.create(manual('a'));
    await schedules.trigger('a', { requestId: 'r1' });
    await schedules.owner().tick();
    const { occurrence, evidence } = await schedules.get('a', { occurrence: 'a~1~m~r1' });
    expect(occurrence).toMatchObject({
      status: 'succeeded',
      latenessMs: 0,
      plan: { id: expect.stringMatching(/^plan-/) },
      verification: { isVerified: true },
      attempts: [{ taskId: 'report:report/1', jobId: 'a~1~m~r1#1', stages: [{ name: 'main' }] }],
    });
    expect(evidence?.directory).toContain('a~1~m~r1');
    expect(evidence?.attempts[0]?.result).toMatchObject({ taskId: 'report:report/1', jobId: 'a~1~m~r1#1' });
  });

  it('[CT-16] a verdict is given once; a second one is told so, and an unknown occurrence is not found', async () => {
    const { schedules, clock } = await bench();
    await schedules.create(manual('a', 'hang'));
    const owner = schedules.owner();
    await owner.start();
    await schedules.trigger('a', { requestId: 'r1' });
    await clock.settle();
    await owner.stop();
    const verdict = { verdict: 'done', note: 'looked at the printer' } as const;
    expect(await schedules.resolve('a', 'a~1~m~r1', verdict)).toMatchObject({ status: 'interrupted', verdict });
    const again = schedules.resolve('a', 'a~1~m~r1', { verdict: 'notDone', note: 'second thoughts' });
    await expect(again).rejects.toMatchObject({
      code: 'SCHEDULE_NOT_APPLICABLE',
      details: { control: 'resolve', status: 'resolved' },
      message: 'cannot resolve "a~1~m~r1": not possible while it is resolved already',
    });
    expect((await schedules.get('a', { occurrence: 'a~1~m~r1' })).occurrence?.verdict).toMatchObject(verdict);
    await expect(schedules.resolve('a', 'a~1~m~zz', verdict)).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND' });
  });
});
