/** The words of refusals: which fault it is, what to write in its place, and advice that does not contradict itself. */
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import * as core from '../../../src/core/index.js';
import type { Issue } from '../../../src/core/model/issue.js';
import type { CronDialect } from '../../../src/core/model/trigger.js';
import { parseCron } from '../../../src/core/trigger/cron/cron-syntax.js';
import { isScheduleError, type ScheduleError } from '../../../src/errors.js';

const AT = '2026-11-30T08:00:00Z';
const DAILY = { kind: 'cron', expression: '0 9 * * *', timezone: 'Europe/Berlin' } as const;

function refused(ask: () => unknown): ScheduleError {
  try {
    ask();
  } catch (error) {
    if (isScheduleError(error)) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

function messages(trigger: unknown): readonly string[] {
  const result = core.compileTrigger(trigger);
  return result.ok ? [] : result.issues.map(({ message }) => message);
}

describe('instants', () => {
  const faults: [unknown, string][] = [
    ['2027-01-01T00:00:00', 'must say its offset from UTC'],
    ['2027-01-01T00:00', 'must say its offset from UTC'],
    ['2027-01-01', 'must say a time of day and its offset'],
    ['2027-01-01T00:00:00+0100', 'must write its offset as `+HH:MM`'],
    ['2027-01-01T00:00:00-05', 'must write its offset as `+HH:MM`'],
    ['2027-31-12T09:00Z', 'must name a date that exists'],
    ['2027-02-29T09:00Z', 'must name a date that exists'],
    ['2027-01-01T24:00Z', 'must name a time that exists'],
    ['2027-01-01T09:00+25:00', 'must have an offset of at most 23:59'],
    ['2027-01-01T00:00:00+01:00[Europe/Berlin]', 'without a zone in brackets'],
    ['2027-01-01 00:00:00Z', 'must be written with `T` and `Z`'],
    ['2027-01-01t00:00:00z', 'must be written with `T` and `Z`'],
    ['1799-12-31T23:59:59Z', 'within the years 1800..9999'],
    ['+012027-01-01T00:00:00Z', 'within the years 1800..9999'],
    ['tomorrow', 'must be an instant: ISO 8601'],
    ['['.repeat(100_000), 'must be an instant: ISO 8601'],
    [1_767_225_600_000, 'not a number: ISO 8601 text, or in JavaScript `new Date(n)`'],
    [new Date(Number.NaN), 'must be a valid Date'],
    [{ epochMilliseconds: 0.5 }, 'must have whole `epochMilliseconds`'],
    [true, 'must be an instant'],
  ];

  it.each(faults)('[DE-2] %j: %s, in a trigger and beside it', (value, told) => {
    expect(messages({ kind: 'once', at: value })).toEqual([expect.stringContaining(told)]);
    expect(messages({ ...DAILY, end: value })).toEqual([expect.stringContaining(told)]);
    expect(refused(() => core.nextDue(DAILY, value as never)).message).toContain(told);
    expect(core.instantFault(value)).toContain(told);
  });

  it('[DE-2, TR-11] a trigger takes what the calls take beside it, in every convenience', () => {
    const forms = ['2030-01-01T00:00:00.000Z', new Date('2030-01-01T00:00:00Z'), { epochMilliseconds: 1893456000000 }];
    const answers = forms.map((at) => {
      const once = {
        kind: 'anyOf',
        of: [
          { kind: 'once', at },
          { ...DAILY, start: at },
        ],
      } as const;
      return [
        core.nextDue(once, AT),
        core.previousDue({ trigger: once }, '2031-01-01T00:00:00Z'),
        core.preview(once, { from: AT, count: 3 }),
        core.describe(once),
        core.explain(once, AT),
        core.compileTrigger(once),
      ].map((answer) => JSON.stringify(answer));
    });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it('[TR-11] a time without an offset is pointed to the clock of the zone', () => {
    expect(refused(() => core.explain(DAILY, '2027-01-01T02:00')).message).toContain('`{ local }`');
    expect(refused(() => core.explain(DAILY, '2027-01-01')).message).not.toContain('local');
  });
});

describe('cron texts', () => {
  const texts: [string, CronDialect, string][] = [
    ['0 22-2 * * *', { wrapRanges: true }, '0 22-23,0-2 * * *'],
    ['0 22-2/2 * * *', { wrapRanges: true }, '0 22,0,2 * * *'],
    ['0 0 * * FRI-MON', { wrapRanges: true }, '0 0 * * FRI-SAT,SUN-MON'],
    ['0 0 * * 5-1', { wrapRanges: true }, '0 0 * * 5-6,0-1'],
    ['0 0 * * 7-3', { wrapRanges: true }, '0 0 * * 0-3'],
    ['0 0 * * 7-MON', { wrapRanges: true }, '0 0 * * 0-MON'],
    ['0 0 25-1 * *', { wrapRanges: true }, '0 0 25-31,1 * *'],
    ['0 0 1 DEC-FEB *', { wrapRanges: true }, '0 0 1 DEC,JAN-FEB *'],
    ['5/15 * * * *', { sloppySteps: true }, '5-59/15 * * * *'],
    ['0 0 * * MON/2', { sloppySteps: true }, '0 0 * * MON-7/2'],
    ['0 0 1 JAN/3 *', { sloppySteps: true }, '0 0 1 JAN-DEC/3 *'],
  ];

  it.each(texts)('[TR-6, TR-7] %s names the option of %j, and %s in its place', (text, dialect, instead) => {
    const [message] = messages({ ...DAILY, expression: text });
    expect(message).toContain(`or set \`${Object.keys(dialect)[0]}\` in \`dialect\``);
    const token = /write `(.*?)`/.exec(message ?? '')?.[1];
    const wanted = instead.split(' ').filter((field) => !text.split(' ').includes(field));
    expect([token]).toEqual(wanted);
    expect(parseCron(instead, {})).toEqual({ ...parseCron(text, dialect) });
  });

  const field = fc.constantFrom<[number, number, number]>([0, 0, 59], [1, 0, 23], [2, 1, 31], [3, 1, 12], [4, 0, 6]);
  test.prop([field, fc.nat(), fc.nat(), fc.integer({ min: 0, max: 12 })])(
    '[TR-6, TR-7] what is to be written for a range that runs backwards means what the option would make of it',
    ([place, min, max], a, b, step) => {
      const [first, last] = [min + (a % (max - min + 1)), min + (b % (max - min + 1))];
      fc.pre(first > last && step <= max);
      const fields = ['*', '*', '*', '*', '*'];
      fields[place] = `${first}-${last}${step > 0 ? `/${step}` : ''}`;
      const [message] = messages({ ...DAILY, expression: fields.join(' ') });
      const instead = /write `(.*?)`/.exec(message ?? '')?.[1] ?? '';
      const wrapped = parseCron(fields.join(' '), { wrapRanges: true });
      fields[place] = instead;
      expect(sets(parseCron(fields.join(' '), {}))).toEqual(sets(wrapped));
    },
  );

  it.each([
    ['*/90 * * * *', /a longer step is an `interval` trigger; allowed are 1-59 as a step$/],
    ['0 */24 * * *', /allowed are 1-23 as a step$/],
    ['0 0 * * 5#6', /allowed are 1-5 after `#`, counted from the first, and L/],
    ['0 0 L-3 * *', /set `lastOffset` in `dialect`/],
    ['0 0 15w * *', /write `15W`/],
    ['@every 5m', /use an `interval` trigger/],
    ['@minutely', /write `\* \* \* \* \*`/],
    ['0 0 * * *\n', /unexpected "\\n"; only spaces and tabs stand between fields/],
  ])('[TR-7] %j is told %s', (expression, told) => {
    const [message, ...others] = messages({ ...DAILY, expression });
    expect(others).toEqual([]);
    expect(message).toMatch(told);
    expect(message?.match(/allowed are/g)?.length ?? 1).toBe(1);
  });
});

/** Fields with their numbers in order. */
function sets(fields: unknown): unknown {
  const inOrder = (value: unknown) => (Array.isArray(value) ? [...new Set(value)].sort((a, b) => a - b) : value);
  return Object.fromEntries(Object.entries(fields as object).map(([name, value]) => [name, inOrder(value)]));
}

describe('words in cron texts', () => {
  it.each([
    ['@weekdays', 'write `0 0 * * MON-FRI`'],
    ['@Weekday', 'write `0 0 * * MON-FRI`'],
    ['@weekends', 'write `0 0 * * SAT,SUN`'],
    ['@quarterly', 'write `0 0 1 JAN,APR,JUL,OCT *`'],
    ['@bimonthly', 'every other month is `0 0 1 */2 *`, twice a month `0 0 1,15 * *`'],
    ['@biannually', 'twice a year is `0 0 1 JAN,JUL *`'],
    ['@biweekly', 'for every other week use a `calendar` trigger'],
    ['@fortnightly', 'for every other week use a `calendar` trigger'],
    ['@bidaily', 'known are @yearly'],
    ['@bihourly', 'known are @yearly'],
    ['@biennially', 'known are @yearly'],
    ['@semiweekly', 'known are @yearly'],
  ])('[TR-6, TR-7] %s has a rhythm of its own: %s', (expression, told) => {
    const [message = ''] = messages({ ...DAILY, expression });
    expect(message).toContain(told);
    expect(message).not.toContain('did you mean');
    for (const [, text = ''] of told.matchAll(/`(0 .*?)`/g))
      expect(messages({ ...DAILY, expression: text })).toEqual([]);
  });

  it.each([
    ['0 9 * * Monday', 'write `MON`; allowed are'],
    ['0 9 * * monday-FRIDAY', 'write `MON-FRI`'],
    ['0 9 * * MON-Friday', 'write `MON-FRI`'],
    ['0 9 * * Tues,Thursdays', 'write `TUE`'],
    ['0 9 * * +Sunday', 'write `SUN`'],
    ['0 9 * * Friday#2', 'write `FRI#2`'],
    ['0 9 1 January *', 'write `JAN`'],
    ['0 9 1 june-Sept *', 'write `JUN-SEP`'],
    ['0 0 9 ? * Mon-Fri Friday', ''],
    ['0 9 Monday * *', ''],
    ['0 9 * * Funday', ''],
  ])('[TR-6, TR-7] %s is told to be written with three letters: %s', (expression, told) => {
    const [message = ''] = messages({ ...DAILY, expression });
    expect(message).toContain(told);
    expect(message.includes('write')).toBe(told !== '');
  });
});

describe('other fields', () => {
  it.each<[object, string, string]>([
    [{ ...DAILY, dialect: { fields: '5' } }, 'dialect.fields', 'must be the number 5, not text'],
    [{ kind: 'calendar', timezone: 'UTC', hour: '9' }, 'hour', 'must be a whole number, 0..23, not text'],
    [{ kind: 'calendar', timezone: 'UTC', times: ['9:00'] }, 'times[0]', 'write "09:00"'],
    [{ ...DAILY, gap: 'Shift' }, 'gap', 'did you mean "shift"?'],
    [{ kind: 'interval', start: AT, every: 5 }, 'every', 'did you mean "everySeconds"?'],
    [
      { kind: 'rrule', rule: 'FREQ=DAILY', dtstart: '2026-01-01T00:00', timezone: 'UTC', end: AT },
      'end',
      '; known are kind, rule',
    ],
  ])('[DE-1] %j at %s: %s', (trigger, path, told) => {
    const result = core.compileTrigger(trigger);
    const issue = (result.ok ? [] : result.issues).find((one: Issue) => one.path === path);
    expect(issue?.message).toContain(told);
  });
});

describe('zone data of a host', () => {
  it.each([
    [{ offsetAt: (): number => 0 }],
    [{ version: '', offsetAt: (): number => 0 }],
    [{ version: 'a', offsetAt: (): number => 0, nextChange: 5 }],
  ])('[TR-10] %j is refused where it is given', (zoneData) => {
    const error = refused(() => core.nextDue(DAILY, AT, { zoneData: zoneData as never }));
    expect(error.message).toContain('zoneData: must have a `version` of 1..128 characters and a function `offsetAt`');
  });

  it.each([3600, 1, 0.5, 86_401_000])('[TR-10] an offset of %d is told with its unit', (offset) => {
    const zoneData = { version: 'a', offsetAt: () => offset };
    const error = refused(() => core.nextDue(DAILY, AT, { zoneData }));
    expect(error).toMatchObject({ code: 'SCHEDULE_ADAPTER_BROKEN', message: /whole seconds in milliseconds, such as/ });
  });
});

describe('errors of the core', () => {
  const throwers: Readonly<Record<string, () => unknown>> = {
    nextDue: () => core.nextDue('x', AT),
    previousDue: () => core.previousDue(DAILY, 'x'),
    preview: () => core.preview(DAILY, {} as never),
    explain: () => core.explain(DAILY, { local: 'x' }),
    'explain at clocks that differ': () =>
      core.explain({ kind: 'anyOf', of: [DAILY, { ...DAILY, timezone: 'Asia/Tokyo' }] }, { local: '2026-01-01T00:00' }),
    describe: () => core.describe({} as never),
    askDue: () => core.askDue(DAILY, { zoneData: 5 as never }),
    lint: () => core.lint({} as never, {} as never),
    parseICalendar: () => core.parseICalendar('x'),
    formatICalendar: () => core.formatICalendar({ ...DAILY } as never),
    'formatICalendar of no trigger': () => core.formatICalendar({} as never),
    'zone data': () => core.nextDue(DAILY, AT, { zoneData: { version: 'a', offsetAt: () => Number.NaN } }),
  };

  it.each(Object.entries(throwers))('[DE-1] %s says what to do', (_, ask) => {
    const error = refused(ask);
    expect(error.hint).toMatch(/^[A-Z].*\.$/);
    expect(error.toJSON().hint).toBe(error.hint);
  });

  it('[DE-1] the message says what was found, where its sentence does not, bounded and escaped', () => {
    const message = (value: unknown) =>
      refused(() => core.nextDue({ kind: 'calendar', timezone: 'UTC', hour: value } as never, AT)).message;
    expect(message('9')).toBe('no due instant: hour: must be a whole number, 0..23, not text (found "9")');
    expect(message('\u001b[2J')).toContain('(found "\\u001b[2J")');
    expect(message('x'.repeat(10_000)).length).toBeLessThan(200);
    expect(refused(() => core.nextDue('61 * * * *', AT)).message).not.toContain('(found');
  });
});

describe('weekdays by name', () => {
  const calendar = { kind: 'calendar', timezone: 'Europe/Berlin', hour: 9 };
  it.each([
    [{ weekdays: ['MON'] }, 'must be a whole number, 0..6; Monday is 0'],
    [{ weekdays: [0, 'sunday'] }, '; Sunday is 6'],
    [{ weekdays: ['th'] }, '; Thursday is 3'],
    [{ nthWeekdays: [{ weekday: 'FRI', nth: -1 }] }, '; Friday is 4'],
    [{ weekdays: ['1'] }, 'must be a whole number, 0..6, not text'],
    [{ weekdays: ['T'] }, 'must be a whole number, 0..6'],
  ])('[TR-3, DE-1] %j: %s', (parts, told) => {
    expect(messages({ ...calendar, ...parts })).toEqual([expect.stringContaining(told)]);
  });

  it('[DE-12, DE-1] are told their number in an exclusion too', () => {
    const ask = () => core.nextDue({ trigger: DAILY, exclude: { weekdays: ['SAT'] as never } }, AT);
    expect(refused(ask).message).toContain('exclude.weekdays[0]: must be a whole number, 0..6; Saturday is 5');
  });
});
