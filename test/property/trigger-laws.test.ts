/**
 * The laws of due instants: what must hold whatever the trigger is, for every kind, in every zone and near its changes.
 *
 * Triggers come from the generators of the differential test; the laws themselves ask the engine alone, but for soundness,
 * which reads the clock off `Intl`.
 */
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { isAnyOf } from '../../src/core/trigger/any-of-trigger.js';
import { type CompiledTrigger, compileTrigger } from '../../src/core/trigger/compile.js';
import { compileDue } from '../../src/core/trigger/due/compile-due.js';
import { isDueSet } from '../../src/core/trigger/due/due-set.js';
import { due } from '../support/due.js';
import { EVERY_ZONE } from '../support/every-zone.js';
import { clockOf, KINDS, randomDeclaration, randomTrigger } from '../support/random-dues.js';
import { findChanges, randomCalendar, randomCron, seeded } from '../support/random-triggers.js';
import { wantsDay } from '../support/trigger-oracle.js';

const DAY = 86_400_000;
const RUNS = { numRuns: 300 };

/** A seed, a zone, and a change of its clock (or any instant, where it has none) with a time within two days of it. */
const place = fc
  .record({
    seed: fc.nat(),
    zone: fc.constantFrom(...EVERY_ZONE),
    year: fc.integer({ min: 1900, max: 2090 }),
    aside: fc.integer({ min: -2 * DAY, max: 2 * DAY }),
  })
  .map(({ seed, zone, year, aside }) => {
    const random = seeded(seed);
    const change = random.pick(findChanges(zone, year, random));
    return { seed, zone, change, from: change + aside };
  });

/** A trigger of any kind, or with an exclusion and a spread around it, and a time near a change of its clock. */
const asked = fc.record({ place, kind: fc.constantFrom(...KINDS, 'declaration') }).map(({ place: at, kind }) => {
  const { zone, change } = at;
  const random = seeded(at.seed + 1);
  if (kind !== 'declaration') {
    const { wire } = randomTrigger(random, kind, zone, change);
    return { wire, trigger: due(wire), from: at.from };
  }
  const { parts, calendars } = randomDeclaration(random, zone, change);
  const named = Object.entries(calendars).map(([name, dates]) => [name, { dates, digest: `sha256:${name}` }]);
  const result = compileDue(parts, { calendars: Object.fromEntries(named) });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return { wire: parts, trigger: result.value, from: at.from };
});

/** The next instants, asked one by one. */
function steps(trigger: CompiledTrigger, from: number, count: number): number[] {
  const found: number[] = [];
  for (let at = trigger.next(from); at !== undefined && found.length < count; at = trigger.next(at)) found.push(at);
  return found;
}

describe('laws of due instants', () => {
  test.prop([asked], RUNS)('[TR-1] progress: next is later, whole, and rises', ({ trigger, from }) => {
    let last = from;
    for (const at of steps(trigger, from, 60)) {
      expect(Number.isInteger(at)).toBe(true);
      expect(at).toBeGreaterThan(last);
      last = at;
    }
  });

  test.prop([asked, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 5, maxLength: 20 })], RUNS)(
    '[TR-1] path independence: next from anywhere is the first later one of the list from before',
    ({ trigger, from }, parts) => {
      const list = trigger.list(from, 60);
      const last = list.at(-1) ?? from;
      for (const part of parts) {
        const inside = from + Math.floor((last - from) * part);
        expect(trigger.next(inside)).toBe(list.find((at) => at > inside) ?? trigger.next(last));
      }
    },
  );

  test.prop([asked], RUNS)('[TR-1] previous mirrors next', ({ trigger, from }) => {
    const list = trigger.list(from, 40);
    for (const [i, later] of list.entries()) {
      const earlier = list[i - 1];
      expect(trigger.next(later - 1)).toBe(later);
      expect(trigger.previous(later + 1)).toBe(later);
      if (earlier !== undefined) expect(trigger.previous(later)).toBe(earlier);
    }
    const before = trigger.previous(list[0] ?? from);
    if (before !== undefined) expect(before).toBeLessThanOrEqual(from);
  });

  test.prop([asked, fc.nat(20), fc.nat(20)], RUNS)(
    '[TR-1] split: a list is its first part and the list from there, and as many as are counted',
    ({ trigger, from }, a, b) => {
      const first = trigger.list(from, a);
      const rest = first.length < a ? [] : trigger.list(first.at(-1) ?? from, b);
      const whole = [...first, ...rest];
      expect(trigger.list(from, a + b)).toEqual(whole);
      expect(steps(trigger, from, a + b)).toEqual(whole);
      const through = whole.at(-1) ?? from;
      expect(trigger.count(from, through, 1000)).toBe(whole.length);
      expect(trigger.count(from, through, 3)).toBe(Math.min(3, whole.length));
    },
  );

  test.prop([place, fc.boolean()], RUNS)(
    '[TR-3, TR-6] soundness: the clock shows a wanted time of a wanted date, or jumps over one',
    ({ seed, zone, change, from }, isCron) => {
      const { wire, oracle } = (isCron ? randomCron : randomCalendar)(seeded(seed + 1), zone, change);
      const clock = clockOf(zone);
      const times = new Set(oracle.times);
      for (const at of due(wire).list(from, 30)) {
        const local = clock.localAt(at);
        const day = Math.floor(local / DAY) * DAY;
        const isShown = times.has((local - day) / 1000) && wantsDay(oracle, day);
        const isGapEnd = oracle.shift && clock.localAt(at - 1000) + 1000 < local;
        expect(isShown || isGapEnd, JSON.stringify({ wire, at: new Date(at).toISOString() })).toBe(true);
      }
    },
  );

  test.prop([asked], RUNS)(
    '[TR-1, DE-12] completeness: a union has what its members have, a filter loses what it excludes alone',
    ({ trigger, from }) => {
      const through = from + 3 * DAY;
      const within = (one: CompiledTrigger, after: number, to: number) => {
        const count = Math.min(one.count(after, to, 200), 200);
        return one.list(after, count);
      };
      if (isDueSet(trigger)) {
        const { base, exclusion, offsetMs } = trigger;
        const kept = within(base, from - offsetMs, through - offsetMs).filter((at) => !exclusion?.isExcluded(at));
        expect(trigger.list(from, kept.length)).toEqual(kept.map((at) => at + offsetMs));
      } else if (isAnyOf(trigger)) {
        const all = [...new Set(trigger.of.flatMap((one) => within(one, from, through)))].sort((a, b) => a - b);
        expect(trigger.list(from, Math.min(all.length, 200))).toEqual(all.slice(0, 200));
      }
    },
  );

  test.prop([place, fc.boolean()], RUNS)('[TR-5] start and end cut the same set', (at, isCron) => {
    const { wire } = (isCron ? randomCron : randomCalendar)(seeded(at.seed + 1), at.zone, at.change);
    const { start: _start, end: _end, ...whole } = wire;
    const list = due(whole).list(at.from, 12);
    const [start, end] = [list[2], list[8]];
    if (start === undefined || end === undefined) return;
    const cut = due({ ...whole, start: new Date(start).toISOString(), end: new Date(end).toISOString() });
    expect(cut.list(Number.NEGATIVE_INFINITY, 100)).toEqual(list.slice(2, 9));
    expect(cut.previous(Number.POSITIVE_INFINITY)).toBe(end);
  });

  test.prop([fc.anything()], { numRuns: 1000 })('[DE-1] no input makes the compiler throw', (input) => {
    const shapes = [
      input,
      { kind: 'cron', expression: input, timezone: input, dialect: input },
      { kind: 'calendar', hour: input, weekdays: [input], every: input, nthWeekdays: [input] },
      { kind: 'rrule', rule: input, dtstart: input, timezone: input, exdates: [input], rdates: input },
      { kind: 'anyOf', of: input },
      { kind: 'anyOf', of: [input, { kind: 'anyOf', of: [input] }] },
    ];
    for (const shape of shapes) {
      expect(() => compileTrigger(shape)).not.toThrow();
      expect(() => compileDue({ trigger: shape, exclude: input, spreadSeconds: input })).not.toThrow();
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

  test.prop([asked], { numRuns: 600 })(
    '[TR-8] termination: any trigger answers from the first year and from the last',
    ({ wire, trigger }) => {
      const started = process.cpuUsage();
      for (const at of [
        Number.NEGATIVE_INFINITY,
        Date.UTC(1800, 0),
        Date.UTC(2199, 11, 30),
        Number.POSITIVE_INFINITY,
      ]) {
        trigger.next(at);
        trigger.previous(at);
      }
      // In microseconds of this process: far above what it takes, and far below what a search without a bound would.
      expect(process.cpuUsage(started).user, JSON.stringify(wire)).toBeLessThan(1_000_000);
    },
  );

  it('[DE-12] termination: what is excluded altogether is never due, and soon said to be', () => {
    const all = { weekdays: [0, 1, 2, 3, 4, 5, 6] };
    const everySecond = { kind: 'cron', expression: '* * * * * *', timezone: 'Pacific/Apia' };
    const result = compileDue({ trigger: everySecond, exclude: all });
    if (!result.ok) throw new Error(JSON.stringify(result.issues));
    expect(result.value.next(0)).toBeUndefined();
    expect(result.value.previous(4e12)).toBeUndefined();
    expect(result.value.count(0, 4e12, 10)).toBe(0);
  });
});
