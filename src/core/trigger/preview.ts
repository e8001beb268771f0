/**
 * What a trigger will do, for a person: its next due instants with local time and offset, and what its clock leaves out.
 *
 * Preview asks the same compiled trigger that runs the schedule, and changes nothing (TR-11).
 */

import { DAY_MS } from '../time/civil.js';
import { type EpochMs, formatInstant, formatWallTime } from '../time/instant.js';
import { dateOfWall, formatLocal, formatOffset, instantsShowing, isDateShown, wallTimeAt } from '../time/wall-clock.js';
import { spanAt, type Zone } from '../time/zone-spans.js';
import { findZone } from '../time/zones.js';
import type { CompiledTrigger } from './compiled-trigger.js';
import { wantedFrom } from './pattern/wall-pattern.js';
import { isWallTrigger, type WallTrigger } from './wall-trigger.js';

/** Most wall times that {@link TriggerPreview} lists as skipped; its comment says the number too. @internal */
export const MOST_SKIPPED = 100;

/**
 * Why an instant is worth a second look: it is the second pass of a repeated wall time, or the first pass of one that
 * comes again, or the end of a gap in place of a wall time inside it.
 *
 * @public
 */
export type PreviewNote = 'secondPass' | 'repeatedFirst' | 'shifted';

/**
 * One due instant as the trigger's clock shows it.
 *
 * @public
 */
export interface PreviewInstant {
  /** ISO UTC text. */
  readonly at: string;
  /** `YYYY-MM-DDTHH:mm:ss` in the zone. */
  readonly local: string;
  /** `±HH:mm`, local time minus UTC. */
  readonly offset: string;
  /** The trigger's zone, or `UTC` where it has none. */
  readonly timezone: string;
  /** Why it is worth a second look; empty for all but a few instants about a clock change. */
  readonly notes: readonly PreviewNote[];
}

/**
 * A wall time that the trigger asks for and that its clock jumps over.
 *
 * @public
 */
export interface SkippedWallTime {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** `HH:mm:ss`. */
  readonly time: string;
  /** The trigger's zone, as the table of zone names spells it. */
  readonly timezone: string;
  /** `gap`: the clock of the zone never showed it. */
  readonly reason: 'gap';
}

/**
 * Due instants, and the skipped wall times among them.
 *
 * @public
 */
export interface TriggerPreview {
  /** Due instants of the range, earliest first. */
  readonly instants: readonly PreviewInstant[];
  /** Wall times of the range that the clock jumped over, earliest first; the first 100 where there are more. */
  readonly skipped: readonly SkippedWallTime[];
  /** Whether more wall times were skipped than are listed. */
  readonly isSkippedCut: boolean;
}

/**
 * What to show: at most `count` instants from `from` to `until`, both inclusive, in milliseconds.
 *
 * @public
 */
export interface PreviewRange {
  /** The earliest instant that may be shown, inclusive. */
  readonly from: EpochMs;
  /** Most instants that are shown, a whole number of at least 1. */
  readonly count: number;
  /** The latest instant that may be shown, inclusive; absent: the end of the trigger. */
  readonly until?: EpochMs;
}

/**
 * The due instants of a trigger in a range, and the wall times skipped up to the last one shown, or up to the end of the
 * range where it holds no more (TR-11).
 *
 * @public
 */
export function previewTrigger(compiled: CompiledTrigger, range: PreviewRange): TriggerPreview {
  const { from, count, until = Number.POSITIVE_INFINITY } = range;
  const due = compiled.list(from - 1, count).filter((at) => at <= until);
  const zone = isWallTrigger(compiled) ? compiled.zone : (findZone('UTC') as Zone);
  const instants = due.map((at) => previewInstant(compiled, zone, at));
  if (!isWallTrigger(compiled)) return { instants, skipped: [], isSkippedCut: false };
  const through = due.length === count ? (due.at(-1) ?? from) : Math.min(until, compiled.end);
  const skipped = skippedWallTimes(compiled, Math.max(from, compiled.start), through);
  return { instants, skipped: skipped.slice(0, MOST_SKIPPED), isSkippedCut: skipped.length > MOST_SKIPPED };
}

function previewInstant(compiled: CompiledTrigger, zone: Zone, at: EpochMs): PreviewInstant {
  const notes = isWallTrigger(compiled) ? notesOf(compiled, at) : [];
  return {
    at: formatInstant(at),
    local: formatLocal(zone, at),
    offset: formatOffset(zone, at),
    timezone: zone.name,
    notes,
  };
}

function notesOf(trigger: WallTrigger, at: EpochMs): PreviewNote[] {
  const wall = wallTimeAt(trigger.zone, at);
  if (wantedFrom(trigger.pattern, wall) !== wall) return ['shifted'];
  const passes = instantsShowing(trigger.zone, wall);
  if (passes.length < 2) return [];
  return [passes[0] === at ? 'repeatedFirst' : 'secondPass'];
}

/** The wall times in the gaps of a range, one more than may be listed where there are more. */
function skippedWallTimes(trigger: WallTrigger, from: number, through: number): SkippedWallTime[] {
  const { zone, pattern } = trigger;
  const skipped: SkippedWallTime[] = [];
  let span = spanAt(zone, from - 1);
  while (span.end <= through && skipped.length <= MOST_SKIPPED) {
    const later = spanAt(zone, span.end);
    const gapEnd = later.start + later.offset;
    let wall = wantedFrom(pattern, span.end + span.offset);
    if (wall === Number.POSITIVE_INFINITY) break;
    for (; wall < gapEnd && skipped.length <= MOST_SKIPPED; wall = wantedFrom(pattern, wall + 1000)) {
      const shifted = trigger.shift && isShifted(trigger, span.end, wall);
      if (!shifted) skipped.push(skippedAt(zone, wall));
    }
    // Where the next wanted wall time is far away, no gap before it can hold one.
    const far = wall - 2 * DAY_MS;
    span = far > later.end ? spanAt(zone, far) : later;
  }
  return skipped;
}

/** Whether a wall time in the gap before an instant is due at that instant instead. */
function isShifted(trigger: WallTrigger, gapEndsAt: number, wall: number): boolean {
  const before = spanAt(trigger.zone, gapEndsAt - 1);
  const after = spanAt(trigger.zone, gapEndsAt);
  return isDateShown(wall, before, after);
}

function skippedAt(zone: Zone, wall: number): SkippedWallTime {
  return { date: dateOfWall(wall), time: formatWallTime(wall).slice(11), timezone: zone.name, reason: 'gap' };
}
