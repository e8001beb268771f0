/**
 * Warnings about the dates that a recurrence takes out and puts in: those that change nothing (TR-12, TR-14).
 */

import { formatWallTime, parseWallTime } from '../../time/instant.js';
import { gapHolding, instantsShowing } from '../../time/wall-clock.js';
import { isDueAt } from '../../trigger/compiled-trigger.js';
import { isRecurrence, type RecurrenceTrigger, recurrenceTrigger } from '../../trigger/rrule/recurrence-trigger.js';
import { type Warning, warning } from '../warning.js';
import type { Single } from './singles.js';

/** Warnings of `skippedRdate` and `idleExdate`: at most one of each, at the first date that it is about. @internal */
export function dateWarnings({ compiled, trigger, path }: Single): readonly Warning[] {
  if (!isRecurrence(compiled) || trigger.kind !== 'rrule') return [];
  const { exdates = [], rdates = [] } = trigger;
  const skipped = placesWhere(rdates, (wall) => isSkipped(compiled, wall));
  const idle = placesWhere(exdates, isIdleIn(compiled));
  return [...skippedRdates(compiled, skipped, `${path}.rdates`), ...idleExdates(idle, `${path}.exdates`)];
}

/** A wall time of a list, and where it stands in it. */
interface Placed {
  readonly wall: number;
  readonly place: number;
}

function placesWhere(texts: readonly string[], holds: (wall: number) => boolean): readonly Placed[] {
  return texts.flatMap((text, place) => {
    const wall = parseWallTime(text);
    return wall !== undefined && holds(wall) ? [{ wall, place }] : [];
  });
}

function isSkipped({ zone, recurrence }: RecurrenceTrigger, wall: number): boolean {
  return !recurrence.exdates.includes(wall) && gapHolding(zone, wall) !== undefined;
}

/** Tells times that neither the rule nor `rdates` name; what lies in a gap of the zone is not judged. */
function isIdleIn({ zone, recurrence }: RecurrenceTrigger): (wall: number) => boolean {
  const whole = recurrenceTrigger(zone, { ...recurrence, exdates: [] });
  return (wall) => {
    const shown = instantsShowing(zone, wall);
    return shown.length > 0 && !shown.some((at) => isDueAt(whole, at));
  };
}

function skippedRdates({ timezone }: RecurrenceTrigger, [first, ...others]: readonly Placed[], path: string) {
  if (first === undefined) return [];
  const text = `${formatWallTime(first.wall)}${andMore(others)} does not exist in ${timezone}, whose clock jumps over it: nothing is due in its place`;
  return [warning('skippedRdate', `${path}[${first.place}]`, text)];
}

function idleExdates([first, ...others]: readonly Placed[], path: string): readonly Warning[] {
  if (first === undefined) return [];
  const text = `${formatWallTime(first.wall)}${andMore(others)} takes nothing out, since the rule names no such time; it must be the date and the time of day of one that it names`;
  return [warning('idleExdate', `${path}[${first.place}]`, text)];
}

function andMore({ length }: readonly Placed[]): string {
  return length === 0 ? '' : ` (and ${length} more)`;
}
