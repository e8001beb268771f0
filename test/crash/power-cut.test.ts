/** Real power cuts of a real file system under load. By hand, for more: `node test/crash/run.mjs --power-cuts 100`. */
import { randomBytes } from 'node:crypto';
import { expect, inject, it } from 'vitest';
import { installHosts } from './child-host.js';
import { whyNoPowerCuts } from './power/cut-medium.js';
import { powerLoop } from './power/power-loop.js';

it('[ST-2, OC-3, OC-6] power cuts lose nothing that was acknowledged, and run nothing twice', async (ctx) => {
  const reason = whyNoPowerCuts();
  if (reason !== undefined) return ctx.skip(reason);
  const seed = process.env['EVERDUE_SEED'] ?? randomBytes(4).toString('hex');
  const report = await powerLoop(installHosts(inject('consumer'), 'power'), seed, 10);
  console.info(
    `seed ${seed}: ${report.cuts} power cuts, ${report.acknowledgements} acknowledgements, ${report.executions} executions`,
  );
  expect(report.violations).toEqual([]);
  expect(report.acknowledgements).toBeGreaterThan(10);
});
