/**
 * What is found about an instant or a wall time, for any kind of trigger: members of `anyOf`, days left out and the
 * spread put around what {@link judge} finds about a single trigger (TR-11, DE-12).
 */

import type { Trigger } from '../../model/trigger.js';
import { type EpochMs, epochMs } from '../../time/instant.js';
import { type Gap, isDateShown } from '../../time/wall-clock.js';
import type { Zone } from '../../time/zone-spans.js';
import { type AnyOfCompiled, isAnyOf } from '../../trigger/any-of-trigger.js';
import { type CompiledTrigger, isDueAt } from '../../trigger/compiled-trigger.js';
import { type DueSet, isDueSet } from '../../trigger/due/due-set.js';
import type { ExclusionReason } from '../../trigger/due/excluded-days.js';
import { zoneAt } from '../../trigger/preview/shown-instant.js';
import { isShifted, whyExcludedInGap } from '../../trigger/preview/skipped.js';
import { isRecurrence } from '../../trigger/rrule/recurrence-trigger.js';
import { isWallTrigger, type WallTrigger } from '../../trigger/wall-trigger.js';
import { leftOutText } from '../describe/exclusion-words.js';
import { spanText } from '../describe/list-words.js';
import { allHold, boundChecks, check, reasonOf } from './conditions.js';
import type { ConditionCheck } from './due-explanation.js';
import { type Judgement, judge } from './judge.js';
import { gapCheck, ruleChecks, ruleInGap } from './judge-wall.js';
import { patternChecks } from './wall-checks.js';

/** A judgement, and whose clock it was made by. @internal */
export interface Answer extends Judgement {
  /** The zone in which the answer is shown. */
  readonly zone: Zone;
  /** Absent for a wall time that the clock never showed. */
  readonly at?: EpochMs;
  /** For `anyOf`. */
  readonly members?: readonly Answer[];
}

/**
 * Why a trigger is due at an instant, or not. With a spread, the conditions of the trigger are held against the instant
 * before it; `isBefore` says that `at` is meant as such.
 *
 * @internal
 */
export function answerAt(compiled: CompiledTrigger, trigger: Trigger, at: EpochMs, isBefore = false): Answer {
  if (isDueSet(compiled)) return answerOfSet(compiled, trigger, at, isBefore);
  if (isAnyOf(compiled)) return answerOfUnion(compiled, at);
  return { ...judge(compiled, trigger, at), at, zone: zoneAt(compiled, at) };
}

function answerOfUnion(union: AnyOfCompiled, at: EpochMs): Answer {
  const members = union.of.map((member, place) => answerAt(member, union.given[place] as Trigger, at));
  const due = members.filter(({ isDue }) => isDue);
  const checks = [unionCheck(due.length, members.length)];
  const [first] = due;
  return {
    isDue: isDueAt(union, at),
    reason: first?.reason ?? 'noMemberDue',
    checks,
    at,
    zone: zoneAt(union, at),
    ...(first?.gap !== undefined && { gap: first.gap }),
    members,
  };
}

function unionCheck(due: number, of: number): ConditionCheck {
  return check('anyOf', `at least 1 of ${of} triggers due`, due === 0 ? 'none' : String(due), due > 0);
}

function answerOfSet(set: DueSet, trigger: Trigger, at: EpochMs, isBefore: boolean): Answer {
  const { base, exclusion, offsetMs } = set;
  const isDue = isDueAt(set, at);
  // An instant that the trigger names is most likely meant as such, and so is every one that is asked for before the spread.
  const isNamed = !isDue && (isBefore || isDueAt(base, at));
  const before = isNamed ? at : epochMs(at - offsetMs);
  const found = answerAt(base, trigger, before);
  const around = [
    ...(exclusion === undefined ? [] : [exclusionCheck(exclusion.whyExcluded(before))]),
    ...(offsetMs === 0 ? [] : [spreadCheck(offsetMs, isNamed)]),
  ];
  const reason = isDue || !found.isDue ? found.reason : reasonOf(around);
  return { ...found, isDue, reason, at, checks: [...found.checks, ...around] };
}

function exclusionCheck(reason: ExclusionReason | undefined): ConditionCheck {
  return check(
    'exclude',
    'no day that is left out',
    reason === undefined ? 'none' : leftOutText(reason),
    reason === undefined,
  );
}

function spreadCheck(offsetMs: number, isNamed: boolean): ConditionCheck {
  const wanted = `put off by ${spanText(offsetMs)}`;
  return check('spread', wanted, isNamed ? 'not put off' : wanted, !isNamed);
}

/**
 * Why nothing is due at a wall time that the clock of a zone never showed, since it lies in a gap.
 *
 * @internal
 */
export function answerInGap(compiled: CompiledTrigger, gap: Gap, wall: number, zone: Zone): Answer {
  if (isDueSet(compiled)) {
    const { base, exclusion } = compiled;
    const found = answerInGap(base, gap, wall, zone);
    if (exclusion === undefined) return found;
    return { ...found, checks: [...found.checks, exclusionCheck(whyExcludedInGap(exclusion, zone, gap, wall))] };
  }
  if (isAnyOf(compiled)) {
    const members = compiled.of.map((member) => answerInGap(member, gap, wall, zone));
    const skipping = members.find(({ reason }) => reason === 'skippedByGap' || reason === 'missingDate');
    const checks = [unionCheck(0, members.length)];
    return { isDue: false, reason: skipping?.reason ?? 'notShown', checks, gap, zone, members };
  }
  if (isWallTrigger(compiled) && compiled.zone === zone) return wallInGap(compiled, gap, wall);
  const checks = [check('gap', 'shown', 'in a gap', false)];
  return { isDue: false, reason: 'notShown', checks, gap, zone };
}

function wallInGap(trigger: WallTrigger, gap: Gap, wall: number): Answer {
  const asked = isRecurrence(trigger) ? ruleInGap(trigger, gap, wall) : patternInGap(trigger, gap, wall);
  const isAsked = allHold(asked);
  const skipped = isDateShown(wall, gap.before, gap.after) ? 'skippedByGap' : 'missingDate';
  const checks = [...asked, gapCheck(trigger, gap, wall)];
  return { isDue: false, reason: isAsked ? skipped : reasonOf(asked), checks, gap, zone: trigger.zone };
}

function patternInGap({ pattern, start, end }: WallTrigger, gap: Gap, wall: number): readonly ConditionCheck[] {
  return [...patternChecks(pattern, wall), ...boundChecks(gap.at, start, end)];
}

function askedOf(trigger: WallTrigger, wall: number): readonly ConditionCheck[] {
  return isRecurrence(trigger) ? ruleChecks(trigger, wall) : patternChecks(trigger.pattern, wall);
}

/** Whether a trigger that asks for a wall time in a gap is due as the gap ends instead. @internal */
export function isDueAtGapEnd(compiled: CompiledTrigger, gap: Gap, wall: number, zone: Zone): boolean {
  if (isDueSet(compiled)) return isDueAtGapEnd(compiled.base, gap, wall, zone);
  if (isAnyOf(compiled)) return compiled.of.some((member) => isDueAtGapEnd(member, gap, wall, zone));
  if (!isWallTrigger(compiled) || compiled.zone !== zone || !isShifted(compiled, gap, wall)) return false;
  return allHold(askedOf(compiled, wall));
}

/** The instant at which a set is due for an instant of its trigger; the same where nothing is spread. @internal */
export function spreadFrom(compiled: CompiledTrigger, at: EpochMs): EpochMs {
  return isDueSet(compiled) ? epochMs(at + compiled.offsetMs) : at;
}
