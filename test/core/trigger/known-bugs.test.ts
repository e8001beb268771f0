/**
 * Mistakes that schedulers in use have made, each with the answer that is right.
 *
 * The first half are wrong instants, the second half texts that were taken for something else.
 */
import { describe, expect, it } from 'vitest';
import { compileTrigger } from '../../../src/core/trigger/compile.js';
import { due, latestBefore, upcoming } from '../../support/due.js';

const cron = (expression: string, timezone = 'UTC', more: object = {}) => ({
  kind: 'cron',
  expression,
  timezone,
  ...more,
});

/** Rule, what went wrong elsewhere, expression, zone, after, right answers. */
const INSTANTS: readonly (readonly [string, string, string, string, string, readonly string[]])[] = [
  [
    'TR-1',
    'twice the same instant after a gap',
    '30 * * * *',
    'America/New_York',
    '2024-03-10T05:30:00Z',
    ['2024-03-10T06:30', '2024-03-10T07:30', '2024-03-10T08:30'],
  ],
  [
    'TR-1',
    'an instant in the past, from the second pass',
    '30 1 * * *',
    'America/New_York',
    '2024-11-03T06:29:00Z',
    ['2024-11-04T06:30'],
  ],
  [
    'TR-1',
    'back and forth in a half-hour gap',
    '*/15 * * * *',
    'Australia/Lord_Howe',
    '2024-10-05T15:08:20Z',
    ['2024-10-05T15:15', '2024-10-05T15:30', '2024-10-05T15:45', '2024-10-05T16:00', '2024-10-05T16:15'],
  ],
  [
    'TR-4',
    'the day after a missing date twice',
    '0 0 * * *',
    'Pacific/Apia',
    '2011-12-28T12:00:00Z',
    ['2011-12-29T10:00', '2011-12-30T10:00', '2011-12-31T10:00'],
  ],
  [
    'TR-4',
    'the same in Fakaofo',
    '0 0 * * *',
    'Pacific/Fakaofo',
    '2011-12-28T12:00:00Z',
    ['2011-12-29T11:00', '2011-12-30T11:00', '2011-12-31T11:00'],
  ],
  [
    'TR-4',
    'the same in Kiritimati',
    '0 0 * * *',
    'Pacific/Kiritimati',
    '1994-12-30T00:00:00Z',
    ['1994-12-30T10:00', '1994-12-31T10:00', '1995-01-01T10:00'],
  ],
  [
    'TR-6',
    'silence in the repeated hour',
    '0 */20 * * * *',
    'Europe/Vienna',
    '2025-10-26T00:00:00Z',
    ['2025-10-26T00:20', '2025-10-26T00:40', '2025-10-26T01:00', '2025-10-26T01:20'],
  ],
  ['TR-9', 'an hour lost to the host zone', '0 0 * * * *', 'UTC', '2025-10-05T02:00:00Z', ['2025-10-05T03:00']],
  [
    'TR-6',
    'the fourth Saturday, and the fifth',
    '0 0 * * 6#4',
    'UTC',
    '2025-03-01T00:00:00Z',
    ['2025-03-22T00:00', '2025-04-26T00:00'],
  ],
  [
    'TR-6',
    'every Friday for the last one',
    '0 0 * * 5L',
    'UTC',
    '2025-01-01T00:00:00Z',
    ['2025-01-31T00:00', '2025-02-28T00:00'],
  ],
  [
    'TR-6',
    'a list of minutes in both passes',
    '0,30 1 * * *',
    'America/New_York',
    '2024-11-03T04:00:00Z',
    ['2024-11-03T05:00', '2024-11-03T05:30', '2024-11-04T06:00'],
  ],
  [
    'TR-3',
    'the second midnight',
    '@daily',
    'America/Havana',
    '2024-11-02T12:00:00Z',
    ['2024-11-03T04:00', '2024-11-04T05:00'],
  ],
  [
    'TR-3',
    'a time just after a gap moved on by an hour',
    '45 3 * * *',
    'Pacific/Chatham',
    '2024-09-28T00:00:00Z',
    ['2024-09-28T14:00'],
  ],
  [
    'TR-1',
    'backwards at a minute past midnight',
    '*/15 * * * *',
    'America/St_Johns',
    '2010-11-07T02:09:20Z',
    ['2010-11-07T02:15', '2010-11-07T02:30', '2010-11-07T02:45'],
  ],
  [
    'TR-6',
    'the second half-hour lost',
    '*/15 * * * *',
    'Australia/Lord_Howe',
    '2024-04-06T14:44:00Z',
    ['2024-04-06T14:45', '2024-04-06T15:00', '2024-04-06T15:15', '2024-04-06T15:30'],
  ],
  [
    'TR-1',
    'an end after one value',
    '0 */1 * * *',
    'Australia/Lord_Howe',
    '2024-10-05T13:00:00Z',
    ['2024-10-05T13:30', '2024-10-05T14:30', '2024-10-05T16:00'],
  ],
  ['TR-3', 'a whole Sunday skipped', '0 8 * * 0', 'America/Chicago', '2026-03-08T05:45:00Z', ['2026-03-08T13:00']],
  ['TR-6', 'day 4 from `1-3,5-31`', '0 0 1-3,5-31 * *', 'UTC', '2025-01-03T00:00:00Z', ['2025-01-05T00:00']],
  [
    'TR-1',
    'two instants for ever',
    '*/15 * * * *',
    'Australia/Lord_Howe',
    '2024-04-06T14:38:20Z',
    ['2024-04-06T14:45', '2024-04-06T15:00', '2024-04-06T15:15'],
  ],
  [
    'TR-3',
    'an hour too early after the clock went back',
    '0 2 * * *',
    'America/New_York',
    '2024-11-03T04:00:00Z',
    ['2024-11-03T07:00'],
  ],
  [
    'TR-3',
    'an extra time an hour before midnight',
    '@daily',
    'America/Sao_Paulo',
    '2018-02-17T12:00:00Z',
    ['2018-02-18T03:00', '2018-02-19T03:00'],
  ],
  [
    'TR-3',
    'an extra time an hour before midnight, in Cairo',
    '@daily',
    'Africa/Cairo',
    '2024-10-30T12:00:00Z',
    ['2024-10-30T21:00', '2024-10-31T22:00'],
  ],
  [
    'TR-3',
    'twice at a half-hour gap',
    '30 2 * * *',
    'Australia/Lord_Howe',
    '2024-10-05T00:00:00Z',
    ['2024-10-05T15:30', '2024-10-06T15:30'],
  ],
  [
    'TR-3',
    'a hang on a midnight gap',
    '0 0 12 11,26 * *',
    'America/Sao_Paulo',
    '2018-11-01T00:00:00Z',
    ['2018-11-11T14:00', '2018-11-26T14:00'],
  ],
  [
    'TR-3',
    'the second pass east of Greenwich',
    '30 2 * * *',
    'Europe/Berlin',
    '2024-10-26T12:00:00Z',
    ['2024-10-27T00:30'],
  ],
  ['TR-6', 'only Friday the 13th', '0 0 13 * 5', 'UTC', '2025-01-01T00:00:00Z', ['2025-01-03T00:00']],
  [
    'TR-6',
    'Sundays only for every day',
    '0 0 * * 0-7',
    'UTC',
    '2025-01-01T00:00:00Z',
    ['2025-01-02T00:00', '2025-01-03T00:00'],
  ],
  [
    'TR-1',
    'backwards in Chatham',
    '*/15 * * * *',
    'Pacific/Chatham',
    '2024-09-28T13:40:00Z',
    ['2024-09-28T13:45', '2024-09-28T14:00', '2024-09-28T14:15'],
  ],
  [
    'TR-6',
    'the first pass lost',
    '*/15 * * * *',
    'America/New_York',
    '2024-11-03T05:38:20Z',
    ['2024-11-03T05:45', '2024-11-03T06:00'],
  ],
  [
    'TR-6',
    'a month skipped, asked on a Saturday the 1st',
    '0 0 1W * *',
    'UTC',
    '2022-01-01T00:00:00Z',
    ['2022-01-03T00:00'],
  ],
  [
    'TR-3',
    'no answer near a minute past midnight',
    '30 0 * * *',
    'America/St_Johns',
    '2006-10-28T12:00:00Z',
    ['2006-10-29T04:00'],
  ],
  [
    'TR-3',
    'no answer on the second Sunday of March',
    '30 2 8-14 3 +SUN',
    'America/New_York',
    '2024-01-01T00:00:00Z',
    [],
  ],
  ['TR-3', 'a hang in Santiago', '0 0 * * *', 'America/Santiago', '2018-08-11T12:00:00Z', ['2018-08-13T03:00']],
  [
    'TR-4',
    'the same in Kwajalein',
    '0 0 * * *',
    'Pacific/Kwajalein',
    '1993-08-20T00:00:00Z',
    ['1993-08-20T12:00', '1993-08-21T12:00', '1993-08-22T12:00'],
  ],
  [
    'TR-6',
    'a list of hours that loses its run of the day with the run in the gap',
    '30 2,14 * * *',
    'America/New_York',
    '2024-03-09T20:00:00Z',
    ['2024-03-10T18:30', '2024-03-11T06:30'],
  ],
  [
    'TR-3',
    'the second midnight in the Azores',
    '@daily',
    'Atlantic/Azores',
    '2024-10-26T12:00:00Z',
    ['2024-10-27T00:00', '2024-10-28T01:00'],
  ],
  [
    'TR-3',
    'an endless loop where midnight is in the gap',
    '0 0 * * *',
    'America/Sao_Paulo',
    '2018-11-03T12:00:00Z',
    ['2018-11-05T02:00', '2018-11-06T02:00'],
  ],
  [
    'TR-1',
    'an end after a gap',
    '0 0 1 * *',
    'America/Asuncion',
    '2023-09-30T12:00:00Z',
    ['2023-11-01T03:00', '2023-12-01T03:00'],
  ],
  [
    'TR-4',
    'short months out of a list of months',
    '0 0 31 1,2,4,5 *',
    'UTC',
    '2025-01-01T00:00:00Z',
    ['2025-01-31T00:00', '2025-05-31T00:00', '2026-01-31T00:00'],
  ],
  [
    'TR-3',
    'an extra time an hour before midnight, in Beirut',
    '@daily',
    'Asia/Beirut',
    '2024-10-25T12:00:00Z',
    ['2024-10-25T21:00', '2024-10-26T22:00', '2024-10-27T22:00'],
  ],
  [
    'TR-3',
    'the same in Asuncion',
    '@daily',
    'America/Asuncion',
    '2024-03-22T12:00:00Z',
    ['2024-03-23T03:00', '2024-03-24T04:00'],
  ],
  [
    'TR-3',
    'the same in Almaty',
    '@daily',
    'Asia/Almaty',
    '2024-02-28T12:00:00Z',
    ['2024-02-28T18:00', '2024-02-29T19:00'],
  ],
  [
    'TR-3',
    'the same in Juba',
    '@daily',
    'Africa/Juba',
    '2021-01-30T12:00:00Z',
    ['2021-01-30T21:00', '2021-01-31T22:00'],
  ],
  [
    'TR-6',
    'whole hours lost where the clock goes back by two',
    '0 * * * *',
    'Antarctica/Troll',
    '2024-10-27T00:30:00Z',
    ['2024-10-27T01:00', '2024-10-27T02:00', '2024-10-27T03:00', '2024-10-27T04:00'],
  ],
  [
    'TR-6',
    'whole hours lost where the clock goes back by three',
    '0 * * * *',
    'Antarctica/Casey',
    '2023-03-08T14:30:00Z',
    ['2023-03-08T15:00', '2023-03-08T16:00', '2023-03-08T17:00', '2023-03-08T18:00', '2023-03-08T19:00'],
  ],
  [
    'TR-1',
    'a month too late, asked on the 31st at 23:56',
    '0 0 * * *',
    'UTC',
    '2025-01-31T23:56:00Z',
    ['2025-02-01T00:00'],
  ],
  [
    'TR-3',
    'the second pass alone',
    '30 1 * * *',
    'America/New_York',
    '2024-11-03T04:00:00Z',
    ['2024-11-03T05:30', '2024-11-04T06:30'],
  ],
  [
    'TR-3',
    'no answer in a gap of Chatham',
    '45 2 * * *',
    'Pacific/Chatham',
    '2024-09-27T00:00:00Z',
    ['2024-09-27T14:00', '2024-09-29T13:00'],
  ],
  [
    'TR-1',
    'a jump back to summer time from inside the repeated hour',
    '0 0,3 * * *',
    'Europe/Berlin',
    '2024-10-27T01:10:00Z',
    ['2024-10-27T02:00', '2024-10-27T23:00'],
  ],
];

describe('wrong instants elsewhere', () => {
  it.each(INSTANTS)('[%s] not %s: %s in %s after %s', (_rule, _mistake, expression, timezone, after, expected) => {
    const found = upcoming(cron(expression, timezone), after, expected.length || 1);
    expect(found.map((text) => text.slice(0, 16))).toEqual(expected);
  });

  it('[TR-1] not a day skipped backwards', () => {
    expect(latestBefore(cron('0 0 * * *', 'America/Sao_Paulo'), '2018-11-05T12:00:00Z')).toBe(
      '2018-11-05T02:00:00.000Z',
    );
    expect(latestBefore(cron('0 0 * * *', 'America/Sao_Paulo'), '2018-11-05T02:00:00Z')).toBe(
      '2018-11-03T03:00:00.000Z',
    );
  });

  it('[TR-6] no second lost or repeated where an hour is', () => {
    const trigger = due(cron('* * * * * *', 'Europe/Vienna'));
    const from = Date.parse('2025-10-26T00:59:57Z');
    expect(trigger.list(from, 5)).toEqual([1, 2, 3, 4, 5].map((n) => from + n * 1000));
    const through = Date.parse('2025-10-26T03:00:00Z');
    expect(trigger.count(Date.parse('2025-10-26T00:00:00Z'), through, 1e6)).toBe(3 * 3600);
  });

  it.each([
    ['Australia/Sydney', '2024-04-06T14:38:20Z'],
    ['Pacific/Chatham', '2024-04-06T13:08:20Z'],
    ['America/Asuncion', '2024-03-24T01:38:20Z'],
    ['Africa/Casablanca', '2024-03-10T00:38:20Z'],
    ['Asia/Pyongyang', '2015-08-14T14:08:20Z'],
    ['America/Caracas', '2007-12-09T06:08:20Z'],
    ['Europe/Istanbul', '2015-11-07T23:38:20Z'],
    ['America/New_York', '2024-03-10T05:38:20Z'],
  ])('[TR-1] not two instants for ever in %s, nor a quarter of an hour left out', (timezone, after) => {
    const list = due(cron('*/15 * * * *', timezone)).list(Date.parse(after), 40);
    const first = list[0] as number;
    expect(list).toEqual(list.map((_, i) => first + i * 900_000));
    expect(first - Date.parse(after)).toBeLessThan(900_000);
  });

  it('[TR-6] the list `1,3,5` is not stored as `1/2`', () => {
    const result = compileTrigger(cron('1,3,5 * * * *'));
    expect(result.ok && result.normalized).toMatchObject({ expression: '1,3,5 * * * *' });
  });

  it('[TR-8] not an endless loop on an impossible date', () => {
    for (const expression of ['0 0 30 2 *', '0 0 31 4,6,9,11 *', '0 0 31W 4 *', '0 0 0 29 2 * 2025']) {
      expect(due(cron(expression)).next(0), expression).toBeUndefined();
      expect(due(cron(expression)).previous(7e12), expression).toBeUndefined();
    }
  });

  it('[TR-4] not the missing date twice from a calendar trigger', () => {
    const trigger = { kind: 'calendar', timezone: 'Pacific/Apia', hour: 12 };
    expect(upcoming(trigger, '2011-12-28T00:00:00Z', 4).map((text) => text.slice(0, 13))).toEqual([
      '2011-12-28T22',
      '2011-12-29T22',
      '2011-12-30T22',
      '2011-12-31T22',
    ]);
  });
});

describe('texts taken for something else', () => {
  it.each([
    '0 0 * * 5L',
    '0 0 * * 5#3',
    '0 0 15W * *',
    '1,1,1 * * * *',
    '0-10,5-15 * * * *',
    '*,5 * * * *',
    '0 0 * * FRI-SUN',
    '0 0 * * MON#1,WED#3',
    '0 0 31 2 *',
  ])('[TR-6] %j is accepted', (expression) => {
    expect(compileTrigger(cron(expression)).ok).toBe(true);
  });

  it.each([
    '',
    '*',
    '* * *',
    '*/60 * * * *',
    '? * * * *',
    '0 0 1,? * *',
    '*\n* * * *',
    '* * * * *\u00a0',
    'JAN * * * *',
    '0 MON * * *',
    '5* * * * *',
    '1.5 * * * *',
    '1-2-3 * * * *',
    '0x10 * * * *',
    '1/k * * * *',
    '5L * * * *',
    '0 0 * * 1-5#2',
    '0 0 * * MON-FRIL',
    '0 0 * * THUR',
    '٥ * * * *',
  ])('[TR-7] %j is refused', (expression) => {
    expect(compileTrigger(cron(expression)).ok).toBe(false);
  });

  it('[TR-9] an empty zone is refused', () => {
    expect(compileTrigger(cron('* * * * *', '')).ok).toBe(false);
  });
});
