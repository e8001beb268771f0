/**
 * Which zones decide when a declaration is due: those of its trigger, of every member of an `anyOf`, of its exclusion.
 */

import type { Exclusion } from '../../model/exclusion.js';
import type { Trigger } from '../../model/trigger.js';

/** What of a declaration says when it is due. @internal */
export interface ZonedParts {
  readonly trigger: Trigger;
  readonly exclude?: Exclusion;
}

/** Every zone by whose clock a declaration is judged, as it is written there; none for elapsed time alone. @internal */
export function zonesOf({ trigger, exclude }: ZonedParts): readonly string[] {
  const own = zonesOfTrigger(trigger);
  return exclude?.timezone === undefined ? own : [...own, exclude.timezone];
}

/**
 * Whether another release of the zone data may move the due instants of a declaration (TR-10).
 *
 * @internal
 */
export function dependsOnZones(parts: ZonedParts): boolean {
  return zonesOf(parts).length > 0;
}

function zonesOfTrigger(trigger: Trigger): readonly string[] {
  if (trigger.kind === 'anyOf') return trigger.of.flatMap(zonesOfTrigger);
  return 'timezone' in trigger ? [trigger.timezone] : [];
}
