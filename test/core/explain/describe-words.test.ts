/** Sentences that once said less, or another thing, than what runs; and those that nobody could read. */
import { expect, describe as group, it } from 'vitest';
import { describe } from '../../../src/core/explain/describe/describe.js';
import { explain } from '../../../src/core/explain/instant/explain.js';
import type { RruleTrigger, Trigger } from '../../../src/core/model/trigger.js';

const NEW_YORK = 'America/New_York';
const BOTH = '; a time that the clock repeats counts both times';
const ONCE = '; a time that the clock repeats counts once';
const rrule = (rule: string, more: Partial<RruleTrigger> = {}): RruleTrigger => ({
  kind: 'rrule',
  rule,
  dtstart: '2027-01-01T09:00:00',
  timezone: 'UTC',
  ...more,
});
const cron = (expression: string, more: object = {}): Trigger => ({
  kind: 'cron',
  expression,
  timezone: NEW_YORK,
  ...more,
});
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

group('rules below the day', () => {
  it.each([
    ['FREQ=HOURLY;INTERVAL=5', 'Every 5 hours on the clock, counted from 2027-01-01T09:00:00'],
    ['FREQ=HOURLY;INTERVAL=5;BYMINUTE=15', 'Every 5 hours on the clock, counted from 2027-01-01T09:15:00'],
    [
      'FREQ=HOURLY;INTERVAL=5;BYMINUTE=0,30',
      'At minutes 0 and 30 of every 5th hour on the clock, counted from that of 2027-01-01T09:00:00',
    ],
    [
      'FREQ=HOURLY;INTERVAL=5;BYMINUTE=0,30;BYSECOND=10,20',
      'At seconds 10 and 20 of minutes 0 and 30 of every 5th hour on the clock, counted from that of 2027-01-01T09:00:00',
    ],
    [
      'FREQ=MINUTELY;INTERVAL=7;BYSECOND=0,30',
      'At seconds 0 and 30 of every 7th minute on the clock, counted from that of 2027-01-01T09:00:00',
    ],
    ['FREQ=MINUTELY;INTERVAL=7;BYMINUTE=3', 'Every 7 hours on the clock, counted from 2027-01-01T10:03:00'],
    ['FREQ=MINUTELY;INTERVAL=90', 'Every 1 hour 30 minutes on the clock, counted from 2027-01-01T09:00:00'],
    ['FREQ=MINUTELY;INTERVAL=45', 'Every 45 minutes on the clock, counted from 2027-01-01T09:00:00'],
    [
      'FREQ=HOURLY;INTERVAL=5;BYHOUR=9,10,11;BYDAY=MO',
      'Every 5 hours on the clock, counted from 2027-01-01T09:00:00, only in hours 9 to 11, on Mondays',
    ],
    [
      'FREQ=SECONDLY;INTERVAL=7;BYMINUTE=0,1,2;BYHOUR=3',
      'Every 7 seconds on the clock, counted from 2027-01-01T09:00:00, only in minutes 0 to 2 of hour 3',
    ],
    ['FREQ=HOURLY;BYMINUTE=0,7,30;BYSETPOS=1,2', 'At minutes 0 and 7 of every hour every day'],
    [
      'FREQ=HOURLY;BYMINUTE=0,7,30;BYSECOND=5,10;BYSETPOS=2,3',
      'At 00:10 and 07:05 (minutes and seconds) of every hour every day',
    ],
    [
      'FREQ=HOURLY;INTERVAL=5;BYMINUTE=0,15,30;BYSETPOS=2',
      'Every hour from 00:15 to 23:15, those of every 5th hour on the clock, counted from that of 2027-01-01T09:00:00',
    ],
  ])('[TR-11, TR-14] %s is "%s"', (rule, words) => {
    expect(describe(rrule(rule))).toBe(`${words}, UTC, from 2027-01-01T09:00:00`);
  });

  it('[TR-11, TR-14] say that both passes of a repeated hour count', () => {
    expect(describe(rrule('FREQ=HOURLY;INTERVAL=5', { timezone: NEW_YORK }))).toContain(BOTH);
    expect(describe(rrule('FREQ=HOURLY;BYHOUR=1,2', { timezone: NEW_YORK }))).toContain(BOTH);
    expect(describe(rrule('FREQ=HOURLY', { timezone: NEW_YORK }))).not.toContain('repeats');
  });
});

group('the night on which the clock is set back', () => {
  it.each<[trigger: Trigger, words: string]>([
    [cron('*/15 1 * * *'), `At 01:00, 01:15, 01:30 and 01:45 every day, America/New_York${BOTH}`],
    [cron('0,15,30,45 1 * * *'), 'At 01:00, 01:15, 01:30 and 01:45 every day, America/New_York'],
    [cron('0,30 1 * * *', { repeat: 'both' }), `At 01:00 and 01:30 every day, America/New_York${BOTH}`],
    [cron('*/30 1-3 * * *'), `Every 30 minutes from 01:00 to 03:30 every day, America/New_York${BOTH}`],
    [cron('0,30 1-3 * * *'), `Every 30 minutes from 01:00 to 03:30 every day, America/New_York${ONCE}`],
    [cron('0,30 0-23 * * *'), `Every 30 minutes from 00:00 to 23:30 every day, America/New_York${ONCE}`],
    [cron('0,30 0-23 * * *', { repeat: 'both' }), 'Every 30 minutes, America/New_York'],
    [cron('*/30 * * * *'), 'Every 30 minutes, America/New_York'],
    [cron('*/15 9-17 * * *'), 'Every 15 minutes from 09:00 to 17:45 every day, America/New_York'],
    [cron('0 9 * * *', { repeat: 'both' }), 'At 09:00 every day, America/New_York'],
    [
      { kind: 'calendar', timezone: NEW_YORK, hour: HOURS },
      `Every hour from 00:00 to 23:00 every day, America/New_York${ONCE}`,
    ],
    [
      { kind: 'calendar', timezone: 'Asia/Kolkata', hour: HOURS },
      'Every hour from 00:00 to 23:00 every day, Asia/Kolkata',
    ],
    [
      cron('*/15 1 * * *', { timezone: 'Asia/Shanghai', start: '2020-01-01T00:00:00Z' }),
      'At 01:00, 01:15, 01:30 and 01:45 every day, Asia/Shanghai, from 2020-01-01T00:00:00.000Z',
    ],
  ])('[TR-11, TR-3, TR-6] %j is "%s"', (trigger, words) => {
    expect(describe(trigger)).toBe(words);
  });
});

group('what is never due', () => {
  it.each<[trigger: Trigger, words: string]>([
    [
      cron('0 9 * * *', { start: '2027-03-01T00:00:00Z', end: '2027-02-01T00:00:00Z' }),
      'Never, since it ends before it begins: at 09:00 every day, America/New_York, from 2027-03-01T00:00:00.000Z, until 2027-02-01T00:00:00.000Z',
    ],
    [
      { kind: 'interval', start: '2027-03-01T00:00:00Z', everySeconds: 60, end: '2027-02-01T00:00:00Z' },
      'Never, since it ends before it begins: every minute of elapsed time from 2027-03-01T00:00:00.000Z until 2027-02-01T00:00:00.000Z',
    ],
    [
      cron('0 9 * * *', { start: '2027-03-01T15:00:00Z', end: '2027-03-01T16:00:00Z' }),
      'Never, since no such time comes between its bounds: at 09:00 every day, America/New_York, from 2027-03-01T15:00:00.000Z, until 2027-03-01T16:00:00.000Z',
    ],
    [
      {
        kind: 'calendar',
        timezone: 'UTC',
        hour: 9,
        weekdays: [0],
        every: { unit: 'day', n: 7 },
        anchor: '2027-01-31',
      },
      'Never, since no date matches: at 09:00 on Mondays, every 7th day from 2027-01-31 on, UTC',
    ],
  ])('[TR-11, TR-8] %j is "%s"', (trigger, words) => {
    expect(describe(trigger)).toBe(words);
  });

  it('[TR-11, DE-12] by what is left out', () => {
    expect(describe({ trigger: cron('0 9 * * MON'), exclude: { weekdays: [0] } })).toBe(
      'Never, since each of its days is left out: at 09:00 on Mondays, America/New_York; except on Mondays',
    );
  });

  it('[TR-11, TR-14] a rule that no time meets, but for what is put in', () => {
    const rule = 'FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2';
    expect(describe(rrule(rule, { rdates: ['2027-03-15T01:00:00'] }))).toBe(
      'At no time of the rule, since none meets it, UTC, from 2027-01-01T09:00:00; also at 2027-03-15T01:00:00',
    );
  });
});

group('words', () => {
  it('[TR-11, TR-14] COUNT counts what is taken out, and what is taken out is not put in', () => {
    const exdates = ['2027-01-02T09:00:00'];
    expect(describe(rrule('FREQ=DAILY;COUNT=3', { exdates, rdates: [...exdates, '2027-01-02T10:00:00'] }))).toBe(
      'At 09:00 every day, UTC, from 2027-01-01T09:00:00, 3 times; of these not at 2027-01-02T09:00:00; also at 2027-01-02T10:00:00',
    );
  });

  it('[TR-11, TR-14] places of a week say on which day it begins', () => {
    const words = (weekStart: string) => describe(rrule(`FREQ=WEEKLY;BYDAY=SU,MO;BYSETPOS=1;WKST=${weekStart}`));
    expect(words('SU')).toContain('but only the first of these times in each week (weeks begin on Sunday), UTC');
    expect(words('MO')).toContain('but only the first of these times in each week, UTC');
  });

  it('[TR-11] a union of one trigger is that trigger, and those in another union have their numbers below its own', () => {
    const [daily, hourly] = [cron('0 9 * * *'), cron('@hourly')];
    expect(describe({ kind: 'anyOf', of: [daily] })).toBe('At 09:00 every day, America/New_York');
    const nested: Trigger = { kind: 'anyOf', of: [{ kind: 'anyOf', of: [hourly, daily] }, daily] };
    expect(describe(nested)).toMatch(/\(1\) \[whenever .*\(1\.1\) every hour.*\(1\.2\) at 09:00.*\], \(2\) at 09:00/);
    const { members } = explain(nested, '2027-01-05T00:00:01Z');
    expect(members?.[0]?.sentence).toMatch(/^none of its 2 triggers is due: \(1\.1\) .*, \(1\.2\) /);
    expect(explain({ kind: 'anyOf', of: [daily] }, '2027-01-05T14:00:01Z').sentence).toContain(
      'is not due: the second is 1 and must be 0.',
    );
  });

  it.each<[trigger: Trigger, at: string, words: string]>([
    [
      rrule('FREQ=HOURLY;INTERVAL=5'),
      '2027-01-03T10:00:00Z',
      'the rule asks for every 5 hours on the clock, counted from 2027-01-01T09:00:00, and this is off that rhythm.',
    ],
    [
      rrule('FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'),
      '2027-02-10T09:00:00Z',
      'the rule asks for the last of its times in each month, and this is another one.',
    ],
    [
      rrule('FREQ=YEARLY;BYYEARDAY=-1'),
      '2027-01-05T09:00:00Z',
      'the rule asks for a date on the last day of the year, and this is day 5 of the year, a Tuesday.',
    ],
    [
      { kind: 'calendar', timezone: 'UTC', hour: 9, every: { unit: 'week', n: 2 }, anchor: '2027-01-05' },
      '2027-01-12T09:00:00Z',
      'the trigger asks for dates in every 2nd week from 2027-01-05 on, and this is 1 week after that of 2027-01-05.',
    ],
    [
      { kind: 'cron', expression: '0 9 13 * FRI', timezone: 'UTC' },
      '2027-01-12T09:00:00Z',
      'the day is Tuesday (day 12 of 31) and must be day 13 of the month or a Friday.',
    ],
    [{ kind: 'manual' }, '2027-01-05T09:00:00Z', 'it is manual: only due when it is triggered by hand.'],
    [
      { kind: 'calendar', timezone: 'UTC', times: HOURS.map((hour) => `${String(hour).padStart(2, '0')}:00`) },
      '2027-01-05T09:10:00Z',
      'the time is 09:10 and must be one of: every hour from 00:00 to 23:00.',
    ],
    [
      {
        kind: 'calendar',
        timezone: 'UTC',
        times: HOURS.map((hour) => `${String(hour).padStart(2, '0')}:${hour < 12 ? '00' : '07'}`),
      },
      '2027-01-05T09:10:00Z',
      'the time is 09:10 and must be 00:00, 01:00, 02:00, 03:00 or one of 20 others.',
    ],
  ])('[TR-11] %j at %s: %s', (trigger, at, words) => {
    expect(explain(trigger, at).sentence).toContain(` is not due: ${words}`);
  });

  it('[TR-11, TR-13] the end of a gap says once what is moved there', () => {
    expect(explain(cron('30 2 * * *', { gap: 'shift' }), '2027-03-14T07:00:00Z').sentence).toBe(
      '2027-03-14T03:00:00-04:00 America/New_York is due: at 02:30 every day, America/New_York; a time that the clock skips is moved to the end of the gap; here the clock jumps from 02:00:00 to 03:00:00.',
    );
  });
});
