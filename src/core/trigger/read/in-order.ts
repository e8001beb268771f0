/**
 * Lists in their normal form: ascending, each item once.
 */

import type { NthWeekday } from '../../model/trigger.js';

/** The numbers in ascending order, each once. @internal */
export function ascending(numbers: readonly number[]): number[] {
  return numbers.length < 2 ? [...numbers] : [...new Set(numbers)].sort((a, b) => a - b);
}

/** Weekdays with their places by place, then by weekday, each once. @internal */
export function weekdaysInOrder(list: readonly NthWeekday[]): NthWeekday[] {
  const sorted = [...list].sort((a, b) => a.nth - b.nth || a.weekday - b.weekday);
  return sorted.filter((one, i) => one.nth !== sorted[i - 1]?.nth || one.weekday !== sorted[i - 1]?.weekday);
}
