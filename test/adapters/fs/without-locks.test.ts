/** Where no lock keeps anybody out: the journal alone decides what counts, and nobody is told anything else. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Disk } from '../../../src/adapters/fs/disk/disk.js';
import { realDisk } from '../../../src/adapters/fs/disk/real-disk.js';
import { type FileWorkspaceOptions, openWorkspace } from '../../../src/adapters/fs/file-workspace.js';
import { segmentPath } from '../../../src/adapters/fs/layout.js';
import type { KernelLock } from '../../../src/adapters/fs/locks/native-lock.js';
import { repairWorkspace } from '../../../src/adapters/fs/repair/repair-workspace.js';
import { checkWorkspace } from '../../../src/checker/check-workspace.js';
import type { CommitResult } from '../../../src/ports/schedule-store.js';
import { commitOn, sampleBatch, sampleSchedule, writes } from '../../../src/testing/contracts/sample-catalogue.js';
import { emptyRoot, endMany, namesOf, openAt, wholeHistory } from './ground.js';

/** Records enough for the journal to be rolled over. */
const MANY = 1100;
const KEEPS_ALL = { retention: { perSchedule: 100_000 } };

const FREE: KernelLock = { tryLock: () => true, unlock: () => {}, isIntact: () => true, close: async () => {} };

const openFreely = (root: string, disk: Disk = realDisk, options: FileWorkspaceOptions = {}) =>
  openWorkspace(root, options, { disk, openLock: async () => FREE });

/** A disk that runs something before its so manyth call that can wait. */
function interruptedDisk(at: number, work: () => Promise<void>): Disk & { readonly calls: () => number } {
  let calls = 0;
  const proxied = new Proxy(realDisk, {
    get(target, name: keyof Disk) {
      const member = target[name] as (...args: unknown[]) => unknown;
      const isSynchronous = name.endsWith('Now') || ['watch', 'randomHex'].includes(name);
      if (isSynchronous) return member;
      return async (...args: unknown[]) => {
        calls += 1;
        if (calls === at) await work();
        return member.apply(target, args);
      };
    },
  });
  return Object.assign(Object.create(proxied) as Disk, { calls: () => calls });
}

/** Two commits, of which the head marks the first alone, as a writer leaves it that is killed before it can tell. */
async function withoutMark(): Promise<string> {
  const root = emptyRoot();
  const { store, close } = await openAt(root);
  await commitOn(store, [writes(sampleSchedule('a'))]);
  const head = readFileSync(namesOf(root).head);
  await commitOn(store, []);
  await close();
  writeFileSync(namesOf(root).head, head);
  return root;
}

it('[ST-2, ST-5, OW-5] a segment is written anew, and somebody else commits at each step of that: what was told stands', async () => {
  for (let at = 1, isOver = false; !isOver; at++) {
    const root = await withoutMark();
    const told: CommitResult[] = [];
    const disk = interruptedDisk(at, async () => {
      const other = await openFreely(root);
      told.push(await other.store.commit({ ...sampleBatch(2, []), actor: 'other' }));
      await other.close();
    });
    const slow = await openFreely(root, disk);
    told.push(await slow.store.commit({ ...sampleBatch(2, []), actor: 'slow' }));
    await slow.close();
    isOver = disk.calls() < at;
    const { store } = await openAt(root);
    const seqs = told.flatMap((result) => (result.kind === 'committed' ? [result.seq] : []));
    expect(new Set(seqs).size, `call ${at}: ${JSON.stringify(told)}`).toBe(seqs.length);
    expect((await store.changes(0)).seq, `call ${at}: ${JSON.stringify(told)}`).toBe(2 + seqs.length);
    expect(seqs.length, `call ${at}`).toBeGreaterThan(0);
    expect(await checkWorkspace(root)).toEqual([]);
  }
});

it('[ST-2, OW-5] a record that lands behind bytes that count for nothing is told as what it is: committed', async () => {
  const root = emptyRoot();
  await commitOn((await openAt(root)).store, [writes(sampleSchedule('a'))]);
  const disk: Disk = {
    ...realDisk,
    async write(file, bytes, position) {
      // What another writer leaves that was slower than a third one.
      if (position === 'append') appendFileSync(segmentPath(namesOf(root), 1), '~\n');
      await realDisk.write(file, bytes, position);
    },
  };
  const late = await openFreely(root, disk);
  expect(await late.store.commit(sampleBatch(1, []))).toMatchObject({ kind: 'committed', seq: 2 });
  await late.close();
  expect((await (await openAt(root)).store.changes(0)).seq).toBe(2);
  expect(await checkWorkspace(root)).toEqual([]);
});

/**
 * A roll-over that is stopped between its last look and the rename of its snapshot, while another process rolls over `times`
 * times; what the other one saw last, with every record it made.
 */
async function lateSnapshot(times: number) {
  const root = emptyRoot();
  const { snapshot } = namesOf(root);
  const ids: string[] = [];
  let isArmed = false;
  const disk: Disk = {
    ...realDisk,
    async rename(from, to) {
      if (isArmed && to === snapshot) {
        isArmed = false;
        const other = await openFreely(root, realDisk, KEEPS_ALL);
        for (let round = 1; round <= times; round++) {
          ids.push(...(await endMany(other.store, 'a', round * MANY, MANY)));
          await other.store.settled();
        }
        await other.close();
      }
      await realDisk.rename(from, to);
    },
  };
  const warnings: string[] = [];
  const ground = { disk, openLock: async () => FREE, warn: (error: unknown) => warnings.push(String(error)) };
  const slow = await openWorkspace(root, KEEPS_ALL, ground);
  await commitOn(slow.store, [writes(sampleSchedule('a'))]);
  isArmed = true;
  ids.unshift(...(await endMany(slow.store, 'a', 0, MANY)));
  await slow.store.settled();
  return { root, slow, ids, warnings };
}

it.each([0, 1, 2, 3])(
  '[ST-2, ST-6, OW-5] a snapshot gets its name after %i roll-overs of another process: nothing is lost, and all go on',
  async (times) => {
    const { root, slow, ids, warnings } = await lateSnapshot(times);
    const { store, close } = await openFreely(root, realDisk, KEEPS_ALL);
    const known = (await wholeHistory(store, 'a')).map(({ id }) => id).reverse();
    expect(known).toEqual(ids);
    const isLate = times > 1;
    expect(warnings.map((warning) => /another process has rolled over/.test(warning))).toEqual(isLate ? [true] : []);
    const { snapshot } = namesOf(root);
    const late = { severity: 'note', invariant: 'I2', rule: 'late', file: snapshot };
    expect(await checkWorkspace(root)).toMatchObject(isLate ? [late] : []);
    const mended = await repairWorkspace(root, { dryRun: times === 2 });
    expect(mended).toMatchObject({
      actions: isLate ? [{ kind: 'snapshot' }] : [],
      findings: times === 2 ? [late] : [],
    });
    // Whoever rolls over next, the one that was late or another one, puts a right one in its place.
    ids.push(...(await endMany(times === 2 ? slow.store : store, 'a', 10 * MANY, MANY)));
    await slow.store.settled();
    await store.settled();
    expect((await wholeHistory(store, 'a')).map(({ id }) => id).reverse()).toEqual(ids);
    expect((await wholeHistory(slow.store, 'a')).map(({ id }) => id).reverse()).toEqual(ids);
    await slow.close();
    await close();
    expect(await checkWorkspace(root)).toEqual([]);
  },
);
