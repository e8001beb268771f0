/**
 * The spread: how far the due instants of a schedule are put off, so that many with one trigger do not start at once.
 *
 * It follows from the id alone and never changes, so that a schedule keeps its distances (DE-12).
 */

import { foldId } from '../../model/catalogue.js';

/**
 * Whole milliseconds in `0 .. spreadSeconds * 1000 - 1`, equal for equal ids whatever the case of their letters, and even
 * over ids that differ in little.
 *
 * @internal
 */
export function spreadOffsetMs(id: string, spreadSeconds: number): number {
  return Math.floor(unitOf(foldId(id)) * spreadSeconds * 1000);
}

/** A number in 0..1 of a text: two multiplicative hashes that stir each other, 53 bits in all (after cyrb53). */
function unitOf(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x5f356495);
  }
  const mixedHigh = mix(high, low);
  const mixedLow = mix(low, high);
  return ((mixedHigh & 0x1fffff) * 4_294_967_296 + mixedLow) / 9_007_199_254_740_992;
}

/** One hash stirred with the other, as an unsigned number of 32 bits. */
function mix(hash: number, other: number): number {
  const stirred = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
  return (stirred ^ (stirred >>> 15)) >>> 0;
}
