/**
 * Real power cuts under load: an owner and two clients work on a file system of its own, the power goes, and comes back, again
 * and again; at last an owner settles what is owed, and the files are held against the log, which was kept elsewhere.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ledger, type Violation } from '../../sim/audit/ledger.js';
import { Random } from '../../sim/random.js';
import { comeToRest } from '../loop/come-to-rest.js';
import { Fleet } from '../loop/fleet.js';
import { judgeFolder } from '../loop/judge.js';
import { readOutsideLog } from '../loop/outside-log.js';
import { CutMedium } from './cut-medium.js';

/** What came of power cuts. */
export interface PowerReport {
  readonly seed: string;
  readonly cuts: number;
  /** Answers and commits that somebody was told of. */
  readonly acknowledgements: number;
  /** Handlers that were called. */
  readonly executions: number;
  readonly violations: readonly Violation[];
}

const NAMES = ['owner-1', 'client-1', 'client-2'];
const PER_SCHEDULE = 1000;

/** See the head of this file. */
export async function powerLoop(hosts: string, seed: string, cuts: number): Promise<PowerReport> {
  const random = new Random(seed);
  const folder = mkdtempSync(join(tmpdir(), 'everdue-power-log-'));
  const log = join(folder, 'outside.log');
  const ledger = new Ledger(() => 0, PER_SCHEDULE);
  const complain = (rule: string, found: string): void => ledger.violate(rule, found);
  const medium = new CutMedium();
  try {
    const workspace = join(medium.at, 'work');
    const given = { workspace, log, seed, perSchedule: PER_SCHEDULE };
    for (let cut = 0; cut < cuts; cut++) {
      const fleet = new Fleet({ hosts, given, complain });
      for (const name of NAMES) fleet.start(name);
      await fleet.untilTold(random.of(NAMES), random.between(2, 40), 2000);
      fleet.freeze();
      medium.cut();
      await fleet.endKilled();
      medium.restore();
    }
    const counts = { kills: 0, stops: 0, ownerStarts: 0, takeovers: [] };
    await comeToRest({ hosts, workspace, log, seed, perSchedule: PER_SCHEDULE }, complain, counts);
    const lines = readOutsideLog(log, ledger);
    await judgeFolder(workspace, ledger);
    const acknowledgements = (lines.get('commit') ?? 0) + (lines.get('answer') ?? 0);
    return { seed, cuts, acknowledgements, executions: ledger.effects.length, violations: ledger.violations };
  } finally {
    medium.remove();
    rmSync(folder, { recursive: true });
  }
}
