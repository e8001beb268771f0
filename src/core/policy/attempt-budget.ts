/**
 * The attempt budget: whether a failed attempt is followed by another, and when (OC-5, OC-6).
 */
import type { Declaration, RetryBackoff } from '../model/declaration.js';
import type { AttemptRecord, Fault } from '../model/occurrence.js';
import type { ReasonCode } from '../model/reason.js';

const SECOND_MS = 1000;

/** Jitter makes a wait at most this share shorter. */
const JITTER_SHARE = 0.25;

/** Equal signatures count as the same failure: provider, stage and code, never the message (OC-5). @public */
export function faultSignature(fault: Fault): string {
  return JSON.stringify([fault.provider ?? '', fault.stage ?? '', fault.code]);
}

/** Failed attempts at the end of the list whose faults have the signature of the last one. @internal */
export function equalFailuresInRow(attempts: readonly AttemptRecord[]): number {
  const last = attempts.at(-1)?.fault;
  if (last === undefined) return 0;
  const signature = faultSignature(last);
  let count = 0;
  for (let i = attempts.length - 1; i >= 0; i--) {
    const fault = attempts[i]?.fault;
    if (fault === undefined || faultSignature(fault) !== signature) break;
    count++;
  }
  return count;
}

/**
 * The budget that refuses another attempt after the failed ones given, or undefined when none does.
 *
 * @param elapsedMs - Milliseconds since the first claim of the occurrence.
 * @public
 */
export function refusedBy(
  declaration: Declaration,
  attempts: readonly AttemptRecord[],
  elapsedMs: number,
): ReasonCode | undefined {
  const { budget, maxRetries } = declaration;
  if (attempts.at(-1)?.fault?.isRetryable === false) return 'notRetryable';
  if (attempts.length > maxRetries) return 'retriesSpent';
  if (attempts.length >= budget.maxAttempts) return 'attemptBudget';
  if (equalFailuresInRow(attempts) >= budget.maxRepeatedFailures) return 'failureBudget';
  if (elapsedMs >= budget.maxElapsedSeconds * SECOND_MS) return 'elapsedBudget';
  return undefined;
}

/**
 * Milliseconds to wait before the next attempt, after `failed` failed ones; repeatable for an occurrence id.
 *
 * @public
 */
export function backoffMs(backoff: RetryBackoff, failed: number, occurrence: string): number {
  const full = Math.min(backoff.initialSeconds * backoff.factor ** (failed - 1), backoff.maxSeconds) * SECOND_MS;
  return Math.round(full * (1 - JITTER_SHARE * fraction(`${occurrence}#${failed}`)));
}

/** A number in [0, 1) derived from a text: FNV-1a over its UTF-16 units. */
function fraction(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0) / 2 ** 32;
}
