/**
 * Sealed lines and sealed files: what carries its own digest (`FORMAT.md`, Seals).
 */
import { createHash } from 'node:crypto';
import type { FileSource } from '../file-source.js';
import { digestOf } from './digest.js';
import { jsonIn } from './json-value.js';
import { eachLine, type Line } from './lines.js';

const DIGEST_LENGTH = 64;
const SPACE = 0x20;

/** A sealed line whose digest is right. @internal */
export interface SealedLine {
  readonly hash: string;
  readonly value: unknown;
}

/** SHA-256 in hexadecimal digits. @internal */
export function sha256(bytes: Buffer | string): string {
  return digestOf(bytes, 'hex');
}

/** What a line holds; nothing where its digest is not that of its text, or the text no JSON. @internal */
export function openLine(bytes: Buffer): SealedLine | undefined {
  if (bytes.length < DIGEST_LENGTH + 3 || bytes[DIGEST_LENGTH] !== SPACE) return undefined;
  const hash = bytes.toString('latin1', 0, DIGEST_LENGTH);
  const text = bytes.subarray(DIGEST_LENGTH + 1);
  if (sha256(text) !== hash) return undefined;
  const json = jsonIn(text);
  return json === undefined ? undefined : { hash, value: json.value };
}

/** Why a sealed file is refused: the rule by its short name, and where. @internal */
export interface SealFault {
  readonly rule: 'missing' | 'sealed' | 'version';
  readonly offset: number;
  readonly found: string;
}

const HEAD = /^\{"format":"([a-z/-]{1,64})","version":(\d{1,9}),"sha256":"([0-9a-f]{64})","body":$/;
/** The only version of any format so far. */
const VERSION = 1;
/** Longest line of a body: a schedule with everything that is pending or not in files yet. */
const LINE_LIMIT = 64 * 1_048_576;
const NOT_SEALED_OFFSET = 0;

/**
 * Hands the lines of a body to `take` until it answers false; says what is wrong with the seal, where something is. The
 * digest is known at the end only, so nothing of a body counts before this has answered with nothing.
 *
 * @internal
 */
export async function readSealed(
  source: FileSource,
  path: string,
  format: string,
  take: (line: Line) => boolean | undefined,
): Promise<SealFault | undefined> {
  const look = await source.look(path);
  if (look === undefined) return { rule: 'missing', offset: NOT_SEALED_OFFSET, found: 'the file does not exist' };
  const digest = createHash('sha256');
  let expected: string | undefined;
  let isEnded = false;
  let isTaking = true;
  let fault: SealFault | undefined;
  const wrong = (offset: number, found: string): false => {
    fault = { rule: 'sealed', offset, found };
    return false;
  };
  await eachLine(source, path, LINE_LIMIT, (line) => {
    const { offset, bytes } = line;
    if (isEnded || !line.isComplete) return wrong(offset, 'bytes behind the end of a sealed file');
    if (line.isCut) return wrong(offset, `a line of more than ${LINE_LIMIT} bytes`);
    if (expected === undefined) {
      const head = HEAD.exec(bytes.toString('latin1'));
      if (head?.[1] !== format) return wrong(0, `the first line is not that of ${format}`);
      expected = head[3];
      if (Number(head[2]) === VERSION) return true;
      const found = `format version ${head[2]}, this version reads ${VERSION}`;
      fault = { rule: 'version', offset: 0, found };
      return false;
    }
    if (bytes.length === 1 && bytes[0] === 0x7d) isEnded = true;
    else {
      digest.update(bytes).update('\n');
      if (isTaking) isTaking = take(line) !== false;
    }
    return true;
  });
  if (fault !== undefined) return fault;
  if (!isEnded) return { rule: 'sealed', offset: 0, found: 'a sealed file without its last line' };
  const isRight = digest.digest('hex') === expected;
  return isRight
    ? undefined
    : { rule: 'sealed', offset: 0, found: 'the digest of a sealed file is not that of its body' };
}
