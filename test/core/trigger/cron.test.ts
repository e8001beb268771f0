/** Cron: grammar, dialects and meaning, rule by rule. */
import { describe, expect, it } from 'vitest';
import { compileTrigger } from '../../../src/core/trigger/compile.js';
import { due, issuesOf, upcoming } from '../../support/due.js';

const cron = (expression: string, more: object = {}) => ({ kind: 'cron', expression, timezone: 'UTC', ...more });
const NEW_YORK = { timezone: 'America/New_York' };

describe('cron fields', () => {
  it.each([
    ['five fields', '5 4 * * *', '2025-01-01T00:00:00Z', '2025-01-01T04:05:00.000Z'],
    ['six fields have seconds first', '7 5 4 * * *', '2025-01-01T00:00:00Z', '2025-01-01T04:05:07.000Z'],
    ['seven fields have the year last', '7 5 4 1 1 * 2030', '2025-01-01T00:00:00Z', '2030-01-01T04:05:07.000Z'],
    ['outer blanks and tabs', ' \t5\t4  * * *\t', '2025-01-01T00:00:00Z', '2025-01-01T04:05:00.000Z'],
    ['weekday 7 is Sunday', '0 0 * * 7', '2025-01-01T00:00:00Z', '2025-01-05T00:00:00.000Z'],
    ['a range that ends in SUN', '0 0 * * SAT-SUN', '2025-01-04T00:00:00Z', '2025-01-05T00:00:00.000Z'],
    ['numbers and names mix in a range', '0 0 * 2-MAR 1-FRI', '2025-02-28T00:00:00Z', '2025-03-03T00:00:00.000Z'],
    ['last Friday', '0 0 * * 5L', '2025-01-01T00:00:00Z', '2025-01-31T00:00:00.000Z'],
    ['last workday', '0 0 LW * *', '2025-05-01T00:00:00Z', '2025-05-30T00:00:00.000Z'],
    ['nearest workday stays in its month', '0 0 1W * *', '2025-02-01T00:00:00Z', '2025-02-03T00:00:00.000Z'],
    ['either day field', '0 0 13 * 5', '2025-01-10T00:00:00Z', '2025-01-13T00:00:00.000Z'],
    ['both day fields', '0 0 13 * +5', '2025-01-01T00:00:00Z', '2025-06-13T00:00:00.000Z'],
    ['a step over every day is a restriction', '0 0 */2 * MON', '2025-01-05T00:00:00Z', '2025-01-06T00:00:00.000Z'],
    ['`?` is `*` in a day field', '0 0 13 * ?', '2025-01-01T00:00:00Z', '2025-01-13T00:00:00.000Z'],
    ['a nickname', '@weekly', '2025-01-01T00:00:00Z', '2025-01-05T00:00:00.000Z'],
  ])('[TR-6] %s: %s', (_what, expression, after, next) => {
    expect(upcoming(cron(expression), after, 1)).toEqual([next]);
  });

  it.each([
    ['sloppySteps', '5/20 0 * * *', { sloppySteps: true }, ['00:05', '00:25', '00:45']],
    ['wrapRanges with a step', '0 23-3/2 * * *', { wrapRanges: true }, ['01:00', '03:00', '23:00']],
  ])('[TR-6] dialect %s: %s', (_what, expression, dialect, times) => {
    const found = upcoming(cron(expression, { dialect }), '2024-12-31T23:30:00Z', 3);
    expect(found.map((text) => text.slice(11, 16))).toEqual(times);
  });

  it.each([
    ['lastOffset', '0 0 L-2 * *', { lastOffset: true }, '2025-01-29T00:00:00.000Z'],
    ['fields: 5', '0 0 9 * *', { fields: 5 }, '2025-01-09T00:00:00.000Z'],
    ["dayFields: 'and'", '0 0 13 * 5', { dayFields: 'and' }, '2025-06-13T00:00:00.000Z'],
    ["weekdays: 'quartz'", '0 0 * * 2', { weekdays: 'quartz' }, '2025-01-06T00:00:00.000Z'],
    ["weekdays: 'quartz', last", '0 0 * * 6L', { weekdays: 'quartz' }, '2025-01-31T00:00:00.000Z'],
    ["weekdays: 'quartz', bare L", '0 0 * * L', { weekdays: 'quartz' }, '2025-01-04T00:00:00.000Z'],
    ["weekdays: 'quartz', names", '0 0 * * SAT-SUN', { weekdays: 'quartz' }, '2025-01-04T00:00:00.000Z'],
    ['wrapRanges over Sunday', '0 0 * * 7-2', { wrapRanges: true }, '2025-01-05T00:00:00.000Z'],
  ])('[TR-6] dialect %s: %s', (_what, expression, dialect, next) => {
    expect(upcoming(cron(expression, { dialect }), '2025-01-01T00:00:00Z', 1)).toEqual([next]);
  });

  it.each([
    ['0 0/5 * * *', { wrapRanges: true }],
    ['0 22-2 * * *', { sloppySteps: true }],
    ['0 0 L-2 * *', { wrapRanges: true }],
    ['0 0 0 * * *', { fields: 5 }],
    ['0 0 * * 0', { weekdays: 'quartz' }],
    ['0 0 0 1 1 * 2030-2025', { wrapRanges: true }],
    ['0 0 L-31 * *', { lastOffset: true }],
    ['0 0 L-0 * *', { lastOffset: true }],
    ['0 0 * * L', {}],
  ])('[TR-6] %s is refused under the dialect %j', (expression, dialect) => {
    expect(issuesOf(cron(expression, { dialect }))).toHaveLength(1);
  });

  it('[TR-6] a dialect flag that is unknown or of the wrong kind is refused', () => {
    const dialect = { sloppySteps: 'yes', wrapRange: true, fields: 6, dayFields: 'or', weekdays: 'iso' };
    const paths = issuesOf(cron('* * * * *', { dialect })).map(({ path }) => path);
    expect(paths.sort()).toEqual([
      'dialect.dayFields',
      'dialect.fields',
      'dialect.sloppySteps',
      'dialect.weekdays',
      'dialect.wrapRange',
    ]);
  });
});

describe('clock changes', () => {
  it('[TR-6] a fixed-time job skips the gap and is due in the first pass only', () => {
    expect(upcoming(cron('30 2 * * *', NEW_YORK), '2024-03-09T12:00:00Z', 1)).toEqual(['2024-03-11T06:30:00.000Z']);
    expect(upcoming(cron('0,30 1 * * *', NEW_YORK), '2024-11-03T04:00:00Z', 3)).toEqual([
      '2024-11-03T05:00:00.000Z',
      '2024-11-03T05:30:00.000Z',
      '2024-11-04T06:00:00.000Z',
    ]);
  });

  it('[TR-6] a wildcard job is due in both passes and makes up nothing', () => {
    expect(upcoming(cron('*/30 1 * * *', NEW_YORK), '2024-11-03T04:00:00Z', 5)).toEqual([
      '2024-11-03T05:00:00.000Z',
      '2024-11-03T05:30:00.000Z',
      '2024-11-03T06:00:00.000Z',
      '2024-11-03T06:30:00.000Z',
      '2024-11-04T06:00:00.000Z',
    ]);
    expect(upcoming(cron('0 */2 * * *', NEW_YORK), '2024-03-10T04:59:00Z', 3)).toEqual([
      '2024-03-10T05:00:00.000Z',
      '2024-03-10T08:00:00.000Z',
      '2024-03-10T10:00:00.000Z',
    ]);
  });

  it('[TR-6] hours written out are fixed times, an item with `*` makes a wildcard job', () => {
    expect(upcoming(cron('0 0-23 * * *', NEW_YORK), '2024-11-03T05:00:00Z', 1)).toEqual(['2024-11-03T07:00:00.000Z']);
    expect(upcoming(cron('0 1,* * * *', NEW_YORK), '2024-11-03T05:00:00Z', 1)).toEqual(['2024-11-03T06:00:00.000Z']);
    expect(upcoming(cron('*/30 0 1 * * *', NEW_YORK), '2024-11-03T05:00:00Z', 1)).toEqual(['2024-11-03T05:00:30.000Z']);
  });

  it("[TR-6] repeat: 'both' makes a fixed-time job due in both passes", () => {
    expect(upcoming(cron('30 1 * * *', { ...NEW_YORK, repeat: 'both' }), '2024-11-03T04:00:00Z', 3)).toEqual([
      '2024-11-03T05:30:00.000Z',
      '2024-11-03T06:30:00.000Z',
      '2024-11-04T06:30:00.000Z',
    ]);
  });

  it("[TR-13] gap: 'shift' is due once at the end of the gap, and not twice with a time that stands there", () => {
    const trigger = cron('0,30 2,3 * * *', { ...NEW_YORK, gap: 'shift' });
    expect(upcoming(trigger, '2024-03-10T06:00:00Z', 3)).toEqual([
      '2024-03-10T07:00:00.000Z',
      '2024-03-10T07:30:00.000Z',
      '2024-03-11T06:00:00.000Z',
    ]);
    expect(due(trigger).previous(Date.parse('2024-03-10T07:30:00Z'))).toBe(Date.parse('2024-03-10T07:00:00Z'));
  });

  it("[TR-13] gap: 'shift' reaches the next date where the gap ends there, but does nothing for a missing date", () => {
    const midnight = cron('30 0 * * *', { timezone: 'Asia/Beirut', gap: 'shift' });
    expect(upcoming(midnight, '2024-03-30T12:00:00Z', 1)).toEqual(['2024-03-30T22:00:00.000Z']);
    const missing = cron('0 12 30 12 *', { timezone: 'Pacific/Apia', gap: 'shift' });
    expect(upcoming(missing, '2011-01-01T00:00:00Z', 1)).toEqual(['2012-12-29T22:00:00.000Z']);
    // Toronto, 30 March 1919: 23:30 to 00:30 of the 31st.
    const late = cron('45 23 30 3 *', { timezone: 'America/Toronto', gap: 'shift' });
    expect(upcoming(late, '1919-01-01T00:00:00Z', 1)).toEqual(['1919-03-31T04:30:00.000Z']);
  });

  it("[TR-13] gap: 'shift' does not touch a wildcard job", () => {
    const trigger = cron('*/30 2 * * *', { ...NEW_YORK, gap: 'shift' });
    expect(upcoming(trigger, '2024-03-10T06:00:00Z', 1)).toEqual(['2024-03-11T06:00:00.000Z']);
  });
});

describe('refusals', () => {
  it.each([
    ['60 * * * *', 0, '"60"', 'minute', '0-59'],
    ['0 0,24 * * *', 4, '"24"', 'hour', '0-23'],
    ['0 0 * JAN-FOO *', 10, '"JAN-FOO"', 'month', '1-12 or JAN-DEC'],
    ['0 0 * * MONDAY', 11, '"MONDAY"', 'day-of-week', '0-7 or SUN-SAT'],
    ['0 0 1,,15 * *', 6, '""', 'day-of-month', '1-31'],
    ['  0 0 0 1 1 * 1969', 14, '"1969"', 'year', '1970-2199'],
    ['*/60 * * * *', 2, '"*/60"', 'minute', '1-59'],
    ['5 0x10 * * *', 3, '"0x10"', 'hour', '0-23'],
  ])('[TR-7] %j: position %i, token %s, field %s, range %s', (expression, position, token, field, range) => {
    const [issue, ...more] = issuesOf(cron(expression));
    expect(more).toEqual([]);
    expect(issue).toMatchObject({ path: 'expression', rule: 'TR-7', at: position, found: token });
    expect(issue?.message).toContain(field);
    expect(issue?.message).toContain(range);
  });

  it('[TR-7] all faults of an expression are reported at once, in their order', () => {
    expect(issuesOf(cron('60 24 0 13 8')).map(({ at }) => at)).toEqual([0, 3, 6, 8, 11]);
  });

  it.each([
    ['@reboot', /unsupported/],
    ['@wekly', /"@weekly"/],
    ['@daily 0', /stands alone/],
    ['CRON_TZ=UTC 0 0 * * *', /timezone/],
    ['TZ=Europe/Berlin 0 0 * * *', /timezone/],
    ['* * * *', /this one 4/],
    ['* * * * * * * *', /this one 8.*at 14/],
    ['0 0/15 * * *', /write `0-23\/15`, or set `sloppySteps`/],
  ])('[TR-7] %j says what to do', (expression, message) => {
    expect(issuesOf(cron(expression))[0]?.message).toMatch(message);
  });

  it('[TR-7] 1000 characters are read, 1001 are refused, and reading is linear', () => {
    const list = `${'1,'.repeat(494)}1 * * * *`;
    expect(compileTrigger(cron(list.padEnd(1000))).ok).toBe(true);
    expect(issuesOf(cron(list.padEnd(1001)))[0]?.message).toMatch(/1000/);
    expect(issuesOf(cron('*'.repeat(100_000)))[0]?.found?.length).toBeLessThanOrEqual(80);
  });
});
