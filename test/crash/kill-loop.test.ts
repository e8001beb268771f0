/**
 * Real processes over one real workspace, killed and stopped at random: two candidates for ownership, three clients. What they
 * were told and did stands in a log outside, and the files must agree with it. By hand, for longer: `node test/crash/run.mjs`.
 */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { installHosts } from './child-host.js';
import { killLoop, type LoopReport, tell, totals } from './loop/kill-loop.js';

let hosts: string;

beforeAll(() => {
  hosts = installHosts(inject('consumer'), 'kill-loop');
});

async function loop(seconds: number, isLocked: boolean): Promise<LoopReport> {
  const seed = process.env['EVERDUE_SEED'] ?? randomBytes(4).toString('hex');
  const report = await killLoop({ hosts, seed, seconds, isLocked });
  console.info(`seed ${seed}, locks ${isLocked ? 'on' : 'off'}: ${totals([report])}`);
  tell(report, console.error);
  return report;
}

/** A loop in which next to nothing happened proves nothing. */
function mustHaveBeenBusy({ kills, stops, ownerStarts, acknowledgements, executions }: LoopReport): void {
  expect(kills).toBeGreaterThan(5);
  expect(stops).toBeGreaterThan(0);
  expect(ownerStarts).toBeGreaterThan(1);
  expect(acknowledgements).toBeGreaterThan(20);
  expect(executions).toBeGreaterThan(0);
}

// Windows knows no SIGSTOP.
describe.skipIf(process.platform === 'win32')('a loop of kill -9 and SIGSTOP', () => {
  it('[ST-2, ST-5, OC-3, OC-6, OW-2, CO-5] loses no acknowledged write, runs nothing twice, and comes to rest', async () => {
    const report = await loop(8, true);
    expect(report.violations).toEqual([]);
    mustHaveBeenBusy(report);
  });

  it('[OW-5, ST-2, OC-6] the same with every lock switched off: two owners at once are fenced by the journal', async () => {
    const report = await loop(5, false);
    expect(report.violations).toEqual([]);
    mustHaveBeenBusy(report);
  });
});
