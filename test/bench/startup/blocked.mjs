/** The longest time in which the event loop served nobody, while something asynchronous is under way. */
import { mainThreadMs } from '../measuring/cold.mjs';

/**
 * Runs it beside a loop of immediates and tells the longest time between two of them, in processor time of the main thread:
 * what other processes took from it is not its fault, and helpers of the collector and compiler keep nobody waiting.
 */
export async function blockedDuring(run) {
  let isOver = false;
  let longest = 0;
  let last = mainThreadMs();
  const look = () => {
    longest = Math.max(longest, mainThreadMs() - last);
    last = mainThreadMs();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  try {
    const result = await run();
    look();
    return { result, blockedMs: longest };
  } finally {
    isOver = true;
  }
}
