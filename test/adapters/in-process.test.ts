/** The in-process execution service: planning, the handler's context, stages and timeouts, publishing, faults. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { HandlerContext } from '../../src/adapters/in-process/handler-context.js';
import { inProcess } from '../../src/adapters/in-process/in-process.js';
import { type Handler, handler, provider } from '../../src/adapters/in-process/provider.js';
import { digestOf } from '../../src/codec/digest.js';
import type { Json, JsonObject } from '../../src/core/model/declaration.js';
import { type EpochMs, toEpochMs } from '../../src/core/time/instant.js';
import type { ExecutionOutcome, ExecutionRequest, ExecutionService } from '../../src/ports/execution-service.js';
import { manualClock } from '../../src/testing/manual-clock.js';

const DUE = toEpochMs('2026-03-01T08:00:00Z') as EpochMs;
const OCCURRENCE = 'nightly~1~20260301T080000000Z';
const DOCUMENT = { version: 'report/1', to: 'all' };

let directory: string;
let stop: AbortController;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'everdue-in-process-'));
  stop = new AbortController();
});
afterEach(() => rm(directory, { recursive: true }));

type Run = Handler['run'];

function reports(run: Run) {
  const clock = manualClock('2026-03-01T08:00:30Z');
  return { clock, service: inProcess({ clock, providers: { report: provider({ 'report/1': handler({ run }) }) } }) };
}

async function planOf(service: ExecutionService, document: JsonObject, allowedProviders = ['report']) {
  const result = await service.plan({ document, documentDigest: digestOf(document), allowedProviders });
  if (result.kind !== 'planned') throw new Error(`${result.message} ${JSON.stringify(result.issues)}`);
  return result.plan;
}

async function request(service: ExecutionService, more: Partial<ExecutionRequest> = {}): Promise<ExecutionRequest> {
  const document = more.document ?? DOCUMENT;
  const facts = {
    document,
    documentDigest: digestOf(document),
    plan: more.plan ?? (await planOf(service, document)),
    scheduleId: 'nightly',
    revision: 1,
    occurrence: OCCURRENCE,
    idempotencyKey: OCCURRENCE,
    dueAt: DUE,
    latenessMs: 30_000,
    attempt: 1,
    fencingToken: 17,
    budget: { maxAttempts: 3, maxRepeatedFailures: 2, maxElapsedSeconds: 3600, timeoutPerStageSeconds: 600 },
    elapsedDeadlineAt: (DUE + 3_600_000) as EpochMs,
    directory,
    signal: stop.signal,
    progress: () => {},
  };
  return { ...facts, ...more };
}

async function run(work: Run, more: Partial<ExecutionRequest> = {}): Promise<ExecutionOutcome> {
  const { clock, service } = reports(work);
  return await clock.runUntil(service.execute(await request(service, more)));
}

function faultOf(outcome: ExecutionOutcome) {
  if (outcome.outcome !== 'failed') throw new Error('it succeeded');
  return outcome.fault;
}

function verificationOf(outcome: ExecutionOutcome) {
  if (outcome.outcome !== 'succeeded') throw new Error(`${outcome.fault.code}: ${outcome.fault.message}`);
  return outcome.verification;
}

describe('planning', () => {
  const two = inProcess({
    providers: {
      first: provider({ 'report/1': { run: () => {} }, 'mail/1': { run: () => {} } }),
      second: provider({ 'report/1': { needs: () => ['storage'], run: () => {} } }),
    },
  });

  it('[DE-6] the first allowed provider that knows the kind takes it, with what it needs', async () => {
    expect((await planOf(two, DOCUMENT, ['second', 'first'])).providers).toEqual(['second', 'storage']);
    expect((await planOf(two, DOCUMENT, ['first', 'second'])).providers).toEqual(['first']);
  });

  it('[DE-6] where no allowed provider knows the kind, the plan names the configured one that does', async () => {
    expect((await planOf(two, DOCUMENT, ['other'])).providers).toEqual(['first']);
  });

  it('[OC-4] equal documents have equal plans, others do not', async () => {
    const plans = [
      await planOf(two, DOCUMENT),
      await planOf(two, { ...DOCUMENT }),
      await planOf(two, { version: 'mail/1' }),
    ];
    expect(plans[0]).toEqual(plans[1]);
    expect(plans[0]?.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(plans[2]?.digest).not.toBe(plans[0]?.digest);
  });

  it('[DE-6] an unknown kind is refused with the nearest one', async () => {
    const document = { version: 'repotr/1' };
    const result = await two.plan({ document, documentDigest: digestOf(document), allowedProviders: ['first'] });
    expect(result).toMatchObject({
      kind: 'refused',
      issues: [{ path: 'version', message: expect.stringContaining('"report/1"') }],
    });
    const nameless = await two.plan({ document: {}, documentDigest: digestOf({}), allowedProviders: [] });
    expect(nameless).toMatchObject({ kind: 'refused', issues: [{ path: 'version' }] });
  });

  it('[DE-6] a kind that is a member of every object is no kind', async () => {
    const document = { version: 'constructor' };
    const result = await two.plan({ document, documentDigest: digestOf(document), allowedProviders: [] });
    expect(result.kind).toBe('refused');
  });

  it('[DE-10] the schema is asked at registration and at dispatch, and the handler gets what it gives out', async () => {
    const seen: unknown[] = [];
    const schema = z.object({ version: z.literal('report/1'), copies: z.number().default(2) });
    const service = inProcess({
      providers: { report: provider({ 'report/1': handler({ schema, run: ({ copies }) => void seen.push(copies) }) }) },
    });
    const document = { version: 'report/1', copies: 'two' };
    const refused = await service.plan({ document, documentDigest: digestOf(document), allowedProviders: ['report'] });
    expect(refused).toMatchObject({ kind: 'refused', issues: [{ path: 'copies' }] });
    const plan = await planOf(service, { version: 'report/1' });
    const fault = faultOf(await service.execute(await request(service, { document, plan })));
    expect(fault).toMatchObject({ code: 'planFailed', provider: 'report', isRetryable: false });
    await service.execute(await request(service, { document: { version: 'report/1' }, plan }));
    expect(seen).toEqual([2]);
  });

  it('[OC-4] a planned provider that is gone at dispatch is a failed attempt that is not retried', async () => {
    const plan = { id: 'x', digest: digestOf(DOCUMENT), providers: ['gone'] };
    const fault = faultOf(await two.execute(await request(two, { plan })));
    expect(fault).toMatchObject({ code: 'planFailed', isRetryable: false });
  });

  it('[SF-2] a provider that cannot be used is refused when the service is made', () => {
    const broken = { kinds: { 'report/1': {} } } as unknown as ReturnType<typeof provider>;
    const isRefused = expect.objectContaining({ code: 'SCHEDULE_CONFIG_INVALID' });
    expect(() => inProcess({ providers: { broken } })).toThrow(isRefused);
    expect(() => inProcess({ providers: { '': provider({}) } })).toThrow(isRefused);
  });

  const run = () => undefined;
  it.each([
    ['no providers', undefined],
    ['a list', [provider({ 'x/1': { run } })]],
    ['kinds left out', { p: { 'x/1': { run } } }],
    ['a handler alone', { p: { run } }],
    ['a function', { p: run }],
    ['null', { p: null }],
    ['kinds as a list', { p: { kinds: [{ run }] } }],
    ['a bare function for a kind', { p: { kinds: { 'x/1': run } } }],
    ['nothing for a kind', { p: { kinds: { 'x/1': null } } }],
  ])('[SF-2] %s in place of providers is refused with what they look like', (_, providers) => {
    const hint = expect.stringMatching(/^Did you forget `kinds`, or `provider\(\{\.\.\.\}\)`\?/);
    const isRefused = expect.objectContaining({ code: 'SCHEDULE_CONFIG_INVALID', hint });
    expect(() => inProcess({ providers: providers as never })).toThrow(isRefused);
  });
});

describe('context', () => {
  it('[OC-12] tells everything about the occurrence, instants as text', async () => {
    const seen: HandlerContext[] = [];
    const window = {
      firstAt: (DUE - 60_000) as EpochMs,
      lastAt: DUE,
      count: 2,
      isFloor: false,
      causes: ['ownerDown'] as const,
    };
    const previousSuccess = {
      occurrence: 'nightly~1~x',
      dueAt: (DUE - 1000) as EpochMs,
      endedAt: (DUE - 500) as EpochMs,
    };
    await run((_, context) => void seen.push(context), { window, previousSuccess });
    expect(seen[0]).toMatchObject({
      occurrence: OCCURRENCE,
      scheduleId: 'nightly',
      revision: 1,
      dueAt: '2026-03-01T08:00:00.000Z',
      latenessMs: 30_000,
      window: {
        firstAt: '2026-03-01T07:59:00.000Z',
        lastAt: '2026-03-01T08:00:00.000Z',
        count: 2,
        causes: ['ownerDown'],
      },
      attempt: 1,
      idempotencyKey: OCCURRENCE,
      fencingToken: 17,
      previousSuccess: {
        occurrence: 'nightly~1~x',
        dueAt: '2026-03-01T07:59:59.000Z',
        endedAt: '2026-03-01T07:59:59.500Z',
      },
      directory,
    });
  });

  it('[OC-12] a small JSON result is kept, and is what was published where nothing else was', async () => {
    const outcome = await run(() => ({ b: 1, a: [true] }));
    expect(outcome).toMatchObject({ outcome: 'succeeded', result: { a: [true], b: 1 } });
    const digest = digestOf({ a: [true], b: 1 });
    expect(verificationOf(outcome)).toEqual({
      isVerified: true,
      digest,
      receipts: [{ name: 'result', digest, bytes: 18 }],
    });
    const silent = await run(() => {});
    expect(silent).not.toHaveProperty('result');
    expect(verificationOf(silent).isVerified).toBe(true);
  });

  it('[OC-12] what a record cannot keep is a fault that no retry mends', async () => {
    for (const result of [new Date(0), 'x'.repeat(70_000), { a: [Number.NaN] }, 'ab\ud800']) {
      const fault = faultOf(await run(() => result as unknown as Json));
      expect(fault).toMatchObject({ code: 'handlerFailed', isRetryable: false });
    }
  });

  it('[OC-12] progress and log lines are plain, carry the attempt, and their trouble reaches nobody', async () => {
    const heard: unknown[] = [];
    const clock = manualClock('2026-03-01T08:00:30Z');
    const logger = { debug: boom, warn: boom, error: boom, info: (...line: unknown[]) => void heard.push(line) };
    const service = inProcess({
      clock,
      logger,
      providers: {
        report: provider({
          'report/1': {
            run: (_: JsonObject, context: HandlerContext) => {
              context.progress('half\u001b[2J', 7);
              context.logger.info('hello', { rows: 3 });
              context.logger.error('nobody hears this');
            },
          },
        }),
      },
    });
    const progress = (note: string, fraction?: number) => void heard.push([note, fraction]);
    expect((await service.execute(await request(service, { progress }))).outcome).toBe('succeeded');
    expect(heard).toEqual([
      ['half\\u001b[2J', 1],
      ['hello', { rows: 3, occurrence: OCCURRENCE, scheduleId: 'nightly', attempt: 1 }],
    ]);
  });
});

function boom(): never {
  throw new Error('a logger in trouble');
}

describe('stages', () => {
  it('[OC-10] each is recorded; code outside is the stage main, whose time stands still meanwhile', async () => {
    const { clock, service } = reports(async (_, { stage }) => {
      await clock.sleep(1000);
      await stage('fetch', () => clock.sleep(500_000));
      await stage('render', () => clock.sleep(500_000));
      await clock.sleep(2000);
    });
    const outcome = await clock.runUntil(service.execute(await request(service)));
    expect(outcome.outcome).toBe('succeeded');
    expect(outcome.stages).toEqual([
      { name: 'main', startedAt: DUE + 30_000, durationMs: 3000, outcome: 'succeeded' },
      { name: 'fetch', startedAt: DUE + 31_000, durationMs: 500_000, outcome: 'succeeded' },
      { name: 'render', startedAt: DUE + 531_000, durationMs: 500_000, outcome: 'succeeded' },
    ]);
    expect(clock.sleepers()).toEqual([]);
  });

  it('[OC-10, OC-11] a stage at its timeout is aborted, rejects at once, and the owner hears of it', async () => {
    const seen: string[] = [];
    const timedOut = (stage: string) => void seen.push(`owner: ${stage} at ${clock.monotonic()}`);
    const { clock, service } = reports(async (_, { stage, signal }) => {
      const work = async (own: AbortSignal) => {
        own.addEventListener('abort', () => seen.push(`own at ${clock.monotonic()}`));
        await clock.sleep(700_000);
        seen.push(`work ended at ${clock.monotonic()}`);
      };
      await stage('fetch', work).catch((error: Error) => seen.push(`${error.name} at ${clock.monotonic()}`));
      signal.throwIfAborted();
    });
    const outcome = await clock.runUntil(service.execute(await request(service, { timedOut })));
    expect(seen).toEqual(['own at 600000', 'owner: fetch at 600000', 'AbortError at 600000', 'work ended at 700000']);
    expect(faultOf(outcome)).toMatchObject({ code: 'stageTimeout', provider: 'report', stage: 'fetch' });
    expect(outcome.stages).toMatchObject([{ outcome: 'aborted' }, { outcome: 'timedOut', durationMs: 700_000 }]);
  });

  it('[OC-10] code outside of every stage has the same timeout', async () => {
    const { clock, service } = reports(async (_, { signal }) => {
      await clock.sleep(1e9, { signal });
    });
    const outcome = await clock.runUntil(service.execute(await request(service)));
    expect(clock.monotonic()).toBe(600_000);
    expect(faultOf(outcome)).toMatchObject({ code: 'stageTimeout', stage: 'main' });
    expect(outcome.stages).toMatchObject([{ name: 'main', outcome: 'timedOut', durationMs: 600_000 }]);
  });

  it('[OC-11] a verified success after a timeout is a success', async () => {
    const { clock, service } = reports(async (_, { stage }) => {
      await stage('fetch', (signal) => clock.sleep(1e9, { signal })).catch(() => {});
      return 'from the cache';
    });
    const outcome = await clock.runUntil(service.execute(await request(service)));
    expect(outcome).toMatchObject({ outcome: 'succeeded', result: 'from the cache' });
    expect(outcome.stages[1]).toMatchObject({ name: 'fetch', outcome: 'timedOut' });
  });

  it('[OC-11] a cancelled attempt hears it in both signals, begins no further stage, and ends when its work ends', async () => {
    const { clock, service } = reports(async (_, { stage, signal }) => {
      await stage('fetch', (own) => clock.sleep(1e9, { signal: own })).catch(() => {});
      expect(signal.aborted).toBe(true);
      await stage('render', () => {});
    });
    const ended = service.execute(await request(service));
    await clock.advance(5000);
    stop.abort();
    const outcome = await ended;
    expect(faultOf(outcome).code).toBe('SCHEDULE_ABORTED');
    expect(outcome.stages).toMatchObject([
      { name: 'main', outcome: 'aborted' },
      { name: 'fetch', outcome: 'aborted', durationMs: 5000 },
    ]);
    expect(clock.sleepers()).toEqual([]);
  });

  it('[OC-10] a stage that nobody waits for is waited for, and its failure fails the attempt', async () => {
    const { clock, service } = reports((_, { stage }) => {
      void stage('upload', async () => {
        await clock.sleep(1000);
        throw new Error('refused');
      });
      return 'done';
    });
    const outcome = await clock.runUntil(service.execute(await request(service)));
    expect(faultOf(outcome)).toMatchObject({ code: 'handlerFailed', stage: 'upload', message: 'refused' });
    expect(clock.monotonic()).toBe(1000);
  });

  it('[OC-10] a stage whose failure the handler caught is no failure of the attempt', async () => {
    const outcome = await run(async (_, { stage }) => {
      await stage('try', () => Promise.reject(new Error('no'))).catch(() => {});
    });
    expect(outcome).toMatchObject({
      outcome: 'succeeded',
      stages: [{ name: 'main' }, { name: 'try', outcome: 'failed' }],
    });
  });

  it('[OC-12] nothing is begun once the attempt is over', async () => {
    const seen: HandlerContext[] = [];
    await run((_, context) => void seen.push(context));
    const kept = seen[0];
    const isClosed = { code: 'SCHEDULE_CLOSED' };
    await expect(kept?.stage('late', () => {})).rejects.toMatchObject(isClosed);
    await expect(kept?.publish('late', '')).rejects.toMatchObject(isClosed);
  });

  it('[OC-10] bad names and a flood of stages are refused', async () => {
    for (const name of ['', 'main', 'x'.repeat(65)]) {
      expect(faultOf(await run((_, { stage }) => stage(name, () => {}))).code).toBe('SCHEDULE_DECLARATION_INVALID');
    }
    const outcome = await run(async (_, { stage }) => {
      for (let i = 0; i < 400; i += 1) await stage(`s${i}`, () => {});
    });
    expect(faultOf(outcome).code).toBe('SCHEDULE_DECLARATION_INVALID');
    expect(outcome.stages).toHaveLength(400);
  });
});

describe('publishing', () => {
  it('[OC-7] each file has a receipt, and all are read back', async () => {
    const outcome = await run(async (_, { publish }) => {
      await publish('report.txt', 'äöü');
      await publish('parts/a.bin', new Uint8Array([1, 2, 3]));
    });
    const verification = verificationOf(outcome);
    expect(verification.isVerified).toBe(true);
    expect(verification.receipts.map(({ name, bytes }) => [name, bytes])).toEqual([
      ['published/report.txt', 6],
      ['published/parts/a.bin', 3],
    ]);
    expect(await readFile(join(directory, 'published/report.txt'), 'utf8')).toBe('äöü');
  });

  it('[OC-7] what was changed after it was published is not verified', async () => {
    const outcome = await run(async (_, { publish }) => {
      await publish('report.txt', 'good');
      await writeFile(join(directory, 'published/report.txt'), 'evil');
    });
    expect(verificationOf(outcome)).toMatchObject({ isVerified: false, receipts: [{ name: 'published/report.txt' }] });
    await rm(join(directory, 'published'), { recursive: true });
    const gone = await run(async (_, { publish }) => {
      await publish('report.txt', 'good');
      await rm(join(directory, 'published/report.txt'));
    });
    expect(verificationOf(gone).isVerified).toBe(false);
  });

  it('[OC-7, ST-8] a name that exists, or leads elsewhere, is refused', async () => {
    const bad = ['../a', '/a', 'a//b', 'a/../b', '.', '', 'a\\b', 'C:a', 'a\0', 'nul.txt', 'a.', `${'x'.repeat(201)}`];
    for (const name of bad) {
      const outcome = await run(async (_, { publish }) => {
        await publish(name, '');
      });
      expect(faultOf(outcome).code, name).toBe('SCHEDULE_DECLARATION_INVALID');
    }
    const twice = await run(async (_, { publish }) => {
      await publish('a', '1');
      await publish('a', '2');
    });
    expect(faultOf(twice).code).toBe('SCHEDULE_DECLARATION_INVALID');
    expect(await readFile(join(directory, 'published/a'), 'utf8')).toBe('1');
  });

  it('[OC-8] without a directory nothing can be published, and the digest of the result is the evidence', async () => {
    const service = inProcess({
      needsWorkspace: false,
      providers: {
        report: provider({
          'report/1': { run: async (_: JsonObject, { publish }: HandlerContext) => void (await publish('a', '')) },
        }),
      },
    });
    expect(service.capabilities).toEqual({ needsWorkspace: false });
    const { directory: _, ...bare } = await request(service);
    expect(faultOf(await service.execute(bare)).code).toBe('SCHEDULE_CONFIG_INVALID');
  });
});

describe('faults', () => {
  it("[OC-5] the code is the error's own where it is stable, and `retryable: false` is kept", async () => {
    const failWith = async (thrown: unknown) => faultOf(await run(() => Promise.reject(thrown)));
    const coded = Object.assign(new Error('quota'), { code: 'QUOTA_SPENT', retryable: false });
    expect(await failWith(coded)).toEqual({
      code: 'QUOTA_SPENT',
      message: 'quota',
      provider: 'report',
      stage: 'main',
      isRetryable: false,
    });
    const odd = [new Error('plain'), 'text', undefined, null, 7, Object.assign(new Error('x'), { code: 'has space' })];
    for (const thrown of odd) expect((await failWith(thrown)).code).toBe('handlerFailed');
    const hostile = new Proxy({}, { get: () => boom(), getPrototypeOf: () => boom() });
    expect((await failWith(hostile)).message).toMatch(/cannot be shown/);
  });

  it('[OC-5, DE-11] the stage is where it came up; messages are cut and hold nothing that a terminal obeys', async () => {
    const fault = faultOf(
      await run((_, { stage }) =>
        stage('outer', () =>
          stage('inner', () => {
            throw new Error(`\u001b[31m${'x'.repeat(5000)}`);
          }),
        ),
      ),
    );
    expect(fault.stage).toBe('inner');
    expect(fault.message).toHaveLength(2000);
    expect(fault.message).toMatch(/^\\u001b\[31mx.*…$/);
  });
});
