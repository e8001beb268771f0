/** Clocks of real machines above a real folder: set back, set ahead, asleep, and a catalogue from a backup (CO-6). */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../src/adapters/fs/layout.js';
import { checkWorkspace } from '../../src/checker/check-workspace.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { hung, type ScriptedExecution, scriptedExecution } from '../../src/testing/scripted-execution.js';
import { emptyRoot } from '../adapters/fs/ground.js';
import { everyMinute, folderHost, outcomesOf, START } from './folder-host.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ENDLESS = { limitMs: 100 * HOUR };

/** Every occurrence was called once. */
function expectNoneTwice({ executed }: ScriptedExecution): void {
  const ids = executed.map(({ occurrence, attempt }) => `${occurrence} ${attempt}`);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
}

const quarterly = (changes: object = {}) =>
  everyMinute('a', { trigger: { kind: 'interval', start: START, everySeconds: 900 }, overlap: 'queue', ...changes });

describe('a clock that was set back', () => {
  it('[CO-6] while nobody ran: collection stops, manual work goes on, another process says when it is right', async () => {
    const root = join(emptyRoot(), 'work');
    const execution = scriptedExecution();
    const before = await folderHost(root, { execution });
    await before.schedules.create(quarterly());
    await before.clock.advance(2 * HOUR);
    await before.clock.runUntil(before.schedules.owner().tick());
    await before.schedules.close();
    const known = execution.executed.length;

    const host = await folderHost(root, { execution, clock: manualClock('2026-11-30T08:30:00Z') });
    const owner = host.schedules.owner();
    await owner.start();
    await host.clock.runUntil(() => host.changes().includes('clockBehind'), ENDLESS);
    const { occurrence } = await host.schedules.trigger('a', { requestId: 'by-hand' });
    await host.clock.runUntil(host.schedules.waitFor(occurrence), ENDLESS);
    expect(execution.executed).toHaveLength(known + 1);

    const operator = await folderHost(root, { clock: host.clock });
    expect(await operator.schedules.status()).toMatchObject({ clockStop: { reason: 'clockBehind' } });
    expect((await operator.schedules.acceptClock()).clockStop).toBeUndefined();
    await host.clock.runUntil(() => execution.executed.length >= known + 4, ENDLESS);
    await owner.stop();
    expectNoneTwice(execution);
    expect((await outcomesOf(operator.schedules, 'a')).slice(-3)).toEqual([
      '10:15:00 succeeded',
      '10:30:00 succeeded',
      '10:45:00 succeeded',
    ]);
    expect(await checkWorkspace(root)).toEqual([]);
  });

  it('[CO-6] while an owner runs, again and again: the order of instants stays, and none runs twice', async () => {
    const root = join(emptyRoot(), 'work');
    const execution = scriptedExecution();
    const { clock, schedules, changes } = await folderHost(root, { execution });
    await schedules.create(everyMinute('a', { overlap: 'queue' }));
    const owner = schedules.owner();
    await owner.start();
    for (const step of [-50_000, 40_000, -30_000, 3 * MINUTE, -45_000]) {
      const ran = execution.executed.length;
      await clock.runUntil(() => execution.executed.length > ran, ENDLESS);
      clock.step(step);
    }
    await clock.runUntil(() => changes().filter((change) => change === 'clockStep').length >= 3, ENDLESS);
    await owner.stop();
    expectNoneTwice(execution);
    const dues = (await outcomesOf(schedules, 'a')).map((line) => line.slice(0, 8));
    expect(dues).toEqual([...dues].sort());
    expect(await checkWorkspace(root)).toEqual([]);
  });
});

describe('a clock that was set ahead', () => {
  it('[CO-6, MF-2] makes what it passed late, in one record with its window; set right again, nothing comes twice', async () => {
    const root = join(emptyRoot(), 'work');
    const execution = scriptedExecution();
    const { clock, schedules, changes } = await folderHost(root, { execution });
    await schedules.create(quarterly());
    const owner = schedules.owner();
    await owner.start();
    await clock.runUntil(() => execution.executed.length === 1, ENDLESS);
    clock.step(5 * HOUR);
    await clock.runUntil(() => execution.executed.length === 2, ENDLESS);
    const { history } = await schedules.get('a');
    expect(history[0]).toMatchObject({ window: { count: 20, causes: ['clockStep'] } });
    clock.step(-5 * HOUR);
    await clock.runUntil(() => changes().includes('clockBehind'), ENDLESS);
    await schedules.acceptClock();
    await clock.runUntil(() => execution.executed.length === 3, ENDLESS);
    await owner.stop();
    expectNoneTwice(execution);
    expect(await checkWorkspace(root)).toEqual([]);
  });
});

describe('a machine that sleeps', () => {
  it('[OW-3, OW-1] for a night in the middle of a run: the owner keeps its lock and its epoch, and makes up one occurrence', async () => {
    const root = join(emptyRoot(), 'work');
    const execution = scriptedExecution([hung()]);
    const { clock, schedules, changes } = await folderHost(root, { execution });
    await schedules.create(quarterly({ overlap: 'coalesce' }));
    const owner = schedules.owner();
    await owner.start();
    await clock.runUntil(() => execution.open().length === 1, ENDLESS);
    // The monotonic clock of Linux stands still while the machine sleeps.
    clock.step(9 * HOUR);
    execution.release();
    await clock.runUntil(() => execution.executed.length === 2, ENDLESS);
    expect(await schedules.status()).toMatchObject({ epoch: 1, owner: { isAlive: true } });
    expect(changes()).toEqual(['started', 'clockStep']);
    await owner.stop();
    expect((await schedules.get('a')).history.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    expectNoneTwice(execution);
    expect(await checkWorkspace(root)).toEqual([]);
  });
});

describe('a catalogue from a backup', () => {
  it('[CO-6, OC-8] below evidence that is newer: stops until somebody looks, and runs nothing again', async () => {
    const root = join(emptyRoot(), 'work');
    const backup = join(emptyRoot(), 'backup');
    const execution = scriptedExecution([], { needsWorkspace: true });
    const first = await folderHost(root, { execution });
    await first.schedules.create(quarterly());
    await first.clock.runUntil(first.schedules.owner().tick());
    cpSync(layoutOf(root).catalogue, backup, { recursive: true });
    const owner = first.schedules.owner();
    await owner.start();
    await first.clock.runUntil(() => execution.executed.length >= 4, ENDLESS);
    await owner.stop();
    await first.schedules.close();
    rmSync(layoutOf(root).catalogue, { recursive: true });
    cpSync(backup, layoutOf(root).catalogue, { recursive: true });

    const host = await folderHost(root, { execution, clock: first.clock });
    const again = host.schedules.owner();
    await again.start();
    await host.clock.runUntil(() => host.changes().includes('catalogueBehind'), ENDLESS);
    await host.clock.advance(HOUR);
    expectNoneTwice(execution);
    expect(await host.schedules.status()).toMatchObject({ clockStop: { reason: 'catalogueBehind' } });
    const known = execution.executed.length;
    await host.schedules.acceptClock();
    await host.clock.runUntil(() => execution.executed.length >= known + 3, ENDLESS);
    await again.stop();
    expectNoneTwice(execution);
    const statuses = new Set((await host.schedules.get('a')).history.map(({ status }) => status));
    expect(statuses).toEqual(new Set(['succeeded', 'interrupted']));
  });
});
