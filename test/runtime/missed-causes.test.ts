/** The causes of what was missed, each as the machinery finds it out (MF-4). */
import { describe, expect, it } from 'vitest';
import type { Occurrence } from '../../src/core/model/occurrence.js';
import { held, hung, scriptedExecution } from '../../src/testing/scripted-execution.js';
import { type Bench, everySeconds, ownerBench } from './owner-bench.js';

const MINUTE = 60_000;
const PAUSE = { kind: 'pause', expected: {}, by: 'test' } as const;
const RESUME = { kind: 'resume', expected: {}, by: 'test' } as const;

async function lastCauses(bench: Bench, id = 'a'): Promise<Occurrence['window']> {
  return (await bench.history(id)).at(-1)?.window;
}

function gate(bench: Bench, isPaused: boolean): Promise<unknown> {
  return bench.committer.submitRow(
    (row, at) => {
      const { gate: before } = row;
      const lastSpan = { cause: 'gate', from: before.at ?? at, until: at } as const;
      return { ...row, gate: isPaused ? { ...before, isPaused, at } : { isPaused, at, lastSpan } };
    },
    { actor: 'test' },
  );
}

describe('causes of a window', () => {
  it('[MF-4] `ownerDown`: no owner looked, by what the last one reported', async () => {
    const bench = ownerBench();
    await bench.create('a');
    await bench.owner.tick();
    await bench.clock.advance(10 * MINUTE);
    await bench.owner.tick();
    expect(await lastCauses(bench)).toMatchObject({ count: 10, causes: ['ownerDown'] });
  });

  it('[MF-4, OW-1] `ownerDown` reaches back over an owner that ended before its first tick', async () => {
    let isBroken = false;
    const bench = ownerBench({
      wrapStore: (store) => ({
        ...store,
        capabilities: store.capabilities,
        changes: (...given) => (isBroken ? Promise.reject(new Error('broken')) : store.changes(...given)),
        commit: (...given) => store.commit(...given),
        history: (...given) => store.history(...given),
        document: (...given) => store.document(...given),
        watch: (onChange) => store.watch(onChange),
        close: () => store.close(),
      }),
    });
    await bench.create('a');
    await bench.owner.tick();
    await bench.clock.advance(3 * MINUTE);
    isBroken = true;
    await expect(bench.owner.tick()).rejects.toThrow('broken');
    isBroken = false;
    await bench.clock.advance(7 * MINUTE);
    await bench.owner.tick();
    expect(await lastCauses(bench)).toMatchObject({ count: 10, causes: ['ownerDown'] });
  });

  it('[MF-4, CT-5] `paused`', async () => {
    const bench = ownerBench();
    await bench.create('a');
    await bench.owner.start();
    await bench.submit('a', PAUSE);
    await bench.clock.advance(10 * MINUTE);
    await bench.submit('a', RESUME);
    await bench.clock.settle();
    expect(await lastCauses(bench)).toMatchObject({ count: 10, causes: ['paused'] });
    await bench.owner.stop();
  });

  it('[MF-4, CT-9] `gate`, once it is open again, and in what ends a schedule while it is paused', async () => {
    const bench = ownerBench();
    const expiresAt = '2026-11-30T08:15:30.000Z';
    for (const id of ['a', 'cancelled']) await bench.create(id);
    await bench.create('expired', { expiresAt });
    await bench.owner.start();
    await gate(bench, true);
    await bench.clock.advance(10 * MINUTE);
    await gate(bench, false);
    await bench.clock.settle();
    expect(await lastCauses(bench)).toMatchObject({ count: 10, causes: ['gate'] });
    await gate(bench, true);
    await bench.clock.advance(10 * MINUTE);
    expect(await lastCauses(bench, 'expired')).toMatchObject({ count: 5, causes: ['gate'] });
    await bench.submit('cancelled', { kind: 'cancel', expected: {}, by: 'test' });
    expect(await lastCauses(bench, 'cancelled')).toMatchObject({ count: 10, causes: ['gate'] });
    await bench.owner.stop();
  });

  it('[MF-4, CO-6] `clockStep`: the wall clock went forward', async () => {
    const bench = ownerBench();
    await bench.create('a');
    await bench.owner.start();
    await bench.clock.settle();
    bench.clock.step(10 * MINUTE);
    await bench.clock.advance(30_000);
    expect(await lastCauses(bench)).toMatchObject({ count: 10, causes: ['clockStep'] });
    await bench.owner.stop();
  });

  it('[MF-4, MF-3] `backlog`: a catch-up waited for what it had admitted', async () => {
    const bench = ownerBench({ execution: scriptedExecution([], { otherwise: held() }) });
    const fields = { misfire: 'catchUp', maxCatchUp: 1, maxLatenessSeconds: 600, overlap: 'queue' } as const;
    await bench.create('a', fields);
    await bench.clock.advance(5 * MINUTE);
    await bench.owner.start();
    await bench.clock.advance(15 * MINUTE);
    const record = (await bench.history('a')).find(({ reason }) => reason === 'tooLate');
    expect(record?.window?.causes).toContain('backlog');
    await bench.owner.stop();
  });

  it('[MF-4, CT-15] `quarantined`: nothing was collected while a handler did not end', async () => {
    const execution = scriptedExecution([hung()]);
    const bench = ownerBench({ execution });
    const budget = { maxAttempts: 1, maxRepeatedFailures: 1, maxElapsedSeconds: 10, timeoutPerStageSeconds: 10 };
    await bench.create('a', { budget, trigger: everySeconds(60, bench.clock.now() + MINUTE) });
    await bench.owner.start();
    await bench.clock.advance(10 * MINUTE);
    expect(bench.catalogue.entry('a')?.schedule.quarantine?.reason).toBe('unresponsive');
    execution.release();
    await bench.clock.settle();
    expect(await lastCauses(bench)).toMatchObject({ count: 9, causes: ['quarantined'] });
    await bench.owner.stop();
  });
});
