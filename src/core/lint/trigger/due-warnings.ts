/**
 * Warnings about unions and spreads: members that add nothing, and instants that are put off too far (DE-12, TR-12).
 */

import { DAY_MS, parseDate } from '../../time/civil.js';
import { type EpochMs, epochMs, formatInstant, toEpochMs } from '../../time/instant.js';
import { dateOfWall, wallTimeAt } from '../../time/wall-clock.js';
import { isDueAt } from '../../trigger/compiled-trigger.js';
import { type DueSet, isDueSet } from '../../trigger/due/due-set.js';
import { zoneAt } from '../../trigger/preview/shown-instant.js';
import { isRecurrence } from '../../trigger/rrule/recurrence-trigger.js';
import { type Outlook, SECOND_MS, shortestGapMs, usualDue } from '../outlook.js';
import { type Warning, warning } from '../warning.js';
import { type Single, singlesOf } from './singles.js';

/**
 * A member is compared by every due instant of the whole years, in which every date but a leap day falls on every weekday, and by
 * some of each later one.
 */
const YEARS = { whole: 12, some: 40 } as const;
const YEAR_MS = 365.25 * DAY_MS;
/** Most due instants of the whole years, twice a day: one that is due more often is compared with members written alike only. */
const MOST_DUE = 9000;
/** Due instants of each later year, and of the end. */
const SOME_DUE = 5;
/** Due instants that lie so near to a day on which any member is an exception are looked at as well. */
const NEAR_MS = 2 * DAY_MS;
const MOST_NEAR = 20;
/** With more exceptions members are compared by what is written alone. */
const MOST_EXCEPTIONS = 1000;
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
  let kept = singles.filter(({ compiled }) => compiled.next(seen.now - 1) !== undefined);
  const found = new Map<Single, Warning>();
  for (const one of singles) if (!kept.includes(one)) found.set(one, neverDue(one, seen.now));
  if (singles.length > MOST_COMPARED) return [...found.values()];
  const exceptions = exceptionsIn(singles, seen.now);
  for (const one of kept.toReversed()) {
    const others = kept.filter((other) => other !== one);
    const warned = double(one, others) ?? redundant(one, looksOf(one, seen.now, exceptions), others);
    if (warned === undefined) continue;
    found.set(one, warned);
    kept = others;
  }
  return joined(singles, found);
}

/** One warning for a union in which nothing would be left, since an empty one is refused. */
function joined(singles: readonly Single[], found: ReadonlyMap<Single, Warning>): readonly Warning[] {
  const told = new Map<string, Warning>();
  for (const one of singles) {
    const own = found.get(one);
    if (own === undefined) continue;
    const union = unionOf(one.path);
    const isEmptied =
      union !== 'trigger' && singles.every((other) => unionOf(other.path) !== union || found.has(other));
    const text = 'every trigger of this `anyOf` is never due, or only when another one is: take all of it out';
    if (isEmptied) told.set(union, warning('redundantMember', union, text));
    else told.set(one.path, own);
  }
  return [...told.values()];
}

/** The place of the union that a member stands in. */
function unionOf(path: string): string {
  return path.slice(0, path.lastIndexOf('.of['));
}

/**
 * Due instants by which a member is judged; none where they are too many to look at all of them. What is between those that were
 * looked at could be what it alone is due at, and whoever took it out would lose that.
 */
function looksOf({ compiled }: Single, now: EpochMs, exceptions: readonly number[]): readonly EpochMs[] | undefined {
  if (exceptions.length > MOST_EXCEPTIONS) return undefined;
  const near = compiled.list(now - 1, MOST_DUE);
  if (near.length < MOST_DUE) return near;
  if ((near[MOST_DUE - 1] as EpochMs) < now + YEARS.whole * YEAR_MS) return undefined;
  const later: EpochMs[] = [];
  for (let year = YEARS.whole; year < YEARS.some; year += 1)
    later.push(...compiled.list(now + year * YEAR_MS, SOME_DUE));
  const ends: EpochMs[] = [];
  let end = compiled.previous(Number.POSITIVE_INFINITY);
  while (end !== undefined && ends.length < SOME_DUE) {
    ends.push(end);
    end = compiled.previous(end);
  }
  const odd = exceptions.flatMap((day) =>
    compiled.list(Math.max(now, day - NEAR_MS) - 1, MOST_NEAR).filter((at) => at <= day + NEAR_MS),
  );
  return [...new Set([...near, ...later, ...ends, ...odd])];
}

/** Where a member begins, ends, or has a date put in or taken out, and leap days, which no other year has; a day or so beside it. */
function exceptionsIn(singles: readonly Single[], now: EpochMs): readonly number[] {
  const found = singles.flatMap(({ compiled }) => [
    compiled.next(Number.NEGATIVE_INFINITY),
    compiled.previous(Number.POSITIVE_INFINITY),
    ...(isRecurrence(compiled) ? [...compiled.recurrence.exdates, ...compiled.recurrence.rdates] : []),
  ]);
  for (let year = civilYear(now); year <= civilYear(now) + YEARS.some; year += 1) {
    const day = parseDate(`${year}-02-29`);
    if (day !== undefined) found.push(epochMs(day * DAY_MS));
  }
  return found.filter((at) => at !== undefined && at > now - NEAR_MS) as number[];
}

function civilYear(at: EpochMs): number {
  return Number(formatInstant(at).slice(0, 4));
}

function neverDue({ path }: Single, now: EpochMs): Warning {
  return warning('neverDue', path, `this trigger of \`anyOf\` has no due instant from ${formatInstant(now)} on`);
}

function double({ path, trigger }: Single, others: readonly Single[]): Warning | undefined {
  const text = JSON.stringify(trigger);
  const same = others.find((other) => JSON.stringify(other.trigger) === text);
  if (same === undefined) return undefined;
  return warning('redundantMember', path, `this trigger of \`anyOf\` adds nothing: it is the same as \`${same.path}\``);
}

function redundant(
  { path }: Single,
  due: readonly EpochMs[] | undefined,
  others: readonly Single[],
): Warning | undefined {
  if (due === undefined || !due.every((at) => others.some(({ compiled }) => isDueAt(compiled, at)))) return undefined;
  const whole = others.find(({ compiled }) => due.every((at) => isDueAt(compiled, at)));
  const another = whole === undefined ? 'another one' : `\`${whole.path}\``;
  const text = `this trigger of \`anyOf\` adds nothing: whenever it is due (${due.length} instants were compared), ${another} is due as well`;
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
  const end = 'end' in trigger && trigger.end !== undefined ? toEpochMs(trigger.end) : undefined;
  const last = end === undefined ? undefined : base.previous(end + 1);
  if (end === undefined || last === undefined || last < now || last + offsetMs <= end) return [];
  const text = `the last instant before \`end\`, ${formatInstant(last)}, is put off to ${formatInstant(epochMs(last + offsetMs))}, after it`;
  return [warning('spreadPastEnd', 'spreadSeconds', text)];
}
