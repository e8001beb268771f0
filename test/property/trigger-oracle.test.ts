/** The oracle itself: that it shares no code with the engine, and that its clock is the clock of `Intl`, minute by minute. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVERY_ZONE } from '../support/every-zone.js';
import { type OracleClock, offsetAt, oracleClock } from '../support/oracle-clock.js';
import { findChanges, seeded } from '../support/random-triggers.js';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const FILES = [
  'oracle-clock',
  'trigger-oracle',
  'cron-oracle',
  'calendar-oracle',
  'rrule-oracle',
  'random-triggers',
  'random-rrules',
  'random-dues',
  'differential',
];

describe('oracle', () => {
  it.each(FILES)('[TR-1] shares no code with the engine: %s', (file) => {
    const text = readFileSync(new URL(`../support/${file}.ts`, import.meta.url), 'utf8');
    const sources = [...text.matchAll(/from '([^']+)'/g)].map(([, source]) => source);
    expect(sources.filter((source) => !FILES.includes(source?.slice(2, -3) ?? ''))).toEqual([]);
  });

  it('[TR-10] shows each minute when Intl shows it, and no minute that Intl does not show', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.constantFrom(...EVERY_ZONE),
        fc.integer({ min: 1880, max: 2080 }),
        (seed, zone, year) => {
          const random = seeded(seed);
          const change = Math.floor(random.pick(findChanges(zone, year, random)) / MINUTE) * MINUTE;
          const clock = oracleClock(zone);
          for (let at = change - 1.5 * DAY; at < change + 1.5 * DAY; at += MINUTE) expectMinute(clock, at);
        },
      ),
      { numRuns: 40 },
    );
  });
});

function expectMinute(clock: OracleClock, at: number): void {
  const { timezone } = clock;
  const local = at + offsetAt(timezone, at);
  const shown = clock.instantsShowing(local);
  if (!shown.includes(at)) throw new Error(`${timezone} does not show ${local} at ${at}`);
  for (const one of shown) expect(one + offsetAt(timezone, one), `${timezone} ${one}`).toBe(local);
  const next = at + MINUTE + offsetAt(timezone, at + MINUTE);
  if (next - local <= MINUTE) return;
  // The clock jumps ahead: where it is said to, and what it jumps over is never shown.
  const over = next - (next - local) / 2;
  const jump = clock.jumpOver(over) as number;
  expect(clock.instantsShowing(over)).toEqual([]);
  expect(jump - 1000 + offsetAt(timezone, jump - 1000)).toBeLessThan(over);
  expect(jump + offsetAt(timezone, jump)).toBeGreaterThan(over);
}
