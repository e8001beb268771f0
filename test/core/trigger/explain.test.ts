/** Why an instant is due or not: the answers that people look for, word by word. */
import { describe, expect, it } from 'vitest';
import { DUE_REASONS } from '../../../src/core/explain/instant/due-explanation.js';
import { type DueQuestion, explain } from '../../../src/core/explain/instant/explain.js';
import type { RruleTrigger, Trigger } from '../../../src/core/model/trigger.js';
import type { DueInput, DueOptions } from '../../../src/core/trigger/ask.js';

const BERLIN = 'Europe/Berlin';
const NIGHTLY: Trigger = { kind: 'cron', expression: '30 2 * * *', timezone: BERLIN };

function answer(due: DueInput, question: DueQuestion, options?: DueOptions): readonly [string, string] {
  const { reason, sentence } = explain(due, question, options);
  expect(Object.keys(DUE_REASONS)).toContain(reason);
  return [reason, sentence];
}

function failing(due: DueInput, question: DueQuestion): readonly string[] {
  const { checks } = explain(due, question);
  return checks.filter(({ holds }) => !holds).map(({ field, wanted, found }) => `${field}: ${found}, not ${wanted}`);
}

describe('explain an instant', () => {
  it('[TR-11] of a due one says what names it, with local time and neighbours', () => {
    expect(explain('30 2 * * 1-5', '2026-10-26T01:30:00Z', { timezone: BERLIN })).toEqual({
      at: '2026-10-26T01:30:00.000Z',
      isDue: true,
      reason: 'due',
      local: '2026-10-26T02:30:00',
      offset: '+01:00',
      timezone: BERLIN,
      checks: [
        { field: 'dayOfWeek', wanted: 'Monday to Friday', found: 'Monday', holds: true },
        { field: 'hour', wanted: '2', found: '2', holds: true },
        { field: 'minute', wanted: '30', found: '30', holds: true },
        { field: 'second', wanted: '0', found: '0', holds: true },
      ],
      previous: {
        at: '2026-10-23T00:30:00.000Z',
        local: '2026-10-23T02:30:00',
        offset: '+02:00',
        timezone: BERLIN,
        notes: [],
      },
      next: {
        at: '2026-10-27T01:30:00.000Z',
        local: '2026-10-27T02:30:00',
        offset: '+01:00',
        timezone: BERLIN,
        notes: [],
      },
      sentence: '2026-10-26T02:30:00+01:00 Europe/Berlin is due: at 02:30 on Mondays to Fridays, Europe/Berlin.',
    });
  });

  it('[TR-11] names every condition that fails, and what follows', () => {
    expect(answer({ ...NIGHTLY, expression: '30 2 * * 1-5' }, '2026-10-25T00:31:00Z')).toEqual([
      'dateNotWanted',
      '2026-10-25T02:31:00+02:00 Europe/Berlin is not due: the day is Sunday and must be Monday to Friday; the minute is 31 and must be 30. The next due instant is 2026-10-26T02:30:00+01:00 Europe/Berlin.',
    ]);
    expect(answer(NIGHTLY, '2026-10-24T00:30:00.250Z')[1]).toContain('the second is 0.250 and must be 0');
  });

  it.each<[trigger: Partial<Trigger>, at: string, failing: readonly string[]]>([
    [
      { expression: '0 0 13 * 5' },
      '2026-10-21',
      ['day: Wednesday (day 21 of 31), not day 13 of the month or a Friday'],
    ],
    [
      { expression: '0 0 13 * +5' },
      '2026-10-21',
      ['dayOfMonth: day 21 of 31, not day 13 of the month', 'dayOfWeek: Wednesday, not Friday'],
    ],
    [
      { expression: '0 0 * * 5L' },
      '2026-10-23',
      ['dayOfWeek: the 4th (2nd last) Friday of the month, not the last Friday of the month'],
    ],
    [{ expression: '0 0 1 1,6-8 *' }, '2026-10-01', ['month: October, not January or June to August']],
    [{ expression: '0 0 0 1 1 * 2030' }, '2026-01-01', ['year: 2026, not 2030']],
    [{ kind: 'calendar', times: ['09:00', '17:30'] }, '2026-01-01', ['time: 00:00, not 09:00 or 17:30']],
    [
      { kind: 'calendar', hour: 0, every: { unit: 'week', n: 2 }, anchor: '2026-01-05' },
      '2026-01-12',
      ['every: 1 week after that of 2026-01-05, not in every 2nd week from 2026-01-05 on'],
    ],
    [
      { kind: 'calendar', hour: 0, every: { unit: 'day', n: 2 }, anchor: '2026-01-05' },
      '2026-01-03',
      ['every: before 2026-01-05, not every 2nd day from 2026-01-05 on'],
    ],
    [
      { kind: 'rrule', rule: 'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1,-2', dtstart: '2026-01-05T00:00:00' },
      '2026-02-03',
      ['rule: another one, not the first or the 2nd last of its times in each month'],
    ],
    [
      { kind: 'rrule', rule: 'FREQ=YEARLY;BYYEARDAY=100', dtstart: '2026-01-05T00:00:00' },
      '2026-02-03',
      ['rule: day 34 of the year, a Tuesday, not a date on day 100 of the year'],
    ],
    [
      { kind: 'rrule', rule: 'FREQ=MINUTELY;INTERVAL=1439', dtstart: '2026-01-05T00:00:00' },
      '2026-02-03',
      ['rule: off that rhythm, not every 23 hours 59 minutes on the clock, counted from 2026-01-05T00:00:00'],
    ],
  ] as never)('[TR-11, TR-6, TR-14] %j on %s: %j', (trigger, date, expected) => {
    const whole = {
      ...NIGHTLY,
      ...(trigger.kind === undefined || trigger.kind === 'cron' ? {} : { expression: undefined }),
      ...trigger,
    };
    const { expression, ...rest } = whole as unknown as Record<string, unknown>;
    const given = (expression === undefined ? rest : whole) as unknown as Trigger;
    expect(failing(given, { local: `${date}T00:00` })).toEqual(expected);
  });

  it('[TR-11, TR-6] tells a fixed-time job from one that runs in both passes', () => {
    expect(answer(NIGHTLY, '2026-10-25T01:30:00Z')).toEqual([
      'repeatedTimeRunsFirst',
      '2026-10-25T02:30:00+01:00 Europe/Berlin is not due: the pass of this repeated time is the second and must be the first. The next due instant is 2026-10-26T02:30:00+01:00 Europe/Berlin.',
    ]);
    expect(answer({ ...NIGHTLY, repeat: 'both' }, '2026-10-25T01:30:00Z')[0]).toBe('secondPass');
  });

  it.each<[trigger: Trigger, at: string, reason: string, words: string]>([
    [{ kind: 'manual' }, '2026-01-01T00:00:00Z', 'never', 'it is manual: only due when it is triggered by hand'],
    [
      { kind: 'once', at: '2026-01-01T00:00:00Z' },
      '2025-01-01T00:00:00Z',
      'notTheInstant',
      'must be 2026-01-01T00:00:00.000Z',
    ],
    [
      { kind: 'interval', start: '2026-01-01T00:00:00Z', everySeconds: 900 },
      '2026-01-01T00:20:00Z',
      'notOnPhase',
      'the distance from the start is 20 minutes and must be a multiple of 15 minutes',
    ],
    [
      { kind: 'interval', start: '2026-01-01T00:00:00Z', everySeconds: 900 },
      '2025-01-01T00:20:00Z',
      'beforeStart',
      'must be 2026-01-01T00:00:00.000Z or later',
    ],
    [
      { kind: 'interval', start: '2026-01-01T00:00:00Z', everySeconds: 900, end: '2026-02-01T00:00:00Z' },
      '2026-02-01T00:15:00Z',
      'afterEnd',
      'must be 2026-02-01T00:00:00.000Z or earlier',
    ],
    [
      { ...NIGHTLY, end: '2026-02-01T00:00:00Z' } as Trigger,
      '2026-07-01T00:30:00Z',
      'afterEnd',
      'Nothing is due after that.',
    ],
    [NIGHTLY, '2200-07-01T00:30:00Z', 'dateNotWanted', 'the year is 2200 and must be 1800 to 2199'],
  ])('[TR-11, TR-2, TR-5, TR-14] %j at %s: %s', (trigger, at, reason, words) => {
    const [found, sentence] = answer(trigger, at);
    expect(found).toBe(reason);
    expect(sentence).toContain(words);
  });

  it('[TR-11, TR-14] COUNT, EXDATE and RDATE of a rule', () => {
    const rule: RruleTrigger = {
      kind: 'rrule',
      rule: 'FREQ=DAILY;COUNT=3',
      dtstart: '2026-01-05T09:00:00',
      timezone: BERLIN,
      exdates: ['2026-01-06T09:00'],
      rdates: ['2026-01-06T10:00'],
    };
    expect(answer(rule, { local: '2026-01-08T09:00' })).toEqual([
      'countSpent',
      '09:00:00 on 2026-01-08 is not due: it is beyond the 3 instants of the rule and must be one of the first 3. Nothing is due after that.',
    ]);
    expect(answer(rule, { local: '2026-01-06T09:00' })[0]).toBe('excluded');
    expect(answer(rule, { local: '2026-01-06T10:00' })[0]).toBe('due');
    expect(answer(rule, { local: '2026-01-07T09:00' })[0]).toBe('due');
  });
});

describe('explain a wall time', () => {
  it('[TR-11, TR-3] in a gap: the clock jumped over it', () => {
    const found = explain(NIGHTLY, { local: '2027-03-28T02:30:00' });
    expect(found).toMatchObject({
      isDue: false,
      reason: 'skippedByGap',
      local: '2027-03-28T02:30:00',
      timezone: BERLIN,
      gap: { at: '2027-03-28T01:00:00.000Z', from: '2027-03-28T02:00:00', to: '2027-03-28T03:00:00' },
      previous: { at: '2027-03-27T01:30:00.000Z' },
      sentence:
        '02:30:00 on 2027-03-28 never shows in Europe/Berlin: the clock jumps from 02:00:00 to 03:00:00, so nothing is due; with `gap: "shift"` it would be due as the gap ends. The next due instant is 2027-03-29T02:30:00+02:00 Europe/Berlin.',
    });
    expect(found).not.toHaveProperty('at');
  });

  it('[TR-11, TR-13] in a gap, shifted to its end', () => {
    expect(explain({ ...NIGHTLY, gap: 'shift' }, { local: '2027-03-28T02:30' })).toMatchObject({
      at: '2027-03-28T01:00:00.000Z',
      isDue: true,
      reason: 'shifted',
      local: '2027-03-28T03:00:00',
      sentence:
        '02:30:00 on 2027-03-28 never shows in Europe/Berlin: the clock jumps from 02:00:00 to 03:00:00, and with `gap: "shift"` it is due as the gap ends, at 2027-03-28T03:00:00+02:00 Europe/Berlin.',
    });
  });

  it('[TR-11, TR-6] in a gap, where shifting is no choice, and where it was not asked for either', () => {
    expect(answer({ ...NIGHTLY, expression: '*/30 * * * *' }, { local: '2027-03-28T02:30' })[1]).toMatch(
      /jumps from 02:00:00 to 03:00:00, so nothing is due\. The next due instant is 2027-03-28T03:00:00\+02:00/,
    );
    expect(answer(NIGHTLY, { local: '2027-03-28T02:31' })).toEqual([
      'timeNotWanted',
      expect.stringContaining('it is not asked for either: the minute is 31 and must be 30'),
    ]);
    expect(
      answer({ kind: 'once', at: '2027-03-28T01:00:00Z' }, { local: '2027-03-28T02:30' }, { timezone: BERLIN })[0],
    ).toBe('notShown');
  });

  it('[TR-11, TR-4] on a date that was left out', () => {
    const trigger: Trigger = { kind: 'calendar', timezone: 'Pacific/Apia', hour: 12, gap: 'shift' };
    expect(answer(trigger, { local: '2011-12-30T12:00' })).toEqual([
      'missingDate',
      '12:00:00 on 2011-12-30 never shows in Pacific/Apia: the clock jumps from 2011-12-30T00:00:00 to 2011-12-31T00:00:00, so the whole date is missing and has no due instant. The next due instant is 2011-12-31T12:00:00+14:00 Pacific/Apia.',
    ]);
  });

  it('[TR-11, TR-3] that comes twice', () => {
    expect(explain(NIGHTLY, { local: '2026-10-25T02:30' })).toMatchObject({
      at: '2026-10-25T00:30:00.000Z',
      isDue: true,
      passes: ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'],
      sentence:
        '02:30:00 on 2026-10-25 shows twice in Europe/Berlin, at 2026-10-25T02:30:00+02:00 and 2026-10-25T02:30:00+01:00: due the first time alone; at 02:30 every day, Europe/Berlin.',
    });
    expect(answer({ ...NIGHTLY, repeat: 'both' }, { local: '2026-10-25T02:30' })[1]).toContain('due both times');
    expect(answer({ ...NIGHTLY, expression: '0 2 * * *' }, { local: '2026-10-25T02:30' })[1]).toContain(
      'not due, the minute is 30 and must be 0',
    );
  });
});

describe('explain what is left out, spread and joined', () => {
  const holidays = { holidays: { dates: ['2026-12-24/2026-12-26'], digest: 'sha256:0' } };
  const declaration = {
    id: 'nightly',
    trigger: NIGHTLY,
    exclude: { dates: ['2027-01-01'], weekdays: [6], calendar: 'holidays' },
    spreadSeconds: 600,
  };
  const options = { calendars: holidays };

  it.each([
    ['2027-01-01', '2027-01-01'],
    ['2026-12-27', 'Sundays'],
    ['2026-12-25', '2026-12-24 to 2026-12-26 of the calendar "holidays"'],
  ])('[TR-11, DE-12] %s is left out by %s', (date, why) => {
    const [reason, sentence] = answer(declaration, { local: `${date}T02:30` }, options);
    expect(reason).toBe('excluded');
    expect(sentence).toContain(
      `02:30:00 on ${date} is not due: the date is left out (${why}). The next due instant is `,
    );
  });

  it('[TR-11, DE-12] a time in a gap on a day that is left out is told as both, and no gap policy is advised', () => {
    const [reason, sentence] = answer(declaration, { local: '2027-03-28T02:30' }, options);
    expect(reason).toBe('skippedByGap');
    expect(sentence).toContain('so nothing is due; and the date is left out (Sundays). The next due instant is ');
    expect(explain(declaration, { local: '2027-03-28T02:30' }, options).checks.at(-1)).toMatchObject({
      field: 'exclude',
      holds: false,
    });
  });

  it('[TR-11, DE-12] a wall time of the trigger is due where the spread puts it', () => {
    const local = explain(declaration, { local: '2026-12-28T02:30' }, options);
    const at = local.at as string;
    expect(local).toMatchObject({
      isDue: true,
      reason: 'due',
      next: { spread: { before: '2026-12-29T01:30:00.000Z' } },
    });
    expect(Date.parse(at)).toBeGreaterThan(Date.parse('2026-12-28T01:30:00Z'));
    expect(local.sentence).toMatch(
      /^02:30:00 on 2026-12-28 is due, at .*; the spread puts it off by [\d.]+ seconds\.$/,
    );
    expect(explain(declaration, at, options)).toMatchObject({ at, isDue: true });
    expect(answer(declaration, '2026-12-28T01:30:00Z', options)).toEqual([
      'movedBySpread',
      expect.stringMatching(
        /is not due: the trigger names it, and the spread has it put off by [\d.]+ seconds\. The next/,
      ),
    ]);
  });

  it('[TR-11, DE-12] what a clock shows before the spread is not said of the instant itself', () => {
    const spread = { id: 'nightly', trigger: NIGHTLY, spreadSeconds: 3600 };
    expect(explain(spread, '2026-12-28T01:30:01Z').sentence).toMatch(
      /^2026-12-28T02:30:01\+01:00 Europe\/Berlin is not due: before the spread \(put off by [^)]+\) the /,
    );
  });

  it('[TR-11] of a union that names the second pass of a repeated hour alone says so', () => {
    const of: Trigger[] = [NIGHTLY, { kind: 'once', at: '2026-10-25T01:15:00Z' }];
    expect(explain({ kind: 'anyOf', of }, { local: '2026-10-25T02:15' })).toMatchObject({
      at: '2026-10-25T01:15:00.000Z',
      isDue: true,
      sentence: expect.stringContaining(': due the second time alone; (2) once, at 2026-10-25T01:15:00.000Z.'),
    });
  });

  it('[TR-11] of a union names the triggers that are due, or why each is not', () => {
    const of: Trigger[] = [
      NIGHTLY,
      { ...NIGHTLY, expression: '30 3 * * *' },
      { kind: 'once', at: '2026-12-28T01:30:00Z' },
    ];
    const found = explain({ kind: 'anyOf', of }, '2026-12-28T01:30:00Z');
    expect(found.members?.map(({ isDue, reason }) => [isDue, reason])).toEqual([
      [true, 'due'],
      [false, 'timeNotWanted'],
      [true, 'due'],
    ]);
    expect(found.sentence).toBe(
      '2026-12-28T02:30:00+01:00 Europe/Berlin is due: (1) at 02:30 every day, Europe/Berlin and (3) once, at 2026-12-28T01:30:00.000Z.',
    );
    expect(answer({ kind: 'anyOf', of }, '2026-12-28T02:31:00Z')[1]).toMatch(
      /none of its 3 triggers is due: \(1\) the hour is 3 and must be 2; the minute is 31 and must be 30, \(2\) the minute/,
    );
    expect(answer({ kind: 'anyOf', of }, { local: '2027-03-28T02:30' })[0]).toBe('skippedByGap');
  });
});

describe('questions that cannot be asked', () => {
  const mixed: Trigger = { kind: 'anyOf', of: [NIGHTLY, { ...NIGHTLY, timezone: 'UTC' }] };

  it.each<[due: unknown, question: unknown, options: DueOptions, path: string]>([
    ['1', '2026-01-01T00:00:00Z', {}, 'expression'],
    [NIGHTLY, '2026-01-01T00:00:00', {}, 'instant'],
    [NIGHTLY, 5, {}, 'instant'],
    [NIGHTLY, null, {}, 'instant'],
    [NIGHTLY, { local: '2026-01-01 00:00' }, {}, 'local'],
    [NIGHTLY, { local: '2026-02-30T00:00' }, {}, 'local'],
    [mixed, { local: '2026-01-01T00:00' }, {}, 'timezone'],
    [{ kind: 'manual' }, { local: '2026-01-01T00:00' }, { timezone: 'CET+1' }, 'timezone'],
    [{ trigger: NIGHTLY, spreadSeconds: 5 }, '2026-01-01T00:00:00Z', {}, 'id'],
  ])('[TR-11, DE-1] %j, %j: %j names %s', (due, question, options, path) => {
    expect(() => explain(due as never, question as never, options)).toThrow(
      expect.objectContaining({
        code: 'SCHEDULE_DECLARATION_INVALID',
        details: { issues: [expect.objectContaining({ path })] },
      }),
    );
  });
});
