// Mocha, CommonJS: a case that judges nothing is shown as pending.
const { storeContract } = require('everdue/testing');
const { openFolder } = require('../open.cjs');

describe('folder', () => {
  for (const { clause, title, run } of storeContract(openFolder)) {
    it(`${clause} ${title}`, async function judge() {
      if ((await run()).kind === 'notJudged') this.skip();
    });
  }
});
