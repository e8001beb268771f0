/** Lint as a whole: what every warning looks like, that it never throws, that it is bounded, and the first example. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeDeclaration } from '../../../src/codec/declaration-codec.js';
import { parseStrictJson } from '../../../src/codec/strict-json.js';
import { lint } from '../../../src/core/lint/lint.js';
import { nthDue } from '../../../src/core/lint/nth-due.js';
import { LINTS } from '../../../src/core/lint/warning.js';
import type { Declaration } from '../../../src/core/model/declaration.js';
import { LIMITS } from '../../../src/core/model/limits.js';
import type { Trigger } from '../../../src/core/model/trigger.js';
import { epochMs, formatInstant, MAX_INSTANT, MIN_INSTANT } from '../../../src/core/time/instant.js';
import { compileTrigger } from '../../../src/core/trigger/compile.js';
import { declaration } from '../../support/builders.js';
import { randomCalendar, randomCron, seeded, ZONES } from '../../support/random-triggers.js';
import { codesOf, cron, NOW, warningsOf } from './lint-one.js';

const DAY = 86_400_000;
const seed = fc.integer({ min: 0, max: 2 ** 31 });
const between = (limit: { readonly min: number; readonly max: number }) => fc.integer(limit);

/** Triggers of every kind that is due, near the clock changes of every kind of zone. */
const trigger: fc.Arbitrary<Trigger> = fc.oneof(
  seed.map((n) => {
    const random = seeded(n);
    const { wire } = random.once(2)
      ? randomCron(random, random.pick(ZONES), NOW + random.below(900) * DAY)
      : randomCalendar(random, random.pick(ZONES), NOW + random.below(900) * DAY);
    return wire as unknown as Trigger;
  }),
  fc.record({
    kind: fc.constant('interval' as const),
    start: fc.integer({ min: NOW - 400 * DAY, max: NOW + 400 * DAY }).map((at) => formatInstant(epochMs(at))),
    everySeconds: fc.oneof(fc.constantFrom(0.001, 10_000_000_000), fc.integer({ min: 1, max: 10_000_000 })),
  }),
  fc.record({
    kind: fc.constant('once' as const),
    at: fc.constantFrom('2026-10-12T04:59:59Z', '9999-12-31T00:00:00Z'),
  }),
  fc.constant({ kind: 'manual' as const }),
);

const anyDeclaration: fc.Arbitrary<Declaration> = fc
  .record({
    trigger,
    overlap: fc.constantFrom('queue' as const, 'skip' as const, 'coalesce' as const),
    misfire: fc.constantFrom('skip' as const, 'runOnce' as const, 'catchUp' as const),
    graceSeconds: between(LIMITS.graceSeconds),
    maxCatchUp: between(LIMITS.maxCatchUp),
    maxOccurrences: fc.oneof(fc.constant('unlimited' as const), between(LIMITS.maxOccurrences)),
    maxRetries: between(LIMITS.maxRetries),
    expiresAt: fc.option(fc.integer({ min: NOW - DAY, max: NOW + 999 * DAY }), { nil: undefined }),
    maxLatenessSeconds: fc.option(between(LIMITS.maxLatenessSeconds), { nil: undefined }),
  })
  .map(({ expiresAt, maxLatenessSeconds, ...rest }) =>
    declaration({
      ...rest,
      ...(expiresAt !== undefined && { expiresAt: formatInstant(epochMs(expiresAt)) }),
      ...(maxLatenessSeconds !== undefined && { maxLatenessSeconds }),
    }),
  );

const now = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: NOW - 900 * DAY, max: NOW + 900 * DAY }) },
  { weight: 1, arbitrary: fc.constantFrom(MIN_INSTANT, MAX_INSTANT, Date.UTC(2199, 11, 31, 23)) },
);

describe('lint', () => {
  it('[TR-12] never throws, and every warning is in the table with a field and a sentence', () => {
    fc.assert(
      fc.property(
        anyDeclaration,
        now,
        fc.option(between({ min: 0, max: 100_000 }), { nil: undefined }),
        (given, at, run) => {
          const warnings = lint(given, { now: epochMs(at), ...(run !== undefined && { recentRunSeconds: run }) });
          for (const { code, path, rule, message } of warnings) {
            expect(Object.keys(LINTS)).toContain(code);
            expect(path).toMatch(/^(trigger(\.(expression|gap|repeat|anchor|timezone))?|max\w+|overlap|expiresAt)$/);
            expect(rule).toBe('TR-12');
            expect(message).not.toMatch(/undefined|NaN|Infinity/);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it('[TB-4] the n-th due instant is the one that counting finds, where no clock changes', () => {
    fc.assert(
      fc.property(trigger, fc.integer({ min: 1, max: 300 }), (given, n) => {
        const fixed = 'timezone' in given ? { ...given, timezone: 'Asia/Tokyo' } : given;
        const compiled = compileTrigger(fixed);
        const first = compiled.ok ? compiled.value.next(NOW) : undefined;
        if (!compiled.ok || first === undefined) return;
        const until = first + 90 * DAY;
        const counted = compiled.value.list(first - 1, n)[n - 1];
        const expected = counted !== undefined && counted <= until ? counted : undefined;
        expect(nthDue(compiled.value, first, n, until)).toBe(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('[TR-12] warns of nothing in a trigger that is refused anyway', () => {
    expect(codesOf({ trigger: cron('* * *'), maxOccurrences: 1 })).toEqual([]);
  });

  it('[TR-12] finds nothing to say about the first example', async () => {
    const text = readFileSync(new URL('../../golden/seed-declaration.json', import.meta.url), 'utf8');
    const parsed = parseStrictJson(text);
    if (!parsed.ok) throw new Error('not JSON');
    const decoded = await decodeDeclaration(parsed.value, { now: NOW, randomId: () => 'k3v9x2' });
    if (!decoded.ok) throw new Error(JSON.stringify(decoded.issues));
    // 59 weekdays are left until it expires, of a budget of 100; 09:00 lies far from every change of Winnipeg's clock.
    expect(lint(decoded.value.declaration, { now: NOW, recentRunSeconds: 3600 })).toEqual([]);
  });
});

describe('instants that are no texts', () => {
  const at = '2026-10-12T00:00:00.000Z';

  it('[TR-12, DE-2] a normal form with a `Date` is judged as one with the text', () => {
    for (const expiresAt of [at, '2026-10-14T00:00:00.000Z']) {
      const asDate = new Date(expiresAt) as unknown as string;
      expect(warningsOf({ expiresAt: asDate })).toEqual(warningsOf({ expiresAt }));
    }
    expect(codesOf({ expiresAt: at })).not.toEqual(codesOf({}));
    const endingAt = (end: string) => warningsOf({ trigger: cron('0 9 * * *', { end }), spreadSeconds: 86_400 });
    const end = '2026-12-01T14:00:00.000Z';
    expect(endingAt(new Date(end) as unknown as string)).toEqual(endingAt(end));
  });

  it('[TR-12, DE-2] one that is no instant is refused', () => {
    for (const expiresAt of ['soon', 5, new Date(Number.NaN)]) {
      expect(() => warningsOf({ expiresAt: expiresAt as string })).toThrow(/nothing to lint: expiresAt/);
    }
  });
});
