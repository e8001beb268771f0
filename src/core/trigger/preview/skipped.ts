/**
 * The wall times that a trigger asks for and that its clock jumps over (TR-3, TR-4, TR-13).
 */

import { DAY_MS } from '../../time/civil.js';
import { dateOfWall, type Gap, gapEndingAt, gapHolding, isDateShown, timeOfWall } from '../../time/wall-clock.js';
import { spanAt, type Zone } from '../../time/zone-spans.js';
import type { ExcludedDays, ExclusionReason } from '../due/excluded-days.js';
import { wantedFrom } from '../pattern/wall-pattern.js';
import { isRecurrence, type Recurrence, ruleRange } from '../rrule/recurrence-trigger.js';
import type { WallTrigger } from '../wall-trigger.js';

/** Most wall times that a preview lists as skipped, and most instants that it lists as excluded. @internal */
export const MOST_LISTED = 100;

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
  /** `gap`: the clock of the zone never showed it; `missingDate`: nor anything else of that date. */
  readonly reason: 'gap' | 'missingDate';
}

/** The wall times in the gaps that end from `from` through `through`, one more than may be listed where there are more. @internal */
export function skippedWallTimes(
  trigger: WallTrigger,
  from: number,
  through: number,
  exclusion?: ExcludedDays,
): SkippedWallTime[] {
  const { zone, pattern } = trigger;
  const { exdates, rdates } = isRecurrence(trigger) ? trigger.recurrence : NO_DATES;
  // What is put in beside a rule lies wherever it likes.
  const { start, end } = isRecurrence(trigger) ? ruleRange(trigger) : trigger;
  const [first, last] = [Math.max(from, start), Math.min(through, end)];
  const skipped = new Map<number, SkippedWallTime>();
  const take = (gap: Gap, wall: number) => {
    const isLeftOut = exclusion !== undefined && whyExcludedInGap(exclusion, zone, gap, wall) !== undefined;
    if (!isLeftOut && !exdates.includes(wall)) skipped.set(wall, skippedAt(zone, gap, wall));
  };
  for (const wall of rdates) {
    const gap = gapHolding(zone, wall);
    if (gap !== undefined && gap.at >= from && gap.at <= through) take(gap, wall);
  }
  let span = spanAt(zone, first - 1);
  while (span.end <= last && skipped.size <= MOST_LISTED) {
    const later = spanAt(zone, span.end);
    let wall = wantedFrom(pattern, span.end + span.offset);
    const gap = gapEndingAt(zone, span.end);
    for (; gap !== undefined && wall < gap.to && skipped.size <= MOST_LISTED; wall = wantedFrom(pattern, wall + 1000)) {
      if (!isShifted(trigger, gap, wall)) take(gap, wall);
    }
    if (wall === Number.POSITIVE_INFINITY) break;
    // Where the next wanted wall time is far away, no gap before it can hold one.
    const far = wall - 2 * DAY_MS;
    span = far > later.end ? spanAt(zone, far) : later;
  }
  return [...skipped].sort(([a], [b]) => a - b).map(([, one]) => one);
}

/** Of a trigger that names no single times. */
const NO_DATES: Pick<Recurrence, 'exdates' | 'rdates'> = { exdates: [], rdates: [] };

/**
 * Why a wall time in a gap is left out: by its own date on the clock that tells days, and by the date on which the gap ends
 * where days are told by another clock.
 *
 * @internal
 */
export function whyExcludedInGap(
  exclusion: ExcludedDays,
  zone: Zone,
  gap: Gap,
  wall: number,
): ExclusionReason | undefined {
  if (exclusion.timezone !== zone.name) return exclusion.whyExcluded(gap.at);
  return exclusion.whyDayExcluded(Math.floor(wall / DAY_MS));
}

/** Whether a wanted wall time in a gap is due as the gap ends, rather than not at all. @internal */
export function isShifted(trigger: WallTrigger, gap: Gap, wall: number): boolean {
  return trigger.shift && isDateShown(wall, gap.before, gap.after);
}

/**
 * The wanted wall time in whose place an instant is due: the instant is the end of a gap that holds it, and the trigger
 * shifts (TR-13). `undefined` where the trigger asks for what the clock shows at the instant itself.
 *
 * @internal
 */
export function wallInPlaceOf(trigger: WallTrigger, at: number): number | undefined {
  const { zone, pattern, shift } = trigger;
  const gap = shift ? gapEndingAt(zone, at) : undefined;
  if (gap === undefined || wantedFrom(pattern, gap.to) === gap.to) return undefined;
  // The first wall times of a gap may lie on a missing date; the date on which it ends is shown in part.
  const lastDate = Math.max(gap.from, Math.floor(gap.to / DAY_MS) * DAY_MS);
  const candidates = [gap.from, lastDate].map((wall) => wantedFrom(pattern, wall));
  return candidates.find((wall) => wall < gap.to && isShifted(trigger, gap, wall));
}

function skippedAt(zone: Zone, gap: Gap, wall: number): SkippedWallTime {
  const reason = isDateShown(wall, gap.before, gap.after) ? 'gap' : 'missingDate';
  return { date: dateOfWall(wall), time: timeOfWall(wall), timezone: zone.name, reason };
}
