/**
 * Locks, clocks and evidence that break one clause each, made from good ones.
 */
import { memoryLock } from '../../../src/adapters/memory-lock.js';
import { occurrenceId } from '../../../src/core/model/occurrence.js';
import type { Clock } from '../../../src/ports/clock.js';
import type { Evidence } from '../../../src/ports/evidence.js';
import type { Lease, OwnerLock } from '../../../src/ports/owner-lock.js';
import { clockContract, type OpenClock } from '../../../src/testing/contracts/clock-contract.js';
import { evidenceContract, type OpenEvidence } from '../../../src/testing/contracts/evidence-contract.js';
import { lockContract, type OpenLock } from '../../../src/testing/contracts/lock-contract.js';
import { type Breaks, durableEvidence, durableLock, movableClock } from './durable-memory.js';
import type { Mutant } from './mutant.js';

function lock(clause: string, what: string, breaks: Breaks<OwnerLock>, ground: Partial<OpenLock> = {}): Mutant {
  return { clause, what, cases: lockContract(async () => durableLock(breaks, ground)) };
}

function lease(clause: string, what: string, breaks: (good: Lease) => Partial<Lease>): Mutant {
  return lock(clause, what, (good) => ({
    acquire: async () => {
      const result = await good.acquire();
      if (result.kind === 'held') return result;
      return { kind: 'acquired', lease: { ...result.lease, ...breaks(result.lease) } };
    },
  }));
}

/** A lock that is a lease by age. */
function agedLock(): Mutant {
  const cases = lockContract(async () => {
    let age = 0;
    const passTime = (ms: number) => {
      age += ms;
    };
    const expiring = (good: OwnerLock): Partial<OwnerLock> => {
      const other = memoryLock();
      return { acquire: () => (age > 60_000 ? other : good).acquire() };
    };
    return durableLock(expiring, { passTime });
  });
  return { clause: 'L-2', what: 'frees it by age', cases };
}

function clock(clause: string, what: string, breaks: Breaks<Clock>, ground: Partial<OpenClock> = {}): Mutant {
  return { clause, what, cases: clockContract(async () => movableClock(breaks, ground)) };
}

function evidence(clause: string, what: string, breaks: Breaks<Evidence>, ground: Partial<OpenEvidence> = {}): Mutant {
  return { clause, what, cases: evidenceContract(async () => durableEvidence(breaks, ground)) };
}

/** The broken adapters, at least one for each clause that the kit can look at. */
export const BROKEN_OTHERS: readonly Mutant[] = [
  lock('L-1', 'has two holders', () => {
    const other = memoryLock();
    return { acquire: () => other.acquire() };
  }),
  {
    clause: 'L-2',
    what: 'promises what nobody can look at',
    cases: lockContract(async () => {
      const { holdElsewhere: _, ...blind } = durableLock();
      return blind;
    }),
  },
  agedLock(),
  lease('L-3', 'has leases for ever', () => ({ isHeld: () => true })),
  lock('L-4', 'is released by any lease', (good) => ({
    acquire: async () => {
      const result = await good.acquire();
      if (result.kind === 'held') return result;
      last.push(result.lease);
      return { kind: 'acquired', lease: { ...result.lease, release: () => releaseAll() } };
    },
  })),
  lease('L-5', 'forgets reports', () => ({ note: async () => {} })),
  lock('L-6', 'keeps what it holds when it is closed', () => ({ close: async () => {} })),
  clock('C-1', 'tells fractions', (good) => ({ now: () => (good.now() + 0.5) as ReturnType<Clock['now']> })),
  clock('C-1', 'stands still', () => ({ capabilities: { isVirtual: false } })),
  clock('C-1', 'goes by itself and denies it', (good) => ({
    monotonic: () => good.monotonic() + performance.now(),
  })),
  clock('C-1', 'never steps', (good) => ({
    now: () => (Date.parse('2026-03-01T08:00:00Z') + good.monotonic()) as ReturnType<Clock['now']>,
  })),
  clock('C-2', 'steps with the wall clock', (good) => ({ monotonic: () => good.now() })),
  clock('C-2', 'goes back', (good) => ({ monotonic: () => -good.monotonic() })),
  clock('C-3', 'wakes early', (good) => ({ sleep: (ms, options) => good.sleep(Math.max(0, ms - 1), options) })),
  clock('C-3', 'is deaf while it sleeps', (good) => ({
    sleep: (ms, options) => good.sleep(ms > 1000 ? 0 : ms, ms > 1000 ? {} : options),
  })),
  clock('C-4', 'takes any wait', (good) => ({
    sleep: (ms, options) => good.sleep(ms >= 0 && ms < 2 ** 31 ? ms : 0, options),
  })),
  evidence('E-1', 'begins an attempt again', (good) => ({
    begin: async (occurrence, attempt, dispatch) => {
      const begun = await good.begin(occurrence, attempt, dispatch);
      return begun === 'exists' ? { directory: `/tmp/${attempt}` } : begun;
    },
  })),
  evidence('E-1', 'forgets attempts when its process dies', () => ({}), {
    reopen: async () => durableEvidence().evidence,
  }),
  evidence('E-1', 'forgets attempts in a power cut', () => ({}), { cutPower: async () => durableEvidence().evidence }),
  evidence('E-1', 'lets two begin who begin together', (good) => ({
    begin: async (occurrence, attempt, dispatch) => {
      const known = await good.attempts(occurrence);
      if (known.includes(attempt)) return 'exists';
      const begun = await good.begin(occurrence, attempt, dispatch);
      return begun === 'exists' ? { directory: `/tmp/${occurrence}/${attempt}` } : begun;
    },
  })),
  evidence('E-2', 'loses results', () => ({ finish: async () => {} })),
  evidence('E-3', 'makes evidence up', (good) => ({
    read: async (occurrence) => (await good.read(occurrence)) ?? { occurrence, directory: '/tmp', attempts: [] },
  })),
  evidence('E-4', 'puts everything into one place', (good) => ({
    begin: async (...given) => {
      const begun = await good.begin(...given);
      return begun === 'exists' ? begun : { directory: '/tmp/one' };
    },
  })),
  evidence('E-4', 'goes wherever an id leads', (good) => ({
    read: async (occurrence) => {
      const kept = await good.read(occurrence);
      return kept === undefined || !occurrence.includes('/') ? kept : { ...kept, directory: `/srv/${occurrence}` };
    },
  })),
  evidence('E-5', 'lists no attempts', () => ({ attempts: async () => [] })),
  evidence('E-6', 'begins a due instant under every revision', (good) => ({
    begin: async (occurrence, attempt, dispatch) => {
      const begun = await good.begin(occurrence, attempt, dispatch);
      const isOwn = occurrence.includes('~m~') || (await good.attempts(occurrence)).includes(attempt);
      return begun === 'exists' && !isOwn ? { directory: `/tmp/${occurrence}` } : begun;
    },
  })),
  evidence('E-6', 'begins a request of a newer revision again', (good) => ({
    begin: async (occurrence, attempt, dispatch) => {
      const begun = await good.begin(occurrence, attempt, dispatch);
      const isOwn = !occurrence.includes('~m~') || (await good.attempts(occurrence)).includes(attempt);
      return begun === 'exists' && !isOwn ? { directory: `/tmp/${occurrence}` } : begun;
    },
  })),
  evidence('E-6', 'knows one revision when it lists instants', (good) => ({
    attempted: async (id, from) => {
      const all = await good.attempted(id, from);
      const attempts = await Promise.all(all.map((at) => good.attempts(occurrenceId(id, 1, at))));
      return all.filter((_, index) => attempts[index]?.length !== 0);
    },
  })),
];

/** Leases of the lock that any lease releases. */
const last: Lease[] = [];

async function releaseAll(): Promise<void> {
  for (const one of last.splice(0)) await one.release();
}
