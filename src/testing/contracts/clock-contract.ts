/**
 * The contract of clocks: cases for clauses C-1 to C-4 of the clock port.
 */
import assert from 'node:assert/strict';
import type { Clock } from '../../ports/clock.js';
import { type ContractCase, type ContractSubject, casesOf, holdsWithin, rejectsWith } from './contract-case.js';

/** A clock, opened for one case. @public */
export interface OpenClock extends ContractSubject {
  /** The clock. */
  readonly clock: Clock;
  /** Lets time pass on a virtual clock; absent for one that goes by itself. */
  advance?(ms: number): Promise<void>;
  /** Sets the wall clock forward, or back, by so many milliseconds; absent where a test cannot do that. */
  step?(ms: number): void | Promise<void>;
}

/** A wait that is short for a clock that goes by itself, in milliseconds. */
const SHORT_MS = 15;
const SECOND_MS = 1000;

/** The cases of the contract of clocks. @public */
export function clockContract(open: () => Promise<OpenClock>): readonly ContractCase[] {
  const make = casesOf(open);
  return [
    make('C-1', 'now is whole milliseconds', async ({ clock }) => {
      assert.ok(Number.isSafeInteger(clock.now()), `now() gave ${clock.now()}`);
    }),
    make(
      'C-1',
      'a virtual clock moves when it is told to, and by that alone',
      async ({ clock, advance }) => {
        const [wall, monotonic] = [clock.now(), clock.monotonic()];
        await new Promise((resolve) => setTimeout(resolve, SHORT_MS));
        assert.deepEqual([clock.now(), clock.monotonic()], [wall, monotonic], 'it moved by itself');
        await advance(1234);
        assert.deepEqual([clock.now() - wall, clock.monotonic() - monotonic], [1234, 1234]);
      },
      { offer: 'advance', promise: { capability: 'isVirtual', isMade: ({ clock }) => clock.capabilities.isVirtual } },
    ),
    make('C-1', 'a clock that is not virtual goes by itself', async ({ clock }) => {
      if (clock.capabilities.isVirtual) return;
      const wall = clock.now();
      assert.ok(await holdsWithin(SECOND_MS, () => clock.now() > wall), 'it stands still');
    }),
    make(
      'C-1',
      'the wall clock may step either way',
      async ({ clock, step }) => {
        for (const ms of [3_600_000, -7_200_000]) {
          const wall = clock.now();
          await step(ms);
          assert.ok(Math.abs(clock.now() - wall - ms) < SECOND_MS, `it stepped by ${clock.now() - wall}`);
        }
      },
      { offer: 'step' },
    ),
    make(
      'C-2',
      'a step of the wall clock moves neither the monotonic one nor a sleeper',
      async ({ clock, advance, step }) => {
        const from = clock.monotonic();
        let isAwake = false;
        const slept = clock.sleep(SECOND_MS).then(() => {
          isAwake = true;
        });
        await step(3_600_000);
        await advance?.(1);
        assert.ok(clock.monotonic() - from < SECOND_MS, 'the monotonic clock stepped');
        assert.equal(isAwake, false, 'a sleeper woke');
        await Promise.all([slept, advance?.(SECOND_MS)]);
      },
      { offer: 'step' },
    ),
    make('C-2', 'the monotonic clock never goes back', async ({ clock, advance }) => {
      let last = clock.monotonic();
      for (let i = 0; i < 100; i += 1) {
        if (i % 10 === 0) await pass(clock, advance, 1);
        const next = clock.monotonic();
        assert.ok(next >= last, `it went from ${last} to ${next}`);
        last = next;
      }
    }),
    make(
      'C-3',
      'a sleep ends no earlier than asked, and a shorter one before a longer one',
      async ({ clock, advance }) => {
        const from = clock.monotonic();
        const ended: number[] = [];
        const sleep = async (ms: number) => {
          await clock.sleep(ms);
          assert.ok(clock.monotonic() - from >= ms, `a sleep of ${ms} ms took ${clock.monotonic() - from} ms`);
          ended.push(ms);
        };
        await Promise.all([sleep(3 * SHORT_MS), sleep(0), sleep(SHORT_MS), advance?.(3 * SHORT_MS)]);
        assert.deepEqual(ended, [0, SHORT_MS, 3 * SHORT_MS]);
      },
    ),
    make('C-3', 'a signal ends a sleep, before and while it lasts', async ({ clock }) => {
      const stop = new AbortController();
      const asleep = rejectsWith('SCHEDULE_ABORTED', () => clock.sleep(600_000, { signal: stop.signal }), 'a sleep');
      stop.abort();
      await asleep;
      await rejectsWith('SCHEDULE_ABORTED', () => clock.sleep(1, { signal: stop.signal }), 'a sleep after its signal');
    }),
    make('C-4', 'a wait below 0, above 2147483647 or no number is refused', async ({ clock }) => {
      for (const ms of [-1, 2_147_483_648, Number.NaN, Number.POSITIVE_INFINITY]) {
        await assert.rejects(clock.sleep(ms), `sleep(${ms}) must be refused`);
      }
    }),
  ];
}

async function pass(clock: Clock, advance: OpenClock['advance'], ms: number): Promise<void> {
  await Promise.all([clock.sleep(ms), advance?.(ms)]);
}
