/** The cost of a search in steps that can be counted: how often it calls on `Math`, which every jump by a field does. */

/** Calls of functions of `Math` while `run` runs. */
export function countedSteps(run: () => unknown): number {
  const counted = Math as unknown as Record<string, (...given: readonly number[]) => number>;
  const kept = new Map<string, (...given: readonly number[]) => number>();
  let steps = 0;
  for (const name of Object.getOwnPropertyNames(Math)) {
    const original = counted[name];
    if (typeof original !== 'function') continue;
    kept.set(name, original);
    counted[name] = (...given) => {
      steps += 1;
      return original(...given);
    };
  }
  try {
    run();
  } finally {
    for (const [name, original] of kept) counted[name] = original;
  }
  return steps;
}
