/** Ports of a host that break their contract: what they say never gets into the catalogue. */
import { describe, expect, it } from 'vitest';
import { memoryData } from '../../src/adapters/memory-data.js';
import { memoryWorkspace } from '../../src/adapters/memory-workspace.js';
import type { EpochMs } from '../../src/core/time/instant.js';
import { type OpenOptions, openSchedules } from '../../src/open-schedules.js';
import type { Clock } from '../../src/ports/clock.js';
import type { ExecutionService } from '../../src/ports/execution-service.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { scriptedExecution } from '../../src/testing/scripted-execution.js';

const declaration = (id: string) => ({
  id,
  objective: 'x',
  document: { version: 'test/1' },
  allowedProviders: [...scriptedExecution().providers()],
  trigger: { kind: 'manual' } as const,
});

async function openedWith(more: Partial<OpenOptions>) {
  const data = memoryData();
  const clock = manualClock('2026-11-30T08:00:00Z');
  const good = await openSchedules({ workspace: memoryWorkspace({ data }), clock, execution: scriptedExecution() });
  await good.create(declaration('a'));
  const given = { clock, execution: scriptedExecution(), ...more };
  const schedules = await openSchedules({ workspace: memoryWorkspace({ data }), ...given });
  return { good, schedules };
}

describe('ports that break their contract', () => {
  it.each([
    ['half milliseconds', 1_790_000_000_000.5],
    ['no number', Number.NaN],
    ['the year 10000', 253_402_300_800_000],
    ['text', '2026-11-30T08:00:00Z'],
    ['a BigInt', 1_790_000_000_000n],
  ])('[ST-3, SF-2] a clock that says %s is refused before anything is written', async (_what, said) => {
    const real = manualClock('2026-11-30T08:00:00Z');
    let isBroken = false;
    const clock: Clock = {
      capabilities: real.capabilities,
      now: () => (isBroken ? (said as EpochMs) : real.now()),
      monotonic: () => real.monotonic(),
      sleep: (ms, options) => real.sleep(ms, options),
    };
    const { good, schedules } = await openedWith({ clock });
    isBroken = true;
    await expect(openedWith({ clock })).rejects.toMatchObject({ code: 'SCHEDULE_ADAPTER_BROKEN' });
    const calls = [
      () => schedules.setCalendar('holidays', ['2027-01-01']),
      () => schedules.gate.pause(),
      () => schedules.trigger('a'),
      () => schedules.create(declaration('b')),
      () => schedules.owner().tick(),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'SCHEDULE_ADAPTER_BROKEN' });
    expect((await good.list()).schedules.map(({ id, version }) => [id, version])).toEqual([['a', 1]]);
    expect(await good.calendars()).toEqual([]);
    expect((await good.status()).gate.isPaused).toBe(false);
  });

  it.each([
    ['nothing', undefined, 'SCHEDULE_ADAPTER_BROKEN'],
    ['null', null, 'SCHEDULE_ADAPTER_BROKEN'],
    ['a plan without a plan', { kind: 'planned' }, 'SCHEDULE_ADAPTER_BROKEN'],
    ['a plan of nothing', { kind: 'planned', plan: null }, 'SCHEDULE_ADAPTER_BROKEN'],
    ['a refusal without issues', { kind: 'refused', message: 'no' }, 'SCHEDULE_PLAN_FAILED'],
    ['a refusal without anything', { kind: 'refused' }, 'SCHEDULE_PLAN_FAILED'],
  ])('[DE-6, SF-2] a service that plans %s is refused by its name', async (_what, answer, code) => {
    const execution: ExecutionService = { ...scriptedExecution(), plan: async () => answer as never };
    const { good, schedules } = await openedWith({ execution });
    await expect(schedules.create(declaration('b'))).rejects.toMatchObject({ code });
    expect((await good.list()).schedules).toHaveLength(1);
  });

  it('[DE-6, SF-2] a service that never plans is given up with the signal of the call', async () => {
    const execution: ExecutionService = { ...scriptedExecution(), plan: () => new Promise(() => undefined) };
    const { schedules } = await openedWith({ execution });
    const giveUp = new AbortController();
    const made = expect(schedules.create(declaration('b'), { signal: giveUp.signal })).rejects.toMatchObject({
      code: 'SCHEDULE_ABORTED',
    });
    giveUp.abort(new Error('enough'));
    await made;
  });
});
