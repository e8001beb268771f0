/**
 * Reads a segment of the journal as the chain that it must be (I3; `FORMAT.md`, Journal).
 *
 * Between the records of the chain may stand fenced ones, which name an earlier record of the segment and count for
 * nothing, and torn bytes, which the `skip` record behind them names. At the end may stand a torn tail, and a closing mark,
 * behind which nothing counts. Everything else is damage: reading ends there, since nobody can tell what the state is behind it.
 */
import { createHash } from 'node:crypto';
import { isCount, listOf, type Row, rowOf } from '../bytes/json-value.js';
import { eachLine, type Line } from '../bytes/lines.js';
import { isInstant } from '../bytes/names.js';
import { openLine } from '../bytes/sealed.js';
import type { FileSource } from '../file-source.js';
import type { Place, Tells } from '../finding.js';

/** Hash before the first record of all. @internal */
export const GENESIS = '0'.repeat(64);

/** A record of the chain, where it stands, and its hash. @internal */
export interface ChainRecord extends Place {
  readonly hash: string;
  readonly row: Row;
}

/** How a segment ended. @internal */
export type SegmentEnd =
  /** Closed: the chain goes on in another segment. */
  | { readonly kind: 'closed'; readonly next: number; readonly hash: string }
  /** The end of the chain; `end` is the offset behind its last record. */
  | { readonly kind: 'open'; readonly end: number; readonly hash: string }
  | { readonly kind: 'broken' };

/** Longest line of the journal, its newline included (bytes). */
const RECORD_BYTES = 16 * 1_048_576;
/** More torn bytes than the writers of a whole segment leave. */
const TORN_LIMIT = 4 * RECORD_BYTES;
const TILDE = 0x7e;
/** A closing mark: the segment to go on with, the hash that it follows, and the digest of torn bytes between, or 0. */
const CLOSING_MARK = /^~\d{1,15} ([0-9a-f]{64}) (0|[0-9a-f]{64})~$/;
const CLOSING_BYTES = 160;

/**
 * Reads a segment whose first record must follow `hash`; without one, whatever hash that names.
 *
 * @internal
 */
export async function readSegment(
  source: FileSource,
  file: string,
  hash: string | undefined,
  findings: Tells,
  take: (record: ChainRecord) => void,
): Promise<SegmentEnd> {
  const reader = new SegmentReader(file, hash, findings, take);
  await eachLine(source, file, TORN_LIMIT + 1, (line) => reader.take(line));
  return reader.end();
}

class SegmentReader {
  readonly #file: string;
  readonly #findings: Tells;
  readonly #give: (record: ChainRecord) => void;
  readonly #earlier = new Set<string>();
  /** Whether something names the segment: then it has its `open` record, which was durable before. */
  readonly #isNamed: boolean;
  #hash: string | undefined;
  /** Everything before it is understood. */
  #offset = 0;
  #torn: Line[] = [];
  #tornBytes = 0;
  #next: number | undefined;
  #isBroken = false;

  constructor(file: string, hash: string | undefined, findings: Tells, give: (record: ChainRecord) => void) {
    this.#file = file;
    this.#hash = hash;
    this.#isNamed = hash !== undefined;
    this.#findings = findings;
    this.#give = give;
  }

  /** Takes the next line; false once nothing behind it can be understood. */
  take(line: Line): boolean {
    const sealed = line.isComplete && line.bytes.length < RECORD_BYTES ? openLine(line.bytes) : undefined;
    if (this.#next !== undefined) return this.#takeBehindClose(line, sealed?.value);
    if (sealed === undefined && this.#isClosing(line)) return false;
    if (sealed === undefined) return this.#takeTorn(line);
    const row = recordOf(sealed.value);
    if (row === undefined) return this.#break('record', line.offset, 'a record of no known form');
    if (this.#torn.length > 0 && !this.#explains(row)) {
      return this.#break('bytes', this.#offset, 'bytes that are no record, with records behind them');
    }
    this.#torn = [];
    this.#tornBytes = 0;
    this.#hash ??= row['prev'] as string;
    if (row['prev'] !== this.#hash) return this.#takeFenced(row, line);
    if ((row['kind'] === 'open') !== (line.offset === 0)) {
      return this.#break('open', line.offset, 'a segment begins with one `open` record');
    }
    this.#earlier.add(this.#hash);
    this.#hash = sealed.hash;
    this.#offset = line.end;
    if (row['kind'] === 'close') this.#next = row['next'] as number;
    this.#give({ file: this.#file, offset: line.offset, hash: sealed.hash, row });
    return true;
  }

  end(): SegmentEnd {
    if (this.#isBroken) return { kind: 'broken' };
    const hash = this.#hash ?? GENESIS;
    if (this.#next !== undefined) return { kind: 'closed', next: this.#next, hash };
    if (this.#torn.length > 0 && !this.#torn.every(isTorn)) {
      this.#break(
        'bytes',
        this.#offset,
        'the last bytes of the journal are no record, and no writer left them like this',
      );
      return { kind: 'broken' };
    }
    if (this.#isNamed && this.#offset === 0) {
      this.#break('open', 0, 'the segment has lost its `open` record');
      return { kind: 'broken' };
    }
    return { kind: 'open', end: this.#offset, hash };
  }

  #takeTorn(line: Line): boolean {
    this.#torn.push({ ...line, bytes: Buffer.from(line.bytes) });
    this.#tornBytes += line.end - line.offset;
    if (this.#tornBytes <= TORN_LIMIT) return true;
    return this.#break('bytes', this.#offset, 'more bytes that are no record than any writer leaves');
  }

  /** A record of somebody who did not see the one before it counts for nothing. */
  #takeFenced(row: Row, line: Line): boolean {
    if (!this.#earlier.has(row['prev'] as string)) {
      return this.#break('chain', line.offset, 'a record that does not follow the one before');
    }
    this.#offset = line.end;
    return true;
  }

  /** Nobody reads behind a `close`; what a late writer can have left there is fenced, or torn. */
  #takeBehindClose(line: Line, value: unknown): boolean {
    const prev = recordOf(value)?.['prev'];
    const isFenced = typeof prev === 'string' && this.#earlier.has(prev);
    if (isFenced || (value === undefined && isTorn(line))) return true;
    this.#findings.note(
      ['I3', 'close'],
      { file: this.#file, offset: line.offset },
      'bytes behind the end of a segment',
    );
    return false;
  }

  /** Whether a record is the `skip` that names the torn bytes before it, or these are its mark alone. */
  #explains(row: Row): boolean {
    if (this.#torn.every(isMarkAlone)) return true;
    if (row['kind'] !== 'skip' || row['prev'] !== this.#hash) return false;
    const end = this.#torn.at(-1)?.end ?? this.#offset;
    return (
      row['offset'] === this.#offset && row['length'] === end - this.#offset && row['sha256'] === this.#tornDigest()
    );
  }

  #tornDigest(): string {
    const digest = createHash('sha256');
    for (const { bytes, isComplete } of this.#torn) digest.update(bytes).update(isComplete ? '\n' : '');
    return digest.digest('hex');
  }

  /** Whether a line closes the segment: a mark that follows exactly what it names. */
  #isClosing(line: Line): boolean {
    const mark = closingMark(line);
    if (mark === undefined || mark.hash !== this.#hash) return false;
    return mark.torn === (this.#torn.length === 0 ? '0' : this.#tornDigest());
  }

  #break(rule: string, offset: number, found: string): false {
    this.#isBroken = true;
    this.#findings.error(['I3', rule], { file: this.#file, offset }, found);
    return false;
  }
}

/** A whole line with a wrong digest is torn only where a power cut left zeros, or a later writer marked it. */
function isTorn({ bytes, isComplete }: Line): boolean {
  return !isComplete || bytes.includes(0) || bytes.at(-1) === TILDE;
}

function closingMark({ bytes, isComplete }: Line): { readonly hash: string; readonly torn: string } | undefined {
  if (!isComplete || bytes[0] !== TILDE || bytes.length > CLOSING_BYTES) return undefined;
  const [, hash, torn] = CLOSING_MARK.exec(Buffer.from(bytes).toString('latin1')) ?? [];
  return hash === undefined || torn === undefined ? undefined : { hash, torn };
}

/** A mark that others were faster than: it explains, or closes, nothing. */
function isMarkAlone(line: Line): boolean {
  const { bytes, isComplete } = line;
  return isComplete && ((bytes.length === 1 && bytes[0] === TILDE) || closingMark(line) !== undefined);
}

/** The record that a value is; nothing where it has not the members of its kind. */
function recordOf(value: unknown): Row | undefined {
  const row = rowOf(value);
  if (row === undefined || !isCount(row['seq']) || typeof row['prev'] !== 'string' || !isInstant(row['at']))
    return undefined;
  return hasMembers(row) ? row : undefined;
}

function hasMembers(row: Row): boolean {
  const kind = row['kind'];
  const epoch = row['epoch'];
  switch (kind) {
    case 'open':
      return typeof row['workspace'] === 'string' && isCount(row['exportedThrough']);
    case 'close':
      return isCount(row['next']);
    case 'skip':
      return isCount(row['offset']) && isCount(row['length']) && typeof row['sha256'] === 'string';
    case 'prune':
      return isPruned(row);
    case 'own':
    case 'commit': {
      const isEpoch = isCount(epoch) || (kind === 'commit' && epoch === undefined);
      return isEpoch && typeof row['actor'] === 'string' && Array.isArray(row['ops']);
    }
    default:
      return false;
  }
}

function isPruned({ pruned, records }: { readonly pruned?: unknown; readonly records?: unknown }): boolean {
  if (!Array.isArray(pruned) || !Array.isArray(records)) return false;
  const isInstants = listOf(pruned).every((entry) => {
    const row = rowOf(entry);
    return typeof row?.['id'] === 'string' && isCount(row['revision']) && isInstant(row['through']);
  });
  return (
    isInstants &&
    listOf(records).every((entry) => typeof rowOf(entry)?.['id'] === 'string' && isCount(rowOf(entry)?.['n']))
  );
}
