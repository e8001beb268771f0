/**
 * Whether a trigger is due at an instant, and every condition that speaks for or against it (TR-11).
 *
 * The compiled trigger has the word on whether it is due: it is asked as the owner asks it. The conditions are found on
 * their own, and the two must agree: an instant is due where all conditions hold.
 */

import type { Trigger } from '../../model/trigger.js';
import { type EpochMs, formatInstant, MAX_INSTANT, parseInstant } from '../../time/instant.js';
import type { Gap } from '../../time/wall-clock.js';
import { type CompiledTrigger, isDueAt } from '../../trigger/compiled-trigger.js';
import { isRecurrence } from '../../trigger/rrule/recurrence-trigger.js';
import { isWallTrigger, type WallTrigger } from '../../trigger/wall-trigger.js';
import { spanText } from '../describe/list-words.js';
import { boundChecks, check, reasonOf } from './conditions.js';
import type { ConditionCheck, DueReason } from './due-explanation.js';
import { recurrenceFinding, wallFinding } from './judge-wall.js';

/** What was found about one instant and one trigger. @internal */
export interface Judgement {
  readonly isDue: boolean;
  readonly reason: DueReason;
  readonly checks: readonly ConditionCheck[];
  /** The gap that ends at the instant, where the trigger is due in place of a wall time in it. */
  readonly gap?: Gap;
}

/** Judges an instant by a trigger that has neither members nor an exclusion or a spread. @internal */
export function judge(compiled: CompiledTrigger, trigger: Trigger, at: EpochMs): Judgement {
  const isDue = isDueAt(compiled, at);
  if (isWallTrigger(compiled)) return judgeWall(compiled, at, isDue);
  const checks = elapsedChecks(trigger, at);
  return { isDue, reason: isDue ? 'due' : reasonOf(checks), checks };
}

function judgeWall(compiled: WallTrigger, at: EpochMs, isDue: boolean): Judgement {
  const { checks, isSecondPass, gap } = isRecurrence(compiled)
    ? recurrenceFinding(compiled, at)
    : wallFinding(compiled, at);
  if (!isDue) return { isDue, reason: reasonOf(checks), checks, ...(gap && { gap }) };
  if (gap !== undefined) return { isDue, reason: 'shifted', checks, gap };
  return { isDue, reason: isSecondPass ? 'secondPass' : 'due', checks };
}

function elapsedChecks(trigger: Trigger, at: EpochMs): readonly ConditionCheck[] {
  const found = formatInstant(at);
  if (trigger.kind === 'once') return [check('at', trigger.at, found, trigger.at === found)];
  if (trigger.kind !== 'interval') return [check('kind', 'one that is due by itself', trigger.kind, false)];
  const { start, end, everySeconds } = trigger;
  const [from, until] = [parseInstant(start) ?? at, end === undefined ? MAX_INSTANT : (parseInstant(end) ?? at)];
  const bounds = boundChecks(at, from, until);
  if (at < from) return bounds;
  const every = Math.round(everySeconds * 1000);
  const distance = spanText(at - from) || '0 seconds';
  return [...bounds, check('phase', `a multiple of ${spanText(every)}`, distance, (at - from) % every === 0)];
}
