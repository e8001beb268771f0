/**
 * Which parts of a recurrence rule must not stand beside each other: every MUST NOT of RFC 5545, section 3.3.10, and of its
 * table of frequencies (TR-14).
 */

import { isBelowDay, NUMBER_PARTS, type RecurrenceRule, type RulePart } from './recurrence-rule.js';

/**
 * A part that stands where it must not, and why.
 *
 * @internal
 */
export interface MisplacedPart {
  readonly part: RulePart;
  readonly reason: string;
}

/**
 * All parts of a rule that stand where they must not.
 *
 * @internal
 */
export function misplacedParts(rule: RecurrenceRule): readonly MisplacedPart[] {
  const { freq, count, until, numbers, weekdays } = rule;
  const misplaced: MisplacedPart[] = [];
  const refuse = (part: RulePart, reason: string): void => {
    misplaced.push({ part, reason });
  };
  if (count !== undefined && until !== undefined) refuse('UNTIL', 'must not stand beside COUNT: a rule has one end');
  if (numbers.BYWEEKNO !== undefined && freq !== 'YEARLY') {
    refuse('BYWEEKNO', `stands with FREQ=YEARLY alone, not with FREQ=${freq}`);
  }
  if (numbers.BYYEARDAY !== undefined && freq !== 'YEARLY' && !isBelowDay(rule)) {
    refuse('BYYEARDAY', `must not stand with FREQ=${freq}; allowed are YEARLY HOURLY MINUTELY SECONDLY`);
  }
  if (numbers.BYMONTHDAY !== undefined && freq === 'WEEKLY') {
    refuse('BYMONTHDAY', 'must not stand with FREQ=WEEKLY: use FREQ=DAILY or FREQ=MONTHLY');
  }
  if (weekdays?.some(({ nth }) => nth !== 0) === true) {
    if (freq !== 'MONTHLY' && freq !== 'YEARLY') {
      refuse('BYDAY', `has a number before a weekday, which stands with FREQ=MONTHLY or YEARLY alone, not ${freq}`);
    } else if (freq === 'YEARLY' && numbers.BYWEEKNO !== undefined) {
      refuse('BYDAY', 'has a number before a weekday, which must not stand beside BYWEEKNO');
    }
  }
  const hasOther = weekdays !== undefined || NUMBER_PARTS.some((part) => part !== 'BYSETPOS' && numbers[part]);
  if (numbers.BYSETPOS !== undefined && !hasOther) {
    refuse('BYSETPOS', 'needs another BYxxx part to pick from');
  }
  return misplaced;
}
