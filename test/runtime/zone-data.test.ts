/** Zone data that a host brings along: what is due follows it, and what moved with another release is told. */
import { describe, expect, it } from 'vitest';
import { memoryData } from '../../src/adapters/memory-data.js';
import { memoryWorkspace } from '../../src/adapters/memory-workspace.js';
import { nextDue } from '../../src/core/trigger/next-due.js';
import { lintDeclaration, openSchedules, previewDeclaration } from '../../src/open-schedules.js';
import type { ObservedEvent } from '../../src/ports/observer.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { movedZone, sameZones } from '../support/moved-zone.js';
import { bench, hourly, obedient, START } from './client-bench.js';

const BERLIN = 'Europe/Berlin';
const daily = { kind: 'cron', expression: '0 9 * * *', timezone: BERLIN } as const;
const summer = movedZone('b', BERLIN, '2026-11-01T00:00:00Z');

describe('zone data of a host', () => {
  it('[TR-10] a workspace that is opened with another release moves its next due instants, and loses and doubles none', async () => {
    const clock = manualClock(START);
    const data = memoryData();
    const events: ObservedEvent[] = [];
    const open = (zoneData: typeof summer) =>
      openSchedules({
        workspace: memoryWorkspace({ data }),
        clock,
        execution: obedient(clock),
        zoneData,
        observer: (event) => void events.push(event),
      });
    const first = await open(sameZones('a'));
    const made = await first.create(hourly('a', { trigger: daily, overlap: 'queue' }));
    await first.create(hourly('b'));
    expect(made).toMatchObject({ nextDue: '2026-11-30T08:00:00.000Z', zoneData: 'a' });
    await clock.runUntil(first.owner().tick());
    await first.close();
    const second = await open(summer);
    const owner = second.owner();
    await owner.start();
    const notices = events.flatMap((event) => (event.type === 'notice' ? [event.notice] : []));
    expect(notices).toEqual([
      {
        kind: 'nextDueMoved',
        cause: 'zoneData',
        from: '2026-12-01T08:00:00.000Z',
        to: '2026-12-01T07:00:00.000Z',
        zoneData: 'b',
      },
    ]);
    await clock.advanceTo('2026-12-02T12:00:00Z');
    await clock.runUntil(owner.stop());
    const { history, schedule } = await second.get('a');
    expect(history.map(({ dueAt }) => dueAt)).toEqual([
      '2026-12-02T07:00:00.000Z',
      '2026-12-01T07:00:00.000Z',
      '2026-11-30T08:00:00.000Z',
    ]);
    expect(schedule).toMatchObject({ nextDue: '2026-12-03T07:00:00.000Z', zoneData: 'b' });
    await second.close();
  });

  it('[TR-10, TR-11] previews and registrations ask it too, with a workspace and without', async () => {
    const { schedules, clock } = await bench({ zoneData: summer });
    const shown = await schedules.preview(hourly('a', { trigger: daily }), { count: 1 });
    expect(shown.instants[0]).toMatchObject({ at: '2026-12-01T07:00:00.000Z' });
    expect((await schedules.create(hourly('a', { trigger: daily }))).nextDue).toBe('2026-12-01T07:00:00.000Z');
    const alone = await previewDeclaration(hourly('a', { trigger: daily }), { clock, count: 1, zoneData: summer });
    expect(alone.instants[0]).toMatchObject({ at: '2026-12-01T07:00:00.000Z' });
    expect(nextDue(daily, START, { zoneData: summer })).toBe('2026-12-01T07:00:00.000Z');
    expect(nextDue(daily, START)).toBe('2026-12-01T08:00:00.000Z');
  });

  it('[CO-4, TR-10] one that breaks quarantines what it judges and delays nothing else; previews are refused', async () => {
    const clock = manualClock(START);
    const data = memoryData();
    const open = (zoneData: typeof summer) =>
      openSchedules({ workspace: memoryWorkspace({ data }), clock, execution: obedient(clock), zoneData });
    const first = await open(sameZones('a'));
    await first.create(hourly('zoned', { trigger: daily }));
    await first.create(hourly('plain'));
    await first.close();
    const second = await open({ version: 'b', offsetAt: () => Number.NaN });
    await clock.advanceTo('2026-11-30T09:00:01Z');
    await clock.runUntil(second.owner().tick());
    expect((await second.get('zoned')).schedule.quarantine).toMatchObject({ reason: 'triggerBroken' });
    expect((await second.get('plain')).history).toMatchObject([{ status: 'succeeded' }]);
    const declaration = hourly('x', { trigger: daily });
    await expect(second.preview(declaration)).rejects.toMatchObject({ code: 'SCHEDULE_ADAPTER_BROKEN' });
    await expect(second.create(declaration)).rejects.toMatchObject({ code: 'SCHEDULE_DECLARATION_INVALID' });
    const broken = { clock, zoneData: { version: 'b', offsetAt: () => Number.NaN } };
    await expect(lintDeclaration(declaration, broken)).rejects.toMatchObject({ code: 'SCHEDULE_ADAPTER_BROKEN' });
    await second.close();
  });

  it.each([
    [5],
    [{ version: 'x' }],
    [{ offsetAt: (): number => 0 }],
    [{ version: '', offsetAt: (): number => 0 }],
    [{ version: 'x', offsetAt: (): number => 0, nextChange: 1 }],
  ])('[TR-10, SF-2] %j is refused when schedules are opened', async (zoneData) => {
    await expect(bench({ zoneData: zoneData as never })).rejects.toMatchObject({
      code: 'SCHEDULE_CONFIG_INVALID',
      details: { issues: [{ path: 'zoneData' }] },
    });
  });
});
