/**
 * Digests: SHA-256 over bytes, or over the canonical JSON of a value (DE-3).
 *
 * The only file of the codec that uses `node:crypto`. A text counts as its UTF-8 bytes.
 */
import crypto from 'node:crypto';
import type { JsonObject } from '../core/model/declaration.js';
import { canonicalJson } from './canonical-json.js';

/**
 * The SHA-256 of bytes, or of the UTF-8 bytes of a text, as 64 lower-case hexadecimal digits.
 *
 * @internal
 */
export function sha256Hex(bytes: string | Uint8Array): string {
  // In one call where the runtime has it: an object for each hash is dear beside a short text.
  return crypto.hash?.('sha256', bytes, 'hex') ?? crypto.createHash('sha256').update(bytes).digest('hex');
}

/**
 * The digest of a JSON object, `sha256:<hex>`, over its canonical JSON: equal for equal objects, whatever the order
 * of their keys.
 *
 * @public
 */
export function digestOf(value: JsonObject): string {
  return `sha256:${sha256Hex(canonicalJson(value))}`;
}
