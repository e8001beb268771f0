/**
 * A store that notes outside of the disk what its callers are told: commits that were made, and commits that were not.
 *
 * Each commit that is tried carries a mark of its own (as its actor), so that one whose caller was told that nothing was
 * committed can be looked for in the journal.
 */
import type { CommitBatch, ScheduleStore } from '../../../src/ports/schedule-store.js';
import type { Ledger } from '../audit/ledger.js';
import { codeOf } from './sim-process.js';

/** Codes that promise that nothing was committed. */
export const NOTHING_COMMITTED: readonly string[] = [
  'SCHEDULE_STORE_UNAVAILABLE',
  'SCHEDULE_CONTENTION',
  'SCHEDULE_ABORTED',
  'SCHEDULE_CLOSED',
];

/** See the head of this file. */
export function toldStore(store: ScheduleStore, ledger: Ledger, by: string): ScheduleStore {
  return {
    capabilities: store.capabilities,
    changes: (since, options) => store.changes(since, options),
    history: (query, options) => store.history(query, options),
    document: (digest, options) => store.document(digest, options),
    watch: (onChange) => store.watch(onChange),
    close: () => store.close(),
    async commit(batch: CommitBatch, options) {
      const mark = ledger.nextMark();
      try {
        const result = await store.commit({ ...batch, actor: mark }, options);
        if (result.kind === 'committed') ledger.told({ ...result, by });
        else ledger.refusedCommits.set(mark, result.kind);
        return result;
      } catch (error) {
        const code = codeOf(error);
        if (NOTHING_COMMITTED.includes(code)) ledger.refusedCommits.set(mark, code);
        throw error;
      }
    },
  };
}
