/** `everdue next`: due instants without a workspace, one trigger or a batch of them. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { everdue, everdueJson, freshFolder, put, startEverdue } from './cli-process.js';

interface GoldenCase {
  readonly id: string;
  readonly kind: string;
  readonly expr?: string;
  readonly trigger?: Readonly<Record<string, unknown>>;
  readonly opts?: Readonly<Record<string, unknown>>;
  readonly timezone: string;
  readonly from: string;
  readonly count: number;
  readonly expected: readonly string[];
}

/** Cases whose zone changed its rules after they were written: a runtime that knows the new rule gives the new list. */
const REVISED: Readonly<Record<string, { knownAt: string; newHour: string; expected: readonly string[] }>> = {
  'cal-002': {
    knownAt: '2026-11-02T15:00:00Z',
    newHour: '10',
    expected: ['2026-11-02T14:00:00Z', '2026-11-03T14:00:00Z', '2026-11-04T14:00:00Z'],
  },
};

function goldenCases(): readonly GoldenCase[] {
  const text = readFileSync(new URL('../golden/triggers.jsonl', import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as GoldenCase);
}

function triggerOf({ kind, expr, timezone, opts, trigger }: GoldenCase): Readonly<Record<string, unknown>> {
  if (kind === 'cron') return { kind, expression: expr, timezone, ...(opts && { dialect: opts }) };
  if (kind === 'calendar') return { kind, timezone, ...trigger };
  const { every, rrule, ...bounds } = trigger ?? {};
  if (kind === 'rrule-like') return { kind: 'rrule', rule: rrule, timezone, ...bounds };
  return { kind, everySeconds: every, ...bounds };
}

function expectedOf({ id, timezone, expected }: GoldenCase): readonly string[] {
  const revised = REVISED[id];
  if (revised === undefined) return expected;
  const clock = new Intl.DateTimeFormat('en', { timeZone: timezone, hour: '2-digit', hourCycle: 'h23' });
  return clock.format(new Date(revised.knownAt)) === revised.newHour ? revised.expected : expected;
}

function lines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

function parsedLines(text: string): readonly unknown[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('everdue next', () => {
  it('[SF-7] prints the due instants of a bare cron text in a zone, one a line', async () => {
    const args = [
      'next',
      '0 2 * * *',
      '--timezone',
      'Europe/Berlin',
      '--after',
      '2026-10-24T00:00:00Z',
      '--count',
      '3',
    ];
    const stdout = ['2026-10-25T00:00:00.000Z\n', '2026-10-26T01:00:00.000Z\n', '2026-10-27T01:00:00.000Z\n'].join('');
    expect(await everdue(args)).toEqual({ code: 0, stdout, stderr: '' });
  });

  it('[SF-7] takes a trigger as JSON text, as a file and from standard input', async () => {
    const trigger = { kind: 'interval', start: '2026-01-01T00:00:00Z', everySeconds: 60 };
    const file = put(freshFolder(), 'trigger.json', trigger);
    const when = ['--after', '2026-01-01T00:00:00Z', '--count', '1'];
    const answers = await Promise.all([
      everdueJson(['next', JSON.stringify(trigger), ...when]),
      everdueJson(['next', file, ...when]),
      everdueJson(['next', '-', ...when], { stdin: JSON.stringify(trigger) }),
    ]);
    for (const { value } of answers) {
      expect(value).toMatchObject({
        description: 'Every minute of elapsed time from 2026-01-01T00:00:00.000Z',
        instants: ['2026-01-01T00:01:00.000Z'],
      });
    }
  });

  it('[SF-7, TR-7] refuses a bad cron text with field, token and range, and exit code 65', async () => {
    const { code, stdout, stderr } = await everdue(['next', '0 25 * * *']);
    expect({ code, stdout }).toEqual({ code: 65, stdout: '' });
    expect(stderr).toMatch(/^error SCHEDULE_DECLARATION_INVALID: .*\n {2}expression: hour: "25".*0-23.*rule TR-7/);
  });

  it('[SF-7, DE-1] names a fault as every other door does, and the nearest key', async () => {
    const daily = { kind: 'cron', expression: '@daily', timezone: 'UTC', gab: 'skip' };
    const of = async (trigger: unknown) => {
      const { error } = await everdueJson(['next', JSON.stringify(trigger)]);
      return (error as { details: { issues: { path: string }[] } }).details.issues.map(({ path }) => path);
    };
    expect(await of(daily)).toEqual(['gab']);
    expect(await of({ trigger: daily, exlude: {} })).toEqual(['exlude', 'trigger.gab']);
    const { stderr } = await everdue(['next', '{"trigger": {"kind": "manual"}, "exlude": {}}']);
    expect(stderr).toContain('did you mean "exclude"?');
  });

  it('[SF-7] refuses a zone beside a trigger that has its own', async () => {
    const args = ['next', '{"kind": "once", "at": "2030-01-01T00:00:00Z"}', '--timezone', 'UTC'];
    expect(await everdueJson(args)).toMatchObject({ code: 64, error: { code: 'SCHEDULE_USAGE' } });
  });

  it('[SF-7, TR-8] answers with nothing where a trigger has no due instant left', async () => {
    const trigger = { kind: 'once', at: '2020-01-01T00:00:00Z' };
    expect(await everdueJson(['next', JSON.stringify(trigger)])).toMatchObject({ code: 0, value: { instants: [] } });
  });
});

describe('everdue next --batch', () => {
  it('[SF-7, TR-1] answers every golden case of cron, calendar, interval and rrule in one process', async () => {
    const golden = goldenCases();
    const requests = golden.map((one) => ({ id: one.id, trigger: triggerOf(one), after: one.from, count: one.count }));
    const { code, stdout } = await everdue(['next', '--batch'], { stdin: lines(requests) });
    const answers = parsedLines(stdout);
    const wanted = golden.map((one) => ({
      id: one.id,
      instants: expectedOf(one).map((text) => new Date(text).toISOString()),
    }));
    expect(code).toBe(0);
    expect(golden.length).toBeGreaterThan(400);
    expect(answers).toEqual(wanted);
  });

  it('[SF-7, TR-9] the zone of the call is that of every bare cron text, with an exclusion or without, and of nothing else', async () => {
    const daily = { kind: 'cron', expression: '0 9 * * *', timezone: 'UTC' };
    const when = { after: '2026-01-01T00:00:00Z', count: 1 };
    const requests = [
      { id: 1, trigger: '0 9 * * *', ...when },
      { id: 2, trigger: '0 9 * * *', exclude: { weekdays: [3] }, ...when },
      { id: 3, trigger: '0 9 * * *', exclude: { weekdays: [3] }, timezone: 'Asia/Tokyo', ...when },
      { id: 4, trigger: daily, ...when },
      { id: 5, trigger: daily, exclude: { weekdays: [3] }, ...when },
    ];
    const { stdout } = await everdue(['next', '--batch', '--timezone', 'Europe/Berlin'], { stdin: lines(requests) });
    expect(parsedLines(stdout)).toEqual([
      { id: 1, instants: ['2026-01-01T08:00:00.000Z'] },
      { id: 2, instants: ['2026-01-02T08:00:00.000Z'] },
      { id: 3, instants: ['2026-01-02T00:00:00.000Z'] },
      { id: 4, instants: ['2026-01-01T09:00:00.000Z'] },
      { id: 5, instants: ['2026-01-02T09:00:00.000Z'] },
    ]);
  });

  it('[SF-7, DE-12] answers for unions, and for what is left out and spread', async () => {
    const daily = { kind: 'cron', expression: '@daily', timezone: 'UTC' };
    const union = { kind: 'anyOf', of: [daily, { kind: 'once', at: '2026-01-01T12:00:00Z' }] };
    const parts = { id: 'a', trigger: daily, exclude: { weekdays: [3, 4] }, spreadSeconds: 1 };
    const after = '2026-01-01T00:00:00Z';
    const requests = [
      { id: 1, trigger: union, after, count: 2 },
      { id: 2, trigger: parts, after, count: 1 },
      { id: 3, trigger: { trigger: daily, exclude: { calendar: 'x' } }, after, count: 1 },
    ];
    const { stdout } = await everdue(['next', '--batch'], { stdin: lines(requests) });
    expect(parsedLines(stdout)).toEqual([
      { id: 1, instants: ['2026-01-01T12:00:00.000Z', '2026-01-02T00:00:00.000Z'] },
      { id: 2, instants: [expect.stringMatching(/^2026-01-03T00:00:00\.\d{3}Z$/)] },
      { id: 3, error: expect.objectContaining({ issues: [expect.objectContaining({ path: 'exclude.calendar' })] }) },
    ]);
  });

  it('[SF-7] answers a bad line with its issues and goes on', async () => {
    const stdin = `${JSON.stringify({ id: 1, trigger: '61 * * * *', after: '2026-01-01T00:00:00Z', count: 1 })}
{"id": 2, "id": 3}
{"id": "later", "trigger": "@daily", "after": "2026-01-01T00:00:00Z", "count": 1, "cuont": 2}

{"id": {"any": "value"}, "trigger": "@daily", "after": "2026-01-01T12:00:00+01:00", "count": 1}`;
    const { code, stdout } = await everdue(['next', '--batch'], { stdin });
    expect(code).toBe(0);
    expect(parsedLines(stdout)).toEqual([
      {
        id: 1,
        error: expect.objectContaining({
          code: 'SCHEDULE_DECLARATION_INVALID',
          issues: [expect.objectContaining({ path: 'expression', rule: 'TR-7' })],
        }),
      },
      {
        id: null,
        error: expect.objectContaining({ line: 2, issues: [expect.objectContaining({ path: 'id', rule: 'DE-3' })] }),
      },
      {
        id: 'later',
        error: expect.objectContaining({ line: 3, issues: [expect.objectContaining({ path: 'cuont' })] }),
      },
      { id: { any: 'value' }, instants: ['2026-01-02T00:00:00.000Z'] },
    ]);
  });

  it('[SF-7] counts lines, empty ones too, and says the line where no id tells it', async () => {
    const request = { trigger: '@daily', after: '2026-01-01T12:00:00Z', count: 1 };
    const { stdout } = await everdue(['next', '--batch'], { stdin: `\n\n{"id": 1,\n${JSON.stringify(request)}\n` });
    expect(parsedLines(stdout)).toEqual([
      { id: null, error: expect.objectContaining({ line: 3, message: expect.stringContaining('line 3 column 10') }) },
      { id: null, line: 4, instants: ['2026-01-02T00:00:00.000Z'] },
    ]);
  });

  it('[SF-7, DE-12] a request may say what is left out and put off, beside its trigger or a cron text', async () => {
    const after = '2026-01-01T00:00:00Z';
    const daily = { kind: 'cron', expression: '@daily', timezone: 'Asia/Tokyo' };
    const parts = { exclude: { weekdays: [3, 4] }, spreadSeconds: 600 };
    const ask = async (...requests: object[]) =>
      parsedLines((await everdue(['next', '--batch'], { stdin: lines(requests) })).stdout);
    const [nested, beside, text] = (await ask(
      { id: 'a', trigger: { id: 'a', trigger: daily, ...parts }, after, count: 3 },
      { id: 'a', trigger: daily, ...parts, after, count: 3 },
      { id: 'a', trigger: '@daily', timezone: 'Asia/Tokyo', ...parts, after, count: 3 },
    )) as { instants: string[] }[];
    expect(nested?.instants.length).toBe(3);
    expect([beside, text]).toEqual([nested, nested]);
    const paths = async (request: object) =>
      (await ask({ after, count: 1, ...request })).map((answer) =>
        (answer as { error: { issues: { path: string }[] } }).error.issues.map(({ path }) => path),
      );
    expect(await paths({ id: 7, trigger: daily, spreadSeconds: 5 })).toEqual([['id']]);
    expect(await paths({ trigger: 'x', exclude: {} })).toEqual([['trigger.expression', 'exclude']]);
    expect(await paths({ trigger: { trigger: daily }, exclude: parts.exclude })).toEqual([['exclude']]);
  });

  it('[SF-7, DE-3] a line that is not UTF-8 is answered with its error, and harms no other', async () => {
    const running = startEverdue(['next', '--batch']);
    const good = '{"id": "ä", "trigger": "@yearly", "after": "2026-06-01T00:00:00Z", "count": 1}\n';
    running.write(`\ufeff${good}`);
    running.write(Uint8Array.of(0x22, 0xff, 0x22, 0x0a));
    // A character that is cut by the end of a chunk is whole on its line.
    const bytes = new TextEncoder().encode(good);
    const cut = bytes.indexOf(0xc3) + 1;
    running.write(bytes.subarray(0, cut));
    running.write(bytes.subarray(cut));
    running.write(Uint8Array.of(0xe2, 0x82));
    running.end();
    const ended = await running.ended;
    const answer = { id: 'ä', instants: ['2027-01-01T00:00:00.000Z'] };
    const error = { code: 'SCHEDULE_DECLARATION_INVALID', issues: [{ message: 'must be UTF-8 text' }] };
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(parsedLines(ended.stdout)).toMatchObject([
      answer,
      { id: null, error: { ...error, line: 2 } },
      answer,
      { id: null, error: { ...error, line: 4 } },
    ]);
  });

  it('[SF-7, DE-1] a JSON list is told to be no trigger, and what holds several', async () => {
    for (const args of [['[{"kind": "manual"}]'], ['-']]) {
      const told = await everdue(['next', ...args], { stdin: ' [ "@daily" ]' });
      expect(told.code).toBe(65);
      expect(told.stderr).toMatch(/must be one trigger, not a list.*anyOf.*--batch/s);
    }
  });

  it('[SF-1, SF-7] ends in silence when nobody reads on', async () => {
    const running = startEverdue(['next', '--batch']);
    running.write('{"id": "first", "trigger": "@yearly", "after": "2026-06-01T00:00:00Z", "count": 1}\n');
    await running.printed('first');
    running.closeOutput();
    running.end('{"id": "second", "trigger": "@yearly", "after": "2026-06-01T00:00:00Z", "count": 1}\n'.repeat(100));
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('[SF-7] answers each line as it comes, before the input ends', async () => {
    const running = startEverdue(['next', '--batch']);
    running.write(`{"id": "first", "trigger": "@yearly", "after": "2026-06-01T00:00:00Z", "count": 1}\n`);
    expect(await running.printed('first')).toContain('2027-01-01T00:00:00.000Z');
    running.end();
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
  });
});
