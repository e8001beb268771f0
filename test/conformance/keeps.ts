/** Runs the cases of a published contract as tests, under the rule of the specification that the port serves. */
import { describe, expect, it } from 'vitest';
import type { ContractCase } from '../../src/testing/contracts/contract-case.js';

/**
 * One test for each case. `without` names the members that the subject does not give: the cases that need them judge
 * nothing, and no other case may do so.
 */
export function keeps(
  name: string,
  rule: string,
  cases: readonly ContractCase[],
  without: readonly string[] = [],
): void {
  describe(name, () => {
    for (const { clause, title, needs, run } of cases) {
      const isJudged = needs === undefined || !without.includes(needs);
      it(`[${rule}] ${clause} ${title}${isJudged ? '' : ` (not judged: without ${needs})`}`, async () => {
        expect((await run()).kind).toBe(isJudged ? 'held' : 'notJudged');
      });
    }
  });
}
