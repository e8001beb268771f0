/** Searches of recurrence rules are bounded: rules that never come, rare ones, and places far away. */
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { firstWithin } from '../../../src/core/trigger/pattern/recurrence/first-within.js';
import { timeAt, timeCount, timesBefore } from '../../../src/core/trigger/pattern/time-count.js';
import { combinedTimes, sixtySet } from '../../../src/core/trigger/pattern/time-set.js';
import { countedSteps } from '../../support/counted-steps.js';
import { due } from '../../support/due.js';

function rrule(rule: string, dtstart = '2020-01-01T09:30:00', timezone = 'UTC'): Record<string, unknown> {
  return { kind: 'rrule', rule, dtstart, timezone };
}

/** Most calls on `Math` of one answer; a walk by days through the years would make a hundred times as many. */
const FEW_STEPS = 20_000;

/** What a part looks at. */
const HANDS = {
  BYHOUR: (at: Date) => at.getUTCHours(),
  BYMINUTE: (at: Date) => at.getUTCMinutes(),
  BYSECOND: (at: Date) => at.getUTCSeconds(),
};

const IMPOSSIBLE = [
  'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6',
  'FREQ=YEARLY;BYYEARDAY=100;BYMONTH=1',
  'FREQ=YEARLY;BYSETPOS=366;BYDAY=MO',
  'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6',
  'FREQ=MONTHLY;INTERVAL=12;BYMONTH=3',
  'FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=8',
  'FREQ=DAILY;INTERVAL=7;BYDAY=TU',
  'FREQ=DAILY;BYHOUR=1,2;BYSETPOS=3',
  'FREQ=SECONDLY;INTERVAL=2;BYSECOND=1',
  'FREQ=SECONDLY;BYSECOND=0;BYSETPOS=2',
  'FREQ=SECONDLY;INTERVAL=604800;BYDAY=TU',
  'FREQ=SECONDLY;INTERVAL=86400;BYHOUR=10',
  'FREQ=MINUTELY;INTERVAL=16;BYMINUTE=1,3',
  'FREQ=MINUTELY;INTERVAL=16;BYHOUR=1,2;BYMINUTE=1,3,5',
  'FREQ=MINUTELY;BYSECOND=1,2;BYSETPOS=-3',
  'FREQ=HOURLY;INTERVAL=175;BYDAY=TU;BYHOUR=3,10,17',
  'FREQ=HOURLY;BYMINUTE=0;BYSETPOS=2',
  'FREQ=SECONDLY;INTERVAL=1000003;BYHOUR=0;BYMINUTE=0;BYSECOND=0;BYMONTH=2;BYMONTHDAY=29',
];

describe('bounded searches', () => {
  it.each(IMPOSSIBLE)('[TR-8, TR-14] bug 18: %s is answered with nothing, at once', (rule) => {
    const trigger = due(rrule(rule));
    expect(trigger.next(0)).toBeUndefined();
    expect(trigger.previous(8e12)).toBeUndefined();
    expect(countedSteps(() => trigger.next(0))).toBeLessThan(FEW_STEPS);
    expect(countedSteps(() => trigger.previous(8e12))).toBeLessThan(FEW_STEPS);
  });

  it.each([
    ['SECONDLY', 86_401, { BYHOUR: [0], BYMINUTE: [0], BYSECOND: [0] }],
    ['SECONDLY', 86_401, { BYHOUR: [0] }],
    ['SECONDLY', 86_399, { BYHOUR: [0], BYMINUTE: [0, 59], BYSECOND: [0] }],
    ['SECONDLY', 86_393, { BYHOUR: [0, 13], BYMINUTE: [0, 59], BYSECOND: [0, 1] }],
    ['SECONDLY', 1_000_000_000, {}],
    ['SECONDLY', 19_999_999, { BYMINUTE: [0, 59], BYSECOND: [0, 7] }],
    ['MINUTELY', 1441, { BYHOUR: [0], BYMINUTE: [0, 1] }],
    ['MINUTELY', 1433, { BYHOUR: [3, 4], BYMINUTE: [7, 8, 50] }],
    ['HOURLY', 25, { BYHOUR: [3, 4] }],
    ['HOURLY', 175, { BYHOUR: [3] }],
  ] as const)(
    '[TR-8, TR-14] FREQ=%s;INTERVAL=%i with %j is rare, and every instant is found at once',
    (freq, n, by) => {
      const start = Date.UTC(2020, 0, 1, 9, 30);
      const unit = { SECONDLY: 1000, MINUTELY: 60_000, HOURLY: 3_600_000 }[freq];
      const parts = Object.entries(by) as [keyof typeof HANDS, readonly number[]][];
      const expected: number[] = [];
      for (let at = start; at < Date.UTC(2200, 0, 1); at += n * unit) {
        if (parts.every(([part, values]) => values.includes(HANDS[part](new Date(at))))) expected.push(at);
      }
      const rule = [`FREQ=${freq}`, `INTERVAL=${n}`, ...parts.map(([part, values]) => `${part}=${values.join(',')}`)];
      const trigger = due(rrule(rule.join(';')));
      expect(trigger.list(0, expected.length + 1)).toEqual(expected);
      const backwards: number[] = [];
      for (let at = trigger.previous(8e12); at !== undefined; at = trigger.previous(at)) backwards.push(at);
      expect(backwards.reverse()).toEqual(expected);
      expect(countedSteps(() => trigger.next(start))).toBeLessThan(FEW_STEPS);
      expect(countedSteps(() => trigger.previous(8e12))).toBeLessThan(FEW_STEPS);
    },
  );

  it('[TR-8, TR-14] 29 February on a Sunday of every third year is found across 2100', () => {
    const trigger = due(rrule('FREQ=YEARLY;INTERVAL=3;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU'));
    expect(trigger.list(0, 9)).toEqual([Date.UTC(2032, 1, 29, 9, 30), Date.UTC(2128, 1, 29, 9, 30)]);
  });

  it.each([
    ['FREQ=SECONDLY;COUNT=100000'],
    ['FREQ=SECONDLY;INTERVAL=121;BYSECOND=0,30;COUNT=100000'],
    ['FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1;COUNT=100000'],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=100000'],
  ])('[TR-8, TR-14] the end of %s is found once and kept', (rule) => {
    const trigger = due(rrule(rule));
    expect(trigger.next(Date.UTC(2200, 0, 1))).toBeUndefined();
    const last = trigger.previous(8e12) as number;
    expect(trigger.next(last - 1)).toBe(last);
    expect(countedSteps(() => trigger.previous(8e12))).toBeLessThan(FEW_STEPS);
  });

  test.prop([fc.integer({ min: 1, max: 400 }), fc.nat(), fc.nat(), fc.nat(60)])(
    '[TR-8] a walk around a circle stops in an arc when it first does',
    (modulus, start, step, width) => {
      const from = start % modulus;
      const by = step % modulus;
      let expected = Number.POSITIVE_INFINITY;
      for (let k = 0; k <= modulus && expected > k; k += 1) if ((from + k * by) % modulus <= width) expected = k;
      expect(firstWithin(from, by, modulus, width)).toBe(expected);
    },
  );

  test.prop([
    fc.uniqueArray(fc.nat(23), { minLength: 1, maxLength: 5 }),
    fc.uniqueArray(fc.nat(59), { minLength: 1, maxLength: 5 }),
    fc.uniqueArray(fc.nat(59), { minLength: 1, maxLength: 5 }),
    fc.nat(86_400),
  ])('[TR-14] times of a day by place', (hours, minutes, seconds, time) => {
    const bits = hours.reduce((set, hour) => set | (1 << hour), 0);
    const set = combinedTimes(bits, sixtySet(minutes), sixtySet(seconds));
    const all = hours
      .flatMap((h) => minutes.flatMap((m) => seconds.map((s) => h * 3600 + m * 60 + s)))
      .sort((a, b) => a - b);
    expect(timeCount(set)).toBe(all.length);
    expect(all.map((_, place) => timeAt(set, place))).toEqual(all);
    expect(timesBefore(set, time)).toBe(all.filter((one) => one < time).length);
  });
});
