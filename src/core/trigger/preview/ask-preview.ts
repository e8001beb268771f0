/**
 * The convenience over the preview of a compiled trigger, for callers who want one answer and exceptions for wrong input.
 */

import type { Issue } from '../../model/issue.js';
import { LIMITS } from '../../model/limits.js';
import type { InstantInput } from '../../time/instant.js';
import { type DueInput, type DueOptions, readDue, readGiven, readMoment, refuseAsk } from '../ask.js';
import { readInteger } from '../read/field-reader.js';
import { previewTrigger, type TriggerPreview } from './preview.js';

/**
 * What {@link preview} is to show.
 *
 * @public
 */
export interface PreviewQuestion {
  /** The earliest instant that may be shown, inclusive. */
  readonly from: InstantInput;
  /** The latest instant that may be shown, inclusive; absent: the end of the trigger. */
  readonly until?: InstantInput | undefined;
  /** Most instants that are shown; defaults and bounds are `previewCount` in {@link LIMITS}. */
  readonly count?: number | undefined;
}

/**
 * The due instants of a trigger with local times and notes, and what is left out among them (TR-11). Takes what
 * {@link nextDue} takes. Throws `SCHEDULE_DECLARATION_INVALID`, with every fault in `details.issues`, for wrong input.
 *
 * @public
 */
export function preview(due: DueInput, question: PreviewQuestion, options: DueOptions = {}): TriggerPreview {
  const issues: Issue[] = [];
  const asked = readDue(due, options, issues);
  const given = readGiven(question, 'question', ['from', 'until', 'count'], issues);
  const from = readMoment(given.from, 'from', issues);
  const until = given.until === undefined ? undefined : readMoment(given.until, 'until', issues);
  const { previewCount } = LIMITS;
  const most = given.count === undefined ? previewCount.default : given.count;
  const count = readInteger(most, 'count', previewCount, 'TR-11', issues);
  if (asked === undefined || from === undefined || count === undefined || issues.length > 0) {
    refuseAsk('no preview', issues);
  }
  return previewTrigger(asked.compiled, { from, count, ...(until !== undefined && { until }) });
}
