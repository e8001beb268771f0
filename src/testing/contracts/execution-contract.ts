/**
 * The contract of execution services: cases for clauses of the execution port.
 *
 * X-2 is the owner's to keep, and X-6 needs a clock that the service measures with: the tests of a service look at them.
 */
import assert from 'node:assert/strict';
import { digestOf } from '../../codec/digest.js';
import type { JsonObject } from '../../core/model/declaration.js';
import { LIMITS } from '../../core/model/limits.js';
import { occurrenceId } from '../../core/model/occurrence.js';
import { epochMs } from '../../core/time/instant.js';
import type { ExecutionOutcome, ExecutionRequest, ExecutionService, Plan } from '../../ports/execution-service.js';
import { type ContractCase, casesOf } from './contract-case.js';
import { sampleAt } from './sample-catalogue.js';

/** An execution service with documents that it knows, opened for one case. @public */
export interface OpenExecution {
  /** The service. */
  readonly service: ExecutionService;
  /** Providers that the documents may use. */
  readonly allowedProviders: readonly string[];
  /** A document whose work succeeds soon. */
  readonly succeeding: JsonObject;
  /** A document whose work fails soon; absent where none does. */
  readonly failing?: JsonObject;
  /** A document whose work goes on until its signal fires; absent where none does. */
  readonly lasting?: JsonObject;
  /** A document that is refused; absent where none is. */
  readonly refused?: JsonObject;
  /** Makes the directory of an attempt; needed where the service needs one. */
  directory?(): Promise<string>;
  /** Attempts that were started so far. */
  started(): number;
  /** Releases everything. */
  close(): Promise<void>;
}

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** The cases of the contract of execution services. @public */
export function executionContract(open: () => Promise<OpenExecution>): readonly ContractCase[] {
  const make = casesOf(open);
  return [
    make('X-1', 'equal documents are planned alike, by configured names, and nothing starts', async (subject) => {
      const plan = await planOf(subject, subject.succeeding);
      const again = await planOf(subject, structuredClone(subject.succeeding));
      assert.equal(plan.digest, again.digest);
      assert.match(plan.digest, DIGEST);
      for (const name of plan.providers) assert.ok(subject.service.providers().includes(name), `${name} is configured`);
      assert.equal(subject.started(), 0, 'planning started work');
    }),
    make('X-1', 'what cannot be planned is refused with a reason', async (subject) => {
      if (subject.refused === undefined) return;
      const result = await subject.service.plan(planRequest(subject, subject.refused));
      assert.equal(result.kind, 'refused');
      assert.ok(result.kind === 'refused' && result.message !== '');
    }),
    make('X-3', 'work ends after its signal fires', async (subject) => {
      if (subject.lasting === undefined) return;
      const stop = new AbortController();
      const ended = executed(subject, subject.lasting, stop.signal);
      stop.abort();
      assert.notEqual((await ended).outcome, 'succeeded');
    }),
    make('X-4', 'a success was verified, with a digest and receipts', async (subject) => {
      const outcome = await executed(subject, subject.succeeding);
      assert.ok(outcome.outcome === 'succeeded', 'the sample must succeed');
      assert.equal(outcome.verification.isVerified, true);
      assert.match(outcome.verification.digest ?? '', DIGEST);
      for (const receipt of outcome.verification.receipts) {
        assert.ok(receipt.name !== '' && receipt.bytes >= 0, 'a receipt names what it stands for');
        assert.match(receipt.digest, DIGEST);
      }
      assert.equal(subject.started(), 1);
    }),
    make('X-5', 'failing work is an outcome with a fault, and no rejection', async (subject) => {
      if (subject.failing === undefined) return;
      const outcome = await executed(subject, subject.failing);
      assert.ok(outcome.outcome === 'failed', 'the sample must fail');
      assert.notEqual(outcome.fault.code, '');
      assert.ok(outcome.fault.message.length <= LIMITS.textLength.max, 'a message is cut');
    }),
  ];
}

function planRequest({ allowedProviders }: OpenExecution, document: JsonObject) {
  return { document, documentDigest: digestOf(document), allowedProviders };
}

async function planOf(subject: OpenExecution, document: JsonObject): Promise<Plan> {
  const result = await subject.service.plan(planRequest(subject, document));
  return result.kind === 'planned' ? result.plan : assert.fail(`it was refused: ${result.message}`);
}

async function executed(
  subject: OpenExecution,
  document: JsonObject,
  signal = new AbortController().signal,
): Promise<ExecutionOutcome> {
  const occurrence = occurrenceId('a', 1, sampleAt(60));
  const budget = {
    maxAttempts: LIMITS.maxAttempts.default,
    maxRepeatedFailures: LIMITS.maxRepeatedFailures.default,
    maxElapsedSeconds: LIMITS.maxElapsedSeconds.default,
    timeoutPerStageSeconds: LIMITS.timeoutPerStageSeconds.default,
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
  };
  return await subject.service.execute(request);
}
