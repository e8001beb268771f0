/**
 * Every misfire policy with every overlap policy, after outages of every kind, with every kind of pending work.
 *
 * What is expected comes from the naive reference of the model test; a few rows are written out as well, so that the
 * reference itself is held to something.
 */
import { describe, expect, it } from 'vitest';
import type { Declaration } from '../../../src/core/model/declaration.js';
import { epochMs } from '../../../src/core/time/instant.js';
import type { Collection } from '../../model/reference-collection.js';
import { newReferenceOccurrence, referenceCollect, referenceDue } from '../../model/reference-collection.js';
import { MINUTE, minute, SECOND, T0, World } from '../../support/builders.js';

const MISFIRE = ['skip', 'runOnce', 'catchUp'] as const;
const OVERLAP = ['queue', 'skip', 'coalesce'] as const;
const OUTAGES = [
  { outage: 'none', tickAt: minute(1) },
  { outage: 'within the grace', tickAt: minute(1) + 20 * SECOND },
  { outage: 'one missed', tickAt: minute(1) + 45 * SECOND },
  { outage: 'one missed, one in time', tickAt: minute(2) + 10 * SECOND },
  { outage: 'many missed', tickAt: minute(9) + 45 * SECOND },
  { outage: 'many missed, one in time', tickAt: minute(9) + 10 * SECOND },
] as const;
const PENDING = ['nothing', 'queued', 'running', 'other schedule'] as const;
const BUDGETS = ['unlimited', 3, 2] as const;

interface Cell {
  readonly misfire: Declaration['misfire'];
  readonly overlap: Declaration['overlap'];
  readonly outage: (typeof OUTAGES)[number];
  readonly pending: (typeof PENDING)[number];
  readonly maxOccurrences: Declaration['maxOccurrences'];
  readonly maxLatenessSeconds: number | undefined;
}

/** The instant of minute 0 is collected in time; then nobody looks until the tick that counts. */
function real({ misfire, overlap, outage, pending, maxOccurrences, maxLatenessSeconds }: Cell): readonly string[] {
  const lateness = maxLatenessSeconds === undefined ? {} : { maxLatenessSeconds };
  const world = World.of({ misfire, overlap, maxOccurrences, maxCatchUp: 4, ...lateness });
  world.at(T0).tick();
  if (pending !== 'queued') world.claim();
  if (pending === 'nothing' || pending === 'other schedule') world.succeed();
  if (pending === 'other schedule') world.keyPending = 'other~1~m~x';
  const [ended, id] = [world.ended.length, world.pending[0]?.id];
  world.at(epochMs(outage.tickAt)).tick();
  const records = [...world.pending.filter((one) => one.id !== id), ...world.ended.slice(ended)].map((one) => {
    const { firstAt, lastAt, count } = one.window ?? { firstAt: one.dueAt, lastAt: one.dueAt, count: 1 };
    return line(firstAt, lastAt, count, one.status, one.reason);
  });
  return [...records.sort(), `next ${world.schedule.nextDue} spent ${world.schedule.spent}`];
}

function expected({ misfire, overlap, outage, pending, maxOccurrences, maxLatenessSeconds }: Cell): readonly string[] {
  const state: Collection = {
    rules: {
      due: Array.from({ length: 60 }, (_, n) => minute(n)),
      isManual: false,
      isOnce: false,
      registeredAt: T0,
      overlap,
      misfire,
      graceMs: 30 * SECOND,
      maxCatchUp: 4,
      maxOccurrences: maxOccurrences === 'unlimited' ? Number.POSITIVE_INFINITY : maxOccurrences,
      maxLatenessMs: (maxLatenessSeconds ?? Number.POSITIVE_INFINITY) * SECOND,
      expiresAt: Number.POSITIVE_INFINITY,
    },
    revision: 1,
    isOpen: true,
    through: T0,
    spent: 1,
    resume: undefined,
    notBefore: Number.NEGATIVE_INFINITY,
    pending: [],
    ended: [],
  };
  if (pending === 'queued' || pending === 'running') state.pending.push(newReferenceOccurrence(state, [T0], pending));
  referenceCollect(state, outage.tickAt, pending === 'other schedule', () => {});
  const records = [...state.pending.filter(({ first }) => first !== T0), ...state.ended];
  const lines = records.map((one) => line(one.first, one.last, one.count, one.status, one.reason));
  return [...lines.sort(), `next ${referenceDue(state)} spent ${state.spent}`];
}

function line(first: number, last: number, count: number, status: string, reason: string | undefined): string {
  return `${(first - T0) / MINUTE}..${(last - T0) / MINUTE}(${count}) ${status} ${reason ?? ''}`;
}

const cells: readonly Cell[] = MISFIRE.flatMap((misfire) =>
  OVERLAP.flatMap((overlap) =>
    OUTAGES.flatMap((outage) =>
      PENDING.flatMap((pending) =>
        BUDGETS.flatMap((maxOccurrences) =>
          [undefined, 120].map((maxLatenessSeconds) => ({
            misfire,
            overlap,
            outage,
            pending,
            maxOccurrences,
            maxLatenessSeconds,
          })),
        ),
      ),
    ),
  ),
);

describe.each(MISFIRE)('[MF-1, MF-2, MF-3] downtime with misfire %s', (misfire) => {
  it.each(OVERLAP)(
    '[OV-1, OV-2, OV-3, OV-4, OV-5, TB-1, MF-5] and overlap %s records what the reference does',
    (overlap) => {
      const some = cells.filter((cell) => cell.misfire === misfire && cell.overlap === overlap);
      expect(some).toHaveLength(OUTAGES.length * PENDING.length * BUDGETS.length * 2);
      for (const cell of some) expect(real(cell), JSON.stringify(cell)).toEqual(expected(cell));
    },
  );
});

describe('rows of the grid, written out', () => {
  const many = OUTAGES[5];
  const cell = {
    outage: many,
    pending: 'nothing',
    maxOccurrences: 'unlimited',
    maxLatenessSeconds: undefined,
  } as const;
  const next = `next ${minute(10)}`;
  const rows = [
    {
      title: '[MF-1, OV-2] skip and queue',
      change: { misfire: 'skip', overlap: 'queue' },
      records: ['1..8(8) skipped misfire', '9..9(1) queued ', `${next} spent 3`],
    },
    {
      title: '[MF-2, OV-4] runOnce and coalesce',
      change: { misfire: 'runOnce', overlap: 'coalesce' },
      records: ['1..9(9) queued ', `${next} spent 2`],
    },
    {
      title: '[MF-2, OV-3] runOnce and skip behind a run',
      change: { misfire: 'runOnce', overlap: 'skip', pending: 'running' },
      records: ['1..9(9) skipped overlap', `${next} spent 2`],
    },
    {
      title: '[MF-3, OV-2] catchUp and queue',
      change: { misfire: 'catchUp', overlap: 'queue' },
      records: [
        '1..1(1) queued ',
        '2..2(1) queued ',
        '3..3(1) queued ',
        '4..4(1) queued ',
        `next ${minute(5)} spent 5`,
      ],
    },
    {
      title: '[MF-3, OV-5] catchUp and coalesce',
      change: { misfire: 'catchUp', overlap: 'coalesce' },
      records: ['1..1(1) queued ', '2..4(3) skipped coalesced', `next ${minute(5)} spent 3`],
    },
    {
      title: '[MF-1, TB-1] skip with one left',
      change: { misfire: 'skip', overlap: 'queue', maxOccurrences: 2 },
      records: ['1..9(9) queued ', 'next undefined spent 2'],
    },
    {
      title: '[MF-3, TB-1] catchUp with two left',
      change: { misfire: 'catchUp', overlap: 'queue', maxOccurrences: 3 },
      records: ['1..1(1) queued ', '2..2(1) queued ', '3..9(7) skipped budgetSpent', 'next undefined spent 3'],
    },
    {
      title: '[MF-5, MF-2] runOnce with a limit of lateness',
      change: { misfire: 'runOnce', overlap: 'queue', maxLatenessSeconds: 120 },
      records: ['1..7(7) skipped tooLate', '8..9(2) queued ', `${next} spent 3`],
    },
  ] as const;
  it.each(rows)('$title', ({ change, records }) => {
    expect(real({ ...cell, ...change })).toEqual(records);
    expect(expected({ ...cell, ...change })).toEqual(records);
  });
});
