/** Laws of unions, exclusions and spreads, for arbitrary triggers; and of calendars that are edited while time goes by. */
import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import type { Declaration } from '../../src/core/model/declaration.js';
import type { Exclusion } from '../../src/core/model/exclusion.js';
import type { Trigger } from '../../src/core/model/trigger.js';
import { type EpochMs, epochMs } from '../../src/core/time/instant.js';
import type { CompiledTrigger } from '../../src/core/trigger/compile.js';
import { compileDue } from '../../src/core/trigger/due/compile-due.js';
import { isDueSet } from '../../src/core/trigger/due/due-set.js';
import { arbitraries } from '../../src/testing/arbitraries.js';
import { World } from '../support/builders.js';
import { due } from '../support/due.js';

const made = arbitraries(fc);
const RUNS = { numRuns: 150 };
const DAY = 86_400_000;

const trigger = made.trigger as unknown as fc.Arbitrary<Trigger>;
const exclusion = made.exclusion as unknown as fc.Arbitrary<Exclusion>;
const from = fc.integer({ min: Date.UTC(2019, 0, 1), max: Date.UTC(2041, 0, 1) });
const spread = fc.option(fc.integer({ min: 1, max: 86_400 }), { nil: undefined });

function thinned(one: Trigger, { timezone, ...days }: Exclusion, spreadSeconds: number | undefined): CompiledTrigger {
  const exclude = 'timezone' in one ? days : { ...days, timezone };
  const result = compileDue({ id: 'job', trigger: one, exclude, spreadSeconds });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.value;
}

/** The date that a zone shows, by `Intl` and nothing of the engine. */
function dateIn(timezone: string, at: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' }).format(at);
}

function isLeftOut({ dates = [], weekdays = [] }: Exclusion, timezone: string, at: number): boolean {
  const date = dateIn(timezone, at);
  const weekday = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
  const inDates = dates.some((range) => {
    const [first = '', last = first] = range.split('/');
    return first <= date && date <= last;
  });
  return inDates || weekdays.includes(weekday);
}

describe('laws of due sets', () => {
  test.prop([trigger, exclusion, spread, from], RUNS)(
    '[DE-12] each instant of the trigger is left out, or due once, put off by one offset',
    (one, days, spreadSeconds, start) => {
      const set = thinned(one, days, spreadSeconds);
      const base = due(one);
      const offset = isDueSet(set) ? set.offsetMs : Number.NaN;
      const zone = base.timezone ?? days.timezone ?? 'UTC';
      const all = base.list(start, 60);
      const kept = all.filter((at) => !isLeftOut(days, zone, at)).map((at) => at + offset);
      const bound = (all.at(-1) ?? start + 400 * DAY) + offset;
      expect(set.list(start + offset, 60).filter((at) => at <= bound)).toEqual(kept);
      expect(set.count(start + offset, bound, 1000)).toBe(kept.length);
    },
  );

  test.prop([trigger, exclusion, spread, from], RUNS)(
    '[TR-1, DE-12] the set is the same from wherever it is asked, forwards and backwards',
    (one, days, spreadSeconds, start) => {
      const set = thinned(one, days, spreadSeconds);
      const list = set.list(start, 20);
      for (const [i, at] of list.entries()) {
        expect(set.next(at - 1)).toBe(at);
        expect(set.next((list[i - 1] ?? start) + 0.5)).toBe(at);
        if (i > 0) expect(set.previous(at)).toBe(list[i - 1]);
      }
      const last = list.at(-1);
      if (last !== undefined) expect(set.previous(last + 1)).toBe(last);
    },
  );

  test.prop([fc.array(trigger, { minLength: 1, maxLength: 4 }), from], RUNS)(
    '[TR-1] a union has the instants of its members, each once',
    (members, start) => {
      const of = members.map((member) => (member.kind === 'anyOf' ? (member.of[0] as Trigger) : member));
      const union = due({ kind: 'anyOf', of });
      const all = of.flatMap((member) => due(member).list(start, 40));
      const merged = [...new Set(all)].sort((a, b) => a - b).slice(0, 40);
      expect(union.list(start, 40)).toEqual(merged);
      let at = start;
      for (const expected of merged) {
        at = union.next(at) ?? Number.NaN;
        expect(at).toBe(expected);
        expect(union.previous(expected + 1)).toBe(expected);
      }
    },
  );
});

/** Clocks that jump ahead at 23:00, over a whole day, at an odd minute, and as most do. */
const odd = fc.constantFrom('America/Nuuk', 'Pacific/Apia', 'America/St_Johns', 'Europe/Berlin');
const weekdays = fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 6 });
/** Triggers of some weekdays, which an exclusion of weekdays takes away wholly or nearly. */
const weekly = fc
  .record({
    timezone: odd,
    weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 2 }),
    time: fc.constantFrom('00:10', '09:00', '23:30'),
    gap: fc.constantFrom('skip', 'shift'),
    every: fc.constantFrom(1, 2),
  })
  .map(({ time, every, ...parts }) => ({
    kind: 'calendar' as const,
    ...parts,
    times: [time],
    ...(every > 1 && { every: { unit: 'week' as const, n: every }, anchor: '2019-12-30' }),
  }));
const ruled = fc.record({ timezone: odd, day: fc.constantFrom('MO', 'SA,SU'), places: fc.boolean() }).map((parts) => ({
  kind: 'rrule' as const,
  rule: `FREQ=WEEKLY;BYDAY=${parts.day}${parts.places ? ';BYSETPOS=1' : ''}`,
  dtstart: '2019-12-30T23:30:00',
  timezone: parts.timezone,
  rdates: ['2025-12-24T09:00:00', '2026-12-27T09:00:00'],
}));
const steady = fc.constantFrom<Trigger>(
  { kind: 'interval', start: '2020-01-06T12:00:00Z', everySeconds: 604_800 },
  { kind: 'once', at: '2026-12-28T08:00:00Z' },
);
const sparse: fc.Arbitrary<Trigger> = fc.oneof(
  weekly,
  ruled,
  steady,
  fc
    .array(fc.oneof(weekly, ruled, steady), { minLength: 1, maxLength: 3 })
    .map((of) => ({ kind: 'anyOf' as const, of })),
);

describe('laws of leaps', () => {
  test.prop([sparse, weekdays, odd, fc.integer({ min: Date.UTC(2010, 0, 1), max: Date.UTC(2030, 0, 1) })], {
    numRuns: 400,
  })('[TR-8, DE-12] what is leapt over is left out, in both directions', (one, left, timezone, at) => {
    const set = thinned(one, { weekdays: left, timezone }, undefined);
    const base = due(one);
    const zone = base.timezone ?? timezone;
    const isLeft = (instant: number) => isLeftOut({ weekdays: left }, zone, instant);
    const after = base.list(at, 120);
    const first = after.find((instant) => !isLeft(instant));
    const end = after.at(-1) ?? Number.POSITIVE_INFINITY;
    if (first !== undefined) expect(set.next(at)).toBe(first);
    else expect(set.next(at) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(after.length === 120 ? end : 8e15);
    let before = base.previous(at);
    for (let steps = 0; before !== undefined && isLeft(before) && steps < 120; steps += 1)
      before = base.previous(before);
    if (before === undefined || !isLeft(before)) expect(set.previous(at)).toBe(before);
    else expect(set.previous(at) ?? Number.NEGATIVE_INFINITY).toBeLessThan(before);
  });
});

/** A time of day later, and perhaps an edit of the calendar before the owner looks. */
const step = fc.record({
  days: fc.integer({ min: 0, max: 4 }),
  edit: fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 8 }), { nil: undefined }),
  looks: fc.boolean(),
});

const START = Date.UTC(2026, 11, 1);

function calendarOf(days: readonly number[]) {
  const dates = days.map((day) => new Date(START + day * DAY).toISOString().slice(0, 10)).sort();
  return { holidays: { dates, digest: `sha256:${dates.join()}` } };
}

describe('laws of calendars', () => {
  test.prop([fc.array(step, { minLength: 1, maxLength: 25 })], { numRuns: 200 })(
    '[DE-12, CO-5] whatever edits come when, no instant is due twice, and none after what is accounted for is lost',
    (steps) => {
      const twice = { kind: 'calendar', hour: [6, 18], timezone: 'UTC' } as const;
      const declared: Partial<Declaration> = {
        trigger: twice,
        exclude: { calendar: 'holidays' },
        misfire: 'catchUp',
        maxCatchUp: 100,
        graceSeconds: 86_400,
        overlap: 'queue',
      };
      const world = new World(epochMs(START));
      let calendars = calendarOf([]);
      world.calendars = calendars;
      world.create(declared);
      let through: number = world.schedule.collectedThrough;
      const expected: number[] = [];
      const found = (): number[] => [...world.ended, ...world.pending].map(({ dueAt }) => dueAt).sort((a, b) => a - b);
      for (const { days, edit, looks } of steps) {
        world.at(epochMs(world.now + days * DAY + 3_600_000));
        if (edit !== undefined) calendars = calendarOf(edit);
        world.calendars = calendars;
        if (!looks) continue;
        world.tick();
        const set = compileDue({ id: 'job', ...declared, trigger: twice }, { calendars });
        if (!set.ok) throw new Error('it compiles');
        const taken = set.value.list(through, 1000).filter((at: EpochMs) => at <= world.now);
        expected.push(...taken);
        through = taken.at(-1) ?? through;
        expect(found()).toEqual(expected);
        expect(world.schedule.nextDue).toBe(set.value.next(through));
        world.runAll();
      }
      expect(new Set(expected).size).toBe(expected.length);
    },
  );
});
