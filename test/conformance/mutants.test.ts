/** Each broken adapter is caught by the clause that it breaks, and every clause catches one. */
import { AssertionError } from 'node:assert';
import { describe, expect, it } from 'vitest';
import type { ContractCase } from '../../src/testing/contracts/contract-case.js';
import { storeContract } from '../../src/testing/contracts/store-contract.js';
import { BROKEN_OTHERS } from './mutants/broken-others.js';
import { BROKEN_STORES } from './mutants/broken-stores.js';

/** Clauses of the cases that fail, in order and each once. */
async function failingClauses(cases: readonly ContractCase[]): Promise<readonly string[]> {
  const failing = new Set<string>();
  for (const { clause, run } of cases) {
    const error = await run().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error instanceof AssertionError) failing.add(clause);
  }
  return [...failing];
}

describe('mutants of the store', () => {
  for (const { clause, what, open } of BROKEN_STORES) {
    it(`[ST-5] ${clause} catches a store that ${what}`, async () => {
      expect(await failingClauses(storeContract(open))).toContain(clause);
    });
  }

  it('[ST-5] every clause catches a mutant', () => {
    const clauses = new Set(storeContract(() => Promise.reject(new Error('unused'))).map(({ clause }) => clause));
    expect([...clauses].sort()).toEqual([...new Set(BROKEN_STORES.map(({ clause }) => clause))].sort());
  });
});

describe('mutants of lock, clock and evidence', () => {
  for (const { clause, what, cases } of BROKEN_OTHERS) {
    it(`[ST-5] ${clause} catches one that ${what}`, async () => {
      expect(await failingClauses(cases)).toContain(clause);
    });
  }

  it('[ST-5] every clause that the contracts look at catches a mutant', () => {
    const clauses = new Set(BROKEN_OTHERS.flatMap(({ cases }) => cases.map(({ clause }) => clause)));
    expect([...clauses].sort()).toEqual([...new Set(BROKEN_OTHERS.map(({ clause }) => clause))].sort());
  });
});
