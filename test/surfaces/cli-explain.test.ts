/** `everdue explain`: why a trigger is due at an instant or a wall time, or why not. */
import { describe, expect, it } from 'vitest';
import { declaration } from './cli-host.js';
import { inside } from './cli-inside.js';
import { freshFolder, put } from './cli-process.js';

const BERLIN = ['30 2 * * *', '--timezone', 'Europe/Berlin'];

function run(...args: readonly string[]) {
  return inside(['explain', ...args], { cwd: freshFolder() });
}

describe('everdue explain', () => {
  it('[SF-7, TR-11] answers in a sentence, with every condition and the due instants around', async () => {
    const { code, stdout } = await run(...BERLIN, '2026-10-25T01:30:00Z');
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        '2026-10-25T02:30:00+01:00 Europe/Berlin is not due: the pass of this repeated time is the second and must be the first. The next due instant is 2026-10-26T02:30:00+01:00 Europe/Berlin.',
        '',
        'CONDITION  HOLDS  FOUND       WANTED',
        'hour       yes    2           2',
        'minute     yes    30          30',
        'second     yes    0           0',
        'repeat     no     the second  the first',
        '',
        'before  2026-10-25T02:30:00+02:00 Europe/Berlin',
        'after   2026-10-26T02:30:00+01:00 Europe/Berlin',
        '',
      ].join('\n'),
    );
  });

  it('[SF-7, TR-11] answers for a time on the clock that it never showed', async () => {
    const { stdout } = await run(...BERLIN, '--local', '2027-03-28T02:30');
    expect(stdout).toMatch(
      /^02:30:00 on 2027-03-28 never shows in Europe\/Berlin: the clock jumps from 02:00:00 to 03:00:00/,
    );
    const { stdout: json } = await run(...BERLIN, '--local', '2027-03-28T02:30', '--json');
    expect(JSON.parse(json)).toMatchObject({
      isDue: false,
      reason: 'skippedByGap',
      gap: { at: '2027-03-28T01:00:00.000Z' },
    });
  });

  it('[SF-7, DE-12] takes a file with a trigger, with what is left out, or with a whole declaration', async () => {
    const cwd = freshFolder();
    const trigger = { kind: 'cron', expression: '0 9 * * *', timezone: 'UTC' };
    put(cwd, 'trigger.json', trigger);
    put(cwd, 'parts.json', { trigger, exclude: { weekdays: [4] } });
    put(cwd, 'whole.json', declaration('nightly', { trigger, exclude: { weekdays: [4] } }));
    const reasons = await Promise.all(
      ['trigger.json', 'parts.json', 'whole.json'].map(async (file) => {
        const { stdout } = await inside(['explain', file, '2026-12-25T09:00:00Z', '--json'], { cwd });
        return JSON.parse(stdout).reason;
      }),
    );
    expect(reasons).toEqual(['due', 'excluded', 'excluded']);
  });

  it('[SF-7, TR-11] tells the members of a union one by one', async () => {
    const trigger = {
      kind: 'anyOf',
      of: [
        { kind: 'once', at: '2026-12-25T08:00:00Z' },
        { kind: 'once', at: '2026-12-26T08:00:00Z' },
      ],
    };
    const { stdout } = await run(JSON.stringify(trigger), '2026-12-25T08:00:00Z');
    expect(stdout).toContain(
      'is due: (1) once, at 2026-12-25T08:00:00.000Z.\n(1) every condition holds\n(2) it is 2026-12-25T08:00:00.000Z and must be 2026-12-26T08:00:00.000Z\n',
    );
  });

  it.each<[args: readonly string[], code: number, told: string]>([
    [BERLIN, 64, 'give an instant, or --local'],
    [[...BERLIN, 'now', '--local', '2027-03-28T02:30'], 64, 'give an instant, or --local'],
    [['30', '2', '*', '*', '*', 'now'], 64, "everdue explain '0 2 * * *'"],
    [['{"kind":"calendar","hour":9,"timezone":"UTC"}', 'now', '--timezone', 'UTC'], 64, 'has its own `timezone`'],
    [[...BERLIN, '2026-10-25'], 65, 'must say a time of day and its offset'],
    [[...BERLIN, '2027-01-01T02:00'], 65, 'To ask for a time on the clock of the zone: --local 2027-01-01T02:00'],
    [[...BERLIN, '--local', '02:30'], 65, 'must be a time on the clock'],
    [['0 25 * * *', 'now'], 65, '(found "0 25 * * *"; rule TR-7)'],
    [['{"trigger":{"kind":"manual"},"spreadSeconds":5}', 'now'], 65, 'the spread follows from it'],
  ])('[SF-7, TR-7] refuses %j', async (args, code, told) => {
    const { stderr, ...ended } = await run(...args);
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code, stdout: '' });
    expect(stderr).toContain(told);
  });

  it('[SF-7] takes `now`, and a zone for a trigger without one', async () => {
    expect((await run('@daily', 'now')).code).toBe(0);
    const { stdout } = await run(
      '{"kind":"once","at":"2026-12-25T08:00:00Z"}',
      '--local',
      '2026-12-25T09:00',
      '--timezone',
      'Europe/Berlin',
    );
    expect(stdout).toMatch(/^09:00:00 on 2026-12-25 is due: once, at/);
  });
});

describe('everdue schedule explain', () => {
  it('[SF-1, TR-11, DE-12] answers for a registered schedule, with its calendar', async () => {
    const cwd = freshFolder();
    const schedule = (args: readonly string[], stdin: string | object = '') =>
      inside(['schedule', '--workspace', 'work', ...args], { cwd, stdin });
    const trigger = { kind: 'cron', expression: '0 9 * * *', timezone: 'UTC' };
    await schedule(['create', '-', '--defer-planning'], declaration('other', { trigger }));
    await schedule(['calendar', 'set', 'holidays', '2026-12-25']);
    await schedule(
      ['create', '-', '--defer-planning'],
      declaration('nightly', { trigger, exclude: { calendar: 'holidays' } }),
    );
    const { code, stdout } = await schedule(['explain', 'nightly', '--local', '2099-12-25T09:00']);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^09:00:00 on 2099-12-25 is due: /),
    });
    const left = await schedule(['explain', 'nightly', '2026-12-25T09:00:00Z', '--json']);
    expect(JSON.parse(left.stdout)).toMatchObject({ reason: 'excluded' });
    expect((await schedule(['explain', 'gone', 'now'])).code).toBe(66);
  });
});
