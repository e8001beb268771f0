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
const rounds = Number(process.env['EVERDUE_ROUNDS'] ?? 60);

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
        const { wire, oracle } = i % 3 === 0 ? randomCalendar(random, timezone, change) : randomCron(random, timezone, change);
        const expected = dueWithin(oracle, walk);
        due += expected.length;
        compare(wire, expected, from + 2 * DAY, from + 6 * DAY, random.below(6 * DAY));
      }
    }
    expect(due).toBeGreaterThan(rounds);
  });
});

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
