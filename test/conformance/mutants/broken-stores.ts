/**
 * Stores that break one clause each, made from the good one in memory, and the clause that has to catch them.
 *
 * A clause that no mutant can fail is decoration: this table is what the contract of stores is measured with.
 */
import { memoryData } from '../../../src/adapters/memory-data.js';
import { memoryStore } from '../../../src/adapters/memory-store.js';
import type { CatalogueChanges, CommitBatch, HistoryPage, ScheduleStore } from '../../../src/ports/schedule-store.js';
import type { OpenStore } from '../../../src/testing/contracts/store/open-store.js';

/** A store that is broken in one way. */
export interface BrokenStore {
  readonly what: string;
  /** The clauses that notice it; one at least must be the first. */
  readonly clause: string;
  open(): Promise<OpenStore>;
}

type Break = (good: ScheduleStore) => Partial<ScheduleStore>;

function broken(clause: string, what: string, breaks: Break, open: Partial<OpenStore> = {}): BrokenStore {
  return {
    clause,
    what,
    open: async () => {
      const data = memoryData();
      const handle = () => {
        const good = memoryStore(data);
        return { ...bound(good), ...breaks(good) };
      };
      return { store: handle(), another: async () => handle(), close: () => data.dispose(), ...open };
    },
  };
}

function bound(store: ScheduleStore): ScheduleStore {
  return {
    capabilities: store.capabilities,
    changes: (...given) => store.changes(...given),
    commit: (...given) => store.commit(...given),
    history: (...given) => store.history(...given),
    document: (...given) => store.document(...given),
    watch: (onChange) => store.watch(onChange),
    close: () => store.close(),
  };
}

function reading(change: (found: CatalogueChanges, since: number) => CatalogueChanges): Break {
  return (good) => ({ changes: async (since, options) => change(await good.changes(since, options), since) });
}

function committing(change: (batch: CommitBatch) => CommitBatch): Break {
  return (good) => ({ commit: (batch, options) => good.commit(change(batch), options) });
}

function paging(change: (page: HistoryPage) => HistoryPage): Break {
  return (good) => ({ history: async (query, options) => change(await good.history(query, options)) });
}

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

/** The broken stores, at least one for each clause of the port. */
export const BROKEN_STORES: readonly BrokenStore[] = [
  broken('S-1', 'commits in two halves', halving),
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
  broken(
    'S-4',
    'lets every owner commit',
    committing(({ epoch, ...batch }) =>
      batch.raisesEpoch === true && epoch !== undefined ? { ...batch, epoch } : batch,
    ),
  ),
  broken('S-5', 'promises what nobody can look at', () => ({
    capabilities: { isSharedBetweenProcesses: false, survivesProcessDeath: true, survivesPowerLoss: false },
  })),
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
