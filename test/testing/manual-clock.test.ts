/** The manual clock: exact order of waking, real file operations in between, steps of the wall clock, limits. */
import { AssertionError } from 'node:assert';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isScheduleError } from '../../src/errors.js';
import { manualClock } from '../../src/testing/manual-clock.js';

const START = '2026-03-01T08:00:00Z';

describe('manual clock', () => {
  it('[CO-1] wakes sleepers one at a time, each at its exact time, and lets what they woke run first', async () => {
    const clock = manualClock(START);
    const seen: string[] = [];
    const walk = async (name: string, ms: number) => {
      await clock.sleep(ms);
      seen.push(`${name}@${clock.monotonic()}`);
      await clock.sleep(5);
      seen.push(`${name}@${clock.monotonic()}`);
    };
    void walk('b', 20);
    void walk('a', 10);
    void walk('c', 20);
    await clock.advance(25);
    expect(seen).toEqual(['a@10', 'a@15', 'b@20', 'c@20', 'b@25', 'c@25']);
    expect(clock.now()).toBe(Date.parse(START) + 25);
    expect(clock.sleepers()).toEqual([]);
  });

  it('[CO-6] steps move the wall clock alone', async () => {
    const clock = manualClock(START);
    const slept = clock.sleep(1000);
    clock.step(-3_600_000);
    expect([clock.now(), clock.monotonic()]).toEqual([Date.parse('2026-03-01T07:00:00Z'), 0]);
    expect(clock.sleepers()).toEqual([{ wakesAt: 1000, ms: 1000 }]);
    await clock.advanceTo('2026-03-01T07:00:01Z');
    await slept;
    expect(clock.monotonic()).toBe(1000);
  });

  it('[OW-3] file operations that a sleeper began end before the next one wakes', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'everdue-clock-'));
    const clock = manualClock(START);
    const seen: number[] = [];
    const write = async () => {
      await clock.sleep(10);
      const file = await open(join(directory, 'a'), 'w');
      for (let i = 0; i < 20; i += 1) {
        await file.writeFile('x'.repeat(100_000));
        await file.sync();
      }
      await file.close();
      seen.push(clock.monotonic());
    };
    await clock.runUntil(Promise.all([write(), clock.sleep(11), clock.sleep(50)]));
    expect(seen).toEqual([10]);
    await rm(directory, { recursive: true });
  });

  it('[OW-3] runUntil gives the value or the failure of its promise, and stops at its condition', async () => {
    const clock = manualClock(START);
    const sum = (async () => {
      await clock.sleep(86_400_000);
      return 42;
    })();
    expect(await clock.runUntil(sum)).toBe(42);
    const failing = (async () => {
      await clock.sleep(5);
      throw new RangeError('no');
    })();
    await expect(clock.runUntil(failing)).rejects.toThrow(RangeError);
    let laps = 0;
    void (async () => {
      for (; laps < 100; laps += 1) await clock.sleep(1000);
    })();
    await clock.runUntil(() => laps === 7);
    expect(clock.monotonic()).toBe(86_400_000 + 5 + 7000);
  });

  it('[OW-3] a goal that no passing of time brings about is reported with the sleepers', async () => {
    const clock = manualClock(START);
    void clock.sleep(1000);
    const never = new Promise<void>(() => {});
    await expect(clock.runUntil(never, { limitMs: 500 })).rejects.toThrow(/sleepers: \+1000 ms/);
    await clock.advance(1000);
    await expect(clock.runUntil(never, { realLimitMs: 5 })).rejects.toThrow(AssertionError);
  });

  it('[OW-4] a signal ends a wait at once, before and while it lasts', async () => {
    const clock = manualClock(START);
    const stop = new AbortController();
    const slept = clock.sleep(1000, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(slept).rejects.toSatisfy((error) => isScheduleError(error, 'SCHEDULE_ABORTED'));
    await expect(clock.sleep(0, { signal: stop.signal })).rejects.toSatisfy((error) =>
      isScheduleError(error, 'SCHEDULE_ABORTED'),
    );
    expect(clock.sleepers()).toEqual([]);
  });

  it('[DE-2] wrong use is refused', async () => {
    const isInvalid = (error: unknown) => isScheduleError(error, 'SCHEDULE_DECLARATION_INVALID');
    expect(() => manualClock('2026-03-01')).toThrow(expect.objectContaining({ code: 'SCHEDULE_DECLARATION_INVALID' }));
    const clock = manualClock(START);
    await expect(clock.sleep(2 ** 31)).rejects.toSatisfy(isInvalid);
    await expect(clock.advance(-1)).rejects.toSatisfy(isInvalid);
    await expect(clock.advanceTo('2026-02-01T00:00:00Z')).rejects.toSatisfy(isInvalid);
  });
});
