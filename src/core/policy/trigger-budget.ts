/**
 * The trigger budget: how many occurrences of the trigger one revision may still record (TB-1 to TB-4).
 */
import type { Schedule } from '../model/schedule.js';

/** Share of the budget at which an event says so, once (TB-4). */
const NOTICE_SHARE = 0.9;

/** Occurrences of the trigger that this revision may still record; `Infinity` when unlimited. @public */
export function occurrencesLeft(schedule: Schedule): number {
  const { maxOccurrences } = schedule.definition.declaration;
  return maxOccurrences === 'unlimited' ? Number.POSITIVE_INFINITY : Math.max(0, maxOccurrences - schedule.spent);
}

/** Whether the spend has reached the share at which a notice is due (TB-4). @public */
export function isBudgetLow(schedule: Schedule): boolean {
  const { maxOccurrences } = schedule.definition.declaration;
  return maxOccurrences !== 'unlimited' && schedule.spent >= Math.ceil(maxOccurrences * NOTICE_SHARE);
}
