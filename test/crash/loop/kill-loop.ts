/**
 * The loop: real processes over one real workspace, killed and stopped for a while; then nobody is, an owner must settle and
 * do everything that is owed, and what the files say is held against the log that was kept outside of them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordsOf } from '../../sim/audit/catalogue-reading.js';
import { Ledger, type Violation } from '../../sim/audit/ledger.js';
import { Random } from '../../sim/random.js';
import { comeToRest } from './come-to-rest.js';
import { disturb, Fleet, type FleetCounts } from './fleet.js';
import { judgeFolder } from './judge.js';
import { readOutsideLog } from './outside-log.js';

/** What a loop is made of. */
export interface LoopOptions {
  /** Where the scripts of the hosts are, installed so that they find the package. */
  readonly hosts: string;
  /** Names moments, victims and spans; what the processes make of them is a matter of the machine. */
  readonly seed: string;
  /** How long processes are killed and stopped. */
  readonly seconds: number;
  /** False: no lock keeps anybody out, neither a second owner nor a second writer. */
  readonly isLocked: boolean;
}

/** What came of a loop. */
export interface LoopReport extends FleetCounts {
  readonly seed: string;
  readonly isLocked: boolean;
  /** Answers and commits that somebody was told of. */
  readonly acknowledgements: number;
  /** Handlers that were called. */
  readonly executions: number;
  /** Records that say `interrupted`. */
  readonly interrupted: number;
  /** Refused calls, by call and code. */
  readonly refusals: ReadonlyMap<string, number>;
  readonly violations: readonly Violation[];
  /** The workspace with its log, kept where something was found. */
  readonly kept?: string;
}

const OWNERS = ['owner-1', 'owner-2'];
const CLIENTS = ['client-1', 'client-2', 'client-3'];
/** Owners are hit more often than their share: two of five, and half of the faults. */
const VICTIMS = [...OWNERS, ...OWNERS, ...CLIENTS];

/** See the head of this file. */
export async function killLoop({ hosts, seed, seconds, isLocked }: LoopOptions): Promise<LoopReport> {
  const random = new Random(seed);
  const folder = mkdtempSync(join(tmpdir(), 'everdue-loop-'));
  const workspace = join(folder, 'work');
  const log = join(folder, 'outside.log');
  const perSchedule = random.of([40, 1000]);
  const begunAtMs = performance.now();
  const ledger = new Ledger(() => performance.now() - begunAtMs, perSchedule);
  const complain = (rule: string, found: string): void => ledger.violate(rule, found);
  const fleet = new Fleet({ hosts, given: { workspace, log, seed, isLocked, perSchedule }, complain });
  for (const name of [...OWNERS, ...CLIENTS]) fleet.start(name);
  await disturb(fleet, VICTIMS, random, begunAtMs + seconds * 1000);
  await fleet.endKilled();
  await comeToRest({ hosts, workspace, log, seed, perSchedule }, complain, fleet.counts);
  const counts = readOutsideLog(log, ledger);
  const found = await judgeFolder(workspace, ledger);
  const records = [...(found?.schedules.values() ?? [])].flatMap(recordsOf);
  const isClean = ledger.violations.length === 0;
  if (isClean) rmSync(folder, { recursive: true });
  return {
    ...fleet.counts,
    seed,
    isLocked,
    acknowledgements: (counts.get('commit') ?? 0) + (counts.get('answer') ?? 0),
    executions: ledger.effects.length,
    interrupted: records.filter(({ status }) => status === 'interrupted').length,
    refusals: ledger.refusals,
    violations: ledger.violations,
    ...(isClean ? {} : { kept: folder }),
  };
}

/** One line about loops. */
export function totals(reports: readonly LoopReport[]): string {
  const sum = (of: (report: LoopReport) => number) => reports.reduce((total, report) => total + of(report), 0);
  const takeovers = reports.flatMap((report) => report.takeovers).sort((a, b) => a - b);
  const median = takeovers[takeovers.length >> 1] ?? 0;
  const parts = [
    `${sum(({ kills }) => kills)} kills`,
    `${sum(({ stops }) => stops)} stops`,
    `${sum(({ ownerStarts }) => ownerStarts)} owner starts`,
    `${sum(({ acknowledgements }) => acknowledgements)} acknowledgements`,
    `${sum(({ executions }) => executions)} executions`,
    `${sum(({ interrupted }) => interrupted)} interrupted`,
    `takeover median ${median.toFixed(0)} ms, max ${(takeovers.at(-1) ?? 0).toFixed(0)} ms`,
    `${sum(({ violations }) => violations.length)} violations`,
  ];
  return parts.join(', ');
}

/** Tells what was found in a loop, and how to run one like it. */
export function tell({ seed, isLocked, violations, kept }: LoopReport, print: (line: string) => void): void {
  for (const { rule, found } of violations.slice(0, 10)) print(`seed ${seed}: [${rule}] ${found}`);
  if (kept === undefined) return;
  print(`kept: ${kept}`);
  print(`again: node test/crash/run.mjs --seed ${seed}${isLocked ? '' : ' --locks-off'}`);
}
