/** The kernel locks beside their contract: replaced files, waiting, the other library, and what is refused. */
import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Disk } from '../../../src/adapters/fs/disk/disk.js';
import { realDisk } from '../../../src/adapters/fs/disk/real-disk.js';
import { openWorkspace } from '../../../src/adapters/fs/file-workspace.js';
import { segmentPath } from '../../../src/adapters/fs/layout.js';
import { kernelLocks, type OpenLock } from '../../../src/adapters/fs/locks/native-lock.js';
import { StateLock } from '../../../src/adapters/fs/locks/state-lock.js';
import { digestOf } from '../../../src/codec/digest.js';
import type { AcquireResult, Lease } from '../../../src/ports/owner-lock.js';
import { commitOn, sampleBatch, sampleSchedule, writes } from '../../../src/testing/contracts/sample-catalogue.js';
import { emptyRoot, namesOf, openAt, watchedDisk } from './ground.js';

function taken(result: AcquireResult): Lease {
  if (result.kind === 'acquired') return result.lease;
  throw new Error('the lock was free');
}

/** A stand-in for `node:sqlite`: one exclusive transaction per file. */
function fakeSqlite() {
  const held = new Set<string>();
  class DatabaseSync {
    readonly path: string;
    isHolding = false;
    constructor(path: string) {
      this.path = path;
    }
    exec(sql: string): void {
      if (sql === 'BEGIN EXCLUSIVE') {
        if (held.has(this.path)) throw Object.assign(new Error('database is locked'), { errcode: 5 });
        held.add(this.path);
        this.isHolding = true;
      } else if (sql === 'ROLLBACK') this.free();
    }
    close(): void {
      this.free();
    }
    free(): void {
      if (this.isHolding) held.delete(this.path);
      this.isHolding = false;
    }
  }
  return { DatabaseSync };
}

/** A disk whose pauses take no time, but move its clock; `onPause` hears how many there were. */
function slowDisk(onPause: (pauses: number) => void) {
  let elapsed = 0;
  let pauses = 0;
  const pause = async (ms: number) => {
    elapsed += ms;
    onPause(++pauses);
  };
  const disk: Disk = { ...realDisk, pause, elapsedNow: () => elapsed };
  return { disk, waited: () => elapsed };
}

const noNative = async () => {
  throw new Error('no prebuilt binary for this platform');
};

describe('the owner lock', () => {
  it('[OW-1] a lock file that was replaced or removed is noticed by its holder', async () => {
    for (const spoil of [
      (path: string) => rmSync(path),
      (path: string) => {
        renameSync(path, `${path}.old`);
        writeFileSync(path, '');
      },
    ]) {
      const root = emptyRoot();
      const { lock } = await openAt(root);
      const lease = taken(await lock.acquire());
      expect(lease.isHeld()).toBe(true);
      spoil(namesOf(root).ownerLock);
      expect(lease.isHeld()).toBe(false);
      const at = sampleSchedule('a').createdAt;
      const report = { pid: 1, host: 'h', epoch: 1, since: at, lastTickAt: at, running: [] };
      await expect(lease.note(report)).rejects.toMatchObject({ code: 'SCHEDULE_LOCK_LOST' });
      expect(taken(await (await openAt(root)).lock.acquire()).isHeld()).toBe(true);
      await lease.release();
    }
  });

  it('[OW-1] the lock file stays empty; the report is readable, unflushed, and advice only', async () => {
    const root = emptyRoot();
    let flushes = 0;
    const disk = watchedDisk((call) => {
      if (call === 'flush') flushes += 1;
    });
    const { lock } = await openAt(root, {}, disk);
    const lease = taken(await lock.acquire());
    flushes = 0;
    const at = sampleSchedule('a').createdAt;
    await lease.note({ pid: 7, host: 'h', epoch: 2, since: at, lastTickAt: at, running: ['a~1~m~x'] });
    expect(flushes).toBe(0);
    expect(statSync(namesOf(root).ownerLock).size).toBe(0);
    expect(JSON.parse(readFileSync(namesOf(root).owner, 'utf8'))).toMatchObject({
      pid: 7,
      since: '2026-01-05T08:00:00.000Z',
    });
    for (const text of ['', 'nonsense', '{}', '{"pid":"x"}']) {
      writeFileSync(namesOf(root).owner, text);
      expect(await lock.status()).toEqual({ isHeld: true });
    }
  });

  it('[OW-1] asking for the owner never makes a second owner, nor keeps the first from starting', async () => {
    const root = emptyRoot();
    const [one, two] = [await openAt(root), await openAt(root)];
    for (let round = 0; round < 30; round++) {
      const asking = Promise.all(Array.from({ length: 4 }, () => two.lock.status()));
      const lease = taken(await one.lock.acquire());
      await asking;
      expect((await two.lock.acquire()).kind).toBe('held');
      await lease.release();
    }
  });
});

describe('asking for the owner', () => {
  it('[OW-1] two who ask at once are not taken for an owner, and a missing lock file means none', async () => {
    const root = emptyRoot();
    const open = await kernelLocks(realDisk);
    const { lock } = await openAt(root);
    const asking = await open(namesOf(root).ownerLock, 'look');
    expect(asking.tryLock()).toBe(true);
    expect(await lock.status()).toEqual({ isHeld: false });
    await asking.close();
    rmSync(namesOf(root).ownerLock);
    expect(await lock.status()).toEqual({ isHeld: false });
    expect(existsSync(namesOf(root).ownerLock)).toBe(false);
  });
});

describe('the state lock', () => {
  it('[ST-5] callers run one after the other, whatever their handles, and a failing one frees it', async () => {
    const root = emptyRoot();
    await (await openAt(root)).close();
    const open = await kernelLocks(realDisk);
    const locks = Array.from({ length: 3 }, () => new StateLock(realDisk, open, namesOf(root).stateLock));
    let inside = 0;
    let most = 0;
    const visit = async (fails: boolean) => {
      most = Math.max(most, ++inside);
      await realDisk.pause(1);
      inside -= 1;
      if (fails) throw new Error('as planned');
    };
    const results = await Promise.allSettled(
      locks.flatMap((lock) => [false, true, false].map((fails) => lock.run(undefined, () => visit(fails)))),
    );
    expect(most).toBe(1);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(3);
    for (const lock of locks) await lock.close();
  });

  it('[ST-5] a file that was replaced is opened again; a commit goes on', async () => {
    const root = emptyRoot();
    const { store } = await openAt(root);
    await commitOn(store, [writes(sampleSchedule('a'))]);
    rmSync(namesOf(root).stateLock);
    expect(await commitOn(store, [])).toBe(2);
    expect(existsSync(namesOf(root).stateLock)).toBe(true);
  });

  it('[ST-5] waiting ends with the signal, or after a while with the advice to look for a stopped process', async () => {
    const root = emptyRoot();
    await (await openAt(root)).close();
    const open = await kernelLocks(realDisk);
    const holder = await open(namesOf(root).stateLock);
    expect(holder.tryLock()).toBe(true);
    const controller = new AbortController();
    const { disk, waited } = slowDisk((pauses) => {
      if (pauses === 5) controller.abort();
    });
    const waiting = new StateLock(disk, open, namesOf(root).stateLock);
    await expect(waiting.run(controller.signal, async () => 1)).rejects.toMatchObject({ code: 'SCHEDULE_ABORTED' });
    expect(waited()).toBeLessThan(100);
    const all = [1, 2, 3].map((n) => waiting.run(undefined, async () => n));
    for (const { status, ...result } of await Promise.allSettled(all)) {
      expect({ status, ...result }).toMatchObject({ reason: { code: 'SCHEDULE_CONTENTION' } });
    }
    expect(waited(), 'those in line count from when they came').toBeLessThan(10_200);
    holder.unlock();
    expect(await waiting.run(undefined, async () => 1)).toBe(1);
    await holder.close();
    await waiting.close();
  });
});

describe('a caller that gives up', () => {
  it('[CT-1] goes at once, from the line and from the wait for other processes', async () => {
    const root = emptyRoot();
    const { store } = await openAt(root);
    await commitOn(store, [writes(sampleSchedule('a'))]);
    const holder = await (await kernelLocks(realDisk))(namesOf(root).stateLock);
    expect(holder.tryLock()).toBe(true);
    const first = new AbortController();
    const second = new AbortController();
    const waiting = store.commit(sampleBatch(1, []), { signal: first.signal });
    const inLine = store.commit(sampleBatch(1, []), { signal: second.signal });
    second.abort(new Error('enough'));
    await expect(inLine).rejects.toMatchObject({ code: 'SCHEDULE_ABORTED', cause: { message: 'enough' } });
    first.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'SCHEDULE_ABORTED' });
    // Damage is looked at again under the lock: that wait ends as well.
    writeFileSync(segmentPath(namesOf(root), 1), 'rubbish\n', { flag: 'a' });
    const third = new AbortController();
    const reading = store.changes(0, { signal: third.signal });
    const behind = store.history({ scheduleId: 'a', limit: 1 }, { signal: third.signal });
    const document = store.document(digestOf({ version: 'none' }), { signal: third.signal });
    setImmediate(() => third.abort());
    for (const { status, ...result } of await Promise.allSettled([reading, behind, document])) {
      expect({ status, ...result }).toMatchObject({ reason: { code: 'SCHEDULE_ABORTED' } });
    }
    await holder.close();
    await expect(store.changes(0)).rejects.toMatchObject({ code: 'SCHEDULE_CATALOGUE_CORRUPT' });
  });

  it('[ST-5] a lock file with a second name is no lock: the wait for it ends', async () => {
    const root = emptyRoot();
    await (await openAt(root)).close();
    linkSync(namesOf(root).stateLock, join(root, 'second'));
    const { disk } = slowDisk(() => undefined);
    const lock = new StateLock(disk, await kernelLocks(realDisk), namesOf(root).stateLock);
    await expect(lock.run(undefined, async () => 1)).rejects.toMatchObject({ code: 'SCHEDULE_CONTENTION' });
    await lock.close();
  });
});

describe('what the locks are made of', () => {
  it('[OW-1] without the native library an exclusive transaction of SQLite does it', async () => {
    const sqlite = fakeSqlite();
    const open: OpenLock = await kernelLocks(realDisk, { native: noNative, sqlite: async () => sqlite });
    const root = join(emptyRoot(), 'work');
    const one = await openWorkspace(root, {}, { disk: realDisk, openLock: open });
    const two = await openWorkspace(root, {}, { disk: realDisk, openLock: open });
    const lease = taken(await one.lock.acquire());
    expect((await two.lock.acquire()).kind).toBe('held');
    expect(await two.lock.status()).toEqual({ isHeld: true });
    await Promise.all([one, two].map(({ store }) => store.commit(sampleBatch(0, []))));
    expect((await one.store.changes(0)).seq).toBe(2);
    const file = namesOf(root).ownerLock.replace('.lock', '.db');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    rmSync(file);
    expect(lease.isHeld()).toBe(false);
    await one.close();
    await two.close();
  });

  it('[OW-1] with neither there is a refusal that names both causes, never a weaker lock', async () => {
    const sqlite = async () => {
      throw new Error('this Node does not have it');
    };
    await expect(kernelLocks(realDisk, { native: noNative, sqlite })).rejects.toMatchObject({
      code: 'SCHEDULE_LOCK_UNSUPPORTED',
      details: { refusals: [expect.stringContaining('fs-native-extensions'), expect.stringContaining('node:sqlite')] },
    });
  });

  it('[OW-1] a lock that fails otherwise than by being taken tells its error', async () => {
    class DatabaseSync {
      exec(sql: string): void {
        if (sql === 'BEGIN EXCLUSIVE') throw Object.assign(new Error('disk I/O error'), { errcode: 10 });
      }
      close(): void {}
    }
    const open = await kernelLocks(realDisk, { native: noNative, sqlite: async () => ({ DatabaseSync }) });
    const lock = await open(join(emptyRoot(), 'x.lock'));
    expect(() => lock.tryLock()).toThrow('disk I/O error');
    await lock.close();
  });
});
