/**
 * Small sets of numbers as the bits of one 32-bit integer.
 */

/** Position of the lowest bit that is set; one must be. @internal */
export function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

/** Position of the highest bit that is set; one must be. @internal */
export function highestBit(bits: number): number {
  return 31 - Math.clz32(bits);
}

/** How many bits are set. @internal */
export function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Position of the n-th lowest bit that is set, from 0; so many must be. @internal */
export function nthBit(bits: number, n: number): number {
  let rest = bits;
  for (let i = 0; i < n; i += 1) rest &= rest - 1;
  return lowestBit(rest);
}

/** The set of some numbers, of which `first` is bit 0. @internal */
export function bitsOf(values: readonly number[], first: number): number {
  let bits = 0;
  for (const value of values) bits |= 1 << (value - first);
  return bits;
}
