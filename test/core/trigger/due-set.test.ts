/** What a declaration leaves out, and by how much it is put off. */
import { describe, expect, it } from 'vitest';
import { formatInstant, MAX_INSTANT } from '../../../src/core/time/instant.js';
import type { CompiledTrigger } from '../../../src/core/trigger/compile.js';
import { compileDue, type DueParts } from '../../../src/core/trigger/due/compile-due.js';
import { isDueSet, thinnedSet } from '../../../src/core/trigger/due/due-set.js';
import { spreadOffsetMs } from '../../../src/core/trigger/due/spread.js';

const BERLIN = { timezone: 'Europe/Berlin' };
const daily = { kind: 'cron', expression: '0 9 * * *', ...BERLIN };
const calendars = {
  holidays: { dates: ['2026-12-24/2026-12-26'], digest: 'sha256:1' },
  none: { dates: [], digest: '' },
};

function thinned(parts: DueParts): CompiledTrigger {
  const result = compileDue({ id: 'job', ...parts }, { calendars });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.value;
}

function upcoming(parts: DueParts, after: string, count: number): string[] {
  return thinned(parts).list(Date.parse(after), count).map(formatInstant);
}

function issuesOf(parts: DueParts) {
  const result = compileDue({ id: 'job', ...parts }, { calendars });
  return result.ok ? [] : result.issues.map(({ path, rule }) => [path, rule]);
}

describe('exclude', () => {
  it('[DE-12] leaves out days, ranges with both ends, weekdays, and the days of a calendar', () => {
    const exclude = { dates: ['2026-12-22', '2026-12-31/2027-01-01'], weekdays: [6], calendar: 'holidays' };
    expect(upcoming({ trigger: daily, exclude }, '2026-12-20T12:00:00Z', 6)).toEqual([
      '2026-12-21T08:00:00.000Z',
      '2026-12-23T08:00:00.000Z',
      '2026-12-28T08:00:00.000Z',
      '2026-12-29T08:00:00.000Z',
      '2026-12-30T08:00:00.000Z',
      '2027-01-02T08:00:00.000Z',
    ]);
    const back = thinned({ trigger: daily, exclude }).previous(Date.parse('2027-01-02T08:00:00Z'));
    expect(formatInstant(back as never)).toBe('2026-12-30T08:00:00.000Z');
    expect(upcoming({ trigger: daily, exclude: { calendar: 'none' } }, '2026-12-24T00:00:00Z', 1)).toEqual([
      '2026-12-24T08:00:00.000Z',
    ]);
  });

  it('[DE-12] a day is told by the clock of the trigger, and judged before the spread', () => {
    const late = { kind: 'calendar', times: ['23:30'], timezone: 'America/New_York' };
    const parts = { trigger: late, exclude: { dates: ['2026-12-24'] }, spreadSeconds: 86_400 };
    const offset = spreadOffsetMs('job', 86_400);
    const shown = [22, 23, 25].map((day) => formatInstant((Date.UTC(2026, 11, day + 1, 4, 30) + offset) as never));
    expect(upcoming(parts, formatInstant((Date.UTC(2026, 11, 22, 12) + offset) as never), 3)).toEqual(shown);
  });

  it('[DE-12] once, interval and anyOf need a zone, the others must not have one beside their own', () => {
    const dates = ['2026-12-24'];
    const anyOf = { kind: 'anyOf', of: [daily] };
    const interval = { kind: 'interval', start: '2026-12-23T23:30:00Z', everySeconds: 1800 };
    const zoned = { dates, ...BERLIN };
    expect(issuesOf({ trigger: interval, exclude: { dates } })).toEqual([['exclude.timezone', 'TR-9']]);
    expect(issuesOf({ trigger: anyOf, exclude: { dates } })).toEqual([['exclude.timezone', 'TR-9']]);
    expect(issuesOf({ trigger: daily, exclude: zoned })).toEqual([['exclude.timezone', 'DE-12']]);
    expect(issuesOf({ trigger: anyOf, exclude: zoned })).toEqual([]);
    expect(upcoming({ trigger: interval, exclude: zoned }, '2026-12-23T00:00:00Z', 2)).toEqual([
      '2026-12-24T23:00:00.000Z',
      '2026-12-24T23:30:00.000Z',
    ]);
  });

  it('[DE-12] a day that is shown again after the clock was set back over midnight is judged again', () => {
    // In St. John's the clock went from 00:01 on 7 November 2010 back to 23:01 on the 6th.
    const trigger = { kind: 'cron', expression: '*/20 * * * *', timezone: 'America/St_Johns' };
    const span = ['2010-11-07T01:50:00Z', '2010-11-07T03:31:00Z'].map(Date.parse) as [number, number];
    const only = (dates: string[]) => {
      const set = thinned({ trigger, exclude: { dates } });
      const found = set.list(span[0], 20).filter((at) => at <= span[1]);
      const back: number[] = [];
      for (let at = set.previous(span[1] + 1); at !== undefined && at > span[0]; at = set.previous(at))
        back.unshift(at);
      expect(back).toEqual(found);
      return found.map((at) => formatInstant(at).slice(11, 16));
    };
    expect(only(['2010-11-06'])).toEqual(['02:30', '03:30']);
    expect(only(['2010-11-07'])).toEqual(['02:10', '02:50', '03:10']);
  });

  it('[DE-1, DE-12] every fault is reported with its path', () => {
    const exclude = { dates: ['2026-02-29', '2026-12-26/2026-12-24', '2026-12-24/', 4], weekdays: [7], day: 1 };
    expect(issuesOf({ trigger: { ...daily, expression: '' }, exclude, spreadSeconds: 0.5 })).toEqual([
      ['trigger.expression', 'TR-7'],
      ['exclude.day', 'DE-1'],
      ['exclude.dates[0]', 'DE-12'],
      ['exclude.dates[1]', 'DE-12'],
      ['exclude.dates[2]', 'DE-12'],
      ['exclude.dates[3]', 'DE-12'],
      ['exclude.weekdays[0]', 'DE-12'],
      ['spreadSeconds', 'DE-12'],
    ]);
    expect(issuesOf({ trigger: daily, exclude: {} })).toEqual([['exclude', 'DE-12']]);
    expect(issuesOf({ trigger: daily, exclude: { dates: [] } })).toEqual([['exclude.dates', 'DE-12']]);
    expect(issuesOf({ trigger: daily, exclude: { calendar: 'constructor' } })).toEqual([['exclude.calendar', 'DE-12']]);
    expect(issuesOf({ trigger: daily, spreadSeconds: 86_401 })).toEqual([['spreadSeconds', 'DE-12']]);
    expect(issuesOf({ id: undefined, trigger: daily, spreadSeconds: 60 })).toEqual([['id', 'DE-12']]);
    expect(issuesOf({ id: 5 as unknown as string, trigger: daily, spreadSeconds: 60 })).toEqual([['id', 'DE-12']]);
  });

  it('[DE-12] an unknown calendar is refused with the nearest names; where none are known it leaves nothing out', () => {
    const parts = { trigger: daily, exclude: { calendar: 'holidais' } };
    const refused = compileDue(parts, { calendars });
    expect(refused.ok ? '' : refused.issues[0]?.message).toContain('did you mean "holidays"');
    expect(compileDue(parts, { calendars: {} })).toMatchObject({ ok: false });
    expect(compileDue(parts)).toMatchObject({ ok: true, normalized: { exclude: { calendar: 'holidais' } } });
  });

  it('[DE-12] the normal form joins touching days and ascends', () => {
    const exclude = { dates: ['2026-12-26', '2026-12-24/2026-12-25', '2026-01-01', '2026-12-24'], weekdays: [6, 5, 6] };
    const result = compileDue({ trigger: daily, exclude });
    expect(result).toMatchObject({
      normalized: { exclude: { dates: ['2026-01-01', '2026-12-24/2026-12-26'], weekdays: [5, 6] } },
    });
  });

  it('[DE-12] without exclusion and spread the trigger stands as it is', () => {
    expect(isDueSet(thinned({ trigger: daily }))).toBe(false);
    const set = thinned({ trigger: daily, spreadSeconds: 60 });
    expect(isDueSet(set) && [set.exclusion, set.offsetMs, set.base.kind]).toEqual([
      undefined,
      spreadOffsetMs('job', 60),
      'cron',
    ]);
  });
});

function everyThird(unit: 'week' | 'day') {
  const every = { unit, n: unit === 'week' ? 3 : 21 };
  return { kind: 'calendar', times: ['09:00'], every, anchor: '2026-11-30', ...BERLIN };
}

function ruled(rule: string) {
  return { kind: 'rrule', rule, dtstart: '2026-11-30T09:00:00', rdates: ['2027-02-01T10:00:00'], ...BERLIN };
}

describe('the search over what is left out', () => {
  it('[TR-8, DE-12] costs one step for a run of days, however many instants lie in it', () => {
    const secondly = { kind: 'cron', expression: '* * * * * *', ...BERLIN };
    const set = thinned({ trigger: secondly, exclude: { dates: ['2026-11-01/2199-12-30'] } });
    if (!isDueSet(set)) throw new Error('it leaves days out');
    let asked = 0;
    const counting: CompiledTrigger = {
      ...set.base,
      next: (after) => {
        asked += 1;
        return set.base.next(after);
      },
    };
    const counted = thinnedSet(counting, set.exclusion as never, 0);
    expect(formatInstant(counted.next(Date.parse('2026-11-30T00:00:00Z')) as never)).toBe('2199-12-30T23:00:00.000Z');
    expect(asked).toBeLessThan(4);
  });

  it.each([
    [
      'a weekday that alone is wanted',
      { trigger: { ...daily, expression: '0 9 * * MON' }, exclude: { weekdays: [0] } },
    ],
    ['every weekday', { trigger: daily, exclude: { weekdays: [0, 1, 2, 3, 4, 5, 6] } }],
    [
      'the only date',
      { trigger: { kind: 'once', at: '2026-12-24T08:00:00Z' }, exclude: { calendar: 'holidays', ...BERLIN } },
    ],
  ])('[TR-8, DE-12] %s left out: never, and that is known at once', (_, parts) => {
    const set = thinned(parts);
    set.next(0);
    const before = performance.now();
    expect(set.next(Date.parse('2026-11-30T00:00:00Z'))).toBeUndefined();
    expect(performance.now() - before).toBeLessThan(50);
    expect(set.previous(Date.parse('2026-11-30T00:00:00Z'))).toBeUndefined();
  });

  const MONDAYS = { ...daily, expression: '0 9 * * MON' };
  const NO_MONDAYS = { weekdays: [0] };

  it.each<[string, DueParts]>([
    ['a cron text for Mondays', { trigger: MONDAYS, exclude: NO_MONDAYS }],
    ['the same with gap: shift', { trigger: { ...MONDAYS, gap: 'shift' }, exclude: NO_MONDAYS }],
    ['every third Monday', { trigger: everyThird('week'), exclude: NO_MONDAYS }],
    ['every 21st day, all of them Mondays', { trigger: everyThird('day'), exclude: NO_MONDAYS }],
    ['the second Monday of a month', { trigger: { ...daily, expression: '0 9 * * MON#2' }, exclude: NO_MONDAYS }],
    ['the 13th that is a Monday', { trigger: { ...daily, expression: '0 9 13 * +MON' }, exclude: NO_MONDAYS }],
    ['a rule for Mondays with an RDATE on one', { trigger: ruled('FREQ=WEEKLY;BYDAY=MO'), exclude: NO_MONDAYS }],
    ['the first of Monday and Tuesday', { trigger: ruled('FREQ=WEEKLY;BYDAY=MO;BYSETPOS=1'), exclude: NO_MONDAYS }],
    ['every minute of Mondays', { trigger: { ...daily, expression: '* * * * MON' }, exclude: NO_MONDAYS }],
    [
      'a union of Mondays',
      {
        trigger: { kind: 'anyOf', of: [MONDAYS, { ...MONDAYS, expression: '0 10 * * 1' }, ruled('FREQ=WEEKLY')] },
        exclude: { ...NO_MONDAYS, ...BERLIN },
      },
    ],
  ])('[TR-8, DE-12] %s, Mondays left out: never, and hardly a question is asked of the zone', (_, parts) => {
    let asked = 0;
    const offsetAt = () => {
      asked += 1;
      return 3_600_000;
    };
    const result = compileDue({ id: 'job', ...parts }, { zoneData: { version: 'counting', offsetAt } });
    if (!result.ok) throw new Error(JSON.stringify(result.issues));
    const [soon, late] = [Date.parse('2026-11-30T00:00:00Z'), Date.parse('2199-11-30T00:00:00Z')];
    expect([result.value.next(soon), result.value.previous(late)]).toEqual([undefined, undefined]);
    expect(asked).toBeLessThan(400);
  });

  it('[TR-13, DE-12] a time before midnight that is moved to the next day is due there, though its own day is left out', () => {
    // In Nuuk the clock jumps from 23:00 on Saturday to midnight.
    const trigger = { kind: 'cron', expression: '30 23 * * SAT', timezone: 'America/Nuuk', gap: 'shift' };
    const set = thinned({ trigger, exclude: { weekdays: [5] } });
    expect(formatInstant(set.next(Date.parse('2026-06-01T00:00:00Z')) as never)).toBe('2027-03-28T01:00:00.000Z');
    expect(formatInstant(set.previous(Date.parse('2027-06-01T00:00:00Z')) as never)).toBe('2027-03-28T01:00:00.000Z');
    expect(thinned({ trigger, exclude: { weekdays: [5, 6] } }).next(0)).toBeUndefined();
  });

  it('[TR-8, DE-12] what has to be asked of a clock costs one step for each instant: Mondays of another zone, and intervals', () => {
    const interval = { kind: 'interval', start: '2026-01-05T12:00:00Z', everySeconds: 604_800 };
    const union = { kind: 'anyOf', of: [interval, { ...MONDAYS, timezone: 'Europe/London' }] };
    const zoned = { ...NO_MONDAYS, timezone: 'Europe/Rome' };
    for (const trigger of [interval, union]) {
      const set = thinned({ trigger, exclude: zoned });
      expect(set.next(Date.parse('2026-11-30T00:00:00Z'))).toBeUndefined();
      const before = performance.now();
      expect(set.next(Date.parse('2026-11-30T00:00:00Z'))).toBeUndefined();
      expect(performance.now() - before).toBeLessThan(200);
    }
  });

  it('[TR-14, DE-12] what leaves days out ends with 2199; what is put off ends with 9999', () => {
    const interval = { kind: 'interval', start: '2199-12-30T12:00:00Z', everySeconds: 86_400 };
    const set = thinned({ trigger: interval, exclude: { weekdays: [0], timezone: 'UTC' } });
    expect(set.list(0, 9).map(formatInstant)).toEqual(['2199-12-31T12:00:00.000Z']);
    expect(set.previous(MAX_INSTANT)).toBe(Date.parse('2199-12-31T12:00:00Z'));
    const last = { kind: 'once', at: '9999-12-31T23:59:59.999Z' };
    const put = thinned({ trigger: last, spreadSeconds: 3600 });
    expect([
      put.next(0),
      put.previous(Number.POSITIVE_INFINITY),
      put.list(0, 1),
      put.count(0, Number.POSITIVE_INFINITY, 5),
    ]).toEqual([undefined, undefined, [], 0]);
  });
});

describe('spreadSeconds', () => {
  it('[DE-12] is one offset of whole milliseconds below the bound, equal for an id in any case of letters', () => {
    for (const id of ['a', 'nightly-report', 'X.1']) {
      const offset = spreadOffsetMs(id, 90);
      expect(Number.isInteger(offset) && offset >= 0 && offset < 90_000).toBe(true);
      expect(spreadOffsetMs(id.toUpperCase(), 90)).toBe(offset);
    }
    expect(upcoming({ trigger: daily, spreadSeconds: 90 }, '2026-12-20T12:00:00Z', 1)).toEqual([
      formatInstant((Date.parse('2026-12-21T08:00:00Z') + spreadOffsetMs('job', 90)) as never),
    ]);
  });

  it.each([
    ['numbered ids', (n: number) => `job-${n}`],
    ['ids of two numbers', (n: number) => `team${Math.floor(n / 100)}.report${n % 100}`],
    ['short ids', (n: number) => n.toString(36)],
    ['long ids with one end', (n: number) => `${n}-${'x'.repeat(100)}`],
  ])('[DE-12] spreads 10,000 %s evenly over 100 places', (_, idOf) => {
    const places = new Array<number>(100).fill(0);
    for (let n = 0; n < 10_000; n += 1) {
      const place = Math.floor(spreadOffsetMs(idOf(n), 100) / 1000);
      places[place] = (places[place] ?? 0) + 1;
    }
    // Chi-square with 99 degrees of freedom: a good hash exceeds 149 once in a thousand times.
    const chiSquare = places.reduce((sum, found) => sum + (found - 100) ** 2 / 100, 0);
    expect(chiSquare).toBeLessThan(149);
  });

  it('[DE-12] keeps count and list of the trigger', () => {
    const set = thinned({
      trigger: { kind: 'interval', start: '2026-01-01T00:00:00Z', everySeconds: 60 },
      spreadSeconds: 600,
    });
    const from = Date.parse('2026-01-02T00:00:00Z');
    expect(set.count(from, from + 3_600_000, 1000)).toBe(
      set.list(from, 1000).filter((at) => at <= from + 3_600_000).length,
    );
    expect(set.list(from, 3)).toEqual([set.next(from), set.next(set.next(from) ?? 0), set.list(from, 3)[2]]);
  });
});
