/** The trigger budget, one row for each sentence of TB-1 and TB-2. */
import { describe, it } from 'vitest';
import { every, minute, T0 } from '../../support/builders.js';
import { type CollectionRow, checkRow, queued } from '../../support/collection-row.js';

const budget: readonly CollectionRow[] = [
  {
    title: '[TB-1] each record spends one, skipped ones included',
    declared: { misfire: 'skip', maxOccurrences: 5 },
    at: 3.25,
    pending: ['3 queued'],
    ended: ['0..2(3) skipped misfire'],
    nextDue: 4,
    spent: 2,
  },
  {
    title: '[TB-1] where one is left the run takes it and covers the skipped',
    declared: { misfire: 'skip', maxOccurrences: 1 },
    at: 3.25,
    pending: ['0..3(4) queued'],
    nextDue: undefined,
    spent: 1,
  },
  {
    title: '[TB-1] a too late one and a run share the last one',
    declared: { maxLatenessSeconds: 90, maxOccurrences: 1 },
    at: 3.75,
    pending: ['0..3(4) queued'],
    nextDue: undefined,
    spent: 1,
  },
  {
    title: '[TB-1] with no run in the pass the skip takes the last one',
    declared: { misfire: 'skip', maxOccurrences: 1 },
    at: 3.75,
    ended: ['0..3(4) skipped misfire'],
    nextDue: undefined,
    spent: 1,
    status: 'completed',
  },
  {
    title: '[TB-1, CO-5] spent: what has elapsed is closed outside of the budget, and nextDue is none',
    declared: { misfire: 'catchUp', maxOccurrences: 2 },
    at: 4.75,
    pending: ['0 queued', '1 queued'],
    ended: ['2..4(3) skipped budgetSpent closing'],
    nextDue: undefined,
    spent: 2,
    through: 4,
  },
  {
    title: '[TB-1] it is not completed while work is pending',
    declared: { maxOccurrences: 1 },
    before: queued,
    at: 1,
    pending: ['0 queued'],
    nextDue: undefined,
  },
  {
    title: '[TB-2] a trigger with nothing left is completed once nothing is pending',
    declared: { trigger: every(60, T0, minute(1)) },
    before: (w) => {
      queued(w);
      w.runAll();
    },
    at: 1.75,
    pending: ['1..1(1) queued'],
    nextDue: undefined,
  },
];

describe('trigger budget', () => {
  it.each(budget)('$title', checkRow);
});
