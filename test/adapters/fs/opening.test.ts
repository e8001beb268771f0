/** Opening a workspace: made safely, found again, and refused where it must not be used. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Disk } from '../../../src/adapters/fs/disk/disk.js';
import { idOfName, safeName } from '../../../src/adapters/fs/disk/safe-name.js';
import { fileWorkspace } from '../../../src/adapters/fs/file-workspace.js';
import { segmentPath } from '../../../src/adapters/fs/layout.js';
import { checkWorkspace } from '../../../src/checker/check-workspace.js';
import { commitOn, sampleSchedule, writes } from '../../../src/testing/contracts/sample-catalogue.js';
import { emptyRoot, endMany, namesOf, openAt, systemError, watchedDisk } from './ground.js';

const UNUSABLE = 'SCHEDULE_WORKSPACE_UNUSABLE';

/** Every path below a directory, itself included. */
function allBelow(path: string): string[] {
  const isDirectory = lstatSync(path).isDirectory();
  return [path, ...(isDirectory ? readdirSync(path).flatMap((name) => allBelow(join(path, name))) : [])];
}

describe('making a workspace', () => {
  it('[ST-8] files are 0600 and directories 0700 with an umask of 0, also those above it', async () => {
    const umask = process.umask(0);
    try {
      const root = join(emptyRoot(), 'deep', 'work');
      const { store, lock, evidence } = await openAt(root);
      await commitOn(store, [writes(sampleSchedule('a'))]);
      await endMany(store, 'a', 0, 1500);
      await store.settled();
      const taken = await lock.acquire();
      if (taken.kind === 'held') throw new Error('it is free');
      const at = sampleSchedule('a').createdAt;
      await taken.lease.note({ pid: 1, host: 'h', epoch: 1, since: at, lastTickAt: at, running: [] });
      await evidence.begin('a~1~m~x', 1, {});
      for (const path of allBelow(join(root, '..'))) {
        const stat = lstatSync(path);
        expect(stat.mode & 0o777, path).toBe(stat.isDirectory() ? 0o700 : 0o600);
        expect(stat.isSymbolicLink(), path).toBe(false);
      }
    } finally {
      process.umask(umask);
    }
  });

  it('[ST-2] cut short at any step, it is made by the next who opens it', async () => {
    const steps: readonly (keyof Disk)[] = ['open', 'write', 'flush', 'flushDirectory', 'makeDirectory', 'rename'];
    for (let step = 0, isDone = false; !isDone; step++) {
      const root = join(emptyRoot(), 'work');
      let left = step;
      const disk = watchedDisk((call) => {
        if (steps.includes(call) && left-- <= 0) throw systemError('EIO');
      });
      isDone = await openAt(root, {}, disk).then(
        () => true,
        () => false,
      );
      const { store, close } = await openAt(root);
      expect(await commitOn(store, [writes(sampleSchedule('a'))])).toBe(1);
      await close();
      expect(await checkWorkspace(root), `step ${step}`).toEqual([]);
    }
  });

  it('[ST-5] of several who open a new workspace at once, all get the same one', async () => {
    const root = join(emptyRoot(), 'work');
    const opened = await Promise.all(Array.from({ length: 5 }, () => openAt(root)));
    for (const { store } of opened) await commitOn(store, []);
    for (const { store } of opened) expect((await store.changes(0)).seq).toBe(5);
  });

  it('[ST-2] a journal with commits is never made anew, though store.json is gone', async () => {
    const root = emptyRoot();
    const { store, close } = await openAt(root);
    await commitOn(store, []);
    await close();
    const { store: file } = namesOf(root);
    const journal = readFileSync(segmentPath(namesOf(root), 1));
    const text = readFileSync(file);
    rmSync(file);
    await expect(fileWorkspace(root)).rejects.toMatchObject({ code: 'SCHEDULE_CATALOGUE_CORRUPT', details: { file } });
    expect(readFileSync(segmentPath(namesOf(root), 1)).equals(journal)).toBe(true);
    writeFileSync(file, text);
    expect((await (await openAt(root)).store.changes(0)).seq).toBe(1);
  });

  it('[CT-10] opening one that exists writes nothing', async () => {
    const root = emptyRoot();
    await (await openAt(root)).close();
    const disk = watchedDisk((call, args) => {
      if (['write', 'writeNow', 'rename', 'makeDirectory', 'flush'].includes(call))
        throw new Error(`${call} was called`);
      if (call === 'open' && args[1] !== 'read') throw new Error(`opened to ${String(args[1])}`);
    });
    const { store } = await openAt(root, {}, disk);
    expect((await store.changes(0)).seq).toBe(0);
  });
});

describe('what is refused', () => {
  it('[ST-8] a file, or a file where a directory must be', async () => {
    const root = emptyRoot();
    writeFileSync(join(root, 'file'), 'x');
    for (const path of [join(root, 'file'), join(root, 'file', 'below')]) {
      await expect(fileWorkspace(path)).rejects.toMatchObject({
        code: UNUSABLE,
        details: { path: join(root, 'file') },
      });
    }
  });

  it('[ST-8] a symbolic link: the workspace itself, above it, and anywhere in the catalogue', async () => {
    const root = emptyRoot();
    const real = join(root, 'real');
    await (await openAt(join(real, 'work'))).close();
    symlinkSync(real, join(root, 'link'));
    symlinkSync(join(real, 'work'), join(root, 'direct'));
    for (const [path, link] of [
      [join(root, 'link', 'work'), join(root, 'link')],
      [join(root, 'direct'), join(root, 'direct')],
    ] as const) {
      await expect(fileWorkspace(path)).rejects.toMatchObject({ code: UNUSABLE, details: { path: link } });
    }
    for (const name of ['catalogue', 'catalogue/journal', 'catalogue/documents', 'catalogue/history', 'occurrences']) {
      const planted = emptyRoot();
      await (await openAt(planted)).close();
      renameSync(join(planted, name), join(planted, 'moved'));
      symlinkSync(join(planted, 'moved'), join(planted, name));
      await expect(fileWorkspace(planted), name).rejects.toMatchObject({ code: UNUSABLE });
    }
  });

  it('[ST-8] a link in the place of a file of the catalogue is not followed', async () => {
    for (const name of ['store', 'snapshot', 'stateLock', 'segment'] as const) {
      const root = emptyRoot();
      await (await openAt(root)).close();
      const path = name === 'segment' ? segmentPath(namesOf(root), 1) : namesOf(root)[name];
      const victim = join(emptyRoot(), 'victim');
      renameSync(path, victim);
      symlinkSync(victim, path);
      const before = readFileSync(victim);
      const using = openAt(root).then(({ store }) => commitOn(store, []));
      await expect(using, name).rejects.toMatchObject({ code: UNUSABLE });
      expect(readFileSync(victim).equals(before)).toBe(true);
    }
  });

  it('[ST-7] a newer format', async () => {
    for (const name of ['store', 'snapshot'] as const) {
      const root = emptyRoot();
      await (await openAt(root)).close();
      const path = namesOf(root)[name];
      writeFileSync(path, readFileSync(path, 'utf8').replace('"version":1', '"version":2'));
      const using = openAt(root).then(({ store }) => store.changes(0));
      await expect(using).rejects.toMatchObject({
        code: 'SCHEDULE_CATALOGUE_VERSION',
        details: { file: path, found: 2, known: 1 },
      });
    }
  });

  it('[ST-8] a file system that machines share, unless the caller takes the risk', async () => {
    const base = watchedDisk(() => undefined);
    const disk: Disk = new Proxy(base, {
      get: (target, name) => (name === 'fileSystemType' ? async () => 0x6969 : Reflect.get(target, name)),
    });
    const root = join(emptyRoot(), 'work');
    await expect(openAt(root, {}, disk)).rejects.toMatchObject({
      code: UNUSABLE,
      message: expect.stringContaining('NFS'),
    });
    expect(existsSync(root)).toBe(false);
    await openAt(root, { allowNetworkFileSystem: true }, disk);
  });

  it('[ST-6] a retention that makes no sense', async () => {
    for (const retention of [{ perSchedule: 0 }, { perSchedule: 1.5 }, { days: 0 }, { days: Number.NaN }]) {
      await expect(fileWorkspace(emptyRoot(), { retention })).rejects.toMatchObject({
        code: 'SCHEDULE_CONFIG_INVALID',
      });
    }
  });

  it('[ST-3] a workspace that is not there is a finding of a check, which makes nothing', async () => {
    const root = join(emptyRoot(), 'nothing');
    expect(await checkWorkspace(root)).toMatchObject([{ rule: 'missing', file: namesOf(root).store }]);
    expect(existsSync(root)).toBe(false);
  });
});

describe('names of ids', () => {
  it('[ST-8] are reversible, safe, and stay in their directory', () => {
    const ids = [
      'nightly-report',
      'a.b_c-d',
      'a~1~20261130T080000000Z',
      'a~1~m~x',
      '..',
      '.',
      '',
      '../../etc/passwd',
      'a/b\\c',
      'C:\\x',
      'a\0b',
      'con',
      'CON.txt',
      'nul',
      'lpt1.log',
      'trailing.',
      'trailing ',
      '.hidden',
      '%',
      '%2E',
      'größer',
      '日本',
      '~',
      'a*b?c"<>|',
    ];
    const names = ids.map(safeName);
    expect(new Set(names).size).toBe(ids.length);
    for (const [index, name] of names.entries()) {
      expect(idOfName(name), name).toBe(ids[index]);
      expect(name).toMatch(/^[A-Za-z0-9%~_-][A-Za-z0-9%._~-]*$/);
      expect(name).not.toMatch(/\.$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
      expect(relative('/root', join('/root', name))).toBe(name);
    }
    for (const name of ['%zz', 'a b', '..', 'con', '%61']) expect(idOfName(name), name).toBeUndefined();
    expect(() => safeName('x'.repeat(300))).toThrow(expect.objectContaining({ code: 'SCHEDULE_NOT_FOUND' }));
  });

  it('[ST-8] no history leaves the root, whatever stands in the catalogue', async () => {
    const root = emptyRoot();
    mkdirSync(join(root, 'outside'));
    const { store } = await openAt(join(root, 'work'));
    await commitOn(store, [writes(sampleSchedule('../../../outside/x'))]);
    await endMany(store, '../../../outside/x', 0, 1500);
    await store.settled();
    expect(readdirSync(join(root, 'outside'))).toEqual([]);
    expect(readdirSync(namesOf(join(root, 'work')).history)).toHaveLength(1);
  });
});
