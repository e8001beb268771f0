/** Warnings about when a trigger is due: a row for each that is given, and for its nearest neighbour that is not. */
import { describe, expect, it } from 'vitest';
import type { Trigger } from '../../../src/core/model/trigger.js';
import { calendar, codesOf, cron, messagesOf, NOW, warningsOf } from './lint-one.js';

const once = (at: string): Trigger => ({ kind: 'once', at });

describe('never or rarely due', () => {
  it.each<[string, Trigger, readonly string[]]>([
    ['[TR-12] an impossible date is never due', cron('0 12 30 2 *'), ['neverDue']],
    ['[TR-12] an instant in the past is never due', once('2026-10-01T00:00:00Z'), ['neverDue']],
    ['[TR-12] a one-shot within its grace is still due', once('2026-10-12T04:59:45Z'), []],
    ['[TR-12] a manual trigger is not meant to be due', { kind: 'manual' }, []],
    ['[TR-12] 29 February on a Sunday is rare', cron('0 12 29 2 +SUN'), ['rarelyDue']],
    ['[TR-12] 29 February alone is not', cron('0 12 29 2 *'), []],
    ['[TR-12] a one-shot far ahead is rare', once('2031-01-01T00:00:00Z'), ['rarelyDue']],
    ['[TR-12] a one-shot tomorrow is not', once('2026-10-13T00:00:00Z'), []],
    [
      '[TR-12] years far apart are rare',
      calendar({ hour: 9, months: [1], monthDays: [1], years: [2027, 2035] }),
      ['rarelyDue'],
    ],
    ['[TR-12] every four years is not', calendar({ hour: 9, every: { unit: 'year', n: 4 }, anchor: '2027-01-01' }), []],
    [
      '[TR-12] every five years is',
      calendar({ hour: 9, every: { unit: 'year', n: 5 }, anchor: '2027-01-01' }),
      ['rarelyDue'],
    ],
  ])('%s', (_title, trigger, expected) => {
    expect(codesOf({ trigger })).toEqual(expected);
  });

  it('[TR-12] neverDue names the last due instant that there was', () => {
    expect(warningsOf({ trigger: once('2026-10-01T00:00:00Z') })).toEqual([
      {
        code: 'neverDue',
        path: 'trigger',
        rule: 'TR-12',
        message:
          'the trigger has no due instant from 2026-10-12T05:00:00.000Z on; the last one was 2026-10-01T00:00:00.000Z',
      },
    ]);
    expect(messagesOf('neverDue', { trigger: cron('0 12 30 2 *') })[0]).toMatch(/it never had one$/);
  });

  it('[TR-12] an expiry before the second due instant spares the gap after the first', () => {
    const trigger = calendar({ hour: 9, months: [1], monthDays: [1], years: [2027, 2035] });
    expect(codesOf({ trigger, expiresAt: '2028-01-01T00:00:00.000Z' })).toEqual([]);
  });
});

describe('cron text', () => {
  it.each<[string, Trigger, readonly string[]]>([
    ['[TR-12] */45 minutes is uneven', cron('*/45 12 * * *'), ['unevenStep']],
    ['[TR-12] */45 seconds is uneven', cron('*/45 0 12 * * *'), ['unevenStep']],
    ['[TR-12] */5 hours is uneven', cron('0 0-23/5 * * *', { timezone: 'UTC' }), ['unevenStep']],
    ['[TR-12] */2 days of a month is uneven', cron('0 12 */2 * *'), ['unevenStep']],
    ['[TR-12] */5 months is uneven', cron('0 12 1 */5 *'), ['unevenStep']],
    ['[TR-12] */2 days of a week is uneven', cron('0 12 * * */2'), ['unevenStep']],
    ['[TR-12] two uneven steps are two warnings', cron('*/45 12 * */5 *'), ['unevenStep', 'unevenStep']],
    ['[TR-12] a range that spans its field is judged as a star', cron('0-59/45 12 * * *'), ['unevenStep']],
    [
      '[TR-12] a sloppy step from the start is judged as a star',
      cron('0/45 12 * * *', { dialect: { sloppySteps: true } }),
      ['unevenStep'],
    ],
    ['[TR-12] a sloppy step that comes out even is not', cron('5/15 12 * * *', { dialect: { sloppySteps: true } }), []],
    ['[TR-12] */15 minutes is even', cron('*/15 12 * * *'), []],
    ['[TR-12] */6 hours is even', cron('0 */6 * * *', { timezone: 'UTC' }), []],
    ['[TR-12] a step inside working hours goes round nothing', cron('0 9-17/3 * * *'), []],
    ['[TR-12] a step of years goes round nothing', cron('0 0 12 1 1 * */3'), []],
    ['[TR-12] a nickname has no steps', cron('@daily'), []],
    ['[TR-12] both day fields mean either', cron('0 12 13 * FRI'), ['bothDayFields']],
    ['[TR-12] both day fields mean either with seconds and a year too', cron('0 0 12 13 * FRI *'), ['bothDayFields']],
    ['[TR-12] a plus is meant', cron('0 12 13 * +FRI'), []],
    ['[TR-12] a dialect of AND is meant', cron('0 12 13 * FRI', { dialect: { dayFields: 'and' } }), []],
    ['[TR-12] one day field is plain', cron('0 12 ? * FRI'), []],
  ])('%s', (_title, trigger, expected) => {
    expect(codesOf({ trigger })).toEqual(expected);
  });

  it('[TR-12] unevenStep says where the rhythm breaks', () => {
    expect(warningsOf({ trigger: cron('*/45 12 * * *') })).toEqual([
      {
        code: 'unevenStep',
        path: 'trigger.expression',
        rule: 'TR-12',
        message:
          'minute: the step of `*/45` does not divide 60, so it is not every 45: from 0 it runs to 45, and each round of 60 ends with a gap of 15; use a step that divides 60, or an `interval` trigger',
      },
    ]);
  });

  it('[TR-12] bothDayFields writes out what may be meant', () => {
    expect(messagesOf('bothDayFields', { trigger: cron('0 0 12 13 * FRI') })).toEqual([
      'due on dates that match either day-of-month `13` or day-of-week `FRI`, not only on those that match both; for both write `0 0 12 13 * +FRI`',
    ]);
  });

  it('[TR-12] an expression that is never due still has its text looked at', () => {
    expect(codesOf({ trigger: cron('*/45 12 30 2 *') })).toEqual(['neverDue', 'unevenStep']);
  });
});

describe('shorter than its runs', () => {
  const hourly: Trigger = { kind: 'interval', start: '2026-10-12T00:00:00Z', everySeconds: 3600 };

  it.each<[string, Trigger, number | undefined, readonly string[]]>([
    ['[TR-12] an interval shorter than a recent run', hourly, 3601, ['shortInterval']],
    ['[TR-12] an interval as long as a recent run', hourly, 3600, []],
    ['[TR-12] nothing is known of runs', hourly, undefined, []],
    [
      '[TR-12] the shortest distance of many counts',
      calendar({ times: ['09:00', '09:05', '15:00'] }),
      600,
      ['shortInterval'],
    ],
    ['[TR-12] a single due instant has no distance', once('2026-10-13T00:00:00Z'), 86_400, []],
  ])('%s', (_title, trigger, recentRunSeconds, expected) => {
    const options = recentRunSeconds === undefined ? {} : { recentRunSeconds };
    expect(codesOf({ trigger }, options)).toEqual(expected);
  });

  it.each([
    ['[TR-12] says what queue will do', 'queue', 'runs queue up behind it'],
    ['[TR-12] says what skip will do', 'skip', 'due instants that meet a run are skipped'],
    ['[TR-12] says what coalesce will do', 'coalesce', 'of the due instants that meet a run all but one are dropped'],
  ] as const)('%s', (_title, overlap, effect) => {
    expect(messagesOf('shortInterval', { trigger: hourly, overlap }, { now: NOW, recentRunSeconds: 5000 })).toEqual([
      `due instants come as close as 3600 s, and a run recently took 5000 s: ${effect}`,
    ]);
  });
});
