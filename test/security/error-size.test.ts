/** However much is wrong with an input, its error fits a log; and what is refused leaves nothing behind. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { memoryWorkspace, nextDue, openSchedules, ScheduleError, type Schedules } from '../../src/index.js';
import { scriptedExecution } from '../../src/testing/scripted-execution.js';
import { emptyRoot } from '../adapters/fs/ground.js';
import { inside } from '../surfaces/cli-inside.js';

const GOOD = {
  objective: 'Fit a log',
  document: { version: 'scripted/1' },
  allowedProviders: ['scripted'],
  trigger: { kind: 'manual' },
};

const LARGEST = 150_000;

function many(count: number, value: (index: number) => unknown = () => 1): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`unknown-${index}`, value(index)]));
}

const getter = () => Object.defineProperty({}, 'x', { get: () => 1, enumerable: true });

const HUGE: Readonly<Record<string, object>> = {
  '2000 unknown fields': { ...GOOD, ...many(2000) },
  '2000 unknown fields of the trigger': { ...GOOD, trigger: { kind: 'manual', ...many(2000) } },
  '2000 fields that are getters': { ...GOOD, ...many(2000, getter) },
  '2000 providers that are none': { ...GOOD, allowedProviders: Array.from({ length: 2000 }, () => 7) },
  'an unknown field whose name has a megabyte': { ...GOOD, ['x'.repeat(1_000_000)]: getter() },
  'an objective of a megabyte': { ...GOOD, objective: 'x'.repeat(1_000_000) },
  'a cron text of a megabyte': {
    ...GOOD,
    trigger: { kind: 'cron', expression: '* '.repeat(500_000), timezone: 'UTC' },
  },
  '2000 wrong hours': {
    ...GOOD,
    trigger: { kind: 'calendar', timezone: 'UTC', hour: Array.from({ length: 2000 }, () => 99) },
  },
  '2000 wrong labels': { ...GOOD, labels: many(2000) },
  'a document with 5000 values that are none': {
    ...GOOD,
    document: { version: 'scripted/1', ...many(5000, () => Number.NaN) },
  },
};

async function refusalOf(schedules: Schedules, declaration: object): Promise<ScheduleError> {
  const error = await schedules.create(declaration as never).catch((reason: unknown) => reason);
  if (error instanceof ScheduleError) return error;
  throw new Error('it was not refused');
}

describe('the error of an input with', () => {
  it.each(Object.entries(HUGE))(
    '[DE-1, DE-11] %s is small, and counts what it leaves out',
    async (_name, declaration) => {
      const schedules = await openSchedules({ workspace: memoryWorkspace(), execution: scriptedExecution() });
      const error = await refusalOf(schedules, declaration);
      const issues = error.details['issues'] as readonly unknown[];
      expect(issues.length).toBeLessThanOrEqual(100);
      expect(error.message.length).toBeLessThanOrEqual(4000);
      expect(JSON.stringify(error).length).toBeLessThan(LARGEST);
      expect(error.hint).toMatch(/\w{3}/);
      await schedules.close();
    },
  );

  it('[DE-1] 2000 unknown fields names the first hundred, says how many there are, and so does the command', async () => {
    const schedules = await openSchedules({ workspace: memoryWorkspace(), execution: scriptedExecution() });
    const error = await refusalOf(schedules, { ...GOOD, ...many(2000) });
    expect(error.details['leftOut']).toEqual({ issues: 1900 });
    expect(error.hint).toContain('the first 100 of 2000 faults');
    expect(error.details['issues']).toHaveLength(100);
    await schedules.close();
    const cwd = emptyRoot();
    const args = ['schedule', '--workspace', 'work', 'create', '-', '--defer-planning'];
    const { code, stderr } = await inside(args, { cwd, stdin: { ...GOOD, ...many(2000) } });
    expect(code).toBe(65);
    expect(stderr.split('\n').filter((line) => line.includes('unknown field'))).toHaveLength(100);
    expect(stderr).toContain('  and 1900 more\n');
    expect(stderr.length).toBeLessThan(LARGEST);
  });

  it('[DE-1] exactly a hundred faults names them all, a hundred and one says so', async () => {
    const schedules = await openSchedules({ workspace: memoryWorkspace(), execution: scriptedExecution() });
    const hundred = await refusalOf(schedules, { ...GOOD, ...many(100) });
    expect(hundred.details['leftOut']).toBeUndefined();
    expect(hundred.hint).toContain('all faults are listed');
    const more = await refusalOf(schedules, { ...GOOD, ...many(101) });
    expect(more.details['leftOut']).toEqual({ issues: 1 });
    await schedules.close();
  });

  it('[DE-1] 2000 unknown fields of a trigger that the core is asked about', () => {
    const ask = () => nextDue({ kind: 'manual', ...many(2000) } as never, '2026-11-30T08:00:00Z');
    expect(ask).toThrow(expect.objectContaining({ details: { issues: expect.any(Array), leftOut: { issues: 1900 } } }));
    try {
      ask();
    } catch (error) {
      expect(JSON.stringify(error).length).toBeLessThan(LARGEST);
    }
  });

  it('[DE-1] a long list of other things, such as pending occurrences', () => {
    const pending = Array.from({ length: 100_000 }, (_, index) => `a~1~m~r${index}`);
    const error = new ScheduleError('SCHEDULE_WORK_PENDING', 'x'.repeat(10_000), { details: { pending } });
    expect(error.details['leftOut']).toEqual({ pending: 99_900 });
    expect(error.message).toHaveLength(4000);
    expect(error.message.endsWith('…')).toBe(true);
    expect(pending).toHaveLength(100_000);
  });
});

describe('a declaration that is refused', () => {
  const BAD: readonly (readonly [what: string, args: readonly string[], declaration: object])[] = [
    ['a field that is unknown', ['--defer-planning'], { ...GOOD, oops: 1 }],
    [
      'a trigger that is over',
      ['--defer-planning'],
      { ...GOOD, trigger: { kind: 'once', at: '2001-01-01T00:00:00Z' } },
    ],
    ['an expiry in the past', ['--defer-planning'], { ...GOOD, expiresAt: '2001-01-01T00:00:00Z' }],
    [
      'a calendar that is unknown',
      ['--defer-planning'],
      { ...GOOD, trigger: { kind: 'cron', expression: '@daily', timezone: 'UTC' }, exclude: { calendar: 'none' } },
    ],
    ['no planner', [], GOOD],
    ['a digest that is not its own', ['--defer-planning', '--expect-digest', `sha256:${'0'.repeat(64)}`], GOOD],
  ];

  it.each(BAD)('[SF-1, DE-1] for %s makes no catalogue where there was none', async (_what, args, declaration) => {
    for (const command of ['create', 'ensure']) {
      if (command === 'ensure' && args.includes('--expect-digest')) continue;
      const cwd = emptyRoot();
      const all = ['schedule', '--workspace', 'work', command, '-', ...args];
      const { code, stdout, stderr } = await inside(all, { cwd, stdin: { id: 'a', ...declaration } });
      expect({ code, stdout, stderr }).toMatchObject({ stdout: '', stderr: expect.stringMatching(/^error SCHEDULE_/) });
      expect(code).toBeGreaterThan(0);
      expect(readdirSync(cwd), command).toEqual([]);
    }
  });

  it('[SF-1] one that is good makes it', async () => {
    const cwd = emptyRoot();
    const args = ['schedule', '--workspace', 'work', 'create', '-', '--defer-planning'];
    expect(await inside(args, { cwd, stdin: GOOD })).toMatchObject({ code: 0 });
    expect(readdirSync(cwd)).toEqual(['work']);
  });
});
