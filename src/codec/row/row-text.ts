/**
 * The JSON texts of instants: what is asked for again and again is made once.
 *
 * A commit speaks of few instants and of many rows, so the texts of the last instants are kept, each in the place that its
 * number points to.
 */
import { type EpochMs, formatInstant, MAX_INSTANT, MIN_INSTANT } from '../../core/time/instant.js';

/** A value that its own shape would not read; says nothing more, since reading what it would be written as tells all. @internal */
export class NotWritable extends Error {}

const KEPT = 256;
const instants = new Float64Array(KEPT).fill(Number.NaN);
const texts: string[] = new Array(KEPT).fill('');

/** The JSON text of an instant. Throws {@link NotWritable} for a number that is none. @internal */
export function instantText(at: EpochMs): string {
  if (!Number.isInteger(at) || at < MIN_INSTANT || at > MAX_INSTANT) throw new NotWritable();
  const place = at & (KEPT - 1);
  if (instants[place] !== at) {
    instants[place] = at;
    texts[place] = `"${formatInstant(at)}"`;
  }
  return texts[place] as string;
}
