/**
 * Stores that number commits wrong, or let through what they should refuse, where it is easily passed over (S-1 to S-4).
 */
import { foldId } from '../../../src/core/model/catalogue.js';
import type { CommitBatch, ScheduleStore } from '../../../src/ports/schedule-store.js';
import { type Break, broken, committing, reading } from './breaking-store.js';
import type { Mutant } from './mutant.js';

/** Sees no key in commits of one kind: what is refused for the keys of such commits alone is committed. */
function blindTo(isUnseen: (batch: CommitBatch, good: ScheduleStore) => boolean | Promise<boolean>): Break {
  return (good) => {
    /** Numbers of the commits whose keys it sees. */
    const seen: number[] = [];
    return {
      commit: async (batch, options) => {
        const isSeen = !(await isUnseen(batch, good));
        let result = await good.commit(batch, options);
        if (result.kind === 'conflict' && batch.reads.keys.length > 0) {
          const isRight = seen.some((one) => one > batch.since);
          if (!isRight) result = await good.commit({ ...batch, reads: { ...batch.reads, keys: [] } }, options);
        }
        if (result.kind === 'committed' && isSeen) seen.push(result.seq);
        return result;
      },
    };
  };
}

/** Whether a commit takes the quarantine of a schedule away. */
async function lifts({ changes }: CommitBatch, good: ScheduleStore): Promise<boolean> {
  const { schedules } = await good.changes(0);
  const held = new Set(
    schedules.flatMap(({ entry: { schedule } }) => (schedule.quarantine ? [foldId(schedule.id)] : [])),
  );
  return changes.some(
    (change) =>
      change.kind === 'schedule' && change.schedule.quarantine === undefined && held.has(foldId(change.schedule.id)),
  );
}

/** The commits of new owners have the number of the one before. */
function countingNoOwners(good: ScheduleStore): Partial<ScheduleStore> {
  /** Numbers that the good store gave to new owners. */
  const raises: number[] = [];
  const told = (seq: number) => seq - raises.filter((one) => one <= seq).length;
  const meant = (seq: number) => raises.reduce((real, one) => (one <= real + 1 ? real + 1 : real), seq);
  return {
    changes: async (since, options) => {
      const found = await good.changes(since === 0 ? 0 : meant(since), options);
      const schedules = found.schedules.map((stored) => ({ ...stored, changeSeq: told(stored.changeSeq) }));
      return { ...found, seq: told(found.seq), schedules };
    },
    commit: async (batch, options) => {
      const result = await good.commit({ ...batch, since: meant(batch.since) }, options);
      if (result.kind === 'committed' && batch.raisesEpoch === true) raises.push(result.seq);
      return result.kind === 'fenced' ? result : { ...result, seq: told(result.seq) };
    },
  };
}

/** The mutants. */
export const BROKEN_COMMITS: readonly Mutant[] = [
  broken(
    'S-1',
    'has no place for the plan of a retry',
    reading((found) => ({
      ...found,
      schedules: found.schedules.map(({ entry, ...stored }) => ({
        ...stored,
        entry: { ...entry, pending: entry.pending.map(({ plan: _, ...rest }) => rest) },
      })),
    })),
  ),
  broken(
    'S-1',
    'has no place for what a resume owes',
    committing((batch) => ({
      ...batch,
      changes: batch.changes.map((change) => {
        if (change.kind !== 'schedule') return change;
        const { resume: _, ...schedule } = change.schedule;
        return { ...change, schedule };
      }),
    })),
  ),
  broken(
    'S-1',
    'has no place for the stop of the clock',
    reading((found) => {
      const { clockStop: _, ...row } = found.row;
      return { ...found, row };
    }),
  ),
  broken('S-2', 'gives a new owner the number of the commit before', countingNoOwners),
  broken(
    'S-3',
    'sees no key in a pause',
    blindTo(({ changes }) => !changes.some(({ kind }) => kind === 'occurrence')),
  ),
  broken('S-3', 'sees no key in a quarantine that is lifted', blindTo(lifts)),
  broken('S-4', 'takes a new owner that names no epoch', (good) => ({
    commit: async (batch, options) => {
      if (batch.raisesEpoch !== true || batch.epoch !== undefined) return await good.commit(batch, options);
      const { epoch } = await good.changes(0);
      return await good.commit({ ...batch, epoch }, options);
    },
  })),
];
