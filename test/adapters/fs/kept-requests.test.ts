/** Kept request ids in a folder: what they cost, and that they outlive the records of their occurrences. */
import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { segmentPath } from '../../../src/adapters/fs/layout.js';
import { inProcess } from '../../../src/adapters/in-process/in-process.js';
import { checkWorkspace } from '../../../src/checker/check-workspace.js';
import { openSchedules } from '../../../src/open-schedules.js';
import type { RowChange, ScheduleStore } from '../../../src/ports/schedule-store.js';
import {
  commitOn,
  records,
  sampleAt,
  sampleBatch,
  sampleMark,
  sampleOccurrence,
  sampleSchedule,
  writes,
} from '../../../src/testing/contracts/sample-catalogue.js';
import { emptyRoot, namesOf, type OpenedWorkspace, openAt, watchedDisk, wholeHistory } from './ground.js';

const MANY = 20_000;
const A_COMMIT = 500;

function kept(name: string, fields = {}): RowChange {
  return records(sampleOccurrence('a', name, 'skipped', { isRequestKept: true, ...fields }));
}

/** Ends so many occurrences of `a`, each with a request id of its own; the number of the last commit. */
async function request(store: ScheduleStore, seq: number, count = MANY): Promise<number> {
  let since = seq;
  for (let from = 0; from < count; from += A_COMMIT) {
    const names = Array.from({ length: A_COMMIT }, (_, index) => `Order-${from + index}`);
    const result = await store.commit(
      sampleBatch(
        since,
        names.map((name) => kept(name)),
      ),
    );
    if (result.kind !== 'committed') throw new Error(result.kind);
    since = result.seq;
  }
  return since;
}

async function requestsOf(store: ScheduleStore): Promise<readonly string[]> {
  const { schedules } = await store.changes(0);
  return schedules.find(({ entry }) => entry.schedule.id === 'a')?.requests ?? [];
}

/** Bytes that one manual occurrence with its schedule row adds to the journal. */
async function costOf({ store }: OpenedWorkspace, written: { bytes: number }, name: string, version: number) {
  await store.settled();
  const { seq } = await store.changes(0);
  written.bytes = 0;
  const changes = [writes(sampleSchedule('a', { version }), false), kept(name)];
  await store.commit({ ...sampleBatch(seq, changes), at: sampleAt(0), documents: [] });
  return written.bytes;
}

describe('kept request ids', () => {
  it('[OC-1, ST-1, ST-6] a commit costs the same with 20000 of them; roll-over, pruning and reopening keep them', async () => {
    const root = emptyRoot();
    const written = { bytes: 0 };
    const disk = watchedDisk((call, args) => {
      if (call === 'write' && args[2] === 'append') written.bytes += (args[1] as Buffer).length;
    });
    const workspace = await openAt(root, { retention: { perSchedule: 100 } }, disk);
    const first = await commitOn(workspace.store, [writes(sampleSchedule('a'))]);
    const before = await costOf(workspace, written, 'One', 10_001);
    await request(workspace.store, first + 1);
    const after = await costOf(workspace, written, 'Two', 10_002);
    expect(before).toBeGreaterThan(100);
    // A digit or two more in the number of the commit.
    expect(after - before).toBeLessThanOrEqual(4);
    const all = ['One', ...Array.from({ length: MANY }, (_, n) => `Order-${n}`), 'Two'];
    expect(await requestsOf(workspace.store)).toEqual(all);
    expect((await wholeHistory(workspace.store, 'a', 1000)).length).toBeLessThan(MANY);
    await workspace.close();
    const again = await openAt(root, {});
    expect(await requestsOf(again.store)).toEqual(all);
    const lines = readFileSync(namesOf(root).snapshot, 'utf8').split('\n');
    const slices = lines.filter((line) => line.includes('"requests":["'));
    expect(slices.length).toBeGreaterThan(50);
    expect(Math.max(...slices.map(({ length }) => length))).toBeLessThan(200 * 67);
    await expect(commitOn(again.store, [kept('order-7')])).rejects.toMatchObject({ details: { rule: 'request' } });
    expect(await checkWorkspace(root)).toEqual([]);
    await commitOn(again.store, [writes(sampleSchedule('a', { revision: 2, version: 10_003 }))]);
    expect(await requestsOf(again.store)).toEqual([]);
    await commitOn(again.store, [kept('Order-7', { revision: 2 })]);
    expect(await requestsOf(again.store)).toEqual(['Order-7']);
  }, 60_000);

  it('[OC-1, ST-6] a pruned occurrence still answers its request, without its record', async () => {
    const root = emptyRoot();
    const workspace = await openAt(root, { retention: { perSchedule: 1 } });
    const execution = inProcess({ providers: { sample: { kinds: { 'sample/1': { run: () => undefined } } } } });
    const schedules = await openSchedules({ workspace, execution });
    const document = { version: 'sample/1' };
    await schedules.create({
      id: 'a',
      objective: 'Orders',
      document,
      allowedProviders: ['sample'],
      trigger: { kind: 'manual' },
      overlap: 'queue',
    });
    const { occurrence } = await schedules.trigger('a', { requestId: 'First' });
    await schedules.stop('a', occurrence);
    await request(workspace.store, (await workspace.store.changes(0)).seq, 6000);
    await workspace.store.settled();
    expect(await workspace.store.history({ scheduleId: 'a', limit: 1, occurrence })).toEqual({ records: [] });
    const again = await schedules.trigger('a', { requestId: 'fIRST', revision: 99 });
    expect(again).toMatchObject({ occurrence, admitted: 'existing' });
    expect(again).not.toHaveProperty('record');
    expect(await schedules.trigger('a', { requestId: 'order-5999' })).toMatchObject({ occurrence: 'a~1~m~Order-5999' });
    await schedules.update('a', { graceSeconds: 5 }, { revision: 1 });
    expect(await schedules.trigger('a', { requestId: 'first' })).toMatchObject({
      occurrence: 'a~2~m~first',
      admitted: 'queued',
    });
    await schedules.close();
  }, 60_000);

  it('[OC-1] a handle that read from a later snapshot tells no fewer of them', async () => {
    const root = emptyRoot();
    const [one, two] = [await openAt(root), await openAt(root)];
    await commitOn(one.store, [writes(sampleSchedule('a'))]);
    const since = await commitOn(one.store, [kept('Early')]);
    expect(await requestsOf(two.store)).toEqual(['Early']);
    await request(one.store, since, 3000);
    await one.store.settled();
    expect(statSync(segmentPath(namesOf(root), 2)).size).toBeGreaterThan(0);
    const late = await openAt(root);
    for (const { store } of [two, late]) {
      const found = (await store.changes(since)).schedules[0]?.requests ?? [];
      expect(new Set(found).size).toBeGreaterThanOrEqual(3000);
    }
    await commitOn(one.store, [{ kind: 'remove', mark: sampleMark('a') }]);
    await commitOn(one.store, [writes(sampleSchedule('a', { revision: 2 }))]);
    for (const { store } of [one, two, late]) expect(await requestsOf(store)).toEqual([]);
  });
});
