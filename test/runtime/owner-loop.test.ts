/** The owner's loop: start, nap, wake, stop, and the lock. */
import { describe, expect, it } from 'vitest';
import { CORE_RULES } from '../../src/runtime/rules.js';
import { held, hung, scriptedExecution, succeeds } from '../../src/testing/scripted-execution.js';
import { everySeconds, MANUAL, ownerBench } from './owner-bench.js';
import { sampleDefinition } from './sample-definition.js';

describe('the loop of an owner', () => {
  it('[OW-1, CO-1, OC-3] collects what is due, runs it, and records how it ended', async () => {
    const bench = ownerBench();
    await bench.create('a');
    await bench.owner.start();
    await bench.clock.advance(150_000);
    expect(await bench.outcomes('a')).toEqual(['08:01:00 succeeded', '08:02:00 succeeded']);
    await bench.owner.stop();
    expect(bench.changes()).toEqual(['started', 'stopping', 'stopped']);
  });

  it('[OW-1, L-1] refuses a second owner at once, with who holds the lock and since when', async () => {
    const bench = ownerBench();
    await bench.owner.start();
    const other = ownerBench({ data: bench.data, clock: bench.clock });
    const refused = {
      code: 'SCHEDULE_LOCK_HELD',
      details: { pid: 1, host: 'test', since: '2026-11-30T08:00:00.000Z' },
    };
    await expect(other.owner.run()).rejects.toMatchObject(refused);
    await expect(bench.owner.start()).rejects.toMatchObject(refused);
    await expect(other.owner.start()).rejects.toMatchObject(refused);
    await other.owner.stop();
    await expect(other.owner.tick()).rejects.toMatchObject(refused);
    await bench.owner.stop();
    await other.owner.start();
    await other.owner.stop();
  });

  it('[OW-1, OW-4] a start during a stop waits for its end, and is reached by the next stop', async () => {
    const bench = ownerBench();
    await bench.owner.start();
    await Promise.all([bench.owner.stop(), bench.owner.start()]);
    expect((await bench.lock.status()).isHeld).toBe(true);
    await bench.owner.stop();
    expect((await bench.lock.status()).isHeld).toBe(false);
    const starts = await Promise.allSettled([bench.owner.start(), bench.owner.start()]);
    expect(starts.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await bench.owner.stop();
    expect((await bench.lock.status()).isHeld).toBe(false);
  });

  it('[OW-1] status tells whether an owner lives, since when, its last tick and what it runs', async () => {
    const bench = ownerBench({ execution: scriptedExecution([held()]) });
    await bench.create('a', { trigger: MANUAL });
    expect(await bench.owner.status()).toEqual({ isHeld: false });
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.clock.advance(65_000);
    await expect(bench.owner.tick()).rejects.toMatchObject({ code: 'SCHEDULE_LOCK_HELD' });
    const own = await bench.owner.status();
    expect(own).toMatchObject({ isHeld: true, report: { pid: 1, epoch: 1, running: ['a~1~m~r1'] } });
    expect(own.report?.since).toBe('2026-11-30T08:00:00.000Z');
    const seen = await bench.lock.status();
    expect(seen.isHeld).toBe(true);
    expect(bench.clock.now() - (seen.report?.lastTickAt ?? 0)).toBeLessThanOrEqual(30_000);
    await bench.owner.stop();
    expect((await bench.owner.status()).isHeld).toBe(false);
  });

  it('[OW-3] naps until the next due instant, at most 30 s, and wakes at once on a change of a client', async () => {
    const bench = ownerBench();
    await bench.create('a', { trigger: everySeconds(3600, bench.clock.now() + 12_000) });
    await bench.create('m', { trigger: MANUAL });
    await bench.owner.start();
    await bench.clock.settle();
    // The other sleeper is the look after the commits of the start: it ends with it.
    expect(bench.clock.sleepers().map(({ ms }) => ms)).toEqual([2000, 12_000]);
    await bench.trigger('m', 'local');
    await bench.clock.settle();
    expect(await bench.outcomes('m')).toEqual(['local succeeded']);
    const other = ownerBench({ data: bench.data, clock: bench.clock });
    await other.trigger('m', 'foreign');
    await bench.clock.settle();
    expect(await bench.outcomes('m')).toEqual(['local succeeded', 'foreign succeeded']);
    expect(bench.clock.monotonic()).toBe(0);
    await bench.clock.advance(12_000);
    expect(await bench.outcomes('a')).toEqual(['08:00:12 succeeded']);
    expect(
      Math.max(
        ...bench.clock
          .sleepers()
          .map(({ ms }) => ms)
          .filter((ms) => ms !== 3_600_000),
      ),
    ).toBe(30_000);
    await bench.owner.stop();
  });

  it('[OW-8] an idle owner asks the store for nothing but news, however many schedules there are', async () => {
    let calls: string[] = [];
    const bench = ownerBench({
      wrapStore: (store) => ({
        capabilities: store.capabilities,
        changes: (...given) => {
          calls.push('changes');
          return store.changes(...given);
        },
        commit: (...given) => {
          calls.push('commit');
          return store.commit(...given);
        },
        history: (...given) => store.history(...given),
        document: (...given) => store.document(...given),
        watch: (onChange) => store.watch(onChange),
        close: () => store.close(),
      }),
    });
    for (let n = 0; n < 50; n += 1) {
      await bench.create(`s${n}`, { trigger: everySeconds(86_400, bench.clock.now() + 86_400_000) });
    }
    await bench.owner.start();
    await bench.clock.settle();
    calls = [];
    await bench.clock.advance(300_000);
    expect(calls).toEqual(Array.from({ length: 10 }, () => 'changes'));
    await bench.owner.stop();
  });

  it('[OW-4, OC-11] a stop dispatches nothing more, asks what runs to end, and leaves queued work queued', async () => {
    const execution = scriptedExecution([held()]);
    const bench = ownerBench({ execution });
    await bench.create('a', { trigger: MANUAL, overlap: 'queue' });
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.trigger('a', 'r2');
    await bench.clock.settle();
    await bench.owner.stop();
    expect(await bench.outcomes('a')).toEqual(['r1 interrupted ownerStopped']);
    expect(bench.pending('a')).toEqual(['r2 queued']);
    expect((await bench.lock.status()).isHeld).toBe(false);
    expect(execution.executed).toHaveLength(1);
  });

  it('[OW-4, OC-11] a success that is verified within the drain limit counts although the owner stops', async () => {
    const execution = scriptedExecution([hung(succeeds('late'))]);
    const bench = ownerBench({ execution });
    await bench.create('a', { trigger: MANUAL });
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.clock.settle();
    const stopped = bench.owner.stop();
    await bench.clock.advance(19_000);
    execution.release();
    await stopped;
    expect(await bench.outcomes('a')).toEqual(['r1 succeeded']);
  });

  it('[OW-4] run resolves once its signal has fired and everything is settled', async () => {
    const bench = ownerBench({ execution: scriptedExecution([hung()]), drainSeconds: 5 });
    await bench.create('a', { trigger: MANUAL });
    const stop = new AbortController();
    const run = bench.owner.run({ signal: stop.signal });
    await bench.trigger('a', 'r1');
    await bench.clock.settle();
    stop.abort();
    await bench.clock.runUntil(run);
    expect(bench.clock.monotonic()).toBe(5000);
    expect(await bench.outcomes('a')).toEqual(['r1 interrupted unresponsive']);
  });

  it('[OW-4] a forced end waits for nothing and records nothing; the next owner finds it interrupted', async () => {
    const execution = scriptedExecution([hung()]);
    const bench = ownerBench({ execution });
    await bench.create('a', { trigger: MANUAL });
    const force = new AbortController();
    const run = bench.owner.run({ force: force.signal });
    await bench.trigger('a', 'r1');
    await bench.clock.settle();
    force.abort();
    await run;
    expect(bench.clock.monotonic()).toBe(0);
    expect(bench.pending('a')).toEqual(['r1 running']);
    execution.release();
    await bench.clock.settle();
    expect(bench.pending('a')).toEqual(['r1 running']);
    await bench.owner.start();
    expect(await bench.outcomes('a')).toEqual(['r1 interrupted ownerDied']);
    await bench.owner.stop();
  });

  it('[OW-3, CO-1, ST-5] a schedule that another process moved while it was due is collected at its new instant', async () => {
    const client = ownerBench();
    await client.create('a');
    let isMoved = false;
    const owner = ownerBench({
      data: client.data,
      clock: client.clock,
      wrapStore: (store) => ({
        capabilities: store.capabilities,
        changes: (since) => store.changes(since),
        history: (query) => store.history(query),
        document: (digest) => store.document(digest),
        watch: (onChange) => store.watch(onChange),
        close: () => store.close(),
        async commit(batch, options) {
          const isTick = batch.changes.some((change) => change.kind === 'occurrence');
          if (isTick && !isMoved) {
            isMoved = true;
            const start = client.clock.now() + 90_000;
            const definition = sampleDefinition('a', { trigger: everySeconds(60, start) });
            const expected = { revision: 1 };
            await client.submit('a', { kind: 'update', expected, definition, isCosmetic: false, by: 'test' });
          }
          return store.commit(batch, options);
        },
      }),
    });
    await owner.owner.start();
    await owner.clock.advance(60_000);
    expect(isMoved).toBe(true);
    await owner.clock.advance(100_000);
    expect(await owner.outcomes('a')).toEqual(expect.arrayContaining(['08:02:30 succeeded']));
    await owner.owner.stop();
  });

  it('[OW-6, OW-3] a tick rests while what it started runs, also when something falls due meanwhile', async () => {
    const execution = scriptedExecution([held()]);
    const bench = ownerBench({ execution });
    await bench.create('a');
    await bench.clock.advance(60_000);
    let rests = 0;
    const { sleep } = bench.clock;
    bench.clock.sleep = (ms, options) => {
      // One that does not rest would never let this test get on.
      if (++rests > 100) execution.release();
      return sleep.call(bench.clock, ms, options);
    };
    const ticking = bench.owner.tick();
    await bench.clock.advance(90_000);
    expect(rests).toBeLessThan(10);
    execution.release();
    expect(await ticking).toMatchObject({ collected: 1 });
  });

  it('[OW-4] stop is idempotent and harmless where nothing runs; a signal that has fired already runs nothing', async () => {
    const bench = ownerBench();
    await bench.owner.stop();
    await bench.owner.run({ signal: AbortSignal.abort() });
    await expect(bench.owner.tick({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'SCHEDULE_ABORTED' });
    await bench.owner.start();
    await Promise.all([bench.owner.stop(), bench.owner.stop()]);
    expect(bench.catalogue.seq).toBe(1);
  });

  it('[OW-5] an owner that was replaced commits nothing more, notices, and ends with SCHEDULE_LOCK_LOST', async () => {
    const execution = scriptedExecution([hung()]);
    const bench = ownerBench({ execution });
    await bench.create('a', { trigger: MANUAL, overlap: 'queue' });
    const run = bench.owner.run();
    const ended = expect(run).rejects.toMatchObject({ code: 'SCHEDULE_LOCK_LOST' });
    await bench.trigger('a', 'r1');
    await bench.clock.settle();
    const young = ownerBench({ data: bench.data, clock: bench.clock });
    await young.committer.raiseEpoch();
    await young.submit('a', { kind: 'recover', epoch: 2, notDispatched: [], stillRunning: [] });
    execution.release();
    await bench.clock.runUntil(ended);
    expect(await young.outcomes('a')).toEqual(['r1 interrupted ownerDied']);
    expect(bench.changes()).toContain('lockLost');
  });

  it('[OW-5, L-3] an owner whose lock is gone dispatches nothing more', async () => {
    let isHeld = true;
    const execution = scriptedExecution();
    const bench = ownerBench({
      execution,
      wrapLock: (lock) => ({
        ...lock,
        capabilities: lock.capabilities,
        status: () => lock.status(),
        close: () => lock.close(),
        acquire: async () => {
          const acquired = await lock.acquire();
          if (acquired.kind === 'held') return acquired;
          const { lease } = acquired;
          return {
            kind: 'acquired',
            lease: {
              isHeld: () => isHeld && lease.isHeld(),
              note: (report) => lease.note(report),
              release: () => lease.release(),
            },
          };
        },
      }),
    });
    await bench.create('a', { trigger: MANUAL });
    const ended = expect(bench.owner.run()).rejects.toMatchObject({ code: 'SCHEDULE_LOCK_LOST' });
    await bench.clock.settle();
    isHeld = false;
    await bench.trigger('a', 'r1');
    await ended;
    expect(execution.executed).toEqual([]);
    expect(bench.pending('a')).toEqual(['r1 queued']);
  });

  it('[OW-7, O-3] an observer that throws never harms the owner', async () => {
    const bench = ownerBench();
    bench.events.observe(() => {
      throw new Error('a bad listener');
    });
    await bench.create('a');
    await bench.owner.start();
    await bench.clock.advance(60_000);
    expect(await bench.outcomes('a')).toEqual(['08:01:00 succeeded']);
    await bench.owner.stop();
    expect(bench.warnings.length).toBeGreaterThan(3);
  });

  it('[OW-9] what this owner does not collect waits for another one, and manual triggers run all the same', async () => {
    const bench = ownerBench({ collect: ({ id }) => id !== 'other' });
    await bench.create('mine');
    await bench.create('other');
    await bench.owner.start();
    await bench.trigger('other', 'r1');
    await bench.clock.advance(120_000);
    expect(await bench.outcomes('mine')).toEqual(['08:01:00 succeeded', '08:02:00 succeeded']);
    expect(await bench.outcomes('other')).toEqual(['r1 succeeded']);
    await bench.owner.stop();
    const everything = ownerBench({ data: bench.data, clock: bench.clock });
    await everything.owner.tick();
    expect(await everything.outcomes('other')).toEqual([
      'r1 succeeded',
      '08:02:00 skipped coalesced',
      '08:01:00 succeeded',
    ]);
  });

  it('[OW-9, EX-1] the expiry of a schedule that is not collected is recorded all the same', async () => {
    const bench = ownerBench({ collect: false });
    await bench.create('a', { expiresAt: '2026-11-30T08:05:00.000Z' });
    await bench.owner.start();
    await bench.clock.advance(300_000);
    expect(bench.catalogue.entry('a')?.schedule.status).toBe('expired');
    expect(await bench.outcomes('a')).toEqual(['08:04:00 (4) skipped expired']);
    await bench.owner.stop();
  });

  it('[OW-9] a collect function that throws ends the owner with a clear error', async () => {
    const bench = ownerBench({
      collect: () => {
        throw new Error('a bad filter');
      },
    });
    await bench.create('a');
    const ended = expect(bench.owner.run()).rejects.toMatchObject({
      code: 'SCHEDULE_CONFIG_INVALID',
      details: { scheduleId: 'a' },
    });
    await bench.clock.advance(60_000);
    await ended;
  });

  it('[OW-1] what ended a started owner is told by stop, and it can be started again', async () => {
    const bench = ownerBench();
    await bench.create('a');
    await bench.owner.start();
    const young = ownerBench({ data: bench.data, clock: bench.clock });
    await young.committer.raiseEpoch();
    await bench.clock.settle();
    expect((await bench.owner.status()).isHeld).toBe(false);
    await expect(bench.owner.stop()).rejects.toMatchObject({ code: 'SCHEDULE_LOCK_LOST' });
    await bench.owner.stop();
    await bench.owner.start();
    await bench.clock.advance(60_000);
    expect(await bench.outcomes('a')).toEqual(['08:01:00 succeeded']);
    await bench.owner.stop({ force: true });
    expect((await bench.owner.status()).isHeld).toBe(false);
  });

  it('[CO-4] a schedule for which the rules fail delays no other one', async () => {
    const bench = ownerBench({
      rules: {
        ...CORE_RULES,
        decide: (context, input, now) => {
          if (input.kind === 'tick' && context.entry?.schedule.id === 'bad') throw new Error('broken');
          return CORE_RULES.decide(context, input, now);
        },
      },
    });
    await bench.create('bad');
    await bench.create('good');
    await bench.owner.start();
    await bench.clock.advance(130_000);
    expect(await bench.outcomes('good')).toEqual(['08:01:00 succeeded', '08:02:00 succeeded']);
    expect(bench.warnings).toHaveLength(1);
    await bench.owner.stop();
  });

  it('[OW-7] lateness is told when an occurrence starts', async () => {
    const bench = ownerBench();
    await bench.create('a');
    await bench.clock.advance(90_000);
    await bench.owner.tick();
    const started = bench.told.find((event) => event.type === 'occurrence' && event.to === 'running');
    expect(started).toMatchObject({ latenessMs: 30_000 });
  });

  it('[OW-1] refuses options out of their bounds', () => {
    expect(() => ownerBench({ concurrency: 0 })).toThrow(expect.objectContaining({ code: 'SCHEDULE_CONFIG_INVALID' }));
    expect(() => ownerBench({ drainSeconds: -1 })).toThrow(
      expect.objectContaining({ code: 'SCHEDULE_CONFIG_INVALID' }),
    );
  });
});
