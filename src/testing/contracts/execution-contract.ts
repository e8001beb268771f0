/**
 * The contract of execution services: cases for clauses of the execution port.
 *
 * X-2 is the owner's to keep, and so is what becomes of an answer that comes too late.
 */
import assert from 'node:assert/strict';
import { digestOf } from '../../codec/digest.js';
import type { Json, JsonObject } from '../../core/model/declaration.js';
import { LIMITS } from '../../core/model/limits.js';
import { occurrenceId } from '../../core/model/occurrence.js';
import { epochMs } from '../../core/time/instant.js';
import type { ExecutionOutcome, ExecutionRequest, ExecutionService, Plan } from '../../ports/execution-service.js';
import { type ContractCase, type ContractSubject, casesOf, holdsWithin } from './contract-case.js';
import { sampleAt } from './sample-catalogue.js';

/** An execution service with documents that it knows, opened for one case. @public */
export interface OpenExecution extends ContractSubject {
  /** The service. */
  readonly service: ExecutionService;
  /** Providers that the documents may use. */
  readonly allowedProviders: readonly string[];
  /** A document whose work succeeds soon; with two members or more, so that their order can be judged. */
  readonly succeeding: JsonObject;
  /** A document whose work fails soon; absent where none does. */
  readonly failing?: JsonObject;
  /** A document whose work goes on until its signal fires; absent where none does. */
  readonly lasting?: JsonObject;
  /** A document that is refused; absent where none is. */
  readonly refused?: JsonObject;
  /** A document with a stage that goes on until it is aborted at its timeout, and then ends; absent where none has one. */
  readonly stalling?: JsonObject;
  /** Lets time pass on the clock that the service measures with; absent where that is the machine's. */
  advance?(ms: number): Promise<void>;
  /** How long its owner would wait for an answer after the signal, in milliseconds; 20000 where absent. */
  readonly drainMs?: number;
  /** Makes the directory of an attempt; needed where the service needs one. */
  directory?(): Promise<string>;
  /** Attempts that were started so far. */
  started(): number;
}

/** The drain limit of an owner that is not told otherwise (OC-11), in milliseconds. */
const DRAIN_MS = 20_000;
const SECOND_MS = 1000;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** The cases of the contract of execution services. @public */
export function executionContract(open: () => Promise<OpenExecution>): readonly ContractCase[] {
  const make = casesOf(open);
  return [...planCases(make), ...endingCases(make), ...stageCases(make)];
}

type ExecutionCase = ReturnType<typeof casesOf<OpenExecution>>;

function planCases(make: ExecutionCase): readonly ContractCase[] {
  return [
    make('X-1', 'equal documents are planned alike, by configured names, and nothing starts', async (subject) => {
      const plan = await planOf(subject, subject.succeeding);
      const again = await planOf(subject, structuredClone(subject.succeeding));
      assert.equal(plan.digest, again.digest);
      assert.match(plan.digest, DIGEST);
      for (const name of plan.providers) assert.ok(subject.service.providers().includes(name), `${name} is configured`);
      assert.equal(subject.started(), 0, 'planning started work');
    }),
    make(
      'X-1',
      'the order of members plays no part, at any depth',
      async (subject) => {
        for (const document of planned(subject)) {
          const [plan, again] = [await planOf(subject, document), await planOf(subject, reordered(document))];
          assert.equal(plan.digest, again.digest);
        }
      },
      {
        offer: 'succeeding',
        whyNot: (subject) =>
          planned(subject).some(isOrdered) ? undefined : 'no document was given in which two members have an order',
      },
    ),
    make(
      'X-1',
      'what cannot be planned is refused with a reason',
      async (subject) => {
        const result = await subject.service.plan(planRequest(subject, subject.refused));
        assert.equal(result.kind, 'refused');
        assert.ok(result.kind === 'refused' && result.message !== '');
        assert.equal(subject.started(), 0, 'planning started work');
      },
      { offer: 'refused' },
    ),
  ];
}

function endingCases(make: ExecutionCase): readonly ContractCase[] {
  return [
    make(
      'X-3',
      'work ends after its signal fires, before it began and while it lasts',
      async (subject) => {
        for (const isBegun of [false, true]) {
          const stop = new AbortController();
          const before = subject.started();
          const ended = executed(subject, subject.lasting, { signal: stop.signal });
          if (isBegun) await holdsWithin(drainMs(subject), () => subject.started() > before);
          stop.abort();
          assert.notEqual((await answerOf(subject, ended)).outcome, 'succeeded');
        }
      },
      { offer: 'lasting' },
    ),
    make('X-4', 'a success was verified, with a digest and receipts', async (subject) => {
      const outcome = await answerOf(subject, executed(subject, subject.succeeding));
      assert.ok(outcome.outcome === 'succeeded', 'the sample must succeed');
      assert.equal(outcome.verification.isVerified, true);
      assert.match(outcome.verification.digest ?? '', DIGEST);
      for (const receipt of outcome.verification.receipts) {
        assert.ok(receipt.name !== '' && receipt.bytes >= 0, 'a receipt names what it stands for');
        assert.match(receipt.digest, DIGEST);
      }
      assert.equal(subject.started(), 1);
    }),
    make(
      'X-5',
      'failing work is an outcome with a fault, and no rejection',
      async (subject) => {
        const outcome = await answerOf(subject, executed(subject, subject.failing));
        assert.ok(outcome.outcome === 'failed', 'the sample must fail');
        assert.notEqual(outcome.fault.code, '');
        assert.ok(outcome.fault.message.length <= LIMITS.textLength.max, 'a message is cut');
      },
      { offer: 'failing' },
    ),
  ];
}

function stageCases(make: ExecutionCase): readonly ContractCase[] {
  return [
    make(
      'X-6',
      'a stage is aborted at its timeout, the owner is told once and at once, and the attempt has failed',
      async (subject) => {
        const told: string[] = [];
        let isOver = false;
        const timedOut = (stage: string) => {
          assert.equal(isOver, false, 'the owner was told after the answer');
          told.push(stage);
        };
        const ended = executed(subject, subject.stalling, { timeoutPerStageSeconds: 1, timedOut });
        const over = () => {
          isOver = true;
        };
        ended.then(over, over);
        await holdsWithin(drainMs(subject), () => subject.started() > 0);
        assert.deepEqual(told, [], 'the stage was aborted before its timeout');
        await holdsWithin(drainMs(subject), async () => {
          await subject.advance?.(SECOND_MS);
          return isOver;
        });
        const outcome = await answerOf(subject, ended);
        assert.equal(told.length, 1, `timedOut was called ${told.length} times`);
        assert.ok(outcome.outcome === 'failed', 'the attempt must fail');
        assert.deepEqual([outcome.fault.code, outcome.fault.stage], ['stageTimeout', told[0]]);
        assert.ok(outcome.stages.some(({ name, outcome: how }) => name === told[0] && how === 'timedOut'));
      },
      { offer: 'stalling' },
    ),
  ];
}

function planRequest({ allowedProviders }: OpenExecution, document: JsonObject) {
  return { document, documentDigest: digestOf(document), allowedProviders };
}

async function planOf(subject: OpenExecution, document: JsonObject): Promise<Plan> {
  const result = await subject.service.plan(planRequest(subject, document));
  return result.kind === 'planned' ? result.plan : assert.fail(`it was refused: ${result.message}`);
}

/** Documents that were given and can be planned. */
function planned({ succeeding, failing, lasting, stalling }: OpenExecution): readonly JsonObject[] {
  return [succeeding, failing, lasting, stalling].filter((document) => document !== undefined);
}

/** The same value, the members of its objects in another order. */
function reordered<T extends Json>(value: T): T;
function reordered(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => reordered(item));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]): [string, Json] => [key, reordered(member)]);
  return Object.fromEntries(members.reverse());
}

/** Whether an object in it has two members or more. */
function isOrdered(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members: readonly Json[] = Object.values(value);
  return (!Array.isArray(value) && members.length > 1) || members.some(isOrdered);
}

function drainMs(subject: OpenExecution): number {
  return subject.drainMs ?? DRAIN_MS;
}

/** The answer, which must come within the drain limit. */
async function answerOf(subject: OpenExecution, ended: Promise<ExecutionOutcome>): Promise<ExecutionOutcome> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  ended.then(over, over);
  assert.ok(await holdsWithin(drainMs(subject), () => isOver), `it gave no answer within ${drainMs(subject)} ms`);
  return await ended.catch((error: unknown) => assert.fail(`it rejected with ${String(error)}`));
}

interface Given {
  readonly signal?: AbortSignal;
  readonly timeoutPerStageSeconds?: number;
  timedOut?(stage: string): void;
}

async function executed(
  subject: OpenExecution,
  document: JsonObject,
  { signal = new AbortController().signal, timeoutPerStageSeconds, timedOut }: Given = {},
): Promise<ExecutionOutcome> {
  const occurrence = occurrenceId('a', 1, sampleAt(60));
  const budget = {
    maxAttempts: LIMITS.maxAttempts.default,
    maxRepeatedFailures: LIMITS.maxRepeatedFailures.default,
    maxElapsedSeconds: LIMITS.maxElapsedSeconds.default,
    timeoutPerStageSeconds: timeoutPerStageSeconds ?? LIMITS.timeoutPerStageSeconds.default,
  };
  const request: ExecutionRequest = {
    document,
    documentDigest: digestOf(document),
    plan: await planOf(subject, document),
    scheduleId: 'a',
    revision: 1,
    occurrence,
    idempotencyKey: occurrence,
    dueAt: sampleAt(60),
    latenessMs: 0,
    attempt: 1,
    fencingToken: 1,
    budget,
    elapsedDeadlineAt: epochMs(sampleAt(60) + budget.maxElapsedSeconds * 1000),
    ...(subject.directory === undefined ? {} : { directory: await subject.directory() }),
    signal,
    progress: () => undefined,
    ...(timedOut === undefined ? {} : { timedOut }),
  };
  return await subject.service.execute(request);
}
