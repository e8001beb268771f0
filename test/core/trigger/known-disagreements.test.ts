/**
 * Inputs on which schedulers in use give different answers, each with ours; and what recurrence rules have met elsewhere.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { compileTrigger } from '../../../src/core/trigger/compile.js';
import { due, issuesOf, upcoming } from '../../support/due.js';

const NEW_YORK = 'America/New_York';

/** Rule, what is told apart, expression, zone, after, right answers. */
const ANSWERS: readonly (readonly [string, string, string, string, string, readonly string[]])[] = [
  [
    'TR-3',
    'a time in the gap is skipped, not moved to 03:00 or 03:30',
    '30 2 * * *',
    NEW_YORK,
    '2024-03-09T12:00:00Z',
    ['2024-03-11T06:30'],
  ],
  [
    'TR-3',
    'from inside the second pass the next is tomorrow',
    '30 1 * * *',
    NEW_YORK,
    '2024-11-03T06:29:00Z',
    ['2024-11-04T06:30'],
  ],
  [
    'TR-6',
    'a step from `*` in the minutes runs in both passes',
    '*/30 1 * * *',
    NEW_YORK,
    '2024-11-03T04:00:00Z',
    ['2024-11-03T05:00', '2024-11-03T05:30', '2024-11-03T06:00', '2024-11-03T06:30', '2024-11-04T06:00'],
  ],
  [
    'TR-6',
    'a list of minutes runs in the first pass',
    '0,30 1 * * *',
    NEW_YORK,
    '2024-11-03T04:00:00Z',
    ['2024-11-03T05:00', '2024-11-03T05:30', '2024-11-04T06:00'],
  ],
  [
    'TR-6',
    'every second hour leaves out the one in the gap',
    '0 */2 * * *',
    NEW_YORK,
    '2024-03-10T04:59:00Z',
    ['2024-03-10T05:00', '2024-03-10T08:00', '2024-03-10T10:00'],
  ],
  [
    'TR-3',
    'midnight twice is midnight once',
    '0 0 * * *',
    'America/Havana',
    '2024-11-02T12:00:00Z',
    ['2024-11-03T04:00', '2024-11-04T05:00'],
  ],
  [
    'TR-4',
    'a date that was left out has no occurrence that year',
    '0 0 30 12 *',
    'Pacific/Apia',
    '2011-01-01T00:00:00Z',
    ['2012-12-29T10:00'],
  ],
  [
    'TR-6',
    'a stepped day of the month or a weekday, either',
    '0 0 */2 * MON',
    'UTC',
    '2025-06-01T00:00:00Z',
    ['2025-06-02T00:00', '2025-06-03T00:00', '2025-06-05T00:00', '2025-06-07T00:00', '2025-06-09T00:00'],
  ],
  [
    'TR-6',
    'the 13th or a Friday, either',
    '0 0 13 * 5',
    'UTC',
    '2025-06-01T00:00:00Z',
    ['2025-06-06T00:00', '2025-06-13T00:00', '2025-06-20T00:00'],
  ],
  [
    'TR-6',
    '31W skips short months, and is Friday the 29th in May 2020',
    '0 0 31W * *',
    'UTC',
    '2020-02-01T00:00:00Z',
    ['2020-03-31T00:00', '2020-05-29T00:00', '2020-07-31T00:00', '2020-08-31T00:00'],
  ],
  ['TR-8', '29 February is found across 2100', '0 0 29 2 *', 'UTC', '2096-03-01T00:00:00Z', ['2104-02-29T00:00']],
  [
    'TR-8',
    '29 February on a Sunday is found across forty years',
    '0 0 29 2 +SUN',
    'UTC',
    '2088-03-01T00:00:00Z',
    ['2128-02-29T00:00'],
  ],
];

const rule = (text: string, dtstart: string, timezone = 'UTC', more: object = {}) => ({
  kind: 'rrule',
  rule: text,
  dtstart,
  timezone,
  ...more,
});

describe('answers that differ elsewhere', () => {
  it.each(ANSWERS)('[%s] %s: %s in %s after %s', (_rule, _what, expression, timezone, after, expected) => {
    const found = upcoming({ kind: 'cron', expression, timezone }, after, expected.length);
    expect(found.map((text) => text.slice(0, 16))).toEqual(expected);
  });

  it.each(['*/60 * * * *', '0 0 * * 1-5#2', '0 0 * * MON-FRIL'])('[TR-7] %j is refused', (expression) => {
    expect(issuesOf({ kind: 'cron', expression, timezone: 'UTC' })[0]?.message).toMatch(/; allowed are \d-/);
  });

  it('[TR-6] a nickname means the same in every dialect', () => {
    const dialect = { weekdays: 'quartz', dayFields: 'and', fields: 5 };
    const weekly = { kind: 'cron', expression: '@weekly', timezone: 'UTC', dialect };
    expect(upcoming(weekly, '2025-01-01T00:00:00Z', 1)).toEqual(['2025-01-05T00:00:00.000Z']);
  });

  it('[TR-14] a daily rule ignores the day on which its time is in the gap', () => {
    const daily = rule('FREQ=DAILY', '2024-03-09T02:30:00', NEW_YORK);
    expect(upcoming(daily, '2024-03-09T00:00:00Z', 3).map((text) => text.slice(0, 16))).toEqual([
      '2024-03-09T07:30',
      '2024-03-11T06:30',
      '2024-03-12T06:30',
    ]);
  });
});

describe('what recurrence rules have met elsewhere', () => {
  const hostZone = process.env['TZ'];
  afterEach(() => {
    if (hostZone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = hostZone;
  });

  it.each(['UTC', NEW_YORK, 'Asia/Tokyo', 'Australia/Lord_Howe'])(
    '[TR-9, TR-14] results that depend on the zone of the host, here %s',
    (host) => {
      process.env['TZ'] = host;
      const daily = rule('FREQ=DAILY', '2025-03-28T09:00:00', 'Europe/Berlin');
      expect(upcoming(daily, '2025-03-28T00:00:00Z', 4).map((text) => text.slice(0, 16))).toEqual([
        '2025-03-28T08:00',
        '2025-03-29T08:00',
        '2025-03-30T07:00',
        '2025-03-31T07:00',
      ]);
    },
  );

  it('[TR-14] one pass of a repeated hour left, where the time is taken out; both given, where it is put in', () => {
    const hourly = rule('FREQ=HOURLY', '2024-11-03T00:30:00', NEW_YORK, { exdates: ['2024-11-03T01:30:00'] });
    expect(upcoming(hourly, '2024-11-03T04:00:00Z', 3).map((text) => text.slice(0, 16))).toEqual([
      '2024-11-03T04:30',
      '2024-11-03T07:30',
      '2024-11-03T08:30',
    ]);
    const put = rule('FREQ=YEARLY;COUNT=1', '2024-01-01T00:00:00', NEW_YORK, { rdates: ['2024-11-03T01:30:00'] });
    expect(upcoming(put, '2024-06-01T00:00:00Z', 3)).toEqual(['2024-11-03T05:30:00.000Z']);
  });

  it('[TR-14] a week cut where the years end: its last Friday lies in 2200, so its Monday is not the last', () => {
    const lastOfWeek = rule('FREQ=WEEKLY;BYDAY=MO,FR;BYSETPOS=-1', '2199-12-20T00:00:00');
    expect(upcoming(lastOfWeek, '2199-12-19T00:00:00Z', 9).map((text) => text.slice(0, 10))).toEqual([
      '2199-12-20',
      '2199-12-27',
    ]);
    const secondOfWeek = rule('FREQ=WEEKLY;BYDAY=MO,FR;BYSETPOS=-2', '2199-12-20T00:00:00');
    expect(upcoming(secondOfWeek, '2199-12-24T00:00:00Z', 9).map((text) => text.slice(0, 10))).toEqual(['2199-12-30']);
  });

  it('[TR-1, TR-14] a date put in is missed, asked half a millisecond before it', () => {
    const put = rule('FREQ=YEARLY;COUNT=1', '2033-09-05T10:59:00', 'UTC', { rdates: ['2035-06-29T05:00:00'] });
    const at = Date.parse('2035-06-29T05:00:00Z');
    expect(due(put).next(at - 0.5)).toBe(at);
    expect(due(put).previous(at + 0.5)).toBe(at);
    expect(due(put).next(at)).toBeUndefined();
  });

  it.each(['FREQ=DAILY;INTERVAL=-1', 'FREQ=DAILY;INTERVAL=0', 'FREQ=DAILY;COUNT=0', 'FREQ=DAILY;COUNT=-3'])(
    '[TR-14] a search without end, or an empty set, for %j',
    (text) => {
      const result = compileTrigger(rule(text, '2025-01-01T09:00:00'));
      expect(result.ok).toBe(false);
    },
  );

  it.each([
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=31',
    'FREQ=YEARLY;BYYEARDAY=366;BYMONTH=1',
    'FREQ=HOURLY;INTERVAL=24;BYHOUR=5',
    'FREQ=MINUTELY;INTERVAL=2;BYMINUTE=1',
    'FREQ=SECONDLY;INTERVAL=2;BYSECOND=1;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6',
    'FREQ=WEEKLY;BYDAY=MO;BYMONTH=2;BYSETPOS=3',
  ])('[TR-8, TR-14] fifteen seconds of search for %s, which never matches', (text) => {
    const never = due(rule(text, '2025-01-01T09:00:00', 'Europe/Berlin'));
    const started = process.cpuUsage();
    expect(never.next(0)).toBeUndefined();
    expect(never.previous(7e12)).toBeUndefined();
    // Microseconds of this process; the first answer of a zone reads its clock.
    expect(process.cpuUsage(started).user).toBeLessThan(500_000);
  });
});
