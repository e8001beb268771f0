/**
 * Reads a segment of the journal as what it is: a chain of records, each naming the hash of the one before.
 *
 * Three things may stand between them. A fenced record: written by somebody who did not see that another one had been
 * appended; it names an earlier record and counts for nothing. Torn bytes: what a writer that died, or met a full disk,
 * left of a record; the `skip` record behind them names their offset, length and digest. And the tail: bytes at the end
 * that nobody explained yet. Everything else is damage, and is refused with its offset. Behind a closing mark nothing counts:
 * a copy that ends in the `close` record is about to take the place of the file.
 */
import { createHash } from 'node:crypto';
import type { Disk } from '../disk/disk.js';
import { type Line, readLines } from '../disk/line-reader.js';
import { openLine, RECORD_BYTES } from '../disk/sealed-line.js';
import { corrupt } from '../disk/trouble.js';
import { decodeRecord, type JournalRecord } from './journal-record.js';

/** A record of the chain and the place where it ends. @internal */
export interface ChainRecord {
  readonly record: JournalRecord;
  readonly hash: string;
  readonly offset: number;
  readonly end: number;
}

/** Where reading stands: everything before `offset` is understood. @internal */
export interface ChainPosition {
  offset: number;
  /** Hash of the last record of the chain. */
  hash: string;
  /** Hashes before it in this segment, by which a fenced record is known. */
  readonly earlier: Set<string>;
  /** What stands behind `offset`, once everything was read. */
  tail?: Tail | undefined;
  /** Number of the segment that goes on here, where a closing mark stands behind that. */
  closing?: number | undefined;
}

/** Bytes at the end of a segment that are no record. @internal */
export interface Tail {
  readonly offset: number;
  readonly length: number;
  /** Length and digest that the `skip` record behind it must name: those of the bytes with the mark, where one is needed. */
  readonly skip: { readonly length: number; readonly sha256: string };
  /** True where the next writer must end the line before it writes its own. */
  readonly isLineOpen: boolean;
  /** False where these bytes cannot be what a writer left: then they are damage. */
  readonly isTorn: boolean;
}

/** What a writer of a `skip` record puts behind torn bytes, so that they can never become a record. @internal */
export const TORN_MARK = '~\n';

/**
 * The line behind which nothing is appended to a file any more: the segment goes on in another one, once a copy with the
 * `close` record is in its place. It names what it follows, so that it means nothing anywhere else.
 *
 * @internal
 */
export function closingMark(next: number, { hash, tail }: Pick<ChainPosition, 'hash' | 'tail'>): string {
  return `~${next} ${hash} ${tail?.skip.sha256 ?? 0}~\n`;
}

const CLOSING_MARK = /^~(\d{1,15}) [0-9a-f]{64} (?:0|[0-9a-f]{64})~$/;
const CLOSING_BYTES = 160;
const TILDE = 0x7e;
/** More torn bytes than the writers of a whole segment could leave. */
const TORN_LIMIT = 4 * RECORD_BYTES;

/**
 * The records behind a position, which moves along with them and takes up the tail, if there is one.
 *
 * @remarks Throws `SCHEDULE_CATALOGUE_CORRUPT`.
 */
export async function* readChain(
  disk: Disk,
  path: string,
  file: number,
  position: ChainPosition,
  until = Number.POSITIVE_INFINITY,
): AsyncGenerator<ChainRecord, void, void> {
  position.tail = undefined;
  position.closing = undefined;
  const torn: Line[] = [];
  let tornBytes = 0;
  for await (const line of readLines(disk, file, position.offset, until)) {
    const end = line.offset + line.bytes.length + (line.isComplete ? 1 : 0);
    const sealed = line.isComplete && line.bytes.length < RECORD_BYTES ? openLine(line.bytes) : undefined;
    const record = sealed === undefined ? undefined : decodeRecord(sealed.value);
    if (sealed === undefined || record === undefined) {
      if (sealed !== undefined)
        throw corrupt({ file: path, offset: line.offset, rule: 'record', found: 'a record of no known form' });
      position.closing = closedBy(line, position, torn);
      if (position.closing !== undefined) break;
      torn.push(line);
      tornBytes += end - line.offset;
      if (tornBytes > TORN_LIMIT) throw corrupt(bytesBehind(path, position.offset));
      continue;
    }
    if (torn.length > 0) {
      if (!explains(record, position, torn, line.offset)) throw corrupt(bytesBehind(path, position.offset));
      torn.length = 0;
      tornBytes = 0;
    }
    if (record.prev !== position.hash) {
      if (!position.earlier.has(record.prev)) {
        throw corrupt({
          file: path,
          offset: line.offset,
          rule: 'chain',
          found: 'a record that does not follow the one before',
        });
      }
      position.offset = end;
      continue;
    }
    position.earlier.add(position.hash);
    position.hash = sealed.hash;
    position.offset = end;
    yield { record, hash: sealed.hash, offset: line.offset, end };
  }
  position.tail = torn.length === 0 ? undefined : tailOf(torn);
}

function bytesBehind(path: string, offset: number) {
  return { file: path, offset, rule: 'bytes', found: 'bytes that are no record, with records behind them' };
}

/** Whether a record is the `skip` that names these bytes. */
function explains(record: JournalRecord, position: ChainPosition, torn: readonly Line[], end: number): boolean {
  if (isNoise(torn)) return true;
  if (record.kind !== 'skip' || record.prev !== position.hash) return false;
  const { offset, length, sha256 } = record;
  return offset === position.offset && length === end - offset && sha256 === digestOfLines(torn);
}

/** The segment that a closing mark names; nothing where the line is none, or was written behind something else. */
function closedBy(line: Line, { hash }: ChainPosition, torn: readonly Line[]): number | undefined {
  const next = markedNext(line);
  if (next === undefined) return undefined;
  const mark = closingMark(next, { hash, tail: torn.length === 0 ? undefined : tailOf(torn) });
  return mark === `${Buffer.from(line.bytes).toString('latin1')}\n` ? next : undefined;
}

function markedNext({ bytes, isComplete }: Line): number | undefined {
  if (!isComplete || bytes[0] !== TILDE || bytes.length > CLOSING_BYTES) return undefined;
  const next = CLOSING_MARK.exec(Buffer.from(bytes).toString('latin1'))?.[1];
  return next === undefined ? undefined : Number(next);
}

/** Marks alone: two writers explained the same bytes, or closed the same segment, and somebody else was faster. */
function isNoise(torn: readonly Line[]): boolean {
  return torn.every((line) => {
    const { bytes, isComplete } = line;
    return isComplete && ((bytes.length === 1 && bytes[0] === TILDE) || markedNext(line) !== undefined);
  });
}

function tailOf(torn: readonly Line[]): Tail {
  const first = torn[0] as Line;
  const last = torn.at(-1) as Line;
  const end = last.offset + last.bytes.length + (last.isComplete ? 1 : 0);
  const length = end - first.offset;
  const isLineOpen = !last.isComplete;
  const mark = isLineOpen ? TORN_MARK : '';
  return {
    offset: first.offset,
    length,
    skip: { length: length + mark.length, sha256: digestOfLines(torn, mark) },
    isLineOpen,
    // A whole line with a wrong digest is torn only where a power cut left zeros, or a writer marked it.
    isTorn: torn.every(({ bytes, isComplete }) => !isComplete || bytes.includes(0) || bytes.at(-1) === TILDE),
  };
}

function digestOfLines(lines: readonly Line[], mark = ''): string {
  const digest = createHash('sha256');
  for (const { bytes, isComplete } of lines) {
    digest.update(bytes);
    if (isComplete) digest.update('\n');
  }
  return digest.update(mark).digest('hex');
}
