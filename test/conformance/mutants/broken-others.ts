/**
 * Locks, clocks and evidence that break one clause each, made from good ones.
 */
import { memoryData } from '../../../src/adapters/memory-data.js';
import { memoryEvidence } from '../../../src/adapters/memory-evidence.js';
import { memoryLock } from '../../../src/adapters/memory-lock.js';
import type { Clock } from '../../../src/ports/clock.js';
import type { Evidence } from '../../../src/ports/evidence.js';
import type { Lease, OwnerLock } from '../../../src/ports/owner-lock.js';
import { clockContract } from '../../../src/testing/contracts/clock-contract.js';
import type { ContractCase } from '../../../src/testing/contracts/contract-case.js';
import { evidenceContract } from '../../../src/testing/contracts/evidence-contract.js';
import { lockContract } from '../../../src/testing/contracts/lock-contract.js';
import { manualClock } from '../../../src/testing/manual-clock.js';

/** A broken adapter, judged by the contract of its port. */
export interface BrokenAdapter {
  readonly what: string;
  readonly clause: string;
  readonly cases: readonly ContractCase[];
}

function lock(clause: string, what: string, breaks: (good: OwnerLock) => Partial<OwnerLock>): BrokenAdapter {
  const cases = lockContract(async () => {
    const data = memoryData();
    const handle = (): OwnerLock => {
      const good = memoryLock(data);
      const { capabilities } = good;
      const bound = {
        capabilities,
        acquire: () => good.acquire(),
        status: () => good.status(),
        close: () => good.close(),
      };
      return { ...bound, ...breaks(good) };
    };
    return { lock: handle(), another: async () => handle(), close: () => data.dispose() };
  });
  return { clause, what, cases };
}

function lease(clause: string, what: string, breaks: (good: Lease) => Partial<Lease>): BrokenAdapter {
  return lock(clause, what, (good) => ({
    acquire: async () => {
      const result = await good.acquire();
      if (result.kind === 'held') return result;
      return { kind: 'acquired', lease: { ...result.lease, ...breaks(result.lease) } };
    },
  }));
}

function clock(clause: string, what: string, breaks: (good: Clock) => Partial<Clock>): BrokenAdapter {
  const cases = clockContract(async () => {
    const good = manualClock('2026-03-01T08:00:00Z');
    const bound: Clock = {
      capabilities: good.capabilities,
      now: () => good.now(),
      monotonic: () => good.monotonic(),
      sleep: (ms, options) => good.sleep(ms, options),
    };
    return { clock: { ...bound, ...breaks(bound) }, advance: (ms) => good.advance(ms), close: async () => {} };
  });
  return { clause, what, cases };
}

function evidence(clause: string, what: string, breaks: (good: Evidence) => Partial<Evidence>): BrokenAdapter {
  const cases = evidenceContract(async () => {
    const data = memoryData();
    const good = memoryEvidence(data);
    const bound: Evidence = {
      capabilities: good.capabilities,
      begin: (...given) => good.begin(...given),
      finish: (...given) => good.finish(...given),
      attempts: (...given) => good.attempts(...given),
      attempted: (...given) => good.attempted(...given),
      read: (...given) => good.read(...given),
    };
    return { evidence: { ...bound, ...breaks(good) }, close: () => data.dispose() };
  });
  return { clause, what, cases };
}

/** The broken adapters, at least one for each clause that the kit can look at. */
export const BROKEN_OTHERS: readonly BrokenAdapter[] = [
  lock('L-1', 'has two holders', () => {
    const other = memoryLock();
    return { acquire: () => other.acquire() };
  }),
  lock('L-2', 'promises what nobody can look at', () => ({
    capabilities: { isSharedBetweenProcesses: true, diesWithProcess: true },
  })),
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
  evidence('E-5', 'lists no attempts', () => ({ attempts: async () => [] })),
];

/** Leases of the lock that any lease releases. */
const last: Lease[] = [];

async function releaseAll(): Promise<void> {
  for (const one of last.splice(0)) await one.release();
}
