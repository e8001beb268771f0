/** A workspace whose process dies at a chosen call. */
import { describe, expect, it } from 'vitest';
import { memoryData } from '../../src/adapters/memory-data.js';
import { memoryWorkspace } from '../../src/adapters/memory-workspace.js';
import type { EpochMs } from '../../src/core/time/instant.js';
import type { CommitBatch } from '../../src/ports/schedule-store.js';
import { type CrashPoint, crashingWorkspace } from '../../src/testing/crash-workspace.js';
import { SimulatedCrash } from '../../src/testing/faulty-store.js';

const BATCH: CommitBatch = {
  since: 0,
  reads: { schedules: [], keys: [], row: false },
  at: 1_000 as EpochMs,
  actor: 'test',
  changes: [],
  documents: [],
};

function mortal(point?: CrashPoint) {
  const data = memoryData();
  return { process: crashingWorkspace(memoryWorkspace({ data }), point), next: () => memoryWorkspace({ data }), data };
}

describe('a crashing workspace', () => {
  it('[ST-2, OC-3] dies before or after the effect of the call that was chosen', async () => {
    for (const [when, seq] of [
      ['before', 1],
      ['after', 2],
    ] as const) {
      const { process, next } = mortal({ call: 2, of: 'store.commit', when });
      await process.store.commit(BATCH);
      expect(process.isCrashed).toBe(false);
      await expect(process.store.commit(BATCH)).rejects.toThrow(SimulatedCrash);
      expect(process.isCrashed).toBe(true);
      expect((await next().store.changes(0)).seq).toBe(seq);
    }
  });

  it('[OW-1, ST-2] is silent and powerless afterwards, and its lock is free', async () => {
    const { process, next, data } = mortal();
    const held = await process.lock.acquire();
    if (held.kind !== 'acquired') throw new Error('a free lock was held');
    let told = 0;
    process.store.watch(() => {
      told += 1;
    });
    expect((await next().lock.acquire()).kind).toBe('held');
    await process.crash();
    expect(held.lease.isHeld()).toBe(false);
    const calls: readonly (() => Promise<unknown>)[] = [
      () => process.store.changes(0),
      () => process.store.history({ scheduleId: 'a', limit: 1 }),
      () => process.store.document('sha256:0'),
      () => process.lock.acquire(),
      () => process.lock.status(),
      () => held.lease.release(),
      () => process.evidence.begin('a~1~m~one', 1, {}),
      () => process.evidence.finish('a~1~m~one', 1, {}),
      () => process.evidence.read('a~1~m~one'),
      () => process.evidence.attempts('a~1~m~one'),
      () => process.evidence.attempted('a', 0 as EpochMs),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow(SimulatedCrash);
    expect(() => process.store.watch(() => {})).toThrow(SimulatedCrash);
    await process.store.close();
    await process.lock.close();
    const successor = next();
    expect((await successor.lock.acquire()).kind).toBe('acquired');
    await successor.store.commit(BATCH);
    await Promise.resolve();
    expect(told).toBe(0);
    await process.close();
    await data.dispose();
  });

  it('[ST-2] tells its calls in order, and counts all of them where no kind is named', async () => {
    const { process, next } = mortal({ call: 3, when: 'before' });
    await process.lock.status();
    await process.store.commit(BATCH);
    await expect(process.store.commit(BATCH)).rejects.toThrow(SimulatedCrash);
    expect(process.calls).toEqual(['lock.status', 'store.commit', 'store.commit']);
    expect((await next().store.changes(0)).seq).toBe(1);
  });

  it('[ST-2] a call that was under way when its process died tells nothing', async () => {
    const { process, next } = mortal({ call: 2, when: 'before' });
    const first = process.store.commit(BATCH);
    const second = process.store.commit(BATCH);
    await expect(second).rejects.toThrow(SimulatedCrash);
    await expect(first).rejects.toThrow(SimulatedCrash);
    expect((await next().store.changes(0)).seq).toBe(1);
  });
});
