// Mocha: a store that breaks a clause is reported as failed.
const { storeContract } = require('everdue/testing');
const { openMutant } = require('../open.cjs');

for (const { clause, title, run } of storeContract(openMutant)) it(`${clause} ${title}`, run);
