/** The journal in its parts: segments, the watch on them, and readers that were left behind. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Disk } from '../../../src/adapters/fs/disk/disk.js';
import { realDisk } from '../../../src/adapters/fs/disk/real-disk.js';
import { CatalogueReader } from '../../../src/adapters/fs/journal/catalogue-reader.js';
import { HeadFile } from '../../../src/adapters/fs/journal/head-mark.js';
import { JournalWriter } from '../../../src/adapters/fs/journal/journal-writer.js';
import { segmentPath } from '../../../src/adapters/fs/layout.js';
import { storedWorkspace } from '../../../src/adapters/fs/open-layout.js';
import { JournalWatch } from '../../../src/adapters/fs/watch.js';
import {
  commitOn,
  records,
  sampleOccurrence,
  sampleSchedule,
  writes,
} from '../../../src/testing/contracts/sample-catalogue.js';
import { emptyRoot, endMany, namesOf, openAt, systemError, watchedDisk, wholeHistory } from './ground.js';

/** A disk with some calls of its own. */
function diskWith(calls: Partial<Disk>): Disk {
  return { ...realDisk, ...calls };
}

describe('segments', () => {
  it('[ST-1] a segment may be closed without a snapshot; what ended before is still in memory', async () => {
    const root = emptyRoot();
    const { store } = await openAt(root);
    await commitOn(store, [writes(sampleSchedule('a'))]);
    const ids = await endMany(store, 'a', 0, 20);
    const opened = { layout: namesOf(root), workspace: await storedWorkspace(realDisk, namesOf(root)) };
    const head = new HeadFile(realDisk, opened.layout.head);
    const reader = new CatalogueReader(realDisk, opened, head);
    const replica = await reader.readOn();
    expect(await new JournalWriter(realDisk, opened.layout, head).roll(replica, 0)).toMatchObject({ segment: 2 });
    expect(replica.segment).toBe(2);
    await reader.close();
    await head.close();
    ids.push(...(await endMany(store, 'a', 20, 20)));
    for (const handle of [store, (await openAt(root)).store]) {
      expect((await wholeHistory(handle, 'a')).map(({ id }) => id).reverse()).toEqual(ids);
    }
  });

  it('[ST-2] a closed segment whose end nobody marked as durable is written anew before the first commit behind it', async () => {
    const root = emptyRoot();
    const { store } = await openAt(root);
    await commitOn(store, [writes(sampleSchedule('a'))]);
    const flushed: string[] = [];
    const paths = new Map<unknown, string>();
    const disk: Disk = diskWith({
      async open(path, use) {
        const file = await realDisk.open(path, use);
        paths.set(file, path);
        return file;
      },
      async flush(file) {
        flushed.push(paths.get(file) ?? '');
        await realDisk.flush(file);
      },
    });
    const other = (await openAt(root, {}, disk)).store;
    await commitOn(other, []);
    await endMany(store, 'a', 0, 1500);
    await store.settled();
    flushed.length = 0;
    await commitOn(other, [records(sampleOccurrence('a', 'x'))]);
    const inJournal = (path: string) => path.includes('/journal/');
    expect(flushed.filter(inJournal), 'what is marked as durable is not flushed again').toHaveLength(1);

    // As a process leaves it that dies after its record and before its mark.
    const head = readFileSync(namesOf(root).head);
    await endMany(store, 'a', 1500, 1500);
    await store.settled();
    writeFileSync(namesOf(root).head, head);
    const inodes = () =>
      readdirSync(namesOf(root).journal).map((name) => statSync(join(namesOf(root).journal, name)).ino);
    const before = inodes();
    await commitOn(other, [records(sampleOccurrence('a', 'y'))]);
    expect(inodes().filter((inode) => before.includes(inode)).length).toBeLessThan(before.length);
  });

  it('[ST-5] a handle that slept through several roll-overs reads on from the snapshot', async () => {
    const root = emptyRoot();
    const [awake, asleep] = [(await openAt(root)).store, (await openAt(root)).store];
    await commitOn(awake, [writes(sampleSchedule('a'))]);
    expect((await asleep.changes(0)).seq).toBe(1);
    for (let round = 0; round < 4; round++) {
      await endMany(awake, 'a', round * 2000, 1500);
      await awake.settled();
    }
    // What changed before the snapshot is not told apart any more: it gives everything, and says so.
    const { isFull, ...found } = await asleep.changes(1);
    expect(isFull).toBe(true);
    expect(await awake.changes(1)).toMatchObject(found);
    expect(await asleep.changes(0)).toEqual(await awake.changes(0));
    expect(await asleep.history({ scheduleId: 'a', limit: 3 })).toEqual(
      await awake.history({ scheduleId: 'a', limit: 3 }),
    );
  });

  it('[ST-3] a segment that is gone, with nothing that stands for it, is refused', async () => {
    const root = emptyRoot();
    const { store, close } = await openAt(root);
    await commitOn(store, [writes(sampleSchedule('a'))]);
    await endMany(store, 'a', 0, 1500);
    await close();
    const last = segmentPath(namesOf(root), 2);
    rmSync(last);
    await expect((await openAt(root)).store.changes(0)).rejects.toMatchObject({
      code: 'SCHEDULE_CATALOGUE_CORRUPT',
      details: { file: last, rule: 'missing' },
    });
  });

  it('[ST-1] every line is JSON that a person can read, behind its digest', async () => {
    const root = emptyRoot();
    const { store } = await openAt(root);
    await commitOn(store, [writes(sampleSchedule('a')), records(sampleOccurrence('a', 'x'))]);
    const lines = readFileSync(segmentPath(namesOf(root), 1), 'utf8')
      .trimEnd()
      .split('\n');
    const [open, commit] = lines.map((line) => JSON.parse(line.slice(65)) as Record<string, unknown>);
    expect(open).toMatchObject({ seq: 0, kind: 'open' });
    expect(commit).toMatchObject({ seq: 1, kind: 'commit', at: '2026-01-05T08:00:00.000Z', actor: 'contract' });
    const ops = commit?.['ops'] as { t: string }[];
    expect(ops.map(({ t }) => t)).toEqual(['definition', 'schedule', 'occurrence']);
    const snapshot = JSON.parse(readFileSync(namesOf(root).snapshot, 'utf8')) as unknown;
    expect(snapshot).toMatchObject({
      format: 'everdue/catalogue',
      version: 1,
      body: { seq: 0, schedules: [], marks: [] },
    });
  });
});

describe('the watch', () => {
  /** Resolves when the watch calls, within the limit of the test. */
  function called(watch: JournalWatch): { readonly first: Promise<void>; readonly stop: () => void } {
    let stop = () => {};
    const first = new Promise<void>((resolve) => {
      stop = watch.add(resolve);
    });
    return { first, stop };
  }

  it('[OW-3] where watching is not to be had, it polls, and tells of what changed', async () => {
    const pauses: number[] = [];
    let wake = () => {};
    const disk = diskWith({
      watch() {
        throw systemError('ENOSPC');
      },
      pause(ms) {
        pauses.push(ms);
        return new Promise((resolve) => {
          wake = resolve;
        });
      },
    });
    let bytes = 1;
    const facts = () => ({ kind: 'file', identity: '1:1', bytes, links: 1, changedAtMs: 0, mode: 0o600 }) as const;
    const warned: unknown[] = [];
    const watch = new JournalWatch(disk, '/nowhere', facts, (error) => void warned.push(error));
    // Nobody knows what happened before: told at once.
    await called(watch).first;
    const { first } = called(watch);
    bytes = 2;
    wake();
    await first;
    expect(pauses[0]).toBe(1000);
    watch.close();
    wake();
    await called(watch).first;
    watch.close();
    expect(warned, 'told once, however often it is tried').toMatchObject([{ code: 'ENOSPC' }]);
  });

  it('[OW-3] a watch that breaks is followed by the poll; the last listener that leaves ends it', async () => {
    let fail: ((error: unknown) => void) | undefined;
    let stopped = 0;
    const disk = diskWith({
      watch(_path, _onChange, onError) {
        fail = onError;
        return () => {
          stopped += 1;
        };
      },
      pause: () => new Promise(() => {}),
    });
    const warned: unknown[] = [];
    const watch = new JournalWatch(
      disk,
      '/nowhere',
      () => undefined,
      (error) => void warned.push(error),
    );
    const { first, stop } = called(watch);
    fail?.(systemError('EPERM'));
    await first;
    expect(warned).toMatchObject([{ code: 'EPERM' }]);
    expect(stopped).toBe(1);
    stop();
    const again = called(watch);
    again.stop();
    expect(stopped).toBe(2);
  });

  it('[ST-4] a directory that vanished is trouble, not silence', async () => {
    const root = emptyRoot();
    const { store } = await openAt(root);
    await commitOn(store, [writes(sampleSchedule('a'))]);
    renameSync(namesOf(root).journal, `${namesOf(root).journal}-gone`);
    await expect(store.changes(1)).rejects.toMatchObject({ code: 'SCHEDULE_CATALOGUE_CORRUPT' });
    mkdirSync(namesOf(root).journal);
    await expect(commitOn(store, [])).rejects.toMatchObject({ code: 'SCHEDULE_CATALOGUE_CORRUPT' });
    rmSync(namesOf(root).journal, { recursive: true });
    renameSync(`${namesOf(root).journal}-gone`, namesOf(root).journal);
    expect(await commitOn(store, [])).toBe(2);
  });

  it('[CT-10] what a handle that may only watch sees is what was committed', async () => {
    const root = emptyRoot();
    const { store } = await openAt(root);
    const silent = watchedDisk(() => undefined);
    const other = (await openAt(root, {}, silent)).store;
    const heard = new Promise<void>((resolve) => {
      other.watch(resolve);
    });
    await commitOn(store, [writes(sampleSchedule('a'))]);
    await heard;
    expect((await other.changes(0)).seq).toBe(1);
  });
});
