/** Real system calls that fail, or kill their process, one of each kind at a drawn place. By hand, for more: `node test/crash/run.mjs --traced 200`. */
import { randomBytes } from 'node:crypto';
import { expect, inject, it } from 'vitest';
import { Random } from '../sim/random.js';
import { installHosts } from './child-host.js';
import { whyNoTracing } from './trace/strace.js';
import { drawInjections, type TracedReport, tracedRun } from './trace/traced-run.js';

const RUNS = 24;
/** Runs at a time: each waits for its processes most of the time. */
const AT_A_TIME = 3;

it('[ST-4, ST-2, OC-6] system calls that fail or kill: what was told stands, nothing runs twice, the next process goes on', async (ctx) => {
  const reason = await whyNoTracing();
  if (reason !== undefined) return ctx.skip(reason);
  const hosts = installHosts(inject('consumer'), 'traced');
  const seed = process.env['EVERDUE_SEED'] ?? randomBytes(4).toString('hex');
  const injections = [...drawInjections(new Random(seed), RUNS)];
  const reports: TracedReport[] = [];
  const line = async (): Promise<void> => {
    for (let next = injections.pop(); next !== undefined; next = injections.pop())
      reports.push(await tracedRun(hosts, next));
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, line));
  const wrong = reports.filter(({ violations }) => violations.length > 0);
  const met = reports.filter(({ ended, refused }) => ended !== 0 || refused > 0).length;
  console.info(`seed ${seed}: ${RUNS} traced runs, ${met} of them met their fault visibly`);
  expect(wrong).toEqual([]);
  expect(met).toBeGreaterThan(2);
});
