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
