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
import { LEAVES_ZEROS, LOSES_ALL, LOSES_BYTES, LOSES_NAMES, LOSES_NOTHING } from './disk/power-cut.js';
import type { Effect, Hook, Step } from './disk/sim-disk.js';
import { AT, faultsOn, newMedium, openOn } from './disk/workspace-on.js';

const SEGMENT = segmentPath(layoutOf(AT), 1);
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
  it('[ST-2, ST-5] a record that somebody read before its flush failed is not taken back', async () => {
    const medium = await oneCommit();
    const reader = await openOn(medium);
    let seen = 0;
    const hook = failingFlush(
      () => undefined,
      async () => {
        ({ seq: seen } = await reader.store.changes(0));
      },
    );
    const writer = await openOn(medium, patient(hook));
    expect(await writer.store.commit(sampleBatch(1, ADD))).toMatchObject({ kind: 'committed', seq: 2 });
    expect(seen, 'it was read before it was durable').toBe(2);
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
