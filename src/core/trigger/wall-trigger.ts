/**
 * Calendar, cron and recurrence triggers: a pattern of wall times, seen through the clock of a zone.
 *
 * The search goes from span to span of constant offset. Inside a span local and real time run alike, so the next
 * wanted wall time is the next due instant, unless the span ends before it. At the border between two spans the clock
 * either jumps ahead, and wanted wall times fall into the gap, or goes back, and they come again. Three rules decide
 * what then happens, and all else follows from them:
 *
 * - A wildcard job, or `repeat: 'both'`, is due at every real instant whose wall time matches (TR-6).
 * - A fixed-time job is due when a wall time is shown for the first time (TR-3): `freshFrom` of a span says from where.
 * - With `gap: 'shift'` a fixed-time job that wanted a time in a gap is due once, as the gap ends (TR-13).
 */

import { DAY_MS } from '../time/civil.js';
import { type EpochMs, epochMs, MAX_INSTANT, MIN_INSTANT } from '../time/instant.js';
import { isDateShown } from '../time/wall-clock.js';
import { type Span, spanAt, type Zone } from '../time/zone-spans.js';
import { type CompiledTrigger, countByNext, listByNext } from './compiled-trigger.js';
import { type WallPattern, wantedFrom, wantedUntil } from './pattern/wall-pattern.js';

/**
 * How a pattern becomes due instants: a wildcard job has `everyPass` and not `shift`, a fixed-time job any of the four.
 *
 * @internal
 */
export interface WallPolicy {
  /** Due at every pass of a repeated wall time, rather than at the first alone. */
  readonly everyPass: boolean;
  /** A wall time in a gap is due at the end of the gap, rather than not at all. */
  readonly shift: boolean;
}

/** The kinds of triggers that a wall clock decides. @internal */
export type WallKind = 'calendar' | 'cron' | 'rrule';

/**
 * A compiled calendar, cron or recurrence trigger.
 *
 * @internal
 */
export interface WallTrigger extends CompiledTrigger, WallPolicy {
  readonly kind: WallKind;
  readonly timezone: string;
  readonly zone: Zone;
  readonly pattern: WallPattern;
  /** Earliest instant that may be due, inclusive. */
  readonly start: number;
  /** Latest instant that may be due, inclusive. */
  readonly end: number;
}

/** After 2199 has ended everywhere nothing is due (TR-14), and no zone need be looked at. @internal */
export const SEARCH_END = 7_258_204_800_000;
/** A wanted wall time this far beyond the border of a span is reached by a leap, not from span to span. */
const FAR_MS = 3 * DAY_MS;
/** Where a leap lands, before or behind the wall time: farther from it than any offset and any change. */
const LANDING_MS = 2 * DAY_MS;

/**
 * Due when the clock of `zone` shows a wall time of `pattern`, from `start` to `end`, both inclusive (TR-5).
 *
 * @internal
 */
export function wallTrigger(
  kind: WallKind,
  zone: Zone,
  pattern: WallPattern,
  policy: WallPolicy,
  start: EpochMs = MIN_INSTANT,
  end: EpochMs = MAX_INSTANT,
): WallTrigger {
  const { everyPass, shift } = policy;
  const timezone = zone.name;
  return {
    kind,
    timezone,
    zone,
    pattern,
    everyPass,
    shift,
    start,
    end,
    next,
    previous,
    list: listByNext,
    count: countByNext,
  };
}

/**
 * Whether a compiled trigger is one of a wall clock.
 *
 * @internal
 */
export function isWallTrigger(trigger: CompiledTrigger): trigger is WallTrigger {
  return 'zone' in trigger;
}

function next(this: WallTrigger, after: number): EpochMs | undefined {
  if (!(after < SEARCH_END)) return undefined;
  const found = firstAfter(this, after < this.start ? this.start - 1 : after);
  return found <= this.end ? epochMs(found) : undefined;
}

function previous(this: WallTrigger, before: number): EpochMs | undefined {
  if (!(before > MIN_INSTANT)) return undefined;
  const found = lastBefore(this, Math.min(before, this.end + 1, SEARCH_END));
  return found >= this.start ? epochMs(found) : undefined;
}

function firstAfter(trigger: WallTrigger, after: number): number {
  const { zone, pattern, everyPass } = trigger;
  const span = spanAt(zone, after);
  let wall = Math.floor(after / 1000) * 1000 + 1000 + span.offset;
  if (!everyPass && wall < span.freshFrom) wall = span.freshFrom;
  const found = wantedFrom(pattern, wall);
  return found < span.end + span.offset ? found - span.offset : firstBeyond(trigger, span, found);
}

/** The first due instant behind the span that is `left`; `wanted` is the first wanted wall time that it does not show. */
function firstBeyond(trigger: WallTrigger, left: Span, wanted: number): number {
  const { zone, pattern, everyPass } = trigger;
  let span = left;
  let found = wanted;
  for (;;) {
    const shownUntil = span.end + span.offset;
    const later = spanAt(zone, span.end);
    const shownAgain = later.start + later.offset;
    let wall = Math.max(found, shownAgain);
    if (shownAgain < shownUntil) {
      wall = everyPass ? shownAgain : Math.max(found, later.freshFrom);
    } else if (trigger.shift && found < shownAgain && wantsGapEnd(pattern, span, later, found)) {
      return span.end;
    }
    if (wall === Number.POSITIVE_INFINITY) return wall;
    span = wall - shownAgain > FAR_MS ? spanAt(zone, wall - LANDING_MS) : later;
    found = wantedFrom(pattern, wall);
    if (found < span.end + span.offset) return found - span.offset;
  }
}

function lastBefore(trigger: WallTrigger, before: number): number {
  const { zone, pattern, everyPass } = trigger;
  const at = Math.ceil(before / 1000) * 1000 - 1000;
  let span = spanAt(zone, at);
  let wall = at + span.offset;
  for (;;) {
    const found = wantedUntil(pattern, wall);
    const shownFrom = span.start + span.offset;
    if (found >= (everyPass ? shownFrom : span.freshFrom)) return found - span.offset;
    const earlier = spanAt(zone, span.start - 1);
    const shownUntil = earlier.end + earlier.offset;
    if (shownUntil > shownFrom) {
      wall = shownUntil - 1000;
    } else {
      if (trigger.shift && shownUntil < shownFrom) {
        const wanted = wantedFrom(pattern, shownUntil);
        if (wanted < shownFrom && wantsGapEnd(pattern, earlier, span, wanted)) return span.start;
      }
      wall = Math.min(found, shownUntil - 1000);
    }
    if (wall === Number.NEGATIVE_INFINITY) return wall;
    span = shownUntil - wall > FAR_MS ? spanAt(zone, wall + LANDING_MS) : earlier;
  }
}

/**
 * Whether the gap between two spans holds a wanted wall time on a date that the clock shows in part; `wanted` is the
 * first wanted wall time in the gap.
 */
function wantsGapEnd(pattern: WallPattern, before: Span, after: Span, wanted: number): boolean {
  if (isDateShown(wanted, before, after)) return true;
  // The first one lies on a missing date; the date on which the gap ends is shown in part.
  const gapEnd = after.start + after.offset;
  return wantedFrom(pattern, Math.floor(gapEnd / DAY_MS) * DAY_MS) < gapEnd;
}
