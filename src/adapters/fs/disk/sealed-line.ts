/**
 * A sealed line: the SHA-256 of a JSON text, a space, the text, a newline. Journal and history are made of these.
 */
import { sha256Hex } from '../../../codec/digest.js';

/** Longest sealed line of a journal, its newline included (bytes). @internal */
export const RECORD_BYTES = 1_048_576;

const SPACE = 0x20;
const NEWLINE = 0x0a;
const DIGEST_LENGTH = 64;
const DIGEST = /^[0-9a-f]{64}$/;

/** A line whose digest is right. @internal */
export interface SealedLine {
  readonly hash: string;
  readonly value: unknown;
}

/** The sealed line of a JSON text, with its hash. @internal */
export function sealLine(text: string): { readonly hash: string; readonly bytes: Buffer } {
  const length = Buffer.byteLength(text, 'utf8');
  const bytes = Buffer.allocUnsafe(DIGEST_LENGTH + length + 2);
  bytes.write(text, DIGEST_LENGTH + 1, 'utf8');
  const hash = sha256Hex(bytes.subarray(DIGEST_LENGTH + 1, DIGEST_LENGTH + 1 + length));
  bytes.write(hash, 0, 'latin1');
  bytes[DIGEST_LENGTH] = SPACE;
  bytes[bytes.length - 1] = NEWLINE;
  return { hash, bytes };
}

/** What a line (without its newline) holds; nothing where digest or syntax is wrong. @internal */
export function openLine(bytes: Buffer): SealedLine | undefined {
  if (bytes.length < DIGEST_LENGTH + 3 || bytes[DIGEST_LENGTH] !== SPACE) return undefined;
  const hash = bytes.toString('latin1', 0, DIGEST_LENGTH);
  const text = bytes.subarray(DIGEST_LENGTH + 1);
  if (!DIGEST.test(hash) || sha256Hex(text) !== hash) return undefined;
  try {
    return { hash, value: JSON.parse(text.toString('utf8')) };
  } catch {
    // A digest over what is no JSON: as wrong as a wrong digest.
    return undefined;
  }
}
