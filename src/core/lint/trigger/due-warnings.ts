/**
 * Warnings about unions and spreads: members that add nothing, and instants that are put off too far (DE-12, TR-12).
 */

import { type EpochMs, epochMs, formatInstant, parseInstant } from '../../time/instant.js';
import { dateOfWall, wallTimeAt } from '../../time/wall-clock.js';
import { isDueAt } from '../../trigger/compiled-trigger.js';
import { type DueSet, isDueSet } from '../../trigger/due/due-set.js';
import { zoneAt } from '../../trigger/preview/shown-instant.js';
import { type Outlook, SECOND_MS, shortestGapMs, usualDue } from '../outlook.js';
import { type Warning, warning } from '../warning.js';
import { type Single, singlesOf } from './singles.js';

/** Due instants of a member by which it is judged whether others are due whenever it is. */
const COMPARED = 50;
/** Unions of more members are not compared: each one would have to be held against all others. */
const MOST_COMPARED = 20;

/**
 * Members of a union that are never due, or only when others are. All that are named can be taken out together: of members
 * that cover one another, one is not named.
 *
 * @internal
 */
export function memberWarnings(seen: Outlook): readonly Warning[] {
  if (seen.given.kind !== 'anyOf') return [];
  const singles = singlesOf(seen);
  const due = new Map(singles.map((one) => [one, one.compiled.list(seen.now - 1, COMPARED)]));
  let kept = singles.filter((one) => due.get(one)?.length !== 0);
  const found = new Map<Single, Warning>();
  for (const one of singles) if (!kept.includes(one)) found.set(one, neverDue(one, seen.now));
  if (singles.length > MOST_COMPARED) return [...found.values()];
  for (const one of kept.toReversed()) {
    const others = kept.filter((other) => other !== one);
    const warned = redundant(one, due.get(one) ?? [], others);
    if (warned === undefined) continue;
    found.set(one, warned);
    kept = others;
  }
  return singles.flatMap((one) => found.get(one) ?? []);
}

function neverDue({ path }: Single, now: EpochMs): Warning {
  return warning('neverDue', path, `this trigger of \`anyOf\` has no due instant from ${formatInstant(now)} on`);
}

function redundant({ path }: Single, due: readonly EpochMs[], others: readonly Single[]): Warning | undefined {
  if (!due.every((at) => others.some(({ compiled }) => isDueAt(compiled, at)))) return undefined;
  const which = due.length < COMPARED ? 'each of its due instants' : `each of its next ${COMPARED} due instants`;
  const whole = others.find(({ compiled }) => due.every((at) => isDueAt(compiled, at)));
  const another = whole === undefined ? 'another one' : `\`${whole.path}\``;
  const text = `this trigger of \`anyOf\` adds nothing: at ${which} ${another} is due as well`;
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
