/** Expiry of a schedule, one row for each sentence of EX-1. */
import { describe, it } from 'vitest';
import { type CollectionRow, checkRow, queued, running } from '../../support/collection-row.js';

const expiry: readonly CollectionRow[] = [
  {
    title: '[EX-1] queued work is skipped, uncollected instants before it are one record',
    declared: { expiresAt: '2026-11-30T08:03:00.000Z' },
    before: queued,
    at: 5,
    ended: ['0 skipped expired', '1..2(2) skipped expired closing'],
    nextDue: undefined,
    status: 'expired',
    spent: 1,
  },
  {
    title: '[EX-1] an instant at expiresAt is not due any more',
    declared: { expiresAt: '2026-11-30T08:00:00.000Z' },
    at: 0,
    nextDue: undefined,
    status: 'expired',
  },
  {
    title: '[EX-1] an active run may finish',
    declared: { expiresAt: '2026-11-30T08:01:00.000Z' },
    before: running,
    at: 1,
    pending: ['0 running'],
    nextDue: undefined,
    status: 'expired',
  },
  {
    title: '[EX-1] a paused schedule expires too',
    declared: { expiresAt: '2026-11-30T08:02:00.000Z' },
    before: (w) => w.pause(),
    at: 2,
    ended: ['0..1(2) skipped expired closing'],
    nextDue: undefined,
    status: 'expired',
  },
  {
    title: '[EX-1] also behind a paused gate',
    declared: { expiresAt: '2026-11-30T08:02:00.000Z' },
    before: (w) => {
      w.gate = { isPaused: true };
    },
    at: 2,
    ended: ['0..1(2) skipped expired closing'],
    nextDue: undefined,
    status: 'expired',
  },
  {
    title: '[EX-1] a cancelled one stays cancelled',
    declared: { expiresAt: '2026-11-30T08:02:00.000Z' },
    before: (w) => w.cancel(),
    at: 2,
    nextDue: undefined,
    status: 'cancelled',
  },
];

describe('expiry', () => {
  it.each(expiry)('$title', checkRow);
});
