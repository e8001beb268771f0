/** Triggers in words: every form of the grammar has its phrase, and none says more or less than what runs. */
import { expect, describe as group, it } from 'vitest';
import { describe } from '../../../src/core/explain/describe/describe.js';
import type { CalendarTrigger, CronDialect, RruleTrigger, Trigger } from '../../../src/core/model/trigger.js';

const ALL = Array.from({ length: 31 }, (_, day) => day + 1);

group('cron in words', () => {
  it.each<[expression: string, words: string, dialect?: CronDialect]>([
    ['* * * * *', 'Every minute, UTC'],
    ['* * * * * *', 'Every second, UTC'],
    ['*/15 * * * *', 'Every 15 minutes, UTC'],
    ['*/10 * * * * *', 'Every 10 seconds, UTC'],
    ['0,30 * * * *', 'Every 30 minutes, UTC'],
    ['15,45 * * * *', 'Every 30 minutes from 00:15 to 23:45 every day, UTC'],
    ['*/45 * * * *', 'At minutes 0 and 45 of every hour, UTC'],
    ['*/7 * * * *', 'At minutes 0 to 56 (in steps of 7) of every hour, UTC'],
    ['1-59/2 * * * *', 'Every 2 minutes from 00:01 to 23:59 every day, UTC'],
    ['5/15 * * * *', 'Every 15 minutes from 00:05 to 23:50 every day, UTC', { sloppySteps: true }],
    ['@hourly', 'Every hour, UTC'],
    ['0 0-23 * * *', 'Every hour from 00:00 to 23:00 every day, UTC'],
    ['30 * * * *', 'Every hour from 00:30 to 23:30 every day, UTC'],
    ['0 */2 * * *', 'Every 2 hours from 00:00 to 22:00 every day, UTC'],
    ['0 */6 * * *', 'At 00:00, 06:00, 12:00 and 18:00 every day, UTC'],
    ['0 9-17 * * *', 'Every hour from 09:00 to 17:00 every day, UTC'],
    ['*/15 9-17 * * MON-FRI', 'Every 15 minutes from 09:00 to 17:45 on Mondays to Fridays, UTC'],
    ['*/5 9,12 * * *', 'Every 5 minutes of hours 9 and 12 every day, UTC'],
    ['0,15 * 8,10 * * *', 'At seconds 0 and 15 of every minute of hours 8 and 10 every day, UTC'],
    ['0 22-2 * * *', 'At 00:00, 01:00, 02:00, 22:00 and 23:00 every day, UTC', { wrapRanges: true }],
    ['0,30 1 * * *', 'At 01:00 and 01:30 every day, UTC'],
    ['@daily', 'At 00:00 every day, UTC'],
    ['0 30 2 * * *', 'At 02:30 every day, UTC'],
    ['30 30 2 * * *', 'At 02:30:30 every day, UTC'],
    ['30 2 * * 1-5', 'At 02:30 on Mondays to Fridays, UTC'],
    ['30 2 * * 2-6', 'At 02:30 on Mondays to Fridays, UTC', { weekdays: 'quartz' }],
    ['0 0 * * 7', 'At 00:00 on Sundays, UTC'],
    ['0 0 * * 5-7', 'At 00:00 on Fridays to Sundays, UTC'],
    ['0 0 * * 1,3', 'At 00:00 on Mondays and Wednesdays, UTC'],
    ['0 0 * * 0-6', 'At 00:00 every day, UTC'],
    ['0 0 * * 6#3', 'At 00:00 on the 3rd Saturday of the month, UTC'],
    ['0 0 * * 5L', 'At 00:00 on the last Friday of the month, UTC'],
    ['0 0 * * 5#L', 'At 00:00 on the last Friday of the month, UTC'],
    ['0 0 * * MON#1,WED#3', 'At 00:00 on the 1st Monday and the 3rd Wednesday of the month, UTC'],
    ['0 0 * * MON,TUE#2', 'At 00:00 on Mondays and the 2nd Tuesday of the month, UTC'],
    ['0 0 L * *', 'At 00:00 on the last day of the month, UTC'],
    ['0 0 L,15 * *', 'At 00:00 on day 15 and the last day of the month, UTC'],
    ['0 0 L-3 * *', 'At 00:00 on the 4th last day of the month, UTC', { lastOffset: true }],
    ['0 0 LW * *', 'At 00:00 on the last workday (Monday to Friday) of the month, UTC'],
    ['0 0 15W * *', 'At 00:00 on the workday (Monday to Friday) nearest day 15 of the month, UTC'],
    ['0 0 1,15W * *', 'At 00:00 on day 1 and the workday (Monday to Friday) nearest day 15 of the month, UTC'],
    ['0 0 13 * 5', 'At 00:00 on day 13 of the month or on Fridays, UTC'],
    ['0 0 13 * +5', 'At 00:00 on Fridays that fall on day 13 of the month, UTC'],
    ['0 0 13 * 5', 'At 00:00 on Fridays that fall on day 13 of the month, UTC', { dayFields: 'and' }],
    ['0 0 */2 * MON', 'At 00:00 on days 1 to 31 (in steps of 2) of the month or on Mondays, UTC'],
    [
      '0 0 1-7 6-8,12 +MON',
      'At 00:00 on Mondays that fall on days 1 to 7 of the month, in June to August and December, UTC',
    ],
    ['@yearly', 'At 00:00 on day 1 of January, UTC'],
    ['0 0 * 1 1', 'At 00:00 on Mondays in January, UTC'],
    ['0 0 * 1 *', 'At 00:00 every day in January, UTC'],
    ['0 0 1 1 * * 2030', 'At 01:00 on day 1 of the month, in 2030, UTC'],
    ['7 7 7 7 7 7 2040', 'At 07:07:07 on day 7 of the month or on Sundays, in July, in 2040, UTC'],
    ['0 0 29 2 +SUN', 'At 00:00 on Sundays that fall on day 29 of the month, in February, UTC'],
    ['0 0 31 2 *', 'Never, since no date matches: at 00:00 on day 31 of February, UTC'],
  ])('[TR-11, TR-6] %s is "%s"', (expression, words, dialect) => {
    expect(describe({ kind: 'cron', expression, timezone: 'UTC', ...(dialect && { dialect }) })).toBe(words);
  });

  it('[TR-11] says the zone of a bare cron text, and every departure from the usual meaning', () => {
    expect(describe('30 2 * * *', { timezone: 'europe/berlin' })).toBe('At 02:30 every day, Europe/Berlin');
    const trigger: Trigger = {
      kind: 'cron',
      expression: '30 2 * * *',
      timezone: 'Europe/Berlin',
      start: '2027-01-01T00:00:00+01:00',
      end: '2028-01-01T00:00:00Z',
      gap: 'shift',
      repeat: 'both',
    };
    expect(describe(trigger)).toBe(
      'At 02:30 every day, Europe/Berlin, from 2026-12-31T23:00:00.000Z, until 2028-01-01T00:00:00.000Z; a time that the clock skips is moved to the end of the gap; a time that the clock repeats counts both times',
    );
  });

  it('[TR-11, TR-13] do not say of a wildcard job that `gap` moves anything', () => {
    const trigger = { kind: 'cron', expression: '*/30 2 * * *', timezone: 'Europe/Berlin', gap: 'shift' } as const;
    expect(describe(trigger)).toBe(
      'At 02:00 and 02:30 every day, Europe/Berlin; a time that the clock repeats counts both times',
    );
  });
});

group('calendars in words', () => {
  it.each<[trigger: Partial<CalendarTrigger>, words: string]>([
    [{ hour: 9 }, 'At 09:00 every day'],
    [
      { times: ['17:30:15', '09:00'], weekdays: [5, 6], months: [1] },
      'At 09:00 and 17:30:15 on Saturdays and Sundays in January',
    ],
    [
      { hour: [9, 12], minute: [0, 7], years: [2030, 2031, 2032] },
      'At 09:00, 09:07, 12:00 and 12:07 every day, in 2030 to 2032',
    ],
    [{ hour: 9, monthDays: [1, -1, -3] }, 'At 09:00 on day 1, the last day and the 3rd last day of the month'],
    [{ hour: 9, monthDays: ALL }, 'At 09:00 on days 1 to 31 of the month'],
    [
      {
        hour: 9,
        nthWeekdays: [
          { weekday: 3, nth: 2 },
          { weekday: 0, nth: -2 },
        ],
      },
      'At 09:00 on the 2nd last Monday and the 2nd Thursday of the month',
    ],
    [
      { hour: 9, nthWeekdays: [{ weekday: 3, nth: 2 }], monthDays: [13] },
      'At 09:00 on the 2nd Thursday of the month if it falls on day 13 of the month',
    ],
    [
      { hour: 9, nthWeekdays: [{ weekday: 3, nth: 2 }], weekdays: [1] },
      'Never, since no date matches: at 09:00 on no weekday',
    ],
    [{ hour: 9, every: { unit: 'day', n: 3 }, anchor: '2026-01-07' }, 'At 09:00 every 3rd day from 2026-01-07 on'],
    [
      { hour: 9, every: { unit: 'week', n: 2 }, anchor: '2026-01-07' },
      'At 09:00 on Wednesdays, in every 2nd week from 2026-01-07 on',
    ],
    [
      { hour: 9, every: { unit: 'week', n: 1 }, anchor: '2026-01-07', weekdays: [0] },
      'At 09:00 on Mondays, from 2026-01-07 on',
    ],
    [
      { hour: 9, every: { unit: 'month', n: 3 }, anchor: '2026-01-31' },
      'At 09:00 on day 31 of the month, in every 3rd month from 2026-01-31 on',
    ],
    [
      { hour: 9, every: { unit: 'year', n: 4 }, anchor: '2024-02-29' },
      'At 09:00 on day 29 of February, in every 4th year from 2024-02-29 on',
    ],
  ])('[TR-11, TR-3, TR-4] %j is "%s"', (parts, words) => {
    expect(describe({ kind: 'calendar', timezone: 'Europe/Berlin', ...parts })).toBe(`${words}, Europe/Berlin`);
  });
});

group('recurrence rules in words', () => {
  it.each<[rule: string, words: string, more?: Partial<RruleTrigger>]>([
    [
      'FREQ=DAILY;INTERVAL=3;COUNT=10',
      'At 09:00 every 3rd day counted from 2026-01-05, UTC, from 2026-01-05T09:00:00, 10 times',
    ],
    [
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU;WKST=SU',
      'At 09:00 on Sundays, in every 2nd week counted from 2026-01-05 (weeks begin on Sunday), UTC, from 2026-01-05T09:00:00',
    ],
    [
      'FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20271231T000000Z',
      'At 09:00 on the last Friday of the month, UTC, from 2026-01-05T09:00:00, until 2027-12-31T00:00:00Z',
    ],
    [
      'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1,-2',
      'At 09:00 on Mondays and Tuesdays, but only the first and the 2nd last of these times in each month, UTC, from 2026-01-05T09:00:00',
    ],
    [
      'FREQ=YEARLY;BYYEARDAY=1,100,-1',
      'At 09:00 on days 1 and 100 and the last day of the year, UTC, from 2026-01-05T09:00:00',
    ],
    [
      'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO',
      'At 09:00 on Mondays, only in week 20 of the year, UTC, from 2026-01-05T09:00:00',
    ],
    ['FREQ=YEARLY;BYDAY=20MO', 'At 09:00 on the 20th Monday of the year, UTC, from 2026-01-05T09:00:00'],
    [
      'FREQ=SECONDLY;INTERVAL=7',
      'Every 7 seconds on the clock, counted from 2026-01-05T09:00:00, UTC, from 2026-01-05T09:00:00',
    ],
    ['FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2', 'Never, since no time meets the rule, UTC, from 2026-01-05T09:00:00'],
    [
      'FREQ=DAILY',
      'At 09:00 every day, UTC, from 2026-01-05T09:00:00; not at 2026-01-06T09:00:00; also at 2026-01-06T10:00:00',
      { exdates: ['2026-01-06T09:00'], rdates: ['2026-01-06T10:00'] },
    ],
  ])('[TR-11, TR-14] %s is "%s"', (rule, words, more) => {
    expect(describe({ kind: 'rrule', rule, dtstart: '2026-01-05T09:00:00', timezone: 'UTC', ...more })).toBe(words);
  });
});

group('other triggers in words', () => {
  it('[TR-11, TR-2] intervals are elapsed time, in units that are exact', () => {
    const interval = (everySeconds: number) =>
      describe({ kind: 'interval', start: '2026-01-01T00:00:00Z', everySeconds });
    expect(interval(86_400)).toBe('Every 24 hours of elapsed time from 2026-01-01T00:00:00.000Z');
    expect(interval(3600)).toMatch(/^Every hour of elapsed time/);
    expect(interval(5400.5)).toMatch(/^Every 1 hour 30 minutes 0\.5 seconds of elapsed time/);
  });

  it('[TR-11] one-shots and triggers of the hand', () => {
    expect(describe({ kind: 'once', at: '2026-01-01T01:00:00+01:00' })).toBe('Once, at 2026-01-01T00:00:00.000Z');
    expect(describe({ kind: 'manual' })).toBe('Never by itself: only when it is triggered by hand');
  });

  it('[TR-11] a union tells its triggers in the order in which they were given, and says where there are more', () => {
    const one: Trigger = { kind: 'once', at: '2026-01-01T00:00:00Z' };
    const daily: Trigger = { kind: 'cron', expression: '@daily', timezone: 'UTC' };
    const inner: Trigger = { kind: 'anyOf', of: [daily, { ...daily, expression: '@hourly' }] };
    expect(describe({ kind: 'anyOf', of: [one, inner] })).toBe(
      'Whenever one of these is due: (1) once, at 2026-01-01T00:00:00.000Z, (2) [whenever one of these is due: (2.1) at 00:00 every day, UTC, (2.2) every hour, UTC]',
    );
    const many = Array.from({ length: 30 }, (_, i) => ({ ...daily, expression: `${i} 0 * * *` }));
    expect(describe({ kind: 'anyOf', of: many })).toMatch(/\(20\) .*, and 10 more$/);
  });

  it('[TR-11, DE-12] what is left out and the spread stand at the end', () => {
    const words = describe({
      id: 'nightly',
      trigger: { kind: 'interval', start: '2026-01-01T00:00:00Z', everySeconds: 60 },
      exclude: {
        dates: ['2026-12-25', '2026-12-24/2026-12-26'],
        weekdays: [5, 6],
        calendar: 'de',
        timezone: 'Europe/Berlin',
      },
      spreadSeconds: 600,
    });
    expect(words).toMatch(
      /^Every minute of elapsed time from .*; except on 2026-12-24 to 2026-12-26, Saturdays, Sundays and the days of the calendar "de", Europe\/Berlin; the spread puts it off by [\d.]+ (minutes?|seconds?).*$/,
    );
  });

  it('[TR-11] refuses what is no trigger, with its issues', () => {
    expect(() => describe('61 * * * *')).toThrow(/expression: minute: "61"/);
  });
});
