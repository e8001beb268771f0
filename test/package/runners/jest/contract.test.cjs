// Jest, CommonJS: `describe` and `test` are globals, and each file has a realm of its own.
const { storeContract } = require('everdue/testing');
const { openFolder, openMemory } = require('../open.cjs');

for (const [name, open] of Object.entries({ memory: openMemory, folder: openFolder })) {
  describe(name, () => {
    for (const { clause, title, run } of storeContract(open)) test(`${clause} ${title}`, run);
  });
}
