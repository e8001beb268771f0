/** The text of a recurrence rule: what is accepted, how it is written in its normal form, and how each refusal reads. */
import { describe, expect, it } from 'vitest';
import type { RruleTrigger } from '../../../src/core/model/trigger.js';
import { compileTrigger } from '../../../src/core/trigger/compile.js';
import { issuesOf } from '../../support/due.js';

function rrule(rule: unknown, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { kind: 'rrule', rule, dtstart: '2025-01-01T09:00:00', timezone: 'UTC', ...more };
}

function normal(rule: string, more: Record<string, unknown> = {}): RruleTrigger {
  const result = compileTrigger(rrule(rule, more));
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.normalized as RruleTrigger;
}

describe('the normal form of a rule', () => {
  it.each([
    ['freq=daily', 'FREQ=DAILY'],
    ['FREQ=DAILY;INTERVAL=1;WKST=SU', 'FREQ=DAILY'],
    ['INTERVAL=02;FREQ=WEEKLY;WKST=MO', 'FREQ=WEEKLY;INTERVAL=2'],
    ['FREQ=WEEKLY;INTERVAL=2;WKST=SU', 'FREQ=WEEKLY;INTERVAL=2;WKST=SU'],
    ['FREQ=WEEKLY;WKST=SU;BYDAY=SU,MO;BYSETPOS=1', 'FREQ=WEEKLY;BYDAY=MO,SU;BYSETPOS=1;WKST=SU'],
    ['WKST=su;BYWEEKNO=1;FREQ=YEARLY', 'FREQ=YEARLY;BYWEEKNO=1;WKST=SU'],
    ['FREQ=MONTHLY;BYDAY=-1fr,+2tu,MO,2TU', 'FREQ=MONTHLY;BYDAY=-1FR,MO,2TU'],
    ['FREQ=YEARLY;BYMONTHDAY=31,-1,+1,31;BYMONTH=12,1', 'FREQ=YEARLY;BYMONTH=1,12;BYMONTHDAY=-1,1,31'],
    ['FREQ=DAILY;UNTIL=20250301', 'FREQ=DAILY;UNTIL=20250301T235959'],
    ['FREQ=DAILY;UNTIL=20250301t120000z', 'FREQ=DAILY;UNTIL=20250301T120000Z'],
    ['BYSECOND=5;BYMINUTE=4;BYHOUR=3;COUNT=7;FREQ=DAILY', 'FREQ=DAILY;COUNT=7;BYHOUR=3;BYMINUTE=4;BYSECOND=5'],
    ['FREQ=YEARLY;BYYEARDAY=-366,366;BYSETPOS=-366,366', 'FREQ=YEARLY;BYYEARDAY=-366,366;BYSETPOS=-366,366'],
  ])('[TR-14] %s is %s', (rule, expected) => {
    expect(normal(rule).rule).toBe(expected);
    expect(normal(expected).rule).toBe(expected);
  });

  it('[TR-14] times are written with seconds, ascending, each once; the zone as the table spells it', () => {
    const lists = {
      exdates: ['2025-03-01T09:00:00', '2025-02-01T09:00', '2025-03-01T09:00'],
      rdates: ['2025-01-01T10:00'],
    };
    expect(normal('FREQ=DAILY', { dtstart: '2025-01-01T09:00', timezone: 'europe/berlin', ...lists })).toEqual({
      kind: 'rrule',
      rule: 'FREQ=DAILY',
      dtstart: '2025-01-01T09:00:00',
      timezone: 'Europe/Berlin',
      exdates: ['2025-02-01T09:00:00', '2025-03-01T09:00:00'],
      rdates: ['2025-01-01T10:00:00'],
    });
  });
});

describe('a rule that is refused', () => {
  it.each([
    ['', 0, /empty part at 0.*/],
    ['FREQ=DAILY;', 11, /empty part at 11/],
    ['RRULE:FREQ=DAILY', 0, /without `RRULE:`/],
    ['COUNT=3', 0, /FREQ is required: YEARLY MONTHLY/],
    ['FREQ', 0, /FREQ at 0 has no value/],
    ['FREQ=', 5, /FREQ: an empty value at 5 is not allowed; allowed are YEARLY/],
    ['FREQ=FORTNIGHTLY', 5, /"FORTNIGHTLY" at 5 is no frequency; allowed are YEARLY MONTHLY WEEKLY DAILY/],
    ['FREQ=DAILY;FREQ=DAILY', 11, /FREQ at 11 stands at 0 already/],
    ['FREQ=DAILY;BYDAYS=MO', 11, /unknown part "BYDAYS" at 11; did you mean "BYDAY"/],
    ['FREQ=DAILY;RSCALE=GREGORIAN', 11, /unknown part "RSCALE" at 11/],
    ['FREQ=DAILY;SKIP=OMIT', 11, /unknown part "SKIP" at 11/],
    ['FREQ=DAILY;X-FOO=1', 11, /unknown part "X-FOO" at 11/],
    ['FREQ=DAILY;EXDATE=20250101T090000', 11, /unknown part "EXDATE"/],
    [' FREQ=DAILY', 0, /unknown part " FREQ" at 0/],
    ['FREQ=DAILY ', 5, /"DAILY " at 5 is no frequency/],
    ['FREQ=DAILY;INTERVAL=0', 20, /INTERVAL: "0" at 20 is out of range; allowed are 1-1000000000/],
    ['FREQ=DAILY;INTERVAL=-1', 20, /INTERVAL: "-1" at 20 is not a whole number; allowed are 1-1000000000/],
    ['FREQ=DAILY;INTERVAL=1.5', 20, /is not a whole number/],
    ['FREQ=DAILY;COUNT=0', 17, /COUNT: "0" at 17 is out of range; allowed are 1-100000/],
    ['FREQ=DAILY;COUNT=100001', 17, /COUNT: "100001" at 17 is out of range/],
    ['FREQ=DAILY;UNTIL=20250229', 17, /UNTIL: "20250229" at 17 is no date or time that exists/],
    ['FREQ=DAILY;UNTIL=2025-02-01', 17, /allowed are YYYYMMDD, YYYYMMDDTHHMMSS and YYYYMMDDTHHMMSSZ/],
    ['FREQ=DAILY;UNTIL=20250201T240000', 17, /no date or time that exists/],
    ['FREQ=DAILY;UNTIL=20250201Z', 17, /no date or time that exists/],
    ['FREQ=DAILY;BYHOUR=9,24', 20, /BYHOUR: "24" at 20 is out of range; allowed are 0-23/],
    ['FREQ=DAILY;BYHOUR=-1', 18, /BYHOUR: "-1" at 18 is not a whole number/],
    ['FREQ=DAILY;BYMINUTE=60', 20, /allowed are 0-59/],
    ['FREQ=DAILY;BYSECOND=60', 20, /is a leap second, which this clock never shows/],
    ['FREQ=DAILY;BYSECOND=1,,2', 22, /BYSECOND: an empty value at 22/],
    ['FREQ=DAILY;BYMONTH=13', 19, /allowed are 1-12/],
    ['FREQ=DAILY;BYMONTH=-1', 19, /is not a whole number/],
    ['FREQ=MONTHLY;BYMONTHDAY=0', 24, /allowed are 1-31 or -1 to -31/],
    ['FREQ=MONTHLY;BYMONTHDAY=-32', 24, /allowed are 1-31 or -1 to -31/],
    ['FREQ=YEARLY;BYYEARDAY=367', 22, /allowed are 1-366 or -1 to -366/],
    ['FREQ=YEARLY;BYWEEKNO=54', 21, /allowed are 1-53 or -1 to -53/],
    ['FREQ=YEARLY;BYDAY=MO;BYSETPOS=0', 30, /allowed are 1-366 or -1 to -366/],
    ['FREQ=MONTHLY;BYDAY=0MO', 19, /BYDAY: "0MO" at 19 has a number that is out of range/],
    ['FREQ=MONTHLY;BYDAY=54MO', 19, /has a number that is out of range/],
    ['FREQ=MONTHLY;BYDAY=+MO', 19, /has a sign without a number/],
    ['FREQ=MONTHLY;BYDAY=MO,XX', 22, /BYDAY: "XX" at 22 is not a weekday; allowed are MO TU WE TH FR SA SU/],
    ['FREQ=MONTHLY;BYDAY=MONDAY', 19, /is not a weekday/],
    ['FREQ=WEEKLY;WKST=1', 17, /WKST: "1" at 17 is not a weekday/],
  ])('[TR-7, TR-14] %j', (rule, at, message) => {
    const issues = issuesOf(rrule(rule));
    expect(issues[0]).toMatchObject({ path: 'rule', rule: 'TR-14', at });
    expect(issues[0]?.message).toMatch(message);
    expect(issues[0]?.found).toBeDefined();
  });

  it.each([
    ['FREQ=DAILY;COUNT=3;UNTIL=20250301', 'UNTIL', /must not stand beside COUNT/],
    ['FREQ=MONTHLY;BYWEEKNO=1', 'BYWEEKNO', /with FREQ=YEARLY alone, not with FREQ=MONTHLY/],
    ['FREQ=SECONDLY;BYWEEKNO=1', 'BYWEEKNO', /with FREQ=YEARLY alone/],
    ['FREQ=DAILY;BYYEARDAY=1', 'BYYEARDAY', /must not stand with FREQ=DAILY; allowed are YEARLY HOURLY/],
    ['FREQ=WEEKLY;BYYEARDAY=1', 'BYYEARDAY', /must not stand with FREQ=WEEKLY/],
    ['FREQ=MONTHLY;BYYEARDAY=1', 'BYYEARDAY', /must not stand with FREQ=MONTHLY/],
    ['FREQ=WEEKLY;BYMONTHDAY=1', 'BYMONTHDAY', /must not stand with FREQ=WEEKLY/],
    ['FREQ=DAILY;BYDAY=MO,1TU', 'BYDAY', /stands with FREQ=MONTHLY or YEARLY alone, not DAILY/],
    ['FREQ=WEEKLY;BYDAY=1MO', 'BYDAY', /not WEEKLY/],
    ['FREQ=HOURLY;BYDAY=-1MO', 'BYDAY', /not HOURLY/],
    ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=1MO', 'BYDAY', /must not stand beside BYWEEKNO/],
    ['FREQ=DAILY;BYSETPOS=1', 'BYSETPOS', /needs another BYxxx part/],
  ])('[TR-14] %s: what must not stand together', (rule, part, message) => {
    const issues = issuesOf(rrule(rule));
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({ path: 'rule', rule: 'TR-14', at: rule.indexOf(part) });
    expect(issues[0]?.message).toMatch(message);
    expect(issues[0]?.message.startsWith(`${part} at ${rule.indexOf(part)} `)).toBe(true);
  });

  it.each(['HOURLY', 'MINUTELY', 'SECONDLY', 'YEARLY'])('[TR-14] BYYEARDAY stands with %s', (freq) => {
    expect(issuesOf(rrule(`FREQ=${freq};BYYEARDAY=1,-1`))).toEqual([]);
  });

  it('[DE-1, TR-14] all faults are told at once', () => {
    const issues = issuesOf(
      rrule('FREQ=DALY;BYHOUR=24,x;FOO=1', { dtstart: '2025-02-29T09:00:00', exdates: ['2025-01-01'], until: '2026' }),
    );
    expect(issues.map(({ path }) => path)).toEqual(['until', 'rule', 'rule', 'rule', 'rule', 'dtstart', 'exdates[0]']);
  });

  it('[TR-7, TR-14] a text of more than 1000 characters is refused, one of 1000 is read at once', () => {
    expect(issuesOf(rrule(`FREQ=DAILY;BYHOUR=${'1,'.repeat(500)}1`))[0]?.message).toMatch(/at most 1000 characters/);
    const long = `FREQ=YEARLY;BYYEARDAY=${Array.from({ length: 230 }, (_, i) => 100 + i).join(',')}`;
    expect(issuesOf(rrule(long))).toEqual([]);
    expect(issuesOf(rrule(`FREQ=DAILY;${';'.repeat(989)}`))).toHaveLength(990);
    expect(issuesOf(rrule(`FREQ=DAILY;BYHOUR=${'0,'.repeat(400)}0`))[0]?.message).toMatch(/more than 400 items/);
  });

  it.each([undefined, null, 1, ['FREQ=DAILY'], {}])('[DE-1, TR-14] %j is no rule', (rule) => {
    expect(issuesOf(rrule(rule))).toMatchObject([{ path: 'rule', rule: 'TR-14' }]);
  });
});

describe('times beside the rule', () => {
  it.each([
    '2025-01-01',
    '2025-01-01T09',
    '2025-01-01T24:00:00',
    '2025-01-01T09:00:60',
    '2025-02-30T09:00:00',
    '1799-12-31T09:00:00',
    '2200-01-01T09:00:00',
    '2025-01-01 09:00:00',
    '20250101T090000',
    '2025-01-01T09:00:00.000',
    20250101,
  ])('[TR-14] DTSTART %j is refused', (dtstart) => {
    expect(issuesOf(rrule('FREQ=DAILY', { dtstart }))).toMatchObject([{ path: 'dtstart', rule: 'TR-14' }]);
  });

  it.each(['2025-01-01T09:00:00Z', '2025-01-01T09:00:00+01:00'])(
    '[TR-14] %s has an offset, and is told so',
    (dtstart) => {
      expect(issuesOf(rrule('FREQ=DAILY', { dtstart }))[0]?.message).toMatch(/has no offset/);
    },
  );

  it('[DE-11, TR-14] lists have 1..400 items', () => {
    const at = (i: number) =>
      `2025-01-01T09:${String(Math.floor(i / 60)).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}`;
    const list = (count: number) => Array.from({ length: count }, (_, i) => at(i));
    expect(issuesOf(rrule('FREQ=DAILY', { exdates: list(400), rdates: list(400) }))).toEqual([]);
    expect(issuesOf(rrule('FREQ=DAILY', { exdates: list(401) }))).toMatchObject([{ path: 'exdates', rule: 'DE-11' }]);
    expect(issuesOf(rrule('FREQ=DAILY', { rdates: [] }))).toMatchObject([{ path: 'rdates' }]);
    expect(issuesOf(rrule('FREQ=DAILY', { rdates: '2025-01-01T09:00:00' }))).toMatchObject([{ path: 'rdates' }]);
  });
});
