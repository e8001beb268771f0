/** The medium below an owner: read-only, full, without rights, out of descriptors; real ones where the machine allows it. */
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkWorkspace } from '../../src/checker/check-workspace.js';
import { scriptedExecution } from '../../src/testing/scripted-execution.js';
import { emptyRoot, openAt, systemError, watchedDisk } from '../adapters/fs/ground.js';
import { inside } from '../surfaces/cli-inside.js';
import { everyMinute, folderHost } from './folder-host.js';
import { makeReadOnly, mount } from './mounted.js';

const MINUTE = 60_000;

/** A workspace with a schedule that ran twice, and evidence of it. */
async function usedWorkspace(root: string): Promise<string> {
  const { clock, schedules } = await folderHost(root, { execution: scriptedExecution([], { needsWorkspace: true }) });
  await schedules.create(everyMinute('a'));
  const { occurrence } = await schedules.trigger('a', { requestId: 'once' });
  await clock.runUntil(schedules.owner().tick());
  await schedules.close();
  return occurrence;
}

describe('a medium that is mounted read-only', () => {
  it('[ST-4, CT-10] gives every reading; what would write says so with what to do, and nothing is changed', async (test) => {
    const base = emptyRoot();
    const occurrence = await usedWorkspace(join(base, 'real', 'work'));
    const mounted = mount(test, '--bind', join(base, 'real'));
    makeReadOnly(mounted);
    const root = join(mounted, 'work');
    const command = (...args: readonly string[]) => inside(['schedule', '--workspace', root, ...args], { cwd: base });
    for (const args of [['list'], ['show', 'a'], ['status'], ['evidence', occurrence], ['gate']]) {
      expect(await command(...args), args[0]).toMatchObject({ code: 0, stderr: '' });
    }
    expect(await inside(['check', '--workspace', root], { cwd: base })).toMatchObject({ code: 0 });
    const writing = [
      ['pause', 'a', '--revision', '1'],
      ['trigger', 'a'],
      ['gate', 'pause'],
      ['create', '-', '--defer-planning'],
    ];
    for (const args of writing) {
      const { code, stdout, stderr } = await inside(['schedule', '--workspace', root, ...args], {
        cwd: base,
        stdin: everyMinute('b'),
      });
      expect({ code, stdout }, args[0]).toEqual({ code: 74, stdout: '' });
      expect(stderr, args[0]).toMatch(/SCHEDULE_STORE_UNAVAILABLE.*EROFS.*hint: .*read-only/s);
    }
    const { schedules } = await folderHost(root);
    await expect(schedules.owner().tick()).rejects.toMatchObject({ details: { errno: 'EROFS' } });
    expect((await schedules.status()).owner.isAlive).toBe(false);
    await schedules.close();
    expect(await checkWorkspace(join(base, 'real', 'work'))).toEqual([]);
  });

  it('[ST-4] a new workspace on it is refused and leaves nothing', async (test) => {
    const mounted = mount(test, '-t', 'tmpfs', 'everdue');
    makeReadOnly(mounted);
    await expect(openAt(join(mounted, 'work'))).rejects.toMatchObject({
      code: 'SCHEDULE_STORE_UNAVAILABLE',
      details: { errno: 'EROFS' },
      hint: expect.stringContaining('read-only'),
    });
    expect(existsSync(join(mounted, 'work'))).toBe(false);
  });
});

describe('a full disk', () => {
  it('[ST-4, OW-7] stops nothing but commits: the owner tells of it, goes on when there is room, and nothing is lost or doubled', async (test) => {
    const small = mount(test, '-t', 'tmpfs', '-o', 'size=512k', 'everdue');
    const root = join(small, 'work');
    const execution = scriptedExecution([], { needsWorkspace: true });
    const { clock, schedules, changes } = await folderHost(root, { execution });
    await schedules.create(everyMinute('a', { overlap: 'queue', misfire: 'catchUp' }));
    const owner = schedules.owner();
    await owner.start();
    await clock.runUntil(() => execution.executed.length >= 2, { limitMs: 5 * MINUTE });
    const ballast = join(small, 'ballast');
    fill(ballast);
    await clock.runUntil(() => changes().includes('trouble'), { limitMs: 5 * MINUTE });
    await expect(schedules.trigger('a', { requestId: 'full' })).rejects.toMatchObject({
      code: 'SCHEDULE_STORE_UNAVAILABLE',
      details: { errno: 'ENOSPC' },
      hint: expect.stringContaining('space'),
    });
    expect((await schedules.list()).schedules).toHaveLength(1);
    rmSync(ballast);
    await clock.runUntil(() => changes().includes('recovered'), { limitMs: 5 * MINUTE });
    const before = execution.executed.length;
    await clock.runUntil(() => execution.executed.length >= before + 2, { limitMs: 5 * MINUTE });
    await owner.stop();
    const ids = execution.executed.map(({ occurrence }) => occurrence);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await checkWorkspace(root)).toEqual([]);
  });
});

/** Takes every byte that is left. */
function fill(path: string): void {
  for (let size = 65_536; size >= 1; size = Math.floor(size / 2)) {
    for (;;) {
      try {
        writeFileSync(path, Buffer.alloc(size), { flag: 'a' });
      } catch {
        break;
      }
    }
  }
}

describe('trouble that passes', () => {
  const cases = [
    ['EMFILE', /ulimit/],
    ['ENFILE', /too many files/],
    ['EACCES', /right/],
    ['EIO', /log of the system/],
    ['EDQUOT', /quota/],
  ] as const;

  it.each(cases)(
    '[ST-4, OW-7] %s at every file that is opened: told with what to do, and gone on after it',
    async (errno, hint) => {
      const root = join(emptyRoot(), 'work');
      let isBad = false;
      const disk = watchedDisk((call, args) => {
        if (isBad && call === 'open' && args[1] !== 'read') throw systemError(errno);
        if (isBad && (call === 'write' || call === 'writeNow')) throw systemError(errno);
      });
      const execution = scriptedExecution();
      const { clock, schedules, changes } = await folderHost(root, { execution, disk });
      await schedules.create(everyMinute('a', { overlap: 'queue' }));
      const owner = schedules.owner();
      await owner.start();
      await clock.runUntil(() => execution.executed.length >= 1, { limitMs: MINUTE });
      isBad = true;
      await clock.runUntil(() => changes().includes('trouble'), { limitMs: 5 * MINUTE });
      await expect(schedules.pause('a', { revision: 1 })).rejects.toMatchObject({
        code: 'SCHEDULE_STORE_UNAVAILABLE',
        retry: 'later',
        details: { errno },
        hint: expect.stringMatching(hint),
      });
      isBad = false;
      await clock.runUntil(() => execution.executed.length >= 3, { limitMs: 5 * MINUTE });
      expect(changes()).toContain('recovered');
      await owner.stop();
      expect(await checkWorkspace(root)).toEqual([]);
    },
  );

  it('[ST-4, ST-8] a folder that this user may not enter: a clear error, nothing made', async (test) => {
    if (process.geteuid?.() !== 0 || process.seteuid === undefined) {
      return test.skip('only root can become another user for a moment');
    }
    const base = emptyRoot();
    await usedWorkspace(join(base, 'closed', 'work'));
    chmodSync(base, 0o755);
    process.seteuid(65_534);
    try {
      await expect(openAt(join(base, 'closed', 'work'))).rejects.toMatchObject({
        code: 'SCHEDULE_STORE_UNAVAILABLE',
        details: { errno: 'EACCES' },
        hint: expect.stringContaining('right'),
      });
      await expect(openAt(join(base, 'mine'))).rejects.toMatchObject({ details: { errno: 'EACCES' } });
    } finally {
      process.seteuid(0);
    }
    expect(existsSync(join(base, 'mine'))).toBe(false);
  });
});
