/**
 * Adapters in memory that play durable ones: the data is the disk, handles come and go. They promise everything and give
 * everything that a contract asks for, so that every case judges what is made from them.
 */
import { contentOf, memoryData } from '../../../src/adapters/memory-data.js';
import { memoryEvidence } from '../../../src/adapters/memory-evidence.js';
import { memoryLock } from '../../../src/adapters/memory-lock.js';
import { memoryStore } from '../../../src/adapters/memory-store.js';
import { ScheduleError } from '../../../src/errors.js';
import type { Clock } from '../../../src/ports/clock.js';
import type { Evidence } from '../../../src/ports/evidence.js';
import type { OwnerLock } from '../../../src/ports/owner-lock.js';
import type { ScheduleStore } from '../../../src/ports/schedule-store.js';
import type { OpenClock } from '../../../src/testing/contracts/clock-contract.js';
import type { OpenEvidence } from '../../../src/testing/contracts/evidence-contract.js';
import type { OpenLock } from '../../../src/testing/contracts/lock-contract.js';
import type { OpenStore } from '../../../src/testing/contracts/store/open-store.js';
import { manualClock } from '../../../src/testing/manual-clock.js';

/** What a mutant does otherwise; it is asked for each handle. */
export type Breaks<Port> = (good: Port) => Partial<Port>;

/** A store; `ground` stands in for what else the contract is given. */
export function durableStore(breaks: Breaks<ScheduleStore> = () => ({}), ground: Partial<OpenStore> = {}): OpenStore {
  const data = memoryData();
  let isSpoiled = false;
  const handle = () => {
    const good = boundStore(memoryStore(data), () => isSpoiled);
    return { ...good, ...breaks(good) };
  };
  const another = async () => handle();
  const spoilWrites = async () => {
    isSpoiled = true;
    return () => {
      isSpoiled = false;
    };
  };
  const close = () => data.dispose();
  return { store: handle(), another, reopen: another, cutPower: another, spoilWrites, close, ...ground };
}

/** The members of a store, which promises everything; while it is spoiled no commit is written. */
export function boundStore(store: ScheduleStore, isSpoiled: () => boolean = () => false): ScheduleStore {
  return {
    capabilities: { isSharedBetweenProcesses: true, survivesProcessDeath: true, survivesPowerLoss: true },
    changes: (...given) => store.changes(...given),
    commit: async (...given) => {
      if (isSpoiled()) throw new ScheduleError('SCHEDULE_STORE_UNAVAILABLE', 'The disk is full.');
      return await store.commit(...given);
    },
    history: (...given) => store.history(...given),
    document: (...given) => store.document(...given),
    watch: (onChange) => store.watch(onChange),
    close: () => store.close(),
  };
}

/** A lock, whose holders elsewhere are killed by giving their seat back. */
export function durableLock(breaks: Breaks<OwnerLock> = () => ({}), ground: Partial<OpenLock> = {}): OpenLock {
  const data = memoryData();
  const handle = (): OwnerLock => {
    const good = memoryLock(data);
    const bound: OwnerLock = {
      capabilities: { isSharedBetweenProcesses: true, diesWithProcess: true },
      acquire: (...given) => good.acquire(...given),
      status: (...given) => good.status(...given),
      close: () => good.close(),
    };
    return { ...bound, ...breaks(bound) };
  };
  const holdElsewhere = async () => {
    const elsewhere = memoryLock(data);
    await elsewhere.acquire();
    return { kill: () => elsewhere.close() };
  };
  return {
    lock: handle(),
    another: async () => handle(),
    holdElsewhere,
    passTime: () => {},
    takeAway: () => {
      delete contentOf(data).seat.lease;
    },
    close: () => data.dispose(),
    ...ground,
  };
}

/** Evidence. */
export function durableEvidence(
  breaks: Breaks<Evidence> = () => ({}),
  ground: Partial<OpenEvidence> = {},
): OpenEvidence {
  const data = memoryData();
  const handle = (): Evidence => {
    const good = memoryEvidence(data);
    const bound: Evidence = {
      capabilities: { isDurable: true },
      begin: (...given) => good.begin(...given),
      finish: (...given) => good.finish(...given),
      attempts: (...given) => good.attempts(...given),
      attempted: (...given) => good.attempted(...given),
      read: (...given) => good.read(...given),
    };
    return { ...bound, ...breaks(bound) };
  };
  const reopen = async () => handle();
  return { evidence: handle(), reopen, cutPower: reopen, close: () => data.dispose(), ...ground };
}

/** A clock that a test moves and steps. */
export function movableClock(breaks: Breaks<Clock> = () => ({}), ground: Partial<OpenClock> = {}): OpenClock {
  const good = manualClock('2026-03-01T08:00:00Z');
  const bound: Clock = {
    capabilities: good.capabilities,
    now: () => good.now(),
    monotonic: () => good.monotonic(),
    sleep: (ms, options) => good.sleep(ms, options),
  };
  return {
    clock: { ...bound, ...breaks(bound) },
    advance: (ms) => good.advance(ms),
    step: (ms) => good.step(ms),
    close: async () => {},
    ...ground,
  };
}
