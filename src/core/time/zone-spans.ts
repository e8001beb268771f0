/**
 * The life of a zone as spans of constant offset, found when first asked for and then kept.
 *
 * Time is cut into chunks of 100 days. A chunk is filled on its first use and holds the one or two spans of
 * constant offset inside it, so that an offset is a division and a short scan, and a first answer asks for few offsets. A
 * span also ends where its chunk ends; such a border changes no clock, and those who walk from span to span need not
 * know of it.
 */

/**
 * Where the offsets of one zone come from. Offsets are local time minus UTC, in whole milliseconds.
 *
 * @internal
 */
export interface OffsetSource {
  /** The offset in force at an instant. */
  offsetAt(at: number): number;
  /**
   * The first instant after `after` at which the offset changes, or `undefined` where it never does again. A source
   * that has none is sampled instead.
   */
  readonly nextChange?: (after: number) => number | undefined;
}

/**
 * A stretch of time with one offset: `start <= t < end`.
 *
 * @internal
 */
export interface Span {
  /** First instant, in milliseconds. */
  readonly start: number;
  /** First instant that is no longer in it. */
  readonly end: number;
  /** Local time minus UTC, in milliseconds. */
  readonly offset: number;
  /**
   * The least wall time that this span shows for the first time; wall times before it were shown by an earlier span. Exact
   * as long as changes of a clock lie more than a day apart, as all known ones do.
   */
  readonly freshFrom: number;
}

/**
 * One time zone: its name, and its spans as far as they were needed so far. Shared by everything in that zone.
 *
 * @internal
 */
export interface Zone {
  /** The name as the table of zone names spells it. */
  readonly name: string;
  /** Where unknown chunks are filled from. */
  readonly source: OffsetSource;
  /** Spans by chunk, filled on first use. */
  readonly chunks: (readonly Span[] | undefined)[];
}

/** Length of a chunk: 100 days. */
const CHUNK_MS = 100 * 86_400_000;
/** A chunk just before 1800-01-01; earlier and later ones than the kept range are computed but not kept. */
const FIRST_CHUNK = -622;
/** Chunks kept: into the year 2201. */
const CHUNK_COUNT = 1467;
/** How far back a change can make wall times of the present a repetition: no clock was ever set back by more than a day. */
const LOOK_BACK_MS = 172_800_000;
/**
 * Distance of samples. The shortest span in the zone data is just under 7 days from 1970 on, and just under 4 before;
 * a change and its undoing between two samples would not be seen.
 */
const SAMPLE_MS = 6 * 86_400_000;
const EARLY_SAMPLE_MS = 3 * 86_400_000;
const QUARTER_MS = 900_000;

/**
 * A zone whose spans are all still unknown.
 *
 * @internal
 */
export function createZone(name: string, source: OffsetSource): Zone {
  return { name, source, chunks: new Array<readonly Span[] | undefined>(CHUNK_COUNT).fill(undefined) };
}

/**
 * The span that holds an instant (whole milliseconds, finite).
 *
 * @internal
 */
export function spanAt(zone: Zone, at: number): Span {
  const index = Math.floor(at / CHUNK_MS) - FIRST_CHUNK;
  const spans = zone.chunks[index] ?? fillChunk(zone, index);
  let i = 0;
  let span = spans[0] as Span;
  while (at >= span.end) {
    i += 1;
    span = spans[i] as Span;
  }
  return span;
}

function fillChunk(zone: Zone, index: number): readonly Span[] {
  const from = (index + FIRST_CHUNK) * CHUNK_MS;
  const spans = spansBetween(zone.source, from, from + CHUNK_MS);
  if (index >= 0 && index < CHUNK_COUNT) zone.chunks[index] = spans;
  return spans;
}

function spansBetween(source: OffsetSource, from: number, to: number): readonly Span[] {
  const spans: Span[] = [];
  let start = from - LOOK_BACK_MS;
  let shown = Number.NEGATIVE_INFINITY;
  while (start < to) {
    const offset = source.offsetAt(start);
    const end = Math.min(nextChange(source, start, offset, to) ?? to, to);
    if (end > from) {
      const visible = Math.max(start, from);
      spans.push({ start: visible, end, offset, freshFrom: Math.max(visible + offset, shown) });
    }
    shown = Math.max(shown, end + offset);
    start = end;
  }
  return spans;
}

/** The first change after `after` and not after `to`; `offset` is the one in force at `after`. */
function nextChange(source: OffsetSource, after: number, offset: number, to: number): number | undefined {
  if (source.nextChange !== undefined) return source.nextChange(after);
  let low = after;
  while (low < to) {
    const high = Math.min(low + (low < 0 ? EARLY_SAMPLE_MS : SAMPLE_MS), to);
    if (source.offsetAt(high) !== offset) return bisect(source, low, high, offset);
    low = high;
  }
  return undefined;
}

/**
 * The instant in `(low, high]` at which the offset stops being `offset`: whole seconds, as everywhere in the zone data.
 * Nearly every change lies on a quarter of an hour, which takes half the questions; the others are searched on from there.
 */
function bisect(source: OffsetSource, low: number, high: number, offset: number): number {
  const quarter = bisectBy(QUARTER_MS, source, low, high, offset);
  if (quarter <= high && source.offsetAt(quarter - 1000) === offset) return quarter;
  return bisectBy(1000, source, Math.max(low, quarter - QUARTER_MS), Math.min(quarter, high), offset);
}

/** The first whole `step` in `(low, high]`, or just behind, at which the offset has stopped being `offset`. */
function bisectBy(step: number, source: OffsetSource, low: number, high: number, offset: number): number {
  let before = Math.floor(low / step);
  let after = Math.ceil(high / step);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (source.offsetAt(middle * step) === offset) before = middle;
    else after = middle;
  }
  return after * step;
}
