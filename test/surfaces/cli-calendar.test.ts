/** Calendars on the command line: written whole, listed, and used by declarations. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventLine } from '../../src/surfaces/cli/output/event-text.js';
import { inside } from './cli-inside.js';

const declaration = {
  id: 'nightly',
  objective: 'Nightly report',
  document: { version: 'report/1' },
  trigger: { kind: 'cron', expression: '0 9 * * *', timezone: 'Europe/Berlin' },
  exclude: { calendar: 'holidays', weekdays: [5, 6] },
  spreadSeconds: 600,
};

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'everdue-cli-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

function calendar(args: readonly string[], stdin = '') {
  return inside(['schedule', '--workspace', 'work', 'calendar', ...args], { cwd, stdin });
}

describe('everdue schedule calendar', () => {
  it('[SF-1, DE-12] writes a calendar before anything else is there, and lists it with who names it', async () => {
    const set = await calendar(['set', 'holidays', '2027-01-01', '2026-12-24', '2026-12-25']);
    expect(set).toMatchObject({
      code: 0,
      stdout: 'holidays: no schedule names it\n  2026-12-24/2026-12-25\n  2027-01-01\n',
    });
    const created = await inside(['schedule', '--workspace', 'work', 'create', '-', '--defer-planning'], {
      cwd,
      stdin: declaration,
    });
    expect(created.code).toBe(0);
    const listed = JSON.parse((await calendar(['list', '--json'])).stdout);
    expect(listed.calendars).toMatchObject([{ name: 'holidays', usedBy: ['nightly'] }]);
    const shown = await inside(['schedule', '--workspace', 'work', 'show', 'nightly'], { cwd });
    expect(shown.stdout).toContain('calendar holidays; Sat Sun');
    expect(shown.stdout).toContain('within 600 s');
  });

  it('[SF-1, DE-12] takes a JSON list or a date a line, from a file or from standard input', async () => {
    writeFileSync(join(cwd, 'days.txt'), '# a remark\n2026-12-24 # half a day\n\n2026-12-31\r\n');
    expect((await calendar(['set', 'a', '--file', 'days.txt'])).stdout).toContain('  2026-12-24\n  2026-12-31\n');
    expect((await calendar(['set', 'a', '--file', '-'], '["2026-12-26"]')).stdout).toContain('  2026-12-26\n');
    expect((await calendar(['set', 'a', '--empty'])).stdout).toContain('  no days\n');
    expect((await calendar(['list'])).stdout).toContain('a: no schedule names it\n');
  });

  it.each([
    [['set', 'a'], 64, 'given no dates'],
    [['set', 'a', '2026-12-24', '--empty'], 64, 'more than one way'],
    [['set', 'a', '2026-12-42'], 65, 'dates[0]'],
    [['set', '__proto__', '2026-12-24'], 65, 'name'],
    [['set', 'a', '--file', '-'], 65, 'dates[0]', '[5]'],
  ])('[SF-1, DE-12] %j ends with %i', async (args, code, told, stdin = '') => {
    const ended = await calendar(args, stdin);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(told);
  });

  it('[SF-1, DE-12, TR-10] a log of the owner says which edit moved what is due, and which zone data', () => {
    const notice = { kind: 'nextDueMoved', from: '2026-12-24T08:00:00.000Z', zoneData: '2026a' } as const;
    const about = { type: 'notice', at: '2026-12-01T00:00:00.000Z', scheduleId: 'nightly' } as const;
    const edited = { ...about, notice: { ...notice, cause: 'calendar', calendar: 'holidays' } } as const;
    const moved = { ...about, notice: { ...notice, cause: 'zoneData', to: '2026-12-24T07:00:00.000Z' } } as const;
    expect([edited, moved].map((event) => eventLine(event)?.text)).toEqual([
      '2026-12-01T00:00:00.000Z nightly: next due moved from 2026-12-24T08:00:00.000Z to nothing by an edit of calendar holidays',
      '2026-12-01T00:00:00.000Z nightly: next due moved from 2026-12-24T08:00:00.000Z to 2026-12-24T07:00:00.000Z under zone data 2026a',
    ]);
  });

  it('[SF-1] an empty catalogue has no calendars', async () => {
    await calendar(['set', 'a', '--empty']);
    const { stdout } = await inside(['schedule', '--workspace', 'work', 'calendar', 'list', '--json'], { cwd });
    expect(JSON.parse(stdout).calendars).toHaveLength(1);
    expect((await inside(['schedule', '--workspace', 'none', 'calendar', 'list'], { cwd })).code).toBe(73);
  });
});
