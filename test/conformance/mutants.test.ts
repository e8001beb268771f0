/** Each broken adapter is caught by the clause that it breaks; every clause, and every case, catches one. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { clockContract } from '../../src/testing/contracts/clock-contract.js';
import type { ContractCase } from '../../src/testing/contracts/contract-case.js';
import { evidenceContract } from '../../src/testing/contracts/evidence-contract.js';
import { executionContract } from '../../src/testing/contracts/execution-contract.js';
import { lockContract } from '../../src/testing/contracts/lock-contract.js';
import { storeContract } from '../../src/testing/contracts/store-contract.js';
import { keeps } from './keeps.js';
import { BROKEN_ANSWERS } from './mutants/broken-answers.js';
import { BROKEN_COMMITS } from './mutants/broken-commits.js';
import { BROKEN_DISKS } from './mutants/broken-disks.js';
import { BROKEN_DURABILITY } from './mutants/broken-durability.js';
import { BROKEN_EXECUTION } from './mutants/broken-execution.js';
import { BROKEN_OTHERS } from './mutants/broken-others.js';
import { BROKEN_STORES } from './mutants/broken-stores.js';
import { durableEvidence, durableLock, durableStore, movableClock } from './mutants/durable-memory.js';
import { failingCases, nameOf } from './mutants/mutant.js';

const MUTANTS = [
  ...BROKEN_STORES,
  ...BROKEN_COMMITS,
  ...BROKEN_ANSWERS,
  ...BROKEN_DURABILITY,
  ...BROKEN_OTHERS,
  ...BROKEN_EXECUTION,
  ...BROKEN_DISKS,
];

/** Which cases failed on which mutant; each mutant is judged once. */
const judged = new Map<string, readonly string[]>();

const never = () => Promise.reject(new Error('nothing is opened here'));
const CONTRACTS: readonly ContractCase[] = [
  ...storeContract(never),
  ...lockContract(never),
  ...clockContract(never),
  ...evidenceContract(never),
  ...executionContract(never),
];

/** Clauses that bind the runtime and no adapter: `protocol.test.ts` judges them, with mutants of its own. */
const KEPT_BY_THE_RUNTIME = ['O-1', 'O-2', 'O-3', 'O-4', 'X-2'];

/** Numbers of the clauses at the heads of the ports. */
function clausesOfPorts(): readonly string[] {
  const ports = fileURLToPath(new URL('../../src/ports/', import.meta.url));
  return readdirSync(ports).flatMap((name) => {
    const text = readFileSync(`${ports}${name}`, 'utf8');
    return [...text.matchAll(/^ \* - ([A-Z]-\d+) /gm)].map(([, clause]) => clause ?? '');
  });
}

keeps(
  'what broken stores are made of',
  'ST-5',
  storeContract(async () => durableStore()),
);
keeps(
  'what broken locks are made of',
  'OW-1',
  lockContract(async () => durableLock()),
);
keeps(
  'what broken evidence is made of',
  'OC-8',
  evidenceContract(async () => durableEvidence()),
);
keeps(
  'what broken clocks are made of',
  'OW-3',
  clockContract(async () => movableClock()),
);

describe('mutants', () => {
  for (const { clause, what, cases } of MUTANTS) {
    it(`[ST-5, OC-7] ${clause} catches one that ${what}`, async () => {
      const failing = await failingCases(cases);
      judged.set(what, failing);
      expect(failing.map((name) => name.split(' ', 1)[0])).toContain(clause);
    });
  }

  it('[ST-5] no two mutants are the same', () => {
    expect(new Set(MUTANTS.map(({ what }) => what)).size).toBe(MUTANTS.length);
  });

  it('[ST-5] every clause of every port has a case, and every case a clause', () => {
    const clauses = new Set([...CONTRACTS.map(({ clause }) => clause), ...KEPT_BY_THE_RUNTIME]);
    expect([...clauses].sort()).toEqual([...clausesOfPorts()].sort());
  });

  it('[ST-5] every clause catches a mutant that was made to break it', () => {
    const clauses = new Set(CONTRACTS.map(({ clause }) => clause));
    expect([...clauses].sort()).toEqual([...new Set(MUTANTS.map(({ clause }) => clause))].sort());
  });

  it('[ST-5] every case catches one, so that none is decoration', () => {
    const caught = new Set([...judged.values()].flat());
    expect(CONTRACTS.map(nameOf).filter((name) => !caught.has(name))).toEqual([]);
  });
});
