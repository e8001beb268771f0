/** An owner whose clock or lock fails: it ends with a clear error, tells so, and gives the lock back. */
import { describe, expect, it } from 'vitest';
import { memoryData } from '../../src/adapters/memory-data.js';
import { memoryWorkspace } from '../../src/adapters/memory-workspace.js';
import type { EpochMs } from '../../src/core/time/instant.js';
import { openSchedules } from '../../src/open-schedules.js';
import type { Clock } from '../../src/ports/clock.js';
import type { ObservedEvent } from '../../src/ports/observer.js';
import type { OwnerLock } from '../../src/ports/owner-lock.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { scriptedExecution, succeeds } from '../../src/testing/scripted-execution.js';

type Failing = 'now' | 'monotonic' | 'isHeld';

function failingLock(good: OwnerLock, fails: () => boolean): OwnerLock {
  return {
    capabilities: good.capabilities,
    status: () => good.status(),
    close: () => good.close(),
    acquire: async () => {
      const acquired = await good.acquire();
      if (acquired.kind !== 'acquired') return acquired;
      const { lease } = acquired;
      const isHeld = () => {
        if (fails()) throw new Error('the lock server is away');
        return lease.isHeld();
      };
      return {
        kind: 'acquired',
        lease: { isHeld, note: (report) => lease.note(report), release: () => lease.release() },
      };
    },
  };
}

describe('an owner whose adapters fail', () => {
  it.each<Failing>(['now', 'monotonic', 'isHeld'])(
    '[OW-1, OW-7, SF-2] `%s` fails for a while: it ends, says so, and the next one begins',
    async (failing) => {
      const real = manualClock('2026-11-30T08:00:00Z');
      let isBroken = false;
      const said = (member: Failing, good: number) => (isBroken && failing === member ? Number.NaN : good);
      const clock: Clock = {
        capabilities: real.capabilities,
        now: () => said('now', real.now()) as EpochMs,
        monotonic: () => said('monotonic', real.monotonic()),
        sleep: (ms, options) => real.sleep(ms, options),
      };
      const data = memoryData();
      const workspace = memoryWorkspace({ data });
      const lock = failingLock(workspace.lock, () => isBroken && failing === 'isHeld');
      const events: ObservedEvent[] = [];
      const execution = scriptedExecution([], { otherwise: succeeds() });
      const schedules = await openSchedules({
        workspace: { ...workspace, lock },
        clock,
        execution,
        observer: (event) => events.push(event),
      });
      await schedules.create({
        id: 'a',
        objective: 'x',
        document: { version: 'test/1' },
        allowedProviders: [...execution.providers()],
        trigger: { kind: 'interval', start: '2026-11-30T08:00:10Z', everySeconds: 10 },
      });
      const owner = schedules.owner();
      const ended = expect(owner.run()).rejects.toMatchObject({ code: 'SCHEDULE_ADAPTER_BROKEN' });
      await real.advance(15_000);
      expect(execution.executed).toHaveLength(1);
      isBroken = true;
      await real.advance(10_000);
      await ended;
      isBroken = false;
      expect(events.at(-1)).toMatchObject({ type: 'owner', change: 'stopped' });
      expect((await schedules.status()).owner.isAlive).toBe(false);
      const other = await openSchedules({ workspace: memoryWorkspace({ data }), clock: real, execution });
      expect(await real.runUntil(other.owner().tick())).toMatchObject({ collected: 1 });
    },
  );
});
