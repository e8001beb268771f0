/** Lateness and misfire, one row for each sentence of CO-1, CO-2 and MF. */
import { describe, it } from 'vitest';
import { minute } from '../../support/builders.js';
import { type CollectionRow, checkRow } from '../../support/collection-row.js';

const collection: readonly CollectionRow[] = [
  { title: '[CO-1] nothing is taken before it is due', at: -1 / 60000, nextDue: 0 },
  {
    title: '[CO-1] a due instant is taken in its own millisecond',
    at: 0,
    pending: ['0 queued'],
    nextDue: 1,
    through: 0,
  },
  { title: '[CO-1] a paused schedule takes nothing', before: (w) => w.pause(), at: 3, nextDue: 0, status: 'paused' },
  {
    title: '[CO-1] the windows of successive ticks join',
    before: (w) => void w.at(minute(3)).tick(),
    at: 7,
    pending: ['0..3(4) queued', '4..7(4) queued'],
    nextDue: 8,
    through: 7,
  },
  {
    title: '[CO-2] at the grace it is not late',
    declared: { misfire: 'skip' },
    at: 0.5,
    pending: ['0 queued'],
    nextDue: 1,
    through: 0,
  },
  {
    title: '[CO-2] a millisecond beyond the grace it is late',
    declared: { misfire: 'skip' },
    at: 0.5 + 1 / 60000,
    ended: ['0..0(1) skipped misfire'],
    nextDue: 1,
  },
  {
    title: '[CO-2] with a grace of 0 only its own millisecond is in time',
    declared: { misfire: 'skip', graceSeconds: 0 },
    at: 1 / 60000,
    ended: ['0..0(1) skipped misfire'],
    nextDue: 1,
  },
  {
    title: '[CO-2] all that are in time are admitted, each for itself',
    declared: { graceSeconds: 300 },
    at: 3,
    pending: ['0 queued', '1 queued', '2 queued', '3 queued'],
    nextDue: 4,
  },
];

const misfire: readonly CollectionRow[] = [
  {
    title: '[MF-1] the latest is admitted where it is in time, all others are one record',
    declared: { misfire: 'skip' },
    at: 3.25,
    pending: ['3 queued'],
    ended: ['0..2(3) skipped misfire'],
    nextDue: 4,
    spent: 2,
  },
  {
    title: '[MF-1] the others are skipped also where they are in time',
    declared: { misfire: 'skip', graceSeconds: 90 },
    at: 3,
    pending: ['3 queued'],
    ended: ['0..2(3) skipped misfire'],
    nextDue: 4,
  },
  {
    title: '[MF-1] a latest that is late is skipped with the others',
    declared: { misfire: 'skip' },
    at: 3.75,
    ended: ['0..3(4) skipped misfire'],
    nextDue: 4,
    spent: 1,
  },
  {
    title: '[MF-1] everything up to the horizon is accounted for',
    declared: { misfire: 'skip' },
    at: 3.75,
    ended: ['0..3(4) skipped misfire'],
    nextDue: 4,
    through: 3.75,
  },
  {
    title: '[MF-2] one occurrence, for the latest, whose window covers all',
    at: 3.75,
    pending: ['0..3(4) queued'],
    nextDue: 4,
    through: 3.75,
    spent: 1,
  },
  { title: '[MF-2] also where the latest is in time', at: 3.25, pending: ['0..3(4) queued'], nextDue: 4, spent: 1 },
  { title: '[MF-2] a single missed one has its window too', at: 0.75, pending: ['0..0(1) queued'], nextDue: 1 },
  {
    title: '[MF-3] successive instants, oldest first',
    declared: { misfire: 'catchUp' },
    at: 2.75,
    pending: ['0 queued', '1 queued', '2 queued'],
    nextDue: 3,
    through: 2,
    spent: 3,
  },
  {
    title: '[MF-3] at most maxCatchUp late ones a tick',
    declared: { misfire: 'catchUp', maxCatchUp: 2 },
    at: 4.75,
    pending: ['0 queued', '1 queued'],
    nextDue: 2,
    through: 1,
  },
  {
    title: '[MF-3] one in time behind a backlog waits for its turn',
    declared: { misfire: 'catchUp', maxCatchUp: 2 },
    at: 2.25,
    pending: ['0 queued', '1 queued', '2 queued'],
    nextDue: 3,
  },
  {
    title: '[MF-3] at most so many pending at a time',
    declared: { misfire: 'catchUp', maxCatchUp: 2 },
    before: (w) => void w.at(minute(5)).tick(),
    at: 5.5,
    pending: ['0 queued', '1 queued'],
    nextDue: 2,
  },
  {
    title: '[MF-3] the rest follows once there is room',
    declared: { misfire: 'catchUp', maxCatchUp: 2 },
    before: (w) => {
      w.at(minute(5)).tick();
      w.runAll();
    },
    at: 5.5,
    ended: [],
    pending: ['2 queued', '3 queued'],
    nextDue: 4,
  },
  {
    title: '[MF-5] older ones are one record, the rest follows the policy',
    declared: { maxLatenessSeconds: 150 },
    at: 4.75,
    pending: ['3..4(2) queued'],
    ended: ['0..2(3) skipped tooLate'],
    nextDue: 5,
    spent: 2,
  },
  {
    title: '[MF-5] it is checked first, also within the grace',
    declared: { maxLatenessSeconds: 0, graceSeconds: 600 },
    at: 1.5,
    ended: ['0..1(2) skipped tooLate'],
    nextDue: 2,
  },
  {
    title: '[MF-5] exactly at the limit it is not too late',
    declared: { maxLatenessSeconds: 60 },
    at: 1,
    pending: ['0..1(2) queued'],
    nextDue: 2,
  },
];

describe('collection', () => {
  it.each(collection)('$title', checkRow);
});

describe('misfire', () => {
  it.each(misfire)('$title', checkRow);
});
