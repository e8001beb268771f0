/**
 * `npm run sim`: replays one seed and prints all about it, or runs fresh ones and prints the totals.
 */
import { randomBytes } from 'node:crypto';
import { runPoints } from './points/points-command.js';
import { type SimReport, simulate } from './simulate.js';
import type { Length } from './world/options.js';

/** Runs the command; the exit code. */
export async function runCommand(args: readonly string[], print: (line: string) => void): Promise<number> {
  if (args.includes('--crash-points')) return runPoints(args, print);
  const value = (name: string) => {
    const at = args.indexOf(name);
    return at < 0 ? undefined : args[at + 1];
  };
  const seed = value('--seed');
  const count = Number(value('--seeds') ?? 1);
  if (seed === undefined && !(Number.isInteger(count) && count > 0)) {
    print('Usage: npm run sim -- [--short] (--seed SEED [--trace] | --seeds COUNT [--from PREFIX])');
    print(
      '       npm run sim -- --crash-points [--full] [--seed SEED] [--kinds KIND,KIND] [--only POINT] [--progress]',
    );
    return 64;
  }
  const length = args.includes('--short') ? 'short' : 'long';
  if (seed !== undefined) return replay(seed, length, args.includes('--trace'), print);
  const prefix = value('--from') ?? randomBytes(4).toString('hex');
  const reports: SimReport[] = [];
  for (let n = 1; n <= count; n++) {
    const report = await simulate(`${prefix}-${n}`, length);
    reports.push(report);
    if (report.violations.length > 0) tell(report, print);
  }
  print(totals(reports));
  return reports.some(({ violations }) => violations.length > 0) ? 1 : 0;
}

async function replay(seed: string, length: Length, isTraced: boolean, print: (line: string) => void): Promise<number> {
  const report = await simulate(seed, length, isTraced ? { onTrace: print } : {});
  const { options, refusals, traceHash, steps } = report;
  print(JSON.stringify(options, null, 2));
  print(`refusals: ${JSON.stringify(Object.fromEntries(refusals))}`);
  print(`steps ${steps}, trace ${traceHash}`);
  tell(report, print);
  print(totals([report]));
  return report.violations.length > 0 ? 1 : 0;
}

/** Tells what was found in a run, and how to see it again. */
export function tell({ seed, options, violations }: SimReport, print: (line: string) => void): void {
  for (const { rule, found, atMs } of violations.slice(0, 10))
    print(`seed ${seed}: [${rule}] at ${atMs.toFixed(3)} ms: ${found}`);
  if (violations.length > 0)
    print(`replay: npm run sim -- ${options.length === 'short' ? '--short ' : ''}--seed ${seed}`);
}

/** One line about many runs. */
export function totals(reports: readonly SimReport[]): string {
  const sum = (of: (report: SimReport) => number) => reports.reduce((total, report) => total + of(report), 0);
  const parts = [
    `${reports.length} seeds`,
    `${sum(({ virtualDays }) => virtualDays).toFixed(1)} virtual days`,
    `${sum(({ steps }) => steps)} steps`,
    `${sum(({ commits }) => commits)} commits`,
    `${sum(({ faults }) => faults.kills)} crashes`,
    `${sum(({ faults }) => faults.powerCuts)} power cuts`,
    `${sum(({ faults }) => faults.diskErrors)} disk errors`,
    `${sum(({ faults }) => faults.stops)} stopped processes`,
    `${sum(({ faults }) => faults.clockSteps)} clock steps`,
    `${sum(({ faults }) => faults.lockLosses)} lost locks`,
    `${sum(({ restores }) => restores)} backups put back (${sum(({ catalogueStops }) => catalogueStops)} times noticed)`,
    `${sum(({ executions }) => executions)} executions`,
    `${sum(({ violations }) => violations.length)} violations`,
  ];
  return parts.join(', ');
}
