/** What a hostile or careless handler does to its attempt: publishing, stages that block, names and codes. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HandlerContext } from '../../src/adapters/in-process/handler-context.js';
import { inProcess } from '../../src/adapters/in-process/in-process.js';
import { type Handler, handler, provider } from '../../src/adapters/in-process/provider.js';
import { systemClock } from '../../src/adapters/system-clock.js';
import { digestOf } from '../../src/codec/digest.js';
import { FAULTS } from '../../src/core/model/reason.js';
import { type EpochMs, toEpochMs } from '../../src/core/time/instant.js';
import { ScheduleError } from '../../src/errors.js';
import type { Clock } from '../../src/ports/clock.js';
import type { ExecutionOutcome } from '../../src/ports/execution-service.js';
import { type ManualClock, manualClock } from '../../src/testing/manual-clock.js';

const DUE = toEpochMs('2026-03-01T08:00:00Z') as EpochMs;
const DOCUMENT = { version: 'report/1' };
const TIMEOUT_MS = 600_000;

let root: string;
let directory: string;
let stop: AbortController;
let clock: ManualClock;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'everdue-attempt-'));
  directory = join(root, 'attempt-1');
  await mkdir(directory);
  stop = new AbortController();
  clock = manualClock('2026-03-01T08:00:00Z');
});
afterEach(() => rm(root, { recursive: true }));

interface Given {
  readonly clock?: Clock;
  readonly timedOut?: (stage: string) => void;
}

async function run(work: Handler['run'], given: Given = {}): Promise<ExecutionOutcome> {
  const service = inProcess({
    clock: given.clock ?? clock,
    providers: { report: provider({ 'report/1': handler({ run: work }) }) },
  });
  const documentDigest = digestOf(DOCUMENT);
  const planned = await service.plan({ document: DOCUMENT, documentDigest, allowedProviders: ['report'] });
  if (planned.kind !== 'planned') throw new Error(planned.message);
  const outcome = service.execute({
    document: DOCUMENT,
    documentDigest,
    plan: planned.plan,
    scheduleId: 'a',
    revision: 1,
    occurrence: 'a~1~m~r',
    idempotencyKey: 'a~1~m~r',
    dueAt: DUE,
    latenessMs: 0,
    attempt: 1,
    fencingToken: 1,
    budget: {
      maxAttempts: 1,
      maxRepeatedFailures: 1,
      maxElapsedSeconds: 3600,
      timeoutPerStageSeconds: TIMEOUT_MS / 1000,
    },
    elapsedDeadlineAt: (DUE + 3_600_000) as EpochMs,
    directory,
    signal: stop.signal,
    progress: () => {},
    timedOut: given.timedOut ?? (() => {}),
  });
  return await clock.runUntil(outcome);
}

function faultOf(outcome: ExecutionOutcome) {
  if (outcome.outcome !== 'failed') throw new Error('it succeeded');
  return outcome.fault;
}

function receiptsOf(outcome: ExecutionOutcome): readonly string[] {
  if (outcome.outcome !== 'succeeded') throw new Error(`${outcome.fault.code}: ${outcome.fault.message}`);
  expect(outcome.verification.isVerified).toBe(true);
  return outcome.verification.receipts.map(({ name }) => name);
}

const INVALID = 'SCHEDULE_DECLARATION_INVALID';
const LINKED = 'SCHEDULE_WORKSPACE_UNUSABLE';

describe('what may be published', () => {
  it.each([
    ['an object', { rows: 5 }],
    ['a number', 12_345],
    ['a buffer without a view', new ArrayBuffer(5)],
    ['another view', Uint16Array.of(300, 400)],
    ['a list', ['a', 'b']],
    ['something with a length', { length: 1e9 }],
    ['nothing', undefined],
    ['null', null],
    ['something that says it is bytes', { [Symbol.toStringTag]: 'Uint8Array', length: 3 }],
  ])('[OC-7] %s is refused before the disk is touched', async (_, content) => {
    const fault = faultOf(await run((_document, { publish }) => void publish('x', content as never)));
    expect(fault.code).toBe(INVALID);
    expect(await readdir(directory)).toEqual([]);
  });

  it('[OC-7] text and bytes are, also bytes of another realm, as they are at the call', async () => {
    const bytes = Buffer.from('before');
    const foreign = runInNewContext('new Uint8Array([102, 111])') as Uint8Array;
    const outcome = await run(async (_, { publish }) => {
      const written = publish('bytes', bytes);
      bytes.fill('x');
      await Promise.all([written, publish('foreign', foreign), publish('text', 'ä')]);
    });
    expect(receiptsOf(outcome)).toEqual(['published/bytes', 'published/foreign', 'published/text']);
    expect(await readFile(join(directory, 'published/bytes'), 'utf8')).toBe('before');
    expect(await readFile(join(directory, 'published/foreign'), 'utf8')).toBe('fo');
  });

  it('[OC-7] the limit of 400 files counts calls, also those made at once, and a refused one takes no place', async () => {
    const ends: string[] = [];
    const outcome = await run(async (_, { publish }) => {
      await publish('bad', 5 as never).catch(() => {});
      const all = Array.from({ length: 450 }, (_unused, i) => publish(`f${i}`, 'x'));
      for (const end of await Promise.allSettled(all)) ends.push(end.status);
    });
    expect(ends.filter((end) => end === 'fulfilled')).toHaveLength(400);
    expect(ends.indexOf('rejected')).toBe(400);
    expect(receiptsOf(outcome)).toHaveLength(400);
    expect(await readdir(join(directory, 'published'))).toHaveLength(400);
  });
});

describe('a call that nobody awaits', () => {
  it('[OC-7, OC-10] a publication is waited for, and has its receipt', async () => {
    const outcome = await run((_, { publish }) => void publish('late', 'x'.repeat(100_000)));
    expect(receiptsOf(outcome)).toEqual(['published/late']);
  });

  it('[OC-7, OC-10] a publication that fails makes the attempt fail, and ends no process', async () => {
    expect(faultOf(await run((_, { publish }) => void publish('../x', ''))).code).toBe(INVALID);
    const caught = await run(async (_, { publish }) => void (await publish('../x', '').catch(() => {})));
    expect(caught.outcome).toBe('succeeded');
  });

  it('[OC-10] a stage that is refused makes the attempt fail, and ends no process', async () => {
    expect(faultOf(await run((_, { stage }) => void stage('main', () => {}))).code).toBe(INVALID);
  });

  it('[OC-12] what is begun after the attempt is refused, and ends no process', async () => {
    let kept: HandlerContext | undefined;
    await run((_, context) => {
      kept = context;
    });
    void kept?.publish('late', '');
    void kept?.stage('late', () => {});
    await clock.settle();
    expect(await readdir(directory)).toEqual([]);
  });

  it('[OC-5] a publication that fails in a stage is a fault of that stage', async () => {
    const outcome = await run((_, { stage, publish }) => stage('upload', async () => void (await publish('..', ''))));
    expect(faultOf(outcome)).toMatchObject({ code: INVALID, stage: 'upload' });
  });
});

describe('links below the directory of an attempt', () => {
  it('[ST-8, OC-7] nothing is published through one, whichever part of the path it is', async () => {
    const outside = join(root, 'outside');
    await mkdir(join(outside, 'deep'), { recursive: true });
    const places = ['published', 'published/a', 'published/a/b'];
    for (const [i, place] of places.entries()) {
      await rm(join(directory, 'published'), { recursive: true, force: true });
      const outcome = await run(async (_, { publish }) => {
        await mkdir(join(directory, place, '..'), { recursive: true });
        await symlink(outside, join(directory, place));
        await publish('a/b/c', 'x');
      });
      expect(faultOf(outcome).code, place).toBe(LINKED);
      expect(await readdir(outside), places[i]).toEqual(['deep']);
    }
    await rm(join(directory, 'published'), { recursive: true });
    const file = await run(async (_, { publish }) => {
      await mkdir(join(directory, 'published'));
      await symlink(join(outside, 'new'), join(directory, 'published/c'));
      await publish('c', 'x');
    });
    expect(faultOf(file).code).toBe(INVALID);
    expect(await readdir(outside)).toEqual(['deep']);
  });

  it('[ST-8, OC-7] what became a link, a pipe or another file after it was published is not verified', async () => {
    const swaps: ((path: string) => Promise<unknown>)[] = [
      async (path) => {
        await rename(path, join(root, 'moved'));
        await symlink(join(root, 'moved'), path);
      },
      async (path) => {
        await rm(path);
        execFileSync('mkfifo', [path]);
      },
      (path) => writeFile(path, 'y'),
      async () => {
        await rename(join(directory, 'published/a'), join(root, 'a'));
        await symlink(join(root, 'a'), join(directory, 'published/a'));
      },
    ];
    for (const swap of swaps) {
      const outcome = await run(async (_, { publish }) => {
        await publish('a/file', 'x');
        await swap(join(directory, 'published/a/file'));
      });
      expect(outcome).toMatchObject({ outcome: 'succeeded', verification: { isVerified: false } });
      await rm(join(directory, 'published'), { recursive: true });
    }
  });

  it('[ST-8] files are made 0600 and folders 0700; a file in the place of a folder is refused', async () => {
    const outcome = await run(async (_, { publish }) => {
      await publish('a/b', 'x');
      await publish('a/b/c', 'x');
    });
    expect(faultOf(outcome).code).toBe(INVALID);
    expect((await stat(join(directory, 'published/a'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(directory, 'published/a/b'))).mode & 0o777).toBe(0o600);
  });
});

/** A clock whose monotonic time can pass while the process is blocked, so that no timer fires. */
function blockable() {
  let blockedMs = 0;
  const blocking: Clock = {
    capabilities: clock.capabilities,
    now: () => clock.now(),
    monotonic: () => clock.monotonic() + blockedMs,
    sleep: (ms, options) => clock.sleep(ms, options),
  };
  const block = (ms: number) => {
    blockedMs += ms;
  };
  return { clock: blocking, block };
}

describe('a handler that blocks the process', () => {
  it('[OC-10] beyond the timeout outlived its stage: a failed attempt, whatever it returned', async () => {
    const { clock: blocking, block } = blockable();
    const told: string[] = [];
    const outcome = await run(() => block(TIMEOUT_MS + 1), { clock: blocking, timedOut: (stage) => told.push(stage) });
    expect(faultOf(outcome)).toMatchObject({ code: 'stageTimeout', stage: 'main' });
    expect(outcome.stages).toMatchObject([{ outcome: 'timedOut', durationMs: TIMEOUT_MS + 1 }]);
    expect(told).toEqual(['main']);
  });

  it('[OC-10] up to the timeout has kept it', async () => {
    const { clock: blocking, block } = blockable();
    expect((await run(() => block(TIMEOUT_MS), { clock: blocking })).outcome).toBe('succeeded');
  });

  it('[OC-10] in a stage is aborted at its end: it rejects, and its own error is in the message', async () => {
    const { clock: blocking, block } = blockable();
    const outcome = await run((_, { stage }) => stage('sum', () => block(TIMEOUT_MS + 1)), { clock: blocking });
    expect(faultOf(outcome)).toMatchObject({ code: 'stageTimeout', stage: 'sum' });
    const work = () => {
      block(TIMEOUT_MS + 1);
      throw new Error('own');
    };
    const threw = faultOf(await run((_, { stage }) => stage('sum', work), { clock: blocking }));
    expect(threw).toMatchObject({ code: 'stageTimeout', message: expect.stringContaining('own') });
  });

  it('[OC-10] in main begins no further stage', async () => {
    const { clock: blocking, block } = blockable();
    let isBegun = false;
    const outcome = await run(
      async (_, { stage }) => {
        block(TIMEOUT_MS + 1);
        await stage('next', () => {
          isBegun = true;
        });
      },
      { clock: blocking },
    );
    expect(faultOf(outcome)).toMatchObject({ code: 'stageTimeout', stage: 'main' });
    expect(isBegun).toBe(false);
  });

  it('[OC-11] and had been asked to end before is judged by its answer', async () => {
    const { clock: blocking, block } = blockable();
    const outcome = await run(
      () => {
        stop.abort();
        block(TIMEOUT_MS + 1);
      },
      { clock: blocking },
    );
    expect(outcome.outcome).toBe('succeeded');
  });
});

describe('names and codes', () => {
  it('[OC-10, DE-11] a stage has no name that a terminal would obey', async () => {
    for (const name of ['a\u001b[2J', 'a\nb', '\u0007', 'a\u202eb', '\u0085']) {
      const fault = faultOf(await run((_, { stage }) => stage(name, () => {})));
      expect(fault.code, JSON.stringify(name)).toBe(INVALID);
    }
    expect((await run((_, { stage }) => stage('Größe (1) — 日本', () => {}))).outcome).toBe('succeeded');
    for (const name of [undefined, 7, { toString: null }, Symbol('x')]) {
      expect(faultOf(await run((_, { stage }) => stage(name as never, () => {}))).code).toBe(INVALID);
      expect(faultOf(await run((_, { publish }) => void publish(name as never, ''))).code).toBe(INVALID);
    }
  });

  it('[OC-5] a handler cannot claim a fault of the library; the message keeps what it said', async () => {
    for (const code of Object.keys(FAULTS)) {
      const thrown = Object.assign(new Error('mine'), { code });
      const fault = faultOf(await run(() => Promise.reject(thrown)));
      const message = code === 'handlerFailed' ? 'mine' : `${code}: mine`;
      expect(fault).toMatchObject({ code: 'handlerFailed', message });
    }
  });
});

describe('the timers of stages', () => {
  it('[OC-10] are stopped without an error of their own for each of them', async () => {
    const reasons = new Set<unknown>();
    const watched: Clock = {
      ...blockable().clock,
      sleep: (ms, options) => {
        options?.signal?.addEventListener('abort', () => reasons.add(options.signal?.reason));
        return clock.sleep(ms, options);
      },
    };
    await run(async (_, { stage }) => void (await stage('one', () => stage('two', () => {}))), { clock: watched });
    await run(() => {}, { clock: watched });
    expect(clock.sleepers()).toEqual([]);
    expect(reasons.size).toBe(1);
    const [reason] = reasons;
    expect(reason).toBeInstanceOf(ScheduleError);
    const rejected = systemClock().sleep(1e6, { signal: AbortSignal.abort(reason) });
    await expect(rejected).rejects.toBe(reason);
  });
});
