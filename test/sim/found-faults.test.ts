/** What the simulation has found: each fault of the product in the smallest run that shows it. */
import { describe, expect, it } from 'vitest';
import { layoutOf, segmentPath } from '../../src/adapters/fs/layout.js';
import {
  commitOn,
  records,
  sampleBatch,
  sampleOccurrence,
  sampleSchedule,
  writes,
} from '../../src/testing/contracts/sample-catalogue.js';
import { SECTOR_BYTES } from './disk/file-content.js';
import { meets, notesIn, runsAt } from './disk/hooks.js';
import { LEAVES_ZEROS, LOSES_ALL, LOSES_BYTES, LOSES_NAMES, LOSES_NOTHING } from './disk/power-cut.js';
import type { Effect, Hook, Step } from './disk/sim-disk.js';
import type { SimMedium } from './disk/sim-medium.js';
import { AT, faultsOn, newMedium, openOn } from './disk/workspace-on.js';

const SEGMENT = segmentPath(layoutOf(AT), 1);
const EIO: Effect = { kind: 'fail', code: 'EIO' };
const ADD = [records(sampleOccurrence('a', 'one'))];

/** A medium with a catalogue of one commit. */
async function oneCommit() {
  const medium = newMedium();
  const { store, close } = await openOn(medium);
  await commitOn(store, [writes(sampleSchedule('a'))]);
  await close();
  return medium;
}

/** Fails the first flush of the journal with what follows it; `later` is what becomes of the steps after that. */
function failingFlush(later: (step: Step) => Effect | undefined, before: () => Promise<void> = async () => {}): Hook {
  let hasFailed = false;
  return async (step) => {
    if (hasFailed) return later(step);
    if (step.call !== 'flush' || step.path !== SEGMENT) return undefined;
    await before();
    hasFailed = true;
    return { kind: 'fail', code: 'EIO' };
  };
}

/** Lets steps that cannot wait through. */
function patient(hook: Hook): Hook {
  return (step) => (step.isNow ? undefined : hook(step));
}

describe('found by the simulation', () => {
  it('[ST-2, ST-5] a record that somebody read before its flush failed is not taken back, nor told before it is durable', async () => {
    const medium = await oneCommit();
    const reader = await openOn(medium);
    let reading: ReturnType<typeof reader.store.changes> | undefined;
    let isTold = false;
    const hook = failingFlush(
      () => {
        expect(isTold, 'it is told before it is durable').toBe(false);
        return undefined;
      },
      async () => {
        reading = reader.store.changes(0);
        reading.then(() => {
          isTold = true;
        });
      },
    );
    const writer = await openOn(medium, patient(hook));
    expect(await writer.store.commit(sampleBatch(1, ADD))).toMatchObject({ kind: 'committed', seq: 2 });
    expect((await reading)?.seq, 'it was read before it was durable').toBe(2);
    medium.cutPower(LOSES_ALL);
    const { store } = await openOn(medium);
    expect(await store.changes(0)).toMatchObject({
      seq: 2,
      schedules: [{ entry: { pending: [{ status: 'queued' }] } }],
    });
    expect(await faultsOn(medium)).toEqual([]);
  });

  it('[ST-2, ST-4] nothing is built on a record whose flush failed before its writer died', async () => {
    const medium = await oneCommit();
    const writer = await openOn(medium, patient(failingFlush(() => ({ kind: 'crashBefore' }))));
    await expect(writer.store.commit(sampleBatch(1, ADD))).rejects.toThrow('has ended');
    const { store } = await openOn(medium);
    expect(await store.commit(sampleBatch(2, []))).toMatchObject({ kind: 'committed', seq: 3 });
    medium.cutPower(LOSES_ALL);
    expect((await (await openOn(medium)).store.changes(0)).seq).toBe(3);
    expect(await faultsOn(medium)).toEqual([]);
  });

  it('[ST-4] nothing is built on a record whose flush failed on a disk too full to tell of it', async () => {
    const medium = await oneCommit();
    const isFull = ({ call }: Step): Effect | undefined =>
      call === 'write' ? { kind: 'fail', code: 'ENOSPC' } : undefined;
    const writer = await openOn(medium, patient(failingFlush(isFull)));
    await expect(writer.store.commit(sampleBatch(1, ADD))).rejects.toMatchObject({ code: 'SCHEDULE_STORE_FAILED' });
    const { store } = await openOn(medium);
    const inode = medium.look(SEGMENT)?.identity;
    expect(await store.commit(sampleBatch(2, []))).toMatchObject({ kind: 'committed', seq: 3 });
    const renewed = medium.look(SEGMENT)?.identity;
    expect(renewed).not.toBe(inode);
    expect(await store.commit(sampleBatch(3, []))).toMatchObject({ kind: 'committed', seq: 4 });
    expect(medium.look(SEGMENT)?.identity, 'once is enough').toBe(renewed);
    medium.cutPower(LOSES_ALL);
    expect((await (await openOn(medium)).store.changes(0)).seq).toBe(4);
    expect(await faultsOn(medium)).toEqual([]);
  });

  it('[ST-4, OW-6] whoever takes the owner lock mends what a failed flush left, also for a tick that has nothing to do', async () => {
    const medium = await oneCommit();
    const fails = (step: Step): Effect | undefined =>
      step.call === 'rename' && step.path === SEGMENT ? { kind: 'fail', code: 'EIO' } : undefined;
    const writer = await openOn(medium, patient(failingFlush(fails)));
    await expect(writer.store.commit(sampleBatch(1, ADD))).rejects.toMatchObject({ code: 'SCHEDULE_STORE_FAILED' });
    const { store, lock } = await openOn(medium);
    await expect(store.commit(sampleBatch(2, []))).rejects.toMatchObject({ code: 'SCHEDULE_STORE_FAILED' });
    expect((await lock.acquire()).kind).toBe('acquired');
    expect(await store.commit(sampleBatch(2, []))).toMatchObject({ kind: 'committed', seq: 3 });
    medium.cutPower(LOSES_ALL);
    expect(await faultsOn(medium)).toEqual([]);
  });

  it('[ST-4, OW-1] a lock that nobody could look at is not left held', async () => {
    const medium = await oneCommit();
    for (const path of [layoutOf(AT).ownerLock, layoutOf(AT).stateLock]) {
      const unlucky = await openOn(
        medium,
        meets((step) => step.call === 'lookNow' && step.path === path, EIO),
      );
      const taking =
        path === layoutOf(AT).ownerLock ? unlucky.lock.acquire() : unlucky.store.commit(sampleBatch(1, []));
      await expect(taking).rejects.toMatchObject({ code: 'SCHEDULE_STORE_UNAVAILABLE' });
      const other = await openOn(medium);
      expect((await other.lock.acquire()).kind, path).toBe('acquired');
      const { seq } = await other.store.changes(0);
      expect(await other.store.commit(sampleBatch(seq, [])), path).toMatchObject({ kind: 'committed' });
      await other.close();
    }
  });

  it('[ST-4] what fails while something is closed is an error of this package, and the rest is closed all the same', async () => {
    const medium = await oneCommit();
    const isClose = ({ call, path }: Step) => call === 'close' && path === layoutOf(AT).ownerLock;
    const { lock } = await openOn(medium, meets(isClose, EIO));
    const acquired = await lock.acquire();
    if (acquired.kind !== 'acquired') throw new Error('it is held');
    await expect(acquired.lease.release()).rejects.toMatchObject({ code: 'SCHEDULE_STORE_UNAVAILABLE' });
    expect((await (await openOn(medium)).lock.acquire()).kind).toBe('acquired');
    const isHead = ({ call, path }: Step) => call === 'close' && path === layoutOf(AT).head;
    const closing = await openOn(medium, meets(isHead, EIO));
    await commitOn(closing.store, []);
    await expect(closing.close()).rejects.toMatchObject({ code: 'SCHEDULE_STORE_UNAVAILABLE' });
    await expect(closing.store.changes(0)).rejects.toMatchObject({ code: 'SCHEDULE_CLOSED' });
  });

  it('[ST-2, CT-13] nothing is told of a record that a power cut could take: whoever reads it makes it durable', async () => {
    const medium = await oneCommit();
    const isFlush = ({ call, path }: Step) => call === 'flush' && path === SEGMENT;
    const writer = await openOn(medium, meets(isFlush, { kind: 'crashBefore' }));
    await expect(writer.store.commit(sampleBatch(1, ADD))).rejects.toThrow('has ended');
    const reader = await openOn(medium);
    expect((await reader.store.changes(0)).seq).toBe(2);
    await reader.close();
    const steps: Step[] = [];
    const next = await openOn(medium, notesIn(steps));
    expect((await next.store.changes(0)).seq).toBe(2);
    expect(
      steps.filter(({ call }) => call === 'flush'),
      'once is enough',
    ).toEqual([]);
    medium.cutPower(LOSES_ALL);
    expect((await (await openOn(medium)).store.changes(0)).seq).toBe(2);
    expect(await faultsOn(medium)).toEqual([]);
  });

  it('[ST-2, ST-5] two who make one workspace at once, and no lock keeps one of them out, make the same', async () => {
    const isSegment = ({ call, path }: Step) => (call === 'link' || call === 'rename') && path === SEGMENT;
    const medium = newMedium();
    const slow = await openOn(
      medium,
      runsAt(isSegment, async () => {
        medium.unlink(layoutOf(AT).stateLock);
        const fast = await openOn(medium);
        expect(await commitOn(fast.store, [writes(sampleSchedule('a'))])).toBe(1);
        await fast.close();
      }),
    );
    expect((await slow.store.changes(0)).seq).toBe(1);
    expect(await slow.store.commit(sampleBatch(1, ADD))).toMatchObject({ kind: 'committed', seq: 2 });
    medium.cutPower(LOSES_ALL);
    expect((await (await openOn(medium)).store.changes(0)).seq).toBe(2);
    expect(await faultsOn(medium)).toEqual([]);
  });

  for (const [name, cut] of Object.entries({ LOSES_ALL, LOSES_NAMES, LOSES_BYTES, LEAVES_ZEROS, LOSES_NOTHING })) {
    it(`[OW-1, ST-2] a power cut at any step of making a workspace leaves one that can be made and owned: ${name}`, async () => {
      for (let step = 1; ; step++) {
        const medium = newMedium();
        const hook: Hook = ({ number }) => (number === step ? { kind: 'crashBefore' } : undefined);
        const isMade = await openOn(medium, hook).then(
          () => true,
          () => false,
        );
        medium.cutPower(cut);
        const { store, lock } = await openOn(medium);
        expect(await commitOn(store, [writes(sampleSchedule('a'))]), `step ${step}`).toBe(1);
        expect((await lock.acquire()).kind, `step ${step}`).toBe('acquired');
        expect(await faultsOn(medium), `step ${step}`).toEqual([]);
        if (isMade) return;
      }
    });
  }
});

describe('a roll-over that a power cut ends', () => {
  it('[ST-2, ST-6] leaves any of the lines that it wrote to a history; the next one writes all of them', async () => {
    for (let lost = 0; lost < 8; lost++) {
      const medium = await crowded();
      const isFlush = ({ call, path }: Step) => call === 'flush' && path.includes('/history/a/');
      const dying = await openOn(medium, meets(isFlush, { kind: 'crashBefore' }));
      await dying.store.commit(sampleBatch(2, []));
      await dying.store.settled().catch(() => undefined);
      expect(dying.disk.isEnded).toBe(true);
      const isKept = (offset: number): boolean => Math.floor(offset / SECTOR_BYTES) % 8 !== lost;
      medium.cutPower({ file: () => ({ kind: 'sectors', isKept }), names: (_, waiting) => waiting });
      const next = await openOn(medium);
      await commitOn(next.store, []);
      await next.store.settled();
      medium.cutPower(LOSES_ALL);
      expect(await faultsOn(medium), `sector ${lost}`).toEqual([]);
      const { records: found } = await (await openOn(medium)).store.history({ scheduleId: 'a', limit: 1000 });
      expect(found, `sector ${lost}`).toHaveLength(20);
    }
  });
});

/** A catalogue whose journal is due for a roll-over that nobody could make yet; it stands at commit 2. */
async function crowded(): Promise<SimMedium> {
  const medium = await oneCommit();
  const isRollOver: Hook = (step) =>
    step.path.endsWith('roll-over.lock') ? { kind: 'fail', code: 'EACCES' } : undefined;
  const { store, close } = await openOn(medium, isRollOver);
  const labels = Object.fromEntries(Array.from({ length: 32 }, (_, n) => [`label${n}`, 'x'.repeat(250)]));
  const large = Array.from({ length: 33 }, (_, n) => {
    const { definition } = sampleSchedule(`large${n}`);
    return writes(
      sampleSchedule(`large${n}`, {
        definition: { ...definition, declaration: { ...definition.declaration, labels } },
      }),
    );
  });
  const ended = Array.from({ length: 20 }, (_, n) => records(sampleOccurrence('a', `r${n}`, 'skipped')));
  await commitOn(store, [...large, ...ended]);
  await close();
  return medium;
}
