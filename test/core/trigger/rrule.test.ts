/** Recurrence rules: what a rule names, where it begins and ends, and what a clock change does to it. */
import { describe, expect, it } from 'vitest';
import type { RruleTrigger } from '../../../src/core/model/trigger.js';
import { compileDue } from '../../../src/core/trigger/due/compile-due.js';
import { due, latestBefore, upcoming } from '../../support/due.js';

const NEW_YORK = 'America/New_York';

interface More {
  readonly timezone?: string;
  readonly exdates?: readonly string[];
  readonly rdates?: readonly string[];
}

function rrule(rule: string, dtstart: string, more: More = {}): Record<string, unknown> {
  return { kind: 'rrule', rule, dtstart, timezone: 'UTC', ...more };
}

/** Due instants from just before DTSTART on, without idle seconds. */
function dates(trigger: Record<string, unknown>, count: number): string[] {
  return upcoming(trigger, '1799-12-31T00:00:00Z', count).map((text) => text.slice(0, 16));
}

describe('what a rule names', () => {
  it.each([
    ['YEARLY takes month and day from DTSTART', 'FREQ=YEARLY', '2023-03-05', '2023-03-05 2024-03-05'],
    ['YEARLY with BYMONTH takes the day', 'FREQ=YEARLY;BYMONTH=1,3', '2023-02-05', '2023-03-05 2024-01-05'],
    ['YEARLY with BYMONTHDAY takes every month', 'FREQ=YEARLY;BYMONTHDAY=7', '2023-02-05', '2023-02-07 2023-03-07'],
    ['YEARLY with BYWEEKNO takes the weekday', 'FREQ=YEARLY;BYWEEKNO=20', '2025-01-01', '2025-05-14 2026-05-13'],
    ['YEARLY with BYDAY takes every such day', 'FREQ=YEARLY;BYDAY=MO', '2025-01-01', '2025-01-06 2025-01-13'],
    ['MONTHLY takes the day', 'FREQ=MONTHLY', '2025-01-31', '2025-01-31 2025-03-31'],
    ['WEEKLY takes the weekday', 'FREQ=WEEKLY;INTERVAL=2', '2025-01-01', '2025-01-01 2025-01-15'],
    ['a numbered weekday counts in the month', 'FREQ=MONTHLY;BYDAY=2TU,-1FR', '2025-01-01', '2025-01-14 2025-01-31'],
    ['and in the year', 'FREQ=YEARLY;BYDAY=20MO,-1SU', '2025-01-01', '2025-05-19 2025-12-28'],
    ['and with BYMONTH in its months', 'FREQ=YEARLY;BYMONTH=11;BYDAY=4TH', '2025-01-01', '2025-11-27 2026-11-26'],
    ['plain and numbered weekdays add up', 'FREQ=MONTHLY;BYDAY=WE,1TU', '2025-01-02', '2025-01-07 2025-01-08'],
    ['BYMONTHDAY and BYDAY both hold', 'FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR', '2025-01-01', '2025-06-13 2026-02-13'],
    ['BYYEARDAY from both ends', 'FREQ=YEARLY;BYYEARDAY=1,-1', '2024-01-02', '2024-12-31 2025-01-01'],
    ['BYYEARDAY and BYMONTH both hold', 'FREQ=YEARLY;BYYEARDAY=60;BYMONTH=3', '2024-01-01', '2025-03-01 2026-03-01'],
    ['a week may begin in the year before', 'FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO', '2024-06-01', '2024-12-30 2025-12-29'],
    ['a week belongs to its year', 'FREQ=YEARLY;INTERVAL=2;BYWEEKNO=1;BYDAY=MO', '2024-01-01', '2024-01-01 2025-12-29'],
    ['weeks from the end', 'FREQ=YEARLY;BYWEEKNO=-1;BYDAY=SU', '2025-01-01', '2025-12-28 2027-01-03'],
    ['WKST numbers the weeks', 'FREQ=YEARLY;BYWEEKNO=1;BYDAY=SU;WKST=SU', '2025-06-01', '2026-01-04 2027-01-03'],
    ['DAILY with limits', 'FREQ=DAILY;BYMONTH=2;BYDAY=MO', '2025-01-01', '2025-02-03 2025-02-10'],
    ['every third day', 'FREQ=DAILY;INTERVAL=3', '2025-02-27', '2025-02-27 2025-03-02'],
    ['DAILY on the first of a month', 'FREQ=DAILY;INTERVAL=2;BYMONTHDAY=1', '2025-01-01', '2025-01-01 2025-04-01'],
  ])('[TR-14] %s: %s', (_what, rule, dtstart, expected) => {
    expect(dates(rrule(rule, `${dtstart}T09:30:00`), 2)).toEqual(expected.split(' ').map((date) => `${date}T09:30`));
  });

  it.each([
    ['hours and minutes combine', 'FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0,30', '09:15', '09:30 17:00 17:30'],
    ['HOURLY takes the minute', 'FREQ=HOURLY;BYHOUR=1,3', '00:15', '01:15 03:15'],
    ['every five hours goes on over midnight', 'FREQ=HOURLY;INTERVAL=5', '20:15', '20:15 01:15'],
    ['MINUTELY takes the second', 'FREQ=MINUTELY;INTERVAL=45', '23:30', '23:30 00:15'],
    ['90 minutes', 'FREQ=MINUTELY;INTERVAL=90', '23:00', '23:00 00:30'],
    ['7200 seconds', 'FREQ=SECONDLY;INTERVAL=7200', '23:00', '23:00 01:00'],
    ['BYSETPOS within the day', 'FREQ=DAILY;BYHOUR=9,12,17;BYSETPOS=-1,1', '00:00', '09:00 17:00'],
    ['BYSETPOS within the hour', 'FREQ=HOURLY;BYMINUTE=0,20,40;BYSETPOS=2', '09:00', '09:20 10:20'],
    ['BYSETPOS within the minute', 'FREQ=MINUTELY;BYSECOND=0,30;BYSETPOS=1;BYMINUTE=5,6', '09:00', '09:05 09:06'],
    ['BYSETPOS of a single second', 'FREQ=SECONDLY;BYSECOND=0;BYMINUTE=3,4;BYSETPOS=-1', '09:00', '09:03 09:04'],
  ])('[TR-14] %s: %s', (_what, rule, start, expected) => {
    const times = expected.split(' ');
    const found = dates(rrule(rule, `2025-01-01T${start}:00`), times.length);
    expect(found.map((text) => text.slice(11))).toEqual(times);
  });

  it('[TR-14] BYSETPOS counts days times times, in a whole period, also before DTSTART', () => {
    const lastOfMonth = 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9,17;BYMINUTE=0;BYSETPOS=-1,2';
    expect(dates(rrule(lastOfMonth, '2025-01-15T12:00'), 4)).toEqual([
      '2025-01-31T17:00',
      '2025-02-03T17:00',
      '2025-02-28T17:00',
      '2025-03-03T17:00',
    ]);
    const weekly = 'FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1;WKST=SU;INTERVAL=2';
    expect(dates(rrule(weekly, '2025-01-03T12:00'), 2)).toEqual(['2025-01-13T12:00', '2025-01-27T12:00']);
    const yearly = 'FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1,100';
    expect(dates(rrule(yearly, '2025-01-01T12:00'), 2)).toEqual(['2025-05-20T12:00', '2025-12-31T12:00']);
    const weeks = 'FREQ=YEARLY;BYWEEKNO=1,53;BYDAY=MO,SU;BYSETPOS=-1';
    expect(dates(rrule(weeks, '2025-01-06T12:00'), 2)).toEqual(['2027-01-03T12:00', '2027-01-10T12:00']);
  });

  it('[TR-4, TR-14] a month without the day is passed over and keeps the phase', () => {
    const every = rrule('FREQ=MONTHLY;INTERVAL=3', '2025-11-30T08:00:00');
    expect(dates(every, 3)).toEqual(['2025-11-30T08:00', '2026-05-30T08:00', '2026-08-30T08:00']);
    const leap = rrule('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU', '2088-03-01T08:00:00');
    expect(dates(leap, 1)).toEqual(['2128-02-29T08:00']);
  });
});

describe('where a rule begins and ends', () => {
  it('[TR-14] DTSTART is due if the rule names it, and nothing of the rule before it', () => {
    const mondays = rrule('FREQ=WEEKLY;BYDAY=MO', '2025-01-01T09:00:00');
    expect(dates(mondays, 1)).toEqual(['2025-01-06T09:00']);
    expect(latestBefore(mondays, '2025-01-06T09:00:00Z')).toBeUndefined();
    expect(dates(rrule('FREQ=DAILY', '2025-01-01T09:00:00'), 1)).toEqual(['2025-01-01T09:00']);
  });

  it('[TR-14] a rule ends with 2199 in its zone', () => {
    const daily = rrule('FREQ=DAILY', '2199-12-30T23:30:00', { timezone: NEW_YORK });
    expect(upcoming(daily, '2199-12-01T00:00:00Z', 9)).toEqual([
      '2199-12-31T04:30:00.000Z',
      '2200-01-01T04:30:00.000Z',
    ]);
    const weeks = rrule('FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO,TU,WE', '2198-06-01T09:00:00');
    expect(dates(weeks, 9)).toEqual([
      '2198-12-31T09:00',
      '2199-01-01T09:00',
      '2199-01-02T09:00',
      '2199-12-30T09:00',
      '2199-12-31T09:00',
    ]);
  });

  it.each([
    ['a local time', '20250103T090000', 3],
    ['a local time just missed', '20250103T085959', 2],
    ['an instant', '20250103T140000Z', 3],
    ['an instant just missed', '20250103T135959Z', 2],
    ['a date, which covers all of its day', '20250103', 3],
    ['before DTSTART', '20240101T000000', 0],
  ])('[TR-14] UNTIL is inclusive: %s', (_what, until, count) => {
    const daily = rrule(`FREQ=DAILY;UNTIL=${until}`, '2025-01-01T09:00:00', { timezone: NEW_YORK });
    expect(upcoming(daily, '2024-01-01T00:00:00Z', 9)).toHaveLength(count);
  });

  it('[TR-14] a local UNTIL in a repeated hour covers both passes of a rule below the day, one of any other', () => {
    const below = rrule('FREQ=MINUTELY;INTERVAL=30;UNTIL=20251102T013000', '2025-11-02T01:00:00', {
      timezone: NEW_YORK,
    });
    expect(dates(below, 9)).toEqual(['2025-11-02T05:00', '2025-11-02T05:30', '2025-11-02T06:00', '2025-11-02T06:30']);
    const daily = rrule('FREQ=DAILY;BYMINUTE=0,30,45;UNTIL=20251102T013000', '2025-11-02T01:00:00', {
      timezone: NEW_YORK,
    });
    expect(dates(daily, 9)).toEqual(['2025-11-02T05:00', '2025-11-02T05:30']);
  });

  it('[TR-14] a local UNTIL in a gap covers what comes before the gap', () => {
    const below = rrule('FREQ=MINUTELY;INTERVAL=30;UNTIL=20250309T023000', '2025-03-09T01:00:00', {
      timezone: NEW_YORK,
    });
    expect(dates(below, 9)).toEqual(['2025-03-09T06:00', '2025-03-09T06:30']);
  });

  it('[TR-14] COUNT counts what is due, before dates are taken out; dates put in come on top', () => {
    const three = rrule('FREQ=DAILY;COUNT=3', '2025-01-01T09:00:00', {
      exdates: ['2025-01-02T09:00:00'],
      rdates: ['2025-01-01T09:00:00', '2025-01-05T10:00:00'],
    });
    const expected = ['2025-01-01T09:00', '2025-01-03T09:00', '2025-01-05T10:00'];
    expect(dates(three, 9)).toEqual(expected);
    const backwards: string[] = [];
    for (let at = due(three).previous(8e12); at !== undefined; at = due(three).previous(at)) {
      backwards.push(new Date(at).toISOString().slice(0, 16));
    }
    expect(backwards.reverse()).toEqual(expected);
  });

  it('[TR-1, TR-14] COUNT is the same from wherever it is asked first', () => {
    const trigger = rrule('FREQ=DAILY;COUNT=400', '2025-01-01T09:00:00', { timezone: NEW_YORK });
    const last = Date.UTC(2026, 1, 4, 14);
    expect(due(trigger).previous(Date.UTC(2100, 0, 1))).toBe(last);
    expect(due(trigger).next(last - 1)).toBe(last);
    expect(due(trigger).next(last)).toBeUndefined();
    expect(due(trigger).count(0, 8e12, 1000)).toBe(400);
    const asked = due(trigger);
    asked.next(Date.UTC(2025, 0, 5));
    expect(asked.previous(Date.UTC(2025, 0, 5))).toBe(Date.UTC(2025, 0, 4, 14));
    expect(asked.next(last)).toBeUndefined();
  });
});

describe('dates taken out and put in', () => {
  it('[TR-14] EXDATE takes out what the rule and RDATE name, wherever they stand', () => {
    const trigger = rrule('FREQ=DAILY;COUNT=2', '2025-01-02T09:00:00', {
      exdates: ['2025-01-03T09:00:00', '2025-01-07T09:00:00', '2030-01-01T00:00:00'],
      rdates: ['2025-01-07T09:00:00', '2024-12-31T09:00:00', '2026-01-01T00:00'],
    });
    expect(dates(trigger, 9)).toEqual(['2024-12-31T09:00', '2025-01-02T09:00', '2026-01-01T00:00']);
  });

  it('[TR-1, TR-14] a date put in is strictly after, or before, the time that is asked, whole or not', () => {
    const trigger = due(rrule('FREQ=YEARLY', '2025-06-01T09:00:00', { rdates: ['2025-01-01T00:00:00'] }));
    const at = Date.UTC(2025, 0, 1);
    expect([at - 1, at - 0.5, at].map((after) => trigger.next(after))).toEqual([at, at, Date.UTC(2025, 5, 1, 9)]);
    expect([at, at + 0.5, at + 1].map((before) => trigger.previous(before))).toEqual([undefined, at, at]);
  });

  it('[TR-14] a date put in is never due in a gap, and once in a repeated hour', () => {
    const trigger = rrule('FREQ=HOURLY;UNTIL=20250101', '2025-01-01T23:30:00', {
      timezone: NEW_YORK,
      rdates: ['2025-03-09T02:30:00', '2025-11-02T01:15:00'],
    });
    expect(dates(trigger, 9)).toEqual(['2025-01-02T04:30', '2025-11-02T05:15']);
  });

  it('[TR-14] a date taken out of a rule below the day is due in neither pass of a repeated hour', () => {
    const trigger = rrule('FREQ=HOURLY', '2025-11-02T00:15:00', {
      timezone: NEW_YORK,
      exdates: ['2025-11-02T01:15:00'],
    });
    expect(dates(trigger, 2)).toEqual(['2025-11-02T04:15', '2025-11-02T07:15']);
  });
});

describe('recurrences and exclusions', () => {
  it('[DE-12, TR-14] a date put in counts between days that are left out', () => {
    const trigger = rrule('FREQ=MONTHLY;BYMONTHDAY=1', '2025-01-01T09:00:00', { rdates: ['2025-01-15T10:00:00'] });
    const result = compileDue({
      trigger: trigger as unknown as RruleTrigger,
      exclude: { dates: ['2025-01-01/2025-01-10'] },
    });
    if (!result.ok) throw new Error(JSON.stringify(result.issues));
    const found = result.value.list(0, 2).map((at) => new Date(at).toISOString().slice(0, 16));
    expect(found).toEqual(['2025-01-15T10:00', '2025-02-01T09:00']);
    expect(result.value.previous(Date.UTC(2025, 1, 1))).toBe(Date.UTC(2025, 0, 15, 10));
  });
});

describe('recurrences and the clock', () => {
  it('[TR-3, TR-14] a rule of days skips a gap and uses a repeated time once', () => {
    const gap = rrule('FREQ=DAILY', '2025-03-08T02:30:00', { timezone: NEW_YORK });
    expect(dates(gap, 2)).toEqual(['2025-03-08T07:30', '2025-03-10T06:30']);
    const repeat = rrule('FREQ=DAILY', '2025-11-01T01:30:00', { timezone: NEW_YORK });
    expect(dates(repeat, 3)).toEqual(['2025-11-01T05:30', '2025-11-02T05:30', '2025-11-03T06:30']);
  });

  it.each([
    ['HOURLY', 'FREQ=HOURLY', ['04:30', '05:30', '06:30', '07:30']],
    ['MINUTELY', 'FREQ=MINUTELY;INTERVAL=30', ['04:30', '05:00', '05:30', '06:00', '06:30', '07:00']],
    ['SECONDLY', 'FREQ=SECONDLY;INTERVAL=1800', ['04:30', '05:00', '05:30', '06:00', '06:30', '07:00']],
    ['an interval counted on the wall clock', 'FREQ=HOURLY;INTERVAL=2', ['04:30', '07:30', '09:30']],
  ])('[TR-14] a rule below the day fires in both passes of a repeated hour: %s', (_what, rule, times) => {
    const trigger = rrule(rule, '2025-11-02T00:30:00', { timezone: NEW_YORK });
    expect(dates(trigger, times.length).map((text) => text.slice(11))).toEqual(times);
  });

  it('[TR-14] a rule below the day that begins in a repeated hour goes on through its second pass', () => {
    const trigger = rrule('FREQ=MINUTELY;INTERVAL=15', '2025-11-02T01:30:00', { timezone: NEW_YORK });
    expect(dates(trigger, 6).map((text) => text.slice(11))).toEqual([
      '05:30',
      '05:45',
      '06:00',
      '06:15',
      '06:30',
      '06:45',
    ]);
  });

  it('[TR-14] a DTSTART in a gap begins with the end of the gap', () => {
    const trigger = rrule('FREQ=HOURLY', '2025-03-09T02:30:00', { timezone: NEW_YORK });
    expect(dates(trigger, 1)).toEqual(['2025-03-09T07:30']);
    expect(dates(rrule('FREQ=DAILY', '2025-03-09T02:30:00', { timezone: NEW_YORK }), 1)).toEqual(['2025-03-10T06:30']);
  });
});

describe('faults of other engines', () => {
  it('[TR-9, TR-14] bug 17: the zone of the host plays no part', () => {
    const host = process.env['TZ'];
    try {
      for (const zone of ['UTC', 'America/New_York', 'Asia/Tokyo', 'Australia/Lord_Howe']) {
        process.env['TZ'] = zone;
        const trigger = rrule('FREQ=DAILY', '2025-03-29T09:00:00', { timezone: 'Europe/Berlin' });
        expect(dates(trigger, 2), zone).toEqual(['2025-03-29T08:00', '2025-03-30T07:00']);
      }
    } finally {
      if (host === undefined) delete process.env['TZ'];
      else process.env['TZ'] = host;
    }
  });
});
