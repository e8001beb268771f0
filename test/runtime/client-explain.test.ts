/** Why a registered schedule is due then, or not: its declaration, its calendar and the zone data of the process. */
import { describe, expect, it } from 'vitest';
import { bench, hourly, manual } from './client-bench.js';

const NIGHTLY = { kind: 'cron', expression: '30 2 * * *', timezone: 'Europe/Berlin' } as const;

describe('explain', () => {
  it('[TR-11] answers for an instant and for a time on the clock, in any spelling of the id', async () => {
    const { schedules } = await bench();
    await schedules.create(hourly('Nightly', { trigger: NIGHTLY }));
    expect(await schedules.explain('nightly', '2026-12-01T01:30:00Z')).toMatchObject({ isDue: true, reason: 'due' });
    expect(await schedules.explain('nightly', new Date('2026-12-01T01:31:00Z'))).toMatchObject({
      reason: 'timeNotWanted',
      next: { at: '2026-12-02T01:30:00.000Z' },
    });
    expect(await schedules.explain('nightly', { local: '2027-03-28T02:30' })).toMatchObject({ reason: 'skippedByGap' });
  });

  it('[TR-11, DE-12] knows the calendar as it stands, and the spread of the id', async () => {
    const { schedules } = await bench();
    await schedules.setCalendar('holidays', []);
    await schedules.create(
      hourly('nightly', { trigger: NIGHTLY, exclude: { calendar: 'holidays' }, spreadSeconds: 600 }),
    );
    const local = { local: '2026-12-25T02:30' };
    const found = await schedules.explain('nightly', local);
    expect(found).toMatchObject({ isDue: true, next: { spread: { before: '2026-12-26T01:30:00.000Z' } } });
    expect((await schedules.get('nightly')).schedule.nextDue).toBe(
      (await schedules.explain('nightly', '2026-11-30T08:00:00Z')).next?.at,
    );
    await schedules.setCalendar('holidays', ['2026-12-25']);
    expect(await schedules.explain('nightly', local)).toMatchObject({
      reason: 'excluded',
      sentence: expect.stringContaining('the date is left out (2026-12-25 of the calendar "holidays")'),
    });
  });

  it('[TR-11, TR-10] is judged by the zone data of the process', async () => {
    const zoneData = { version: 'test-1', offsetAt: () => 3 * 3_600_000 };
    const { schedules } = await bench({ zoneData });
    await schedules.create(hourly('nightly', { trigger: NIGHTLY }));
    expect(await schedules.explain('nightly', { local: '2027-03-28T02:30' })).toMatchObject({
      at: '2027-03-27T23:30:00.000Z',
      isDue: true,
    });
  });

  it('[TR-11, DE-1] refuses a zone that the one of the trigger would override', async () => {
    const { schedules } = await bench();
    await schedules.create(hourly('nightly', { trigger: NIGHTLY }));
    const local = { local: '2026-12-25T02:30' };
    await expect(schedules.explain('nightly', local, { timezone: 'UTC' })).rejects.toMatchObject({
      code: 'SCHEDULE_DECLARATION_INVALID',
      details: { issues: [{ path: 'timezone', message: expect.stringContaining('has its own, "Europe/Berlin"') }] },
    });
    await expect(schedules.explain('nightly', local, { timezone: 'Europe/Berlin' })).resolves.toMatchObject({
      isDue: true,
    });
  });

  it('[TR-11, CT-1] changes nothing, and refuses what it cannot answer', async () => {
    const { schedules } = await bench();
    await schedules.create(manual('byhand'));
    const { seq } = await schedules.status();
    expect(
      await schedules.explain('byhand', { local: '2027-03-28T02:30' }, { timezone: 'Europe/Berlin' }),
    ).toMatchObject({
      reason: 'notShown',
    });
    expect((await schedules.status()).seq).toBe(seq);
    await expect(schedules.explain('gone', '2026-12-01T01:30:00Z')).rejects.toMatchObject({
      code: 'SCHEDULE_NOT_FOUND',
    });
    const faults = [
      schedules.explain('byhand', '2026-12-01'),
      schedules.explain('byhand', undefined as never),
      schedules.explain('byhand', { local: '2026-12-01T25:00' }),
      schedules.explain('byhand', { local: '2026-12-01T05:00' }, { timezone: 5 as never }),
    ];
    for (const fault of faults) await expect(fault).rejects.toMatchObject({ code: 'SCHEDULE_DECLARATION_INVALID' });
  });
});
