/**
 * `node test/crash/run.mjs`: runs the loop of real processes for a while and prints the totals.
 */
import { randomBytes } from 'node:crypto';
import { Random } from '../sim/random.js';
import { killLoop, type LoopReport, tell, totals } from './loop/kill-loop.js';
import { whyNoPowerCuts } from './power/cut-medium.js';
import { powerLoop } from './power/power-loop.js';
import { whyNoTracing } from './trace/strace.js';
import { drawInjections, tracedRun } from './trace/traced-run.js';

/** Longest part of a run that is judged as one. */
const ROUND_SECONDS = 30;

/** Runs the command with hosts from a folder; the exit code. */
export async function runCommand(
  args: readonly string[],
  hosts: string,
  print: (line: string) => void,
): Promise<number> {
  const value = (name: string) => {
    const at = args.indexOf(name);
    return at < 0 ? undefined : args[at + 1];
  };
  const seconds = Number(value('--seconds') ?? 15);
  if (!(seconds > 0)) {
    print(
      'Usage: node test/crash/run.mjs ([--seconds N] [--locks-off] | --traced RUNS | --power-cuts CUTS) [--seed SEED]',
    );
    return 64;
  }
  const seed = value('--seed') ?? randomBytes(4).toString('hex');
  if (args.includes('--power-cuts')) return runPowerCuts(hosts, seed, Number(value('--power-cuts')), print);
  if (args.includes('--traced')) return runTraced(hosts, seed, Number(value('--traced')), print);
  const isLocked = !args.includes('--locks-off');
  const reports: LoopReport[] = [];
  for (let left = seconds; left > 0; left -= ROUND_SECONDS) {
    const round = reports.length === 0 ? seed : `${seed}-${reports.length}`;
    const report = await killLoop({ hosts, seed: round, seconds: Math.min(left, ROUND_SECONDS), isLocked });
    reports.push(report);
    print(`seed ${round}: ${totals([report])}`);
    if (report.violations.length > 0) tell(report, print);
  }
  const refusals = new Map<string, number>();
  for (const [code, count] of reports.flatMap((report) => [...report.refusals]))
    refusals.set(code, (refusals.get(code) ?? 0) + count);
  print(`refusals: ${JSON.stringify(Object.fromEntries([...refusals].sort()))}`);
  print(totals(reports));
  return reports.some(({ violations }) => violations.length > 0) ? 1 : 0;
}

async function runTraced(hosts: string, seed: string, runs: number, print: (line: string) => void): Promise<number> {
  const reason = await whyNoTracing();
  if (reason !== undefined) {
    print(`skipped: ${reason}`);
    return 0;
  }
  let met = 0;
  let wrong = 0;
  for (const injection of drawInjections(new Random(seed), runs)) {
    const { ended, refused, violations } = await tracedRun(hosts, injection);
    if (ended !== 0 || refused > 0) met += 1;
    wrong += violations.length;
    for (const { rule, found } of violations.slice(0, 5)) print(`${JSON.stringify(injection)}: [${rule}] ${found}`);
  }
  print(`seed ${seed}: ${runs} traced runs, ${met} met their fault visibly, ${wrong} violations`);
  return wrong > 0 ? 1 : 0;
}

async function runPowerCuts(hosts: string, seed: string, cuts: number, print: (line: string) => void): Promise<number> {
  const reason = whyNoPowerCuts();
  if (reason !== undefined) {
    print(`skipped: ${reason}`);
    return 0;
  }
  const { acknowledgements, executions, violations } = await powerLoop(hosts, seed, cuts);
  for (const { rule, found } of violations.slice(0, 10)) print(`seed ${seed}: [${rule}] ${found}`);
  const told = `${acknowledgements} acknowledgements, ${executions} executions`;
  print(`seed ${seed}: ${cuts} power cuts, ${told}, ${violations.length} violations`);
  return violations.length > 0 ? 1 : 0;
}
