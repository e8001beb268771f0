/** Torn tails are explained, everything else that is wrong is refused with file and offset, and nothing is repaired in silence. */
import { copyFileSync, cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { segmentPath } from '../../../src/adapters/fs/layout.js';
import { checkWorkspace } from '../../../src/checker/check-workspace.js';
import type { ScheduleStore } from '../../../src/ports/schedule-store.js';
import {
  commitOn,
  records,
  sampleBatch,
  sampleOccurrence,
  sampleSchedule,
  writes,
} from '../../../src/testing/contracts/sample-catalogue.js';
import { emptyRoot, namesOf, openAt, systemError, watchedDisk } from './ground.js';

const CORRUPT = { code: 'SCHEDULE_CATALOGUE_CORRUPT' };

/** A closed workspace with two commits, the path of its segment, and where the second commit begins. */
async function twoCommits(): Promise<{ root: string; segment: string; lastAt: number; bytes: Buffer }> {
  const root = emptyRoot();
  const { store, close } = await openAt(root);
  await commitOn(store, [writes(sampleSchedule('a'))]);
  await commitOn(store, [records(sampleOccurrence('a', 'one'))]);
  await close();
  const segment = segmentPath(namesOf(root), 1);
  const bytes = readFileSync(segment);
  return { root, segment, lastAt: bytes.lastIndexOf('\n', bytes.length - 2) + 1, bytes };
}

/** What a catalogue holds, in a form to compare. */
async function contentOf(store: ScheduleStore): Promise<unknown> {
  const { seq, schedules } = await store.changes(0);
  return { seq, pending: schedules.map(({ entry }) => entry.pending.map(({ id }) => id)) };
}

const BEFORE = { seq: 1, pending: [[]] };
const AFTER = { seq: 2, pending: [['a~1~m~one']] };

describe('a torn tail', () => {
  it('[ST-2] cut anywhere, the last commit is there or not, and the next one works', async () => {
    const { root, segment, lastAt, bytes } = await twoCommits();
    const head = readFileSync(namesOf(root).head);
    for (let length = lastAt; length <= bytes.length; length++) {
      // Every byte about both ends and about the digest, every seventh between them.
      const isNearEdge = length < lastAt + 72 || length > bytes.length - 8;
      if (!isNearEdge && length % 7 !== 0) continue;
      writeFileSync(segment, bytes.subarray(0, length));
      // The process that was killed in the middle of its record had written no mark.
      writeFileSync(namesOf(root).head, length === bytes.length ? head : Buffer.alloc(512, ' '));
      const { store, close } = await openAt(root);
      const expected = length === bytes.length ? AFTER : BEFORE;
      expect(await contentOf(store), `cut at ${length}`).toEqual(expected);
      await commitOn(store, [records(sampleOccurrence('a', 'two'))]);
      await close();
      if (length % 16 !== 0) continue;
      const again = await openAt(root);
      expect((await again.store.changes(0)).seq, `cut at ${length}`).toBe(expected.seq + 1);
      await again.close();
    }
  });

  it('[ST-2] torn twice, the skip record itself, it is explained all the same', async () => {
    const { root, segment, lastAt, bytes } = await twoCommits();
    writeFileSync(segment, bytes.subarray(0, lastAt + 100));
    writeFileSync(namesOf(root).head, Buffer.alloc(512, ' '));
    const first = await openAt(root);
    await commitOn(first.store, []);
    await first.close();
    const skipped = readFileSync(segment);
    const skipAt = lastAt + 100 + 2;
    const skipEnd = skipped.indexOf('\n', skipAt) + 1;
    for (let length = lastAt + 101; length <= skipEnd; length += 5) {
      writeFileSync(segment, skipped.subarray(0, length));
      writeFileSync(namesOf(root).head, Buffer.alloc(512, ' '));
      const { store, close } = await openAt(root);
      expect(await contentOf(store), `cut at ${length}`).toEqual(BEFORE);
      await commitOn(store, [records(sampleOccurrence('a', 'two'))]);
      await close();
      expect((await (await openAt(root)).store.changes(0)).seq).toBe(2);
    }
  });

  it('[ST-2] zeros that a power cut left in the last record are torn, not rot', async () => {
    const { root, segment, lastAt, bytes } = await twoCommits();
    const zeroed = Buffer.from(bytes).fill(0, lastAt + 20, bytes.length - 1);
    writeFileSync(segment, zeroed);
    writeFileSync(namesOf(root).head, Buffer.alloc(512, ' '));
    const { store } = await openAt(root);
    expect(await contentOf(store)).toEqual(BEFORE);
    expect(await commitOn(store, [])).toBe(2);
  });

  it('[ST-4] a disk that is full after some bytes: not committed, and nothing of it is ever seen', async () => {
    const probed = await twoCommits();
    const { store: probe, close } = await openAt(probed.root);
    await commitOn(probe, [records(sampleOccurrence('a', 'two'))]);
    await close();
    const length = readFileSync(probed.segment).length - probed.bytes.length;
    // The worst case: everything but the newline was written.
    for (const written of [1, 70, length - 1]) {
      const { root, segment } = await twoCommits();
      let isFull = true;
      const disk = watchedDisk((call, args) => {
        if (call !== 'write' || args[2] !== 'append' || !isFull) return;
        isFull = false;
        writeFileSync(segment, (args[1] as Buffer).subarray(0, written), { flag: 'a' });
        throw systemError('ENOSPC');
      });
      const workspace = await openAt(root, {}, disk);
      const { store } = workspace;
      const batch = sampleBatch(2, [records(sampleOccurrence('a', 'two'))]);
      await expect(store.commit(batch)).rejects.toMatchObject({
        code: 'SCHEDULE_STORE_UNAVAILABLE',
        details: { errno: 'ENOSPC' },
      });
      expect(await contentOf(store)).toEqual(AFTER);
      expect(await store.commit(batch)).toMatchObject({ kind: 'committed', seq: 3 });
      await workspace.close();
      const again = await openAt(root);
      expect((await again.store.changes(0)).schedules[0]?.entry.pending).toHaveLength(2);
      await again.close();
      expect(await checkWorkspace(root)).toEqual([]);
    }
  });
});

describe('damage', () => {
  it('[ST-3] a flipped bit anywhere in the journal is refused with file and offset, and stays as it is', async () => {
    const { root, segment, lastAt, bytes } = await twoCommits();
    for (let at = 0; at < bytes.length; at += 7) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] as number) ^ 4;
      writeFileSync(segment, flipped);
      const { store, close } = await openAt(root);
      const error = await store.changes(0).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error, `bit at ${at}`).toMatchObject({ ...CORRUPT, details: { file: segment } });
      const { offset } = (error as { details: { offset: number } }).details;
      expect(offset).toBeLessThanOrEqual(at);
      if (at >= lastAt) expect(offset).toBe(lastAt);
      await expect(store.commit(sampleBatch(2, []))).rejects.toMatchObject(CORRUPT);
      await close();
      expect(readFileSync(segment).equals(flipped)).toBe(true);
      const findings = await checkWorkspace(root);
      expect(findings.map(({ file }) => file)).toContain(segment);
    }
  });

  it('[ST-3] a journal that ends before what was durable is refused', async () => {
    const { root, segment, lastAt } = await twoCommits();
    truncateSync(segment, lastAt);
    const { store } = await openAt(root);
    await expect(store.changes(0)).rejects.toMatchObject({ ...CORRUPT, details: { rule: 'head', file: segment } });
  });

  it('[ST-3] lines that were dropped or swapped break the chain, and a doubled one counts once', async () => {
    const { root, segment, bytes } = await twoCommits();
    const [open = '', first = '', second = ''] = bytes.toString('utf8').split(/(?<=\n)/);
    for (const text of [open + second, open + second + first, first + open + second]) {
      writeFileSync(segment, text);
      const { store, close } = await openAt(root);
      await expect(store.changes(0), text).rejects.toMatchObject(CORRUPT);
      await close();
    }
    writeFileSync(segment, open + first + first + second);
    expect(await contentOf((await openAt(root)).store)).toEqual(AFTER);
  });

  it('[ST-3] a segment that lost all of its records is not written on', async () => {
    const { root, segment } = await twoCommits();
    writeFileSync(namesOf(root).head, Buffer.alloc(512, ' '));
    for (const content of ['', '\0\0\0']) {
      writeFileSync(segment, content);
      const { store, close } = await openAt(root);
      const isDamage = { ...CORRUPT, details: { file: segment, offset: 0, rule: 'open' } };
      await expect(store.changes(0)).rejects.toMatchObject(isDamage);
      await expect(store.commit(sampleBatch(0, []))).rejects.toMatchObject(isDamage);
      await close();
      expect(readFileSync(segment, 'utf8')).toBe(content);
      expect(await checkWorkspace(root)).toMatchObject([{ invariant: 'I3', rule: 'open', file: segment }]);
    }
  });

  it('[ST-3] a missing, foreign or cut snapshot is refused', async () => {
    const { root } = await twoCommits();
    const { snapshot } = namesOf(root);
    const whole = readFileSync(snapshot);
    const other = await twoCommits();
    const cases: readonly [string, () => void][] = [
      ['missing', () => rmSync(snapshot)],
      ['workspace', () => copyFileSync(namesOf(other.root).snapshot, snapshot)],
      ['sealed', () => writeFileSync(snapshot, whole.subarray(0, whole.length - 2))],
      ['sealed', () => writeFileSync(snapshot, whole.toString('utf8').replace('"epoch":0', '"epoch":7'))],
    ];
    for (const [rule, damage] of cases) {
      writeFileSync(snapshot, whole);
      damage();
      const { store, close } = await openAt(root);
      await expect(store.changes(0)).rejects.toMatchObject({ ...CORRUPT, details: { file: snapshot, rule } });
      await close();
      expect((await checkWorkspace(root)).map(({ file }) => file)).toContain(snapshot);
    }
  });

  it('[ST-3] damage that comes while it is open stops reading and writing, and ends with it', async () => {
    const { root, segment, bytes } = await twoCommits();
    const { store } = await openAt(root);
    expect(await contentOf(store)).toEqual(AFTER);
    writeFileSync(segment, `${bytes.toString('utf8')}rubbish\n`);
    await expect(store.changes(0)).rejects.toMatchObject({ ...CORRUPT, details: { offset: bytes.length } });
    await expect(store.commit(sampleBatch(2, []))).rejects.toMatchObject(CORRUPT);
    writeFileSync(segment, bytes);
    expect(await contentOf(store)).toEqual(AFTER);
  });

  it('[ST-5] a record of somebody who did not see the one before counts for nothing', async () => {
    const { root, segment, lastAt, bytes } = await twoCommits();
    const other = join(emptyRoot(), 'copy');
    cpSync(root, other, { recursive: true });
    writeFileSync(segment, bytes.subarray(0, lastAt));
    writeFileSync(namesOf(root).head, Buffer.alloc(512, ' '));
    const { store, close } = await openAt(root);
    await commitOn(store, [records(sampleOccurrence('a', 'two'))]);
    // The late writer: its record was made on the first commit, and lands behind the second.
    writeFileSync(segment, bytes.subarray(lastAt), { flag: 'a' });
    expect(await contentOf(store)).toEqual({ seq: 2, pending: [['a~1~m~two']] });
    expect(await commitOn(store, [records(sampleOccurrence('a', 'three'))])).toBe(3);
    await close();
    expect(await contentOf((await openAt(root)).store)).toEqual({ seq: 3, pending: [['a~1~m~two', 'a~1~m~three']] });
    expect(await checkWorkspace(root)).toEqual([]);
  });

  it('[ST-5] whoever finds other bytes where its own must stand is told of a conflict', async () => {
    const { root, segment, bytes, lastAt } = await twoCommits();
    writeFileSync(segment, bytes.subarray(0, lastAt));
    writeFileSync(namesOf(root).head, Buffer.alloc(512, ' '));
    let isRacing = true;
    const disk = watchedDisk((call, args) => {
      if (call !== 'write' || args[2] !== 'append' || !isRacing) return;
      isRacing = false;
      writeFileSync(segment, bytes.subarray(lastAt), { flag: 'a' });
    });
    const { store } = await openAt(root, {}, disk);
    const batch = sampleBatch(1, [records(sampleOccurrence('a', 'two'))]);
    expect(await store.commit(batch)).toMatchObject({ kind: 'conflict' });
    expect(await contentOf(store)).toEqual(AFTER);
    expect(await store.commit({ ...batch, since: 2 })).toMatchObject({ kind: 'committed', seq: 3 });
  });
});
