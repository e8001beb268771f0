/**
 * A sealed line: the SHA-256 of a JSON text, a space, the text, a newline. Journal and history are made of these.
 */
import { sha256Hex } from '../../../codec/digest.js';
import { JsonBytes } from '../../../codec/json/json-bytes.js';

/** Longest sealed line of a journal, its newline included (bytes). @internal */
export const RECORD_BYTES = 16 * 1_048_576;

const SPACE = 0x20;
const DIGEST_LENGTH = 64;
const ROOM_FOR_DIGEST = ' '.repeat(DIGEST_LENGTH + 1);
/** Lines are written here, one at a time. */
const LINE = new JsonBytes();
const DIGEST = /^[0-9a-f]{64}$/;

/** A line whose digest is right. @internal */
export interface SealedLine {
  readonly hash: string;
  readonly value: unknown;
}

/** A line as it will stand in a file, with the digest that it begins with. @internal */
export interface WrittenLine {
  readonly hash: string;
  readonly bytes: Buffer;
}

/** The sealed line of a JSON text. @internal */
export function sealLine(text: string): WrittenLine {
  return sealWritten((out) => out.utf8(text));
}

/** The sealed line of the JSON that is written. @internal */
export function sealWritten(write: (out: JsonBytes) => void): WrittenLine {
  const start = LINE.length;
  try {
    LINE.ascii(ROOM_FOR_DIGEST);
    write(LINE);
    LINE.ascii('\n');
    const bytes = Buffer.from(LINE.from(start));
    const hash = sha256Hex(bytes.subarray(ROOM_FOR_DIGEST.length, -1));
    bytes.write(hash, 0, 'latin1');
    return { hash, bytes };
  } finally {
    LINE.cut(start);
  }
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
