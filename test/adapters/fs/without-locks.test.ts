/** Where no lock keeps anybody out: the journal alone decides what counts, and nobody is told anything else. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Disk } from '../../../src/adapters/fs/disk/disk.js';
import { realDisk } from '../../../src/adapters/fs/disk/real-disk.js';
import { openWorkspace } from '../../../src/adapters/fs/file-workspace.js';
import { segmentPath } from '../../../src/adapters/fs/layout.js';
import type { KernelLock } from '../../../src/adapters/fs/locks/native-lock.js';
import { checkWorkspace } from '../../../src/checker/check-workspace.js';
import type { CommitResult } from '../../../src/ports/schedule-store.js';
import { commitOn, sampleBatch, sampleSchedule, writes } from '../../../src/testing/contracts/sample-catalogue.js';
import { emptyRoot, namesOf, openAt } from './ground.js';

const FREE: KernelLock = { tryLock: () => true, unlock: () => {}, isIntact: () => true, close: async () => {} };

const openFreely = (root: string, disk: Disk = realDisk) =>
  openWorkspace(root, {}, { disk, openLock: async () => FREE });

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
