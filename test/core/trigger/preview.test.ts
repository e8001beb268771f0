/** What a trigger will do, as a person is shown it. */
import { describe, expect, it } from 'vitest';
import type { Trigger } from '../../../src/core/model/trigger.js';
import { epochMs } from '../../../src/core/time/instant.js';
import { compileTrigger } from '../../../src/core/trigger/compile.js';
import { MOST_SKIPPED, previewTrigger } from '../../../src/core/trigger/preview.js';

const ms = (text: string) => epochMs(Date.parse(text));

function preview(trigger: Trigger, from: string, count: number, until?: string) {
  const result = compileTrigger(trigger);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return previewTrigger(result.value, {
    from: ms(from),
    count,
    ...(until !== undefined && { until: ms(until) }),
  });
}

const NEW_YORK = 'America/New_York';

describe('preview', () => {
  it('[TR-11] shows UTC instants with local time, offset and zone; from is inclusive', () => {
    const { instants, skipped } = preview(
      { kind: 'calendar', timezone: 'europe/berlin', hour: 9 },
      '2025-03-29T08:00:00Z',
      2,
    );
    expect(instants).toEqual([
      {
        at: '2025-03-29T08:00:00.000Z',
        local: '2025-03-29T09:00:00',
        offset: '+01:00',
        timezone: 'Europe/Berlin',
        notes: [],
      },
      {
        at: '2025-03-30T07:00:00.000Z',
        local: '2025-03-30T09:00:00',
        offset: '+02:00',
        timezone: 'Europe/Berlin',
        notes: [],
      },
    ]);
    expect(skipped).toEqual([]);
  });

  it('[TR-11] until is inclusive', () => {
    const { instants } = preview(
      { kind: 'calendar', timezone: 'UTC', hour: 9 },
      '2025-01-01T00:00:00Z',
      10,
      '2025-01-03T09:00:00Z',
    );
    expect(instants).toHaveLength(3);
  });

  it('[TR-11] a trigger without a zone is shown in UTC', () => {
    const { instants } = preview(
      { kind: 'interval', start: '2025-01-01T00:00:00Z', everySeconds: 0.25 },
      '2025-01-01T00:00:00Z',
      2,
    );
    expect(instants[1]).toEqual({
      at: '2025-01-01T00:00:00.250Z',
      local: '2025-01-01T00:00:00',
      offset: '+00:00',
      timezone: 'UTC',
      notes: [],
    });
    expect(preview({ kind: 'manual' }, '2025-01-01T00:00:00Z', 5)).toEqual({
      instants: [],
      skipped: [],
      isSkippedCut: false,
    });
  });

  it('[TR-11] marks both passes of a repeated wall time', () => {
    const trigger: Trigger = { kind: 'cron', expression: '30 1 * * *', timezone: NEW_YORK, repeat: 'both' };
    expect(
      preview(trigger, '2024-11-02T06:00:00Z', 3).instants.map(({ at, offset, notes }) => [
        at.slice(0, 16),
        offset,
        notes,
      ]),
    ).toEqual([
      ['2024-11-03T05:30', '-04:00', ['repeatedFirst']],
      ['2024-11-03T06:30', '-05:00', ['secondPass']],
      ['2024-11-04T06:30', '-05:00', []],
    ]);
  });

  it('[TR-11] lists wall times that fall into a gap of the shown range', () => {
    const trigger: Trigger = { kind: 'calendar', timezone: NEW_YORK, times: ['02:00', '02:30', '03:00'] };
    const { skipped } = preview(trigger, '2024-03-09T12:00:00Z', 2);
    expect(skipped).toEqual([
      { date: '2024-03-10', time: '02:00:00', timezone: NEW_YORK, reason: 'gap' },
      { date: '2024-03-10', time: '02:30:00', timezone: NEW_YORK, reason: 'gap' },
    ]);
    expect(preview(trigger, '2024-03-09T12:00:00Z', 1).skipped).toHaveLength(2);
    expect(preview(trigger, '2024-03-10T07:00:00Z', 5).skipped).toEqual(skipped);
    expect(preview(trigger, '2024-03-10T07:00:00.001Z', 5).skipped).toEqual([]);
  });

  it('[TR-13] a shifted wall time is not skipped but marked', () => {
    const trigger: Trigger = { kind: 'calendar', timezone: NEW_YORK, times: ['02:30'], gap: 'shift' };
    const { instants, skipped } = preview(trigger, '2024-03-10T00:00:00Z', 2);
    expect(instants.map(({ local, notes }) => [local, notes])).toEqual([
      ['2024-03-10T03:00:00', ['shifted']],
      ['2024-03-11T02:30:00', []],
    ]);
    expect(skipped).toEqual([]);
  });

  it('[TR-4] a missing date is skipped, also where gaps are shifted', () => {
    const trigger: Trigger = { kind: 'calendar', timezone: 'Pacific/Apia', hour: 12, gap: 'shift' };
    expect(preview(trigger, '2011-12-29T00:00:00Z', 3).skipped).toEqual([
      { date: '2011-12-30', time: '12:00:00', timezone: 'Pacific/Apia', reason: 'gap' },
    ]);
  });

  it('[TR-11] a trigger that is never due says why, and the list is cut visibly', () => {
    const trigger: Trigger = { kind: 'cron', expression: '30 2 * 3 SUN#2', timezone: NEW_YORK };
    const { instants, skipped, isSkippedCut } = preview(trigger, '2024-01-01T00:00:00Z', 10);
    expect(instants).toEqual([]);
    expect(skipped).toHaveLength(MOST_SKIPPED);
    expect(skipped[0]?.date).toBe('2024-03-10');
    expect(isSkippedCut).toBe(true);
    expect(preview(trigger, '2024-01-01T00:00:00Z', 10, '2026-01-01T00:00:00Z')).toMatchObject({
      isSkippedCut: false,
      skipped: { length: 2 },
    });
  });

  it('[TR-8] an impossible date is previewed as nothing', () => {
    expect(preview({ kind: 'cron', expression: '0 0 31 2 *', timezone: NEW_YORK }, '2024-01-01T00:00:00Z', 10)).toEqual(
      {
        instants: [],
        skipped: [],
        isSkippedCut: false,
      },
    );
  });
});
