/**
 * The contract of owner locks: cases for clauses L-1 to L-6 of the lock port.
 */
import assert from 'node:assert/strict';
import { epochMs } from '../../core/time/instant.js';
import type { AcquireResult, Lease, OwnerLock, OwnerReport } from '../../ports/owner-lock.js';
import {
  assertSame,
  type ContractCase,
  type ContractSubject,
  casesOf,
  holdsWithin,
  rejectsWith,
} from './contract-case.js';
import { SAMPLE_START } from './sample-catalogue.js';

/** A free lock, opened for one case. @public */
export interface OpenLock extends ContractSubject {
  /** A handle of it. */
  readonly lock: OwnerLock;
  /** One more handle of the same lock. */
  another(): Promise<OwnerLock>;
  /** Lets another process take the lock, and gives what kills that process; absent where none can take it. */
  holdElsewhere?(): Promise<{ kill(): Promise<void> }>;
  /** Lets time pass for the lock, in milliseconds; absent where its time is the machine's. */
  passTime?(ms: number): void | Promise<void>;
  /** Takes the lock away from its holder, as a person does who deletes its file; absent where nothing can. */
  takeAway?(): void | Promise<void>;
}

/** Longest real wait for a killed holder to be gone, in milliseconds. */
const DEATH_LIMIT_MS = 5000;

/** Longer than any lease lasts: a year. */
const AGES_MS = 365 * 86_400_000;

/** A lock that no other process sees has no holder to outlive. */
const OUTLIVES_NOBODY = {
  capability: 'diesWithProcess',
  isMade: ({ lock }: OpenLock) => lock.capabilities.isSharedBetweenProcesses && lock.capabilities.diesWithProcess,
};

const REPORT: OwnerReport = {
  pid: 4711,
  host: 'sample',
  epoch: 3,
  since: epochMs(SAMPLE_START),
  lastTickAt: epochMs(SAMPLE_START + 1000),
  running: ['a~1~m~one'],
};

/** The cases of the contract of owner locks, each on a lock of its own. @public */
export function lockContract(open: () => Promise<OpenLock>): readonly ContractCase[] {
  const make = casesOf(open);
  return [
    make('L-1', 'a second handle finds it held, and so does the first', async ({ lock, another }) => {
      const other = await another();
      assertTaken(await lock.acquire());
      assert.equal((await other.acquire()).kind, 'held');
      assert.equal((await lock.acquire()).kind, 'held');
    }),
    make('L-1', 'of many who ask at once, one gets it', async ({ lock, another }) => {
      const handles = [lock, await another(), await another()];
      const results = await Promise.all([...handles, ...handles].map((handle) => handle.acquire()));
      assert.equal(results.filter(({ kind }) => kind === 'acquired').length, 1);
    }),
    make(
      'L-2',
      'a killed holder frees it',
      async ({ lock, holdElsewhere }) => {
        const holder = await holdElsewhere();
        assert.equal((await lock.acquire()).kind, 'held');
        await holder.kill();
        const isFree = async () => (await lock.acquire()).kind === 'acquired';
        assert.ok(await holdsWithin(DEATH_LIMIT_MS, isFree), 'it is held by a process that is gone');
      },
      { offer: 'holdElsewhere', promise: OUTLIVES_NOBODY },
    ),
    make(
      'L-2',
      'time alone does not free it',
      async ({ lock, another, passTime }) => {
        const first = assertTaken(await lock.acquire());
        await passTime(AGES_MS);
        assert.equal((await (await another()).acquire()).kind, 'held', 'it was given away while its holder lived');
        assert.equal(first.isHeld(), true);
      },
      { offer: 'passTime' },
    ),
    make(
      'L-3',
      'a lease whose lock was taken away is held no more',
      async ({ lock, another, takeAway }) => {
        const first = assertTaken(await lock.acquire());
        await takeAway();
        assert.equal(first.isHeld(), false);
        await first.release();
        const second = assertTaken(await (await another()).acquire());
        await first.release();
        assert.equal(second.isHeld(), true);
      },
      { offer: 'takeAway' },
    ),
    make('L-3', 'a lease is held until it is released, whoever comes after', async ({ lock, another }) => {
      const first = assertTaken(await lock.acquire());
      assert.equal(first.isHeld(), true);
      await first.release();
      assert.equal(first.isHeld(), false);
      const second = assertTaken(await (await another()).acquire());
      assertSame([first.isHeld(), second.isHeld()], [false, true]);
    }),
    make('L-4', 'releasing twice takes nothing from the next holder', async ({ lock, another }) => {
      const first = assertTaken(await lock.acquire());
      await first.release();
      const second = assertTaken(await (await another()).acquire());
      await first.release();
      assert.equal(second.isHeld(), true);
      assert.equal((await lock.acquire()).kind, 'held');
    }),
    make('L-5', 'who holds it is told to everybody, and what the last one said stays', async ({ lock, another }) => {
      const other = await another();
      assertSame(await other.status(), { isHeld: false });
      const lease = assertTaken(await lock.acquire());
      assert.equal((await other.status()).isHeld, true);
      await lease.note(REPORT);
      assertSame(await other.status(), { isHeld: true, report: REPORT });
      assertSame(await other.acquire(), { kind: 'held', report: REPORT });
      await lease.release();
      assertSame(await other.status(), { isHeld: false, report: REPORT });
    }),
    make('L-6', 'closing twice is closing once, and releases', async ({ lock, another }) => {
      const other = await another();
      const lease = assertTaken(await lock.acquire());
      await lock.close();
      await lock.close();
      assert.equal(lease.isHeld(), false);
      assertTaken(await other.acquire());
      await rejectsWith('SCHEDULE_CLOSED', () => lock.acquire(), 'acquire');
    }),
  ];
}

function assertTaken(result: AcquireResult): Lease {
  if (result.kind === 'acquired') return result.lease;
  return assert.fail('a free lock must be acquired');
}
