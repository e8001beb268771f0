/** Why work waits, what an interruption left behind, and how attempts are told to a person. */
import { describe, expect, it } from 'vitest';
import type { OccurrenceView, ScheduleView } from '../../src/index.js';
import { occurrenceLines, why } from '../../src/surfaces/cli/output/occurrence-text.js';
import { attemptsText } from '../../src/surfaces/cli/output/schedule-text.js';
import { waitingText } from '../../src/surfaces/cli/output/waiting-text.js';
import { declaration } from './cli-host.js';
import { inside } from './cli-inside.js';
import { freshFolder } from './cli-process.js';

const NOW = Date.UTC(2026, 0, 1);

function occurrence(changes: Partial<OccurrenceView>): OccurrenceView {
  return {
    id: 'nightly~1~m~x',
    scheduleId: 'nightly',
    revision: 1,
    origin: 'trigger',
    dueAt: '2026-01-01T00:00:00.000Z',
    admittedAt: '2026-01-01T00:00:00.000Z',
    concurrencyKey: 'plotter',
    status: 'queued',
    attempts: [],
    ...changes,
  };
}

const ASKED = { workspace: 'work', now: NOW };

describe('pending work', () => {
  it.each([
    [{ kind: 'ownerGone' }, 'claimed by an owner that is gone; the next one marks it interrupted'],
    [{ kind: 'quarantine' }, 'waits: its schedule is quarantined'],
    [{ kind: 'expiry' }, 'waits: its schedule is past its expiry, so that an owner will skip it'],
    [{ kind: 'gate' }, 'waits: the gate is paused; open it: everdue schedule --workspace work gate resume'],
    [{ kind: 'schedulePaused' }, 'waits: its schedule is paused'],
    [{ kind: 'noOwner' }, 'waits: no owner is running; start one: everdue schedule --workspace work serve'],
    [{ kind: 'retryAt', at: '2026-01-01T00:05:00.000Z' }, 'waits: for its next attempt, in 5 min'],
    [
      { kind: 'key', key: 'plotter', occurrence: 'other~1~m~y' },
      'waits: its concurrency key plotter is held by other~1~m~y',
    ],
    [{ kind: 'slot' }, 'waits: the owner takes it up in its turn'],
  ] as const)('[SF-1, OC-9] %j is a sentence', (waitingFor, told) => {
    const waiting = occurrence({ waitingFor });
    expect(waitingText(waiting, ASKED)).toBe(told);
    expect(occurrenceLines(waiting, told)).toContain(`\n    ${told}\n`);
  });

  it('[SF-1, OC-9] what runs waits for nothing', () => {
    expect(waitingText(occurrence({ status: 'running' }), ASKED)).toBeUndefined();
  });

  it('[SF-1, OC-9] show tells it of a list and of one occurrence', async () => {
    const cwd = freshFolder();
    const run = (args: readonly string[], stdin: object = {}) =>
      inside(['schedule', '--workspace', 'work', ...args], { cwd, stdin });
    await run(['create', '-', '--defer-planning'], declaration('byhand', { concurrencyKey: 'plotter' }));
    await run(['trigger', 'byhand', '--request-id', 'x']);
    const waits = 'waits: no owner is running; start one: everdue schedule --workspace work serve';
    expect((await run(['show', 'byhand'])).stdout).toContain(`\n    ${waits}\n`);
    const one = await run(['show', 'byhand', '--occurrence', 'byhand~1~m~x']);
    expect(one.stdout).toMatch(/^ {2}why +waits: no owner is running/m);
  });
});

describe('an interrupted occurrence', () => {
  const attempt = {
    attempt: 1,
    epoch: 1,
    fencingToken: 2,
    claimedAt: '2026-01-01T00:00:00.000Z',
    endedAt: '2026-01-01T00:00:00.000Z',
    outcome: 'interrupted',
    stages: [],
  } as const;
  const notDispatched = { ...attempt, fault: { code: 'notDispatched', message: 'asked to end' } };
  const verdict = { verdict: 'done', note: 'seen', by: 'ops', at: '2026-01-01T01:00:00.000Z' } as const;
  const interrupted = (changes: Partial<OccurrenceView>) => why(occurrence({ status: 'interrupted', ...changes }));
  const unknown = 'whether its work was done is unknown: find out, then resolve or rerun it';

  it('[SF-1, OC-11] is safe to rerun when its handler was never called', () => {
    const told = 'it was claimed but the handler was never called: safe to rerun';
    expect(interrupted({ attempts: [notDispatched], nativeState: 'unknown' })).toContain(told);
    expect(interrupted({ attempts: [attempt], nativeState: 'not-dispatched' })).toContain(told);
    const later = interrupted({ attempts: [attempt, { ...notDispatched, attempt: 2 }], nativeState: 'unknown' });
    expect(later).toContain('its attempt 2 was claimed but the handler was not called for it: safe to rerun');
    expect(later).not.toContain(unknown);
  });

  it('[SF-1, CT-16] asks to find out until somebody has', () => {
    expect(interrupted({ attempts: [attempt], nativeState: 'unknown' })).toContain(unknown);
    const resolved = interrupted({ attempts: [attempt], nativeState: 'unknown', verdict });
    expect(resolved).toEqual(['verdict done by ops: seen']);
  });
});

describe('the fields of a schedule', () => {
  it('[SF-1, OC-5] tells of attempts as of retries and durations', () => {
    const budget = { maxAttempts: 3, maxRepeatedFailures: 2, maxElapsedSeconds: 3600, timeoutPerStageSeconds: 600 };
    const told = (changes: object) =>
      attemptsText({ maxRetries: 0, budget, ...changes } as ScheduleView['declaration']);
    expect(told({})).toBe('no retries; 1 h in all, 10 min a stage');
    expect(told({ maxRetries: 1 })).toBe('at most 1 retry; 1 h in all, 10 min a stage');
    expect(told({ maxRetries: 2, retryBackoff: { initialSeconds: 30, factor: 2, maxSeconds: 90 } })).toBe(
      'at most 2 retries, after 30 s, times 2, up to 1 min 30 s; 1 h in all, 10 min a stage',
    );
  });

  it('[SF-1, TB-1] a manual trigger has no number left', async () => {
    const cwd = freshFolder();
    const run = (args: readonly string[], stdin: object = {}) =>
      inside(['schedule', '--workspace', 'work', ...args], { cwd, stdin });
    await run(['create', '-', '--defer-planning'], declaration('byhand'));
    const trigger = { kind: 'cron', expression: '0 2 * * *', timezone: 'Europe/Berlin' };
    await run(['create', '-', '--defer-planning'], declaration('nightly', { trigger }));
    expect((await run(['show', 'byhand'])).stdout).not.toMatch(/^ +left /m);
    expect((await run(['show', 'nightly'])).stdout).toMatch(/^ +left +100 of 100$/m);
    expect((await run(['list'])).stdout).toMatch(/^byhand +active +- +1 +- +0 /m);
  });
});
