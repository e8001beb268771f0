/** Reading triggers: strict, complete, and into one normal form. */
import { describe, expect, it } from 'vitest';
import { compileTrigger } from '../../../src/core/trigger/compile.js';
import { issuesOf } from '../../support/due.js';

const pathsOf = (trigger: unknown) => issuesOf(trigger).map(({ path }) => path);
function normal(trigger: unknown) {
  const result = compileTrigger(trigger);
  return result.ok ? result.normalized : result.issues;
}

describe('strict reading', () => {
  it.each([undefined, null, 7, 'cron', [], () => undefined])('[DE-1] %j is no trigger', (trigger) => {
    expect(issuesOf(trigger)).toMatchObject([{ path: '', rule: 'DE-1' }]);
  });

  it('[DE-1] an unknown kind is refused with the nearest one', () => {
    expect(issuesOf({ kind: 'calender' })[0]).toMatchObject({ path: 'kind', found: '"calender"' });
    expect(issuesOf({ kind: 'calender' })[0]?.message).toContain('"calendar"');
    expect(pathsOf({})).toEqual(['kind']);
    expect(pathsOf(Object.create({ kind: 'manual' }))).toEqual(['kind']);
  });

  it('[DE-1] an unknown key is refused with its path and the nearest known name', () => {
    const [issue] = issuesOf({ kind: 'calendar', timezone: 'UTC', hour: 9, weekDay: [1] });
    expect(issue).toMatchObject({ path: 'weekDay', rule: 'DE-1' });
    expect(issue?.message).toContain('"weekdays"');
    expect(
      issuesOf({ kind: 'calendar', timezone: 'UTC', hour: 9, every: { unit: 'day', number: 2 }, anchor: '2025-01-01' }),
    ).toMatchObject([{ path: 'every.number' }, { path: 'every.n' }]);
  });

  it('[DE-8] keys of the prototype are unknown keys', () => {
    const trigger = JSON.parse('{"kind":"manual","__proto__":{"kind":"cron"},"constructor":1}') as unknown;
    expect(pathsOf(trigger).sort()).toEqual(['__proto__', 'constructor']);
  });

  it('[DE-1] all issues are reported at once, each with path, rule and what was found', () => {
    const issues = issuesOf({
      kind: 'calendar',
      timezone: 'Europe/Berln',
      hour: [9, 24],
      minute: -1,
      second: 1.5,
      weekdays: [7],
      monthDays: [0, 32],
      months: [],
      nthWeekdays: [{ weekday: 0, nth: 6 }, 3],
      years: [1969],
      anchor: '2025-02-30',
      start: '2025-01-01',
      end: 0,
      gap: 'shove',
      color: 1,
    });
    expect(issues.map(({ path }) => path).sort()).toEqual([
      'anchor',
      'color',
      'end',
      'gap',
      'hour[1]',
      'minute',
      'monthDays[0]',
      'monthDays[1]',
      'months',
      'nthWeekdays[0].nth',
      'nthWeekdays[1]',
      'second',
      'start',
      'timezone',
      'weekdays[0]',
      'years[0]',
    ]);
    for (const issue of issues) expect(issue).toMatchObject({ rule: /^(DE|TR)-\d+$/, message: /.{8}/, found: /./ });
  });

  it('[DE-2] an instant without an offset is refused, and the issue says what to add', () => {
    expect(issuesOf({ kind: 'once', at: '2025-01-01T00:00:00' })).toMatchObject([
      { path: 'at', rule: 'DE-2', message: /`Z`/ },
    ]);
    expect(pathsOf({ kind: 'once' })).toEqual(['at']);
    expect(pathsOf({ kind: 'once', at: new Date(Number.NaN) })).toEqual(['at']);
  });

  it('[TR-9] a zone is refused with the nearest names', () => {
    const [issue] = issuesOf({ kind: 'cron', expression: '@daily', timezone: 'Europe/Berln' });
    expect(issue).toMatchObject({
      path: 'timezone',
      rule: 'TR-9',
      message: /"Europe\/Berlin"/,
      found: '"Europe/Berln"',
    });
    expect(issuesOf({ kind: 'cron', expression: '@daily' })).toMatchObject([
      { path: 'timezone', rule: 'TR-9', message: /required/ },
    ]);
  });

  it('[TR-3] hour or times, not both, and one of them', () => {
    expect(pathsOf({ kind: 'calendar', timezone: 'UTC' })).toEqual(['hour']);
    expect(pathsOf({ kind: 'calendar', timezone: 'UTC', hour: 9, times: ['09:00'] })).toEqual(['hour']);
    expect(pathsOf({ kind: 'calendar', timezone: 'UTC', times: ['9:00', '24:00', '09:00:60', 900] })).toEqual([
      'times[0]',
      'times[1]',
      'times[2]',
      'times[3]',
    ]);
  });

  it('[TR-4] every needs an anchor, and an anchor needs every', () => {
    expect(pathsOf({ kind: 'calendar', timezone: 'UTC', hour: 9, every: { unit: 'day', n: 2 } })).toEqual(['anchor']);
    expect(pathsOf({ kind: 'calendar', timezone: 'UTC', hour: 9, anchor: '2025-01-01' })).toEqual(['anchor']);
    expect(
      pathsOf({ kind: 'calendar', timezone: 'UTC', hour: 9, every: { unit: 'days', n: 0 }, anchor: '2025-01-01' }),
    ).toEqual(['every.unit', 'every.n']);
  });

  it('[DE-11] a list has at most 400 items, and holes are not numbers', () => {
    const years = Array.from({ length: 401 }, () => 2025);
    expect(issuesOf({ kind: 'calendar', timezone: 'UTC', hour: 9, years })).toMatchObject([
      { path: 'years', rule: 'DE-11' },
    ]);
    expect(pathsOf({ kind: 'calendar', timezone: 'UTC', hour: new Array(2) })).toEqual(['hour[0]', 'hour[1]']);
  });
});

describe('normal form', () => {
  it('[DE-2] instants are UTC text with milliseconds', () => {
    expect(normal({ kind: 'once', at: '2025-01-01T02:00+02:00' })).toEqual({
      kind: 'once',
      at: '2025-01-01T00:00:00.000Z',
    });
    expect(normal({ kind: 'interval', start: '2025-01-01T00:00Z', everySeconds: 60, end: undefined })).toEqual({
      kind: 'interval',
      start: '2025-01-01T00:00:00.000Z',
      everySeconds: 60,
    });
  });

  it('[TR-3] lists ascend without repetition, one-item lists of times are numbers, defaults are filled in', () => {
    expect(
      normal({
        kind: 'calendar',
        timezone: 'europe/berlin',
        hour: [9],
        minute: [30, 0, 30],
        weekdays: [4, 0, 4],
        monthDays: [-1, 1],
        nthWeekdays: [
          { weekday: 1, nth: 2 },
          { weekday: 0, nth: 2 },
          { weekday: 1, nth: 2 },
        ],
      }),
    ).toEqual({
      kind: 'calendar',
      timezone: 'Europe/Berlin',
      hour: 9,
      minute: [0, 30],
      second: 0,
      weekdays: [0, 4],
      monthDays: [-1, 1],
      nthWeekdays: [
        { weekday: 0, nth: 2 },
        { weekday: 1, nth: 2 },
      ],
      gap: 'skip',
    });
    expect(
      normal({ kind: 'calendar', timezone: 'UTC', times: ['18:00:00', '09:00', '18:00', '00:00:01'] }),
    ).toMatchObject({
      times: ['00:00:01', '09:00', '18:00'],
    });
  });

  it('[TR-6] blanks are single, links keep their name, flags that are off are gone', () => {
    expect(
      normal({ kind: 'cron', expression: ' 0\t0  * * * ', timezone: 'US/PACIFIC', dialect: { wrapRanges: false } }),
    ).toEqual({
      kind: 'cron',
      expression: '0 0 * * *',
      timezone: 'US/Pacific',
      gap: 'skip',
      repeat: 'first',
    });
    expect(
      normal({ kind: 'cron', expression: '0 22-2 * * *', timezone: 'UTC', dialect: { wrapRanges: true, fields: 5 } }),
    ).toMatchObject({
      dialect: { wrapRanges: true, fields: 5 },
    });
  });

  it('[DE-1] the normal form is its own normal form', () => {
    const every = { unit: 'week', n: 2 };
    for (const trigger of [
      {
        kind: 'calendar',
        timezone: 'gb',
        hour: [3, 1],
        every,
        anchor: '2025-01-06',
        start: '2025-01-01T00:00Z',
        end: '2026-01-01T00:00+01:00',
        gap: 'shift',
      },
      {
        kind: 'cron',
        expression: '@daily',
        timezone: 'UTC',
        start: '2025-01-01T00:00Z',
        repeat: 'both',
        dialect: { lastOffset: true },
      },
      { kind: 'interval', start: '2025-01-01T00:00Z', everySeconds: 0.1 },
      { kind: 'manual' },
    ]) {
      expect(normal(normal(trigger))).toEqual(normal(trigger));
    }
  });
});
