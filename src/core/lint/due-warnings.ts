/**
 * Warnings about unions and spreads: members that add nothing, and instants that are put off too far (DE-12, TR-12).
 */

import { type EpochMs, epochMs, formatInstant, parseInstant } from '../time/instant.js';
import { dateOfWall, wallTimeAt } from '../time/wall-clock.js';
import { type AnyOfCompiled, isAnyOf } from '../trigger/any-of-trigger.js';
import { type CompiledTrigger, isDueAt } from '../trigger/compiled-trigger.js';
import { type DueSet, isDueSet } from '../trigger/due/due-set.js';
import { zoneAt } from '../trigger/preview/shown-instant.js';
import { type Outlook, SECOND_MS, shortestGapMs, usualDue } from './outlook.js';
import { type Warning, warning } from './warning.js';

/** Due instants of a member by which it is judged whether others are due whenever it is. */
const COMPARED = 50;
/** Unions of more members are not compared: each one would have to be held against all others. */
const MOST_COMPARED = 20;

/** Members of a union that are never due, or only when others are. @internal */
export function memberWarnings({ trigger, now }: Outlook): readonly Warning[] {
  const union = trigger !== undefined && isDueSet(trigger) ? trigger.base : trigger;
  if (union === undefined || !isAnyOf(union)) return [];
  return union.of.flatMap((member, place) => memberWarning(union, member, place, now) ?? []);
}

function memberWarning(
  union: AnyOfCompiled,
  member: CompiledTrigger,
  place: number,
  now: EpochMs,
): Warning | undefined {
  const path = `trigger.of[${place}]`;
  const due = member.list(now - 1, COMPARED);
  if (due.length === 0) {
    return warning('neverDue', path, `this trigger of \`anyOf\` has no due instant from ${formatInstant(now)} on`);
  }
  if (union.of.length > MOST_COMPARED) return undefined;
  const others = union.of.filter((other) => other !== member);
  if (!due.every((at) => others.some((other) => isDueAt(other, at)))) return undefined;
  const which = due.length < COMPARED ? 'each of its due instants' : `each of its next ${COMPARED} due instants`;
  const text = `this trigger of \`anyOf\` adds nothing: at ${which} another one is due as well`;
  return warning('redundantMember', path, text);
}

/** A spread that puts instants off beyond the next one, the date or the end. @internal */
export function spreadWarnings(seen: Outlook): readonly Warning[] {
  const { declaration, trigger } = seen;
  const { spreadSeconds } = declaration;
  if (trigger === undefined || spreadSeconds === undefined || !isDueSet(trigger)) return [];
  const shortest = shortestGapMs(seen);
  const pastEnd = spreadPastEnd(seen, trigger);
  if (spreadSeconds * SECOND_MS > shortest) {
    const text = `the spread is up to ${spreadSeconds} s, and due instants come as close as ${shortest / SECOND_MS} s: one may be put off beyond the next; use at most ${shortest / SECOND_MS}`;
    return [warning('longSpread', 'spreadSeconds', text), ...pastEnd];
  }
  return [...spreadPastDay(seen, trigger), ...pastEnd];
}

/** The first instant that is put off to another date, on the clock by which it is judged. */
function spreadPastDay(seen: Outlook, { base, offsetMs, timezone, exclusion }: DueSet): readonly Warning[] {
  if (timezone === undefined) return [];
  const moved = usualDue(seen).find((at) => {
    const zone = zoneAt(base, at - offsetMs);
    return dateOfWall(wallTimeAt(zone, at)) !== dateOfWall(wallTimeAt(zone, at - offsetMs));
  });
  if (moved === undefined) return [];
  const before = formatInstant(epochMs(moved - offsetMs));
  const judged = exclusion === undefined ? '' : ', and `exclude` is judged by the date before it';
  const text = `the spread puts ${before} off to ${formatInstant(moved)}, which is another date in ${zoneAt(base, moved - offsetMs).name}${judged}`;
  return [warning('spreadPastDay', 'spreadSeconds', text)];
}

function spreadPastEnd({ declaration, now }: Outlook, { base, offsetMs }: DueSet): readonly Warning[] {
  const { trigger } = declaration;
  const end = 'end' in trigger && trigger.end !== undefined ? parseInstant(trigger.end) : undefined;
  const last = end === undefined ? undefined : base.previous(end + 1);
  if (end === undefined || last === undefined || last < now || last + offsetMs <= end) return [];
  const text = `the last instant before \`end\`, ${formatInstant(last)}, is put off to ${formatInstant(epochMs(last + offsetMs))}, after it`;
  return [warning('spreadPastEnd', 'spreadSeconds', text)];
}
