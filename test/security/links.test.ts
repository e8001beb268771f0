/** Links planted in the place of every file and directory of a workspace, doors left open to others, and modes whatever the umask. */
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repairWorkspace } from '../../src/adapters/fs/index.js';
import { directoriesOf, layoutOf } from '../../src/adapters/fs/layout.js';
import { checkWorkspace } from '../../src/checker/check-workspace.js';
import { isScheduleError } from '../../src/errors.js';
import { inProcess } from '../../src/index.js';
import { commitOn } from '../../src/testing/contracts/sample-catalogue.js';
import { emptyRoot, endMany, openAt } from '../adapters/fs/ground.js';
import { everyMinute, folderHost } from '../operating/folder-host.js';

const UNUSABLE = 'SCHEDULE_WORKSPACE_UNUSABLE';

/** A workspace with every kind of file: documents, history, two snapshots, segments, evidence, a report of an owner. */
async function fullWorkspace(): Promise<{ readonly root: string; readonly occurrence: string }> {
  const root = join(emptyRoot(), 'work');
  const run = async (_document: unknown, context: { publish(name: string, content: string): Promise<unknown> }) => {
    await context.publish('deep/report.txt', 'done');
  };
  const execution = inProcess({ providers: { scripted: { kinds: { 'scripted/1': { run } } } } });
  const { clock, schedules } = await folderHost(root, { execution });
  await schedules.create(everyMinute('a', { trigger: { kind: 'manual' } }));
  const owner = schedules.owner();
  await owner.start();
  const { occurrence } = await schedules.trigger('a', { requestId: 'once' });
  await clock.runUntil(schedules.waitFor(occurrence));
  await owner.stop();
  await schedules.close();
  const { store, close } = await openAt(root);
  await endMany(store, 'a', 0, 1000);
  await store.settled();
  await close();
  return { root, occurrence };
}

function copyOf(root: string): string {
  const copy = join(emptyRoot(), 'work');
  cpSync(root, copy, { recursive: true });
  return copy;
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => lstatSync(path).isFile());
}

/** Everything that a process does with a workspace; gives what was refused. */
async function useAll(root: string, occurrence: string): Promise<readonly unknown[]> {
  const errors: unknown[] = [];
  const noted = async (make: () => Promise<unknown>) => {
    await make().catch((error: unknown) => void errors.push(error));
  };
  await noted(async () => {
    const { store, lock, evidence, close } = await openAt(root);
    await noted(() => store.changes(0));
    await noted(() => store.history({ scheduleId: 'a', limit: 1000 }));
    await noted(async () => {
      for (const { entry } of (await store.changes(0)).schedules) {
        await store.document(entry.schedule.definition.documentDigest);
      }
    });
    await noted(() => evidence.read(occurrence));
    await noted(() => lock.status());
    await noted(() => commitOn(store, []));
    await noted(async () => {
      const result = await lock.acquire();
      if (result.kind === 'acquired') await result.lease.release();
    });
    await noted(() => endMany(store, 'a', 1000, 900));
    await noted(() => store.settled());
    await close();
  });
  return errors;
}

describe('a symbolic link', () => {
  it('[ST-8] in the place of any file is not followed: what it leads to is never read and never written', async () => {
    const template = await fullWorkspace();
    const names = filesBelow(template.root).map((path) => relative(template.root, path));
    expect(names.length).toBeGreaterThan(13);
    for (const name of names) {
      if (name.includes('published')) continue;
      const { occurrence } = template;
      const root = copyOf(template.root);
      const path = join(root, name);
      const victim = join(emptyRoot(), 'victim');
      renameSync(path, victim);
      symlinkSync(victim, path);
      const before = readFileSync(victim);
      const errors = await useAll(root, occurrence);
      expect(readFileSync(victim).equals(before), name).toBe(true);
      for (const error of errors) expect(isScheduleError(error), `${name}: ${String(error)}`).toBe(true);
      // A link that nobody had to read or replace, such as in the place of a closed segment, is for the check to find.
      const isLeft = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
      if (isLeft)
        expect(
          (await checkWorkspace(root)).map(({ file }) => file),
          name,
        ).toContain(path);
    }
  }, 60_000);

  it('[ST-8] in the place of any directory of it is refused before anything is read', async () => {
    const template = await fullWorkspace();
    for (const at of [
      'catalogue',
      'journal',
      'documents',
      'history',
      'locks',
      'tmp',
      'quarantine',
      'occurrences',
    ] as const) {
      const root = copyOf(template.root);
      const path = layoutOf(root)[at];
      const outside = join(emptyRoot(), 'outside');
      renameSync(path, outside);
      symlinkSync(outside, path);
      await expect(openAt(root), at).rejects.toMatchObject({ code: UNUSABLE, details: { path } });
      await expect(repairWorkspace(root), at).rejects.toMatchObject({ code: UNUSABLE });
    }
  });

  it('[ST-8, OC-8] planted where evidence is going to be: nothing is written through it, and nothing runs', async () => {
    const root = join(emptyRoot(), 'work');
    let runs = 0;
    const run = () => {
      runs += 1;
    };
    const execution = inProcess({ providers: { scripted: { kinds: { 'scripted/1': { run } } } } });
    const { clock, schedules } = await folderHost(root, { execution });
    await schedules.create(everyMinute('a', { trigger: { kind: 'manual' } }));
    const outside = emptyRoot();
    symlinkSync(outside, join(layoutOf(root).occurrences, 'a'));
    const { occurrence } = await schedules.trigger('a', { requestId: 'once' });
    await clock.runUntil(schedules.owner().tick());
    const { history, pending } = await schedules.get('a');
    expect([...history, ...pending].find(({ id }) => id === occurrence)?.status).not.toBe('succeeded');
    expect({ runs, left: readdirSync(outside) }).toEqual({ runs: 0, left: [] });
  });
});

describe('a hard link', () => {
  it('[ST-8, ST-3] of any file of the catalogue is found by the check, and one of a lock keeps everybody out', async () => {
    const { root } = await fullWorkspace();
    const { catalogue, snapshot, formerSnapshot, ownerLock } = layoutOf(root);
    for (const path of filesBelow(catalogue)) {
      if (path === snapshot || path === formerSnapshot) continue;
      const second = join(emptyRoot(), 'second');
      linkSync(path, second);
      expect((await checkWorkspace(root)).map(({ file, invariant }) => ({ file, invariant }))).toContainEqual({
        file: path,
        invariant: 'I15',
      });
      copyFileSync(path, `${second}.copy`);
      renameSync(`${second}.copy`, path);
      chmodSync(path, 0o600);
    }
    expect(await checkWorkspace(root)).toEqual([]);
    linkSync(ownerLock, join(emptyRoot(), 'second'));
    expect(await (await openAt(root)).lock.acquire()).toMatchObject({ kind: 'held' });
  });
});

describe('a directory that others may change', () => {
  it('[ST-8] is refused wherever it is in the catalogue, and repaired by `everdue repair`', async () => {
    const { root } = await fullWorkspace();
    for (const path of directoriesOf(layoutOf(root)).filter((one) => one !== root)) {
      for (const mode of [0o720, 0o702, 0o777, 0o770]) {
        chmodSync(path, mode);
        await expect(openAt(root), `${path} ${mode.toString(8)}`).rejects.toMatchObject({
          code: UNUSABLE,
          details: { path, found: expect.stringContaining('others may write') },
          hint: expect.stringContaining('everdue repair'),
        });
      }
      if (path.startsWith(layoutOf(root).catalogue)) await repairWorkspace(root);
      else chmodSync(path, 0o700);
      expect(statSync(path).mode & 0o777).toBe(0o700);
      await (await openAt(root)).close();
    }
  });

  it('[ST-8] may be the workspace itself, and others may look', async () => {
    const { root } = await fullWorkspace();
    chmodSync(root, 0o775);
    chmodSync(layoutOf(root).catalogue, 0o755);
    expect(await openAt(root)).toBeDefined();
  });

  it('[ST-8] or that belongs to another user is refused with both', async (test) => {
    if (process.geteuid?.() !== 0) return test.skip('only root can give a directory away');
    const { root } = await fullWorkspace();
    const { journal, catalogue } = layoutOf(root);
    for (const path of [journal, catalogue]) {
      chownSync(path, 12_345, 12_345);
      await expect(openAt(root)).rejects.toMatchObject({
        code: UNUSABLE,
        details: { path, found: 'it belongs to user 12345, and this process is user 0' },
      });
      chownSync(path, 0, 0);
    }
    expect(await openAt(root)).toBeDefined();
  });
});

describe('modes', () => {
  it.each([0, 0o022, 0o077, 0o777])('[ST-8] are 0600 and 0700 under the umask %i', async (umask) => {
    const before = process.umask(umask);
    try {
      const { root } = await fullWorkspace();
      const found = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => {
        const stat = lstatSync(join(root, name));
        return { name, isRight: (stat.mode & 0o777) === (stat.isDirectory() ? 0o700 : 0o600) };
      });
      expect(found.filter(({ isRight }) => !isRight)).toEqual([]);
      expect(found.map(({ name }) => name).join('\n')).toMatch(/published\/deep\/report.txt/);
      expect(await checkWorkspace(root)).toEqual([]);
    } finally {
      process.umask(before);
    }
  });
});
