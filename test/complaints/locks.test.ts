/** Owner locks: two owners, locks that a sleep or a slow process loses, and what a stop may let go of. */
import { describe, expect, it } from 'vitest';
import { isScheduleError } from '../../src/errors.js';
import { held, hung } from '../../src/testing/scripted-execution.js';
import { DAY, every, HOUR, hourly, MINUTE, pendingOf, recordsOf, SECOND } from './jobs.js';
import { Machine } from './machine.js';
import { LAYOUT } from './tampering.js';

const HELD = { code: 'SCHEDULE_LOCK_HELD' };
const FIRST = 'job~1~20261130T090000000Z';

function codeOf(error: unknown): string {
  return isScheduleError(error) ? error.code : String(error);
}

describe('two owners', () => {
  it('[OW-1, L-1] several processes take over the lock of a dead one at the same time: of sixteen, one has it', async () => {
    const machine = new Machine();
    const first = await machine.serve();
    await first.schedules.create(hourly('job'));
    const others = await Promise.all(Array.from({ length: 16 }, () => machine.boot()));
    await first.kill();
    const ends = await Promise.all(
      others.map(({ owner }) =>
        owner.start().then(
          () => 'started',
          (error: unknown) => codeOf(error),
        ),
      ),
    );
    expect(ends.filter((end) => end === 'started')).toHaveLength(1);
    expect(ends.filter((end) => end === HELD.code)).toHaveLength(15);
    await machine.pass(HOUR);
    expect(machine.ran).toHaveLength(1);
  });

  it('[OW-1, OC-3] replicas each run the same occurrence: whoever is refused runs nothing, and takes over when the owner is gone', async () => {
    const machine = new Machine();
    const replicas = [await machine.serve()];
    await replicas[0]?.schedules.create(hourly('job'));
    for (let n = 0; n < 3; n++) {
      const replica = await machine.boot();
      await expect(replica.owner.start()).rejects.toMatchObject(HELD);
      await expect(replica.owner.tick()).rejects.toMatchObject(HELD);
      replicas.push(replica);
    }
    for (const replica of replicas) {
      await machine.pass(HOUR);
      await replica.kill();
      await replicas[replicas.indexOf(replica) + 1]?.owner.start();
    }
    expect(machine.ranAt).toEqual(['11-30 09:00', '11-30 10:00', '11-30 11:00', '11-30 12:00']);
  });

  it('[OW-1] two nodes with the same host name, or process number, think that they are one: the lock and the epoch tell them apart', async () => {
    const machine = new Machine();
    const first = await machine.serve({ steps: [held()] });
    await first.schedules.create(hourly('job'));
    await machine.pass(HOUR);
    const twin = await machine.boot();
    await expect(twin.owner.start()).rejects.toMatchObject(HELD);
    expect(await pendingOf(twin, 'job')).toEqual(['11-30 09:00 running']);
    await first.kill();
    await twin.owner.start();
    expect(await recordsOf(twin, 'job')).toEqual(['11-30 09:00 interrupted ownerDied']);
  });

  it('[OW-5, OC-11] an owner whose lock file a person removed goes on beside the next one: it stops, and its late answer is refused', async () => {
    const machine = new Machine();
    const first = await machine.serve({ steps: [held()] });
    await first.schedules.create(hourly('job'));
    await machine.pass(HOUR);
    machine.medium.unlink(LAYOUT.ownerLock);
    const next = await machine.serve();
    expect(await recordsOf(next, 'job')).toEqual(['11-30 09:00 interrupted ownerDied']);
    first.release();
    await machine.pass(2 * HOUR);
    expect(first.events).toContainEqual(expect.objectContaining({ type: 'owner', change: 'lockLost' }));
    await expect(first.owner.stop()).rejects.toMatchObject({ code: 'SCHEDULE_LOCK_LOST' });
    expect(machine.starts(FIRST)).toBe(1);
    expect((await recordsOf(next, 'job'))[0]).toBe('11-30 09:00 interrupted ownerDied');
    expect(machine.ran).toHaveLength(3);
  });
});

describe('a lock and time', () => {
  it('[OW-1, OW-3] after sleep the lock counts as lost, and the process dies or a second one takes over: it never ages', async () => {
    const machine = new Machine();
    const process = await machine.serve();
    await process.schedules.create(hourly('job', { misfire: 'runOnce' }));
    machine.clock.step(365 * DAY);
    const other = await machine.boot();
    await expect(other.owner.start()).rejects.toMatchObject({ ...HELD, details: { lastTickAt: expect.any(String) } });
    await machine.pass(MINUTE);
    expect((await process.owner.status()).isHeld).toBe(true);
    expect(machine.ran).toHaveLength(1);
  });

  it('[OW-1, OC-3, OC-6] a long job loses its lock while it runs, and is run a second time: a claim has no time limit of its own', async () => {
    const machine = new Machine();
    const process = await machine.serve({ steps: [held()] });
    await process.schedules.create(hourly('job', { trigger: every(30 * DAY) }));
    for (let hour = 0; hour < 24; hour++) {
      await machine.pass(HOUR);
      const other = await machine.boot();
      await expect(other.owner.tick()).rejects.toMatchObject(HELD);
      await other.kill();
    }
    process.release();
    await machine.clock.settle();
    expect(await recordsOf(process, 'job')).toEqual(['11-30 09:00 succeeded']);
    expect(machine.starts(FIRST)).toBe(1);
  });

  it('[L-3, ST-4] a moment of trouble with the lock file ends the owner: the kernel has it still, and the owner goes on', async () => {
    const machine = new Machine();
    let isBad = false;
    const { ownerLock } = LAYOUT;
    const process = await machine.serve({
      hook: ({ call, path }) =>
        isBad && call === 'lookNow' && path === ownerLock ? { kind: 'fail', code: 'EIO' } : undefined,
    });
    await process.schedules.create(hourly('job', { trigger: every(MINUTE) }));
    await machine.pass(HOUR);
    isBad = true;
    await machine.pass(90 * SECOND);
    isBad = false;
    await machine.pass(MINUTE);
    expect((await process.owner.status()).isHeld).toBe(true);
    expect(machine.ranAt.at(-1)).toBe('11-30 09:02');
  });
});

describe('a stop', () => {
  it('[OW-4, OW-1] it lets go of a job that still runs, and a second instance runs it too: the lock is kept until the last end', async () => {
    const machine = new Machine();
    const first = await machine.serve({ steps: [hung()], drainSeconds: 60 });
    await first.schedules.create(hourly('job', { maxRetries: 2 }));
    await machine.pass(HOUR);
    const stopping = first.owner.stop();
    await machine.pass(30 * SECOND);
    const other = await machine.boot();
    await expect(other.owner.start()).rejects.toMatchObject(HELD);
    first.release();
    await machine.clock.runUntil(stopping);
    await other.owner.start();
    expect(await recordsOf(other, 'job')).toEqual(['11-30 09:00 succeeded']);
    expect(machine.starts(FIRST)).toBe(1);
  });

  it('[OW-4, OC-11] it does not wait for running jobs, or waits for ever: it waits for its limit, and records what is left with the reason', async () => {
    const machine = new Machine();
    const process = await machine.serve({ steps: [held(), hung()], concurrency: 2, drainSeconds: 10 });
    for (const id of ['hears', 'deaf']) await process.schedules.create(hourly(id));
    await machine.pass(HOUR);
    const from = machine.clock.monotonic();
    await machine.clock.runUntil(process.owner.stop());
    expect(machine.clock.monotonic() - from).toBe(10 * SECOND);
    const ends = [await recordsOf(process, 'hears'), await recordsOf(process, 'deaf')];
    expect(ends.flat().sort()).toEqual([
      '11-30 09:00 interrupted ownerStopped',
      '11-30 09:00 interrupted unresponsive',
    ]);
  });

  it('[OW-4, ST-2] the store is closed before the last job has ended, and its outcome is lost: what ended within the limit is kept', async () => {
    const machine = new Machine();
    const first = await machine.serve({ steps: [hung()] });
    await first.schedules.create(hourly('job'));
    await machine.pass(HOUR);
    const closing = first.schedules.close();
    await machine.pass(5 * SECOND);
    first.release();
    await machine.clock.runUntil(closing);
    expect(await recordsOf(await machine.boot(), 'job')).toEqual(['11-30 09:00 succeeded']);
  });
});
