/** What the command does about the folder that it is given: no catalogue, a damaged one, one that nobody looks after. */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WorkspaceFinding } from '../../src/adapters/fs/index.js';
import { findingsText, withCommands } from '../../src/surfaces/cli/commands/workspace/findings-text.js';
import { statusText } from '../../src/surfaces/cli/output/catalogue-text.js';
import { declaration } from './cli-host.js';
import { inside } from './cli-inside.js';
import { freshFolder, put } from './cli-process.js';

const BASE = ['schedule', '--workspace', 'work'];

/** Commands that read or control; none of them makes a catalogue. */
const LOOKING: readonly (readonly string[])[] = [
  ['list'],
  ['show', 'x'],
  ['status'],
  ['evidence', 'x~1~m~a'],
  ['wait', 'x~1~m~a'],
  ['gate'],
  ['gate', 'pause'],
  ['accept-clock'],
  ['pause', 'x', '--revision', '1'],
  ['resume', 'x', '--revision', '1'],
  ['cancel', 'x', '--revision', '1'],
  ['delete', 'x', '--revision', '1'],
  ['update', 'x', '-', '--revision', '1'],
  ['trigger', 'x'],
  ['rerun', 'x', 'x~1~m~a'],
  ['stop', 'x', 'x~1~m~a'],
  ['resolve', 'x', 'x~1~m~a', '--verdict', 'done', '--note', 'seen'],
];

async function withSchedule(changes: object = {}): Promise<string> {
  const cwd = freshFolder();
  const { code } = await inside([...BASE, 'create', '-', '--defer-planning'], {
    cwd,
    stdin: declaration('nightly', changes),
  });
  expect(code).toBe(0);
  return cwd;
}

describe('a folder without a catalogue', () => {
  it.each(LOOKING.map((args) => [args]))('[SF-1] %j refuses it and leaves nothing behind', async (args) => {
    const cwd = freshFolder();
    mkdirSync(join(cwd, 'work'));
    const { code, stdout, stderr } = await inside([...BASE, ...args], { cwd, stdin: '{}' });
    expect({ code, stdout }).toEqual({ code: 73, stdout: '' });
    expect(stderr).toBe(
      `error SCHEDULE_WORKSPACE_UNUSABLE: there is no catalogue in ${join(cwd, 'work')}\nhint: Is --workspace right? \`create\`, \`ensure\` and \`serve\` make a new one.\n`,
    );
    expect(readdirSync(join(cwd, 'work'))).toEqual([]);
  });

  it('[SF-1] check refuses it, too', async () => {
    const cwd = freshFolder();
    const { code, stderr } = await inside(['check', '--workspace', 'work'], { cwd });
    expect({ code, stderr }).toMatchObject({ code: 73, stderr: expect.stringContaining('there is no catalogue in') });
    expect(readdirSync(cwd)).toEqual([]);
  });

  it.each([['serve'], ['tick']])('[SF-1, SF-2] %s makes none without an execution service', async (name) => {
    const cwd = freshFolder();
    const { code, stderr } = await inside([...BASE, name], { cwd });
    expect({ code, stderr }).toMatchObject({ code: 78, stderr: expect.stringContaining('SCHEDULE_CONFIG_INVALID') });
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('[SF-1, TR-11] preview makes none where an empty folder is named', async () => {
    const cwd = freshFolder();
    mkdirSync(join(cwd, 'work', 'catalogue'), { recursive: true });
    const { code } = await inside([...BASE, 'preview', '-'], { cwd, stdin: declaration('x') });
    expect(code).toBe(0);
    expect(readdirSync(join(cwd, 'work', 'catalogue'))).toEqual([]);
  });

  it('[SF-1, ST-3] a catalogue that lost its store.json is for check', async () => {
    const cwd = await withSchedule();
    rmSync(join(cwd, 'work/catalogue/store.json'));
    const listed = await inside([...BASE, 'list'], { cwd });
    expect(listed).toMatchObject({ code: 73, stderr: expect.stringContaining('everdue check --workspace') });
    expect(await inside(['check', '--workspace', 'work'], { cwd })).toMatchObject({ code: 74 });
  });
});

describe('everdue check on a damaged catalogue', () => {
  it('[SF-1, ST-3] names the file once and says what to do, not to run check', async () => {
    const cwd = await withSchedule();
    const [segment = ''] = readdirSync(join(cwd, 'work/catalogue/journal'));
    put(cwd, `work/catalogue/journal/${segment}`, 'x'.repeat(4000));
    const { code, stdout, stderr } = await inside(['check', '--workspace', 'work'], { cwd });
    const [finding = '', advice = ''] = stdout.split('\n');
    expect(code).toBe(74);
    expect(finding.split(segment)).toHaveLength(2);
    expect(finding).toMatch(/, byte \d+, rule I3 [a-zA-Z]+: /);
    expect(advice).toMatch(/^ {2}do: Stop every process .*whole of catalogue\/.*the evidence is intact.*accept-clock$/);
    expect(stdout + stderr).not.toContain('everdue check');
  });

  it('[SF-1, ST-3] a note is told with its file once', () => {
    const file = '/w/catalogue/head';
    const note = {
      severity: 'note',
      file,
      offset: 0,
      invariant: 'I16',
      rule: 'head',
      message: 'it is lost',
      advice: 'Look.',
    };
    expect(findingsText([note as WorkspaceFinding], '/w')).toBe(
      'note: /w/catalogue/head, byte 0, rule I16 head: it is lost\n  do: Look.\n',
    );
  });

  it('[SF-1, ST-3] a lost mark alone is no damage', async () => {
    const cwd = await withSchedule();
    rmSync(join(cwd, 'work/catalogue/head'));
    const { code, stdout, stderr } = await inside(['check', '--workspace', 'work'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^note: .*catalogue.head, byte 0, rule I16 head: /);
  });

  it('[SF-1, ST-3] advice names commands as they are to be typed', () => {
    const finding = {
      severity: 'error',
      file: '/w/x',
      offset: 0,
      invariant: 'I3',
      rule: 'chain',
      message: 'm',
    } as const;
    const adviceOf = (advice: string) => withCommands({ ...finding, advice }, '/my work').advice;
    expect(adviceOf('Then `everdue repair`.')).toBe("Then everdue repair --workspace '/my work'.");
    expect(adviceOf('`everdue schedule accept-clock`')).toBe("everdue schedule --workspace '/my work' accept-clock");
  });
});

describe('everdue repair', () => {
  it('[SF-1, ST-3] says what it would do, does it, keeps what it replaces, and then nothing is left', async () => {
    const cwd = await withSchedule();
    const head = join(cwd, 'work/catalogue/head');
    put(cwd, 'work/catalogue/head', 'x'.repeat(512));
    const rehearsed = await inside(['repair', '--workspace', 'work', '--dry-run'], { cwd });
    expect(rehearsed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^would mend head: .*found:\nnote: /s) });
    expect(readFileSync(head, 'utf8')).toBe('x'.repeat(512));
    const done = await inside(['repair', '--workspace', 'work', '--json'], { cwd });
    expect(done.code).toBe(0);
    const { dryRun, actions, findings } = JSON.parse(done.stdout);
    expect({ dryRun, actions, findings }).toMatchObject({
      dryRun: false,
      actions: [{ kind: 'head', file: head }],
      findings: [],
    });
    expect(readFileSync(actions[0].keptAt, 'utf8')).toBe('x'.repeat(512));
    expect(await inside(['check', '--workspace', 'work'], { cwd })).toMatchObject({ code: 0 });
    expect(await inside(['repair', '--workspace', 'work'], { cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/nothing was changed\n.*everything that is stored is whole\n$/s),
    });
  });

  it('[SF-1, ST-3] what it does not mend is listed, with the exit code of damage', async () => {
    const cwd = await withSchedule();
    const [segment = ''] = readdirSync(join(cwd, 'work/catalogue/journal'));
    put(cwd, `work/catalogue/journal/${segment}`, 'x'.repeat(4000));
    const { code, stdout } = await inside(['repair', '--workspace', 'work'], { cwd });
    expect({ code, stdout }).toMatchObject({
      code: 74,
      stdout: expect.stringMatching(/nothing was changed\n.*rule I3 open/s),
    });
    expect(readFileSync(join(cwd, 'work/catalogue/journal', segment), 'utf8')).toBe('x'.repeat(4000));
  });

  it('[SF-1] refuses a folder without a catalogue', async () => {
    const cwd = freshFolder();
    expect(await inside(['repair', '--workspace', 'work'], { cwd })).toMatchObject({ code: 73 });
    expect(readdirSync(cwd)).toEqual([]);
  });
});

describe('everdue schedule status', () => {
  const counts = { schedules: 3, pending: 0, running: 0, quarantined: 0, unresolved: 0 };
  const base = {
    owner: { isAlive: false, lastTickAt: '2026-01-01T00:00:00.000Z' },
    gate: { isPaused: false },
    counts: { ...counts, active: 3, paused: 0, completed: 0, expired: 0, cancelled: 0 },
    seq: 1,
    epoch: 1,
  } as const;
  const now = Date.UTC(2026, 0, 1, 1);

  it('[SF-1, OW-1] tells of the last report and of what is overdue with no owner', () => {
    const text = statusText(base, '/work', now, { count: 2, isFloor: false });
    expect(text).toMatch(/^last report +2026-01-01T00:00:00\.000Z \(1 h ago\)$/m);
    expect(text).toMatch(/^overdue +2 schedules due, and no owner to collect them$/m);
    expect(text).not.toContain('last tick');
    expect(statusText(base, '/work', now, { count: 0, isFloor: false })).not.toContain('overdue');
  });

  it('[SF-1, OW-1] counts what is due from the catalogue', async () => {
    const start = new Date(Date.now() + 150).toISOString();
    const cwd = await withSchedule({ trigger: { kind: 'interval', start, everySeconds: 0.001 } });
    const overdue = () => inside([...BASE, 'status'], { cwd });
    await expect.poll(async () => (await overdue()).stdout, { timeout: 10_000 }).toMatch(/^overdue +1 schedule due/m);
  });
});
