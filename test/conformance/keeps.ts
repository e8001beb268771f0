/** Runs the cases of a published contract as tests, under the rule of the specification that the port serves. */
import { describe, it } from 'vitest';
import type { ContractCase } from '../../src/testing/contracts/contract-case.js';

/** One test for each case. */
export function keeps(name: string, rule: string, cases: readonly ContractCase[]): void {
  describe(name, () => {
    for (const { clause, title, run } of cases) it(`[${rule}] ${clause} ${title}`, run);
  });
}
