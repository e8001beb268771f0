/** Dispatch in trouble: result records and documents that are not to be had, a store that does not answer, a late failure. */
import { describe, expect, it } from 'vitest';
import { ScheduleError, type ScheduleErrorCode } from '../../src/errors.js';
import type { ScheduleStore } from '../../src/ports/schedule-store.js';
import { fails, held, hung, scriptedExecution, succeeds } from '../../src/testing/scripted-execution.js';
import { type Bench, MANUAL, ownerBench } from './owner-bench.js';

const QUEUED = { trigger: MANUAL, overlap: 'queue' } as const;

/** A bench whose evidence takes no result record of schedule `a`. */
function withoutResults(steps: Parameters<typeof scriptedExecution>[0], more: Parameters<typeof ownerBench>[0] = {}) {
  let tries = 0;
  const bench = ownerBench({
    ...more,
    execution: scriptedExecution(steps, { needsWorkspace: true }),
    wrapEvidence: (evidence) => ({
      capabilities: evidence.capabilities,
      begin: (...given) => evidence.begin(...given),
      attempts: (...given) => evidence.attempts(...given),
      attempted: (...given) => evidence.attempted(...given),
      read: (...given) => evidence.read(...given),
      finish: async (occurrence, ...given) => {
        if (!occurrence.startsWith('a~')) return evidence.finish(occurrence, ...given);
        tries += 1;
        throw new ScheduleError('SCHEDULE_STORE_UNAVAILABLE', 'result.json is a directory');
      },
    }),
  });
  return { bench, tries: () => tries };
}

describe('a result record that cannot be written', () => {
  it('[OC-7, OC-8, OC-11] is tried a few times; the success is not proven, the slot is free, and the owner stops', async () => {
    const { bench, tries } = withoutResults([succeeds()]);
    await bench.create('a', { ...QUEUED, maxRetries: 2 });
    await bench.create('b', QUEUED);
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.trigger('b', 'r1');
    await bench.clock.advance(1000);
    expect(tries()).toBe(5);
    const [record] = await bench.history('a');
    expect(record).toMatchObject({
      status: 'failed',
      attempts: [{ fault: { code: 'evidenceUnavailable', message: 'result.json is a directory' } }],
    });
    expect(await bench.outcomes('b')).toEqual(['r1 succeeded']);
    expect(bench.changes()).toEqual(['started', 'trouble']);
    await bench.owner.stop();
  });

  it('[OC-11, OW-4] keeps no stop from ending, and a handler that does not end keeps its key', async () => {
    const { bench } = withoutResults([hung()], { drainSeconds: 1 });
    await bench.create('a', QUEUED);
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.clock.settle();
    await bench.clock.runUntil(bench.owner.stop(), { limitMs: 2000 });
    expect(await bench.outcomes('a')).toEqual(['r1 interrupted unresponsive']);
    expect(bench.catalogue.entry('a')?.schedule.quarantine).toMatchObject({ reason: 'unresponsive' });
  });

  it('[OC-5, OC-8] a failure keeps its own fault', async () => {
    const { bench } = withoutResults([fails('own')]);
    await bench.create('a', QUEUED);
    await bench.trigger('a', 'r1');
    await bench.clock.runUntil(bench.owner.tick());
    expect((await bench.history('a'))[0]?.attempts[0]?.fault?.code).toBe('own');
  });
});

/** A store of which one document cannot be read for `times` calls. */
function withoutDocument(code: ScheduleErrorCode, times = Number.POSITIVE_INFINITY, digest?: string) {
  let left = times;
  const wrapStore = (store: ScheduleStore): ScheduleStore =>
    wrapped(store, {
      document: async (asked, call) => {
        if (digest !== undefined && asked !== digest) return store.document(asked, call);
        left -= 1;
        if (left < 0) return store.document(asked, call);
        throw new ScheduleError(code, 'no document');
      },
    });
  return wrapStore;
}

function wrapped(store: ScheduleStore, own: Partial<ScheduleStore>): ScheduleStore {
  return {
    capabilities: store.capabilities,
    changes: (...given) => store.changes(...given),
    commit: (...given) => store.commit(...given),
    history: (...given) => store.history(...given),
    document: (...given) => store.document(...given),
    watch: (onChange) => store.watch(onChange),
    close: () => store.close(),
    ...own,
  };
}

describe('a pinned document', () => {
  it.each(['SCHEDULE_CATALOGUE_CORRUPT', 'SCHEDULE_NOT_FOUND'] as const)(
    '[ST-3, OC-3] that is refused with %s ends the owner before anything is claimed',
    async (code) => {
      const bench = ownerBench({ wrapStore: withoutDocument(code) });
      await bench.create('a', QUEUED);
      await bench.trigger('a', 'r1');
      await expect(bench.clock.runUntil(bench.owner.run())).rejects.toMatchObject({ code });
      expect(bench.pending('a')).toEqual(['r1 queued']);
      expect(bench.changes()).toEqual(['started', 'trouble', 'stopped']);
      await expect(bench.owner.tick()).rejects.toMatchObject({ code });
      expect(await bench.outcomes('a')).toEqual([]);
      expect((await bench.lock.status()).isHeld).toBe(false);
    },
  );

  it('[ST-3, ST-4] that cannot be read for the moment is read later; nothing is claimed meanwhile', async () => {
    const bench = ownerBench({ wrapStore: withoutDocument('SCHEDULE_STORE_UNAVAILABLE', 4) });
    await bench.create('a', QUEUED);
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.clock.settle();
    expect(bench.pending('a')).toEqual(['r1 queued']);
    await bench.clock.advance(5000);
    expect(await bench.outcomes('a')).toEqual(['r1 succeeded']);
    expect((await bench.history('a'))[0]?.attempts).toHaveLength(1);
    expect(bench.changes()).toEqual(['started', 'trouble', 'recovered']);
    await bench.owner.stop();
  });

  it('[CO-4, OC-2] that cannot be read delays no other schedule for good', async () => {
    const digest = `sha256:${'e'.repeat(64)}`;
    const bench = ownerBench({ wrapStore: withoutDocument('SCHEDULE_STORE_UNAVAILABLE', 1e9, digest) });
    await bench.create('a', QUEUED, { documentDigest: digest });
    for (const id of ['b', 'c']) await bench.create(id, QUEUED);
    await bench.owner.start();
    for (const id of ['a', 'b', 'c']) await bench.trigger(id, 'r1');
    await bench.clock.advance(10_000);
    expect(bench.pending('a')).toEqual(['r1 queued']);
    expect(await bench.outcomes('b')).toEqual(['r1 succeeded']);
    expect(await bench.outcomes('c')).toEqual(['r1 succeeded']);
    await bench.owner.stop();
  });
});

/** A bench whose store can fall silent: commits wait for `answer`. */
function silenceable(more: Parameters<typeof ownerBench>[0] = {}) {
  let silence: Promise<void> | undefined;
  let answer = () => {};
  const bench: Bench = ownerBench({
    ...more,
    wrapStore: (store) =>
      wrapped(store, {
        commit: async (...given) => {
          await silence;
          return store.commit(...given);
        },
      }),
  });
  return {
    bench,
    fallSilent: () => {
      silence = new Promise((resolve) => {
        answer = resolve;
      });
    },
    answer: () => answer(),
  };
}

describe('a store that does not answer', () => {
  it('[OW-7] is told after two seconds, and its recovery too', async () => {
    const execution = scriptedExecution([held()]);
    const { bench, fallSilent, answer } = silenceable({ execution });
    await bench.create('a', QUEUED);
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.clock.settle();
    fallSilent();
    execution.release();
    await bench.clock.advance(1999);
    expect(bench.changes()).toEqual(['started']);
    await bench.clock.advance(1);
    expect(bench.changes()).toEqual(['started', 'trouble']);
    await bench.clock.advance(16_000);
    answer();
    await bench.clock.settle();
    expect(bench.changes()).toEqual(['started', 'trouble', 'recovered']);
    expect(await bench.outcomes('a')).toEqual(['r1 succeeded']);
    await bench.owner.stop();
  });

  it('[OW-4] keeps no stop longer than its drain limit and two seconds; the next owner marks what ran', async () => {
    const { bench, fallSilent } = silenceable({ execution: scriptedExecution([hung()]), drainSeconds: 1 });
    await bench.create('a', QUEUED);
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.clock.settle();
    fallSilent();
    await bench.clock.runUntil(bench.owner.stop(), { limitMs: 3000 });
    expect(bench.changes().at(-1)).toBe('stopped');
    const next = ownerBench({ data: bench.data, clock: bench.clock });
    await next.owner.tick();
    expect(await next.outcomes('a')).toEqual(['r1 interrupted ownerDied']);
  });

  it('[OW-4, ST-4] nor does one that refuses every commit', async () => {
    let isFull = false;
    const execution = scriptedExecution([held()]);
    const bench = ownerBench({
      execution,
      drainSeconds: 1,
      wrapStore: (store) =>
        wrapped(store, {
          commit: async (...given) => {
            if (isFull) throw new ScheduleError('SCHEDULE_STORE_UNAVAILABLE', 'the disk is full');
            return store.commit(...given);
          },
        }),
    });
    await bench.create('a', QUEUED);
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.clock.settle();
    isFull = true;
    execution.release();
    await bench.clock.settle();
    await bench.clock.runUntil(bench.owner.stop(), { limitMs: 3000 });
    isFull = false;
    await bench.clock.advance(60_000);
    expect(bench.pending('a')).toEqual(['r1 running']);
  });

  it('[OW-2, OW-5] an owner that gave up while it started takes nothing over when the store answers', async () => {
    const { bench, fallSilent, answer } = silenceable({ drainSeconds: 0 });
    await bench.create('a', QUEUED);
    fallSilent();
    const stop = new AbortController();
    const ended = bench.owner.run({ signal: stop.signal });
    await bench.clock.settle();
    stop.abort();
    await bench.clock.runUntil(ended, { limitMs: 2000 });
    const next = ownerBench({ data: bench.data, clock: bench.clock });
    await next.owner.start();
    answer();
    await bench.clock.settle();
    expect((await next.store.changes(0)).epoch).toBe(1);
    await next.owner.stop();
  });
});

describe('the elapsed budget', () => {
  it('[OC-5] is what a failure met that came after it, also where no deadline could fire', async () => {
    const inner = scriptedExecution([], { otherwise: fails('own') });
    const bench = ownerBench({
      execution: {
        ...inner,
        execute: async (request) => {
          // A handler that blocks the process: time passes, and nothing else does.
          const { monotonic } = bench.clock;
          Object.assign(bench.clock, { monotonic: () => monotonic.call(bench.clock) + 2000 });
          return inner.execute(request);
        },
      },
    });
    const budget = { maxAttempts: 3, maxRepeatedFailures: 3, maxElapsedSeconds: 2, timeoutPerStageSeconds: 600 };
    await bench.create('a', { ...QUEUED, maxRetries: 0, budget });
    await bench.trigger('a', 'r1');
    await bench.owner.tick();
    expect(await bench.outcomes('a')).toEqual(['r1 failed elapsedBudget']);
    expect((await bench.history('a'))[0]?.attempts[0]?.fault?.code).toBe('own');
  });
});
