/** What broken stores are made with: the good one in memory, and what is done otherwise to a call or to its answer. */
import type { JsonObject } from '../../../src/core/model/declaration.js';
import type { Occurrence } from '../../../src/core/model/occurrence.js';
import type { CatalogueChanges, CommitBatch, HistoryPage, ScheduleStore } from '../../../src/ports/schedule-store.js';
import { storeContract } from '../../../src/testing/contracts/store-contract.js';
import { type Breaks, durableStore } from './durable-memory.js';
import type { Mutant } from './mutant.js';

/** What a store does otherwise. */
export type Break = Breaks<ScheduleStore>;

/** A store that the contract has to refuse for a clause. */
export function broken(clause: string, what: string, breaks: Break): Mutant {
  return { clause, what, cases: storeContract(async () => durableStore(breaks)) };
}

/** Answers about the catalogue are changed. */
export function reading(change: (found: CatalogueChanges, since: number) => CatalogueChanges): Break {
  return (good) => ({ changes: async (since, options) => change(await good.changes(since, options), since) });
}

/** Commits are changed before they are made. */
export function committing(change: (batch: CommitBatch) => CommitBatch): Break {
  return (good) => ({ commit: (batch, options) => good.commit(change(batch), options) });
}

/** Pages of history are changed. */
export function paging(change: (page: HistoryPage) => HistoryPage): Break {
  return (good) => ({ history: async (query, options) => change(await good.history(query, options)) });
}

/** Records of history are changed. */
export function remembering(change: (record: Occurrence) => Occurrence): Break {
  return paging((page) => ({ ...page, records: page.records.map(change) }));
}

/** Documents are changed. */
export function documenting(change: (document: JsonObject) => JsonObject): Break {
  return (good) => ({ document: async (digest, options) => change(await good.document(digest, options)) });
}
