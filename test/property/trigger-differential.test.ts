/**
 * The engine against the oracle: random triggers, many zones, around the changes of their clocks.
 *
 * `EVERDUE_SEED=n` repeats a run, `EVERDUE_ROUNDS=n` makes it longer.
 */
import { describe, expect, it } from 'vitest';
import { compileTrigger } from '../../src/core/trigger/compile.js';
import { findChanges, randomCalendar, randomCron, seeded, ZONES } from '../support/random-triggers.js';
import { dueWithin, walkClock } from '../support/trigger-oracle.js';

const DAY = 86_400_000;
const seed = Number(process.env['EVERDUE_SEED'] ?? Date.now() % 1_000_000);
const rounds = Number(process.env['EVERDUE_ROUNDS'] ?? 30);

function compiled(trigger: unknown) {
  const result = compileTrigger(trigger);
  if (!result.ok) throw new Error(`${JSON.stringify(trigger)}: ${JSON.stringify(result.issues)}`);
  return result.value;
}

describe('engine against oracle', () => {
  it(`[TR-1] equal due instants around ${rounds} clock changes, seed ${seed}`, { timeout: 600_000 }, () => {
    const random = seeded(seed);
    console.info(`trigger differential: EVERDUE_SEED=${seed} EVERDUE_ROUNDS=${rounds}`);
    let due = 0;
    for (let round = 0; round < rounds; round += 1) {
      const timezone = random.pick(ZONES);
      const change = random.pick(findChanges(timezone, 1965 + random.below(75), random));
      const from = Math.floor(change / 60_000) * 60_000 - 3 * DAY;
      const walk = walkClock(timezone, from, from + 6 * DAY);
      for (let i = 0; i < 12; i += 1) {
        const { wire, oracle } =
          i % 3 === 0 ? randomCalendar(random, timezone, change) : randomCron(random, timezone, change);
        const expected = dueWithin(oracle, walk);
        due += expected.length;
        compare(wire, expected, from + 2 * DAY, from + 6 * DAY, random.below(6 * DAY));
      }
    }
    expect(due).toBeGreaterThan(rounds);
  });
});

describe('day rules against oracle', () => {
  it(`[TR-8] equal dates from 1970 to 2199, seed ${seed}`, { timeout: 600_000 }, () => {
    const random = seeded(seed + 1);
    for (let round = 0; round < rounds; round += 1) {
      const { wire, oracle } =
        round % 2 === 0
          ? randomCalendar(random, 'UTC', Date.UTC(1990, 5, 15))
          : randomCron(random, 'UTC', Date.UTC(2000, 1, 28));
      const expected: number[] = [];
      for (let at = Date.UTC(1970, 0, 1, 12); at < Date.UTC(2200, 0, 1); at += DAY) {
        const date = new Date(at);
        if (oracle.wantsDate(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate())) expected.push(at);
      }
      const trigger = compiled(atNoon(wire));
      const about = JSON.stringify(wire);
      expect(sameNumbers(trigger.list(Date.UTC(1970, 0, 1) - 1, 100_000), expected), about).toBe(true);
      const backward: number[] = [];
      for (let at = trigger.previous(8e12); at !== undefined && at >= 0; at = trigger.previous(at)) backward.push(at);
      expect(sameNumbers(backward.reverse(), expected), `${about} backwards`).toBe(true);
    }
  });
});

/** The same trigger with its dates alone: due at noon. */
function atNoon(wire: Record<string, unknown>): Record<string, unknown> {
  if (typeof wire['expression'] !== 'string') return { ...wire, hour: 12, minute: 0, second: 0 };
  return { ...wire, expression: `0 12 ${wire['expression'].split(' ').slice(-3).join(' ')}` };
}

function sameNumbers(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((value, i) => value === other[i]);
}

/** `expected` are all due instants in `[from, to)`. */
function compare(wire: unknown, expected: readonly number[], from: number, to: number, somewhere: number): void {
  const trigger = compiled(wire);
  const about = JSON.stringify(wire);
  const forward = trigger.list(from - 1, expected.length);
  expect(forward, about).toEqual(expected);
  const after = trigger.next(expected.at(-1) ?? from - 1);
  expect(after === undefined || after >= to, `${about} next is ${after}, too early`).toBe(true);

  const backward: number[] = [];
  for (let at = trigger.previous(to); at !== undefined && at >= from; at = trigger.previous(at)) backward.push(at);
  expect(backward.reverse(), `${about} backwards`).toEqual(expected);

  // From anywhere inside, also where the clock was set back a moment ago.
  for (const at of [from + (somewhere % (to - from)), from + DAY - 1, from + DAY, from + DAY + 1_799_001]) {
    const next = expected.find((one) => one > at);
    if (next !== undefined) expect(trigger.next(at), `${about} next after ${at}`).toBe(next);
    const previous = expected.findLast((one) => one < at);
    if (previous !== undefined) expect(trigger.previous(at), `${about} previous before ${at}`).toBe(previous);
  }
}
