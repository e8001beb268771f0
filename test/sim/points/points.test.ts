/**
 * Every transaction of clients, owners and stores, disturbed at some of its steps: a process dies there, and the power goes in one
 * of several ways; the disk gives trouble there; another owner takes over there, whom no lock keeps out; or the recovery from
 * it dies as well. `npm run sim -- --crash-points --full` takes all steps.
 */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { enumerate, type PointsReport } from './enumerate.js';
import { OWNER_TRANSACTIONS } from './owner-transactions.js';
import { pointTotals, runPoints, SAMPLE } from './points-command.js';
import { STORE_TRANSACTIONS } from './store-transactions.js';
import { CLIENT_TRANSACTIONS } from './transactions.js';

/** The points of this run alone; `EVERDUE_SIM_SEED` gives them again. */
const SEED = process.env['EVERDUE_SIM_SEED'] ?? randomBytes(4).toString('hex');

function judge(report: PointsReport): void {
  console.info(`Points of seed ${SEED}: ${pointTotals(report)}.`);
  const told = report.found.slice(0, 5).map(({ point, rule, found }) => `${point}: [${rule}] ${found}`);
  expect(told, `see it again: npm run sim -- --crash-points --full --seed ${SEED} --only '<the point>'`).toEqual([]);
  for (const count of Object.values(report.points)) expect(count).toBeGreaterThan(report.transactions / 4);
}

describe('a disturbance of any transaction at any step loses nothing and runs nothing twice', () => {
  it('[ST-2, ST-4, ST-5, OW-5, CT-13, OC-1] what clients do', async () => {
    judge(await enumerate({ seed: SEED, sample: SAMPLE, transactions: CLIENT_TRANSACTIONS }));
  }, 120_000);

  it('[ST-2, ST-4, OW-2, OW-5, OC-3, OC-5, OC-6, CO-5, CO-6, MF-4] what owners do', async () => {
    judge(await enumerate({ seed: SEED, sample: SAMPLE, transactions: OWNER_TRANSACTIONS }));
  }, 120_000);

  it('[ST-2, ST-3, ST-4, ST-6, ST-9] what stores do', async () => {
    judge(await enumerate({ seed: SEED, sample: SAMPLE, transactions: STORE_TRANSACTIONS }));
  }, 120_000);

  it('[ST-2] the command tells what it finds, and the totals', async () => {
    const lines: string[] = [];
    const args = ['--crash-points', '--seed', 'told', '--sample', '1', '--kinds', 'crash', '--only', 'pause'];
    expect(await runPoints(args, (line) => void lines.push(line))).toBe(0);
    expect(lines.at(-1)).toMatch(/^seed told: 1 transactions, \d+ crashes, 0 troubles .*, \d+ states, .*0 violations$/);
  }, 60_000);
});
