/** Recurrences in and out of iCalendar text. */
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../src/core/model/issue.js';
import type { RruleTrigger } from '../../../src/core/model/trigger.js';
import { compileTrigger } from '../../../src/core/trigger/compile.js';
import { formatICalendar, parseICalendar } from '../../../src/core/trigger/rrule/icalendar/icalendar.js';
import { isScheduleError } from '../../../src/errors.js';
import { arbitraries } from '../../../src/testing/arbitraries.js';

const START = 'DTSTART;TZID=Europe/Berlin:20250106T090000';
const RULE = 'RRULE:FREQ=DAILY';

function text(...lines: readonly string[]): string {
  return lines.map((line) => `${line}\r\n`).join('');
}

/** The issues that a text is refused with, as `line path message`. */
function refusals(ical: unknown, options = {}): readonly Issue[] {
  try {
    parseICalendar(ical as string, options);
  } catch (error) {
    if (!isScheduleError(error, 'SCHEDULE_DECLARATION_INVALID')) throw error;
    return error.details['issues'] as readonly Issue[];
  }
  return [];
}

describe('reading', () => {
  it('[TR-14] bare lines, with LF or CRLF, in any order and any case of names', () => {
    const expected = { kind: 'rrule', rule: 'FREQ=DAILY', dtstart: '2025-01-06T09:00:00', timezone: 'Europe/Berlin' };
    expect(parseICalendar(text(START, RULE))).toEqual(expected);
    expect(parseICalendar(`${RULE}\n${START}`)).toEqual(expected);
    expect(parseICalendar('rrule:freq=daily\n\ndtstart;tzid=europe/berlin;value=date-time:20250106T090000\n')).toEqual(
      expected,
    );
  });

  it('[TR-14] the one event of a calendar; its zone has rules of its own, which do not count', () => {
    const ical = text(
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'BEGIN:VTIMEZONE',
      'TZID:Europe/Berlin',
      'BEGIN:DAYLIGHT',
      'DTSTART:19700329T020000',
      'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
      'BEGIN:VEVENT',
      'SUMMARY;LANGUAGE=en:Weekly; with "quotes", and',
      '  a fold',
      START,
      'DTEND;TZID=Europe/Berlin:20250106T100000',
      'RRULE:FREQ=WEEKLY;BYDAY=MO,',
      ' WE',
      'EXDATE;TZID=Europe/Berlin:20250108T090000,20250113T090000',
      'EXDATE:20250115T080000Z',
      'RDATE;X-WHY="a;b:c":20250118T100000',
      'BEGIN:VALARM',
      'TRIGGER:-PT5M',
      'END:VALARM',
      'END:VEVENT',
      'END:VCALENDAR',
    );
    expect(parseICalendar(ical)).toEqual({
      kind: 'rrule',
      rule: 'FREQ=WEEKLY;BYDAY=MO,WE',
      dtstart: '2025-01-06T09:00:00',
      timezone: 'Europe/Berlin',
      exdates: ['2025-01-08T09:00:00', '2025-01-13T09:00:00', '2025-01-15T09:00:00'],
      rdates: ['2025-01-18T10:00:00'],
    });
    expect(parseICalendar(ical.replace(/BEGIN:VCALENDAR[\s\S]*?(?=BEGIN:VEVENT)|END:VCALENDAR\r\n/g, '')).rule).toBe(
      'FREQ=WEEKLY;BYDAY=MO,WE',
    );
  });

  it('[TR-14] DTSTART in UTC gives the zone UTC; a floating one takes the zone of the caller', () => {
    expect(parseICalendar(text('DTSTART:20250106T090000Z', RULE, 'EXDATE:20250107T090000Z')).timezone).toBe('UTC');
    const floating = text('DTSTART:20250106T090000', RULE);
    expect(parseICalendar(floating, { timezone: 'asia/tokyo' }).timezone).toBe('Asia/Tokyo');
    expect(parseICalendar(text(START, RULE), { timezone: 'Asia/Tokyo' }).timezone).toBe('Europe/Berlin');
    expect(refusals(floating)).toMatchObject([{ path: 'DTSTART', line: 1, message: /names no time zone/ }].map(loose));
  });

  it('[TR-14] a UTC time of a list is taken over where a local time names the same instant', () => {
    const first = text(START, RULE, 'EXDATE:20251026T003000Z', 'RDATE:20251026T004500Z');
    expect(parseICalendar(first)).toMatchObject({ exdates: ['2025-10-26T02:30:00'], rdates: ['2025-10-26T02:45:00'] });
    for (const line of ['EXDATE:20251026T013000Z', 'RDATE:20251026T013000Z']) {
      expect(refusals(text(START, RULE, line))).toMatchObject([{ line: 3, message: /shown twice/ }].map(loose));
    }
    const hourly = 'RRULE:FREQ=HOURLY';
    expect(refusals(text(START, hourly, 'EXDATE:20251026T003000Z'))).toHaveLength(1);
    expect(refusals(text(START, hourly, 'RDATE:20251026T004500Z'))).toEqual([]);
  });
});

/** Patterns of messages as matchers. */
function loose(row: Record<string, unknown>): Record<string, unknown> {
  const { message } = row;
  return message instanceof RegExp ? { ...row, message: expect.stringMatching(message) } : row;
}

describe('names of zones that are no IANA names', () => {
  const outlook = text(
    'DTSTART;TZID=W. Europe Standard Time:20250106T090000',
    RULE,
    'EXDATE;TZID="W. Europe Standard Time":20250107T090000',
  );
  const timezones = { 'W. Europe Standard Time': 'europe/berlin', 'Eastern Standard Time': 'America/New_York' };

  it('[TR-14, TR-9] are read as what the caller says they mean, wherever they stand', () => {
    const expected = { timezone: 'Europe/Berlin', dtstart: '2025-01-06T09:00:00', exdates: ['2025-01-07T09:00:00'] };
    expect(parseICalendar(outlook, { timezones })).toMatchObject(expected);
    const mixed = outlook.replace('TZID=W. Europe Standard Time', 'TZID=Europe/Berlin');
    expect(parseICalendar(mixed, { timezones })).toMatchObject(expected);
    expect(parseICalendar(text(START, RULE), { timezones })).toMatchObject({ timezone: 'Europe/Berlin' });
  });

  it('[TR-14, TR-9] are refused where nobody says it, with the way to say it', () => {
    const [issue] = refusals(outlook, { timezones: { other: 'UTC' }, timezone: 'UTC' });
    expect(issue).toMatchObject({ path: 'DTSTART', line: 1, found: '"W. Europe Standard Time"' });
    expect(issue?.message).toContain('this is a name that Windows has for a zone');
    expect(issue?.message).toContain('`{ "W. Europe Standard Time": "…" }`');
  });

  it.each([
    [{ timezones: { 'W. Europe Standard Time': 'Berlin' } }, 'timezones["W. Europe Standard Time"]'],
    [{ timezones: 5 }, 'timezones'],
    [{ timezons: {} }, 'timezons'],
    [null, 'options'],
  ])('[DE-1, TR-9] %j is refused at %s', (options, path) => {
    expect(refusals(outlook, options as never)[0]?.path).toBe(path);
  });
});

describe('refusals', () => {
  it.each([
    [[START], undefined, 'RRULE', /is required/],
    [[RULE], undefined, 'DTSTART', /is required/],
    [[START, RULE, 'RRULE:FREQ=WEEKLY'], 3, 'RRULE', /stands a second time/],
    [[START, START, RULE], 2, 'DTSTART', /stands a second time/],
    [[START, RULE, 'EXRULE:FREQ=WEEKLY'], 3, 'EXRULE', /is not supported/],
    [[START, RULE, 'SUMMARY:x'], 3, 'SUMMARY', /is out of place/],
    [[START, RULE, 'no line'], 3, '', /is no content line/],
    [[START, RULE, 'EXDATE;TZID="x:20250101T090000'], 3, '', /is no content line/],
    [['DTSTART;VALUE=DATE:20250106', RULE], 1, 'DTSTART', /says no time of day/],
    [['DTSTART;TZID=Europe/Berlin:20250106T090000Z', RULE], 1, 'DTSTART', /both TZID and `Z`/],
    [['DTSTART;TZID=Europe/Berlin:20250230T090000', RULE], 1, 'DTSTART', /no time that exists/],
    [['DTSTART;TZID=Europe/Berlin:2025-01-06T09:00:00', RULE], 1, 'DTSTART', /no time that exists/],
    [['DTSTART;TZID=Europe/Berlin:17990106T090000', RULE], 1, 'DTSTART', /no time that exists/],
    [['DTSTART;TZID=Europe/Berlin:25000106T090000', RULE], 1, 'DTSTART', /year 1800\.\.2199/],
    [['DTSTART;TZID=W. Europe Standard Time:20250106T090000', RULE], 1, 'DTSTART', /IANA name/],
    [['DTSTART;FOO=1;TZID=Europe/Berlin:20250106T090000', RULE], 1, 'DTSTART', /unknown parameter/],
    [[START, RULE, 'EXDATE;VALUE=DATE:20250107'], 3, 'EXDATE', /says no time of day/],
    [[START, RULE, 'RDATE;VALUE=PERIOD:20250107T090000/PT1H'], 3, 'RDATE', /points in time/],
    [[START, RULE, 'EXDATE;TZID=Asia/Tokyo:20250107T090000'], 3, 'EXDATE', /must be in the zone of DTSTART/],
    [[START, RULE, 'EXDATE:20250107T090000,20250107T250000'], 3, 'EXDATE', /no time that exists/],
    [[START, RULE, 'EXDATE:20250107T250000Z'], 3, 'EXDATE', /no time that exists/],
    [[START, RULE, 'EXDATE:20250107T090000', 'EXDATE:25000107T090000'], 4, 'EXDATE', /must be a local time/],
    [[START, 'RRULE:FREQ=DAILY;BYHOUR=24'], 2, 'RRULE', /BYHOUR: "24" at 18 is out of range/],
    [['BEGIN:VCALENDAR', 'END:VCALENDAR'], undefined, 'VEVENT', /there is no event/],
    [['BEGIN:VEVENT', START, RULE], 1, 'BEGIN', /does not end/],
    [['BEGIN:VEVENT', START, RULE, 'END:VCALENDAR'], 4, 'END', /did not begin last/],
    [['BEGIN:VEVENT', START, RULE, 'END:VEVENT', 'BEGIN:VEVENT', 'END:VEVENT'], 5, 'VEVENT', /a second event/],
    [['BEGIN:VEVENT', START, RULE, 'END:VEVENT', 'RDATE:20250107T090000'], 5, 'RDATE', /is out of place/],
  ] as const)('[TR-14] %j', (lines, line, path, message) => {
    const found = refusals(text(...lines));
    const expected = { rule: expect.any(String), path, message: expect.stringMatching(message), ...(line && { line }) };
    expect(found).toContainEqual(expect.objectContaining(expected));
  });

  it('[DE-11, TR-14] a text of more than 65536 characters, or none, is refused', () => {
    expect(refusals('x'.repeat(65_537))).toHaveLength(1);
    expect(refusals(undefined)).toHaveLength(1);
    const many = Array.from({ length: 401 }, (_, i) => `2025010${1 + (i % 9)}T09${String(i % 60).padStart(2, '0')}00`);
    expect(refusals(text(START, RULE, `EXDATE:${many.join(',')}`))).toMatchObject([{ rule: 'DE-11', path: 'EXDATE' }]);
  });

  it('[TR-14] what is no recurrence is not written', () => {
    const manual = { kind: 'manual' } as unknown as RruleTrigger;
    expect(() => formatICalendar(manual)).toThrow(/must be "rrule"/);
    expect(() => formatICalendar({ kind: 'rrule', rule: 'FREQ=X', dtstart: '', timezone: '' })).toThrow(/invalid/);
  });
});

describe('writing', () => {
  it('[TR-14] lines end with CRLF and are folded at 75 octets', () => {
    const exdates = Array.from({ length: 9 }, (_, i) => `2025-02-0${i + 1}T09:00:00`);
    const written = formatICalendar({
      kind: 'rrule',
      rule: 'freq=daily',
      dtstart: '2025-01-06T09:00',
      timezone: 'europe/berlin',
      exdates,
    });
    const lines = written.split('\r\n');
    expect(lines.pop()).toBe('');
    expect(lines.slice(0, 2)).toEqual([START, RULE]);
    expect(lines[2]).toHaveLength(75);
    expect(lines.slice(3).every((line) => line.startsWith(' ') && line.length <= 75)).toBe(true);
    expect(
      formatICalendar({
        kind: 'rrule',
        rule: 'FREQ=DAILY',
        dtstart: '2025-01-06T09:00',
        timezone: 'UTC',
        rdates: ['2025-01-01T00:00'],
      }),
    ).toBe(text('DTSTART:20250106T090000Z', RULE, 'RDATE:20250101T000000Z'));
  });

  const recurrence = arbitraries(fc)
    .trigger.filter((trigger) => trigger.kind === 'rrule')
    .map((trigger) => trigger as RruleTrigger);

  test.prop([recurrence as unknown as fc.Arbitrary<RruleTrigger>], { numRuns: 300 })(
    '[TR-14] what is written is read as the same trigger',
    (trigger) => {
      const compiled = compileTrigger(trigger);
      if (!compiled.ok) throw new Error(JSON.stringify(compiled.issues));
      const written = formatICalendar(trigger);
      expect(parseICalendar(written)).toEqual(compiled.normalized);
      expect(
        parseICalendar(text('BEGIN:VCALENDAR', 'BEGIN:VEVENT') + written + text('END:VEVENT', 'END:VCALENDAR')),
      ).toEqual(compiled.normalized);
      expect(formatICalendar(parseICalendar(written))).toBe(written);
    },
  );
});
