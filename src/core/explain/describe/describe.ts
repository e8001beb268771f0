/**
 * A trigger in plain English (TR-11).
 *
 * The words are made from the same compiled pattern that runs, and never from the text of an expression, so a description
 * cannot say another thing than what happens. It may be formal; it is never wrong.
 */

import type { Issue } from '../../model/issue.js';
import type { AnyOfTrigger, IntervalTrigger, Trigger } from '../../model/trigger.js';
import { type AnyOfCompiled, isAnyOf } from '../../trigger/any-of-trigger.js';
import { type AskedDue, type DueInput, type DueOptions, readDue, refuseAsk } from '../../trigger/ask.js';
import type { CompiledTrigger } from '../../trigger/compile.js';
import { isDueSet } from '../../trigger/due/due-set.js';
import { isRecurrence } from '../../trigger/rrule/recurrence-trigger.js';
import { isWallTrigger, type WallTrigger } from '../../trigger/wall-trigger.js';
import { dateWords } from './date-words.js';
import { exclusionWords } from './exclusion-words.js';
import { everySpanText, spanText } from './list-words.js';
import { recurrenceBounds, recurrenceWords } from './rule-words.js';
import { timeWords } from './time-words.js';

/** Members of `anyOf` that are described one by one. */
const MOST_MEMBERS = 20;

/**
 * A trigger in plain English, such as `At 02:30 on Mondays to Fridays, Europe/Berlin`: its times and dates, what bounds
 * them, what is left out, and every departure from the usual meaning. A calendar is told by its name alone, and need not
 * be known. Throws `SCHEDULE_DECLARATION_INVALID`, with every fault in `details.issues`, for wrong input.
 *
 * @public
 */
export function describe(due: DueInput, options: DueOptions = {}): string {
  const issues: Issue[] = [];
  const asked = readDue(due, options, issues, { isCalendarNamed: true });
  if (asked === undefined) refuseAsk('no description', issues);
  const words = dueWordsOf(asked);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The words of {@link describe} as a part of a sentence. @internal */
export function dueWordsOf({ compiled, trigger, exclude }: AskedDue): string {
  if (!isDueSet(compiled)) return triggerWords(compiled, trigger);
  const { base, offsetMs } = compiled;
  return [
    triggerWords(base, trigger),
    ...(exclude === undefined ? [] : [exclusionWords(exclude)]),
    ...(offsetMs === 0 ? [] : [`the spread puts it off by ${spanText(offsetMs)}`]),
  ].join('; ');
}

function triggerWords(compiled: CompiledTrigger, trigger: Trigger): string {
  if (isRecurrence(compiled)) {
    return `${recurrenceWords(compiled)}, ${compiled.timezone}${recurrenceBounds(compiled.recurrence)}`;
  }
  if (isWallTrigger(compiled)) return wallWords(compiled, trigger);
  switch (trigger.kind) {
    case 'once':
      return `once, at ${trigger.at}`;
    case 'interval':
      return intervalWords(trigger);
    case 'anyOf':
      return isAnyOf(compiled) ? unionWords(compiled, trigger) : '';
    default:
      return 'never by itself: only when it is triggered by hand';
  }
}

function unionWords(union: AnyOfCompiled, trigger: AnyOfTrigger): string {
  const told = union.of.slice(0, MOST_MEMBERS).map((_, place) => memberWords(union, trigger, place));
  const more = union.of.length > MOST_MEMBERS ? `, and ${union.of.length - MOST_MEMBERS} more` : '';
  return `whenever one of these is due: ${told.join(', ')}${more}`;
}

/** One trigger of a union, with its place counted from 1: `(2) at 03:30 every day, Europe/Berlin`. @internal */
export function memberWords({ of }: AnyOfCompiled, trigger: AnyOfTrigger, place: number): string {
  const member = of[place] as CompiledTrigger;
  const words = triggerWords(member, trigger.of[place] as Trigger);
  return `(${place + 1}) ${isAnyOf(member) ? `[${words}]` : words}`;
}

function intervalWords({ everySeconds, start, end }: IntervalTrigger): string {
  const every = everySpanText(Math.round(everySeconds * 1000));
  return `every ${every} of elapsed time from ${start}${end === undefined ? '' : ` until ${end}`}`;
}

function wallWords(compiled: WallTrigger, trigger: Trigger): string {
  const { days, times } = compiled.pattern;
  const { text, isWholeDay } = timeWords(times, compiled.everyPass);
  const dates = dateWords(days);
  const when = isWholeDay && dates === 'every day' ? text : `${text} ${dates}`;
  const never = days.months === 0 ? 'never, since no date matches: ' : '';
  return `${never}${when}, ${compiled.timezone}${boundWords(trigger)}${policyWords(compiled, trigger)}`;
}

function boundWords(trigger: Trigger): string {
  const start = 'start' in trigger ? trigger.start : undefined;
  const end = 'end' in trigger ? trigger.end : undefined;
  return `${start === undefined ? '' : `, from ${start}`}${end === undefined ? '' : `, until ${end}`}`;
}

/** What is asked for beyond the usual meaning of a clock change (TR-6, TR-13). */
function policyWords(compiled: WallTrigger, trigger: Trigger): string {
  const shift = compiled.shift ? '; a time that the clock skips is moved to the end of the gap' : '';
  const both =
    'repeat' in trigger && trigger.repeat === 'both' ? '; a time that the clock repeats counts both times' : '';
  return `${shift}${both}`;
}
