/** The laws of due instants, for arbitrary triggers and times: what must hold whatever the trigger is. */
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { spanAt } from '../../src/core/time/zone-spans.js';
import { compileTrigger } from '../../src/core/trigger/compile.js';
import { wantedFrom } from '../../src/core/trigger/pattern/wall-pattern.js';
import { isWallTrigger, type WallTrigger } from '../../src/core/trigger/wall-trigger.js';
import { due } from '../support/due.js';
import { ZONES } from '../support/random-triggers.js';

const DAY = 86_400_000;
const RUNS = { numRuns: 300 };

const zone = fc.constantFrom(...ZONES);
const minute = fc.constantFrom('0', '30', '*', '*/15', '0,30', '5-50/15', '59');
const hour = fc.constantFrom('*', '0', '1', '2', '3', '23', '*/2', '0-3', '22,23', '1,2');
const monthDay = fc.constantFrom('*', '*', '*', '1', 'L', '15W', 'LW', '13,31', '*/2');
const weekday = fc.constantFrom('*', '*', '*', '0', 'MON-FRI', '+6', '5L', '1#2', '+SUN');
const cron = fc
  .record({
    zone,
    fields: fc.tuple(minute, hour, monthDay, fc.constant('*'), weekday),
    shift: fc.boolean(),
    both: fc.boolean(),
  })
  .map(({ zone: timezone, fields, shift, both }) => ({
    kind: 'cron',
    expression: fields.join(' '),
    timezone,
    gap: shift ? 'shift' : 'skip',
    repeat: both ? 'both' : 'first',
  }));
const calendar = fc
  .record({
    timezone: zone,
    hour: fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { minLength: 1, maxLength: 4 }),
    minute: fc.constantFrom(0, 30, 59),
    weekdays: fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }), { nil: undefined }),
    every: fc.option(fc.record({ unit: fc.constantFrom('day', 'week', 'month'), n: fc.integer({ min: 1, max: 3 }) }), {
      nil: undefined,
    }),
    gap: fc.constantFrom('skip', 'shift'),
  })
  .map((parts) => ({ kind: 'calendar', ...parts, ...(parts.every && { anchor: '1996-05-31' }) }));
const interval = fc
  .record({ ms: fc.integer({ min: 1, max: 10 * DAY }), start: fc.integer({ min: -1e12, max: 2e12 }) })
  .map(({ ms, start }) => ({ kind: 'interval', everySeconds: ms / 1000, start: new Date(start).toISOString() }));
const trigger = fc.oneof({ weight: 4, arbitrary: cron }, { weight: 2, arbitrary: calendar }, interval);

/** A time within two days of a change of the trigger's clock, or anywhere where it has none. */
function near(one: unknown, somewhere: number, aside: number): number {
  const compiled = due(one);
  if (!isWallTrigger(compiled)) return somewhere;
  let span = spanAt(compiled.zone, somewhere);
  for (let i = 0; i < 8 && spanAt(compiled.zone, span.end).offset === span.offset; i += 1)
    span = spanAt(compiled.zone, span.end);
  return span.end + aside;
}

const somewhere = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2045, 0, 1) });
const aside = fc.integer({ min: -2 * DAY, max: 2 * DAY });

describe('laws of due instants', () => {
  test.prop([trigger, somewhere, aside], RUNS)('[TR-1] progress: next is later and rises', (one, at, by) => {
    const compiled = due(one);
    let last = near(one, at, by);
    for (let i = 0; i < 40; i += 1) {
      const next = compiled.next(last);
      if (next === undefined) break;
      expect(Number.isInteger(next)).toBe(true);
      expect(next).toBeGreaterThan(last);
      last = next;
    }
  });

  test.prop(
    [trigger, somewhere, aside, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 5, maxLength: 20 })],
    RUNS,
  )(
    '[TR-1] path independence: next from anywhere is the first later one of the list from before',
    (one, at, by, parts) => {
      const compiled = due(one);
      const from = near(one, at, by);
      const list = compiled.list(from, 60);
      const last = list.at(-1) ?? from;
      for (const part of parts) {
        const inside = from + Math.floor((last - from) * part);
        expect(compiled.next(inside)).toBe(list.find((due) => due > inside) ?? compiled.next(last));
      }
    },
  );

  test.prop([trigger, somewhere, aside], RUNS)('[TR-1] previous mirrors next', (one, at, by) => {
    const compiled = due(one);
    const list = compiled.list(near(one, at, by), 40);
    for (let i = 1; i < list.length; i += 1) {
      const [earlier, later] = [list[i - 1] as number, list[i] as number];
      expect(compiled.previous(later)).toBe(earlier);
      expect(compiled.previous(earlier + 1)).toBe(earlier);
      expect(compiled.next(earlier - 1)).toBe(earlier);
    }
  });

  test.prop([trigger, somewhere, aside, fc.nat(20), fc.nat(20)], RUNS)(
    '[TR-1] split: a list is its first part and the list from there',
    (one, at, by, a, b) => {
      const compiled = due(one);
      const from = near(one, at, by);
      const first = compiled.list(from, a);
      const rest = first.length < a ? [] : compiled.list(first.at(-1) ?? from, b);
      expect(compiled.list(from, a + b)).toEqual([...first, ...rest]);
      const through = rest.at(-1) ?? first.at(-1) ?? from;
      expect(compiled.count(from, through, 1000)).toBe(first.length + rest.length);
      expect(compiled.count(from, through, 3)).toBe(Math.min(3, first.length + rest.length));
    },
  );

  test.prop([fc.oneof(cron, calendar), somewhere, aside], RUNS)(
    '[TR-3] soundness: the clock shows a wanted time, or the end of a gap',
    (one, at, by) => {
      const compiled = due(one) as WallTrigger;
      for (const instant of compiled.list(near(one, at, by), 20)) {
        const span = spanAt(compiled.zone, instant);
        const wall = instant + span.offset;
        const shown = wantedFrom(compiled.pattern, wall) === wall;
        const before = spanAt(compiled.zone, instant - 1);
        const gapEnd = compiled.shift && span.start === instant && before.offset < span.offset;
        expect(shown || gapEnd).toBe(true);
      }
    },
  );

  test.prop([fc.oneof(cron, calendar), somewhere, aside], { numRuns: 60 })(
    '[TR-6] completeness: no wanted time that is shown is left out',
    (one, at, by) => {
      const compiled = due(one) as WallTrigger;
      const from = Math.floor(near(one, at, by) / 60_000) * 60_000;
      const found = new Set<number>(compiled.list(from - 1, 3000).filter((instant) => instant <= from + 2 * DAY));
      for (let t = from; t <= from + 2 * DAY; t += 60_000) {
        const span = spanAt(compiled.zone, t);
        const wall = t + span.offset;
        if (wantedFrom(compiled.pattern, wall) !== wall) continue;
        if (compiled.everyPass || wall >= span.freshFrom) expect(found.has(t)).toBe(true);
      }
    },
  );

  test.prop([fc.oneof(cron, calendar), somewhere], RUNS)('[TR-5] start and end cut the same set', (one, at) => {
    const whole = due(one);
    const list = whole.list(at, 12);
    const [start, end] = [list[2], list[8]];
    if (start === undefined || end === undefined) return;
    const cut = due({ ...one, start: new Date(start).toISOString(), end: new Date(end).toISOString() });
    expect(cut.list(Number.NEGATIVE_INFINITY, 100)).toEqual(list.slice(2, 9));
    expect(cut.previous(Number.POSITIVE_INFINITY)).toBe(end);
  });

  test.prop([fc.anything()], { numRuns: 1000 })('[DE-1] no input makes the compiler throw', (input) => {
    expect(() => compileTrigger(input)).not.toThrow();
    expect(() => compileTrigger({ kind: 'cron', expression: input, timezone: input, dialect: input })).not.toThrow();
    expect(() =>
      compileTrigger({ kind: 'calendar', hour: input, weekdays: [input], every: input, nthWeekdays: [input] }),
    ).not.toThrow();
  });

  test.prop([fc.string({ unit: fc.constantFrom(...'0123456789*/-,?LW#+ \t@SUNMONJANdaily'), maxLength: 30 })], {
    numRuns: 3000,
  })('[TR-7] every text is read whole or refused with a position inside it', (expression) => {
    const result = compileTrigger({ kind: 'cron', expression, timezone: 'UTC' });
    if (result.ok) return;
    for (const issue of result.issues) {
      expect(issue.at).toBeGreaterThanOrEqual(0);
      expect(issue.at).toBeLessThanOrEqual(expression.length);
    }
  });
});

describe('distance', () => {
  it('[TR-8] patterns that never match, or match once in decades, answer from every year', () => {
    const never = due({ kind: 'cron', expression: '0 0 30 2 *', timezone: 'Europe/London' });
    const rare = due({ kind: 'cron', expression: '0 0 29 2 +SUN', timezone: 'UTC' });
    for (let year = 1970; year < 2199; year += 7) {
      const at = Date.UTC(year, 5, 1);
      expect(never.next(at)).toBeUndefined();
      const next = rare.next(at);
      if (next !== undefined) expect(new Date(next).toISOString()).toMatch(/-02-29T00:00:00/);
    }
    expect(rare.list(Date.UTC(1970, 0, 1), 100)).toHaveLength(8);
  });
});
