/** Triggers of elapsed time: once, at intervals, never. */
import { describe, expect, it } from 'vitest';
import { due, issuesOf, latestBefore, upcoming } from '../../support/due.js';

const interval = (everySeconds: number, start: string, more: object = {}) => ({
  kind: 'interval',
  everySeconds,
  start,
  ...more,
});

describe('interval', () => {
  it('[TR-2] tenths of a second do not drift, at any distance', () => {
    const trigger = due(interval(0.1, '2000-01-01T00:00:00Z'));
    const start = Date.parse('2000-01-01T00:00:00Z');
    for (const k of [1, 3, 1e6 + 7, 1e9 + 1, 2e12 + 3]) {
      expect(trigger.next(start + k * 100 - 1)).toBe(start + k * 100);
      expect(trigger.next(start + k * 100)).toBe(start + (k + 1) * 100);
      expect(trigger.previous(start + k * 100)).toBe(start + (k - 1) * 100);
    }
  });

  it('[TR-2] the far end is reached in constant time', () => {
    const trigger = due(interval(0.001, '1800-01-01T00:00:00Z'));
    expect(trigger.next(253_402_300_799_998)).toBe(253_402_300_799_999);
    expect(trigger.count(-5_364_662_400_001, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER)).toBe(
      258_766_963_200_000,
    );
    expect(trigger.list(0, 3)).toEqual([1, 2, 3]);
  });

  it('[TR-5] start is due, and so is an end that the phase meets', () => {
    const trigger = interval(60, '2025-01-01T00:00:30Z', { end: '2025-01-01T00:02:30Z' });
    expect(upcoming(trigger, '2025-01-01T00:00:29.999Z', 9)).toHaveLength(3);
    expect(latestBefore(trigger, '2025-01-02T00:00:00Z')).toBe('2025-01-01T00:02:30.000Z');
    expect(
      upcoming(interval(60, '2025-01-01T00:00:30Z', { end: '2025-01-01T00:00:29Z' }), '2000-01-01T00:00:00Z', 1),
    ).toEqual([]);
  });

  it('[TR-14] nothing is due after 9999', () => {
    expect(upcoming(interval(10_000_000_000, '9990-01-01T00:00:00Z'), '9990-01-01T00:00:00Z', 1)).toEqual([]);
  });

  it.each([0, -1, 0.0005, 0.0015, 1.0001, 10_000_000_000.001, Number.NaN, Number.POSITIVE_INFINITY, '60', null])(
    '[TR-2] everySeconds %j is refused',
    (everySeconds) => {
      expect(issuesOf(interval(everySeconds as number, '2025-01-01T00:00:00Z'))).toMatchObject([
        { path: 'everySeconds', rule: 'TR-2' },
      ]);
    },
  );

  it.each([0.001, 0.1, 0.3, 1.005, 4.35, 1.115, 86_400, 10_000_000_000])(
    '[TR-2] everySeconds %d is a whole number of milliseconds',
    (everySeconds) => {
      const start = Date.parse('2025-01-01T00:00:00Z');
      expect(due(interval(everySeconds, '2025-01-01T00:00:00Z')).next(start)).toBe(
        start + Math.round(everySeconds * 1000),
      );
    },
  );
});

describe('once and manual', () => {
  it('[TR-1] once is due at its instant and at no other', () => {
    const trigger = due({ kind: 'once', at: '2025-01-01T12:00:00.250+02:00' });
    const at = Date.parse('2025-01-01T10:00:00.250Z');
    expect([trigger.next(at - 1), trigger.next(at), trigger.previous(at + 1), trigger.previous(at)]).toEqual([
      at,
      undefined,
      at,
      undefined,
    ]);
    expect(trigger.list(0, 5)).toEqual([at]);
    expect(trigger.count(0, at, 5)).toBe(1);
    expect(trigger.count(at, at + 1, 5)).toBe(0);
    expect([trigger.next(Number.NaN), trigger.previous(Number.NaN), trigger.count(0, Number.NaN, 5)]).toEqual([
      undefined,
      undefined,
      0,
    ]);
  });

  it('[TR-1] manual is never due', () => {
    const trigger = due({ kind: 'manual' });
    expect([trigger.next(0), trigger.previous(0), trigger.list(0, 5), trigger.count(0, 9e15, 5)]).toEqual([
      undefined,
      undefined,
      [],
      0,
    ]);
  });
});
