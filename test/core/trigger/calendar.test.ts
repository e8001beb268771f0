/** Calendar triggers: conditions that combine, periods that keep their phase, clock changes. */
import { describe, expect, it } from 'vitest';
import { countedSteps } from '../../support/counted-steps.js';
import { due, latestBefore, upcoming } from '../../support/due.js';

/** Most calls on `Math` of one answer; a walk by days through the years would make a hundred times as many. */
const FEW_STEPS = 20_000;

const calendar = (more: object) => ({ kind: 'calendar', timezone: 'UTC', ...more });
const dates = (trigger: object, after: string, count: number) =>
  upcoming(trigger, after, count).map((text) => text.slice(0, 10));

describe('conditions', () => {
  it('[TR-3] every condition must hold', () => {
    const trigger = calendar({ hour: 9, weekdays: [0, 4], monthDays: [13, -1], months: [6, 8, 10] });
    expect(dates(trigger, '2025-01-01T00:00:00Z', 4)).toEqual(['2025-06-13', '2025-06-30', '2025-10-13', '2025-10-31']);
  });

  it('[TR-3] an n-th weekday must also be one of the weekdays', () => {
    const nthWeekdays = [
      { weekday: 1, nth: 1 },
      { weekday: 4, nth: -1 },
    ];
    expect(dates(calendar({ hour: 9, weekdays: [4], nthWeekdays }), '2025-01-01T00:00:00Z', 2)).toEqual([
      '2025-01-31',
      '2025-02-28',
    ]);
    expect(upcoming(calendar({ hour: 9, weekdays: [3], nthWeekdays }), '2025-01-01T00:00:00Z', 1)).toEqual([]);
  });

  it('[TR-3] lists of hours, minutes and seconds combine', () => {
    const trigger = calendar({ hour: [18, 9], minute: [30, 0, 30], second: [5] });
    expect(upcoming(trigger, '2025-01-01T00:00:00Z', 4).map((text) => text.slice(11, 19))).toEqual([
      '09:00:05',
      '09:30:05',
      '18:00:05',
      '18:30:05',
    ]);
  });

  it('[TR-3] times stand for themselves and do not combine', () => {
    const trigger = calendar({ times: ['18:45', '09:00:30', '09:00'] });
    expect(upcoming(trigger, '2025-01-01T09:00:00Z', 4).map((text) => text.slice(11, 19))).toEqual([
      '09:00:30',
      '18:45:00',
      '09:00:00',
      '09:00:30',
    ]);
  });

  it('[TR-3] a repeated wall time is due at its first occurrence, wherever one asks from', () => {
    const trigger = calendar({ timezone: 'America/New_York', times: ['01:30'] });
    for (const after of [
      '2024-11-03T05:30:00Z',
      '2024-11-03T05:59:59Z',
      '2024-11-03T06:00:00Z',
      '2024-11-03T06:29:59Z',
    ]) {
      expect(upcoming(trigger, after, 1), after).toEqual(['2024-11-04T06:30:00.000Z']);
      expect(latestBefore(trigger, after.replace('05:30:00', '05:30:01')), after).toBe('2024-11-03T05:30:00.000Z');
    }
  });
});

describe('missing dates and periods', () => {
  it('[TR-4] a missing day, leap day or date has no occurrence', () => {
    expect(dates(calendar({ hour: 0, monthDays: [31] }), '2025-01-31T00:00:00Z', 2)).toEqual([
      '2025-03-31',
      '2025-05-31',
    ]);
    expect(dates(calendar({ hour: 0, monthDays: [29], months: [2] }), '2096-03-01T00:00:00Z', 1)).toEqual([
      '2104-02-29',
    ]);
    expect(dates(calendar({ hour: 0, monthDays: [-30], months: [2] }), '2025-01-01T00:00:00Z', 1)).toEqual([]);
    const apia = calendar({ timezone: 'Pacific/Apia', hour: 12, monthDays: [30], months: [12] });
    expect(upcoming(apia, '2011-01-01T00:00:00Z', 1)).toEqual(['2012-12-29T22:00:00.000Z']);
  });

  it.each([
    ['day', 3, '2025-01-30', ['2025-01-30', '2025-02-02', '2025-02-05']],
    ['week', 2, '2025-01-01', ['2025-01-01', '2025-01-15', '2025-01-29']],
    ['month', 2, '2024-12-31', ['2024-12-31', '2025-08-31', '2025-10-31']],
    ['year', 3, '2024-02-29', ['2024-02-29', '2036-02-29', '2048-02-29']],
    ['day', 10_000, '2025-01-01', ['2025-01-01', '2052-05-19', '2079-10-05']],
  ])('[TR-4] every %s by %i from %s keeps its phase', (unit, n, anchor, expected) => {
    const trigger = calendar({ hour: 0, every: { unit, n }, anchor });
    expect(dates(trigger, '2020-01-01T00:00:00Z', 3)).toEqual(expected);
    expect(latestBefore(trigger, `${anchor}T00:00:00Z`)).toBeUndefined();
  });

  it('[TR-4] weeks start on Monday, and nothing is due before the anchor', () => {
    const trigger = calendar({ hour: 0, every: { unit: 'week', n: 2 }, anchor: '2025-01-09', weekdays: [0, 3, 6] });
    expect(dates(trigger, '2024-12-01T00:00:00Z', 4)).toEqual(['2025-01-09', '2025-01-12', '2025-01-20', '2025-01-23']);
  });

  it('[TR-4] a year by unit takes the month of the anchor unless months are given, and its day unless a day is', () => {
    const every = { unit: 'year', n: 1 };
    expect(
      dates(calendar({ hour: 0, every, anchor: '2025-06-15', months: [2, 9] }), '2025-01-01T00:00:00Z', 3),
    ).toEqual(['2025-09-15', '2026-02-15', '2026-09-15']);
    expect(dates(calendar({ hour: 0, every, anchor: '2025-06-15', weekdays: [0] }), '2025-01-01T00:00:00Z', 4)).toEqual(
      ['2025-06-16', '2025-06-23', '2025-06-30', '2026-06-01'],
    );
  });

  it('[TR-4] a month by unit counts from the month of the anchor', () => {
    const trigger = calendar({ hour: 0, every: { unit: 'month', n: 5 }, anchor: '2024-11-10', monthDays: [1, -1] });
    expect(dates(trigger, '2024-01-01T00:00:00Z', 4)).toEqual(['2024-11-30', '2025-04-01', '2025-04-30', '2025-09-01']);
  });
});

describe('bounds', () => {
  it('[TR-5] start is the earliest instant, end the latest, both inclusive', () => {
    const trigger = calendar({ hour: 9, start: '2025-01-02T10:00:00+01:00', end: '2025-01-04T09:00:00Z' });
    expect(dates(trigger, '1990-01-01T00:00:00Z', 9)).toEqual(['2025-01-02', '2025-01-03', '2025-01-04']);
    expect(latestBefore(trigger, '2030-01-01T00:00:00Z')).toBe('2025-01-04T09:00:00.000Z');
    expect(latestBefore(trigger, '2025-01-02T09:00:00Z')).toBeUndefined();
    expect(due(trigger).count(0, Number.POSITIVE_INFINITY, 100)).toBe(3);
  });

  it('[TR-5] an end before the start leaves nothing', () => {
    const trigger = calendar({ hour: 9, start: '2025-01-02T00:00:00Z', end: '2025-01-01T00:00:00Z' });
    expect(upcoming(trigger, '1990-01-01T00:00:00Z', 1)).toEqual([]);
    expect(latestBefore(trigger, '2030-01-01T00:00:00Z')).toBeUndefined();
  });

  it.each([
    ['Pacific/Kiritimati', '2199-12-31T09:59:59.000Z'],
    ['Pacific/Pago_Pago', '2200-01-01T10:59:59.000Z'],
  ])('[TR-14] the last second of 2199 in %s is %s', (timezone, last) => {
    const trigger = calendar({ timezone, times: ['23:59:59'] });
    expect(latestBefore(trigger, '2300-01-01T00:00:00Z')).toBe(last);
    expect(latestBefore(trigger, '9999-01-01T00:00:00Z')).toBe(last);
    expect(upcoming(trigger, last, 1)).toEqual([]);
    expect(upcoming(trigger, '9000-01-01T00:00:00Z', 1)).toEqual([]);
  });

  it('[TR-1] times that are no numbers, or lie before all time, are taken calmly', () => {
    const trigger = due(calendar({ hour: 9 }));
    expect(trigger.next(Number.NaN)).toBeUndefined();
    expect(trigger.previous(Number.NaN)).toBeUndefined();
    expect(trigger.next(Number.POSITIVE_INFINITY)).toBeUndefined();
    expect(trigger.previous(Number.NEGATIVE_INFINITY)).toBeUndefined();
    expect(trigger.next(Number.NEGATIVE_INFINITY)).toBe(Date.parse('1800-01-01T09:00:00Z'));
    expect(trigger.previous(Number.POSITIVE_INFINITY)).toBe(Date.parse('2199-12-31T09:00:00Z'));
    expect(trigger.next(Date.parse('2025-01-01T08:59:59.999Z'))).toBe(Date.parse('2025-01-01T09:00:00Z'));
    expect(trigger.next(Date.parse('2025-01-01T08:59:59Z') + 999.5)).toBe(Date.parse('2025-01-01T09:00:00Z'));
    expect(trigger.list(0, 0)).toEqual([]);
  });
});

describe('bounded search', () => {
  it.each([
    [
      '29 February on a Sunday, over 2100',
      { monthDays: [29], months: [2], weekdays: [6] },
      '2088-03-01T00:00:00Z',
      '2128-02-29',
    ],
    [
      'the fifth Wednesday of February',
      { months: [2], nthWeekdays: [{ weekday: 2, nth: 5 }] },
      '2068-03-01T00:00:00Z',
      '2096-02-29',
    ],
  ])('[TR-8] %s is found', (_what, conditions, after, date) => {
    expect(dates(calendar({ hour: 0, ...conditions }), after, 1)).toEqual([date]);
  });

  it.each([
    ['an impossible date', { monthDays: [31], months: [2, 4, 6] }],
    ['an impossible n-th weekday', { monthDays: [1], nthWeekdays: [{ weekday: 0, nth: 5 }] }],
    ['a leap day in years that have none', { monthDays: [29], months: [2], years: [2025, 2026, 2100] }],
    [
      'a period that never meets its day',
      { every: { unit: 'week', n: 2 }, anchor: '2025-01-06', monthDays: [-31], months: [2] },
    ],
    [
      'a period in which the date never comes',
      { every: { unit: 'year', n: 2 }, anchor: '2025-02-28', monthDays: [29] },
    ],
  ])('[TR-8] %s is answered with nothing in few steps', (_what, conditions) => {
    const trigger = due(calendar({ hour: 0, ...conditions }));
    expect(trigger.next(0)).toBeUndefined();
    expect(trigger.previous(7e12)).toBeUndefined();
    expect(countedSteps(() => trigger.next(0))).toBeLessThan(FEW_STEPS);
    expect(countedSteps(() => trigger.previous(7e12))).toBeLessThan(FEW_STEPS);
  });
});
