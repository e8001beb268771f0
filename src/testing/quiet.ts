/**
 * Waiting until a program has nothing left to do but to wait for time or for other programs.
 *
 * Promises run within a turn of the event loop; what they begin may need more turns. File operations take real time, so
 * they are waited for by what the runtime says of its active requests. A bound in real time keeps foreign work from
 * holding a test up for ever.
 */

/** Turns of the event loop in a row without a file operation after which a program counts as quiet. */
const QUIET_TURNS = 4;

/** Longest real wait for file operations, in milliseconds. */
const PATIENCE_MS = 5000;

/** Names of active requests that end by themselves: file operations and look-ups, but no handles, timers or watchers. */
const REQUEST = /Req/;

/**
 * Resolves once promises have run and no file operation is under way, at the latest after five real seconds.
 *
 * @internal
 */
export async function quiet(): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  for (let turns = 0; turns < QUIET_TURNS; turns += 1) {
    await turn();
    if (isBusy() && performance.now() < until) turns = -1;
  }
}

/**
 * Lets a few real milliseconds pass, for what no event tells of; resolves with how many they were.
 *
 * @internal
 */
export async function realPause(): Promise<number> {
  const from = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 2));
  return performance.now() - from;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function isBusy(): boolean {
  return process.getActiveResourcesInfo().some((name) => REQUEST.test(name));
}
