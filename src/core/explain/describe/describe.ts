/**
 * A trigger in plain English (TR-11).
 *
 * The words are made from the same compiled pattern that runs, and never from the text of an expression, so a description
 * cannot say another thing than what happens. It may be formal; it is never wrong.
 */

import type { Issue } from '../../model/issue.js';
import type { IntervalTrigger, Trigger } from '../../model/trigger.js';
import { MIN_INSTANT } from '../../time/instant.js';
import { type AnyOfCompiled, isAnyOf } from '../../trigger/any-of-trigger.js';
import { type AskedDue, type DueInput, type DueOptions, readDue, refuseAsk } from '../../trigger/ask.js';
import type { CompiledTrigger } from '../../trigger/compile.js';
import { isDueSet } from '../../trigger/due/due-set.js';
import { wantedFrom } from '../../trigger/pattern/wall-pattern.js';
import { isRecurrence } from '../../trigger/rrule/recurrence-trigger.js';
import { isWallTrigger, type WallTrigger } from '../../trigger/wall-trigger.js';
import { clockWords } from './clock-words.js';
import { dateWords } from './date-words.js';
import { exclusionWords } from './exclusion-words.js';
import { everySpanText, spanText } from './list-words.js';
import { recurrenceWords } from './rule-words.js';
import { timeWords } from './time-words.js';

/** Members of `anyOf` that are described one by one. */
const MOST_MEMBERS = 20;

/**
 * A trigger in plain English, such as `At 02:30 on Mondays to Fridays, Europe/Berlin`: its times and dates, what bounds
 * them, what is left out, and every departure from the usual meaning. Triggers of a union have the order in which they are
 * given. A calendar is told by its name alone, and need not be known. Throws `SCHEDULE_DECLARATION_INVALID`, with every fault
 * in `details.issues`, for wrong input.
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
  const isAllLeftOut = hasInstant(base) && !hasInstant(compiled);
  return [
    `${isAllLeftOut ? 'never, since each of its days is left out: ' : ''}${triggerWords(base, trigger)}`,
    ...(exclude === undefined ? [] : [exclusionWords(exclude)]),
    ...(offsetMs === 0 ? [] : [`the spread puts it off by ${spanText(offsetMs)}`]),
  ].join('; ');
}

/** `number` stands before the numbers of its own triggers, where it is a union in another one. */
function triggerWords(compiled: CompiledTrigger, trigger: Trigger, number = ''): string {
  if (isAnyOf(compiled)) return unionWords(compiled, number);
  const words = singleWords(compiled, trigger);
  const isSaid = trigger.kind === 'manual' || (isRecurrence(compiled) && compiled.pattern.days.months === 0);
  return isSaid || hasInstant(compiled) ? words : `never, since ${whyNever(compiled)}: ${words}`;
}

function singleWords(compiled: CompiledTrigger, trigger: Trigger): string {
  if (isRecurrence(compiled)) return recurrenceWords(compiled);
  if (isWallTrigger(compiled)) return wallWords(compiled, trigger);
  if (trigger.kind === 'once') return `once, at ${trigger.at}`;
  if (trigger.kind === 'interval') return intervalWords(trigger);
  return 'never by itself: only when it is triggered by hand';
}

function hasInstant(compiled: CompiledTrigger): boolean {
  return compiled.next(MIN_INSTANT - 1) !== undefined;
}

/** Why a trigger that is due at times has no instant. */
function whyNever(compiled: CompiledTrigger): string {
  if (!isWallTrigger(compiled)) return 'it ends before it begins';
  if (wantedFrom(compiled.pattern, MIN_INSTANT) === Number.POSITIVE_INFINITY) return 'no date matches';
  return compiled.start > compiled.end ? 'it ends before it begins' : 'no such time comes between its bounds';
}

function unionWords(union: AnyOfCompiled, number: string): string {
  const [only] = union.of;
  if (only !== undefined && union.of.length === 1) return triggerWords(only, union.given[0] as Trigger, number);
  const told = union.of.slice(0, MOST_MEMBERS).map((_, place) => memberWords(union, place, number));
  const more = union.of.length > MOST_MEMBERS ? `, and ${union.of.length - MOST_MEMBERS} more` : '';
  return `whenever one of these is due: ${told.join(', ')}${more}`;
}

/**
 * One trigger of a union, with its place counted from 1: `(2) at 03:30 every day, Europe/Berlin`; `before` is the number of
 * the union in another one, such as `1.`.
 *
 * @internal
 */
export function memberWords({ of, given }: AnyOfCompiled, place: number, before = ''): string {
  const member = of[place] as CompiledTrigger;
  const number = `${before}${place + 1}`;
  const words = triggerWords(member, given[place] as Trigger, `${number}.`);
  return `(${number}) ${isAnyOf(member) ? `[${words}]` : words}`;
}

function intervalWords({ everySeconds, start, end }: IntervalTrigger): string {
  const every = everySpanText(Math.round(everySeconds * 1000));
  return `every ${every} of elapsed time from ${start}${end === undefined ? '' : ` until ${end}`}`;
}

function wallWords(compiled: WallTrigger, trigger: Trigger): string {
  const { days, times } = compiled.pattern;
  const told = timeWords(times, compiled.everyPass);
  const dates = dateWords(days);
  const when = told.isWholeDay && dates === 'every day' ? told.text : `${told.text} ${dates}`;
  return `${when}, ${compiled.timezone}${boundWords(trigger)}${clockWords(compiled, told)}`;
}

function boundWords(trigger: Trigger): string {
  const start = 'start' in trigger ? trigger.start : undefined;
  const end = 'end' in trigger ? trigger.end : undefined;
  return `${start === undefined ? '' : `, from ${start}`}${end === undefined ? '' : `, until ${end}`}`;
}
