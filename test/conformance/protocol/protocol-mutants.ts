/**
 * Mutants of the protocol: one port between the runtime and its machine does not keep a clause, and the case of the protocol
 * that has to notice.
 */
import { memoryLock } from '../../../src/adapters/memory-lock.js';
import type { CommitBatch } from '../../../src/ports/schedule-store.js';
import type { Mutant } from '../mutants/mutant.js';
import { observerCases } from './observer-cases.js';
import { ownerCases } from './owner-cases.js';
import type { Broken } from './world.js';

function owner(clause: string, what: string, broken: () => Broken): Mutant {
  return { clause, what, cases: lazily(() => ownerCases(broken()), ownerCases()) };
}

function teller(clause: string, what: string, broken: () => Broken): Mutant {
  return { clause, what, cases: lazily(() => observerCases(broken()), observerCases()) };
}

/** Each case on a mutant of its own, so that none inherits what another one did. */
function lazily(make: () => Mutant['cases'], names: Mutant['cases']): Mutant['cases'] {
  return names.map((one, index) => ({ ...one, run: async () => (await make()[index]?.run()) ?? { kind: 'held' } }));
}

function isClaim({ changes }: CommitBatch): boolean {
  return changes.some((change) => change.kind === 'occurrence' && change.occurrence.status === 'running');
}

/** The mutants. */
export const PROTOCOL_MUTANTS: readonly Mutant[] = [
  owner('S-5', 'flushes each commit with the next one', () => ({ durable: (batches) => batches.slice(0, -1) })),
  owner('X-2', 'keeps claims in memory until something else is written', () => ({
    durable: (batches) => {
      const last = batches.findLastIndex((batch) => !isClaim(batch));
      return batches.slice(0, last + 1);
    },
  })),
  owner('X-2', 'dispatches an attempt twice', () => ({
    execution: (good) => ({
      execute: async (request) => {
        await good.execute(request);
        return await good.execute(request);
      },
    }),
  })),
  owner('X-2', 'runs another plan than the one that it keeps', () => ({
    execution: (good) => ({
      execute: (request) => good.execute({ ...request, plan: { ...request.plan, digest: `sha256:${'0'.repeat(64)}` } }),
    }),
  })),
  owner('S-3', 'commits without looking for conflicts', () => ({
    store: (good) => ({
      commit: (batch, options) => good.commit({ ...batch, reads: { schedules: [], keys: [], row: false } }, options),
    }),
  })),
  owner('L-1', 'lets two owners in', () => ({
    lock: () => {
      const alone = memoryLock();
      return { acquire: () => alone.acquire(), status: () => alone.status() };
    },
  })),
  // A former owner would notice at its next reading as well: this store hides the new epoch from it.
  owner('S-4', 'neither compares epochs nor tells of a newer one', () => ({
    store: (good) => {
      let own: number | undefined;
      return {
        commit: async ({ epoch, ...batch }, options) => {
          if (batch.raisesEpoch !== true || epoch === undefined) return await good.commit(batch, options);
          const result = await good.commit({ ...batch, epoch }, options);
          if (result.kind === 'committed') own = epoch + 1;
          return result;
        },
        changes: async (since, options) => {
          const found = await good.changes(since, options);
          return own === undefined ? found : { ...found, epoch: own };
        },
      };
    },
  })),
  owner('E-1', 'begins an attempt again', () => ({
    evidence: (good) => ({
      begin: async (...given) => {
        const begun = await good.begin(...given);
        return begun === 'exists' ? { directory: '/tmp' } : begun;
      },
    }),
  })),
  owner('E-1', 'keeps no evidence at all', () => ({
    evidence: () => ({
      begin: async () => ({ directory: '/tmp' }),
      finish: async () => {},
      attempts: async () => [],
      attempted: async () => [],
    }),
  })),
  teller('O-1', 'tells of commits before they are flushed', () => ({ durable: (batches) => batches.slice(0, -1) })),
  teller('O-2', 'tells every second event late', () => ({
    observer: (good) => {
      let waiting: Parameters<typeof good>[0] | undefined;
      return (event) => {
        if (waiting === undefined) {
          waiting = event;
          return;
        }
        good(event);
        good(waiting);
        waiting = undefined;
      };
    },
  })),
  teller('O-3', 'lets an observer that throws spoil the work', () => {
    let isSpoiled = false;
    return {
      observer: (good) => (event) => {
        try {
          good(event);
        } catch (error) {
          isSpoiled = true;
          throw error;
        }
      },
      execution: (good) => ({
        execute: async (request) => {
          if (isSpoiled) throw new Error('spoiled');
          return await good.execute(request);
        },
      }),
    };
  }),
  teller('O-3', 'hides what an observer throws', () => ({
    observer: (good) => (event) => {
      try {
        good(event);
      } catch {
        // Nobody hears of it: that is the fault.
      }
    },
  })),
  teller('O-4', 'tells numbers where texts are promised', () => ({
    observer: (good) => (event) => good({ ...event, at: Date.parse(event.at) as never }),
  })),
];
