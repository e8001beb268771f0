/** What never shows on a clock: explain says of it what preview lists, word for word what the trigger asks for. */
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { describe as described } from '../../../src/core/explain/describe/describe.js';
import { explain } from '../../../src/core/explain/instant/explain.js';
import type { RruleTrigger, Trigger } from '../../../src/core/model/trigger.js';
import { preview } from '../../../src/core/trigger/preview/ask-preview.js';

const timezone = 'America/New_York';
/** The gap of 2027 in New York: 02:00 becomes 03:00. */
const GAP = { at: '2027-03-14T07:00:00.000Z', walls: ['2027-03-14T02:00:00', '2027-03-14T02:30:00'] };

const wall = fc.constantFrom(...GAP.walls, '2027-03-13T02:30:00', '2027-03-14T12:30:00', '2027-03-20T01:00:00');
const walls = fc.option(fc.uniqueArray(wall, { minLength: 1, maxLength: 3 }), { nil: undefined });
const rrule = fc.record({
  kind: fc.constant('rrule' as const),
  timezone: fc.constant(timezone),
  rule: fc.constantFrom(
    'FREQ=DAILY',
    'FREQ=DAILY;COUNT=3',
    'FREQ=DAILY;COUNT=13',
    'FREQ=DAILY;COUNT=14',
    'FREQ=DAILY;UNTIL=20270301T000000',
    'FREQ=DAILY;UNTIL=20270314T023000',
    'FREQ=HOURLY;INTERVAL=5;BYMINUTE=0,30',
    'FREQ=MONTHLY;BYDAY=SU;BYSETPOS=2',
    'FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2',
  ),
  dtstart: fc.constantFrom('2027-03-01T02:30:00', '2027-03-01T12:30:00', '2027-03-14T02:30:00', '2027-03-15T02:30:00'),
  exdates: walls,
  rdates: walls,
});
const bound = fc.constantFrom(undefined, '2027-03-01T00:00:00.000Z', '2027-03-14T06:59:59.000Z', GAP.at);
const cron = fc.record({
  kind: fc.constant('cron' as const),
  timezone: fc.constant(timezone),
  expression: fc.constantFrom('30 2 * * *', '*/30 * * * *', '0,30 2 14 * *', '30 2 * * MON', '0 3 * * *'),
  gap: fc.constantFrom('skip', 'shift'),
  start: bound,
  end: bound,
});

describe('wall times in a gap', () => {
  test.prop([fc.oneof(rrule, cron) as fc.Arbitrary<Trigger>], { numRuns: 600 })(
    '[TR-11, TR-3, TR-14] explain says that the clock skips what the trigger asks for where preview lists it, and only there',
    (given) => {
      const { skipped } = preview(given, { from: GAP.at, until: GAP.at });
      for (const local of GAP.walls) {
        const { reason, isDue, checks, sentence } = explain(given, { local });
        const isListed = skipped.some(({ date, time }) => `${date}T${time}` === local);
        expect([local, reason === 'skippedByGap']).toEqual([local, isListed]);
        expect(checks.every(({ holds }) => holds)).toBe(isDue);
        if (isListed) expect(sentence).not.toContain('not asked for');
      }
    },
  );

  test.prop([rrule, fc.constantFrom(-86_400_000, -1800_000, 0, 1800_000, 19_800_000, 518_400_000)], { numRuns: 300 })(
    '[TR-11, TR-14] of a rule with dates put in, all conditions hold exactly where it is due',
    (given, by) => {
      const { isDue, checks } = explain(given as RruleTrigger, new Date(Date.parse(GAP.at) + by).toISOString());
      expect(checks.every(({ holds }) => holds)).toBe(isDue);
    },
  );
});

describe('a date put in that lies in a gap', () => {
  const trigger: Trigger = {
    kind: 'rrule',
    rule: 'FREQ=DAILY',
    dtstart: '2027-01-01T12:30:00',
    timezone,
    rdates: ['2027-03-14T02:30:00'],
  };

  it('[TR-11, TR-14] is asked for, and the clock skips it', () => {
    expect(explain(trigger, { local: '2027-03-14T02:30' })).toMatchObject({
      isDue: false,
      reason: 'skippedByGap',
      sentence:
        '02:30:00 on 2027-03-14 never shows in America/New_York: the clock jumps from 02:00:00 to 03:00:00, so nothing is due. The next due instant is 2027-03-14T12:30:00-04:00 America/New_York.',
    });
  });

  it('[TR-11, TR-14] is described as never due', () => {
    expect(described(trigger)).toBe(
      'At 12:30 every day, America/New_York, from 2027-01-01T12:30:00; never at 2027-03-14T02:30:00, which it names and the clock skips',
    );
  });

  it('[TR-11, TR-14] outside of the rule is listed by preview all the same', () => {
    const ended = { ...trigger, rule: 'FREQ=DAILY;COUNT=3' };
    expect(preview(ended, { from: GAP.at, until: GAP.at }).skipped).toMatchObject([
      { time: '02:30:00', reason: 'gap' },
    ]);
  });
});
