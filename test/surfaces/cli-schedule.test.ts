/** `everdue schedule`: the controls, each in a process of its own. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cliHost, declaration } from './cli-host.js';
import { everdue, everdueJson, put } from './cli-process.js';

const DAILY = { trigger: { kind: 'cron', expression: '0 2 * * *', timezone: 'Europe/Berlin' } };

describe('everdue schedule', () => {
  it('[SF-1, CT-1] creates from a file and from standard input, lists, and shows', async () => {
    const host = cliHost();
    put(host.folder, 'nightly.json', declaration('nightly', { ...DAILY, labels: { team: 'cad' } }));
    const created = await host.scheduleJson(['create', 'nightly.json']);
    expect(created).toMatchObject({ code: 0, value: { id: 'nightly', status: 'active', revision: 1, caller: 'ops' } });
    expect(await host.scheduleJson(['create', '-', '--paused'], declaration('byhand'))).toMatchObject({
      code: 0,
      value: { id: 'byhand', status: 'paused' },
    });
    const listed = await host.schedule(['list']);
    const lines = listed.stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
      ['ID', 'STATUS'],
      ['byhand', 'paused'],
      ['nightly', 'active'],
    ]);
    expect(await host.scheduleJson(['list', '--label', 'team=cad'])).toMatchObject({
      value: { schedules: [{ id: 'nightly' }] },
    });
    const shown = await host.schedule(['show', 'nightly']);
    expect(shown.stdout).toContain('cron 0 2 * * * (Europe/Berlin)');
    expect(shown.stdout).toContain('no history');
  });

  it('[SF-1, TR-11] previews without any workspace', async () => {
    const stdin = JSON.stringify(
      declaration('x', { trigger: { kind: 'cron', expression: '30 2 * * *', timezone: 'Europe/Berlin' } }),
    );
    const args = ['schedule', 'preview', '-', '--from', '2027-03-27T00:00:00Z', '--count', '2'];
    const { code, stdout } = await everdue(args, { stdin });
    expect(code).toBe(0);
    expect(stdout).toContain('2027-03-27T01:30:00.000Z  2027-03-27T02:30:00+01:00  Europe/Berlin');
    expect(stdout).toContain('2027-03-29T00:30:00.000Z  2027-03-29T02:30:00+02:00  Europe/Berlin');
    expect(stdout).toContain('skipped: 2027-03-28 02:30:00 does not exist in Europe/Berlin');
  });

  it('[SF-1, TR-11] previews what is left where a workspace is named, and makes none', async () => {
    const host = cliHost();
    const twice = declaration('twice', { ...DAILY, maxOccurrences: 2 });
    expect(await host.scheduleJson(['preview', '-'], twice)).toMatchObject({ value: { endsWith: 'maxOccurrences' } });
    expect(existsSync(join(host.folder, 'work'))).toBe(false);
    await host.schedule(['create', '-'], twice);
    const { value } = await host.scheduleJson(['preview', '-'], twice);
    expect(value).toMatchObject({ instants: [{}, {}], endsWith: 'maxOccurrences' });
  });

  it('[SF-1, CT-2] refuses a stale revision with both numbers and exit code 75', async () => {
    const host = cliHost();
    await host.schedule(['create', '-'], declaration('nightly', DAILY));
    const stale = await host.schedule(['pause', 'nightly', '--revision', '7']);
    expect(stale).toMatchObject({ code: 75, stdout: '' });
    expect(stale.stderr).toMatch(/^error SCHEDULE_REVISION_CONFLICT: .*revision 7.*revision 1.*\nhint: /);
    expect(await host.scheduleJson(['pause', 'nightly', '--revision', '7'])).toMatchObject({
      code: 75,
      value: undefined,
      error: { code: 'SCHEDULE_REVISION_CONFLICT', retry: 'reread', details: { revision: 1 } },
    });
    const paused = await host.scheduleJson(['pause', 'nightly', '--revision', '1', '--note', 'holidays']);
    expect(paused).toMatchObject({
      code: 0,
      value: { status: 'paused', statusNote: { note: 'holidays', by: 'tester' } },
    });
  });

  it('[SF-1, CT-3, CT-5] updates from standard input and resumes', async () => {
    const host = cliHost();
    await host.schedule(['create', '-', '--paused'], declaration('nightly', DAILY));
    const kept = await host.scheduleJson(['update', 'nightly', '-', '--revision', '1', '--keep-paused'], {
      graceSeconds: 300,
    });
    expect(kept).toMatchObject({
      code: 0,
      value: { revision: 2, status: 'paused', declaration: { graceSeconds: 300 } },
    });
    const resumed = await host.scheduleJson(['resume', 'nightly', '--revision', '2', '--missed', 'skip']);
    expect(resumed).toMatchObject({ code: 0, value: { status: 'active' } });
  });

  it('[SF-1, CT-13] ensure creates once and changes nothing after', async () => {
    const host = cliHost();
    const ensured = [];
    for (const _round of [1, 2]) ensured.push(await host.scheduleJson(['ensure', '-'], declaration('nightly', DAILY)));
    expect(ensured).toMatchObject([
      { code: 0, value: { outcome: 'created' } },
      { code: 0, value: { outcome: 'unchanged' } },
    ]);
  });

  it('[SF-1, CT-8, CT-11, CT-14] triggers, stops and cancels, and history says why', async () => {
    const host = cliHost();
    await host.schedule(['create', '-'], declaration('byhand'));
    const asked = await host.scheduleJson(['trigger', 'byhand', '--request-id', 'first']);
    expect(asked).toMatchObject({ code: 0, value: { occurrence: 'byhand~1~m~first', admitted: 'queued' } });
    const stopped = await host.schedule(['stop', 'byhand', 'byhand~1~m~first']);
    expect(stopped).toMatchObject({ code: 0, stdout: expect.stringContaining('stopped: this occurrence was stopped') });
    const rerun = await host.schedule(['rerun', 'byhand', 'byhand~1~m~first']);
    expect(rerun).toMatchObject({ code: 69, stderr: expect.stringContaining('SCHEDULE_NOT_APPLICABLE') });
    await host.schedule(['cancel', 'byhand', '--revision', '1', '--note', 'not needed\u001b[2K']);
    const { stdout } = await host.schedule(['show', 'byhand']);
    expect(stdout).toMatch(/status +cancelled: .*not needed\\u001b\[2K/);
    expect(stdout).toContain('stopped: this occurrence was stopped by a control');
    expect(await host.scheduleJson(['delete', 'byhand', '--revision', '1'])).toMatchObject({
      code: 0,
      value: { id: 'byhand', revision: 1 },
    });
    expect(await host.schedule(['show', 'byhand'])).toMatchObject({ code: 66 });
  });

  it('[SF-1, CT-9] shows, pauses and resumes the gate', async () => {
    const host = cliHost();
    await host.schedule(['create', '-'], declaration('byhand'));
    expect(await host.schedule(['gate'])).toMatchObject({ code: 0, stdout: 'gate open\n' });
    const paused = await host.schedule(['gate', 'pause', '--note', 'until noon']);
    expect(paused.stdout).toMatch(/^gate paused by tester at .*: until noon\n$/);
    expect(await host.scheduleJson(['status'])).toMatchObject({
      value: { gate: { isPaused: true }, owner: { isAlive: false } },
    });
    expect(await host.scheduleJson(['gate', 'resume'])).toMatchObject({ value: { isPaused: false } });
    expect(await host.schedule(['accept-clock'])).toMatchObject({ code: 0 });
  });

  it('[SF-1, OW-6, CT-12] tick runs what is ready; wait, show and evidence tell of it', async () => {
    const host = cliHost();
    await host.schedule(['create', '-'], declaration('byhand', { document: { version: 'report/1', act: 'fail' } }));
    await host.schedule(['trigger', 'byhand', '--request-id', 'x']);
    expect(await host.scheduleJson(['tick'])).toMatchObject({ code: 0, value: { claimed: 1, failed: 1 } });
    const waited = await host.scheduleJson(['wait', 'byhand~1~m~x']);
    expect(waited).toMatchObject({
      code: 0,
      value: { status: 'failed', attempts: [{ fault: { message: 'no paper' } }] },
    });
    const { stdout } = await host.schedule(['show', 'byhand', '--occurrence', 'byhand~1~m~x']);
    expect(stdout).toContain('attempt 1: handlerFailed in report, stage main: no paper');
    const kept = await host.scheduleJson(['evidence', 'byhand~1~m~x']);
    expect(kept).toMatchObject({ code: 0, value: { occurrence: 'byhand~1~m~x', attempts: [{ attempt: 1 }] } });
    expect(await host.schedule(['rerun', 'byhand', 'byhand~1~m~x'])).toMatchObject({ code: 0 });
  });
});

describe('refusals', () => {
  it('[SF-1, DE-1] names every fault of a declaration at once, with path, found and rule', async () => {
    const host = cliHost();
    const bad = declaration('x', { graceSeconds: -1, overlap: 'maybe', objetive: 'x' });
    const { code, stdout, stderr } = await host.schedule(['create', '-'], bad);
    expect({ code, stdout }).toEqual({ code: 65, stdout: '' });
    expect(stderr).toMatch(/\n {2}graceSeconds: .*found -1; rule DE/);
    expect(stderr).toMatch(/\n {2}overlap: .*found "maybe"; rule DE/);
    expect(stderr).toMatch(/\n {2}objetive: .*objective/);
  });

  it('[SF-1, DE-3] refuses a duplicate key', async () => {
    const { code, stderr } = await cliHost().schedule(['create', '-'], '{"id": "a", "id": "b"}');
    expect(code).toBe(65);
    expect(stderr).toMatch(/id: .*\(.*rule DE-3\)/);
  });

  it('[SF-1, DE-4] refuses a document that is not the one that was seen', async () => {
    const host = cliHost();
    const stale = await host.scheduleJson(
      ['create', '-', '--expect-digest', `sha256:${'0'.repeat(64)}`],
      declaration('x'),
    );
    expect(stale).toMatchObject({ code: 75, error: { code: 'SCHEDULE_DOCUMENT_STALE' } });
  });

  it.each([
    [['schedul'], /unknown command 'schedul'\nhint: Did you mean schedule\?/],
    [['schedule', '--workspace', 'w', 'lst'], /unknown command 'lst'\nhint: Did you mean list\?/],
    [
      ['schedule', '--workspace', 'w', 'pause', 'x'],
      /--revision <n>.*\nhint: See the revision with: everdue schedule --workspace w show x/,
    ],
    [['schedule', '--workspace', 'w', 'pause', 'x', '--revision', 'two'], /--revision.*whole number/],
    [['schedule', '--workspace', 'w', 'list', '--status', 'busy'], /--status.*active, paused/],
    [['schedule', 'list'], /--workspace <dir>/],
    [['schedule'], /missing command/],
    [['next', 'nowhere.json'], /cannot read nowhere\.json\ncause: ENOENT/],
  ])('[SF-1] %j is a mistake of usage, exit code 64', async (args, told) => {
    const { code, stdout, stderr } = await everdue(args);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toMatch(/^error SCHEDULE_USAGE: /);
    expect(stderr).toMatch(told);
  });

  it('[SF-1] reads nothing from a folder that does not exist, and makes none', async () => {
    const host = cliHost();
    expect(await host.scheduleJson(['list'])).toMatchObject({
      code: 73,
      error: { code: 'SCHEDULE_WORKSPACE_UNUSABLE', details: { path: join(host.folder, 'work') } },
    });
    expect(existsSync(join(host.folder, 'work'))).toBe(false);
  });
});

describe('everdue check', () => {
  it('[SF-1, ST-3] finds nothing in a whole workspace, and names file, offset and rule in a damaged one', async () => {
    const host = cliHost();
    await host.schedule(['create', '-'], declaration('byhand'));
    const check = () => everdueJson(['check', '--workspace', 'work'], { cwd: host.folder });
    expect(await check()).toMatchObject({ code: 0, value: { findings: [] } });
    put(host.folder, 'work/catalogue/store.json', '{"damaged": true}\n');
    expect(await check()).toMatchObject({
      code: 74,
      value: { findings: [{ file: expect.stringContaining('store.json'), offset: 0, rule: expect.any(String) }] },
      error: { code: 'SCHEDULE_CATALOGUE_CORRUPT' },
    });
    expect(await host.schedule(['list'])).toMatchObject({ code: 74 });
  });
});

describe('help', () => {
  it.each([['create'], ['serve'], ['resolve']])('[SF-1] the help of %s shows two examples', async (name) => {
    const { code, stdout } = await everdue(['schedule', name, '--help']);
    expect(code).toBe(0);
    expect(stdout.match(/^ {2}\$ .*everdue schedule --workspace .*$/gm)).toHaveLength(2);
    expect((await everdue(['help', 'schedule', name])).stdout).toBe(stdout);
  });

  it('[SF-1] exit codes and the configuration are documented', async () => {
    expect((await everdue(['help', 'exit-codes'])).stdout).toMatch(
      /64 +SCHEDULE_USAGE[\s\S]*75 +SCHEDULE_DOCUMENT_STALE/,
    );
    expect((await everdue(['help', 'config'])).stdout).toContain('EVERDUE_CONFIG');
  });
});
