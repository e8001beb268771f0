/** Whatever happens to owners, gates and clocks: at most once, nothing forgotten, no key held twice, no spinning. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryData } from '../../src/adapters/memory-data.js';
import type { Declaration } from '../../src/core/model/declaration.js';
import type { ExecutionOutcome, ExecutionRequest, ExecutionService } from '../../src/ports/execution-service.js';
import { type ManualClock, manualClock } from '../../src/testing/manual-clock.js';
import { fails, scriptedExecution, succeeds } from '../../src/testing/scripted-execution.js';
import { type Bench, everySeconds, ownerBench } from './owner-bench.js';

type Step =
  | { readonly kind: 'advance' | 'stepClock'; readonly seconds: number }
  | { readonly kind: 'restart' | 'kill' | 'gate' | 'trigger' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('advance' as const), seconds: fc.integer({ min: 0, max: 300 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('stepClock' as const), seconds: fc.integer({ min: 3, max: 900 }) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('restart', 'kill', 'gate', 'trigger') }) },
);

interface Policy extends Pick<Declaration, 'overlap' | 'misfire' | 'maxCatchUp' | 'graceSeconds' | 'maxRetries'> {
  readonly everySeconds: number;
  readonly isShared: boolean;
  readonly hasBackoff: boolean;
}

const policy: fc.Arbitrary<Policy> = fc.record({
  overlap: fc.constantFrom<Policy['overlap'][]>('queue', 'skip', 'coalesce'),
  misfire: fc.constantFrom<Policy['misfire'][]>('skip', 'runOnce', 'catchUp'),
  maxCatchUp: fc.integer({ min: 1, max: 4 }),
  graceSeconds: fc.integer({ min: 0, max: 90 }),
  maxRetries: fc.integer({ min: 0, max: 2 }),
  everySeconds: fc.integer({ min: 7, max: 200 }),
  isShared: fc.boolean(),
  hasBackoff: fc.boolean(),
});

/** A service whose attempts take some time, now and then fail, and are watched. */
function watched(clock: ManualClock, log: ExecutionRequest[], violations: string[]): ExecutionService {
  const open = new Map<string, string>();
  const inner = scriptedExecution();
  return {
    ...inner,
    execute: async (request): Promise<ExecutionOutcome> => {
      const key = request.scheduleId.startsWith('shared') ? 'shared' : request.scheduleId;
      if ([...open.values()].includes(key)) violations.push(`two attempts under ${key}`);
      if (open.size >= 2) violations.push(`more than two at a time: ${[...open.keys()].join()}`);
      log.push(request);
      open.set(request.occurrence, key);
      await clock.sleep(log.length % 5 === 0 ? 0 : (log.length % 7) * 3000);
      open.delete(request.occurrence);
      const answer = log.length % 4 === 0 ? fails('now and then') : succeeds();
      return answer.ends as ExecutionOutcome;
    },
  };
}

describe('an owner in a rough world', () => {
  it('[OC-2, OC-3, OC-6, CO-1, CO-5, OW-2, OW-3] runs each attempt once and accounts for each due instant once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(policy, { minLength: 1, maxLength: 4 }), fc.array(step, { maxLength: 25 }), live),
      { numRuns: 60 },
    );
  }, 120_000);
});

async function live(policies: readonly Policy[], steps: readonly Step[]): Promise<void> {
  const data = memoryData();
  const clock = manualClock('2026-11-30T08:00:00.000Z');
  const log: ExecutionRequest[] = [];
  const violations: string[] = [];
  let commits = 0;
  const open = () =>
    ownerBench({
      data,
      clock,
      execution: watched(clock, log, violations),
      concurrency: 2,
      wrapStore: (store) => ({
        capabilities: store.capabilities,
        changes: (...given) => store.changes(...given),
        commit: (...given) => {
          commits += 1;
          return store.commit(...given);
        },
        history: (...given) => store.history(...given),
        document: (...given) => store.document(...given),
        watch: (onChange) => store.watch(onChange),
        close: () => store.close(),
      }),
    });
  let bench = open();
  const starts = policies.map(() => clock.now() + 5000);
  const ids = await Promise.all(policies.map((fields, n) => register(bench, fields, n, starts[n] ?? 0)));
  await bench.owner.start();
  for (const [n, now] of steps.entries()) {
    switch (now.kind) {
      case 'advance':
        await clock.advance(now.seconds * 1000);
        break;
      case 'stepClock':
        clock.step(now.seconds * 1000);
        break;
      case 'gate':
        await flipGate(bench);
        break;
      case 'trigger':
        await bench.trigger(ids[n % ids.length] ?? '', `r${n}`);
        break;
      default:
        await clock.runUntil(bench.owner.stop({ force: now.kind === 'kill' }));
        await clock.advance(60_000);
        bench = open();
        await bench.owner.start();
    }
  }
  if (bench.catalogue.row.gate.isPaused) await flipGate(bench);
  await clock.advance(60_000);
  await clock.runUntil(bench.owner.stop());
  expect(violations).toEqual([]);
  const attempts = log.map(({ occurrence, attempt }) => `${occurrence} ${attempt}`);
  expect(attempts).toEqual([...new Set(attempts)]);
  for (const [n, id] of ids.entries()) await accountFor(bench, id, policies[n] as Policy, starts[n] ?? 0);
  expect(commits).toBeLessThan(50 + steps.length * 20 + log.length * 6 + clock.monotonic() / 1000);
  await data.dispose();
}

async function register(bench: Bench, fields: Policy, n: number, start: number): Promise<string> {
  const { everySeconds: every, isShared, hasBackoff, ...rest } = fields;
  const id = `${isShared ? 'shared' : 'own'}${n}`;
  await bench.create(id, {
    ...rest,
    trigger: everySeconds(every, start),
    maxOccurrences: 'unlimited',
    ...(isShared ? { concurrencyKey: 'shared' } : {}),
    ...(hasBackoff ? { retryBackoff: { initialSeconds: 20, factor: 2, maxSeconds: 60 } } : {}),
  });
  return id;
}

async function flipGate({ committer }: Bench): Promise<void> {
  await committer.submitRow(
    ({ gate, ...row }, at) => {
      if (!gate.isPaused) return { ...row, gate: { ...gate, isPaused: true, by: 'op', at } };
      return {
        ...row,
        gate: { isPaused: false, by: 'op', at, lastSpan: { cause: 'gate', from: gate.at ?? at, until: at } },
      };
    },
    { actor: 'op' },
  );
}

/** CO-5: every due instant up to what was collected is a record or lies in the window of exactly one. */
async function accountFor(bench: Bench, id: string, fields: Policy, start: number): Promise<void> {
  const entry = bench.catalogue.entry(id);
  const records = [...(await bench.history(id)), ...(entry?.pending ?? [])].filter(
    ({ origin }) => origin === 'trigger',
  );
  const covered = records.reduce((sum, { window }) => sum + (window?.count ?? 1), 0);
  const through = entry?.schedule.collectedThrough ?? 0;
  const due = through < start ? 0 : Math.floor((through - start) / (fields.everySeconds * 1000)) + 1;
  expect(covered, id).toBe(due);
  expect(new Set(records.map((record) => record.id)).size).toBe(records.length);
}
