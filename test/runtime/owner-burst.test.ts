/** Many schedules due in one instant: what a burst costs is counted in commits and rows, never in time. */
import { describe, expect, it } from 'vitest';
import type { CommitBatch, ScheduleStore } from '../../src/ports/schedule-store.js';
import { scriptedExecution } from '../../src/testing/scripted-execution.js';
import { ownerBench } from './owner-bench.js';

const DUE_AT = '2026-11-30T08:01:00.000Z';

/** A store that keeps what it was asked to commit. */
function counting(batches: CommitBatch[]): (store: ScheduleStore) => ScheduleStore {
  return (store) => ({
    ...store,
    capabilities: store.capabilities,
    changes: (since, options) => store.changes(since, options),
    commit: (batch, options) => {
      batches.push(batch);
      return store.commit(batch, options);
    },
    history: (query, options) => store.history(query, options),
    document: (digest, options) => store.document(digest, options),
    watch: (onChange) => store.watch(onChange),
    close: () => store.close(),
  });
}

function statusesOf(batch: CommitBatch): readonly string[] {
  return batch.changes.flatMap((change) => (change.kind === 'occurrence' ? [change.occurrence.status] : []));
}

async function burst(count: number, concurrency: number) {
  const batches: CommitBatch[] = [];
  const bench = ownerBench({ concurrency, wrapStore: counting(batches), execution: scriptedExecution() });
  const names = Array.from({ length: count }, (_, index) => `s-${String(index).padStart(4, '0')}`);
  for (const name of names) await bench.create(name, { trigger: { kind: 'once', at: DUE_AT } });
  batches.length = 0;
  await bench.clock.advanceTo(DUE_AT);
  const summary = await bench.clock.runUntil(bench.owner.tick());
  return { bench, names, batches, summary };
}

describe('a burst of due schedules', () => {
  it('[OC-3, CO-1] is collected by the commits that claim it: two rows to the claim, two to the end', async () => {
    const { batches, summary } = await burst(1000, 64);
    expect(summary).toMatchObject({ collected: 1000, claimed: 1000, succeeded: 1000, remaining: 0 });
    const rows = batches.reduce((sum, { changes }) => sum + changes.length, 0);
    // A few are collected without a slot where slots come to a halt.
    expect(rows).toBeLessThanOrEqual(1000 * 4.5);
    expect(batches.length).toBeLessThanOrEqual(2 * Math.ceil(1000 / 64) + 8);
  });

  it('[OC-3] begins with a commit of claims alone, and none has more rows than slots can bring', async () => {
    const { batches } = await burst(300, 8);
    const withRows = batches.filter(({ changes }) => changes.length > 0);
    expect(new Set(statusesOf(withRows[0] as CommitBatch))).toEqual(new Set(['running']));
    for (const batch of withRows) {
      expect(statusesOf(batch).filter((status) => status === 'running').length).toBeLessThanOrEqual(8);
    }
  });

  it('[OC-2] starts the schedule whose last claim is oldest, whether its work is ready or still to be collected', async () => {
    const bench = ownerBench({ concurrency: 1 });
    const trigger = { kind: 'interval', start: DUE_AT, everySeconds: 60 } as const;
    for (const name of ['c', 'a', 'b']) await bench.create(name, { trigger });
    // One with a key that others may share is collected without a slot, and has ready work then.
    await bench.create('d', { trigger, concurrencyKey: 'k' });
    for (const name of ['d', 'b']) {
      await bench.trigger(name, 'first');
      await bench.clock.runUntil(bench.owner.tick());
    }
    await bench.clock.advanceTo(DUE_AT);
    await bench.clock.runUntil(bench.owner.tick());
    const claims = bench.told.flatMap((event) =>
      event.type === 'occurrence' && event.to === 'running' ? [event.scheduleId] : [],
    );
    expect(claims).toEqual(['d', 'b', 'a', 'c', 'd', 'b']);
  });

  it('[OW-7] tells of each admission and each start, also where one commit holds both', async () => {
    const { bench } = await burst(3, 2);
    for (const name of ['s-0000', 's-0001', 's-0002']) {
      const told = bench.told.flatMap((event) =>
        event.type === 'occurrence' && event.scheduleId === name ? [event.to] : [],
      );
      expect(told).toEqual(['queued', 'running', 'succeeded']);
    }
  });

  it('[OV-1] leaves schedules that share a key to collection in the order of their due instants', async () => {
    const bench = ownerBench({ concurrency: 4 });
    const shared = { trigger: { kind: 'once', at: DUE_AT }, overlap: 'skip', concurrencyKey: 'k' } as const;
    for (const name of ['a', 'b']) await bench.create(name, shared);
    await bench.clock.advanceTo(DUE_AT);
    await bench.clock.runUntil(bench.owner.tick());
    const ended = await Promise.all(['a', 'b'].map((name) => bench.history(name)));
    expect(
      ended
        .flat()
        .map(({ status }) => status)
        .sort(),
    ).toEqual(['skipped', 'succeeded']);
  });
});
