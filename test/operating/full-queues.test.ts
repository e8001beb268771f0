/** Schedules whose work gathers without end: there is a bound, and whatever ends all of it is one commit. */
import { describe, expect, it } from 'vitest';
import { openSchedules } from '../../src/open-schedules.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { held, scriptedExecution } from '../../src/testing/scripted-execution.js';
import { SimulatedMachine } from '../conformance/simulated-workspace.js';

const MOST = 10_000;
/** As long as they may be: what ends is written with them. */
const ID = `q${'x'.repeat(127)}`;
const KEY = `k${'y'.repeat(127)}`;

async function gathered() {
  const machine = new SimulatedMachine();
  const clock = manualClock('2026-11-30T08:00:00Z');
  const execution = scriptedExecution([], { otherwise: held() });
  const schedules = await openSchedules({ workspace: await machine.open(), clock, execution });
  const common = { objective: 'x', document: { version: 'test/1' }, allowedProviders: [...execution.providers()] };
  await schedules.create({
    ...common,
    id: ID,
    trigger: { kind: 'interval', start: '2026-11-30T08:00:00Z', everySeconds: 1 },
    overlap: 'queue',
    graceSeconds: 86_400,
    maxOccurrences: 'unlimited',
    concurrencyKey: KEY,
    expiresAt: '2026-12-01T08:00:00Z',
  });
  await schedules.create({ ...common, id: 'other', trigger: { kind: 'once', at: '2026-12-01T09:00:00Z' } });
  await clock.advance(12_000_000);
  const owner = schedules.owner({ concurrency: 2, drainSeconds: 0 });
  await clock.runUntil(owner.start());
  await clock.settle();
  const end = async () => {
    await clock.runUntil(schedules.close());
    await machine.close();
  };
  return { schedules, clock, owner, execution, end };
}

describe('a queue that is full', () => {
  it('[OV-2, CT-6] takes no more, and a cancel ends all of it', async () => {
    const { schedules, clock, end } = await gathered();
    expect((await schedules.get(ID)).schedule.pendingCount).toBe(MOST);
    await clock.advance(60_000);
    expect((await schedules.get(ID)).schedule.pendingCount).toBe(MOST);
    await expect(schedules.trigger(ID)).rejects.toMatchObject({
      code: 'SCHEDULE_WORK_PENDING',
      details: { max: MOST },
    });
    const cancelled = await schedules.cancel(ID, { revision: 1 });
    expect(cancelled).toMatchObject({ status: 'cancelled', pendingCount: 1 });
    await end();
  }, 60_000);

  it('[OV-2, EX-1, CO-4] its expiry ends all of it, and the other schedules go on', async () => {
    const { schedules, clock, execution, end } = await gathered();
    await clock.advanceTo('2026-12-01T09:00:30Z');
    await clock.settle();
    expect((await schedules.get(ID)).schedule).toMatchObject({ status: 'expired', pendingCount: 0 });
    expect(execution.executed.map(({ scheduleId }) => scheduleId)).toContain('other');
    await end();
  }, 60_000);

  it('[OV-2, MF-1] collects again once there is room, and what was missed meanwhile is one record', async () => {
    const { schedules, clock, execution, end } = await gathered();
    const [running] = (await schedules.get(ID)).schedule.running;
    await clock.advance(90_000_000 - 12_000_000 - 6_000_000);
    execution.release();
    await clock.settle();
    expect((await schedules.get(ID, { occurrence: running as string })).history[0]).toMatchObject({
      status: 'succeeded',
    });
    await end();
  }, 60_000);
});
