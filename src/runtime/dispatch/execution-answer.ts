/**
 * Reading what an execution service answers: whatever it is, an outcome of the model comes out of it.
 *
 * A service is the host's code, so its answer is copied, cut to its bounds, and judged. What breaks the contract is the
 * fault `executionBroken` of a failed attempt; nothing here throws.
 */
import { copyPlainJson } from '../../codec/plain-json.js';
import type { Json } from '../../core/model/declaration.js';
import type { AttemptOutcome } from '../../core/model/input.js';
import { cutText, LIMITS } from '../../core/model/limits.js';
import type { Fault, PublicationReceipt, StageRecord, Verification } from '../../core/model/occurrence.js';
import { type EpochMs, MAX_INSTANT, MIN_INSTANT } from '../../core/time/instant.js';

/** What an answer says, in the form in which it is recorded. @internal */
export interface Answer {
  /** How the attempt ended. */
  readonly outcome: Extract<AttemptOutcome, { kind: 'succeeded' | 'failed' }>;
  /** Stages in the order in which they began. */
  readonly stages: readonly StageRecord[];
  /** The service's own name for the task. */
  readonly taskId?: string;
  /** The service's own name for the job. */
  readonly jobId?: string;
}

const STAGE_OUTCOMES: ReadonlySet<unknown> = new Set<StageRecord['outcome']>([
  'succeeded',
  'failed',
  'timedOut',
  'aborted',
]);

const DIGEST = /^sha256:[0-9a-f]{64}$/;

type Members = Readonly<Record<string, unknown>>;

/** Whether a value is a digest as records keep it, `sha256:<hex>`. @internal */
export function isDigest(value: unknown): value is string {
  return typeof value === 'string' && DIGEST.test(value);
}

/** The fault of an attempt that was not run or whose service misbehaved. @internal */
export function failedWith(code: string, error: unknown, isRetryable?: false): Answer {
  const message = cutText(error instanceof Error ? error.message : String(error));
  const fault: Fault = isRetryable === undefined ? { code, message } : { code, message, isRetryable };
  return { outcome: { kind: 'failed', fault }, stages: [] };
}

/** The answer of `execute` as it is recorded; one that breaks the contract is `executionBroken`. @internal */
export function readAnswer(value: unknown): Answer {
  try {
    return answerOf(value);
  } catch (error) {
    // Only a getter or a proxy of the host can throw here.
    return failedWith('executionBroken', error);
  }
}

function answerOf(value: unknown): Answer {
  if (!isObject(value)) return broken('its answer is no object');
  const stages = stagesOf(value['stages']);
  if (typeof stages === 'string') return broken(stages);
  const outcome = outcomeOf(value);
  if (typeof outcome === 'string') return { ...broken(outcome), stages };
  return { outcome, stages, ...name('taskId', value), ...name('jobId', value) };
}

function broken(what: string): Answer {
  return failedWith('executionBroken', `The execution service broke its contract: ${what}.`);
}

function outcomeOf(value: Members): Answer['outcome'] | string {
  if (value['outcome'] === 'failed') {
    const fault = faultOf(value['fault']);
    return typeof fault === 'string' ? fault : { kind: 'failed', fault };
  }
  if (value['outcome'] !== 'succeeded') return 'its outcome is neither succeeded nor failed';
  const verification = verificationOf(value['verification']);
  if (typeof verification === 'string') return verification;
  if (value['result'] === undefined) return { kind: 'succeeded', verification };
  const result = copyPlainJson(value['result'], 'result', { bytes: LIMITS.resultBytes.max });
  const issue = result.ok ? undefined : result.issues[0];
  if (!result.ok)
    return `its result cannot be kept (${issue?.path ?? 'result'}: ${issue?.message ?? 'not plain JSON'})`;
  return { kind: 'succeeded', verification, result: result.value satisfies Json };
}

function faultOf(value: unknown): Fault | string {
  if (!isObject(value)) return 'it failed without a fault';
  const { code, message } = value;
  if (typeof code !== 'string' || code === '') return 'its fault has no code';
  return {
    code: cutText(code),
    message: cutText(typeof message === 'string' ? message : ''),
    ...name('provider', value),
    ...name('stage', value),
    ...(typeof value['isRetryable'] === 'boolean' ? { isRetryable: value['isRetryable'] } : {}),
  };
}

function verificationOf(value: unknown): Verification | string {
  if (!isObject(value) || typeof value['isVerified'] !== 'boolean') return 'it succeeded without a verification';
  const { isVerified, digest } = value;
  if (digest !== undefined && !isDigest(digest)) return 'the digest of its verification is not sha256:<hex>';
  const receipts = listOf(value['receipts'], receiptOf);
  if (receipts === undefined) return 'its verification has no list of receipts with name, digest and size';
  return { isVerified, ...(digest === undefined ? {} : { digest }), receipts };
}

function receiptOf({ name, digest, bytes }: Members): PublicationReceipt | undefined {
  const isWhole = typeof name === 'string' && isDigest(digest) && isWithin(bytes, 0, Number.MAX_SAFE_INTEGER);
  return isWhole ? { name: cut(name, LONGEST_RECEIPT_NAME), digest, bytes } : undefined;
}

function stagesOf(value: unknown): readonly StageRecord[] | string {
  return listOf(value, stageOf) ?? 'it has no list of stages with name, times and outcome';
}

function stageOf({ name, startedAt, durationMs, outcome }: Members): StageRecord | undefined {
  const isTimed =
    isWithin(startedAt, MIN_INSTANT, MAX_INSTANT) && Number.isFinite(durationMs) && Number(durationMs) >= 0;
  if (typeof name !== 'string' || !isTimed || !STAGE_OUTCOMES.has(outcome)) return undefined;
  return {
    name: cut(name, LONGEST_STAGE_NAME),
    startedAt: startedAt as EpochMs,
    durationMs: durationMs as number,
    outcome: outcome as StageRecord['outcome'],
  };
}

/** Longest names in a record: with lists of at most 400 a record then fits a commit. */
const LONGEST_STAGE_NAME = 64;
const LONGEST_RECEIPT_NAME = 256;

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

/** The items of a list of at most 400, or undefined where one of them is not what it must be. */
function listOf<T>(value: unknown, read: (item: Members) => T | undefined): readonly T[] | undefined {
  if (!Array.isArray(value) || value.length > LIMITS.listLength.max) return undefined;
  const items: T[] = [];
  for (const item of value as readonly unknown[]) {
    const copy = isObject(item) ? read(item) : undefined;
    if (copy === undefined) return undefined;
    items.push(copy);
  }
  return items;
}

function name<K extends string>(key: K, value: Members): { readonly [P in K]?: string } {
  const text = value[key];
  return (typeof text === 'string' ? { [key]: cutText(text) } : {}) as { readonly [P in K]?: string };
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
}
