/** The attempt budget and the back-off: OC-5, OC-6 and the retry fields of DE. */
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { AttemptRecord, Fault } from '../../../src/core/model/occurrence.js';
import { backoffMs, equalFailuresInRow, faultSignature, refusedBy } from '../../../src/core/policy/attempt-budget.js';
import { declaration, SECOND, T0 } from '../../support/builders.js';

const fault = (code: string, more: Partial<Fault> = {}): Fault => ({ code, message: 'no', ...more });

function attempts(...faults: readonly Fault[]): readonly AttemptRecord[] {
  const record = { epoch: 1, fencingToken: 1, claimedAt: T0, endedAt: T0, outcome: 'failed', stages: [] } as const;
  return faults.map((one, index) => ({ ...record, attempt: index + 1, fault: one }));
}

const budget = { maxAttempts: 3, maxRepeatedFailures: 3, maxElapsedSeconds: 60, timeoutPerStageSeconds: 10 };

describe('another attempt', () => {
  const rows = [
    { title: '[OC-5] is allowed while every budget allows it', faults: [fault('a')], refused: undefined },
    {
      title: '[OC-5] is refused once the retries are used',
      faults: [fault('a')],
      maxRetries: 0,
      refused: 'retriesSpent',
    },
    {
      title: '[OC-5] is allowed up to the last retry',
      faults: [fault('a'), fault('b')],
      maxRetries: 2,
      refused: undefined,
    },
    {
      title: '[OC-5] is refused at maxAttempts',
      faults: [fault('a'), fault('b'), fault('a')],
      refused: 'attemptBudget',
    },
    {
      title: '[OC-5] is refused after equal failures in a row',
      faults: [fault('a'), fault('a')],
      maxRepeatedFailures: 2,
      refused: 'failureBudget',
    },
    {
      title: '[OC-5] failures that are not in a row do not count',
      faults: [fault('a'), fault('b')],
      maxRepeatedFailures: 2,
      refused: undefined,
    },
    {
      title: '[OC-5] is refused at maxElapsedSeconds',
      faults: [fault('a')],
      elapsedMs: 60_000,
      refused: 'elapsedBudget',
    },
    { title: '[OC-5] is allowed just before it', faults: [fault('a')], elapsedMs: 59_999, refused: undefined },
    {
      title: '[OC-5] is refused after a fault that is not retryable',
      faults: [fault('a', { isRetryable: false })],
      refused: 'notRetryable',
    },
  ];
  it.each(rows)('$title', ({ faults, maxRetries = 9, maxRepeatedFailures = 3, elapsedMs = 0, refused }) => {
    const declared = declaration({ maxRetries, budget: { ...budget, maxRepeatedFailures } });
    expect(refusedBy(declared, attempts(...faults), elapsedMs)).toBe(refused);
  });

  it('[OC-5] a signature is provider, stage and code, never the message', () => {
    const base = fault('a', { provider: 'p', stage: 's' });
    expect(faultSignature({ ...base, message: 'other' })).toBe(faultSignature(base));
    for (const other of [{ code: 'b' }, { provider: 'q' }, { stage: 't' }]) {
      expect(faultSignature({ ...base, ...other })).not.toBe(faultSignature(base));
    }
    expect(faultSignature(fault('a', { stage: 's,p' }))).not.toBe(
      faultSignature(fault('a', { provider: 's', stage: 'p' })),
    );
  });

  it('[OC-5] only failures at the end of the list are in a row', () => {
    expect(equalFailuresInRow(attempts(fault('a'), fault('b'), fault('b')))).toBe(2);
    expect(equalFailuresInRow([])).toBe(0);
  });
});

describe('back-off', () => {
  const growing = { initialSeconds: 10, factor: 2, maxSeconds: 60 };

  test.prop([fc.string(), fc.integer({ min: 1, max: 19 })])(
    '[OC-5] the wait grows up to its limit, and the jitter is repeatable and only shortens it',
    (id, failed) => {
      const full = Math.min(10 * 2 ** (failed - 1), 60) * SECOND;
      const wait = backoffMs(growing, failed, id);
      expect(backoffMs(growing, failed, id)).toBe(wait);
      expect(wait).toBeLessThanOrEqual(full);
      expect(wait).toBeGreaterThanOrEqual(full * 0.75);
      expect(Number.isInteger(wait)).toBe(true);
    },
  );

  it('[OC-5] the jitter spreads occurrences', () => {
    const waits = new Set(Array.from({ length: 100 }, (_, n) => backoffMs(growing, 1, `job~1~${n}`)));
    expect(waits.size).toBeGreaterThan(90);
  });

  it('[OC-5] no wait is possible', () => {
    expect(backoffMs({ initialSeconds: 0, factor: 10, maxSeconds: 0 }, 19, 'x')).toBe(0);
  });
});
