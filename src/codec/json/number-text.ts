/**
 * Whether a number survives being read: its text must mean the same as the text that the number is written with.
 *
 * `1e309`, `9007199254740993` and `0.12345678901234567890` do not: a double cannot hold them, so that reading and
 * writing them would change the document in silence (DE-3).
 */

/**
 * Whether reading a JSON number and writing it again keeps its value to the last digit; `1.0`, `1e2` and `-0` do.
 *
 * @internal
 */
export function isNumberKept(token: string): boolean {
  const value = Number(token);
  if (!Number.isFinite(value)) return false;
  return decimalOf(token) === decimalOf(String(value));
}

/** Digits without zeros at either end, and the power of ten of the last one; the sign stands in front. */
function decimalOf(token: string): string {
  const sign = token.startsWith('-') ? '-' : '';
  const [mantissa = '', exponent = '0'] = token.slice(sign.length).toLowerCase().split('e', 2);
  const [whole = '', fraction = ''] = mantissa.split('.', 2);
  const digits = whole + fraction;
  let first = 0;
  let end = digits.length;
  while (first < end && digits.charCodeAt(first) === ZERO) first++;
  if (first === end) return '0';
  while (digits.charCodeAt(end - 1) === ZERO) end--;
  return `${sign}${digits.slice(first, end)}e${Number(exponent) - fraction.length + (digits.length - end)}`;
}

const ZERO = 48;
