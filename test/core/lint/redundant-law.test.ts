/** The law of redundant members: whoever takes out all that lint names loses no due instant, near or far. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lint } from '../../../src/core/lint/lint.js';
import type { Trigger } from '../../../src/core/model/trigger.js';
import type { CompiledTrigger } from '../../../src/core/trigger/compile.js';
import { compileTrigger } from '../../../src/core/trigger/compile.js';
import { isDueAt } from '../../../src/core/trigger/compiled-trigger.js';
import { declaration } from '../../support/builders.js';
import { NOW } from './lint-one.js';

const DAY = 86_400_000;
/** All due instants of so many years are compared: every shape of a year, each 29 February on every weekday. */
const YEARS = 41;

const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo');
const hour = fc.constantFrom('9', '2', '0', '9,12', '2,9');
const monthDay = fc.constantFrom('*', '*', '1', '29', '1-28', '1,15', '30,31', 'L');
const month = fc.constantFrom('*', '*', '*', '2', '1,3-12', '1-6', '7-12');
const weekday = fc.constantFrom('*', '*', 'MON', 'MON-FRI', 'MON-SAT', 'SAT,SUN', 'SUN');

/** A day of these years, far ones as likely as near ones; most bounds are none. */
const date = fc.integer({ min: 0, max: 38 * 365 }).map((days) => new Date(NOW + days * DAY).toISOString().slice(0, 10));
const bound = fc.option(
  date.map((day) => `${day}T00:00:00Z`),
  { freq: 3 },
);

function bounded<T extends object>(trigger: T, start: string | null, end: string | null): Trigger {
  const ends = end === null ? {} : { end };
  return { ...trigger, ...(start === null ? {} : { start }), ...ends } as unknown as Trigger;
}

/** Members that have much in common, so that many are redundant, and some nearly so. */
const member: fc.Arbitrary<Trigger> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({ zone, hour, monthDay, month, weekday, start: bound, end: bound, both: fc.boolean() })
      .map(({ zone: timezone, hour: hours, monthDay: days, month: months, weekday: week, start, end, both }) => {
        const expression = `0 ${hours} ${days} ${months} ${days === '*' || week === '*' ? week : `+${week}`}`;
        const repeat = both ? 'both' : 'first';
        return bounded({ kind: 'cron', expression, timezone, repeat }, start, end);
      }),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ timezone: zone, exdates: fc.array(date, { maxLength: 2 }), rdates: fc.array(date, { maxLength: 1 }) })
      .map(({ timezone, exdates, rdates }) => ({
        kind: 'rrule' as const,
        rule: 'FREQ=DAILY',
        dtstart: '2026-01-01T09:00:00',
        timezone,
        ...(exdates.length === 0 ? {} : { exdates: exdates.map((day) => `${day}T09:00:00`) }),
        ...(rdates.length === 0 ? {} : { rdates: rdates.map((day) => `${day}T09:00:00`) }),
      })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ everySeconds: fc.constantFrom(86_400, 172_800, 604_800), end: bound })
      .map(({ end, ...more }) => bounded({ kind: 'interval', start: '2026-01-05T09:00:00Z', ...more }, null, end)),
  },
  { weight: 1, arbitrary: date.map((day) => ({ kind: 'once' as const, at: `${day}T09:00:00Z` })) },
);

/** A member that covers most others is likely to be there, in some place. */
const union = fc
  .tuple(fc.array(member, { minLength: 2, maxLength: 4 }), zone, fc.nat(4))
  .map(([members, timezone, place]) => {
    const daily: Trigger = { kind: 'cron', expression: '0 9 * * *', timezone };
    return [...members.slice(0, place), daily, ...members.slice(place)];
  });

function compiled(trigger: Trigger): CompiledTrigger {
  const result = compileTrigger(trigger);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.value;
}

it('[TR-12] what is named redundant in random unions can be taken out, and no due instant of 41 years is lost', () => {
  let named = 0;
  fc.assert(
    fc.property(union, (of) => {
      const trigger: Trigger = { kind: 'anyOf', of };
      const paths = new Set(
        lint(declaration({ trigger }), { now: NOW, authored: { trigger } }).flatMap(({ code, path }) =>
          code === 'redundantMember' ? [path] : [],
        ),
      );
      const isNamed = (place: number) => paths.has(`trigger.of[${place}]`);
      const left = of.filter((_, place) => !isNamed(place)).map(compiled);
      for (const one of of.filter((_, place) => isNamed(place)).map(compiled)) {
        named += 1;
        const until = NOW + YEARS * 365.25 * DAY;
        for (let at = one.next(NOW - 1); at !== undefined && at < until; at = one.next(at)) {
          if (!left.some((other) => isDueAt(other, at as number))) return false;
        }
      }
      return true;
    }),
    { numRuns: 60, seed: 20_261_201 },
  );
  expect(named).toBeGreaterThan(20);
});
