/** Quick mode, `npm run bench -- --quick`: fewer rounds and no slow extras, for a first look; its ratios are rougher. */

/** Whether this is a quick run. */
export const isQuick = process.env.EVERDUE_BENCH_QUICK === '1';

/** So many rounds, or at most three in a quick run. */
export function rounds(count) {
  return isQuick ? Math.min(count, 3) : count;
}
