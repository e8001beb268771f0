/** Trouble of the disk: what is told, what stands, and when it goes on (ST-4); flushes are counted here too. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Disk } from '../../../src/adapters/fs/disk/disk.js';
import { realDisk } from '../../../src/adapters/fs/disk/real-disk.js';
import { documentPath, segmentPath } from '../../../src/adapters/fs/layout.js';
import { checkWorkspace } from '../../../src/checker/check-workspace.js';
import { digestOf } from '../../../src/codec/digest.js';
import type { ScheduleStore } from '../../../src/ports/schedule-store.js';
import {
  commitOn,
  records,
  SAMPLE_DOCUMENT,
  sampleBatch,
  sampleOccurrence,
  sampleSchedule,
  writes,
} from '../../../src/testing/contracts/sample-catalogue.js';
import { emptyRoot, endMany, namesOf, openAt, systemError, watchedDisk, wholeHistory } from './ground.js';

const ADD = records(sampleOccurrence('a', 'two'));

/** A workspace with schedule `a`, on a disk that a test can spoil. */
async function spoiled(spoil: (call: keyof Disk, args: readonly unknown[]) => void) {
  const root = emptyRoot();
  let isSpoiling = false;
  const disk = watchedDisk((call, args) => {
    if (isSpoiling) spoil(call, args);
  });
  const { store } = await openAt(root, {}, disk);
  await commitOn(store, [writes(sampleSchedule('a'))]);
  await commitOn(store, [records(sampleOccurrence('a', 'one'))]);
  return {
    root,
    store,
    spoilNow: (now: boolean) => {
      isSpoiling = now;
    },
  };
}

async function pendingOf(store: ScheduleStore): Promise<number | undefined> {
  return (await store.changes(0)).schedules[0]?.entry.pending.length;
}

describe('trouble of the disk', () => {
  for (const errno of ['ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EDQUOT']) {
    it(`[ST-4] ${errno} while a record is written: a clear error with its cause, the old state stands, and it goes on`, async () => {
      const { store, spoilNow } = await spoiled((call, args) => {
        if (call === 'write' && args[2] === 'append') throw systemError(errno);
      });
      spoilNow(true);
      const failing = store.commit(sampleBatch(2, [ADD]));
      await expect(failing).rejects.toMatchObject({
        code: 'SCHEDULE_STORE_UNAVAILABLE',
        retry: 'later',
        details: { errno },
        cause: { code: errno },
      });
      expect(await pendingOf(store)).toBe(1);
      spoilNow(false);
      expect(await store.commit(sampleBatch(2, [ADD]))).toMatchObject({ kind: 'committed', seq: 3 });
    });
  }

  it('[ST-4] a workspace that may not be written can be read, and says why it cannot be written', async () => {
    const root = emptyRoot();
    await commitOn((await openAt(root)).store, [writes(sampleSchedule('a'))]);
    const disk = watchedDisk((call, args) => {
      const isWriting = call === 'open' ? args[1] !== 'read' : ['makeDirectory', 'rename', 'unlink'].includes(call);
      if (isWriting) throw systemError('EACCES');
    });
    const { store, lock } = await openAt(root, {}, disk);
    expect((await store.changes(0)).schedules).toHaveLength(1);
    expect(await store.document(digestOf(SAMPLE_DOCUMENT))).toEqual(SAMPLE_DOCUMENT);
    const isDenied = {
      code: 'SCHEDULE_STORE_UNAVAILABLE',
      details: { errno: 'EACCES' },
      hint: expect.stringContaining('right'),
    };
    await expect(store.commit(sampleBatch(1, []))).rejects.toMatchObject(isDenied);
    await expect(lock.acquire()).rejects.toMatchObject(isDenied);
  });

  it('[ST-4, OW-1] on a medium mounted read-only every reading works, damage is named, and the owner is told', async () => {
    const root = emptyRoot();
    const writer = await openAt(root);
    await commitOn(writer.store, [writes(sampleSchedule('a'))]);
    await endMany(writer.store, 'a', 0, 1100);
    await writer.store.settled();
    const disk = watchedDisk((call, args) => {
      const isWriting =
        call === 'open'
          ? args[1] !== 'read'
          : ['makeDirectory', 'rename', 'unlink', 'link', 'write', 'writeNow', 'removeDirectory'].includes(call);
      if (isWriting) throw systemError('EROFS');
    });
    const { store, lock, evidence } = await openAt(root, {}, disk);
    expect((await store.changes(0)).schedules).toHaveLength(1);
    expect(await wholeHistory(store, 'a')).toHaveLength(1100);
    expect(await store.document(digestOf(SAMPLE_DOCUMENT))).toEqual(SAMPLE_DOCUMENT);
    await expect(store.document(digestOf({ version: 'x' }))).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND' });
    expect(await evidence.attempts('a~1~m~r1')).toEqual([]);
    expect(await lock.status()).toEqual({ isHeld: false });
    const taken = await writer.lock.acquire();
    expect(taken.kind).toBe('acquired');
    expect(await lock.status()).toEqual({ isHeld: true });
    const isReadOnly = { code: 'SCHEDULE_STORE_UNAVAILABLE', details: { errno: 'EROFS' } };
    await expect(store.commit(sampleBatch(12, []))).rejects.toMatchObject(isReadOnly);
    const segment = segmentPath(namesOf(root), 2);
    writeFileSync(segment, 'rubbish\n', { flag: 'a' });
    await expect(store.changes(0)).rejects.toMatchObject({
      code: 'SCHEDULE_CATALOGUE_CORRUPT',
      details: { file: segment },
    });
  });

  it('[ST-2, ST-4] a record whose flush failed is made durable on a fresh file, since others may have read it', async () => {
    let failures = 1;
    const { root, store, spoilNow } = await spoiled((call) => {
      if (call === 'flush' && failures-- > 0) throw systemError('EIO');
    });
    const segment = segmentPath(namesOf(root), 1);
    const [before, inode] = [readFileSync(segment), statSync(segment).ino];
    const other = await openAt(root);
    expect(await pendingOf(other.store)).toBe(1);
    spoilNow(true);
    expect(await store.commit(sampleBatch(2, [ADD]))).toMatchObject({ kind: 'committed', seq: 3 });
    expect(readFileSync(segment).subarray(0, before.length).equals(before)).toBe(true);
    expect(statSync(segment).ino).not.toBe(inode);
    expect(await pendingOf(other.store)).toBe(2);
    expect(await other.store.commit(sampleBatch(3, []))).toMatchObject({ kind: 'committed', seq: 4 });
    expect(await checkWorkspace(root)).toEqual([]);
  });

  it('[ST-4] a flush that cannot be made good stops everybody until an owner starts', async () => {
    let failures = 1;
    const { root, store, spoilNow } = await spoiled((call, args) => {
      const isUndo = call === 'rename' && String(args[1]).includes('journal');
      if (isUndo || (call === 'flush' && failures-- > 0)) throw systemError('EIO');
    });
    spoilNow(true);
    await expect(store.commit(sampleBatch(2, [ADD]))).rejects.toMatchObject({ code: 'SCHEDULE_STORE_FAILED' });
    spoilNow(false);
    const other = (await openAt(root)).store;
    for (const handle of [store, other]) {
      await expect(handle.commit(sampleBatch(2, []))).rejects.toMatchObject({ code: 'SCHEDULE_STORE_FAILED' });
    }
    expect(await checkWorkspace(root)).toMatchObject([{ rule: 'flush', file: namesOf(root).failed }]);
    const inode = statSync(segmentPath(namesOf(root), 1)).ino;
    const { seq } = await other.changes(0);
    const owner = { epoch: 0, raisesEpoch: true, actor: 'owner' } as const;
    expect(await other.commit(sampleBatch(seq, [], owner))).toMatchObject({ kind: 'committed' });
    expect(statSync(segmentPath(namesOf(root), 1)).ino).not.toBe(inode);
    expect(existsSync(namesOf(root).failed)).toBe(false);
    expect(readdirSync(namesOf(root).quarantine)).toHaveLength(1);
    expect(await store.commit(sampleBatch(seq + 1, []))).toMatchObject({ kind: 'committed' });
    expect(await checkWorkspace(root)).toEqual([]);
  });

  it('[ST-4] what the system lost of older records makes the copy fail, not the records', async () => {
    let isLost = false;
    const { store, spoilNow } = await spoiled((call) => {
      if (call === 'flush' && !isLost) {
        isLost = true;
        throw systemError('EIO');
      }
    });
    const read = realDisk.read;
    spoilNow(true);
    const mutable = realDisk as { read: Disk['read'] };
    mutable.read = async (file, into, position) => {
      const got = await read(file, into, position);
      if (isLost && got > 200 && position === 0) into.fill(0, 100, 200);
      return got;
    };
    try {
      await expect(store.commit(sampleBatch(2, [ADD]))).rejects.toMatchObject({ code: 'SCHEDULE_STORE_FAILED' });
    } finally {
      mutable.read = read;
    }
  });
});

describe('flushes', () => {
  it('[ST-1] a commit is one flush, whatever it changes', async () => {
    let flushes = 0;
    const disk = watchedDisk((call) => {
      if (call === 'flush' || call === 'flushDirectory') flushes += 1;
    });
    const { store } = await openAt(emptyRoot(), {}, disk);
    await commitOn(store, [writes(sampleSchedule('a')), writes(sampleSchedule('b'))]);
    const batches = [
      [],
      [records(sampleOccurrence('a', 'one')), writes(sampleSchedule('a', { version: 2 }), false)],
      Array.from({ length: 300 }, (_, index) => records(sampleOccurrence('b', `r${index}`))),
    ];
    for (const changes of batches) {
      flushes = 0;
      await commitOn(store, changes);
      expect(flushes).toBe(1);
    }
    flushes = 0;
    await commitOn(store, [writes(sampleSchedule('c'))]);
    expect(flushes, 'a known document costs nothing').toBe(1);
  });

  it('[ST-2] a document is durable before the record that names it, several in one commit too', async () => {
    const events: string[] = [];
    const disk = watchedDisk((call, args) => {
      if (call === 'flush' || call === 'flushDirectory') events.push(call);
      if (call === 'rename' && String(args[1]).includes('documents')) events.push('document');
      if (call === 'write' && args[2] === 'append') events.push('record');
    });
    const root = emptyRoot();
    const { store } = await openAt(root, {}, disk);
    await commitOn(store, []);
    const documents = ['one', 'two'].map((text) => {
      const document = { version: 'sample/1', text };
      return { digest: digestOf(document), document };
    });
    const schedules = documents.map(({ digest }, index) => {
      const schedule = sampleSchedule(`s${index}`);
      return writes({ ...schedule, definition: { ...schedule.definition, documentDigest: digest } });
    });
    events.length = 0;
    await commitOn(store, schedules, { documents });
    const one = ['flush', 'document', 'flushDirectory'];
    expect(events).toEqual([...one, ...one, 'record', 'flush']);
    for (const { digest, document } of documents) {
      expect(await store.document(digest)).toEqual(document);
      expect(statSync(documentPath(namesOf(root), digest)).mode & 0o777).toBe(0o600);
    }
  });

  it('[ST-9] a commit that names a document that is nowhere is refused; a wrong digest as well', async () => {
    const { store } = await openAt(emptyRoot());
    const changes = [writes(sampleSchedule('a'))];
    await expect(commitOn(store, changes, { documents: [] })).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND' });
    const wrong = [{ digest: digestOf({ version: 'x' }), document: SAMPLE_DOCUMENT }];
    await expect(commitOn(store, changes, { documents: wrong })).rejects.toMatchObject({
      code: 'SCHEDULE_ADAPTER_BROKEN',
    });
    for (const digest of ['../../store', 'sha256:../../store', digestOf({ version: 'x' })]) {
      await expect(store.document(digest)).rejects.toMatchObject({ code: 'SCHEDULE_NOT_FOUND' });
    }
    expect((await store.changes(0)).seq).toBe(0);
  });

  it('[ST-1] a commit of more than 16 MiB is refused whole', async () => {
    const { store } = await openAt(emptyRoot());
    await commitOn(store, [writes(sampleSchedule('a'))]);
    const result = 'x'.repeat(60_000);
    const changes = Array.from({ length: 300 }, (_, index) =>
      records({ ...sampleOccurrence('a', `r${index}`), result }),
    );
    await expect(commitOn(store, changes)).rejects.toMatchObject({
      code: 'SCHEDULE_ADAPTER_BROKEN',
      details: { limit: 16 * 1_048_576 },
    });
    expect((await store.changes(0)).seq).toBe(1);
  });

  it('[ST-1] large catalogues are read in slices, with other work between any two', async () => {
    const root = emptyRoot();
    const { store, close } = await openAt(root);
    for (let from = 0; from < 1500; from += 500) {
      await commitOn(
        store,
        Array.from({ length: 500 }, (_, index) => writes(sampleSchedule(`s${from + index}`))),
      );
    }
    await close();
    let largest = 0;
    let turns = 0;
    const disk = watchedDisk((call, args) => {
      if (call === 'read') largest = Math.max(largest, (args[1] as Buffer).length);
      if (call === 'read' || call === 'pause') turns += 1;
    });
    const again = await openAt(root, {}, disk);
    expect((await again.store.changes(0)).schedules).toHaveLength(1500);
    expect(largest).toBeLessThanOrEqual(4 * 65_536);
    expect(turns).toBeGreaterThan(15);
  });

  it('[ST-1] a record that replaces nothing is read by a handle that knew the rest, and by that alone', async () => {
    const root = emptyRoot();
    const { store } = await openAt(root);
    await commitOn(store, [writes(sampleSchedule('a'))]);
    let bytes = 0;
    const disk = watchedDisk((call, args) => {
      if (call === 'read') bytes += (args[1] as Buffer).length;
    });
    const other = (await openAt(root, {}, disk)).store;
    await other.changes(0);
    const known = bytes;
    await other.changes(0);
    expect(bytes, 'nothing new, nothing read').toBe(known);
    await commitOn(store, [ADD]);
    expect((await other.changes(1)).schedules).toHaveLength(1);
    expect(bytes - known).toBeLessThan(3 * 65_536);
  });
});
