/** What goes on and what stops on a real folder: deaf handlers (OC-11), broken triggers (CO-4), bad bytes (ST-3), no watch (OW-3). */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { realDisk } from '../../src/adapters/fs/disk/real-disk.js';
import { openWorkspace } from '../../src/adapters/fs/file-workspace.js';
import { layoutOf, segmentPath } from '../../src/adapters/fs/layout.js';
import { kernelLocks } from '../../src/adapters/fs/locks/native-lock.js';
import { checkWorkspace } from '../../src/checker/check-workspace.js';
import { runtimeZoneData } from '../../src/core/time/zones.js';
import { hung, scriptedExecution, succeeds } from '../../src/testing/scripted-execution.js';
import { emptyRoot, systemError, takeWarnings } from '../adapters/fs/ground.js';
import { inside } from '../surfaces/cli-inside.js';
import { everyMinute, folderHost } from './folder-host.js';

const MINUTE = 60_000;
const ENDLESS = { limitMs: 1000 * MINUTE };

describe('a handler that does not end', () => {
  it('[OC-11, CT-15, OW-2] is interrupted after the drain, holds its schedule alone, and its late answer changes nothing', async () => {
    const root = join(emptyRoot(), 'work');
    const execution = scriptedExecution([hung(succeeds({ late: true }))], { needsWorkspace: true });
    const { clock, schedules } = await folderHost(root, { execution });
    await schedules.create(everyMinute('deaf', { budget: { timeoutPerStageSeconds: 30, maxElapsedSeconds: 40 } }));
    const owner = schedules.owner({ concurrency: 2, drainSeconds: 5 });
    await owner.start();
    await clock.runUntil(() => execution.open().length === 1, ENDLESS);
    await schedules.create(everyMinute('other', { overlap: 'queue' }));
    const isQuarantined = async () => (await schedules.get('deaf')).schedule.quarantine !== undefined;
    await clock.runUntil(isQuarantined, ENDLESS);
    const { schedule, history } = await schedules.get('deaf');
    expect(schedule.quarantine).toMatchObject({ reason: 'unresponsive' });
    expect(history[0]).toMatchObject({ status: 'interrupted', reason: 'unresponsive' });
    await expect(schedules.trigger('deaf')).rejects.toMatchObject({ code: 'SCHEDULE_NOT_APPLICABLE' });
    const before = execution.executed.length;
    await clock.runUntil(() => execution.executed.length >= before + 2, ENDLESS);
    expect(execution.release()).toBe(true);
    await clock.runUntil(async () => !(await isQuarantined()), ENDLESS);
    expect((await schedules.get('deaf')).history.at(-1)).toMatchObject({ status: 'interrupted' });
    await owner.stop();
    expect(await checkWorkspace(root)).toEqual([]);
  });
});

describe('a trigger that cannot be evaluated', () => {
  it('[CO-4] quarantines its schedule with the reason, also for the next process, and delays no other', async () => {
    const root = join(emptyRoot(), 'work');
    const execution = scriptedExecution();
    const base = runtimeZoneData('host');
    let isBroken = false;
    const zoneData = {
      version: 'host-1',
      offsetAt: (zone: string, at: number) => {
        if (isBroken && zone === 'Europe/Berlin') throw new Error('no data of this zone');
        return base.offsetAt(zone, at);
      },
    };
    const { clock, schedules } = await folderHost(root, { execution, zoneData });
    const trigger = { kind: 'cron', expression: '* * * * *', timezone: 'Europe/Berlin' };
    await schedules.create(everyMinute('broken', { trigger }));
    await schedules.create(everyMinute('sound', { overlap: 'queue' }));
    await schedules.close();
    isBroken = true;
    const host = await folderHost(root, { execution, clock, zoneData: { ...zoneData, version: 'host-2' } });
    const owner = host.schedules.owner();
    await owner.start();
    await clock.runUntil(() => execution.executed.length >= 3, ENDLESS);
    expect(new Set(execution.executed.map(({ scheduleId }) => scheduleId))).toEqual(new Set(['sound']));
    const reader = await folderHost(root, { clock });
    const { schedule } = await reader.schedules.get('broken');
    expect(schedule.quarantine).toMatchObject({ reason: expect.stringMatching(/trigger/i) });
    expect((await reader.schedules.status()).counts).toMatchObject({ quarantined: 1, active: 2 });
    await owner.stop();
    expect(await checkWorkspace(root)).toEqual([]);
  });
});

/** Bytes and modes of everything below a folder, by path. */
function pictureOf(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    paths.map((path) => {
      const at = join(folder, path);
      const stat = statSync(at);
      return [path, `${stat.mode} ${stat.isFile() ? readFileSync(at, 'base64') : ''}`];
    }),
  );
}

describe('a stored byte that is wrong', () => {
  it('[ST-3] stops every operation with file, offset and rule; nothing is changed, and check says what to do', async () => {
    const root = join(emptyRoot(), 'work');
    const host = await folderHost(root);
    await host.schedules.create(everyMinute('a'));
    await host.schedules.create(everyMinute('b'));
    await host.schedules.close();
    const file = segmentPath(layoutOf(root), 1);
    const bytes = readFileSync(file);
    const at = bytes.indexOf('"objective"');
    bytes[at + 3] = (bytes[at + 3] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    const before = pictureOf(root);
    const wrong = {
      code: 'SCHEDULE_CATALOGUE_CORRUPT',
      details: { file, offset: expect.any(Number), rule: expect.any(String) },
    };
    await expect(folderHost(root)).rejects.toMatchObject({ ...wrong, hint: expect.stringContaining('everdue check') });
    const { store } = await openWorkspace(root, {}, { disk: realDisk, openLock: await kernelLocks(realDisk) });
    await expect(store.changes(0)).rejects.toMatchObject(wrong);
    await expect(store.history({ scheduleId: 'a', limit: 1 })).rejects.toMatchObject(wrong);
    await store.close();
    for (const args of [
      ['list'],
      ['show', 'a'],
      ['status'],
      ['pause', 'a', '--revision', '1'],
      ['gate', 'pause'],
      ['trigger', 'a'],
    ]) {
      const { code, stderr } = await inside(['schedule', '--workspace', root, ...args], { cwd: root });
      expect({ code, stderr }, args[0]).toMatchObject({
        code: 74,
        stderr: expect.stringContaining('SCHEDULE_CATALOGUE_CORRUPT'),
      });
    }
    const findings = await checkWorkspace(root);
    expect(findings[0]).toMatchObject({ file, advice: expect.stringMatching(/\w{3}/) });
    expect(await inside(['check', '--workspace', root], { cwd: root })).toMatchObject({ code: 74 });
    expect(pictureOf(root)).toEqual(before);
  });
});

describe('a folder that cannot be watched', () => {
  it('[OW-3, OW-7] is looked at instead, which is told once, and what others commit is seen', async () => {
    const root = join(emptyRoot(), 'work');
    const disk = {
      ...realDisk,
      watch: () => {
        throw systemError('ENOSPC');
      },
      pause: (ms: number, isIdle?: boolean) => realDisk.pause(ms === 1000 ? 1 : ms, isIdle),
    };
    const execution = scriptedExecution();
    const { clock, schedules } = await folderHost(root, { disk, execution });
    await schedules.create(everyMinute('a', { trigger: { kind: 'manual' } }));
    const owner = schedules.owner();
    await owner.start();
    const other = await folderHost(root, { clock });
    for (const requestId of ['one', 'two', 'three']) {
      const { occurrence } = await other.schedules.trigger('a', { requestId });
      await clock.runUntil(() => execution.executed.some((request) => request.occurrence === occurrence), ENDLESS);
      await schedules.waitFor(occurrence);
    }
    expect(takeWarnings()).toEqual(['Error: ENOSPC: simulated']);
    await owner.stop();
  });

  it('[OW-7] says so as a warning of the process, with a code and what it means', async () => {
    const disk = {
      ...realDisk,
      watch: () => {
        throw systemError('EMFILE');
      },
    };
    const heard = new Promise<Error & { code?: string }>((resolve) => process.once('warning', resolve));
    const workspace = await openWorkspace(emptyRoot(), {}, { disk, openLock: await kernelLocks(disk) });
    workspace.store.watch(() => undefined)();
    expect(await heard).toMatchObject({
      name: 'EverdueWarning',
      code: 'EVERDUE_WATCH',
      message: expect.stringMatching(/every second: EMFILE/),
    });
    await workspace.close();
  });
});
