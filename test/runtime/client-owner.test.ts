/** Schedules and their own owner in one process: events in the form of answers, one owner at a time, closing. */
import { describe, expect, it } from 'vitest';
import { bench, hourly, manual } from './client-bench.js';

describe('events as observers hear them', () => {
  it('[OW-7] instants are texts, an occurrence is its view, a schedule its row', async () => {
    const { schedules, clock, events } = await bench();
    await schedules.create(hourly('a'));
    await clock.advanceTo('2026-11-30T09:00:05Z');
    await clock.runUntil(schedules.owner().tick());
    const created = events.find(({ type }) => type === 'schedule');
    expect(created).toMatchObject({
      at: '2026-11-30T08:00:00.000Z',
      change: 'created',
      schedule: { id: 'a', nextDue: '2026-11-30T09:00:00.000Z', definition: { caller: 'host' } },
    });
    const ended = events.find((event) => event.type === 'occurrence' && event.to === 'succeeded');
    const { waitingFor: _, ...view } = (await schedules.get('a')).history[0] ?? {};
    expect(ended).toEqual({
      type: 'occurrence',
      at: '2026-11-30T09:00:05.000Z',
      scheduleId: 'a',
      from: 'running',
      to: 'succeeded',
      occurrence: { ...view, latenessMs: 5000 },
    });
  });

  it('[CT-16, OW-7] a verdict is told with the occurrence that it is about', async () => {
    const { schedules, clock, events } = await bench();
    await schedules.create(manual('a', 'hang'));
    const owner = schedules.owner();
    await owner.start();
    const { occurrence } = await schedules.trigger('a');
    await clock.runUntil(async () => (await schedules.status()).counts.running === 1);
    await clock.runUntil(owner.stop());
    await schedules.resolve('a', occurrence, { verdict: 'notDone', note: 'looked' });
    expect(events.at(-1)).toMatchObject({
      type: 'schedule',
      change: 'resolved',
      scheduleId: 'a',
      resolved: {
        occurrence,
        verdict: { verdict: 'notDone', note: 'looked', by: 'host', at: '2026-11-30T08:00:00.000Z' },
      },
    });
  });
});

describe('one owner at a time', () => {
  it('[OW-1] a second one in this process is told that it is this process', async () => {
    const { schedules } = await bench();
    const owner = schedules.owner();
    await owner.start();
    const isHeldHere = {
      code: 'SCHEDULE_LOCK_HELD',
      message: expect.stringContaining(`This process (${process.pid}) owns this catalogue already`),
      details: { isThisProcess: true, pid: process.pid, epoch: 1 },
    };
    await expect(owner.start()).rejects.toMatchObject(isHeldHere);
    await expect(owner.run()).rejects.toMatchObject(isHeldHere);
    await expect(schedules.owner().tick()).rejects.toMatchObject(isHeldHere);
    await owner.stop();
  });
});

describe('close', () => {
  it('[OW-4] stops the owner of these schedules first, in order', async () => {
    const { schedules, clock, events, second } = await bench();
    await schedules.create(manual('a', 'hang'));
    const owner = schedules.owner();
    const ran = owner.run();
    const { occurrence } = await schedules.trigger('a');
    await clock.runUntil(async () => (await schedules.status()).counts.running === 1);
    await clock.runUntil(schedules.close());
    await ran;
    expect(events.filter(({ type }) => type === 'owner').map((event) => 'change' in event && event.change)).toEqual([
      'started',
      'stopping',
      'stopped',
    ]);
    const other = await second();
    expect((await other.get('a', { occurrence })).occurrence).toMatchObject({
      status: 'interrupted',
      reason: 'ownerStopped',
    });
    await expect(owner.start()).rejects.toMatchObject({ code: 'SCHEDULE_CLOSED' });
    await expect(schedules.list()).rejects.toMatchObject({ code: 'SCHEDULE_CLOSED' });
    await schedules.close();
  });

  it('[OW-4, CT-10] ends a tick that is under way, and leaves the owner of another process alone', async () => {
    const { schedules, clock, second } = await bench();
    const other = await second();
    await other.create(manual('a', 'hang'));
    const { occurrence } = await other.trigger('a');
    const ticked = schedules.owner().tick();
    await clock.runUntil(async () => (await other.status()).counts.running === 1);
    await other.close();
    const third = await second();
    expect((await third.get('a', { occurrence })).occurrence).toMatchObject({ status: 'running' });
    await clock.runUntil(schedules.close());
    expect(await ticked).toMatchObject({ interrupted: 1 });
  });
});

describe('ids', () => {
  it('[DE-1, CT-7] another spelling of an id that is there is refused with what to write', async () => {
    const { schedules } = await bench();
    await schedules.create(hourly('nightly'));
    const taken = { code: 'SCHEDULE_EXISTS', details: { existing: 'nightly' } };
    await expect(schedules.create(hourly('Nightly'))).rejects.toMatchObject({
      ...taken,
      hint: expect.stringContaining('whatever the case'),
    });
    await expect(schedules.ensure(hourly('Nightly'))).rejects.toMatchObject({
      ...taken,
      hint: expect.stringContaining('Write the id as "nightly"'),
    });
  });
});
