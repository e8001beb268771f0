/**
 * Reason codes: why an occurrence was skipped, failed, cancelled or interrupted, and why a schedule has its status.
 *
 * One closed table with a version (OC-9). A code never changes its meaning; a new one raises the version.
 */

/** Version of the reason table; it grows by one with each new code. @public */
export const REASONS_VERSION = 1;

/**
 * Every reason code with the sentence that explains it to a person.
 *
 * @public
 */
export const REASONS = {
  misfire: 'it was late and the misfire policy skips late occurrences',
  tooLate: 'it was later than maxLatenessSeconds',
  overlap: 'work of this schedule or of its concurrency key was pending and the overlap policy is skip',
  coalesced: 'one occurrence was queued already and the overlap policy is coalesce',
  expired: 'the schedule expired first',
  superseded: 'a newer revision of the schedule took its place',
  cancelled: 'the schedule was cancelled',
  stopped: 'this occurrence was stopped by a control',
  budgetSpent: 'maxOccurrences of this revision is spent',
  triggerSpent: 'the trigger has no due instant left',
  ownerDied: 'the owner ended without recording an outcome, so what happened is unknown; it is never run again',
  ownerStopped: 'the owner was stopped while it ran',
  unresponsive: 'the handler did not end within the drain limit after it was asked to',
  attemptExists: 'an attempt directory of this name exists already, so it may have run before',
  retriesSpent: 'maxRetries is used up',
  attemptBudget: 'budget.maxAttempts is used up',
  failureBudget: 'budget.maxRepeatedFailures equal failures in a row',
  elapsedBudget: 'budget.maxElapsedSeconds is over',
  notRetryable: 'the fault is marked as not retryable',
  failuresInRow: 'pauseAfterFailures terminal failures in a row paused the schedule',
  triggerBroken: 'the trigger cannot be evaluated on this machine',
  pausedByControl: 'it was paused by a control',
} as const;

/** A stable reason code. @public */
export type ReasonCode = keyof typeof REASONS;

/**
 * Fault codes that the library itself records; a handler's own codes stand beside them.
 *
 * @public
 */
export const FAULTS = {
  handlerFailed: 'the handler threw',
  stageTimeout: 'a stage outlived budget.timeoutPerStageSeconds',
  elapsedBudget: 'the attempt was still running at budget.maxElapsedSeconds',
  planFailed: 'the document could not be planned at dispatch',
  providerDenied: 'the plan needs a provider that is not allowed or not configured now',
  publicationUnverified: 'the execution service could not verify what was published',
  executionBroken: 'the execution service answered against its contract',
  evidenceUnavailable: 'the occurrence workspace could not be written',
  notDispatched:
    'the execution service was not called: a request to end it came first, or the store could not be asked',
} as const;

/** Causes of a missed window, as far as they are known (MF-4). @public */
export type MissedCause = 'ownerDown' | 'paused' | 'gate' | 'backlog' | 'clockStep' | 'quarantined';
