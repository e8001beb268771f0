/** Owners that die at every step: at most once, and nothing forgotten. */
import { describe, expect, it } from 'vitest';
import { memoryData } from '../../src/adapters/memory-data.js';
import type { ExecutionRequest } from '../../src/ports/execution-service.js';
import { faultyStore } from '../../src/testing/faulty-store.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { fails, scriptedExecution } from '../../src/testing/scripted-execution.js';
import { type Bench, everySeconds, MANUAL, ownerBench } from './owner-bench.js';

const IDS = ['due', 'retried', 'first', 'second'];

/** Work of every kind: due, retried at once, and queued behind a shared key. */
async function prepare(bench: Bench): Promise<void> {
  await bench.create('due', {
    trigger: everySeconds(10, bench.clock.now() + 10_000),
    overlap: 'queue',
    maxOccurrences: 3,
  });
  await bench.create('retried', { trigger: MANUAL, maxRetries: 2 });
  for (const id of ['first', 'second']) {
    await bench.create(id, { trigger: MANUAL, overlap: 'queue', concurrencyKey: 'shared' });
    await bench.trigger(id, 'r1');
    await bench.trigger(id, 'r2');
  }
  await bench.trigger('retried', 'r1');
}

/** A service that remembers what it did beyond the death of its owner, and lets the first attempt of `retried` fail. */
function effects(log: ExecutionRequest[]) {
  return () => {
    const inner = scriptedExecution([], { needsWorkspace: true });
    const failing = scriptedExecution([], { otherwise: fails('once') });
    return {
      ...inner,
      execute: async (request: ExecutionRequest) => {
        log.push(request);
        const isFirst = request.scheduleId === 'retried' && request.attempt === 1;
        return isFirst ? failing.execute(request) : inner.execute(request);
      },
    };
  };
}

describe('an owner that dies', () => {
  it.each(['before', 'after'] as const)(
    '[OC-3, OC-6, OW-2, ST-2] %s the effect of any of its calls leaves no attempt that runs twice, and none undone',
    async (when) => {
      for (let call = 1; ; call += 1) {
        const log: ExecutionRequest[] = [];
        const service = effects(log);
        const data = memoryData();
        const clock = manualClock('2026-11-30T08:00:00.000Z');
        await prepare(ownerBench({ data, clock }));
        let isCrashed = () => false;
        const doomed = ownerBench({
          data,
          clock,
          execution: service(),
          concurrency: 2,
          wrapStore: (store) => {
            const faulty = faultyStore(store, [{ call, when, kind: 'crash' }]);
            isCrashed = () => faulty.isCrashed;
            return faulty;
          },
        });
        const stop = new AbortController();
        const death = doomed.owner.run({ signal: stop.signal }).catch((error: unknown) => error);
        await clock.advance(35_000);
        stop.abort();
        await clock.runUntil(death);
        const next = ownerBench({ data, clock, execution: service(), concurrency: 2 });
        await next.owner.tick();
        await clock.advance(1000);
        await next.owner.tick();
        await judge(next, log);
        await data.dispose();
        if (!isCrashed()) {
          expect(call).toBeGreaterThan(20);
          return;
        }
      }
    },
    60_000,
  );
});

async function judge(bench: Bench, log: readonly ExecutionRequest[]): Promise<void> {
  const attempts = log.map(({ occurrence, attempt }) => `${occurrence} ${attempt}`);
  expect(attempts).toEqual([...new Set(attempts)]);
  const tokens = log.map(({ fencingToken }) => fencingToken);
  expect(new Set(tokens.map((token, n) => `${token} ${log[n]?.occurrence}`)).size).toBe(log.length);
  for (const id of IDS) {
    expect(bench.pending(id)).toEqual([]);
    const records = await bench.history(id);
    expect(records.map(({ id: name }) => name)).toEqual([...new Set(records.map(({ id: name }) => name))]);
    for (const record of records) {
      const ran = log.filter(({ occurrence }) => occurrence === record.id);
      if (record.status === 'succeeded') expect(ran).toHaveLength(record.attempts.length);
      if (record.nativeState === 'not-dispatched')
        expect(ran.filter(({ attempt }) => attempt === record.attempts.length)).toEqual([]);
      if (record.status === 'interrupted') expect(record.reason).toBe('ownerDied');
    }
  }
  const due = await bench.history('due');
  const covered = due.reduce((sum, { window }) => sum + (window?.count ?? 1), 0);
  expect(covered).toBe(3);
}
