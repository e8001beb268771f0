/** Dispatch: the order, the slots, the keys, and what an attempt is given. */
import { describe, expect, it } from 'vitest';
import type { Plan, PlanRequest } from '../../src/ports/execution-service.js';
import { fails, held, scriptedExecution, succeeds } from '../../src/testing/scripted-execution.js';
import { DOCUMENT, MANUAL, ownerBench } from './owner-bench.js';

const QUEUED = { trigger: MANUAL, overlap: 'queue' } as const;

describe('several that wait for another attempt under one key', () => {
  const budget = { maxAttempts: 2, maxRepeatedFailures: 5, maxElapsedSeconds: 3600, timeoutPerStageSeconds: 600 };
  const retryBackoff = { initialSeconds: 30, factor: 1, maxSeconds: 30 };
  const RETRIED = { maxRetries: 1, budget, retryBackoff };

  for (const [where, second] of [
    ['of one schedule', 'a'],
    ['of two schedules', 'b'],
  ] as const) {
    it(`[OC-2, OC-5] as a pause leaves them, go one after the other: ${where}`, async () => {
      const execution = scriptedExecution([fails('flaky'), fails('flaky')]);
      const bench = ownerBench({ execution });
      await bench.create('a', { ...RETRIED, concurrencyKey: 'shared', maxOccurrences: 1 });
      await bench.create('b', { ...RETRIED, concurrencyKey: 'shared', trigger: MANUAL });
      await bench.owner.start();
      await bench.clock.advance(60_000);
      const seen = { revision: 1 };
      await bench.submit('a', { kind: 'pause', expected: seen, by: 'test' });
      await bench.trigger(second, 'r1');
      await bench.clock.settle();
      await bench.submit('a', { kind: 'resume', expected: seen, by: 'test' });
      await bench.clock.settle();
      expect([...bench.pending('a'), ...bench.pending('b')].map((text) => text.split(' ')[1])).toEqual([
        'retrying',
        'retrying',
      ]);
      await bench.clock.advance(200_000);
      expect([...bench.pending('a'), ...bench.pending('b')]).toEqual([]);
      expect(await bench.outcomes(second)).toContain('r1 succeeded');
      await bench.owner.stop();
    });
  }
});

describe('dispatch', () => {
  it('[OC-2] takes the schedule whose last claim is oldest, and within it the oldest due instant', async () => {
    const execution = scriptedExecution();
    const bench = ownerBench({ execution });
    for (const id of ['a', 'b', 'c']) await bench.create(id, QUEUED);
    await bench.trigger('b', 'b1');
    await bench.clock.advance(1000);
    for (const request of ['b2', 'b3']) await bench.trigger('b', request);
    await bench.trigger('c', 'c1');
    await bench.trigger('a', 'a1');
    await bench.trigger('a', 'a2');
    await bench.owner.tick();
    const order = execution.executed.map(({ occurrence }) => occurrence.split('~').at(-1));
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'b3']);
  });

  it('[OC-2] runs one occurrence at a time unless it is told otherwise, and goes on ticking meanwhile', async () => {
    const execution = scriptedExecution([held()]);
    const bench = ownerBench({ execution });
    await bench.create('long', { trigger: MANUAL });
    await bench.create('a');
    await bench.owner.start();
    await bench.trigger('long', 'r1');
    await bench.clock.advance(61_000);
    expect(execution.open()).toEqual(['long~1~m~r1']);
    expect(bench.pending('a')).toEqual(['08:01:00 queued']);
    execution.release();
    await bench.clock.settle();
    expect(await bench.outcomes('a')).toEqual(['08:01:00 succeeded']);
    await bench.owner.stop();
  });

  it('[OC-2] with concurrency runs as many, and at most one per concurrency key', async () => {
    const execution = scriptedExecution([], { otherwise: held() });
    const bench = ownerBench({ execution, concurrency: 3 });
    for (const id of ['a', 'b']) await bench.create(id, { ...QUEUED, concurrencyKey: 'shared' });
    for (const id of ['c', 'd', 'e']) await bench.create(id, QUEUED);
    for (const id of ['a', 'b', 'c', 'd', 'e']) await bench.trigger(id, 'r');
    await bench.owner.start();
    await bench.clock.settle();
    expect(execution.open()).toEqual(['a~1~m~r', 'c~1~m~r', 'd~1~m~r']);
    execution.release('c~1~m~r');
    await bench.clock.settle();
    expect(execution.open()).toEqual(['a~1~m~r', 'd~1~m~r', 'e~1~m~r']);
    execution.release('a~1~m~r');
    await bench.clock.settle();
    expect(execution.open()).toEqual(['d~1~m~r', 'e~1~m~r', 'b~1~m~r']);
    await bench.owner.stop();
  });

  it('[OC-2] a waiting retry holds its key, not a slot', async () => {
    const execution = scriptedExecution([fails('first')]);
    const retryBackoff = { initialSeconds: 100, factor: 1, maxSeconds: 100 };
    const bench = ownerBench({ execution });
    await bench.create('a', { ...QUEUED, concurrencyKey: 'shared', maxRetries: 1, retryBackoff });
    await bench.create('b', { ...QUEUED, concurrencyKey: 'shared' });
    await bench.create('c', QUEUED);
    await bench.owner.start();
    await bench.trigger('a', 'r');
    await bench.clock.settle();
    await bench.trigger('b', 'r');
    await bench.trigger('c', 'r');
    await bench.clock.settle();
    expect(await bench.outcomes('c')).toEqual(['r succeeded']);
    expect(bench.pending('a')).toEqual(['r retrying']);
    expect(bench.pending('b')).toEqual(['r queued']);
    await bench.clock.advance(100_000);
    expect(await bench.outcomes('a')).toEqual(['r succeeded']);
    expect(await bench.outcomes('b')).toEqual(['r succeeded']);
    await bench.owner.stop();
  });

  it('[OC-3] the claim is durable before the execution service is called, and its commit number is the fencing token', async () => {
    const seen: { claim: unknown; token: number; seq: number }[] = [];
    const inner = scriptedExecution();
    const bench = ownerBench({
      execution: {
        ...inner,
        execute: async (request) => {
          const { schedules, seq } = await bench.store.changes(0);
          const running = schedules.flatMap(({ entry }) => entry.pending).find(({ id }) => id === request.occurrence);
          seen.push({ claim: running?.claim, token: request.fencingToken, seq });
          return inner.execute(request);
        },
      },
    });
    await bench.create('a', QUEUED);
    for (const request of ['r1', 'r2', 'r3']) await bench.trigger('a', request);
    await bench.owner.tick();
    expect(seen).toHaveLength(3);
    for (const { claim, token, seq } of seen) {
      expect(claim).toMatchObject({ attempt: 1, epoch: 1 });
      expect(token).toBe(seq);
    }
    const tokens = seen.map(({ token }) => token);
    expect(tokens).toEqual([...new Set(tokens)].sort((a, b) => a - b));
    const [record] = await bench.history('a');
    expect(record?.attempts[0]?.fencingToken).toBe(tokens[0]);
  });

  it('[OC-2, OC-3] claims that are made together share a commit, and so do a sure ending and the next claim', async () => {
    const commits: string[][] = [];
    const bench = ownerBench({
      concurrency: 2,
      wrapStore: (store) => ({
        capabilities: store.capabilities,
        changes: (...given) => store.changes(...given),
        history: (...given) => store.history(...given),
        document: (...given) => store.document(...given),
        watch: (onChange) => store.watch(onChange),
        close: () => store.close(),
        commit: (batch, call) => {
          const rows = batch.changes.flatMap((row) =>
            row.kind === 'occurrence' ? [`${row.occurrence.scheduleId} ${row.occurrence.status}`] : [],
          );
          if (rows.length > 0 && batch.actor === 'owner') commits.push(rows);
          return store.commit(batch, call);
        },
      }),
    });
    for (const id of ['a', 'b', 'c', 'd']) await bench.create(id, QUEUED);
    for (const id of ['a', 'b', 'c', 'd']) await bench.trigger(id, 'r');
    await bench.owner.tick();
    expect(commits).toEqual(
      [
        ['a running', 'b running'],
        ['a succeeded', 'b succeeded', 'c running', 'd running'].sort(),
        ['c succeeded', 'd succeeded'],
      ].map((rows) => expect.arrayContaining(rows)),
    );
  });

  it('[OC-12, OC-5] hands the attempt everything that it may need', async () => {
    const execution = scriptedExecution([succeeds(1), succeeds(2)]);
    const bench = ownerBench({ execution });
    await bench.create('a', { allowedProviders: ['scripted'], trigger: MANUAL });
    await bench.trigger('a', 'r1');
    await bench.owner.tick();
    await bench.trigger('a', 'r2');
    await bench.clock.advance(5000);
    await bench.owner.tick();
    const [first, second] = execution.executed;
    expect(first).toMatchObject({ document: DOCUMENT, latenessMs: 0, attempt: 1, plan: { providers: ['scripted'] } });
    expect(first?.previousSuccess).toBeUndefined();
    expect(second).toMatchObject({
      scheduleId: 'a',
      revision: 1,
      occurrence: 'a~1~m~r2',
      idempotencyKey: 'a~1~m~r2',
      latenessMs: 5000,
      budget: { maxAttempts: 3, maxElapsedSeconds: 3600 },
      elapsedDeadlineAt: bench.clock.now() + 3_600_000,
      previousSuccess: { occurrence: 'a~1~m~r1' },
    });
    expect(second?.directory).toBeUndefined();
    expect((await bench.history('a'))[1]).toMatchObject({ result: 2, verification: { isVerified: true } });
  });

  it('[OC-12, OW-7] tells observers of progress, and of nothing that is told too late', async () => {
    const execution = scriptedExecution([held()]);
    const bench = ownerBench({ execution });
    await bench.create('a', { trigger: MANUAL });
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.clock.settle();
    execution.executed[0]?.progress('half', 0.5);
    execution.executed[0]?.progress('more than whole', 7);
    execution.release();
    await bench.clock.settle();
    execution.executed[0]?.progress('too late');
    const progress = bench.told.filter(({ type }) => type === 'progress');
    expect(progress).toMatchObject([
      { occurrence: 'a~1~m~r1', note: 'half', fraction: 0.5 },
      { note: 'more than whole', fraction: 1 },
    ]);
    await bench.owner.stop();
  });
});

/** A service whose plans can be changed between two occurrences. */
function planning(plans: (Partial<Plan> | 'refused' | Error)[]) {
  const asked: PlanRequest[] = [];
  const execution = scriptedExecution([], {
    plan: (request) => {
      asked.push(request);
      const plan = plans.shift() ?? {};
      if (plan instanceof Error) throw plan;
      if (plan === 'refused')
        return { kind: 'refused', message: 'no such node', issues: [{ path: 'nodes', message: 'empty' }] };
      return {
        kind: 'planned',
        plan: { id: 'p', digest: `sha256:${'a'.repeat(64)}`, providers: ['scripted'], ...plan },
      };
    },
  });
  return { execution, asked };
}

describe('planning at dispatch', () => {
  it('[OC-4] plans each occurrence again, once for all of its attempts, and records a plan that changed', async () => {
    const { execution, asked } = planning([{}, { digest: `sha256:${'b'.repeat(64)}` }]);
    const plan = { id: 'p', digest: `sha256:${'a'.repeat(64)}` };
    const bench = ownerBench({ execution });
    await bench.create('a', { ...QUEUED, allowedProviders: ['scripted'], maxRetries: 2 }, { plan });
    await bench.trigger('a', 'r1');
    await bench.trigger('a', 'r2');
    await bench.owner.tick();
    expect(asked).toHaveLength(2);
    const [same, changed] = await bench.history('a');
    expect(same).toMatchObject({ plan });
    expect(same?.isPlanChanged).toBeUndefined();
    expect(changed).toMatchObject({ plan: { digest: `sha256:${'b'.repeat(64)}` }, isPlanChanged: true });
  });

  it('[OC-4, OC-5] a refused plan is a failed attempt that is not retried, and starts no provider', async () => {
    const { execution } = planning(['refused']);
    const bench = ownerBench({ execution });
    await bench.create('a', { trigger: MANUAL, allowedProviders: ['scripted'], maxRetries: 2 });
    await bench.trigger('a', 'r1');
    await bench.owner.tick();
    const [record] = await bench.history('a');
    expect(record).toMatchObject({ status: 'failed', reason: 'notRetryable' });
    expect(record?.attempts).toMatchObject([
      { fault: { code: 'planFailed', message: 'no such node (nodes: empty)', isRetryable: false } },
    ]);
    expect(execution.executed).toEqual([]);
  });

  it('[OC-4] a plan that cannot be made for the moment is retried as any failure', async () => {
    const { execution } = planning([new Error('try later'), {}]);
    const bench = ownerBench({ execution });
    await bench.create('a', { trigger: MANUAL, allowedProviders: ['scripted'], maxRetries: 1 });
    await bench.trigger('a', 'r1');
    await bench.owner.tick();
    const [record] = await bench.history('a');
    expect(record).toMatchObject({ status: 'succeeded', attempts: [{ fault: { code: 'planFailed' } }, {}] });
  });

  it.each([
    ['not in allowedProviders', { allowedProviders: [] }, {}],
    ['not configured', { allowedProviders: ['scripted', 'gone'] }, { providers: ['gone'] }],
    ['not authorised', { allowedProviders: ['scripted'] }, {}],
  ])('[OC-4] a plan that needs a provider that is %s is denied', async (reason, fields, plan) => {
    const { execution } = planning([plan]);
    const authorised = reason === 'not authorised' ? { authorised: ['others'] } : {};
    const bench = ownerBench({ execution, ...authorised });
    await bench.create('a', { trigger: MANUAL, maxRetries: 2, ...fields });
    await bench.trigger('a', 'r1');
    await bench.owner.tick();
    const [record] = await bench.history('a');
    expect(record).toMatchObject({
      status: 'failed',
      reason: 'notRetryable',
      attempts: [{ fault: { code: 'providerDenied' } }],
    });
    expect(record?.attempts[0]?.fault?.message).toContain(reason);
    expect(execution.executed).toEqual([]);
  });
});
