/** Attempts: retries, budgets, requests to end, unresponsive handlers, workspaces, and trouble while settling. */
import { describe, expect, it } from 'vitest';
import { ScheduleError } from '../../src/errors.js';
import type { FaultyStore } from '../../src/testing/faulty-store.js';
import { faultyStore } from '../../src/testing/faulty-store.js';
import {
  fails,
  held,
  hung,
  rejects,
  scriptedExecution,
  succeeds,
  succeedsUnverified,
} from '../../src/testing/scripted-execution.js';
import { type Bench, MANUAL, ownerBench } from './owner-bench.js';

const QUEUED = { trigger: MANUAL, overlap: 'queue' } as const;

async function lastOf(bench: Bench, id = 'a') {
  const record = (await bench.history(id)).at(-1);
  if (record === undefined) throw new Error(`${id} has no history`);
  return record;
}

describe('retries', () => {
  it('[OC-5, OC-3] an immediate retry is claimed with the failure in one commit, keeps its slot, and has a token of its own', async () => {
    const execution = scriptedExecution([fails('one'), fails('two'), succeeds()]);
    const bench = ownerBench({ execution });
    await bench.create('a', { trigger: MANUAL, maxRetries: 2, budget: budget({ maxAttempts: 3 }) });
    await bench.trigger('a', 'r1');
    const before = bench.catalogue.seq;
    expect(await bench.owner.tick()).toMatchObject({ claimed: 3, succeeded: 1, failed: 0 });
    const tokens = execution.executed.map(({ fencingToken }) => fencingToken - before);
    expect(tokens).toEqual([2, 3, 4]);
    expect(execution.executed.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    const record = await lastOf(bench);
    expect(record.attempts.map(({ fencingToken }) => fencingToken - before)).toEqual(tokens);
    expect(record.status).toBe('succeeded');
  });

  it('[OC-5] a retry with back-off waits by the clock, and its record names what refused the next one', async () => {
    const execution = scriptedExecution([], { otherwise: fails('same') });
    const bench = ownerBench({ execution });
    const retryBackoff = { initialSeconds: 100, factor: 1, maxSeconds: 100 };
    await bench.create('a', { trigger: MANUAL, maxRetries: 2, retryBackoff });
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.clock.advance(74_000);
    expect(execution.executed).toHaveLength(1);
    expect(bench.pending('a')).toEqual(['r1 retrying']);
    await bench.clock.advance(26_000);
    expect(execution.executed).toHaveLength(2);
    expect(execution.planned).toHaveLength(1);
    expect(await bench.outcomes('a')).toEqual(['r1 failed failureBudget']);
    await bench.owner.stop();
  });

  it('[OC-5, OW-4] a waiting retry survives a stop, and the next owner makes it with a plan of the same digest', async () => {
    const execution = scriptedExecution([fails('first')]);
    const retryBackoff = { initialSeconds: 60, factor: 1, maxSeconds: 60 };
    const bench = ownerBench({ execution });
    await bench.create('a', { trigger: MANUAL, maxRetries: 1, retryBackoff });
    await bench.trigger('a', 'r1');
    expect(await bench.owner.tick()).toMatchObject({ claimed: 1, remaining: 1 });
    expect(bench.pending('a')).toEqual(['r1 retrying']);
    await bench.clock.advance(60_000);
    expect(await bench.owner.tick()).toMatchObject({ claimed: 1, succeeded: 1, remaining: 0 });
    expect(execution.planned).toHaveLength(2);
  });

  it('[OC-4] a retry after a restart fails when the pinned plan cannot be made again', async () => {
    let letter = 'a';
    const execution = scriptedExecution([fails('first')], {
      plan: () => ({ kind: 'planned', plan: { id: 'p', digest: `sha256:${letter.repeat(64)}`, providers: [] } }),
    });
    const bench = ownerBench({ execution });
    const retryBackoff = { initialSeconds: 1, factor: 1, maxSeconds: 1 };
    await bench.create('a', { trigger: MANUAL, maxRetries: 1, retryBackoff });
    await bench.trigger('a', 'r1');
    await bench.owner.tick();
    letter = 'b';
    await bench.clock.advance(1000);
    await bench.owner.tick();
    expect(await lastOf(bench)).toMatchObject({ status: 'failed', attempts: [{}, { fault: { code: 'planFailed' } }] });
    expect(execution.executed).toHaveLength(1);
  });

  it('[OC-5] elapsed time is measured by the monotonic clock, whatever the wall clock does', async () => {
    const execution = scriptedExecution([held(fails('late'))]);
    const bench = ownerBench({ execution });
    await bench.create('a', { trigger: MANUAL, maxRetries: 1, budget: budget({ maxElapsedSeconds: 100 }) });
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.clock.settle();
    bench.clock.step(7_200_000);
    await bench.clock.advance(10_000);
    execution.release();
    await bench.clock.settle();
    expect(await bench.outcomes('a')).toEqual(['r1 succeeded']);
    await bench.owner.stop();
  });

  it.each([
    ['forward', 3_600_000],
    ['back', -30_000],
  ])('[OC-5] a back-off is measured by the monotonic clock although the wall clock steps %s', async (_way, stepMs) => {
    const execution = scriptedExecution([fails('first')]);
    const retryBackoff = { initialSeconds: 100, factor: 1, maxSeconds: 100 };
    const bench = ownerBench({ execution });
    await bench.create('a', {
      trigger: MANUAL,
      maxRetries: 1,
      retryBackoff,
      budget: budget({ maxElapsedSeconds: 9000 }),
    });
    await bench.create('b', QUEUED);
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.clock.settle();
    const waitMs = (bench.catalogue.entry('a')?.pending[0]?.retryAt ?? 0) - bench.clock.now();
    expect(waitMs).toBeGreaterThan(74_000);
    bench.clock.step(stepMs);
    await bench.clock.advance(waitMs - 1);
    expect(bench.pending('a')).toEqual(['r1 retrying']);
    await bench.trigger('b', 'r1');
    await bench.clock.settle();
    expect(await bench.outcomes('b')).toEqual(['r1 succeeded']);
    await bench.clock.advance(1);
    expect(await bench.outcomes('a')).toEqual(['r1 succeeded']);
    expect(execution.planned).toHaveLength(2);
    await bench.owner.stop();
  });

  it('[OC-7] a success without verification is a failure', async () => {
    const bench = ownerBench({ execution: scriptedExecution([succeedsUnverified()]) });
    await bench.create('a', QUEUED);
    await bench.trigger('a', 'r1');
    await bench.owner.tick();
    expect(await lastOf(bench)).toMatchObject({
      status: 'failed',
      attempts: [{ fault: { code: 'publicationUnverified' } }],
    });
  });

  it.each([
    ['rejects', rejects(new Error('boom')), 'boom'],
    ['answers nonsense', { ends: 'nonsense' } as never, 'its answer is no object'],
    [
      'succeeds without a verification',
      { ends: { outcome: 'succeeded', stages: [] } } as never,
      'without a verification',
    ],
    ['fails without a fault', { ends: { outcome: 'failed', stages: [] } } as never, 'without a fault'],
    ['gives a result that is not JSON', withResult(() => 1), 'its result cannot be kept'],
    ['gives a result that is too large', withResult('x'.repeat(70_000)), '65536 bytes'],
  ])('[OC-7, X-5] a service that %s has broken its contract', async (_how, step, message) => {
    const bench = ownerBench({ execution: scriptedExecution([step]) });
    await bench.create('a', QUEUED);
    await bench.trigger('a', 'r1');
    await bench.owner.tick();
    const record = await lastOf(bench);
    expect(record).toMatchObject({ status: 'failed', attempts: [{ fault: { code: 'executionBroken' } }] });
    expect(record.attempts[0]?.fault?.message).toContain(message);
  });
});

describe('requests to end an attempt', () => {
  it('[OC-11, CT-11] a stop of a running occurrence fires its signal and ends it as asked', async () => {
    const execution = scriptedExecution([held()]);
    const bench = ownerBench({ execution });
    await bench.create('a', { ...QUEUED, maxRetries: 2 });
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.clock.settle();
    const other = ownerBench({ data: bench.data, clock: bench.clock });
    await other.submit('a', { kind: 'stop', expected: {}, occurrence: 'a~1~m~r1', by: 'op' });
    await bench.clock.settle();
    expect(execution.executed[0]?.signal.aborted).toBe(true);
    expect(await bench.outcomes('a')).toEqual(['r1 cancelled stopped']);
    await bench.owner.stop();
  });

  it('[CT-6, OC-11] a verified success counts although the schedule was cancelled meanwhile', async () => {
    const execution = scriptedExecution([hung()]);
    const bench = ownerBench({ execution });
    await bench.create('a', QUEUED);
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.clock.settle();
    await bench.submit('a', { kind: 'cancel', expected: {}, by: 'op' });
    await bench.clock.settle();
    expect(execution.executed[0]?.signal.aborted).toBe(true);
    execution.release();
    await bench.clock.settle();
    expect(await bench.outcomes('a')).toEqual(['r1 succeeded']);
    await bench.owner.stop();
  });

  it('[OC-5, OC-11] an attempt that runs at its elapsed budget is aborted and failed', async () => {
    const execution = scriptedExecution([held()]);
    const bench = ownerBench({ execution });
    await bench.create('a', { ...QUEUED, maxRetries: 2, budget: budget({ maxElapsedSeconds: 90 }) });
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.clock.advance(89_999);
    expect(execution.open()).toHaveLength(1);
    await bench.clock.advance(1);
    expect(await bench.outcomes('a')).toEqual(['r1 failed elapsedBudget']);
    await bench.owner.stop();
  });

  it('[OC-11, OC-10] the first request stands: a stage timeout before a cancel leaves a failed attempt', async () => {
    const execution = scriptedExecution([held(fails('stageTimeout'))]);
    const bench = ownerBench({ execution });
    await bench.create('a', QUEUED);
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.clock.settle();
    execution.executed[0]?.timedOut?.('main');
    execution.release();
    await bench.submit('a', { kind: 'cancel', expected: {}, by: 'op' });
    await bench.clock.settle();
    expect((await lastOf(bench)).status).toBe('failed');
    await bench.owner.stop();
  });

  it('[OC-11, CT-15] a handler that does not end is interrupted, its key stays held, and its schedule goes on when it ends', async () => {
    const execution = scriptedExecution([hung(succeeds('too late'))]);
    const bench = ownerBench({ execution, drainSeconds: 30 });
    await bench.create('a', { ...QUEUED, concurrencyKey: 'shared' });
    await bench.create('b', { ...QUEUED, concurrencyKey: 'shared' });
    await bench.create('c', QUEUED);
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.clock.settle();
    await bench.trigger('b', 'r1');
    await bench.submit('a', { kind: 'stop', expected: {}, occurrence: 'a~1~m~r1', by: 'op' });
    await bench.clock.advance(29_999);
    expect(bench.pending('a')).toEqual(['r1 running']);
    await bench.clock.advance(1);
    expect(await bench.outcomes('a')).toEqual(['r1 interrupted unresponsive']);
    expect(bench.catalogue.entry('a')?.schedule.quarantine).toMatchObject({ reason: 'unresponsive' });
    await bench.trigger('c', 'r1');
    await bench.clock.settle();
    expect(await bench.outcomes('c')).toEqual(['r1 succeeded']);
    expect(bench.pending('b')).toEqual(['r1 queued']);
    execution.release('a~1~m~r1');
    await bench.clock.settle();
    expect(bench.catalogue.entry('a')?.schedule.quarantine).toBeUndefined();
    expect(await bench.outcomes('b')).toEqual(['r1 succeeded']);
    expect((await lastOf(bench)).result).toBeUndefined();
    await bench.owner.stop();
  });

  it('[OC-11, OC-10] the drain limit begins when the service tells of a stage timeout', async () => {
    const execution = scriptedExecution([hung()]);
    const bench = ownerBench({ execution, drainSeconds: 30 });
    await bench.create('a', QUEUED);
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.clock.settle();
    execution.executed[0]?.timedOut?.('main');
    await bench.clock.advance(30_000);
    expect(await bench.outcomes('a')).toEqual(['r1 interrupted unresponsive']);
    await bench.owner.stop();
  });

  it('[OC-11] nothing is dispatched when the request comes while it is still being planned', async () => {
    let planned: () => void = () => undefined;
    const execution = scriptedExecution([], {
      plan: async () => {
        await new Promise<void>((resolve) => {
          planned = resolve;
        });
        return { kind: 'planned', plan: { id: 'p', digest: `sha256:${'a'.repeat(64)}`, providers: [] } };
      },
    });
    const bench = ownerBench({ execution });
    await bench.create('a', QUEUED);
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.clock.settle();
    await bench.submit('a', { kind: 'stop', expected: {}, occurrence: 'a~1~m~r1', by: 'op' });
    planned();
    await bench.clock.settle();
    expect(await lastOf(bench)).toMatchObject({
      status: 'cancelled',
      attempts: [{ fault: { code: 'notDispatched' } }],
    });
    expect(execution.executed).toEqual([]);
    await bench.owner.stop();
  });

  it('[OC-8, OW-4] what a stop of the owner overtakes while it is still being planned says that nothing was dispatched', async () => {
    let planned: () => void = () => undefined;
    const execution = scriptedExecution([], {
      plan: async () => {
        await new Promise<void>((resolve) => {
          planned = resolve;
        });
        return { kind: 'planned', plan: { id: 'p', digest: `sha256:${'a'.repeat(64)}`, providers: [] } };
      },
    });
    const bench = ownerBench({ execution });
    await bench.create('a', QUEUED);
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.clock.settle();
    const stopped = bench.owner.stop();
    await bench.clock.settle();
    planned();
    await stopped;
    expect(await lastOf(bench)).toMatchObject({
      status: 'interrupted',
      reason: 'ownerStopped',
      nativeState: 'not-dispatched',
      attempts: [{ fault: { code: 'notDispatched' } }],
    });
    expect(execution.executed).toEqual([]);
  });
});

describe('workspaces of attempts', () => {
  const withWorkspace = { needsWorkspace: true };

  it('[OC-8, E-2] each attempt has a directory with the authored input and the plan, and the result when it ended', async () => {
    const bench = ownerBench({ execution: scriptedExecution([fails('one'), succeeds({ n: 1 })], withWorkspace) });
    await bench.create('a', { ...QUEUED, maxRetries: 1 });
    await bench.trigger('a', 'r1');
    await bench.owner.tick();
    const kept = await bench.evidence.read('a~1~m~r1');
    const record = await lastOf(bench);
    expect(kept?.attempts).toMatchObject([
      {
        dispatch: {
          seq: record.attempts[0]?.fencingToken,
          hash: expect.any(String),
          epoch: 1,
          attempt: 1,
          document: { version: 'test/1' },
          plan: { digest: record.plan?.digest },
          dueAt: '2026-11-30T08:00:00.000Z',
        },
        result: { outcome: 'failed', faults: [{ code: 'one' }] },
      },
      {
        dispatch: { attempt: 2 },
        result: { outcome: 'succeeded', verification: { isVerified: true }, result: { n: 1 } },
      },
    ]);
  });

  it('[CO-6, OC-8] a directory that exists already means an old catalogue: never run, and collection stops', async () => {
    const execution = scriptedExecution([], withWorkspace);
    const bench = ownerBench({ execution });
    await bench.create('a', QUEUED);
    await bench.create('b');
    await bench.evidence.begin('a~1~m~r1', 1, {});
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.clock.advance(90_000);
    expect(await bench.outcomes('a')).toEqual(['r1 interrupted attemptExists']);
    expect(bench.catalogue.row.clockStop).toMatchObject({ reason: 'catalogueBehind' });
    expect(bench.changes()).toContain('catalogueBehind');
    expect(bench.pending('b')).toEqual([]);
    expect(execution.executed).toEqual([]);
    await bench.trigger('a', 'r2');
    await bench.clock.settle();
    expect((await bench.outcomes('a')).at(-1)).toBe('r2 succeeded');
    await bench.owner.stop();
  });

  it('[ST-4, OC-5] a workspace that cannot be made is a failed attempt that may be retried', async () => {
    let isFull = true;
    const execution = scriptedExecution([], withWorkspace);
    const bench = ownerBench({
      execution,
      wrapEvidence: (evidence) =>
        Object.assign(Object.create(evidence), {
          begin: async (...given: Parameters<typeof evidence.begin>) => {
            if (!isFull) return evidence.begin(...given);
            isFull = false;
            throw new ScheduleError('SCHEDULE_STORE_UNAVAILABLE', 'the disk is full');
          },
          attempts: (...given: Parameters<typeof evidence.attempts>) => evidence.attempts(...given),
          finish: (...given: Parameters<typeof evidence.finish>) => evidence.finish(...given),
        }),
    });
    await bench.create('a', { ...QUEUED, maxRetries: 1 });
    await bench.trigger('a', 'r1');
    await bench.owner.tick();
    expect(await lastOf(bench)).toMatchObject({
      status: 'succeeded',
      attempts: [{ fault: { code: 'evidenceUnavailable', message: 'the disk is full' } }, {}],
    });
  });
});

describe('trouble with the store', () => {
  it('[ST-4] keeps an outcome until it is recorded, and goes on when the trouble ends', async () => {
    let store: FaultyStore | undefined;
    const execution = scriptedExecution([held()]);
    const bench = ownerBench({
      execution,
      wrapStore: (inner) => {
        store = faultyStore(inner);
        return store;
      },
    });
    await bench.create('a', QUEUED);
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.clock.settle();
    for (const call of [1, 2, 3]) store?.arrange({ call, of: 'commit', when: 'before', kind: 'fail' });
    execution.release();
    await bench.clock.settle();
    expect(bench.pending('a')).toEqual(['r1 running']);
    await bench.clock.advance(10_000);
    expect(await bench.outcomes('a')).toEqual(['r1 succeeded']);
    expect(bench.changes()).toEqual(['started', 'trouble', 'recovered']);
    await bench.trigger('a', 'r2');
    await bench.clock.settle();
    expect((await bench.outcomes('a')).at(-1)).toBe('r2 succeeded');
    await bench.owner.stop();
  });

  it('[ST-4] waits longer and longer while nothing can be committed, and does not spin', async () => {
    let store: FaultyStore | undefined;
    const bench = ownerBench({
      wrapStore: (inner) => {
        store = faultyStore(inner);
        return store;
      },
    });
    await bench.create('a');
    await bench.owner.start();
    for (let call = 1; call <= 200; call += 1) store?.arrange({ call, of: 'commit', when: 'before', kind: 'fail' });
    await bench.clock.advance(120_000);
    const failed = store?.calls.filter((call) => call === 'commit').length ?? 0;
    expect(failed).toBeGreaterThan(10);
    expect(failed).toBeLessThan(35);
    store?.calm();
    await bench.clock.advance(5000);
    expect(await bench.outcomes('a')).not.toEqual([]);
    await bench.owner.stop();
  });

  it('[ST-4, OW-4] a store that has failed for good ends the owner with its error', async () => {
    let store: FaultyStore | undefined;
    const bench = ownerBench({
      wrapStore: (inner) => {
        store = faultyStore(inner);
        return store;
      },
    });
    await bench.create('a');
    const ended = expect(bench.owner.run()).rejects.toMatchObject({ code: 'SCHEDULE_STORE_FAILED' });
    await bench.clock.settle();
    const error = new ScheduleError('SCHEDULE_STORE_FAILED', 'a flush failed');
    store?.arrange({ call: 1, of: 'commit', when: 'before', kind: 'fail', error });
    await bench.clock.runUntil(ended);
    expect((await bench.lock.status()).isHeld).toBe(false);
  });
});

function budget(more: object) {
  return { maxAttempts: 3, maxRepeatedFailures: 2, maxElapsedSeconds: 3600, timeoutPerStageSeconds: 600, ...more };
}

function withResult(result: unknown) {
  return {
    ends: { outcome: 'succeeded', stages: [], verification: { isVerified: true, receipts: [] }, result },
  } as never;
}
