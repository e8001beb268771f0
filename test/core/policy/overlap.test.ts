/** Overlap, one row for each sentence of OV. */
import { describe, it } from 'vitest';
import { minute } from '../../support/builders.js';
import { type CollectionRow, checkRow, queued, running } from '../../support/collection-row.js';

const overlap: readonly CollectionRow[] = [
  ...(['queue', 'skip', 'coalesce'] as const).map((policy) => ({
    title: `[OV-1] with nothing pending ${policy} enqueues`,
    declared: { overlap: policy },
    at: 0,
    pending: ['0 queued'],
    nextDue: 1,
  })),
  {
    title: '[OV-1] missed occurrences overlap as well',
    declared: { overlap: 'skip', misfire: 'catchUp' },
    at: 2.75,
    pending: ['0 queued'],
    ended: ['1..2(2) skipped overlap'],
    nextDue: 3,
    spent: 2,
  },
  {
    title: '[OV-2] queue enqueues behind a queued one',
    before: queued,
    at: 1,
    pending: ['0 queued', '1 queued'],
    nextDue: 2,
  },
  {
    title: '[OV-2] queue enqueues behind a running one',
    before: running,
    at: 1,
    pending: ['0 running', '1 queued'],
    nextDue: 2,
  },
  {
    title: '[OV-2] queue enqueues behind work of another schedule',
    before: (w) => {
      w.keyPending = 'other~1~m~x';
    },
    at: 0,
    pending: ['0 queued'],
    nextDue: 1,
  },
  {
    title: '[OV-3] skip refuses behind a queued one',
    declared: { overlap: 'skip' },
    before: queued,
    at: 1,
    pending: ['0 queued'],
    ended: ['1 skipped overlap'],
    nextDue: 2,
  },
  {
    title: '[OV-3] skip refuses behind a running one',
    declared: { overlap: 'skip' },
    before: running,
    at: 1,
    pending: ['0 running'],
    ended: ['1 skipped overlap'],
    nextDue: 2,
  },
  {
    title: '[OV-3] skip refuses behind work of another schedule',
    declared: { overlap: 'skip' },
    before: (w) => {
      w.keyPending = 'other~1~m~x';
    },
    at: 0,
    ended: ['0 skipped overlap'],
    nextDue: 1,
  },
  {
    title: '[OV-4] coalesce refuses behind a queued one',
    declared: { overlap: 'coalesce' },
    before: queued,
    at: 1,
    pending: ['0 queued'],
    ended: ['1 skipped coalesced'],
    nextDue: 2,
  },
  {
    title: '[OV-4] coalesce enqueues one behind a running one',
    declared: { overlap: 'coalesce', graceSeconds: 300 },
    before: running,
    at: 2,
    pending: ['0 running', '1 queued'],
    ended: ['2 skipped coalesced'],
    nextDue: 3,
  },
  {
    title: '[OV-4] coalesce takes no notice of other schedules',
    declared: { overlap: 'coalesce' },
    before: (w) => {
      w.keyPending = 'other~1~m~x';
    },
    at: 0,
    pending: ['0 queued'],
    nextDue: 1,
  },
  {
    title: '[OV-5] what overlap refuses in one pass is one record, in the last of them, and spends one',
    declared: { overlap: 'skip', graceSeconds: 300 },
    before: queued,
    at: 3,
    pending: ['0 queued'],
    ended: ['1..3(3) skipped overlap'],
    nextDue: 4,
    spent: 2,
  },
  {
    title: '[OV-5] late instants of a catch-up too',
    declared: { overlap: 'skip', misfire: 'catchUp' },
    before: queued,
    at: 3.75,
    pending: ['0 queued'],
    ended: ['1..3(3) skipped overlap'],
    nextDue: 4,
    spent: 2,
  },
  {
    title: '[OV-5] with one left of the budget it is still one record',
    declared: { overlap: 'skip', misfire: 'catchUp', maxOccurrences: 2 },
    before: queued,
    at: 3.75,
    pending: ['0 queued'],
    ended: ['1..3(3) skipped overlap'],
    nextDue: undefined,
    spent: 2,
  },
  {
    title: '[OV-5, CO-5] a skip between two refusals parts them',
    declared: { overlap: 'skip', misfire: 'skip' },
    before: (w) => {
      queued(w);
      w.pause();
      w.at(minute(2)).resume('catchUp');
    },
    at: 5.25,
    pending: ['0 queued'],
    ended: ['1..2(2) skipped overlap', '3..4(2) skipped misfire', '5 skipped overlap'],
    nextDue: 6,
    spent: 4,
  },
];

describe('overlap', () => {
  it.each(overlap)('$title', checkRow);
});
