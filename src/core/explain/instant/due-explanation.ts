/**
 * The answer to "why is this instant due, or why not?": its words and its facts (TR-11).
 *
 * Reason codes are a closed table and API; sentences are for people and may change.
 */

import type { PreviewInstant } from '../../trigger/preview/shown-instant.js';

/**
 * Every reason of an answer with the sentence that explains it to a person.
 *
 * @public
 */
export const DUE_REASONS = {
  due: 'every condition holds',
  secondPass: 'every condition holds, and the clock shows this time again after it was set back',
  shifted: 'it is the end of a gap, in place of a time that the clock jumped over',
  never: 'the trigger is never due by itself',
  beforeStart: 'it is earlier than the trigger begins',
  afterEnd: 'it is later than the trigger ends',
  notTheInstant: 'the trigger is due once, at another instant',
  notOnPhase: 'it lies between two instants of the interval',
  dateNotWanted: 'the date is not one that the trigger asks for',
  timeNotWanted: 'the date is right, and the time of day is not one that the trigger asks for',
  ruleNotMet: 'date and time are right, and the rule asks for more than these',
  repeatedTimeRunsFirst:
    'the clock shows this time again after it was set back, and the trigger was due the first time',
  skippedByGap: 'the clock never showed the time that the trigger asks for, since it jumped over it',
  missingDate: 'the clock never showed the date that the trigger asks for, since it jumped over the whole of it',
  notShown: 'the clock never showed the time that was asked about',
  countSpent: 'the COUNT of the rule was used up before it',
  excluded: 'its date is excluded',
  movedBySpread: 'the trigger asks for it, and the spread moves it',
  noMemberDue: 'none of the triggers is due',
} as const;

/** Why an instant is due or not; see {@link DUE_REASONS}. @public */
export type DueReason = keyof typeof DUE_REASONS;

/**
 * One condition of a trigger, and what was found at the instant.
 *
 * @public
 */
export interface ConditionCheck {
  /** What is looked at. */
  readonly field: ConditionField;
  /** What the trigger asks for, for a person. */
  readonly wanted: string;
  /** What the instant has, for a person. */
  readonly found: string;
  /** Whether the condition holds. An instant is due where all of them do. */
  readonly holds: boolean;
}

/**
 * What a condition looks at: a field of the wall time (`day`: both day fields, of which either will do), the period
 * that `every` counts, the bounds, the phase of an interval, the instant of a one-shot, what becomes of repeated and
 * skipped times, what a recurrence rule counts, takes out (`exdates`) and asks for besides, the members of `anyOf`, days left out, the spread, or the kind of the trigger itself.
 *
 * @public
 */
export type ConditionField =
  | 'year'
  | 'month'
  | 'dayOfMonth'
  | 'dayOfWeek'
  | 'day'
  | 'every'
  | 'time'
  | 'hour'
  | 'minute'
  | 'second'
  | 'start'
  | 'end'
  | 'phase'
  | 'at'
  | 'repeat'
  | 'gap'
  | 'rule'
  | 'exdates'
  | 'count'
  | 'anyOf'
  | 'exclude'
  | 'spread'
  | 'kind';

/**
 * Wall times that a clock jumped over.
 *
 * @public
 */
export interface ClockGap {
  /** The first instant after it, ISO UTC text. */
  readonly at: string;
  /** `YYYY-MM-DDTHH:mm:ss`: the first wall time that was not shown. */
  readonly from: string;
  /** `YYYY-MM-DDTHH:mm:ss`: the first wall time that was shown again. */
  readonly to: string;
}

/**
 * Why an instant, or a wall time, is due or not.
 *
 * @public
 */
export interface DueExplanation {
  /** The instant that is explained, ISO UTC text; absent for a wall time that the clock never showed. */
  readonly at?: string;
  /** Whether the trigger is due at `at`; false where `at` is absent. */
  readonly isDue: boolean;
  /** Why, in one word; see {@link DUE_REASONS}. */
  readonly reason: DueReason;
  /** `YYYY-MM-DDTHH:mm:ss` on the clock of `timezone`: what it shows at `at`, or the wall time that was asked about. */
  readonly local: string;
  /** `±HH:mm` at `at`; absent where that is. */
  readonly offset?: string;
  /** The zone of `local`: that of the trigger, or the one that was asked for. */
  readonly timezone: string;
  /** Every condition of the trigger that says something about the instant; all hold where it is due. */
  readonly checks: readonly ConditionCheck[];
  /** The gap that plays a part in the answer. */
  readonly gap?: ClockGap;
  /** Where the clock shows the wall time twice: both instants, ISO UTC texts. */
  readonly passes?: readonly string[];
  /** For `anyOf`: the answer of each trigger, in the order in which they were given. */
  readonly members?: readonly DueExplanation[];
  /** The last due instant before; absent where there is none, and in `members`. */
  readonly previous?: PreviewInstant;
  /** The first due instant after; absent where there is none, and in `members`. */
  readonly next?: PreviewInstant;
  /** The answer for a person, in one or two sentences. */
  readonly sentence: string;
}
