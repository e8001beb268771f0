/** Warnings about policies and budgets that defeat one another: a row for each, and for its nearest neighbour. */
import { describe, expect, it } from 'vitest';
import type { Declaration } from '../../../src/core/model/declaration.js';
import type { Trigger } from '../../../src/core/model/trigger.js';
import { calendar, codesOf, cron, messagesOf, warningsOf } from './lint-one.js';

const BUDGET = { maxAttempts: 10, maxRepeatedFailures: 2, maxElapsedSeconds: 3600, timeoutPerStageSeconds: 600 };
const hourly: Trigger = { kind: 'interval', start: '2026-10-12T05:00:00Z', everySeconds: 3600 };
const daily = calendar({ hour: 9 });

describe('catch-up', () => {
  const catchUp = { misfire: 'catchUp', trigger: daily } as const;

  it.each<[string, Partial<Declaration>, readonly string[]]>([
    [
      '[TR-12] more caught up at a time than the budget has',
      { ...catchUp, maxOccurrences: 9, expiresAt: '2026-10-14T00:00:00.000Z' },
      ['catchUpExceedsBudget'],
    ],
    [
      '[TR-12] as many as the budget has',
      { ...catchUp, maxOccurrences: 10, expiresAt: '2026-10-14T00:00:00.000Z' },
      [],
    ],
    ['[TR-12] more than a budget without end', catchUp, []],
    [
      '[TR-12] a day of outage costs more than the budget',
      { ...catchUp, trigger: hourly, maxOccurrences: 23, expiresAt: '2026-10-13T05:00:00.000Z' },
      ['catchUpExceedsBudget', 'budgetEndsSoon'],
    ],
    [
      '[TR-12] a day of outage costs the budget',
      { ...catchUp, trigger: hourly, maxOccurrences: 24, expiresAt: '2026-10-13T05:00:00.000Z' },
      [],
    ],
    [
      '[TR-12] old instants that are too late cost nothing',
      {
        ...catchUp,
        trigger: hourly,
        maxOccurrences: 23,
        maxLatenessSeconds: 7200,
        expiresAt: '2026-10-13T04:00:00.000Z',
      },
      [],
    ],
    [
      '[TR-12] another misfire policy catches nothing up',
      { trigger: hourly, maxOccurrences: 5, expiresAt: '2026-10-12T08:00:00.000Z' },
      [],
    ],
    ['[TR-12] skip drops what is caught up', { ...catchUp, overlap: 'skip' }, ['catchUpDropped']],
    ['[TR-12] coalesce drops what is caught up', { ...catchUp, overlap: 'coalesce' }, ['catchUpDropped']],
    ['[TR-12] queue drops nothing', { ...catchUp, overlap: 'queue' }, []],
    ['[TR-12] coalesce without catch-up is the default', { overlap: 'coalesce', trigger: daily }, []],
    [
      '[TR-12] a manual trigger has nothing to catch up',
      { misfire: 'catchUp', overlap: 'skip', maxOccurrences: 5, trigger: { kind: 'manual' } },
      [],
    ],
  ])('%s', (_title, changes, expected) => {
    expect(codesOf(changes)).toEqual(expected);
  });

  it('[TR-12] each warning stands at the field to change', () => {
    const paths = (changes: Partial<Declaration>) => warningsOf({ ...catchUp, ...changes }).map(({ path }) => path);
    expect(paths({ maxOccurrences: 9, expiresAt: '2026-10-14T00:00:00.000Z' })).toEqual(['maxCatchUp']);
    expect(paths({ trigger: hourly, maxOccurrences: 23 })).toEqual(['maxOccurrences', 'maxOccurrences']);
    expect(paths({ overlap: 'skip' })).toEqual(['overlap']);
  });
});

describe('retries', () => {
  it.each<[string, number, number, readonly string[]]>([
    ['[TR-12] more retries than equal failures', 5, 2, ['unreachableRetries']],
    ['[TR-12] as many retries as equal failures', 2, 2, ['unreachableRetries']],
    ['[TR-12] one retry less than equal failures', 1, 2, []],
    ['[TR-12] no retries', 0, 1, []],
  ])('%s', (_title, maxRetries, maxRepeatedFailures, expected) => {
    const changes = { trigger: daily, maxRetries, budget: { ...BUDGET, maxRepeatedFailures } };
    expect(codesOf(changes)).toEqual(expected);
    expect(codesOf({ ...changes, trigger: { kind: 'manual' } })).toEqual(expected);
  });

  it('[TR-12] says how many are left and what to write', () => {
    expect(messagesOf('unreachableRetries', { trigger: daily, maxRetries: 5, budget: BUDGET })).toEqual([
      'after 2 equal failures in a row nothing is retried, so a run that keeps failing alike has 1 of its 5 retries; raise budget.maxRepeatedFailures to 6',
    ]);
  });
});

describe('the end of the budget', () => {
  const secondly = cron('* * * * * *');

  it.each<[string, Partial<Declaration>, readonly string[]]>([
    ['[TB-4] a budget that ends on the 90th day', { trigger: daily, maxOccurrences: 90 }, ['budgetEndsSoon']],
    ['[TB-4] a budget that ends on the 91st day', { trigger: daily, maxOccurrences: 91 }, []],
    ['[TB-4] a budget without end', { trigger: daily }, []],
    [
      '[TB-4] a trigger that ends with its budget',
      { trigger: { kind: 'once', at: '2026-10-13T00:00:00Z' }, maxOccurrences: 1 },
      [],
    ],
    [
      '[TB-4] a trigger that ends before its budget',
      { trigger: { ...hourly, end: '2026-10-12T09:00:00Z' }, maxOccurrences: 6 },
      [],
    ],
    [
      '[TB-4] a trigger that goes on by one',
      { trigger: { ...hourly, end: '2026-10-12T10:00:00Z' }, maxOccurrences: 5 },
      ['budgetEndsSoon'],
    ],
    [
      '[TB-4] a schedule that expires before its budget ends',
      { trigger: hourly, maxOccurrences: 6, expiresAt: '2026-10-12T10:00:00.000Z' },
      [],
    ],
    [
      '[TB-4] the greatest budget at the fastest rate',
      { trigger: secondly, maxOccurrences: 100_000 },
      ['budgetEndsSoon'],
    ],
    ['[TB-4] the greatest budget at a slow rate', { trigger: daily, maxOccurrences: 100_000 }, []],
    ['[TB-4] a manual trigger spends nothing', { trigger: { kind: 'manual' }, maxOccurrences: 1 }, []],
  ])('%s', (_title, changes, expected) => {
    expect(codesOf(changes)).toEqual(expected);
  });

  it.each<[string, Partial<Declaration>, string]>([
    [
      '[TB-4] names the last instant of an interval',
      { trigger: hourly, maxOccurrences: 100 },
      '2026-10-16T08:00:00.000Z',
    ],
    ['[TB-4] names the last instant of a calendar', { trigger: daily, maxOccurrences: 10 }, '2026-10-21T13:00:00.000Z'],
    [
      '[TB-4] names the last instant of listed times',
      { trigger: calendar({ times: ['09:00', '12:00:30', '23:59:59'] }), maxOccurrences: 5 },
      '2026-10-13T16:00:30.000Z',
    ],
    [
      '[TB-4] names the last instant among very many',
      { trigger: secondly, maxOccurrences: 100_000 },
      '2026-10-13T08:46:39.000Z',
    ],
    [
      '[TB-4] names the last instant of minutes in hours',
      { trigger: cron('0-58/2 9,11 * * *'), maxOccurrences: 95 },
      '2026-10-13T15:08:00.000Z',
    ],
  ])('%s', (_title, changes, instant) => {
    expect(messagesOf('budgetEndsSoon', changes)[0]).toContain(`is used up about ${instant}, within `);
  });
});

describe('the expiry', () => {
  it.each<[string, string | undefined, readonly string[]]>([
    ['[TR-12] an expiry at the first due instant', '2026-10-12T13:00:00.000Z', ['expiresBeforeFirst']],
    ['[TR-12] an expiry just after the first due instant', '2026-10-12T13:00:00.001Z', []],
    ['[TR-12] no expiry', undefined, []],
  ])('%s', (_title, expiresAt, expected) => {
    expect(codesOf({ trigger: daily, ...(expiresAt !== undefined && { expiresAt }) })).toEqual(expected);
  });
});
