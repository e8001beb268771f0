/** Warnings about unions, rules, what is left out and the spread, each beside its nearest neighbour that draws none. */
import { describe, expect, it } from 'vitest';
import { nthDue } from '../../../src/core/lint/nth-due.js';
import type { Declaration } from '../../../src/core/model/declaration.js';
import type { RruleTrigger, Trigger } from '../../../src/core/model/trigger.js';
import { compileDue } from '../../../src/core/trigger/due/compile-due.js';
import { calendar, codesOf, cron, messagesOf, NOW, warningsOf } from './lint-one.js';

const anyOf = (...of: Trigger[]): Trigger => ({ kind: 'anyOf', of });
const rule = (text: string, more: Partial<RruleTrigger> = {}): RruleTrigger => ({
  kind: 'rrule',
  rule: text,
  dtstart: '2026-10-01T12:00:00',
  timezone: 'America/New_York',
  ...more,
});
const noon = calendar({ hour: 12 });

type Row = readonly [title: string, changes: Partial<Declaration>, codes: readonly string[]];

describe('unions', () => {
  it.each<Row>([
    ['[TR-12] members that differ', { trigger: anyOf(noon, calendar({ hour: 13 })) }, []],
    [
      '[TR-12] a member within another one',
      { trigger: anyOf(noon, calendar({ hour: 12, weekdays: [0] })) },
      ['redundantMember'],
    ],
    [
      '[TR-12] a member within two others',
      { trigger: anyOf(noon, calendar({ hour: 13 }), cron('0 12,13 * * MON')) },
      ['redundantMember'],
    ],
    [
      '[TR-12] a member that is over',
      { trigger: anyOf(noon, { kind: 'once', at: '2026-01-01T00:00:00.000Z' }) },
      ['neverDue'],
    ],
    ['[TR-12] the text of a member', { trigger: anyOf(noon, cron('*/45 13 * * *')) }, ['unevenStep']],
    ['[TR-12] the clock of a member', { trigger: anyOf(noon, cron('30 2 * * *')) }, ['transition']],
    [
      '[TR-12] of two clocks one gap is told',
      { trigger: anyOf(cron('30 2 * * *'), cron('31 2 * * *')) },
      ['transition'],
    ],
    [
      '[TR-12] with an exclusion',
      { trigger: anyOf(noon, calendar({ hour: 12, weekdays: [0] })), exclude: { weekdays: [1], timezone: 'UTC' } },
      ['redundantMember'],
    ],
  ])('%s', (_title, changes, expected) => {
    expect(codesOf(changes)).toEqual(expected);
  });

  it('[TR-12] name the place of the member', () => {
    const [uneven] = warningsOf({ trigger: anyOf(noon, cron('*/45 13 * * *')) });
    expect(uneven?.path).toBe('trigger.of[1].expression');
    expect(warningsOf({ trigger: anyOf(noon, { kind: 'once', at: '2026-01-01T00:00:00.000Z' }) })).toMatchObject([
      { path: 'trigger.of[1]', message: expect.stringMatching(/^this trigger of `anyOf` has no due instant from/) },
    ]);
  });
});

describe('rules', () => {
  it.each<Row>([
    ['[TR-12] a rule at noon', { trigger: rule('FREQ=DAILY') }, []],
    ['[TR-12] a rule that ended', { trigger: rule('FREQ=DAILY;COUNT=2') }, ['neverDue']],
    [
      '[TR-12] a rule of 29 February on a Sunday',
      { trigger: rule('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU') },
      ['rarelyDue'],
    ],
    ['[TR-12] a rule in a gap', { trigger: rule('FREQ=DAILY', { dtstart: '2026-10-01T02:30:00' }) }, ['transition']],
    ['[TR-12] of each hour keeps its rhythm', { trigger: rule('FREQ=HOURLY') }, []],
  ])('%s', (_title, changes, expected) => {
    expect(codesOf(changes)).toEqual(expected);
  });

  it('[TR-12] have no gap policy to be advised', () => {
    const [text] = messagesOf('transition', { trigger: rule('FREQ=DAILY', { dtstart: '2026-10-01T02:30:00' }) });
    expect(text).toMatch(/nothing is due in its place$/);
  });
});

describe('what is left out', () => {
  it.each<Row>([
    ['[TR-12, DE-12] some days', { trigger: noon, exclude: { weekdays: [5, 6] } }, []],
    ['[TR-12, DE-12] all days', { trigger: noon, exclude: { weekdays: [0, 1, 2, 3, 4, 5, 6] } }, ['neverDue']],
    [
      '[TR-12, DE-12] the days of the trigger',
      { trigger: calendar({ hour: 12, weekdays: [6] }), exclude: { weekdays: [6] } },
      ['neverDue'],
    ],
    ['[TR-12, DE-12] years of days', { trigger: noon, exclude: { dates: ['2026-10-01/2031-01-01'] } }, ['rarelyDue']],
    [
      '[TR-12, DE-12] a gap on a day that is left out',
      { trigger: cron('30 2 * * *'), exclude: { dates: ['2027-03-14'] } },
      ['transition'],
    ],
    [
      '[TR-12, DE-12] both gaps of two years',
      { trigger: cron('30 2 * * *'), exclude: { dates: ['2027-03-14', '2028-03-12'] } },
      [],
    ],
  ])('%s', (_title, changes, expected) => {
    expect(codesOf(changes)).toEqual(expected);
  });

  it('[TR-12, DE-12] is named where the trigger by itself would be due', () => {
    expect(warningsOf({ trigger: noon, exclude: { weekdays: [0, 1, 2, 3, 4, 5, 6] } })).toMatchObject([
      { path: 'exclude', message: 'all due instants from 2026-10-12T16:00:00.000Z on are left out by `exclude`' },
    ]);
    expect(warningsOf({ trigger: noon, exclude: { dates: ['2026-10-01/2031-01-01'] } })).toMatchObject([
      { path: 'exclude', message: expect.stringMatching(/more than four years ahead: all others are left out/) },
    ]);
    expect(warningsOf({ trigger: cron('0 12 29 2 +SUN'), exclude: { weekdays: [0] } })[0]?.path).toBe('trigger');
  });
});

describe('the spread', () => {
  it.each<Row>([
    ['[TR-12, DE-12] of ten minutes on a daily trigger', { trigger: noon, spreadSeconds: 600 }, []],
    ['[TR-12, DE-12] as long as the distance', { trigger: cron('0 * * * *'), spreadSeconds: 3600 }, []],
    ['[TR-12, DE-12] longer than the distance', { trigger: cron('0 * * * *'), spreadSeconds: 3601 }, ['longSpread']],
    [
      '[TR-12, DE-12] over midnight',
      { trigger: calendar({ hour: 23, minute: 59, second: 59 }), spreadSeconds: 600 },
      ['spreadPastDay'],
    ],
    [
      '[TR-12, DE-12] past the end',
      { trigger: calendar({ hour: 12, end: '2026-10-20T16:00:00.000Z' }), spreadSeconds: 600 },
      ['spreadPastEnd'],
    ],
    [
      '[TR-12, DE-12] before an end that lies behind',
      { trigger: calendar({ hour: 12, end: '2026-10-20T17:00:00.000Z' }), spreadSeconds: 600 },
      [],
    ],
  ])('%s', (_title, changes, expected) => {
    expect(codesOf(changes)).toEqual(expected);
  });
});

describe('the n-th due instant', () => {
  it.each<[string, Partial<Declaration>]>([
    ['[TR-12] of a union', { trigger: anyOf(noon, cron('*/7 3 * * *')) }],
    ['[TR-12, DE-12] of a thinned trigger', { trigger: noon, exclude: { weekdays: [5, 6] } }],
    [
      '[TR-12, DE-12] of a thinned interval',
      {
        trigger: { kind: 'interval', start: '2026-10-12T00:00:00.000Z', everySeconds: 7200 },
        exclude: { weekdays: [5], timezone: 'UTC' },
      },
    ],
    ['[TR-12, DE-12] of a spread one', { trigger: noon, spreadSeconds: 60 }],
  ])('%s is the one that a list has', (_title, parts) => {
    const result = compileDue({ id: 'a', trigger: noon, ...parts });
    if (!result.ok) throw new Error(JSON.stringify(result.issues));
    const list = result.value.list(NOW, 100);
    for (const n of [1, 2, 50, 100]) {
      expect(nthDue(result.value, list[0] as never, n, Number.MAX_SAFE_INTEGER)).toBe(list[n - 1]);
      expect(nthDue(result.value, list[0] as never, n, (list[n - 1] as number) - 1)).toBeUndefined();
    }
  });
});
