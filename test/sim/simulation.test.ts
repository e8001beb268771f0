/** A virtual week of owners and clients in which everything goes wrong: two hundred seeds, and a fresh one each time. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { runCommand } from './command.js';
import { type SimReport, simulate } from './simulate.js';

const SEEDS = 200;
const AT_A_TIME = 20;

/** The seed of this run alone; `EVERDUE_SIM_SEED` gives it again. */
const FRESH = process.env['EVERDUE_SIM_SEED'] ?? randomBytes(4).toString('hex');

function judge({ seed, violations }: SimReport): void {
  const told = violations.slice(0, 5).map(({ rule, found }) => `[${rule}] ${found}`);
  expect(told, `replay it: npm run sim -- --short --seed ${seed}`).toEqual([]);
}

describe('simulation', () => {
  for (let first = 1; first <= SEEDS; first += AT_A_TIME) {
    const last = first + AT_A_TIME - 1;
    it(`[ST-2, ST-4, ST-5, OW-2, OW-5, OC-3, OC-6, CO-5, CO-6] seeds ${first} to ${last}: nothing is lost, nothing runs twice, and it comes to rest`, async () => {
      for (let seed = first; seed <= last; seed++) judge(await simulate(String(seed), 'short'));
    }, 120_000);
  }

  it(`[ST-2, OC-3] a seed that nobody has seen: ${FRESH}`, async () => {
    console.info(`The fresh seed of the simulation is ${FRESH}; EVERDUE_SIM_SEED=${FRESH} runs it again.`);
    judge(await simulate(FRESH, 'short'));
  }, 60_000);

  it('[ST-2] equal seeds are equal runs, to the last step, and others are not', async () => {
    const [first, again, other] = [
      await simulate('same', 'short'),
      await simulate('same', 'short'),
      await simulate('other', 'short'),
    ];
    expect(first.steps).toBeGreaterThan(500);
    expect(again.traceHash).toBe(first.traceHash);
    expect(other.traceHash).not.toBe(first.traceHash);
  }, 60_000);

  it('[ST-2] the command tells all that a seed stands for, and the totals of many', async () => {
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    expect(await runCommand(['--short', '--seed', '7'], print)).toBe(0);
    expect(lines.join('\n')).toContain('"seed": "7"');
    expect(lines.some((line) => /^steps \d+, trace [0-9a-f]{64}$/.test(line))).toBe(true);
    lines.length = 0;
    expect(await runCommand(['--short', '--seeds', '2', '--from', 'pair'], print)).toBe(0);
    expect(lines.at(-1)).toMatch(
      /^2 seeds, [\d.]+ virtual days, \d+ steps, \d+ commits, \d+ crashes, \d+ power cuts, .*\d+ executions, 0 violations$/,
    );
    expect(await runCommand(['--seeds', 'many'], print)).toBe(64);
  }, 60_000);
});
