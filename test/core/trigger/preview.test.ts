/** What a trigger will do, as a person is shown it. */
import { describe, expect, it } from 'vitest';
import type { Trigger } from '../../../src/core/model/trigger.js';
import { epochMs } from '../../../src/core/time/instant.js';
import { compileTrigger } from '../../../src/core/trigger/compile.js';
import { compileDue, type DueParts } from '../../../src/core/trigger/due/compile-due.js';
import { preview as askPreview } from '../../../src/core/trigger/preview/ask-preview.js';
import { previewTrigger } from '../../../src/core/trigger/preview/preview.js';
import { MOST_LISTED } from '../../../src/core/trigger/preview/skipped.js';

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
const NOTHING = { instants: [], skipped: [], isSkippedCut: false, excluded: [], isExcludedCut: false };

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
    expect(preview({ kind: 'manual' }, '2025-01-01T00:00:00Z', 5)).toEqual(NOTHING);
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
      { date: '2011-12-30', time: '12:00:00', timezone: 'Pacific/Apia', reason: 'missingDate' },
    ]);
  });

  it('[TR-11] a trigger that is never due says why, and the list is cut visibly', () => {
    const trigger: Trigger = { kind: 'cron', expression: '30 2 * 3 SUN#2', timezone: NEW_YORK };
    const { instants, skipped, isSkippedCut } = preview(trigger, '2024-01-01T00:00:00Z', 10);
    expect(instants).toEqual([]);
    expect(skipped).toHaveLength(MOST_LISTED);
    expect(skipped[0]?.date).toBe('2024-03-10');
    expect(isSkippedCut).toBe(true);
    expect(preview(trigger, '2024-01-01T00:00:00Z', 10, '2026-01-01T00:00:00Z')).toMatchObject({
      isSkippedCut: false,
      skipped: { length: 2 },
    });
  });

  it('[TR-8] an impossible date is previewed as nothing', () => {
    expect(preview({ kind: 'cron', expression: '0 0 31 2 *', timezone: NEW_YORK }, '2024-01-01T00:00:00Z', 10)).toEqual(
      NOTHING,
    );
  });

  it('[TR-11, TR-14] a rule skips what its clock skips, but neither what is taken out nor what comes after it ended', () => {
    const rule = { kind: 'rrule', rule: 'FREQ=DAILY', dtstart: '2024-03-09T02:30:00', timezone: NEW_YORK } as const;
    const skipped = (trigger: Trigger) =>
      preview(trigger, '2024-01-01T00:00:00Z', 400).skipped.map(({ date, time }) => `${date}T${time}`);
    expect(skipped(rule)).toEqual(['2024-03-10T02:30:00', '2025-03-09T02:30:00']);
    expect(skipped({ ...rule, exdates: ['2024-03-10T02:30:00'] })).toEqual(['2025-03-09T02:30:00']);
    expect(skipped({ ...rule, rule: 'FREQ=DAILY;COUNT=9' })).toEqual(['2024-03-10T02:30:00']);
    expect(skipped({ ...rule, rule: 'FREQ=DAILY;COUNT=9', rdates: ['2024-03-10T02:15:00'] })).toEqual([
      '2024-03-10T02:15:00',
      '2024-03-10T02:30:00',
    ]);
  });
});

describe('preview of a union', () => {
  const daily: Trigger = { kind: 'cron', expression: '30 2 * * *', timezone: NEW_YORK };
  const of: Trigger[] = [daily, { ...daily, timezone: 'Europe/Berlin' }, { kind: 'once', at: '2024-03-11T06:30:00Z' }];

  it('[TR-11] names the triggers that are due, and shows the clock of the first of them', () => {
    const { instants } = preview({ kind: 'anyOf', of }, '2024-03-10T12:00:00Z', 2);
    expect(instants.map(({ local, timezone, members }) => [local, timezone, members])).toEqual([
      ['2024-03-11T02:30:00', 'Europe/Berlin', [1]],
      ['2024-03-11T02:30:00', NEW_YORK, [0, 2]],
    ]);
  });

  it('[TR-11, TR-3] lists what the clock of each zone skips, once', () => {
    const union: Trigger = { kind: 'anyOf', of: [...of, { ...daily, expression: '*/30 2 * * *' }] };
    expect(preview(union, '2024-03-10T00:00:00Z', 100).skipped.map(({ time, timezone }) => [time, timezone])).toEqual([
      ['02:00:00', NEW_YORK],
      ['02:30:00', NEW_YORK],
      ['02:30:00', 'Europe/Berlin'],
    ]);
  });
});

describe('preview of what is left out and spread', () => {
  const parts = {
    id: 'nightly',
    trigger: { kind: 'cron', expression: '0 9 * * *', timezone: 'Europe/Berlin' },
    exclude: { dates: ['2026-12-24/2026-12-25'], weekdays: [5], calendar: 'holidays' },
  };

  function previewDue(given: DueParts, from: string, count: number, until?: string) {
    const calendars = { holidays: { dates: ['2027-01-01'], digest: 'sha256:0' } };
    const result = compileDue(given, { calendars });
    if (!result.ok) throw new Error(JSON.stringify(result.issues));
    return previewTrigger(result.value, { from: ms(from), count, ...(until !== undefined && { until: ms(until) }) });
  }

  it('[TR-11, DE-12] lists no time in a gap on a day that is left out, by the clock that tells days', () => {
    const skipped = (given: DueParts, from = '2027-01-01T00:00:00Z') =>
      previewDue(given, from, 200).skipped.map(({ date, timezone, reason }) => [date, timezone, reason]);
    const nightly = { kind: 'cron', expression: '30 2 * * *', timezone: 'Europe/Berlin' };
    const on = (exclude: object, trigger: object = nightly) => ({ trigger, exclude });
    expect(skipped(on({ weekdays: [0] }))).toEqual([['2027-03-28', 'Europe/Berlin', 'gap']]);
    expect(skipped(on({ weekdays: [6] }))).toEqual([]);
    expect(skipped(on({ dates: ['2027-03-28'] }))).toEqual([]);
    const union = { kind: 'anyOf', of: [nightly, { ...nightly, timezone: NEW_YORK }] };
    expect(skipped(on({ dates: ['2027-03-28'], timezone: 'Europe/Berlin' }, union))).toEqual([
      ['2027-03-14', NEW_YORK, 'gap'],
    ]);
    const apia = { kind: 'calendar', hour: 12, timezone: 'Pacific/Apia' };
    const missing = [['2011-12-30', 'Pacific/Apia', 'missingDate']];
    expect(skipped(on({ dates: ['2011-12-31'] }, apia), '2011-12-01T00:00:00Z')).toEqual(missing);
    expect(skipped(on({ dates: ['2011-12-30'] }, apia), '2011-12-01T00:00:00Z')).toEqual([]);
  });

  it('[TR-11, DE-12] lists what is left out with its reason, up to the last instant shown', () => {
    const { instants, excluded, isExcludedCut } = previewDue(parts, '2026-12-23T00:00:00Z', 8);
    expect(instants.map(({ local }) => local.slice(0, 10))).toEqual([
      '2026-12-23',
      '2026-12-27',
      '2026-12-28',
      '2026-12-29',
      '2026-12-30',
      '2026-12-31',
      '2027-01-03',
      '2027-01-04',
    ]);
    expect(isExcludedCut).toBe(false);
    const own = { kind: 'dates', dates: '2026-12-24/2026-12-25' };
    expect(excluded.map(({ local, reason }) => [local.slice(0, 10), reason])).toEqual([
      ['2026-12-24', own],
      ['2026-12-25', own],
      ['2026-12-26', { kind: 'weekday', weekday: 5 }],
      ['2027-01-01', { kind: 'calendar', calendar: 'holidays', dates: '2027-01-01' }],
      ['2027-01-02', { kind: 'weekday', weekday: 5 }],
    ]);
    expect(excluded[0]).toMatchObject({ at: '2026-12-24T08:00:00.000Z', offset: '+01:00', timezone: 'Europe/Berlin' });
  });

  it('[TR-11, DE-12] a list of what is left out is cut visibly, and ends with the range', () => {
    const never = { ...parts, exclude: { weekdays: [0, 1, 2, 3, 4, 5, 6] } };
    const { instants, excluded, isExcludedCut } = previewDue(never, '2026-12-23T00:00:00Z', 8);
    expect({ instants, listed: excluded.length, isExcludedCut }).toEqual({
      instants: [],
      listed: 100,
      isExcludedCut: true,
    });
    expect(previewDue(never, '2026-12-23T00:00:00Z', 8, '2026-12-25T08:00:00Z')).toMatchObject({
      excluded: { length: 3 },
      isExcludedCut: false,
    });
  });

  it('[TR-11, DE-12] an instant that is put off carries the one before', () => {
    const { instants, skipped } = previewDue(
      { ...parts, spreadSeconds: 3600, trigger: { ...parts.trigger, expression: '30 2 * * *' } },
      '2026-03-27T12:00:00Z',
      2,
    );
    const [first] = instants;
    expect(first?.spread?.before).toBe('2026-03-30T00:30:00.000Z');
    expect(Date.parse(first?.at ?? '')).toBe(Date.parse('2026-03-30T00:30:00Z') + (first?.spread?.offsetMs ?? 0));
    expect(first?.spread?.offsetMs).toBeGreaterThan(0);
    expect(Date.parse(`${first?.local}${first?.offset}`)).toBe(Math.floor(Date.parse(first?.at ?? '') / 1000) * 1000);
    expect(skipped.map(({ date }) => date)).toEqual(['2026-03-29']);
  });

  it('[TR-11, DE-12] a union with an exclusion shows members and what is left out', () => {
    const { timezone, ...interval } = {
      kind: 'interval',
      start: '2026-12-24T00:00:00Z',
      everySeconds: 86_400,
      timezone: 'UTC',
    };
    const union = { kind: 'anyOf', of: [parts.trigger, interval] };
    const { instants, excluded } = previewDue(
      { trigger: union, exclude: { weekdays: [3], timezone } },
      '2026-12-24T00:00:00Z',
      2,
    );
    expect(instants.map(({ at, members }) => [at, members])).toEqual([
      ['2026-12-25T00:00:00.000Z', [1]],
      ['2026-12-25T08:00:00.000Z', [0]],
    ]);
    expect(excluded.map(({ at, members }) => [at, members])).toEqual([
      ['2026-12-24T00:00:00.000Z', [1]],
      ['2026-12-24T08:00:00.000Z', [0]],
    ]);
  });

  it.each([
    ['calendar', { kind: 'calendar', years: [2030], months: [3], monthDays: [31], hour: 2, minute: 30 }],
    ['cron', { kind: 'cron', expression: '0 30 2 31 3 * 2030' }],
    ['rrule', { kind: 'rrule', rule: 'FREQ=YEARLY;UNTIL=20301231T000000Z', dtstart: '2030-03-31T02:30:00' }],
  ])(
    '[TR-8, TR-11] the last wall time of a %s trigger lies in a gap: it is listed, and nothing is due',
    (_kind, parts) => {
      const trigger = { ...parts, timezone: 'Europe/Berlin' } as Trigger;
      const skipped = [{ date: '2030-03-31', time: '02:30:00', timezone: 'Europe/Berlin', reason: 'gap' }];
      for (const range of [{ count: 3 }, { until: '2031-01-01T00:00:00Z' }, { until: '2030-03-31T12:00:00Z' }]) {
        const seen = askPreview(trigger, { from: '2027-01-01T00:00:00Z', ...range });
        expect(seen).toMatchObject({ instants: [], skipped });
      }
      const both = { kind: 'anyOf', of: [trigger, { kind: 'once', at: '2028-01-01T12:00:00Z' }] } as Trigger;
      expect(askPreview(both, { from: '2027-01-01T00:00:00Z' })).toMatchObject({ instants: [{}], skipped });
    },
  );
});
