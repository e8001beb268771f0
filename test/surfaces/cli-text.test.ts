/** What the command prints for people: aligned, explained, and safe to show. */
import { describe, expect, it } from 'vitest';
import { ScheduleError } from '../../src/errors.js';
import { reportError } from '../../src/surfaces/cli/output/error-text.js';
import { eventLine } from '../../src/surfaces/cli/output/event-text.js';
import { distanceText, durationText } from '../../src/surfaces/cli/output/layout/moment.js';
import { jsonText, plain } from '../../src/surfaces/cli/output/layout/plain.js';
import { fieldsText, tableText } from '../../src/surfaces/cli/output/layout/table.js';
import { occurrenceLines } from '../../src/surfaces/cli/output/occurrence-text.js';

const FORGED = 'done\n2026-01-01 all good\u001b[2K\u202egnol\u2028\u0085';

describe('plain text', () => {
  it('[SF-1] lets no control character, separator or turn of direction through', () => {
    expect(plain(FORGED)).toBe('done\\n2026-01-01 all good\\u001b[2K\\u202egnol\\u2028\\u0085');
  });

  it('[SF-1] JSON stays JSON and is safe to show', () => {
    const text = jsonText({ note: FORGED }, true);
    expect(JSON.parse(text)).toEqual({ note: FORGED });
    expect(text).toMatch(/^[\n\u0020-\u007e]*$/);
  });
});

describe('tables', () => {
  const columns = [
    { title: 'ID', of: ({ id }: Row) => id },
    { title: 'LEFT', of: ({ left }: Row) => left, isNumber: true },
    { title: 'OBJECTIVE', of: ({ objective }: Row) => objective, isCuttable: true },
  ] as const;
  interface Row {
    readonly id: string;
    readonly left?: number;
    readonly objective: string;
  }
  const rows: readonly Row[] = [
    { id: 'a-very-long-id-that-is-never-cut', left: 5, objective: 'Report of the night, sent to everybody by mail' },
    { id: 'b', objective: '日本語の報告' },
  ];

  it('[SF-1] cuts nothing in a pipe', () => {
    expect(tableText(rows, columns)).toBe(
      [
        'ID                                LEFT  OBJECTIVE',
        'a-very-long-id-that-is-never-cut     5  Report of the night, sent to everybody by mail',
        'b                                    -  日本語の報告',
        '',
      ].join('\n'),
    );
  });

  it('[SF-1] on a terminal cuts what may be cut, and ids never', () => {
    const lines = tableText(rows, columns, 60).trimEnd().split('\n');
    expect(lines[1]).toBe('a-very-long-id-that-is-never-cut     5  Report of the night…');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  it('[SF-1] fields are aligned, and one line each', () => {
    expect(
      fieldsText(
        [
          ['name', 'a\nb'],
          ['much longer', 1],
          ['absent', undefined],
        ],
        '  ',
      ),
    ).toBe('  name         a\\nb\n  much longer  1\n');
  });
});

describe('times', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [61_000, '1 min 1 s'],
    [3_600_000, '1 h'],
    [90_061_000, '1 d 1 h'],
  ])('[SF-1] %i ms are %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });

  it('[SF-1] distances say before and after', () => {
    expect(distanceText('2026-01-01T00:05:00.000Z', Date.UTC(2026, 0, 1))).toBe('in 5 min');
    expect(distanceText('2026-01-01T00:00:00.000Z', Date.UTC(2026, 0, 1, 2))).toBe('2 h ago');
  });
});

describe('occurrences', () => {
  const base = {
    id: 'nightly~1~20260101T000000000Z',
    scheduleId: 'nightly',
    revision: 1,
    origin: 'trigger',
    dueAt: '2026-01-01T00:00:00.000Z',
    admittedAt: '2026-01-01T00:00:00.000Z',
    concurrencyKey: 'nightly',
    attempts: [],
  } as const;

  it('[SF-1, OC-9] a skipped one tells why, behind what, and what it stands for', () => {
    const window = {
      firstAt: '2025-12-31T00:00:00.000Z',
      lastAt: base.dueAt,
      count: 2,
      isFloor: false,
      causes: ['ownerDown'],
    } as const;
    const text = occurrenceLines({ ...base, status: 'skipped', reason: 'coalesced', behind: 'nightly~1~x', window });
    expect(text).toContain(
      'coalesced: one occurrence was queued already and the overlap policy is coalesce (behind nightly~1~x)',
    );
    expect(text).toContain(
      'it stands for 2 due instants, 2025-12-31T00:00:00.000Z to 2026-01-01T00:00:00.000Z (ownerDown)',
    );
  });

  it('[SF-1, OC-9] a failed one tells its faults without letting them forge lines', () => {
    const attempt = {
      attempt: 1,
      epoch: 1,
      fencingToken: 2,
      claimedAt: base.dueAt,
      endedAt: base.dueAt,
      outcome: 'failed',
      stages: [],
      fault: { code: 'handlerFailed', message: FORGED, provider: 'report', stage: 'main' },
    } as const;
    const text = occurrenceLines({
      ...base,
      status: 'failed',
      reason: 'retriesSpent',
      attempts: [attempt],
      firstClaimedAt: '2026-01-01T00:01:00.000Z',
    });
    expect(text).toContain('retriesSpent: maxRetries is used up');
    expect(text).toContain('it started 1 min after it was due');
    expect(text).toContain('attempt 1: handlerFailed in report, stage main: done\\n2026');
    expect(text.split('\n')).toHaveLength(5);
  });
});

describe('errors', () => {
  const issues = [
    { path: 'trigger.hour', rule: 'TR-3', message: 'must be 0..23', found: '25' },
    { path: '', rule: 'DE-1', message: 'is too much' },
  ];
  const error = new ScheduleError(
    'SCHEDULE_DECLARATION_INVALID',
    'cannot create "x": trigger.hour: must be 0..23; is too much',
    {
      details: { issues },
      hint: 'Mend the fields.',
      cause: new Error('because\u001b[2K', { cause: new Error('of this') }),
    },
  );

  it('[SF-1] are told with code, issues, causes and hint, and the exit code of their class', () => {
    expect(reportError(error, { json: false, debug: false })).toEqual({
      exit: 65,
      text: [
        'error SCHEDULE_DECLARATION_INVALID: cannot create "x"',
        '  trigger.hour: must be 0..23 (found 25; rule TR-3)',
        '  is too much (rule DE-1)',
        'cause: because\\u001b[2K',
        'cause: of this',
        'hint: Mend the fields.',
        '',
      ].join('\n'),
    });
  });

  it('[SF-1] are one JSON object on one line for programs', () => {
    const { text } = reportError(error, { json: true, debug: false });
    expect(text.trimEnd()).not.toContain('\n');
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(error)));
  });

  it('[SF-1] an unknown error is 70, and shows its stack only when it is asked for', () => {
    const bug = new TypeError('x is not a function');
    const quiet = reportError(bug, { json: false, debug: false });
    expect(quiet).toMatchObject({ exit: 70, text: expect.stringContaining('error: TypeError: x is not a function') });
    expect(quiet.text).not.toContain('    at ');
    expect(reportError(bug, { json: false, debug: true }).text).toContain('cli-text.test.ts');
  });
});

describe('a schedule that is silent', () => {
  it('[CO-6, SF-1] the log says until when nothing is due, why, and what to do', () => {
    const notice = {
      kind: 'recordedAhead',
      from: '2026-11-30T10:00:00.000Z',
      until: '2029-01-01T00:00:00.000Z',
      nextDue: '2029-01-01T01:00:00.000Z',
    } as const;
    const told = eventLine({ type: 'notice', at: '2026-11-30T09:30:00.000Z', scheduleId: 'a', notice });
    expect(told?.text).toBe(
      '2026-11-30T09:30:00.000Z a: nothing is due by the trigger until 2029-01-01T01:00:00.000Z: what is due from 2026-11-30T10:00:00.000Z to 2029-01-01T00:00:00.000Z was recorded while the clock was ahead and will not run; trigger it by hand, or register it under another id',
    );
  });
});
