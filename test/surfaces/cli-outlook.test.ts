/** What comes next: after a registration, in `show --next`, and for a trigger alone; and the schemas of what is written. */
import { describe, expect, it } from 'vitest';
import type { SchedulePreview, ScheduleView } from '../../src/index.js';
import { outlookText } from '../../src/surfaces/cli/output/preview-text.js';
import { declaration } from './cli-host.js';
import { inside } from './cli-inside.js';
import { freshFolder, put } from './cli-process.js';

const DAILY = { trigger: { kind: 'cron', expression: '0 2 * * *', timezone: 'Asia/Tokyo' } };

function workspace() {
  const cwd = freshFolder();
  return (args: readonly string[], stdin: string | object = '') =>
    inside(['schedule', '--workspace', 'work', ...args], { cwd, stdin });
}

describe('a registration', () => {
  it('[SF-1, TB-4] tells the next due instant with local time, how far it will last, and warnings beside it', async () => {
    const run = workspace();
    const created = await run(
      ['create', '-', '--defer-planning'],
      declaration('nightly', { ...DAILY, maxOccurrences: 30 }),
    );
    expect(created.code).toBe(0);
    expect(created.stdout).toMatch(
      /^nightly: active, .*\n {2}next due \d{4}-\d\d-\d\dT02:00:00\+09:00 Asia\/Tokyo \(in .*\)\n {2}30 occurrences, the last about \d{4}-\d\d-\d\d\n$/,
    );
    expect(created.stderr).toMatch(/^warning budgetEndsSoon at maxOccurrences: .*\n$/);
    const ensured = await run(
      ['ensure', '-', '--defer-planning'],
      declaration('nightly', { ...DAILY, maxOccurrences: 30 }),
    );
    expect(ensured.stdout).toMatch(/^unchanged: nightly: active.*\n {2}next due .*Asia\/Tokyo/);
  });

  it('[SF-1, TR-12] has its warnings in the answer for programs', async () => {
    const run = workspace();
    const given = declaration('nightly', { ...DAILY, maxOccurrences: 30 });
    const created = await run(['create', '-', '--defer-planning', '--json'], given);
    expect(created.stderr).toBe('');
    expect(JSON.parse(created.stdout)).toMatchObject({ id: 'nightly', warnings: [{ code: 'budgetEndsSoon' }] });
    const ensured = await run(['ensure', '-', '--json'], given);
    expect(JSON.parse(ensured.stdout)).toMatchObject({ outcome: 'unchanged', warnings: [{ code: 'budgetEndsSoon' }] });
  });

  it('[SF-1, TR-12, DE-12] `everdue lint` with a workspace judges by its calendars', async () => {
    const cwd = freshFolder();
    const run = (args: readonly string[], stdin: string | object = '') => inside(args, { cwd, stdin });
    const once = { trigger: { kind: 'once', at: '2999-01-01T00:00:00Z' } };
    await run(['schedule', '--workspace', 'work', 'create', '-', '--defer-planning'], declaration('other', once));
    await run(['schedule', '--workspace', 'work', 'calendar', 'set', 'all', '2026-01-01/2199-12-31']);
    const given = declaration('nightly', { ...DAILY, exclude: { calendar: 'all' }, maxOccurrences: 'unlimited' });
    expect((await run(['lint', '-'], given)).stdout).toBe('nothing to warn of\n');
    expect((await run(['lint', '-', '--workspace', 'work'], given)).stdout).toMatch(/^neverDue at exclude: all due/);
    expect((await run(['lint', '-', '--workspace', 'gone'], given)).code).not.toBe(0);
  });

  it('[SF-1, TR-8] says when a trigger ends, never is due, or has no limit', async () => {
    const run = workspace();
    const lines = async (id: string, changes: object) => {
      const { stdout } = await run(['create', '-', '--defer-planning'], declaration(id, changes));
      return stdout.split('\n').slice(1).join('\n');
    };
    expect(await lines('manual', {})).toBe('  due only when it is triggered\n');
    expect(await lines('once', { trigger: { kind: 'once', at: '2999-01-01T00:00:00Z' } })).toMatch(
      /^ {2}next due 2999-01-01T00:00:00\.000Z \(in .*\)\n {2}once, then its trigger ends\n$/,
    );
    expect(await lines('endless', { ...DAILY, maxOccurrences: 'unlimited' })).toContain('  no limit on occurrences\n');
  });

  it('[SF-1, TB-4] reckons with the rate where too many are left to list', () => {
    const instants = [0, 1, 2].map((day) => ({ at: new Date(Date.UTC(2026, 0, 1 + day)).toISOString() }));
    const outlook = { instants: instants.map((one) => ({ ...one, timezone: 'UTC' })) } as unknown as SchedulePreview;
    const view = { left: 366, nextDue: instants[0]?.at, trigger: { kind: 'interval' }, declaration: {} };
    const text = outlookText(view as unknown as ScheduleView, outlook, Date.UTC(2025, 11, 31));
    expect(text).toBe('  next due 2026-01-01T00:00:00.000Z (in 1 d)\n  366 occurrences, the last about 2027-01-01\n');
  });
});

describe('everdue schedule show --next', () => {
  it('[SF-1, TR-11] shows the next due instants with local times, and keeps the document to itself', async () => {
    const run = workspace();
    await run(['create', '-', '--defer-planning'], declaration('nightly', { ...DAILY, maxOccurrences: 2 }));
    const { stdout } = await run(['show', 'nightly', '--next', '5']);
    expect(stdout).toMatch(
      /due next:\nDUE \(UTC\) +LOCAL +ZONE.*\n\S+T17:00:00\.000Z +\S+T02:00:00\+09:00 +Asia\/Tokyo/,
    );
    expect(stdout).toContain('end: maxOccurrences is spent here');
    const { due, document } = JSON.parse((await run(['show', 'nightly', '--next', '1', '--json'])).stdout);
    expect({ due, document }).toMatchObject({ due: { instants: [{ offset: '+09:00' }] }, document: undefined });
  });

  it('[SF-1, TR-11] says that nothing is due', async () => {
    const run = workspace();
    await run(['create', '-', '--defer-planning'], declaration('byhand'));
    expect((await run(['show', 'byhand', '--next', '3'])).stdout).toContain('due next:\nnothing due\n');
  });
});

describe('everdue next for a person', () => {
  const cwd = freshFolder;
  const berlin = [
    'next',
    '30 2 * * *',
    '--timezone',
    'Europe/Berlin',
    '--after',
    '2027-03-27T01:30:00Z',
    '--count',
    '1',
  ];
  const past = ['next', '{"kind": "once", "at": "2020-01-01T00:00:00Z"}'];

  it('[SF-7, TR-11] shows local times and what is skipped; in a pipe each line is an instant, and the rest stands aside', async () => {
    const seen = await inside(berlin, { cwd: cwd(), isTerminal: true });
    expect(seen.stdout).toMatch(/^At 02:30 every day, Europe\/Berlin\nDUE \(UTC\)/);
    expect(seen.stdout).toContain('2027-03-29T00:30:00.000Z  2027-03-29T02:30:00+02:00  Europe/Berlin');
    expect(seen.stdout).toContain('skipped: 2027-03-28 02:30:00 does not exist in Europe/Berlin');
    expect(await inside(berlin, { cwd: cwd() })).toEqual({
      code: 0,
      stdout: '2027-03-29T00:30:00.000Z\n',
      stderr: 'skipped: 2027-03-28 02:30:00 does not exist in Europe/Berlin\n',
    });
  });

  it.each([
    [past.slice(1), /^never due after .*Z; it was last due at 2020-01-01T00:00:00\.000Z\n$/],
    [['0 0 31 2 *'], /^never due after .*Z\n$/],
    [['{"kind": "manual"}'], /^never due by itself\n$/],
  ])('[SF-7, TR-8] says of %j that it is never due, which is an answer and no error', async (args, told) => {
    expect(await inside(['next', ...args], { cwd: cwd() })).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(told),
    });
    const { code, stdout, stderr } = await inside(['next', ...args], { cwd: cwd(), isTerminal: true });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.slice(stdout.indexOf('\n') + 1)).toMatch(told);
  });

  it('[SF-7, TR-8] in JSON has empty lists where nothing is due', async () => {
    const { stdout } = await inside([...past, '--json'], { cwd: cwd(), isTerminal: true });
    expect(JSON.parse(stdout)).toEqual({
      description: 'Once, at 2020-01-01T00:00:00.000Z',
      instants: [],
      details: [],
      skipped: [],
      isSkippedCut: false,
      excluded: [],
      isExcludedCut: false,
    });
  });

  it('[SF-7, TR-11, DE-12] shows notes, what is left out and what is put off', async () => {
    const folder = cwd();
    const trigger = { kind: 'anyOf', of: [{ kind: 'once', at: '2026-12-25T08:00:00Z' }, DAILY.trigger] };
    put(folder, 'parts.json', {
      id: 'nightly',
      trigger,
      exclude: { dates: ['2026-12-25/2026-12-26'], weekdays: [6], timezone: 'Asia/Tokyo' },
      spreadSeconds: 600,
    });
    const args = ['next', 'parts.json', '--after', '2026-12-24T00:00:00Z', '--count', '2'];
    const { stdout } = await inside(args, { cwd: folder, isTerminal: true });
    expect(stdout).toMatch(/^Whenever one of these is due: \(1\) once, at .*, \(2\) at 02:00 every day, Asia\/Tokyo; /);
    expect(stdout).toMatch(/Asia\/Tokyo +by 2 of anyOf, put off by /);
    expect(stdout).toContain('left out: 2026-12-25T08:00:00.000Z (2026-12-25 to 2026-12-26)\n');
    expect(stdout).toContain('left out: 2026-12-27T02:00:00+09:00 Asia/Tokyo (Sundays)\n');
    const { description, details, excluded } = JSON.parse((await inside([...args, '--json'], { cwd: folder })).stdout);
    expect({ description, details, excluded }).toMatchObject({
      description: expect.stringContaining('; except on 2026-12-25 to 2026-12-26 and Sundays, Asia/Tokyo'),
      details: [{ members: [1], spread: { before: '2026-12-27T17:00:00.000Z' } }, { members: [1] }],
      excluded: { length: 4 },
    });
  });

  it('[SF-7, DE-12] knows no calendar, and says so', async () => {
    const parts = { trigger: DAILY.trigger, exclude: { calendar: 'holidays' } };
    const { code, stderr } = await inside(['next', JSON.stringify(parts)], { cwd: cwd() });
    expect({ code, stderr }).toMatchObject({ code: 65, stderr: expect.stringContaining('exclude.calendar') });
  });

  it('[SF-7, DE-1] a whole declaration stands for its trigger', async () => {
    const folder = cwd();
    const whole = declaration('nightly', DAILY);
    put(folder, 'nightly.json', whole);
    put(folder, 'trigger.json', DAILY.trigger);
    const of = async (file: string) => (await inside(['next', file, '--json'], { cwd: folder })).stdout;
    expect(await of('nightly.json')).toBe(await of('trigger.json'));
    put(folder, 'nightly.json', { ...whole, overlapp: 'skip' });
    const { code, stderr } = await inside(['next', 'nightly.json'], { cwd: folder });
    expect({ code, stderr }).toEqual({ code: 65, stderr: expect.stringContaining('did you mean "overlap"?') });
  });

  it('[SF-7, TR-7] a bad cron text is shown whole', async () => {
    const expression = `0 ${Array.from({ length: 24 }, (_, hour) => hour).join(',')},24,1,2,3,4,5,6,7,8,9,10 * * *`;
    const { stderr } = await inside(['next', expression], { cwd: cwd() });
    expect(stderr).toContain(`(found "${expression}"; rule TR-7)`);
    expect((await inside(['next', 'bogus'], { cwd: cwd() })).stderr).toContain('(found "bogus"; rule TR-7)');
  });
});

describe('everdue schema', () => {
  it.each(['declaration', 'changes', 'trigger'])('[SF-1, DE-7] prints the JSON Schema of %s', async (name) => {
    const { code, stdout } = await inside(['schema', name], { cwd: freshFolder() });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ $schema: expect.stringContaining('json-schema.org') });
  });

  it('[SF-1] refuses another name', async () => {
    const { code, stderr } = await inside(['schema', 'plan'], { cwd: freshFolder() });
    expect({ code, stderr }).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('declaration, changes, trigger'),
    });
  });
});
