/** The enumeration catches programs that leave out one step of the protocol: a point that nothing can fail at proves nothing. */
import { describe, expect, it } from 'vitest';
import { BROKEN_PROGRAMS } from './broken-programs.js';
import { enumerate, TRANSACTIONS } from './enumerate.js';

describe('the enumeration', () => {
  for (const { what, rule, kind, call, transactions, between } of BROKEN_PROGRAMS) {
    it(`[${rule}] catches one that ${what}`, async () => {
      const chosen = TRANSACTIONS.filter(({ name }) => transactions.includes(name));
      expect(chosen.map(({ name }) => name).sort()).toEqual([...transactions].sort());
      const broken = chosen.map((transaction) => ({ ...transaction, how: { ...transaction.how, between } }));
      const at = call === undefined ? {} : { call };
      const report = await enumerate({ seed: what, kinds: [kind], transactions: broken, isFirstEnough: true, ...at });
      expect(report.found).not.toEqual([]);
    }, 60_000);
  }
});
