/** The convenience for callers who want one answer, and exceptions for wrong input. */
import { describe, expect, it } from 'vitest';
import type { Trigger } from '../../../src/core/model/trigger.js';
import { nextDue, previousDue } from '../../../src/core/trigger/next-due.js';

const DAILY: Trigger = { kind: 'calendar', timezone: 'Europe/Berlin', hour: 9 };

describe('next and previous due instant', () => {
  it('[TR-1] a trigger answers in ISO UTC text, strictly after and strictly before', () => {
    expect(nextDue(DAILY, '2025-01-01T08:00:00Z')).toBe('2025-01-02T08:00:00.000Z');
    expect(previousDue(DAILY, '2025-01-01T08:00:00Z')).toBe('2024-12-31T08:00:00.000Z');
    expect(nextDue({ kind: 'manual' }, '2025-01-01T08:00:00Z')).toBeUndefined();
  });

  it('[TR-6] a bare cron text is taken, in UTC or in the given zone', () => {
    expect(nextDue('0 9 * * *', new Date('2025-01-01T00:00:00Z'))).toBe('2025-01-01T09:00:00.000Z');
    expect(nextDue('0 9 * * *', { epochMilliseconds: 0 }, { timezone: 'Asia/Tokyo' })).toBe('1970-01-02T00:00:00.000Z');
    expect(previousDue('0 9 * * *', '2025-01-01T00:00:00Z', { timezone: 'Asia/Tokyo' })).toBe(
      '2024-12-31T00:00:00.000Z',
    );
  });

  it.each([
    [() => nextDue('0 9 * *', '2025-01-01T00:00:00Z'), 'expression'],
    [() => nextDue('0 9 * * *', '2025-01-01T00:00:00Z', { timezone: 'Mars' }), 'timezone'],
    [() => nextDue(DAILY, '2025-01-01'), 'after'],
    [() => previousDue(DAILY, new Date(Number.NaN)), 'before'],
  ])('[DE-1] wrong input is an error with issues', (call, path) => {
    expect(call).toThrow(
      expect.objectContaining({
        code: 'SCHEDULE_DECLARATION_INVALID',
        details: { issues: [expect.objectContaining({ path })] },
      }),
    );
  });
});
