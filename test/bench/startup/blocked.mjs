/** The longest time in which the event loop served nobody, while something asynchronous is under way. */

/**
 * Runs it beside a loop of immediates and tells the longest time between two of them, in processor time: what other
 * processes took from this one is not its fault.
 */
export async function blockedDuring(run) {
  let isOver = false;
  let longest = 0;
  let last = process.cpuUsage();
  const look = () => {
    const { user, system } = process.cpuUsage(last);
    longest = Math.max(longest, user + system);
    last = process.cpuUsage();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  try {
    const result = await run();
    look();
    return { result, blockedMs: longest / 1000 };
  } finally {
    isOver = true;
  }
}
