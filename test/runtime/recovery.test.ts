/** What a new owner does about the one before it, and what nobody looked at meanwhile. */
import { describe, expect, it } from 'vitest';
import type { ExecutionService } from '../../src/ports/execution-service.js';
import { held, hung, scriptedExecution } from '../../src/testing/scripted-execution.js';
import { everySeconds, MANUAL, ownerBench } from './owner-bench.js';

const QUEUED = { trigger: MANUAL, overlap: 'queue' } as const;

describe('recovery', () => {
  it('[OW-2, OC-6] every claim of an older epoch is interrupted and never run again; queued work is run', async () => {
    const bench = ownerBench({ execution: scriptedExecution([], { otherwise: hung() }), concurrency: 2 });
    for (const id of ['a', 'b']) await bench.create(id, { ...QUEUED, maxRetries: 2 });
    const force = new AbortController();
    const run = bench.owner.run({ force: force.signal });
    await bench.trigger('a', 'r1');
    await bench.trigger('b', 'r1');
    await bench.clock.settle();
    await bench.trigger('a', 'r2');
    force.abort();
    await run;
    const execution = scriptedExecution();
    const next = ownerBench({ data: bench.data, clock: bench.clock, execution });
    const summary = await next.owner.tick();
    expect(summary).toMatchObject({ interrupted: 2, claimed: 1, succeeded: 1, remaining: 0 });
    expect(await next.outcomes('a')).toEqual(['r1 interrupted ownerDied', 'r2 succeeded']);
    expect(await next.outcomes('b')).toEqual(['r1 interrupted ownerDied']);
    expect(execution.executed.map(({ occurrence }) => occurrence)).toEqual(['a~1~m~r2']);
    expect(next.catalogue.epoch).toBe(2);
  });

  it('[OW-2, OC-8] says not-dispatched only where the claim wanted a workspace and none exists', async () => {
    const bench = ownerBench();
    for (const id of ['none', 'made', 'unwanted']) await bench.create(id, QUEUED);
    const epoch = await bench.committer.raiseEpoch();
    for (const [order, id] of ['none', 'made', 'unwanted'].entries()) {
      await bench.trigger(id, 'r1');
      const occurrence = `${id}~1~m~r1`;
      await bench.submit(id, { kind: 'claim', occurrence, epoch, order: order + 1, hasWorkspace: id !== 'unwanted' });
    }
    await bench.evidence.begin('made~1~m~r1', 1, {});
    await bench.owner.tick();
    const states = await Promise.all(
      ['none', 'made', 'unwanted'].map(async (id) => (await bench.history(id))[0]?.nativeState),
    );
    expect(states).toEqual(['not-dispatched', 'unknown', 'unknown']);
  });

  it('[OC-11, CT-15] the mark of an unresponsive handler goes when another process owns the catalogue', async () => {
    const bench = await withUnresponsive();
    const other = ownerBench({ data: bench.data, clock: bench.clock });
    await other.owner.tick();
    expect(other.catalogue.entry('a')?.schedule.quarantine).toBeUndefined();
    expect(await other.outcomes('a')).toEqual(['r1 interrupted unresponsive']);
  });

  it('[OC-11, CT-15] a newer owner of the same process keeps the mark while the handler runs', async () => {
    const bench = await withUnresponsive();
    await bench.create('b', QUEUED);
    await bench.trigger('b', 'r1');
    await bench.owner.tick();
    expect(await bench.outcomes('b')).toEqual(['r1 succeeded']);
    expect(bench.catalogue.entry('a')?.schedule.quarantine).toMatchObject({ occurrence: 'a~1~m~r1', epoch: 2 });
    expect((await bench.trigger('a', 'r2')).decision).toMatchObject({ refusal: { status: 'quarantined' } });
    await bench.owner.start();
    expect(bench.catalogue.entry('a')?.schedule.quarantine).toMatchObject({ epoch: 3 });
    bench.execution.release('a~1~m~r1');
    await bench.clock.settle();
    expect(bench.catalogue.entry('a')?.schedule.quarantine).toBeUndefined();
    await bench.owner.stop();
  });

  it('[OC-11, CT-15, OW-6] a tick that can only wait for a handler is idle; the one after its end lifts the mark', async () => {
    const bench = await withUnresponsive();
    await bench.owner.tick();
    expect(bench.catalogue.epoch).toBe(1);
    bench.execution.release('a~1~m~r1');
    await bench.clock.settle();
    await bench.owner.tick();
    expect(bench.catalogue.entry('a')?.schedule.quarantine).toBeUndefined();
  });

  it('[OC-11, OW-4] a handler that outlives a forced end keeps its schedule quarantined in this process', async () => {
    const execution = scriptedExecution([hung()]);
    const bench = ownerBench({ execution });
    await bench.create('a', QUEUED);
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.clock.settle();
    await bench.owner.stop({ force: true });
    await bench.owner.start();
    expect(await bench.outcomes('a')).toEqual(['r1 interrupted ownerDied']);
    expect(bench.catalogue.entry('a')?.schedule.quarantine).toMatchObject({ reason: 'unresponsive', epoch: 2 });
    execution.release('a~1~m~r1');
    await bench.clock.settle();
    expect(bench.catalogue.entry('a')?.schedule.quarantine).toBeUndefined();
    await bench.owner.stop();
  });

  it('[OW-2, ST-3] a catalogue that cannot be read starts no owner, and the lock is free again', async () => {
    let isBroken = true;
    const bench = ownerBench({
      wrapStore: (store) => ({
        capabilities: store.capabilities,
        changes: (...given) => (isBroken ? Promise.reject(new Error('damaged')) : store.changes(...given)),
        commit: (...given) => store.commit(...given),
        history: (...given) => store.history(...given),
        document: (...given) => store.document(...given),
        watch: (onChange) => store.watch(onChange),
        close: () => store.close(),
      }),
    });
    await expect(bench.owner.run()).rejects.toThrow('damaged');
    expect((await bench.lock.status()).isHeld).toBe(false);
    isBroken = false;
    await bench.owner.start();
    await bench.owner.stop();
  });

  it('[MF-2, MF-4, OW-2] what was due while no owner looked says so', async () => {
    const bench = ownerBench();
    await bench.create('a', { overlap: 'queue' });
    await bench.owner.tick();
    await bench.clock.advance(600_000);
    await bench.owner.tick();
    const [record] = await bench.history('a');
    expect(record?.window).toMatchObject({ count: 10, causes: ['ownerDown'] });
  });

  it('[MF-4, CT-9] what was due while the gate was paused says so, whether or not an owner looked', async () => {
    const bench = ownerBench();
    await bench.create('a', { overlap: 'queue' });
    await bench.owner.start();
    const at = bench.clock.now();
    await bench.committer.submitRow((row) => ({ ...row, gate: { isPaused: true, by: 'op', at } }), { actor: 'op' });
    await bench.clock.advance(600_000);
    expect(bench.pending('a')).toEqual([]);
    const lastSpan = { cause: 'gate', from: at, until: bench.clock.now() } as const;
    await bench.committer.submitRow((row) => ({ ...row, gate: { isPaused: false, by: 'op', lastSpan } }), {
      actor: 'op',
    });
    await bench.clock.settle();
    const [record] = await bench.history('a');
    expect(record?.window).toMatchObject({ count: 10, causes: ['gate'] });
    await bench.owner.stop();
  });

  it('[TR-10] with other zone data the next due instants are computed anew at the start', async () => {
    const bench = ownerBench({ zoneData: 'old' });
    await bench.create('a', { trigger: { kind: 'calendar', hour: 3, timezone: 'Europe/Berlin' } });
    await bench.create('b', { trigger: everySeconds(3600, bench.clock.now()) });
    await bench.owner.tick();
    const next = ownerBench({ data: bench.data, clock: bench.clock, zoneData: 'new' });
    await next.owner.tick();
    expect(next.catalogue.entry('a')?.schedule.zoneData).toBe('new');
    const { seq } = next.catalogue;
    await next.owner.tick();
    expect(next.catalogue.seq).toBe(seq);
  });

  it('[TR-10, OW-6, CT-15] a schedule in quarantine keeps its zone data and makes no tick busy', async () => {
    const bench = ownerBench({ zoneData: 'old' });
    await bench.create('a', { trigger: { kind: 'calendar', hour: 3, timezone: 'Europe/Berlin' } });
    await bench.owner.tick();
    const entry = bench.catalogue.entry('a');
    if (entry === undefined) throw new Error('a was created');
    const quarantine = { reason: 'triggerBroken', since: bench.clock.now(), epoch: 0, detail: 'no such zone' } as const;
    await bench.store.commit({
      since: bench.catalogue.seq,
      reads: { schedules: ['a'], keys: [], row: false },
      at: bench.clock.now(),
      actor: 'test',
      changes: [{ kind: 'schedule', schedule: { ...entry.schedule, quarantine }, isDefinitionChanged: false }],
      documents: [],
    });
    const next = ownerBench({ data: bench.data, clock: bench.clock, zoneData: 'new' });
    await next.owner.tick();
    const { seq, epoch } = next.catalogue;
    await next.owner.tick();
    expect([next.catalogue.seq, next.catalogue.epoch]).toEqual([seq, epoch]);
  });
});

describe('a tick from outside', () => {
  it('[OW-6] an idle tick raises no epoch and commits nothing', async () => {
    const bench = ownerBench();
    await bench.create('a');
    const { seq, epoch } = bench.catalogue;
    expect(await bench.owner.tick()).toEqual({
      collected: 0,
      claimed: 0,
      succeeded: 0,
      failed: 0,
      cancelled: 0,
      interrupted: 0,
      skipped: 0,
      remaining: 0,
      nextWakeAt: '2026-11-30T08:01:00.000Z',
    });
    expect([bench.catalogue.seq, bench.catalogue.epoch]).toEqual([seq, epoch]);
    expect((await bench.lock.status()).isHeld).toBe(false);
    expect(bench.changes()).toEqual([]);
  });

  it('[OW-6, CO-3, MF-3] collects once, dispatches until nothing is ready, and leaves the rest of a catch-up', async () => {
    const execution = scriptedExecution();
    const bench = ownerBench({ execution });
    await bench.create('a', { overlap: 'queue', misfire: 'catchUp', maxCatchUp: 3 });
    await bench.clock.advance(600_000);
    expect(await bench.owner.tick()).toMatchObject({ collected: 3, claimed: 3, succeeded: 3, remaining: 0 });
    await bench.clock.advance(1000);
    expect(await bench.owner.tick()).toMatchObject({ collected: 3, succeeded: 3 });
    expect((await bench.outcomes('a')).map((text) => text.slice(0, 8))).toEqual([
      '08:01:00',
      '08:02:00',
      '08:03:00',
      '08:04:00',
      '08:05:00',
      '08:06:00',
    ]);
  });

  it('[CO-3] collects more than a thousand in further commits of the same tick, and dispatches them', async () => {
    const bench = ownerBench({ concurrency: 64 });
    const trigger = everySeconds(0.01, bench.clock.now() + 10);
    await bench.create('a', { trigger, overlap: 'queue', maxOccurrences: 'unlimited', graceSeconds: 3600 });
    await bench.clock.advance(12_000);
    expect(await bench.owner.tick()).toMatchObject({ collected: 1200, succeeded: 1200, remaining: 0 });
  });

  it.each([1, 2, 3])(
    '[OW-6] leaves nothing running, however an answer falls between its looks (%i slots)',
    async (concurrency) => {
      for (const collect of [true, false]) {
        for (let turns = 0; turns < 40; turns += 1) {
          const execution = answeringAfter(turns);
          const bench = ownerBench({ execution, concurrency, collect });
          for (const id of ['a', 'b']) {
            await bench.create(id, { overlap: 'queue' });
            for (const requestId of ['r1', 'r2', 'r3']) await bench.trigger(id, requestId);
          }
          await bench.clock.advance(60_000);
          const { claimed, succeeded, remaining } = await bench.clock.runUntil(bench.owner.tick());
          expect({ turns, claimed, succeeded, remaining }).toEqual({
            turns,
            claimed,
            succeeded: claimed,
            remaining: 0,
          });
          expect(claimed).toBe(collect ? 8 : 6);
        }
      }
    },
  );

  it('[OW-6, CT-11] hears a cancel and its signal meanwhile, and waits for what it started', async () => {
    const execution = scriptedExecution([held(), held()]);
    const bench = ownerBench({ execution, concurrency: 2 });
    for (const id of ['a', 'b']) await bench.create(id, QUEUED);
    for (const id of ['a', 'b']) await bench.trigger(id, 'r1');
    const stop = new AbortController();
    const ticking = bench.owner.tick({ signal: stop.signal });
    await bench.clock.settle();
    const other = ownerBench({ data: bench.data, clock: bench.clock });
    await other.submit('a', { kind: 'stop', expected: {}, occurrence: 'a~1~m~r1', by: 'op' });
    await bench.clock.settle();
    expect(await bench.outcomes('a')).toEqual(['r1 cancelled stopped']);
    stop.abort();
    expect(await ticking).toMatchObject({ claimed: 2, cancelled: 1, interrupted: 1 });
    expect(await bench.outcomes('b')).toEqual(['r1 interrupted ownerStopped']);
  });

  it('[OW-6, ST-4] rejects with the trouble that kept it from doing its work', async () => {
    let isFull = false;
    const bench = ownerBench({
      wrapStore: (store) => ({
        capabilities: store.capabilities,
        changes: (...given) => store.changes(...given),
        commit: async (batch, call) => {
          const { ScheduleError } = await import('../../src/errors.js');
          if (isFull && batch.raisesEpoch === undefined) throw new ScheduleError('SCHEDULE_STORE_UNAVAILABLE', 'full');
          return store.commit(batch, call);
        },
        history: (...given) => store.history(...given),
        document: (...given) => store.document(...given),
        watch: (onChange) => store.watch(onChange),
        close: () => store.close(),
      }),
    });
    await bench.create('a');
    await bench.clock.advance(60_000);
    isFull = true;
    await expect(bench.owner.tick()).rejects.toMatchObject({ code: 'SCHEDULE_STORE_UNAVAILABLE' });
    isFull = false;
    await bench.clock.advance(1000);
    expect(await bench.owner.tick()).toMatchObject({ collected: 1, succeeded: 1 });
  });
});

/** An owner that has stopped while the handler of `a~1~m~r1` runs on. */
async function withUnresponsive() {
  const execution = scriptedExecution([hung()]);
  const bench = { ...ownerBench({ execution, drainSeconds: 1 }), execution };
  await bench.create('a', QUEUED);
  await bench.owner.start();
  await bench.trigger('a', 'r1');
  await bench.clock.settle();
  await bench.clock.runUntil(bench.owner.stop());
  expect(bench.catalogue.entry('a')?.schedule.quarantine).toMatchObject({ reason: 'unresponsive', epoch: 1 });
  return bench;
}

/** Work that answers after so many turns of the queue of promises. */
function answeringAfter(turns: number): ExecutionService {
  const scripted = scriptedExecution();
  return {
    capabilities: scripted.capabilities,
    providers: () => scripted.providers(),
    plan: (request) => scripted.plan(request),
    execute: async (request) => {
      for (let passed = 0; passed < turns; passed += 1) await Promise.resolve();
      return scripted.execute(request);
    },
  };
}
