/**
 * What a trigger of a wall clock asks for, held against one instant: calendar, cron and recurrence triggers.
 */

import { type EpochMs, formatWallTime } from '../../time/instant.js';
import { formatLocal, type Gap, gapEndingAt, instantsShowing, timeOfWall } from '../../time/wall-clock.js';
import { spanAt } from '../../time/zone-spans.js';
import { wantedFrom } from '../../trigger/pattern/wall-pattern.js';
import { isShifted, wallInPlaceOf } from '../../trigger/preview/skipped.js';
import { type RecurrenceTrigger, ruleAlone } from '../../trigger/rrule/recurrence-trigger.js';
import type { WallTrigger } from '../../trigger/wall-trigger.js';
import { phaseWords } from '../describe/phase-words.js';
import { onePlaceWords } from '../describe/rule-words.js';
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
  if (isPutIn(trigger, wall, at)) return { checks: [NAMED_BY_RDATES], isSecondPass: false };
  const asked = ruleChecks(trigger, wall);
  const rule = ruleAlone(trigger);
  const bounds = boundChecks(at, rule.start, rule.end);
  const isOut = recurrence.exdates.includes(wall);
  const out =
    recurrence.exdates.length === 0 ? [] : [check('exdates', 'none of `exdates`', formatLocal(zone, at), !isOut)];
  const checks = [...asked, ...bounds, ...repeat, ...out];
  return {
    checks: allHold([...asked, ...bounds, ...repeat]) ? [...checks, ...countCheck(trigger, at, 0)] : checks,
    isSecondPass,
  };
}

/** The conditions of a recurrence trigger, held against a wall time that its clock never showed, in a gap. @internal */
export function ruleInGap(trigger: RecurrenceTrigger, gap: Gap, wall: number): readonly ConditionCheck[] {
  const { rdates, exdates } = trigger.recurrence;
  const isOut = exdates.includes(wall);
  if (rdates.includes(wall) && !isOut) return [NAMED_BY_RDATES];
  const rule = ruleAlone(trigger);
  const asked = [...ruleChecks(trigger, wall), ...boundChecks(gap.at, rule.start, rule.end)];
  const out = exdates.length === 0 ? [] : [check('exdates', 'none of `exdates`', formatWallTime(wall), !isOut)];
  // COUNT counts no time that the clock skips: this one would have been the next.
  return allHold(asked) ? [...asked, ...out, ...countCheck(trigger, gap.at - 1, 1)] : [...asked, ...out];
}

const NAMED_BY_RDATES = check('rule', 'a time that meets it, or one that `rdates` name', 'named by `rdates`', true);

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
    const wanted = onePlaceWords(pattern.recurrence);
    return [...asked, check('rule', wanted, isMet ? 'one of these' : 'another one', isMet)];
  }
  const wanted = phaseWords(pattern.recurrence, pattern.times, recurrence.dtstart);
  return [...asked, check('rule', wanted, isMet ? 'on that rhythm' : 'off that rhythm', isMet)];
}

/** How far COUNT has come: so many instants of the rule through `through`, and so many `more`. */
function countCheck(trigger: RecurrenceTrigger, through: number, more: number): readonly ConditionCheck[] {
  const { count } = trigger.recurrence.rule;
  if (count === undefined) return [];
  const rule = ruleAlone(trigger);
  const number = rule.count(rule.start - 1, through, count + 1) + more;
  const found = number > count ? `beyond the ${count} instants of the rule` : `number ${number}`;
  return [check('count', `one of the first ${count}`, found, number <= count)];
}
