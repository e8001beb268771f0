/**
 * What the clock on the wall shows in a zone, and which instants show a given wall time.
 *
 * A wall time is a number of milliseconds "as if UTC". It names no instant inside a gap, two inside an overlap, and one
 * everywhere else.
 */

import { DAY_MS, digits, formatDate } from './civil.js';
import { type EpochMs, epochMs, formatWallTime } from './instant.js';
import { type Span, spanAt, type Zone } from './zone-spans.js';

/** No clock is farther from UTC than this, and no change moves one by more than a day. */
const REACH_MS = 2 * DAY_MS;

/**
 * The wall time that a zone shows at an instant, in milliseconds "as if UTC".
 *
 * @internal
 */
export function wallTimeAt(zone: Zone, at: number): number {
  return at + spanAt(zone, at).offset;
}

/**
 * Every instant at which a zone shows a wall time, earliest first: none inside a gap, two inside an overlap.
 *
 * @internal
 */
export function instantsShowing(zone: Zone, wall: number): EpochMs[] {
  const found: EpochMs[] = [];
  for (let span = spanAt(zone, wall - REACH_MS); span.start < wall + REACH_MS; span = spanAt(zone, span.end)) {
    const at = wall - span.offset;
    if (at >= span.start && at < span.end) found.push(epochMs(at));
  }
  return found;
}

/**
 * The first instant at which a zone shows a wall time or a later one: the end of the gap, where it is in one.
 *
 * @internal
 */
export function firstReaching(zone: Zone, wall: number): EpochMs {
  let span = spanAt(zone, wall - REACH_MS);
  while (span.end + span.offset <= wall) span = spanAt(zone, span.end);
  return epochMs(Math.max(span.start, wall - span.offset));
}

/**
 * The last instant at which a zone shows a wall time or an earlier one: the one before the end of the gap, where it is in
 * one.
 *
 * @internal
 */
export function lastReaching(zone: Zone, wall: number): EpochMs {
  let span = spanAt(zone, wall + REACH_MS);
  while (span.start + span.offset > wall) span = spanAt(zone, span.start - 1);
  return epochMs(Math.min(span.end - 1, wall - span.offset));
}

/**
 * Wall times that a clock jumps over: `from <= wall < to`.
 *
 * @internal
 */
export interface Gap {
  /** The first instant after it. */
  readonly at: EpochMs;
  readonly from: number;
  readonly to: number;
  readonly before: Span;
  readonly after: Span;
}

/**
 * The gap that ends at an instant, or `undefined` where the clock does not jump ahead then.
 *
 * @internal
 */
export function gapEndingAt(zone: Zone, at: number): Gap | undefined {
  const after = spanAt(zone, at);
  if (after.start !== at) return undefined;
  const before = spanAt(zone, at - 1);
  const [from, to] = [before.end + before.offset, at + after.offset];
  return from < to ? { at: epochMs(at), from, to, before, after } : undefined;
}

/**
 * The gap that holds a wall time, or `undefined` where the zone shows it.
 *
 * @internal
 */
export function gapHolding(zone: Zone, wall: number): Gap | undefined {
  for (let span = spanAt(zone, wall - REACH_MS); span.start < wall + REACH_MS; span = spanAt(zone, span.end)) {
    const gap = gapEndingAt(zone, span.end);
    if (gap !== undefined && gap.from <= wall && wall < gap.to) return gap;
  }
  return undefined;
}

/**
 * Whether a date that meets the gap between two spans is still shown in part; a date that lies wholly inside is
 * missing, as 2011-12-30 was in Samoa (TR-4). `wall` is a wall time inside the gap.
 *
 * @internal
 */
export function isDateShown(wall: number, before: Span, after: Span): boolean {
  const dayStart = Math.floor(wall / DAY_MS) * DAY_MS;
  return before.end + before.offset > dayStart || after.start + after.offset < dayStart + DAY_MS;
}

/**
 * `YYYY-MM-DDTHH:mm:ss`, the wall time that a zone shows at an instant.
 *
 * @internal
 */
export function formatLocal(zone: Zone, at: number): string {
  return formatWallTime(wallTimeAt(zone, at));
}

/**
 * `+HH:mm` or `-HH:mm`, with `:ss` where an old offset has seconds: local time minus UTC at an instant.
 *
 * @internal
 */
export function formatOffset(zone: Zone, at: number): string {
  const { offset } = spanAt(zone, at);
  const seconds = Math.abs(offset) / 1000;
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60 === 0 ? '' : `:${digits(seconds % 60, 2)}`;
  return `${offset < 0 ? '-' : '+'}${digits(Math.floor(minutes / 60), 2)}:${digits(minutes % 60, 2)}${rest}`;
}

/**
 * `YYYY-MM-DD` of a wall time.
 *
 * @internal
 */
export function dateOfWall(wall: number): string {
  return formatDate(Math.floor(wall / DAY_MS));
}

/**
 * `HH:mm:ss` of a wall time.
 *
 * @internal
 */
export function timeOfWall(wall: number): string {
  return formatWallTime(wall).slice(11);
}
