/** An explanation agrees with the trigger: whatever is asked, due is what is due, and the conditions say so. */
import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import type { DueExplanation } from '../../../src/core/explain/instant/due-explanation.js';
import { explain } from '../../../src/core/explain/instant/explain.js';
import { epochMs, formatInstant, parseInstant } from '../../../src/core/time/instant.js';
import { instantsShowing } from '../../../src/core/time/wall-clock.js';
import { spanAt } from '../../../src/core/time/zone-spans.js';
import { findZone } from '../../../src/core/time/zones.js';
import { askDue, type DueInput } from '../../../src/core/trigger/ask.js';
import { ZONES } from '../../support/random-triggers.js';

const zone = fc.constantFrom(...ZONES);
const bounds = fc.record(
  { start: fc.constant('2003-02-01T00:00:00.000Z'), end: fc.constant('2021-06-01T00:00:00.000Z') },
  { requiredKeys: [] },
);
const cron = fc
  .record({
    timezone: zone,
    fields: fc.tuple(
      fc.constantFrom('0', '*', '*/15', '0,30', '5-50/15'),
      fc.constantFrom('*', '0', '1', '2', '3', '*/2', '0-3', '22,23'),
      fc.constantFrom('*', '*', '1', 'L', '15W', 'LW', '13,31', '*/2'),
      fc.constantFrom('*', '*', '3,10', '1-4'),
      fc.constantFrom('*', '*', '0', 'MON-FRI', '+6', '5L', '1#2', '+SUN', 'SUN,1#1'),
    ),
    gap: fc.constantFrom('skip', 'shift'),
    repeat: fc.constantFrom('first', 'both'),
    bounds,
  })
  .map(({ fields, bounds: within, ...rest }) => ({ kind: 'cron', expression: fields.join(' '), ...rest, ...within }));
const calendar = fc
  .record({
    timezone: zone,
    hour: fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { minLength: 1, maxLength: 12 }),
    minute: fc.constantFrom(0, 30, 59),
    weekdays: fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }), { nil: undefined }),
    years: fc.option(fc.constant([2001, 2005, 2011, 2018]), { nil: undefined }),
    every: fc.option(
      fc.record({ unit: fc.constantFrom('day', 'week', 'month', 'year'), n: fc.integer({ min: 1, max: 3 }) }),
      { nil: undefined },
    ),
    gap: fc.constantFrom('skip', 'shift'),
    bounds,
  })
  .map(({ bounds: within, ...parts }) => ({
    kind: 'calendar',
    ...parts,
    ...within,
    ...(parts.every && { anchor: '1996-05-31' }),
  }));
const times = fc
  .record({ timezone: zone, gap: fc.constantFrom('skip', 'shift') })
  .map((parts) => ({ kind: 'calendar', times: ['00:00', '00:30', '02:15', '02:30', '23:30:15'], ...parts }));
const rrule = fc
  .record({
    timezone: zone,
    rule: fc.constantFrom(
      'FREQ=DAILY',
      'FREQ=DAILY;COUNT=900',
      'FREQ=HOURLY;INTERVAL=5;UNTIL=20100101T000000',
      'FREQ=MINUTELY;INTERVAL=90;BYDAY=SU,SA',
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;WKST=SU',
      'FREQ=MONTHLY;BYDAY=-1SU;BYHOUR=0,1,2,3;BYMINUTE=0,30',
      'FREQ=MONTHLY;BYDAY=SA,SU;BYHOUR=2;BYMINUTE=30;BYSETPOS=2,-1',
      'FREQ=YEARLY;BYYEARDAY=100,-60;BYHOUR=2',
      'FREQ=YEARLY;BYWEEKNO=13,43;BYDAY=SU',
      'FREQ=YEARLY;INTERVAL=2;BYDAY=20MO',
    ),
    exdates: fc.constantFrom(undefined, ['2004-03-28T02:30:00', '2004-10-31T02:30:00']),
    rdates: fc.constantFrom(undefined, ['2004-03-28T02:15:00', '2004-10-31T02:45:00']),
  })
  .map((parts) => ({ kind: 'rrule', dtstart: '1999-01-03T02:30:00', ...parts }));
const interval = fc.record({
  kind: fc.constant('interval'),
  everySeconds: fc.constantFrom(900, 86_400, 5400.5),
  start: fc.constant('2000-01-01T00:00:00.000Z'),
});
const once = fc.constant({ kind: 'once', at: '2004-03-28T01:30:00.000Z' });
const single = fc.oneof({ weight: 5, arbitrary: cron }, { weight: 3, arbitrary: calendar }, times, rrule, interval);
const union = fc.array(fc.oneof(single, once), { minLength: 1, maxLength: 3 }).map((of) => ({ kind: 'anyOf', of }));
const trigger = fc.oneof({ weight: 6, arbitrary: single }, union, once, fc.constant({ kind: 'manual' }));
const exclude = fc.record(
  {
    dates: fc.constantFrom(['2004-03-27/2004-03-28'], ['2010-01-01/2011-12-30', '2004-10-31']),
    weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 5 }),
    calendar: fc.constant('holidays'),
  },
  { requiredKeys: ['weekdays'] },
);
const declaration = fc
  .record({ trigger, exclude, spreadSeconds: fc.constantFrom(undefined, 1, 600, 86_400), zone })
  .map(({ trigger: given, exclude: left, spreadSeconds, zone: timezone }) => ({
    id: 'nightly',
    trigger: given,
    exclude: 'timezone' in given ? left : { ...left, timezone },
    ...(spreadSeconds !== undefined && { spreadSeconds }),
  }));
const asked = fc.oneof({ weight: 3, arbitrary: trigger }, declaration) as fc.Arbitrary<DueInput>;
const options = { calendars: { holidays: { dates: ['2004-10-24', '2008-01-01/2008-12-31'], digest: 'sha256:0' } } };

const somewhere = fc.integer({ min: Date.UTC(1999, 0, 1), max: Date.UTC(2023, 0, 1) });
const aside = fc.oneof(
  fc.constant(0),
  fc.integer({ min: -2 * 1440, max: 2 * 1440 }).map((minutes) => minutes * 60_000),
);

/** An instant at or about a change of a clock. */
function near(name: string, at: number, by: number): number {
  const clock = findZone(name);
  if (clock === undefined) throw new Error(name);
  let span = spanAt(clock, at);
  for (let i = 0; i < 8 && spanAt(clock, span.end).offset === span.offset; i += 1) span = spanAt(clock, span.end);
  return span.end + by;
}

function zoneNameOf(given: DueInput): string {
  return askDue(given, options).compiled.timezone ?? 'Europe/Berlin';
}

function isConsistent({ isDue, reason, checks, members, sentence }: DueExplanation): void {
  expect(checks.every(({ holds }) => holds)).toBe(isDue);
  expect(['due', 'secondPass', 'shifted'].includes(reason)).toBe(isDue);
  expect(sentence).not.toMatch(/undefined|NaN|not due: \.|: ;/);
  for (const member of members ?? []) expect(member.checks.every(({ holds }) => holds)).toBe(member.isDue);
}

describe('explanations', () => {
  test.prop([asked, somewhere, aside, fc.constantFrom(0, 0, 1, -1, 500)], { numRuns: 500 })(
    '[TR-11, DE-12] say due exactly where the trigger is due, and all conditions hold exactly there',
    (given, at, by, off) => {
      const { compiled } = askDue(given, options);
      const close = near(zoneNameOf(given), at, by);
      const about = [close, compiled.next(close), compiled.previous(close), compiled.next(at)];
      for (const instant of about) {
        if (instant === undefined) continue;
        const ms = epochMs(instant + off);
        const found = explain(given, formatInstant(ms), options);
        expect(found.at).toBe(formatInstant(ms));
        expect(found.isDue).toBe(compiled.next(ms - 1) === ms);
        expect(found.next?.at).toBe(textOf(compiled.next(ms)));
        expect(found.previous?.at).toBe(textOf(compiled.previous(ms)));
        isConsistent(found);
      }
    },
  );

  test.prop([asked, somewhere, aside], { numRuns: 500 })(
    '[TR-11, TR-3, TR-13] of a wall time say due exactly where an instant that shows it is due, or the end of its gap',
    (given, at, by) => {
      const { compiled } = askDue(given, options);
      const timezone = zoneNameOf(given);
      const clock = findZone(timezone);
      if (clock === undefined) throw new Error(timezone);
      const wall = near(timezone, at, by) + spanAt(clock, at).offset;
      const local = formatInstant(epochMs(wall)).slice(0, 19);
      const found = explain(given, { local }, { ...options, timezone });
      const shown = instantsShowing(clock, Math.floor(wall / 1000) * 1000);
      expect(found.passes?.length ?? Math.min(1, shown.length)).toBe(shown.length);
      if (found.at !== undefined) {
        const ms = parseInstant(found.at) as number;
        expect(found.isDue).toBe(compiled.next(ms - 1) === ms);
      }
      if (shown.some((one) => compiled.next(one - 1) === one)) expect(found.isDue).toBe(true);
      if (shown.length === 0) expect(found.gap).toBeDefined();
      isConsistent(found);
    },
  );
});

function textOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : formatInstant(epochMs(ms));
}
