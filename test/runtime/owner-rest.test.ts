/** The small parts that make an owner wait: its nap, its deadlines, and the wait between tries. */
import { describe, expect, it } from 'vitest';
import { ScheduleError } from '../../src/errors.js';
import { Breath } from '../../src/runtime/clock/breath.js';
import { Deadlines } from '../../src/runtime/clock/deadlines.js';
import { Nap } from '../../src/runtime/clock/nap.js';
import { StoreTrouble, waitAfter } from '../../src/runtime/clock/store-trouble.js';
import { manualClock } from '../../src/testing/manual-clock.js';

const START = '2026-11-30T08:00:00Z';

function napping() {
  const clock = manualClock(START);
  return { clock, nap: new Nap(clock, new Breath(clock)) };
}

describe('the nap', () => {
  it('[OW-3] ends when its time is over, and after 30 s at the latest', async () => {
    const { clock, nap } = napping();
    for (const [asked, rested] of [
      [1200, 1200],
      [Number.POSITIVE_INFINITY, 30_000],
      [-5, 0],
    ] as const) {
      const from = clock.monotonic();
      expect(await clock.runUntil(nap.rest(asked))).toBe(false);
      expect(clock.monotonic() - from).toBe(rested);
    }
  });

  it('[OW-3] ends at once when somebody rings, also where that was before it began', async () => {
    const { clock, nap } = napping();
    const resting = nap.rest(10_000);
    nap.ring();
    expect(await resting).toBe(true);
    nap.ring();
    nap.ring();
    expect(await nap.rest(10_000)).toBe(true);
    expect(clock.sleepers()).toEqual([]);
    expect(await clock.runUntil(nap.rest(10_000))).toBe(false);
  });

  it('[OW-3] lets the host in although it is rung without end', async () => {
    const { clock, nap } = napping();
    let pauses = 0;
    const sleep = clock.sleep.bind(clock);
    clock.sleep = (ms, options) => {
      pauses += 1;
      return sleep(ms, options);
    };
    for (let n = 0; n < 100; n += 1) {
      nap.ring();
      await nap.rest(10_000);
      await clock.advance(1);
    }
    expect(pauses).toBe(12);
  });
});

describe('deadlines', () => {
  function watching() {
    const clock = manualClock(START);
    const fired: string[] = [];
    const deadlines = new Deadlines(clock, (error) => fired.push(String(error)));
    const set = (id: string, at: number) => deadlines.set(id, at, () => fired.push(`${id}@${clock.monotonic()}`));
    return { clock, fired, deadlines, set };
  }

  it('[OC-5] fire once, at their time, in whatever order they were set, with one sleep for all', async () => {
    const { clock, fired, set } = watching();
    set('late', 5000);
    set('early', 1000);
    set('middle', 3000);
    await clock.settle();
    expect(clock.sleepers()).toHaveLength(1);
    await clock.advance(10_000);
    expect(fired).toEqual(['early@1000', 'middle@3000', 'late@5000']);
    expect(clock.sleepers()).toEqual([]);
  });

  it('[OC-5] are replaced and forgotten', async () => {
    const { clock, fired, deadlines, set } = watching();
    set('a', 1000);
    set('a', 2000);
    set('b', 1500);
    deadlines.delete('b');
    await clock.advance(10_000);
    expect(fired).toEqual(['a@2000']);
    set('c', 20_000);
    deadlines.clear();
    await clock.settle();
    expect(clock.sleepers()).toEqual([]);
  });

  it('[OC-5] one may set another while it fires, and one that has passed already fires soon', async () => {
    const { clock, fired, deadlines, set } = watching();
    deadlines.set('a', 1000, () => set('b', 1500));
    set('c', 9000);
    await clock.advance(2000);
    expect(fired).toEqual(['b@1500']);
    set('past', 100);
    await clock.advance(0);
    expect(fired).toEqual(['b@1500', 'past@2000']);
    await clock.advance(7000);
    expect(fired.at(-1)).toBe('c@9000');
  });

  it('[C-4] wait for longer than a timer can hold', async () => {
    const { clock, fired, set } = watching();
    set('far', 5_000_000_000);
    await clock.advance(4_999_999_999);
    expect(fired).toEqual([]);
    await clock.advance(1);
    expect(fired).toEqual(['far@5000000000']);
  });
});

describe('trouble with the store', () => {
  it('[ST-4] waits longer after each failure, at most five seconds, and not at all once it is over', () => {
    const waits = Array.from({ length: 12 }, (_, n) => waitAfter(n + 1));
    expect(waits).toEqual([50, 100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000, 5000, 5000]);
    const trouble = new StoreTrouble(manualClock(START));
    const error = new ScheduleError('SCHEDULE_STORE_UNAVAILABLE', 'full');
    trouble.note(error);
    trouble.note(error);
    expect([trouble.waitMs, trouble.error]).toEqual([50, error]);
    trouble.over();
    expect([trouble.waitMs, trouble.error]).toEqual([0, undefined]);
  });

  it('[ST-4] an error that does not pass by itself is not taken for trouble', () => {
    const trouble = new StoreTrouble(manualClock(START));
    const error = new ScheduleError('SCHEDULE_STORE_FAILED', 'gone');
    expect(() => trouble.note(error)).toThrow(error);
  });
});
