/**
 * What a trigger of a wall clock asks for, held against one instant: calendar, cron and recurrence triggers.
 */

import type { EpochMs } from '../../time/instant.js';
import { formatLocal, type Gap, gapEndingAt, instantsShowing, timeOfWall } from '../../time/wall-clock.js';
import { spanAt } from '../../time/zone-spans.js';
import { wantedFrom } from '../../trigger/pattern/wall-pattern.js';
import { isShifted, wallInPlaceOf } from '../../trigger/preview/skipped.js';
import type { RecurrenceTrigger } from '../../trigger/rrule/recurrence-trigger.js';
import type { WallTrigger } from '../../trigger/wall-trigger.js';
import { phaseWords, placesWords } from '../describe/rule-words.js';
import { allHold, boundChecks, check } from './conditions.js';
import type { ConditionCheck } from './due-explanation.js';
import { patternChecks } from './wall-checks.js';

/** The conditions that speak about an instant. @internal */
export interface WallFinding {
  readonly checks: readonly ConditionCheck[];
  /** The wall time is shown for the second time. */
  readonly isSecondPass: boolean;
  /** The gap that ends at the instant, where it stands for a wall time in it. */
  readonly gap?: Gap;
}

/** The conditions of a calendar or cron trigger. @internal */
export function wallFinding(trigger: WallTrigger, at: EpochMs): WallFinding {
  const bounds = boundChecks(at, trigger.start, trigger.end);
  const skipped = wallInPlaceOf(trigger, at);
  if (skipped === undefined) {
    const { wall, isSecondPass, repeat } = passOf(trigger, at);
    return { checks: [...patternChecks(trigger.pattern, wall), ...bounds, ...repeat], isSecondPass };
  }
  const gap = gapEndingAt(trigger.zone, at) as Gap;
  const checks = [...patternChecks(trigger.pattern, skipped), ...bounds, gapCheck(trigger, gap, skipped)];
  return { checks, isSecondPass: false, gap };
}

/** The wall time of an instant, and the condition of the pass where it is a second one. */
function passOf({ zone, everyPass }: WallTrigger, at: EpochMs) {
  const span = spanAt(zone, at);
  const wall = at + span.offset;
  const isSecondPass = wall < span.freshFrom;
  const wanted = everyPass ? 'the first or the second' : 'the first';
  return { wall, isSecondPass, repeat: isSecondPass ? [check('repeat', wanted, 'the second', everyPass)] : [] };
}

/** What becomes of a wall time in a gap. @internal */
export function gapCheck(trigger: WallTrigger, gap: Gap, wall: number): ConditionCheck {
  const isDueInstead = isShifted(trigger, gap, wall);
  const wanted = isDueInstead ? 'shown, or in a gap of which the end is due instead' : 'shown';
  return check('gap', wanted, `in the gap from ${timeOfWall(gap.from)} to ${timeOfWall(gap.to)}`, isDueInstead);
}

/** The conditions of a recurrence trigger. @internal */
export function recurrenceFinding(trigger: RecurrenceTrigger, at: EpochMs): WallFinding {
  const { zone, recurrence } = trigger;
  const { wall, isSecondPass, repeat } = passOf(trigger, at);
  if (isPutIn(trigger, wall, at)) {
    return { checks: [check('rule', 'met, or named by `rdates`', 'named by `rdates`', true)], isSecondPass: false };
  }
  const asked = ruleChecks(trigger, wall);
  const bounds = boundChecks(at, trigger.start, lastOfRule(trigger));
  const isOut = recurrence.exdates.includes(wall);
  const out =
    recurrence.exdates.length === 0 ? [] : [check('exdates', 'none of `exdates`', formatLocal(zone, at), !isOut)];
  const checks = [...asked, ...bounds, ...repeat, ...out];
  return {
    checks: allHold([...asked, ...bounds, ...repeat]) ? [...checks, ...countCheck(trigger, at)] : checks,
    isSecondPass,
  };
}

/** Whether `rdates` name an instant: the first that shows one of them, unless `exdates` take it out again. */
function isPutIn({ zone, recurrence }: RecurrenceTrigger, wall: number, at: EpochMs): boolean {
  const { rdates, exdates } = recurrence;
  return rdates.includes(wall) && !exdates.includes(wall) && instantsShowing(zone, wall)[0] === at;
}

/** What a rule asks of a wall time, from dates to places. @internal */
export function ruleChecks({ pattern, recurrence }: RecurrenceTrigger, wall: number): readonly ConditionCheck[] {
  const asked = patternChecks(pattern, wall, recurrence.rule);
  if (pattern.recurrence === undefined || !allHold(asked)) return asked;
  const isMet = wantedFrom(pattern, wall) === wall;
  if (pattern.recurrence.is === 'places') {
    const wanted = placesWords(pattern.recurrence, 'or');
    return [...asked, check('rule', wanted, isMet ? 'one of these' : 'another one', isMet)];
  }
  const rhythm = phaseWords(pattern.recurrence, recurrence.dtstart);
  return [...asked, check('rule', `on the rhythm of ${rhythm}`, isMet ? 'on it' : 'off it', isMet)];
}

/** The last instant that UNTIL allows. */
function lastOfRule(trigger: RecurrenceTrigger): number {
  // The bounds of the trigger ask the zone, and with that its rule is known.
  return trigger.shown?.rule.end ?? trigger.end;
}

/** How far COUNT has come at an instant of the rule. */
function countCheck({ shown, recurrence }: RecurrenceTrigger, at: EpochMs): readonly ConditionCheck[] {
  const { count } = recurrence.rule;
  if (count === undefined || shown === undefined) return [];
  const { rule } = shown;
  const number = rule.count(rule.start - 1, at, count + 1);
  const found = number > count ? `beyond the ${count} instants of the rule` : `number ${number}`;
  return [check('count', `one of the first ${count}`, found, number <= count)];
}
