/** What an attempt becomes after it was asked to end: every first request, every second one, every answer (OC-11). */
import { describe, expect, it } from 'vitest';
import type { ExecutionOutcome, ExecutionRequest } from '../../src/ports/execution-service.js';
import { fails, scriptedExecution, succeeds, succeedsUnverified } from '../../src/testing/scripted-execution.js';
import { type Bench, MANUAL, ownerBench } from './owner-bench.js';

type Request = 'timeout' | 'cancel' | 'stopOccurrence' | 'ownerStop' | 'elapsed';
type Reply = 'success' | 'unverified' | 'failure' | 'none';

const REQUESTS: readonly Request[] = ['timeout', 'cancel', 'stopOccurrence', 'ownerStop', 'elapsed'];
const REPLIES: readonly Reply[] = ['success', 'unverified', 'failure', 'none'];
const BUDGET = { maxAttempts: 3, maxRepeatedFailures: 3, maxElapsedSeconds: 600, timeoutPerStageSeconds: 60 };

const ENDS: Readonly<Record<Exclude<Reply, 'none'>, ExecutionOutcome>> = {
  success: succeeds().ends as ExecutionOutcome,
  unverified: succeedsUnverified().ends as ExecutionOutcome,
  failure: fails('broken').ends as ExecutionOutcome,
};

/** As the rule has it: the first request decides, unless success was verified or nothing was answered at all. */
function expected(first: Request, second: Request | undefined, reply: Reply): string {
  if (reply === 'success') return 'succeeded';
  if (reply === 'none') return 'interrupted unresponsive';
  const isCancelAsked = second === 'cancel' || second === 'stopOccurrence';
  switch (first) {
    case 'cancel':
      return 'cancelled cancelled';
    case 'stopOccurrence':
      return 'cancelled stopped';
    case 'ownerStop':
      return 'interrupted ownerStopped';
    case 'elapsed':
      return 'failed elapsedBudget';
    case 'timeout':
      if (isCancelAsked) return second === 'cancel' ? 'failed cancelled' : 'failed stopped';
      return 'failed retriesSpent';
  }
}

const CASES = REQUESTS.flatMap((first) =>
  [undefined, ...REQUESTS.filter((one) => one !== first && one !== 'timeout' && one !== 'elapsed')].flatMap((second) =>
    REPLIES.map((reply) => ({ first, second, reply, ends: expected(first, second, reply) })),
  ),
).filter(({ first, second }) => !(first === 'cancel' && second === 'stopOccurrence'));

/** An owner whose one attempt is open until it is answered. */
function openAttempt() {
  let request: ExecutionRequest | undefined;
  let answer: (outcome: ExecutionOutcome) => void = () => undefined;
  const execution = {
    ...scriptedExecution(),
    execute: (given: ExecutionRequest) => {
      request = given;
      return new Promise<ExecutionOutcome>((resolve) => {
        answer = resolve;
      });
    },
  };
  const bench = ownerBench({ execution });
  return { bench, answer: (outcome: ExecutionOutcome) => answer(outcome), timedOut: () => request?.timedOut?.('main') };
}

/** Makes a request; a stop of the owner is under way then, in `stopping`. */
async function ask(bench: Bench, request: Request, timedOut: () => void, stopping: Promise<void>[]): Promise<void> {
  if (request === 'timeout') timedOut();
  if (request === 'cancel') await bench.submit('a', { kind: 'cancel', expected: {}, by: 'test' });
  if (request === 'stopOccurrence') {
    await bench.submit('a', { kind: 'stop', expected: {}, occurrence: 'a~1~m~r1', by: 'test' });
  }
  if (request === 'ownerStop') stopping.push(bench.owner.stop());
  if (request === 'elapsed') await bench.clock.advance(BUDGET.maxElapsedSeconds * 1000);
  await bench.clock.settle();
}

describe('an attempt that was asked to end', () => {
  it.each(CASES)('[OC-11] $first, then $second, answered by $reply: $ends', async ({ first, second, reply, ends }) => {
    const { bench, answer, timedOut } = openAttempt();
    await bench.create('a', { trigger: MANUAL, budget: BUDGET });
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.clock.settle();
    const stopping: Promise<void>[] = [];
    await ask(bench, first, timedOut, stopping);
    if (second !== undefined) await ask(bench, second, timedOut, stopping);
    if (reply === 'none') await bench.clock.advance(20_000);
    else answer(ENDS[reply]);
    await bench.clock.settle();
    expect(await bench.outcomes('a')).toEqual([`r1 ${ends}`]);
    const [attempt] = (await bench.history('a'))[0]?.attempts ?? [];
    if (reply === 'failure') expect(attempt?.fault?.code, 'its fault is kept').toBe('broken');
    answer(ENDS.failure);
    await Promise.all([...stopping, bench.owner.stop()]);
  });

  it('[OC-11, CT-11] a request of another process that came before the stop of the owner is the first one', async () => {
    const { bench, answer } = openAttempt();
    await bench.create('a', { trigger: MANUAL });
    await bench.owner.start();
    await bench.trigger('a', 'r1');
    await bench.clock.settle();
    const other = ownerBench({ data: bench.data, clock: bench.clock });
    await other.submit('a', { kind: 'stop', expected: {}, occurrence: 'a~1~m~r1', by: 'somebody' });
    const stopping = bench.owner.stop();
    await bench.clock.settle();
    answer(ENDS.failure);
    await stopping;
    expect(await bench.outcomes('a')).toEqual(['r1 cancelled stopped']);
  });

  it('[OC-5] a waiting retry whose elapsed budget is over is failed and never dispatched', async () => {
    const execution = scriptedExecution([fails('first')]);
    const bench = ownerBench({ execution });
    const retryBackoff = { initialSeconds: 60, factor: 1, maxSeconds: 60 };
    await bench.create('a', { trigger: MANUAL, maxRetries: 1, retryBackoff, budget: BUDGET });
    await bench.trigger('a', 'r1');
    await bench.owner.tick();
    await bench.clock.advance(BUDGET.maxElapsedSeconds * 1000);
    await bench.owner.tick();
    expect(await bench.outcomes('a')).toEqual(['r1 failed elapsedBudget']);
    expect(execution.executed).toHaveLength(1);
  });
});

describe('who holds the lock', () => {
  it('[OW-1] is told from the moment that it is taken, and never the owner before', async () => {
    const bench = ownerBench();
    await bench.owner.start();
    await bench.owner.stop();
    await bench.clock.advance(3_600_000);
    let isOpen = false;
    let goOn: () => void = () => undefined;
    const other = ownerBench({
      data: bench.data,
      clock: bench.clock,
      wrapStore: (store) => ({
        capabilities: store.capabilities,
        changes: async (...given) => {
          if (!isOpen) {
            await new Promise<void>((resolve) => {
              goOn = resolve;
            });
          }
          return await store.changes(...given);
        },
        commit: (...given) => store.commit(...given),
        history: (...given) => store.history(...given),
        document: (...given) => store.document(...given),
        watch: (onChange) => store.watch(onChange),
        close: () => store.close(),
      }),
    });
    const starting = other.owner.start();
    await bench.clock.settle();
    expect(await bench.lock.status()).toMatchObject({ isHeld: true, report: { epoch: 0, since: bench.clock.now() } });
    const since = '2026-11-30T09:00:00.000Z';
    await expect(bench.owner.tick()).rejects.toMatchObject({ code: 'SCHEDULE_LOCK_HELD', details: { since } });
    isOpen = true;
    goOn();
    await starting;
    await other.owner.stop();
  });
});
