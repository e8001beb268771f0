/**
 * Stores that break what they promise about the death of a process, a power cut and a spoiled disk.
 */
import { memoryData } from '../../../src/adapters/memory-data.js';
import { memoryStore } from '../../../src/adapters/memory-store.js';
import { ScheduleError } from '../../../src/errors.js';
import type { CommitBatch, ScheduleStore } from '../../../src/ports/schedule-store.js';
import type { OpenStore } from '../../../src/testing/contracts/store/open-store.js';
import { storeContract } from '../../../src/testing/contracts/store-contract.js';
import { boundStore, durableStore } from './durable-memory.js';
import type { Mutant } from './mutant.js';

/** What of the commits that were acknowledged is found after a restart. */
type Survivors = (batches: readonly CommitBatch[]) => readonly CommitBatch[];

const lastLost: Survivors = (batches) => batches.slice(0, -1);
const lastHalved: Survivors = (batches) => [
  ...batches.slice(0, -1),
  ...batches.slice(-1).map((batch) => ({ ...batch, changes: batch.changes.slice(0, 1) })),
];

/** A store that is opened anew with the commits that survive. */
function losing(clause: string, what: string, when: 'reopen' | 'cutPower', survivors: Survivors): Mutant {
  return mutant(clause, what, () => {
    const batches: CommitBatch[] = [];
    const noted = (good: ScheduleStore): Partial<ScheduleStore> => ({
      commit: async (batch, options) => {
        const result = await good.commit(batch, options);
        if (result.kind === 'committed') batches.push(structuredClone(batch));
        return result;
      },
    });
    const restart = async () => {
      const store = memoryStore(memoryData());
      for (const batch of survivors(batches)) await store.commit(batch);
      const good = boundStore(store);
      return { ...good, ...noted(good) };
    };
    return durableStore(noted, { [when]: restart });
  });
}

function mutant(clause: string, what: string, open: () => OpenStore): Mutant {
  return { clause, what, cases: storeContract(async () => open()) };
}

/** A store that does something of its own while its disk is spoiled, and once it was. */
function spoiling(
  what: string,
  commit: (good: ScheduleStore, batch: CommitBatch, isSpoiled: boolean) => unknown,
): Mutant {
  return mutant('S-12', what, () => {
    let isSpoiled = false;
    const spoilWrites = async () => {
      isSpoiled = true;
      return () => {
        isSpoiled = false;
      };
    };
    const breaks = (good: ScheduleStore) => ({
      commit: async (batch: CommitBatch) => (await commit(good, batch, isSpoiled)) as never,
    });
    return durableStore(breaks, { spoilWrites });
  });
}

const full = new ScheduleError('SCHEDULE_STORE_UNAVAILABLE', 'The disk is full.');

/** The broken stores. */
export const BROKEN_DURABILITY: readonly Mutant[] = [
  mutant('S-5', 'promises to survive a death that nobody can look at', () => {
    const { reopen: _, ...blind } = durableStore();
    return blind;
  }),
  mutant('S-5', 'promises to survive a power cut that nobody can look at', () => {
    const { cutPower: _, ...blind } = durableStore();
    return blind;
  }),
  mutant('S-5', 'promises to be shared and lets nobody share', () => {
    const { another: _, ...blind } = durableStore();
    return blind;
  }),
  losing('S-5', 'acknowledges before it writes', 'reopen', lastLost),
  losing('S-5', 'acknowledges before it flushes', 'cutPower', lastLost),
  losing('S-1', 'has half of a commit on its disk', 'cutPower', lastHalved),
  losing('S-2', 'counts anew after a restart', 'reopen', () => []),
  losing('S-14', 'has request ids in memory alone', 'reopen', (batches) =>
    batches.map((batch) => ({
      ...batch,
      changes: batch.changes.map((change) => {
        if (change.kind !== 'occurrence') return change;
        const { isRequestKept: _, ...occurrence } = change.occurrence;
        return { ...change, occurrence };
      }),
    })),
  ),
  spoiling('acknowledges what it could not write', async (good, batch, isSpoiled) => {
    if (isSpoiled) return { kind: 'committed', seq: (await good.changes(0)).seq + 1, hash: '' };
    return await good.commit(batch);
  }),
  spoiling('has an effect, and then says that it failed', async (good, batch, isSpoiled) => {
    const result = await good.commit(batch);
    if (isSpoiled) throw full;
    return result;
  }),
  spoiling('never gets well again', async (good, batch, isSpoiled) => {
    if (isSpoiled) spoilt.add(good);
    if (spoilt.has(good)) throw full;
    return await good.commit(batch);
  }),
  spoiling('makes the commit later that it could not make', async (good, batch, isSpoiled) => {
    if (isSpoiled) {
      late.set(good, batch);
      throw full;
    }
    const owed = late.get(good);
    late.delete(good);
    if (owed !== undefined) await good.commit(owed);
    return await good.commit(batch);
  }),
  spoiling('says of a full disk what it says of a bug', async (good, batch, isSpoiled) => {
    if (isSpoiled) throw new TypeError('undefined is not a function');
    return await good.commit(batch);
  }),
];

const spoilt = new WeakSet<ScheduleStore>();
const late = new WeakMap<ScheduleStore, CommitBatch>();
