/**
 * Stores that break one clause each, made from the good one in memory, and the clause that has to catch them.
 *
 * A clause that no mutant can fail is decoration: this table is what the contract of stores is measured with.
 */
import type { DeletedMark } from '../../../src/core/model/catalogue.js';
import type { Schedule } from '../../../src/core/model/schedule.js';
import type {
  CatalogueChanges,
  CommitBatch,
  HistoryPage,
  ScheduleStore,
  StoredEntry,
} from '../../../src/ports/schedule-store.js';
import { broken, committing, paging, reading } from './breaking-store.js';
import type { Mutant } from './mutant.js';

/** The first commit is cut in two, so that what reads in between sees half of it. */
function halving(good: ScheduleStore): Partial<ScheduleStore> {
  return {
    commit: async (batch, options) => {
      const half = { ...batch, changes: batch.changes.slice(0, 1) };
      const first = await good.commit(half, options);
      if (batch.changes.length < 2 || first.kind !== 'committed') return first;
      await new Promise((resolve) => setImmediate(resolve));
      const { epoch: _, raisesEpoch: __, ...rest } = batch;
      return await good.commit({ ...rest, since: first.seq, changes: batch.changes.slice(1) }, options);
    },
  };
}

function withoutSpread({ entry, ...stored }: StoredEntry): StoredEntry {
  const { definition } = entry.schedule;
  const { spreadSeconds: _, ...declaration } = definition.declaration;
  const schedule = { ...entry.schedule, definition: { ...definition, declaration } };
  return { ...stored, entry: { ...entry, schedule } };
}

/** The broken stores, at least one for each clause of the port. */
export const BROKEN_STORES: readonly Mutant[] = [
  broken('S-1', 'commits in two halves', halving),
  broken(
    'S-1',
    'commits everything but the row',
    committing((batch) => ({ ...batch, changes: batch.changes.filter(({ kind }) => kind !== 'row') })),
  ),
  broken(
    'S-1',
    'forgets the spread of a schedule',
    reading((found) => ({ ...found, schedules: found.schedules.map(withoutSpread) })),
  ),
  broken('S-2', 'spends a number on a refusal', (good) => ({
    commit: async (batch, options) => {
      const result = await good.commit(batch, options);
      if (result.kind === 'conflict') await good.commit({ ...batch, since: result.seq, changes: [] });
      return result;
    },
  })),
  broken(
    'S-3',
    'looks at no schedule',
    committing((batch) => ({ ...batch, reads: { ...batch.reads, schedules: [] } })),
  ),
  broken(
    'S-3',
    'looks at no key',
    committing((batch) => ({ ...batch, reads: { ...batch.reads, keys: [] } })),
  ),
  broken(
    'S-3',
    'does not look at the row',
    committing((batch) => ({ ...batch, reads: { ...batch.reads, row: false } })),
  ),
  broken('S-3', 'does not see that a schedule is gone', (good) => ({
    commit: async (batch, options) => {
      const { schedules } = await good.changes(0);
      const ids = schedules.map(({ entry }) => entry.schedule.id.toLowerCase());
      const reads = { ...batch.reads, schedules: batch.reads.schedules.filter((id) => ids.includes(id)) };
      return await good.commit({ ...batch, reads }, options);
    },
  })),
  broken('S-4', 'lets a new owner come after any other', (good) => ({
    commit: async (batch, options) => {
      const result = await good.commit(batch, options);
      if (result.kind !== 'fenced' || batch.raisesEpoch !== true) return result;
      return await good.commit({ ...batch, epoch: result.epoch }, options);
    },
  })),
  broken(
    'S-4',
    'lets every owner commit',
    committing(({ epoch, ...batch }) =>
      batch.raisesEpoch === true && epoch !== undefined ? { ...batch, epoch } : batch,
    ),
  ),
  broken('S-5', 'keeps the objects of its writers', (good) => {
    const written = new Map<string, Schedule>();
    return {
      commit: (batch, options) => {
        for (const change of batch.changes)
          if (change.kind === 'schedule') written.set(change.schedule.id, change.schedule);
        return good.commit(batch, options);
      },
      changes: async (since) => {
        const found = await good.changes(since);
        const schedules = found.schedules.map(({ entry, ...stored }) => {
          const schedule = written.get(entry.schedule.id) ?? entry.schedule;
          return { ...stored, entry: { ...entry, schedule } };
        });
        return { ...found, schedules };
      },
    };
  }),
  broken('S-5', 'reads what it read first', (good) => {
    let first: Promise<CatalogueChanges> | undefined;
    let commits = 0;
    return {
      changes: (since) => {
        if (commits > 0) return good.changes(since);
        first ??= good.changes(since);
        return first;
      },
      commit: (batch, options) => {
        commits += 1;
        return good.commit(batch, options);
      },
    };
  }),
  broken(
    'S-6',
    'forgets the schedule that changed first',
    reading((found, since) => (since === 0 ? found : { ...found, schedules: found.schedules.slice(1) })),
  ),
  broken(
    'S-6',
    'tells the newest work first',
    reading((found) => ({
      ...found,
      schedules: found.schedules.map(({ entry, ...stored }) => ({
        ...stored,
        entry: { ...entry, pending: [...entry.pending].reverse() },
      })),
    })),
  ),
  broken('S-7', 'gives records of every revision', (good) => ({
    history: ({ revision: _, ...query }) => good.history(query),
  })),
  broken(
    'S-7',
    'tells history oldest first',
    paging((page) => ({ ...page, records: [...page.records].reverse() })),
  ),
  broken(
    'S-7',
    'loses verdicts',
    paging((page) => ({ ...page, records: page.records.map(({ verdict: _, ...record }) => record) })),
  ),
  broken(
    'S-8',
    'keeps no mark',
    reading((found) => ({ ...found, marks: [] })),
  ),
  broken('S-8', 'remembers the dead for ever', (good) => {
    let marks: readonly DeletedMark[] = [];
    return {
      changes: async (since) => {
        const found = await good.changes(since);
        marks = found.marks.length > 0 ? found.marks : marks;
        return { ...found, marks };
      },
    };
  }),
  broken('S-8', 'keeps the history of the dead', (good) => {
    let last: HistoryPage | undefined;
    return {
      history: async (query) => {
        const page = await good.history(query);
        last = page.records.length > 0 ? page : last;
        return page.records.length === 0 && last !== undefined ? last : page;
      },
      commit: async (batch, options) => {
        for (const change of batch.changes) {
          if (change.kind === 'remove') last = await good.history({ scheduleId: change.mark.id, limit: 9 });
        }
        return await good.commit(batch, options);
      },
    };
  }),
  broken('S-9', 'gives another document', (good) => ({
    document: async (digest) => ({ ...(await good.document(digest)), text: 'groesser' }),
  })),
  broken('S-9', 'finds documents that nobody gave', (good) => ({
    document: (digest) => good.document(digest).catch(() => ({})),
  })),
  broken('S-10', 'tells watchers that have stopped', (good) => ({
    watch: (onChange) => {
      good.watch(onChange);
      return () => {};
    },
  })),
  broken('S-10', 'tells nobody', () => ({ watch: () => () => {} })),
  broken('S-11', 'can be used after it was closed', () => ({ close: async () => {} })),
  broken('S-12', 'ignores signals', (good) => ({ commit: (batch) => good.commit(batch) })),
  broken(
    'S-14',
    'forgets request ids with the records',
    reading((found) => ({ ...found, schedules: found.schedules.map(({ requests: _, ...stored }) => stored) })),
  ),
  broken('S-14', 'keeps request ids over revisions', (good) => {
    let known: readonly string[] = [];
    return {
      changes: async (since) => {
        const found = await good.changes(since);
        known = [...new Set([...known, ...found.schedules.flatMap(({ requests = [] }) => requests)])];
        return { ...found, schedules: found.schedules.map((stored) => ({ ...stored, requests: known })) };
      },
    };
  }),
  broken('S-13', 'remembers the time of the last commit', (good) => {
    let last: CommitBatch['at'] | undefined;
    return {
      commit: (batch, options) => {
        last = batch.at;
        return good.commit(batch, options);
      },
      changes: async (since) => ({
        ...(await good.changes(since)),
        ...(last === undefined ? {} : { lastSeenAt: last }),
      }),
    };
  }),
];
