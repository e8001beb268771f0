/**
 * What makes a text unfit to be stored: half of a surrogate pair, which UTF-8 cannot carry; and its size in bytes.
 */

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Whether a text holds half of a surrogate pair.
 *
 * @internal
 */
export function hasLoneSurrogate(text: string): boolean {
  return LONE_SURROGATE.test(text);
}

/**
 * How many bytes a text takes in UTF-8; a lone surrogate counts three.
 *
 * @internal
 */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/**
 * Whether a text takes more bytes in UTF-8 than allowed; looks at the text only where its length leaves a doubt.
 *
 * @internal
 */
export function isLongerThan(text: string, bytes: number): boolean {
  if (text.length > bytes) return true;
  return text.length * 3 > bytes && utf8Bytes(text) > bytes;
}
