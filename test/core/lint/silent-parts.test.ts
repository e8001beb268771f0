/** Warnings about parts of a trigger that do less than they seem to: policies, zones, days and dates without effect. */
import { describe, expect, it } from 'vitest';
import { lint } from '../../../src/core/lint/lint.js';
import type { Declaration } from '../../../src/core/model/declaration.js';
import type { CronTrigger, RruleTrigger, Trigger } from '../../../src/core/model/trigger.js';
import { declaration } from '../../support/builders.js';
import { calendar, codesOf, cron, messagesOf, NOW, warningsOf } from './lint-one.js';

/** The codes for a trigger as its author wrote it. */
function authoredCodes(trigger: Trigger): readonly string[] {
  return lint(declaration({ trigger }), { now: NOW, authored: { trigger } }).map(({ code }) => code);
}

describe('policies of a cron text', () => {
  const shift: Partial<CronTrigger> = { gap: 'shift' };

  it.each<[string, Trigger, readonly string[]]>([
    ['[TR-12, TR-13] `gap: "shift"` on a wildcard job', cron('*/15 * * * *', shift), ['idlePolicy']],
    ['[TR-12, TR-6] `repeat: "first"` on a wildcard job', cron('*/15 * * * *', { repeat: 'first' }), ['idlePolicy']],
    ['[TR-12, TR-6] `repeat: "both"` on one', cron('*/15 * * * *', { repeat: 'both' }), []],
    ['[TR-12, TR-13] neither', cron('*/15 * * * *'), []],
    ['[TR-12, TR-13] the default on one', cron('*/15 * * * *', { gap: 'skip' }), []],
    ['[TR-12, TR-13] both on a fixed-time job', cron('0 12 * * *', { ...shift, repeat: 'first' }), []],
  ])('%s', (_title, trigger, expected) => {
    expect(authoredCodes(trigger)).toEqual(expected);
  });

  it('[TR-12, TR-6] of the normal form `repeat: "first"` is not known to be meant', () => {
    expect(codesOf({ trigger: cron('*/15 * * * *', { repeat: 'first' }) })).toEqual([]);
    expect(codesOf({ trigger: cron('*/15 * * * *', { gap: 'shift', repeat: 'first' }) })).toEqual(['idlePolicy']);
  });
});

describe('zones of one offset', () => {
  it.each([
    ['EST', /^`EST` is -05:00 all year round, without summer time; name a place, such as `America\/New_York`$/],
    ['MST', /`MST` is -07:00 all year round/],
    ['HST', /`HST` is -10:00 all year round/],
    ['Etc/GMT+5', /^`Etc\/GMT\+5` is -05:00, since the sign is turned round/],
    ['Etc/GMT-14', /^`Etc\/GMT-14` is \+14:00/],
  ])('[TR-12, TR-9] %s', (timezone, message) => {
    expect(warningsOf({ trigger: cron('0 12 * * *', { timezone }) })).toMatchObject([
      { code: 'fixedZone', path: 'trigger.timezone', message: expect.stringMatching(message) },
    ]);
    const interval: Trigger = { kind: 'interval', start: '2026-10-12T00:00:00.000Z', everySeconds: 7200 };
    expect(warningsOf({ trigger: interval, exclude: { weekdays: [6], timezone } })).toMatchObject([
      { code: 'fixedZone', path: 'exclude.timezone' },
    ]);
  });

  it.each(['UTC', 'Etc/UTC', 'Etc/GMT', 'Etc/GMT+0', 'EST5EDT', 'America/Phoenix'])(
    '[TR-12, TR-9] not %s',
    (timezone) => {
      expect(codesOf({ trigger: cron('0 12 * * *', { timezone }) })).toEqual([]);
    },
  );
});

describe('a day that short months lack', () => {
  const monthly = (unit: 'month' | 'year', n: number, anchor: string, more = {}) =>
    calendar({ hour: 12, every: { unit, n }, anchor, ...more });
  const rule = (text: string, dtstart: string): RruleTrigger => ({
    kind: 'rrule',
    rule: text,
    dtstart,
    timezone: 'America/New_York',
  });

  it.each<[string, Trigger, string | undefined]>([
    ['[TR-12, TR-4] each month from the 31st', monthly('month', 1, '2027-01-31'), 'trigger.anchor'],
    ['[TR-12, TR-4] each month from the 30th', monthly('month', 1, '2027-01-30'), 'trigger.anchor'],
    ['[TR-12, TR-4] each month from the 28th', monthly('month', 1, '2027-01-28'), undefined],
    ['[TR-12, TR-4] each quarter from 31 January', monthly('month', 3, '2027-01-31'), 'trigger.anchor'],
    ['[TR-12, TR-4] each year of months from 31 January', monthly('month', 12, '2027-01-31'), undefined],
    ['[TR-12, TR-4] in months that have it', monthly('month', 1, '2027-01-31', { months: [1, 3] }), undefined],
    ['[TR-12, TR-4] the last day, in so many words', monthly('month', 1, '2027-01-31', { monthDays: [-1] }), undefined],
    ['[TR-12, TR-4] a weekday', monthly('month', 1, '2027-01-31', { weekdays: [0] }), undefined],
    ['[TR-12, TR-4] each year from 29 February', monthly('year', 1, '2028-02-29'), 'trigger.anchor'],
    ['[TR-12, TR-4] each leap year from 29 February', monthly('year', 4, '2028-02-29'), undefined],
    ['[TR-12, TR-14] a monthly rule from the 31st', rule('FREQ=MONTHLY', '2027-01-31T12:00:00'), 'trigger.dtstart'],
    ['[TR-12, TR-14] a yearly rule from 29 February', rule('FREQ=YEARLY', '2028-02-29T12:00:00'), 'trigger.dtstart'],
    ['[TR-12, TR-14] a yearly rule from the 31st', rule('FREQ=YEARLY', '2027-01-31T12:00:00'), undefined],
    ['[TR-12, TR-14] the 31st, in so many words', rule('FREQ=MONTHLY;BYMONTHDAY=31', '2027-01-31T12:00:00'), undefined],
  ])('%s', (_title, trigger, path) => {
    const found = warningsOf({ trigger }).filter(({ code }) => code === 'shortPeriods');
    expect(found.map((one) => one.path)).toEqual(path === undefined ? [] : [path]);
  });

  it('[TR-12, TR-4] names the months that are skipped, and what to write', () => {
    expect(messagesOf('shortPeriods', { trigger: monthly('month', 1, '2027-01-30') })).toEqual([
      'the day of the month comes from `anchor` and is 30, which is not in every period: nothing is due in February; for the last day of the month use `monthDays: [-1]`',
    ]);
    expect(messagesOf('shortPeriods', { trigger: monthly('year', 1, '2028-02-29') })[0]).toContain(
      'nothing is due in each February of 28 days',
    );
  });
});

describe('dates of a rule', () => {
  const daily = (more: Partial<RruleTrigger>): Partial<Declaration> => ({
    trigger: {
      kind: 'rrule',
      rule: 'FREQ=DAILY',
      dtstart: '2027-01-01T12:30:00',
      timezone: 'America/New_York',
      ...more,
    },
  });

  it.each<[string, Partial<Declaration>, readonly string[]]>([
    ['[TR-12, TR-14] put in, in a gap', daily({ rdates: ['2027-03-13T02:30', '2027-03-14T02:30'] }), ['skippedRdate']],
    ['[TR-12, TR-14] put in, beside it', daily({ rdates: ['2027-03-14T03:00:00'] }), []],
    [
      '[TR-12, TR-14] put in, in a gap, and taken out again',
      daily({ rdates: ['2027-03-14T02:30:00'], exdates: ['2027-03-14T02:30:00'] }),
      [],
    ],
    ['[TR-12, TR-14] taken out of the rule', daily({ exdates: ['2027-01-02T12:30:00'] }), []],
    [
      '[TR-12, TR-14] taken out of what is put in',
      daily({ rdates: ['2027-02-01T08:00'], exdates: ['2027-02-01T08:00'] }),
      [],
    ],
    ['[TR-12, TR-14] taken out at another time of day', daily({ exdates: ['2027-01-02T00:00:00'] }), ['idleExdate']],
    ['[TR-12, TR-14] taken out before the rule begins', daily({ exdates: ['2026-12-31T12:30:00'] }), ['idleExdate']],
    [
      '[TR-12, TR-14] taken out after COUNT is used up',
      daily({ rule: 'FREQ=DAILY;COUNT=3', exdates: ['2027-01-04T12:30:00'] }),
      ['idleExdate'],
    ],
  ])('%s', (_title, changes, expected) => {
    expect(codesOf(changes)).toEqual(expected);
  });

  it('[TR-12, TR-14] are named with their places', () => {
    const rdates = ['2027-03-13T02:30:00', '2027-03-14T02:30:00'];
    const exdates = ['2027-01-02T12:30:00', '2027-01-02T00:00:00', '2027-01-03T00:00:00'];
    expect(warningsOf(daily({ rdates, exdates }))).toMatchObject([
      {
        path: 'trigger.rdates[1]',
        message:
          '2027-03-14T02:30:00 does not exist in America/New_York, whose clock jumps over it: nothing is due in its place',
      },
      {
        path: 'trigger.exdates[1]',
        message: expect.stringMatching(/^2027-01-02T00:00:00 \(and 1 more\) takes nothing/),
      },
    ]);
  });
});

describe('the default budget', () => {
  const codes = (trigger: Trigger, maxOccurrences: number, authored?: { maxOccurrences?: number }) =>
    lint(declaration({ trigger, maxOccurrences }), {
      now: NOW,
      ...(authored && { authored: { trigger, ...authored } }),
    }).map(({ code }) => code);

  it.each<[string, Trigger, readonly string[]]>([
    ['[TB-4, TR-12] each day', cron('0 9 * * *'), ['budgetEndsSoon']],
    ['[TB-4, TR-12] each workday', cron('0 9 * * MON-FRI'), ['budgetEndsSoon']],
    ['[TB-4, TR-12] twice a week', cron('0 9 * * MON,THU'), ['budgetEndsSoon']],
    ['[TB-4, TR-12] each week', cron('0 9 * * MON'), []],
    ['[TB-4, TR-12] each day up to an end', cron('0 9 * * *', { end: '2026-12-01T00:00:00.000Z' }), []],
  ])('%s', (_title, trigger, expected) => {
    expect(codes(trigger, 100, {})).toEqual(expected);
    expect(codes(trigger, 100)).toEqual(expected);
  });

  it('[TB-4, TR-12] a number that the author chose is warned of only where it ends within 90 days', () => {
    expect(codes(cron('0 9 * * *'), 100, { maxOccurrences: 100 })).toEqual([]);
    expect(codes(cron('0 9 * * *'), 101)).toEqual([]);
    expect(codes(cron('0 9 * * *'), 90, { maxOccurrences: 90 })).toEqual(['budgetEndsSoon']);
  });

  it('[TB-4, TR-12] says that nobody chose it', () => {
    expect(messagesOf('budgetEndsSoon', { trigger: cron('0 9 * * *'), maxOccurrences: 100 })).toEqual([
      'maxOccurrences is 100 where nothing else is given; it is used up about 2027-01-19T14:00:00.000Z, within 100 days, and the schedule ends although the trigger goes on; set a number that you mean, or "unlimited"',
    ]);
  });
});
