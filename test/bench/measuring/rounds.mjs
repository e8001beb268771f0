/**
 * Interleaved rounds: every contender once a round, in turning order, so that what slows the machine down slows all of them.
 *
 * A contender is `{name, sample}`; `sample` does the work and resolves with one number. Ratios are medians of the
 * ratios of single rounds, not ratios of medians.
 */

import { rounds } from './quick.mjs';

/** Samples of each contender by its name, after `warmUps` unmeasured rounds; a quick run has fewer rounds. */
export async function interleaved(contenders, wanted = 9, warmUps = 1) {
  const samples = new Map(contenders.map(({ name }) => [name, []]));
  for (let round = -warmUps; round < rounds(wanted); round += 1) {
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const { name, sample } = contenders[(turn + round + warmUps) % contenders.length];
      const value = await sample();
      if (round >= 0) samples.get(name).push(value);
    }
  }
  return samples;
}

/** One call that takes longer is a sample by itself. */
const SLOW_MS = 40;

/**
 * A sample of a synchronous call: nanoseconds of processor time that one call takes. `run(count)` makes so many; the count
 * is found once everything is warm, so that a sample takes about `sampleMs`. Time in which other processes had the
 * processor is not counted.
 */
export function perCall(name, run, sampleMs = 6) {
  let count = 0;
  return {
    name,
    sample: async () => {
      if (count === 0) count = await warmCount(run, sampleMs);
      return (spent(() => run(count)) * 1e6) / count;
    },
  };
}

/**
 * Runs until the compiler has had its say, which it has in the background, and then finds the count. What takes so long for
 * one call has loops of its own, which are warm by then.
 */
async function warmCount(run, sampleMs) {
  if (spent(() => run(1)) > SLOW_MS) return 1;
  for (let pass = 0; pass < 3; pass += 1) {
    for (let count = 1, ms = 0; ms < 12; count *= 2) ms += spent(() => run(count));
    await new Promise((resolve) => setTimeout(resolve, 4));
  }
  let count = 1;
  let ms = spent(() => run(count));
  while (ms < sampleMs / 3) {
    count *= 2;
    ms = spent(() => run(count));
  }
  return Math.max(1, Math.round((count * sampleMs) / ms));
}

/** Milliseconds of processor time that a synchronous call takes. */
export function spent(run) {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Milliseconds until a promise resolves. */
export async function elapsedUntil(run) {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

/** The middle of the values. */
export function median(values) {
  return quantile(values, 0.5);
}

/** The value below which so much of them lies, 0..1. */
export function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

/** How many times as large `over` is as `under`, as the median over rounds. */
export function ratio(samples, over, under) {
  const below = samples.get(under);
  return median(samples.get(over).map((value, round) => value / below[round]));
}

/** The mean of factors. */
export function geometricMean(values) {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
