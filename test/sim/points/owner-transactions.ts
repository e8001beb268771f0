/**
 * What owners do, as transactions: the epoch, recovery, collection, claims, evidence, settlement, retries, the clock. Each is
 * one tick of an owner, unless it says otherwise.
 */
import type { Bench, BenchProcess } from './bench.js';
import { creates, declared, tells, triggers } from './told-calls.js';
import { after, baseWorld, inProcess, MINUTE, type Transaction } from './transactions.js';
import type { Does } from './written-handlers.js';

const tick = ({ schedules }: BenchProcess) => schedules.owner().tick();

const RETRIES = { maxRetries: 2, budget: { maxAttempts: 3, maxRepeatedFailures: 5 } } as const;
const BACKOFF = { ...RETRIES, retryBackoff: { initialSeconds: 20, factor: 2, maxSeconds: 60 } } as const;

/** A manual schedule with an occurrence that waits. */
function asked(id: string, does: Does, more: Parameters<typeof declared>[2] = {}): () => Promise<Bench> {
  return after(async (process) => {
    await creates(process, declared(id, does, more));
    await triggers(process, id, 'asked');
  });
}

/** The same, and time passes. */
function later(before: () => Promise<Bench>, ms: number): () => Promise<Bench> {
  return async () => {
    const bench = await before();
    bench.time.pass(ms);
    return bench;
  };
}

/** A schedule that is due each minute by a policy, and whose owner was away for some. */
function missed(more: Parameters<typeof declared>[2]): () => Promise<Bench> {
  const before = after((process) => {
    const start = new Date(process.bench.time.now() + MINUTE / 2).toISOString();
    const trigger = { kind: 'interval', start, everySeconds: 60 } as const;
    return creates(process, declared('missed', 'succeed', { trigger, graceSeconds: 5, ...more }));
  });
  return later(before, 5 * MINUTE);
}

/** An owner that died in the middle of a run, and others that were to come. */
const left: () => Promise<Bench> = asked('fatal', 'end the process');

async function died(): Promise<Bench> {
  const bench = await left();
  await inProcess(bench, 'doomed', tick);
  await inProcess(bench, 'client', (process) => triggers(process, 'report', 'behind'));
  return bench;
}

/** An owner that died between its claim and its evidence. */
async function claimed(): Promise<Bench> {
  const bench = await asked('barred', 'succeed')();
  const isEvidence = ({ call, path }: { call: string; path: string }) =>
    call === 'makeDirectory' && path.includes('occurrences/barred');
  const hook = (step: { call: string; path: string }) =>
    isEvidence(step) ? ({ kind: 'crashBefore' } as const) : undefined;
  await inProcess(bench, 'doomed', tick, { hook });
  return bench;
}

async function waitsForRetry(): Promise<Bench> {
  const bench = await asked('retried', 'fail once', BACKOFF)();
  await inProcess(bench, 'first owner', tick);
  bench.time.pass(MINUTE);
  return bench;
}

/** A catalogue whose clock has gone back by ten minutes since its last commit. */
async function behind(): Promise<Bench> {
  const bench = await after(async (process) => {
    process.bench.time.pass(10 * MINUTE);
    await triggers(process, 'report', 'ahead');
    await tick(process);
  })();
  bench.time.step(-10 * MINUTE);
  return bench;
}

async function stoppedByClock(): Promise<Bench> {
  const bench = await behind();
  await inProcess(bench, 'owner', tick);
  return bench;
}

async function accepted(): Promise<Bench> {
  const bench = await stoppedByClock();
  bench.ledger.acceptances += 1;
  await inProcess(bench, 'operator', ({ schedules }) => schedules.acceptClock());
  return bench;
}

/** Lets an owner tick until an occurrence runs, and then does something about it. */
async function whileRunning(
  process: BenchProcess,
  id: string,
  work: (signal: AbortController) => unknown,
): Promise<void> {
  const controller = new AbortController();
  let isOver = false;
  const ticking = process.schedules
    .owner()
    .tick({ signal: controller.signal })
    .finally(() => {
      isOver = true;
    });
  ticking.catch(() => undefined);
  const { effects } = process.bench.ledger;
  const isRunning = () => effects.some(({ occurrence }) => occurrence.startsWith(`${id}~`));
  while (!isRunning() && !isOver && !process.isEnded) await new Promise((resolve) => setImmediate(resolve));
  if (process.isEnded) return;
  try {
    await work(controller);
  } catch (error) {
    controller.abort();
    await ticking.catch(() => undefined);
    throw error;
  }
  await ticking;
}

/** What owners do. */
export const OWNER_TRANSACTIONS: readonly Transaction[] = [
  { name: 'a new owner that has an occurrence to run', before: asked('simple', 'succeed'), act: tick },
  { name: 'recovery of a run', before: died, act: tick },
  { name: 'recovery of a claim without evidence', before: claimed, act: tick },
  { name: 'what is due is collected, claimed and run', before: later(baseWorld, MINUTE), act: tick },
  {
    name: 'two at a time',
    how: { concurrency: 2 },
    before: later(asked('simple', 'succeed'), MINUTE),
    act: tick,
  },
  {
    name: 'an execution without workspaces',
    how: { needsWorkspace: false },
    before: later(asked('simple', 'succeed'), MINUTE),
    act: tick,
  },
  { name: 'a failure', before: asked('failing', 'fail', { pauseAfterFailures: 1 }), act: tick },
  { name: 'a failure and its retry at once', before: asked('retried', 'fail once', RETRIES), act: tick },
  { name: 'a failure and a retry that waits', before: asked('retried', 'fail once', BACKOFF), act: tick },
  { name: 'a retry that has waited', before: waitsForRetry, act: tick },
  { name: 'misfire skip', before: missed({ misfire: 'skip' }), act: tick },
  { name: 'misfire runOnce', before: missed({ misfire: 'runOnce' }), act: tick },
  { name: 'misfire catchUp', before: missed({ misfire: 'catchUp', maxCatchUp: 3 }), act: tick },
  { name: 'too late to run', before: missed({ maxLatenessSeconds: 60 }), act: tick },
  { name: 'the budget of a trigger', before: missed({ maxOccurrences: 1, misfire: 'catchUp' }), act: tick },
  {
    name: 'expiry',
    before: missed({ expiresAt: '2026-11-30T08:03:00.000Z' }),
    act: tick,
  },
  { name: 'a clock that went back', before: behind, act: tick },
  {
    name: 'accepting a clock',
    before: stoppedByClock,
    act: ({ schedules, bench }) => {
      bench.ledger.acceptances += 1;
      return schedules.acceptClock();
    },
  },
  { name: 'following an accepted clock', before: accepted, act: tick },
  {
    name: 'stopping what runs',
    before: asked('long', 'wait for the signal'),
    act: (process) =>
      whileRunning(process, 'long', () =>
        tells(process, 'stop', 'long', async (schedules) => {
          const { occurrence, schedule } = await schedules.stop('long', 'long~1~m~asked');
          return { occurrence: occurrence.id, isEnding: true, version: schedule.version, revision: schedule.revision };
        }),
      ),
  },
  {
    name: 'an owner that stops while something runs',
    before: asked('long', 'wait for the signal'),
    act: (process) => whileRunning(process, 'long', (controller) => controller.abort()),
  },
];
