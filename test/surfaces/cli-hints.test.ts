/** Hints in the words of the command line, ready to be copied; and where JSON stops being JSON. */
import { describe, expect, it } from 'vitest';
import { ScheduleError } from '../../src/errors.js';
import { scheduleCommand, withCommandHint } from '../../src/surfaces/cli/hint.js';
import { declaration } from './cli-host.js';
import { inside } from './cli-inside.js';
import { freshFolder } from './cli-process.js';

const BASE = ['schedule', '--workspace', 'my work'];
const COMMAND = "everdue schedule --workspace 'my work'";

/** A catalogue with one manual schedule and one occurrence of it that waits. */
async function workspace(): Promise<(args: readonly string[], stdin?: string | object) => ReturnType<typeof inside>> {
  const cwd = freshFolder();
  const run = (args: readonly string[], stdin: string | object = '') => inside([...BASE, ...args], { cwd, stdin });
  await run(['create', '-', '--defer-planning'], declaration('byhand'));
  await run(['trigger', 'byhand', '--request-id', 'x']);
  return run;
}

describe('hints', () => {
  it('[SF-1, CT-3] an update with work pending names --withdraw', async () => {
    const run = await workspace();
    const { code, stderr } = await run(['update', 'byhand', '-', '--revision', '1'], { graceSeconds: 5 });
    expect(code).toBe(75);
    expect(stderr).toMatch(/\nhint: .*--withdraw/);
    expect(stderr).not.toContain('pending: "withdraw"');
  });

  it.each(['pause', 'resume', 'cancel', 'delete', 'update'])(
    '[SF-1, CT-2] %s without --revision says where to see it',
    async (control) => {
      const run = await workspace();
      const { code, stderr } = await run([control, 'byhand', ...(control === 'update' ? ['-'] : [])]);
      expect(code).toBe(64);
      expect(stderr).toContain(`hint: See the revision with: ${COMMAND} show byhand\n`);
    },
  );

  it('[SF-1, CT-2, CT-7] a stale revision, a taken id and an unknown one name the command that helps', async () => {
    const run = await workspace();
    const stale = await run(['pause', 'byhand', '--revision', '7']);
    expect(stale.stderr).toContain(`${COMMAND} show byhand. If you still want it: --revision 1\n`);
    const taken = await run(['create', '-', '--defer-planning'], declaration('byhand'));
    expect(taken).toMatchObject({ code: 73, stderr: expect.stringContaining(`${COMMAND} ensure FILE`) });
    expect((await run(['show', 'nowhere'])).stderr).toContain(`hint: See the ids that exist with: ${COMMAND} list\n`);
    const busy = await run(['delete', 'byhand', '--revision', '1']);
    expect(busy.stderr).toContain(`${COMMAND} cancel byhand --revision N`);
  });

  it('[SF-1, CT-14] a rerun of what succeeded points to trigger', () => {
    const details = { control: 'rerun', status: 'succeeded', id: 'byhand', allowed: [] };
    const error = new ScheduleError('SCHEDULE_NOT_APPLICABLE', 'no', { details, cause: new Error('why') });
    expect(withCommandHint(error, 'work')).toMatchObject({
      code: error.code,
      details,
      cause: error.cause,
      stack: error.stack,
      hint: expect.stringContaining('everdue schedule --workspace work trigger byhand'),
    });
  });

  it('[SF-1] other errors stay as they are', () => {
    const error = new ScheduleError('SCHEDULE_CLOSED', 'closed', { hint: 'open it' });
    expect(withCommandHint(error, 'work')).toBe(error);
    const bug = new TypeError('x');
    expect(withCommandHint(bug, undefined)).toBe(bug);
  });

  it('[SF-1] what was typed stays one word of a shell', () => {
    expect(scheduleCommand("it's; rm -rf /")).toBe(`everdue schedule --workspace 'it'\\''s; rm -rf /'`);
  });

  it('[SF-1, SF-7] a cron text without quotes is told so', async () => {
    const { code, stderr } = await inside(['next', '0', '2', '*', '*', '*'], { cwd: freshFolder() });
    expect({ code, stderr }).toMatchObject({ code: 64, stderr: expect.stringContaining("everdue next '0 2 * * *'") });
  });
});

describe('JSON that is none', () => {
  it.each([
    ['{"a": 1,\n "b": }', 'line 2 column 7', 'b: must be a JSON value'],
    ['{"a": 1', 'line 1 column 8', 'must go on with a comma or end the object; the text ends here'],
    ['id: nightly', 'line 1 column 1', 'must be'],
    ['{"a": 1, "a": 2,\n\n}', 'line 3 column 1', 'must be a key in double quotes'],
  ])('[SF-1, DE-3] %j says where', async (stdin, place, told) => {
    const { code, stderr } = await inside(['lint', '-'], { cwd: freshFolder(), stdin });
    expect(code).toBe(65);
    expect(stderr).toContain(`standard input is not valid JSON, ${place}\n`);
    expect(stderr).toContain(told);
  });

  it('[SF-1, DE-3] JSON that would lose something is not called invalid', async () => {
    const { stderr } = await inside(['lint', '-'], { cwd: freshFolder(), stdin: '{"a": 1, "a": 2}' });
    expect(stderr).toContain('is not JSON that can be kept unchanged');
  });
});

describe('everdue alone', () => {
  it('[SF-1] prints its help on standard output, exit code 0', async () => {
    const { code, stdout, stderr } = await inside([], { cwd: freshFolder() });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: everdue[\s\S]*schedule[\s\S]*schema/);
  });
});
