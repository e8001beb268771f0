/**
 * `npm run sim -- --crash-points`: a sample of the enumeration by a seed, or all of it; what is found, and the totals.
 */
import { randomBytes } from 'node:crypto';
import { enumerate, KINDS, type PointsReport } from './enumerate.js';

/** Points of each transaction and kind in a sample. */
export const SAMPLE = 1;

/** Runs the command; the exit code. */
export async function runPoints(args: readonly string[], print: (line: string) => void): Promise<number> {
  const value = (name: string) => {
    const at = args.indexOf(name);
    return at < 0 ? undefined : args[at + 1];
  };
  const seed = value('--seed') ?? randomBytes(4).toString('hex');
  const [only, kinds] = [value('--only'), value('--kinds')?.split(',')];
  let told = 0;
  const onProgress = (name: string, report: PointsReport) => {
    for (const { point, rule, found } of report.found.slice(told)) print(`${point}\n    [${rule}] ${found}`);
    told = report.found.length;
    if (args.includes('--progress')) print(`${pointTotals(report)}: ${name}`);
  };
  const report = await enumerate({
    seed,
    onProgress,
    ...(args.includes('--full') ? {} : { sample: Number(value('--sample') ?? SAMPLE) }),
    ...(only === undefined ? {} : { only }),
    ...(kinds === undefined ? {} : { kinds: KINDS.filter((kind) => kinds.includes(kind)) }),
  });
  print(`seed ${seed}: ${pointTotals(report)}`);
  if (report.found.length > 0)
    print(`see one again: npm run sim -- --crash-points --full --seed ${seed} --only '<its line above>'`);
  return report.found.length > 0 ? 1 : 0;
}

/** One line about an enumeration. */
export function pointTotals({ transactions, points, states, unpromised, found }: PointsReport): string {
  const { crash, trouble, takeover, again } = points;
  return [
    `${transactions} transactions`,
    `${crash} crashes`,
    `${trouble} troubles of the disk`,
    `${takeover} takeovers`,
    `${again} crashes with another one in the recovery`,
    `${states} states`,
    `${unpromised} left out as not promised`,
    `${found.length} violations`,
  ].join(', ');
}
