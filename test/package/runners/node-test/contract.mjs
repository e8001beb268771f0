// node:test, ES modules: a case that judges nothing is shown as skipped, with its reason.
import { describe, it } from 'node:test';
import { storeContract } from 'everdue/testing';
import { openFolder, openMemory } from '../open.mjs';

for (const [name, open] of Object.entries({ memory: openMemory, folder: openFolder })) {
  describe(name, () => {
    for (const { clause, title, run } of storeContract(open)) {
      it(`${clause} ${title}`, async (t) => {
        const result = await run();
        if (result.kind === 'notJudged') t.skip(result.reason);
      });
    }
  });
}
