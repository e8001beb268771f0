/**
 * A question about remainders: when does a walk around a circle first come to a stop inside an arc?
 */

/**
 * The least `k >= 0` for which `(start + k * step) mod modulus` is at most `width`, or `Infinity` where there is none. All
 * are whole, `0 <= start, step < modulus`, `width >= 0`, and the modulus is at most 2^26. Takes as many steps as Euclid's
 * algorithm: about the logarithm of the modulus.
 *
 * @internal
 */
export function firstWithin(start: number, step: number, modulus: number, width: number): number {
  if (start <= width) return 0;
  // The arc as seen from the start, which lies before it.
  const low = modulus - start;
  return firstBetween(step, modulus, low, low + width);
}

/** The least `k` with `low <= (k * step) mod modulus <= high`, where `0 < low <= high < modulus`. */
function firstBetween(step: number, modulus: number, low: number, high: number): number {
  if (step === 0) return Number.POSITIVE_INFINITY;
  const direct = Math.ceil(low / step);
  if (direct * step <= high) return direct;
  // No multiple of the step lies in the arc itself: ask for the least number of rounds after which one does.
  const rounds = firstBetween(modulus % step, step, (step - (high % step)) % step, (step - (low % step)) % step);
  return rounds === Number.POSITIVE_INFINITY ? rounds : Math.ceil((low + modulus * rounds) / step);
}
