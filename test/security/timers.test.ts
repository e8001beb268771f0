/** Timers: no wait longer than a timer can hold, whatever a declaration asks for, since a longer one would fire at once. */
import { describe, expect, it } from 'vitest';
import { type Clock, inProcess, memoryWorkspace, openSchedules, systemClock } from '../../src/index.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { filesBelow, textOf } from '../house/source-tree.js';

const LONGEST = 2_147_483_647;
const DAY = 86_400_000;

describe('waits', () => {
  it('[OW-3, OC-5, OC-10] of an owner stay below 2^31 ms with the longest spans that can be declared', async () => {
    const clock = manualClock('2026-11-30T08:00:00Z');
    const waits: number[] = [];
    const watched: Clock = {
      ...clock,
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      sleep: (ms, options) => {
        waits.push(ms);
        return clock.sleep(ms, options);
      },
    };
    let isDone = () => {};
    const run = (document: Record<string, unknown>) => {
      if (document['act'] === 'fail') throw new Error('as planned');
      return new Promise<void>((resolve) => {
        isDone = resolve;
      });
    };
    const execution = inProcess({ providers: { long: { kinds: { 'long/1': { run } } } }, clock: watched });
    const schedules = await openSchedules({ workspace: memoryWorkspace(), execution, clock: watched, concurrency: 2 });
    const declared = (id: string, act: string, more: object) => ({
      id,
      objective: 'Wait long',
      document: { version: 'long/1', act },
      allowedProviders: ['long'],
      trigger: { kind: 'manual' } as const,
      budget: { maxElapsedSeconds: 604_800, timeoutPerStageSeconds: 86_400, maxRepeatedFailures: 20 },
      ...more,
    });
    await schedules.create(declared('far', 'wait', { trigger: { kind: 'once', at: '9999-12-30T00:00:00Z' } }));
    await schedules.create(
      declared('rare', 'wait', {
        trigger: { kind: 'interval', start: '2026-12-01T00:00:00Z', everySeconds: 10_000_000_000 },
      }),
    );
    await schedules.create(declared('runs', 'wait', {}));
    const retryBackoff = { initialSeconds: 86_400, factor: 10, maxSeconds: 86_400 };
    await schedules.create(declared('retries', 'fail', { maxRetries: 2, retryBackoff }));
    const owner = schedules.owner({ drainSeconds: 86_400 });
    await owner.start();
    await schedules.trigger('runs');
    await schedules.trigger('retries');
    await clock.advance(3 * DAY);
    const stopped = owner.stop();
    isDone();
    await clock.runUntil(stopped);
    expect(waits.length).toBeGreaterThan(10);
    expect(waits.filter((ms) => !(ms >= 0 && ms <= LONGEST))).toEqual([]);
    await schedules.close();
  });

  it('[OW-3] of the machine are refused one millisecond above, and taken at the limit', async () => {
    const clock = systemClock();
    for (const ms of [LONGEST + 1, 2 ** 32, Number.POSITIVE_INFINITY, Number.NaN, -1]) {
      await expect(clock.sleep(ms), String(ms)).rejects.toMatchObject({ code: 'SCHEDULE_DECLARATION_INVALID' });
    }
    for (const ms of [LONGEST, LONGEST - 1]) {
      const stop = new AbortController();
      const waiting = clock.sleep(ms, { signal: stop.signal });
      stop.abort();
      await expect(waiting).rejects.toMatchObject({ code: 'SCHEDULE_ABORTED' });
    }
  });

  it('[OW-3] are made by the clock, the disk and the kit for tests alone, and of other timers there is one that redraws a line', () => {
    const sources = filesBelow('src', '.ts');
    const waiting = sources.filter((path) => /\bsetTimeout\(|timers\/promises/.test(textOf(path)));
    expect(waiting.filter((path) => !path.startsWith('src/testing/'))).toEqual([
      'src/adapters/fs/disk/real-disk.ts',
      'src/adapters/system-clock.ts',
    ]);
    const repeating = sources.filter((path) => /\bsetInterval\(/.test(textOf(path)));
    expect(repeating).toEqual(['src/surfaces/cli/commands/serve-log.ts']);
  });
});
