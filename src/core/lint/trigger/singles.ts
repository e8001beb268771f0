/**
 * The single triggers of a declaration: its own, or those of its unions, each with the place where it was given.
 *
 * Warnings name places, and somebody will take out or change what stands there. So places are those of the trigger that was
 * compiled, in its author's order; of a declaration in its normal form they are those of the normal form.
 */

import type { Trigger } from '../../model/trigger.js';
import { isAnyOf } from '../../trigger/any-of-trigger.js';
import type { CompiledTrigger } from '../../trigger/compile.js';
import { isDueSet } from '../../trigger/due/due-set.js';
import type { Outlook } from '../outlook.js';

/** A trigger that is no union. @internal */
export interface Single {
  readonly compiled: CompiledTrigger;
  /** As it was given. */
  readonly trigger: Trigger;
  /** Such as `trigger` or `trigger.of[1]`. */
  readonly path: string;
}

/** All single triggers, in the order in which they were given; none where the trigger is invalid. @internal */
export function singlesOf({ trigger, given }: Outlook): readonly Single[] {
  return trigger === undefined ? [] : singlesIn(isDueSet(trigger) ? trigger.base : trigger, given, 'trigger');
}

function singlesIn(compiled: CompiledTrigger, trigger: Trigger, path: string): readonly Single[] {
  if (!isAnyOf(compiled) || trigger.kind !== 'anyOf') return [{ compiled, trigger, path }];
  return compiled.of.flatMap((member, place) =>
    singlesIn(member, trigger.of[place] as Trigger, `${path}.of[${place}]`),
  );
}
