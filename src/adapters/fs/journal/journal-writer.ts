/**
 * Writes to the journal: compare, append, flush, read back (ST-2). The caller holds the state lock and has read on.
 *
 * The lock is not what makes this safe: a record counts only where its author validated everything before it, so the
 * size is compared before and the bytes after. Bytes of the journal are never changed and never cut off, and a record that
 * others may have read is never taken back. Where a flush fails, or nobody tells whether one came through, what stands there
 * is written anew to a fresh file, since the same file would not tell again which of its pages were lost. A copy takes the
 * place of a segment that is closed, so that nothing can be appended to the file that it replaces.
 */
import { ScheduleError } from '../../../errors.js';
import type { CommitBatch } from '../../../ports/schedule-store.js';
import type { Disk } from '../disk/disk.js';
import { putFile } from '../disk/new-file.js';
import { RECORD_BYTES, sealLine, sealWritten, type WrittenLine } from '../disk/sealed-line.js';
import { codeOf, isAbsent } from '../disk/trouble.js';
import { type Layout, segmentOf, segmentPath } from '../layout.js';
import { closingMark, readChain, TORN_MARK } from './chain-reader.js';
import type { HeadFile } from './head-mark.js';
import { encodeRecord, type JournalRecord, type RecordHead, writeCommit } from './journal-record.js';
import { type Replica, SegmentGone } from './replica.js';
import { type ChainSpan, SegmentChanged, SegmentGrew, SegmentRenewal } from './segment-renewal.js';
import type { Snapshot } from './snapshot.js';

/** A segment is closed before it would be longer (bytes). @internal */
export const SEGMENT_BYTES = 8 * 1_048_576;

/** Seals a record. Throws `SCHEDULE_ADAPTER_BROKEN` for one of more than 16 MiB. @internal */
export function sealRecord(record: JournalRecord): WrittenLine {
  return checked(sealLine(JSON.stringify(encodeRecord(record))));
}

/** Seals the record of a commit. Throws as {@link sealRecord}, and `UnstorableRow`. @internal */
export function sealCommit(head: RecordHead, batch: CommitBatch): WrittenLine {
  return checked(sealWritten((out) => writeCommit(head, batch, out)));
}

function checked(sealed: WrittenLine): WrittenLine {
  if (sealed.bytes.length <= RECORD_BYTES) return sealed;
  throw new ScheduleError(
    'SCHEDULE_ADAPTER_BROKEN',
    `a commit of ${sealed.bytes.length} bytes, ${RECORD_BYTES} are allowed`,
    {
      details: { bytes: sealed.bytes.length, limit: RECORD_BYTES },
      hint: 'Make several commits of it.',
    },
  );
}

/** See the head of this file. @internal */
export class JournalWriter {
  readonly #disk: Disk;
  readonly #layout: Layout;
  readonly #head: HeadFile;
  readonly #renewal: SegmentRenewal;
  /** Hash of the last record of a journal that was found unsure and written anew, where the head could not be told. */
  #securedHash: string | undefined;

  /** Where records are read back into; it is as large as the largest of them needed. */
  #back = Buffer.alloc(0);

  constructor(disk: Disk, layout: Layout, head: HeadFile) {
    this.#disk = disk;
    this.#layout = layout;
    this.#head = head;
    this.#renewal = new SegmentRenewal(disk, layout);
  }

  /**
   * Appends a sealed record durably behind a secured journal; `raced` where somebody else appended without the lock: then
   * nothing was committed. `seq` is the number of the commit, where the record is one.
   *
   * @remarks Rejects where it was not committed; with `SCHEDULE_STORE_FAILED` where that is not certain.
   */
  async append(replica: Replica, sealed: WrittenLine, seq?: number): Promise<'appended' | 'raced'> {
    const written = await this.#write(replica, sealed.bytes);
    if (written === 'raced') return 'raced';
    const { file, end, bytes } = written;
    try {
      await this.#disk.flush(file);
    } catch (error) {
      await this.#complete(replica, end, bytes, error);
    }
    const stands = await this.#stands(replica, end, bytes);
    const behind = stands ? end + bytes.length : await this.#foundBehind(replica, end, sealed);
    if (behind === undefined) return 'raced';
    replica.advance(sealed.hash, behind);
    if (seq === undefined) await this.#head.writeEnd(sealed.hash);
    else await this.#head.write({ seq, hash: sealed.hash });
    return 'appended';
  }

  /**
   * Makes sure that all of the journal is durable, whoever wrote it, and explains torn bytes at its end, so that records may
   * follow. What stands behind the end that the head marks was left by a writer that died, or failed, before it could tell; a
   * flush of it may have failed already, so that another one would tell nothing: it is written anew.
   */
  async secure(replica: Replica): Promise<'secured' | 'raced'> {
    const isMarked = [this.#head.end, this.#securedHash].includes(replica.hash);
    const isKnown = isMarked && replica.closing === undefined;
    try {
      if (!isKnown && !replica.isFresh && (await this.#goOn(replica)) === 'raced') return 'raced';
      for (const [path, span] of replica.unsure) {
        if (!isKnown) await this.#renewKept(path, span);
        replica.unsure.delete(path);
      }
    } catch (error) {
      if (error instanceof SegmentGrew || error instanceof SegmentGone) return 'raced';
      throw error instanceof SegmentChanged ? await this.#fail(error.path, error, error) : error;
    }
    if (!isKnown) {
      this.#securedHash = replica.hash;
      await this.#head.writeEnd(replica.hash, replica.lastCommit);
    }
    const skip = skipOf(replica);
    if (skip === undefined) return 'secured';
    return (await this.append(replica, skip)) === 'raced' ? 'raced' : 'secured';
  }

  /**
   * Goes on in a new segment, and gives what a snapshot of everything before it is made of. `exportedThrough` is the
   * commit up to which ended records are in history files.
   */
  async roll(replica: Replica, exportedThrough: number): Promise<Snapshot | 'raced'> {
    const closing = replica.path;
    const next = await this.#makeNext(replica, exportedThrough);
    const { close } = closingOf(replica, next);
    const { state, workspace } = replica;
    if ((await this.append(replica, close)) === 'raced') return 'raced';
    state.markExported(exportedThrough);
    const content = state.content();
    await replica.follow(next);
    replica.unsure.delete(closing);
    await replica.readOn(undefined);
    await this.#head.writeEnd(replica.hash);
    return { workspace, segment: next, prev: close.hash, content };
  }

  /**
   * Closes a segment that may not be durable in a copy that takes its place, and goes on in the next one. Nothing counts
   * behind the mark that says so, and whoever finds one finishes what was begun: all make the same copy.
   */
  async #goOn(replica: Replica): Promise<'done' | 'raced'> {
    const { path, span, tail } = replica;
    let next = replica.closing;
    if (next === undefined) {
      next = await this.#makeNext(replica, 0);
      const mark = Buffer.from(closingMark(next, replica));
      const written = await this.#write(replica, mark);
      if (written === 'raced' || !(await this.#stands(replica, written.end, written.bytes))) return 'raced';
    }
    const { skip, close } = closingOf(replica, next);
    const more = Buffer.concat([...(skip === undefined ? [] : [skip.bytes]), close.bytes]);
    await this.#renewal.close(path, span, replica.offset + (tail?.skip.length ?? 0), more);
    await replica.reopen();
    await replica.readOn(undefined);
    replica.unsure.delete(path);
    return 'done';
  }

  /** Makes the segment that goes on where this one ends, durably; nobody knows of it before this one is closed. */
  async #makeNext(replica: Replica, exportedThrough: number): Promise<number> {
    const { next, path, file } = await this.#createSegment();
    const { state, workspace } = replica;
    const { seq, lastSeenAt: at } = state;
    const { close } = closingOf(replica, next);
    const open = sealRecord({ seq, prev: close.hash, at, kind: 'open', workspace, exportedThrough });
    try {
      try {
        await this.#disk.write(file, open.bytes, 0);
        await this.#disk.flush(file);
      } finally {
        await this.#disk.close(file);
      }
      await this.#disk.flushDirectory(this.#layout.journal);
    } catch (error) {
      // A full disk would get a file more with every attempt.
      await this.#disk.unlink(path).catch(() => undefined);
      throw error;
    }
    return next;
  }

  /** Writes behind everything that was read; where, and which bytes. `raced` where more stands there: then nothing was written. */
  async #write(replica: Replica, line: Buffer): Promise<Written | 'raced'> {
    const file = await replica.appending();
    const end = replica.offset + (replica.tail?.length ?? 0);
    const bytes = replica.tail?.isLineOpen ? Buffer.concat([Buffer.from(TORN_MARK), line]) : line;
    const facts = this.#disk.lookNow(replica.path);
    if (facts?.identity !== this.#disk.factsNow(file).identity || facts.bytes !== end) return 'raced';
    await this.#disk.write(file, bytes, 'append');
    return { file, end, bytes };
  }

  /**
   * Where a record of the chain ends that does not stand at `end`, where it was written to: without the lock, something that
   * counts for nothing may have come in between. One that stands there twice is nobody's.
   */
  async #foundBehind(replica: Replica, end: number, { hash, bytes }: WrittenLine): Promise<number | undefined> {
    const file = await replica.appending();
    const back = Buffer.alloc(Math.max(0, this.#disk.factsNow(file).bytes - end));
    const written = back.subarray(0, this.#disk.readNow(file, back, end));
    const first = written.indexOf(bytes);
    if (first <= 0 || written.indexOf(bytes, first + 1) >= 0) return undefined;
    for await (const record of readChain(this.#disk, replica.path, file, replica.position)) {
      if (record.hash === hash) return record.end;
    }
    return undefined;
  }

  /** An empty file under the next number; numbers of abandoned segments are never used again. */
  async #createSegment(): Promise<{ readonly next: number; readonly path: string; readonly file: number }> {
    for (;;) {
      const names = (await this.#disk.list(this.#layout.journal)) ?? [];
      const next = 1 + names.reduce((highest, name) => Math.max(highest, segmentOf(name) ?? 0), 0);
      const path = segmentPath(this.#layout, next);
      try {
        return { next, path, file: await this.#disk.open(path, 'create') };
      } catch (error) {
        // Without the lock, somebody else may have taken the number in between.
        if (codeOf(error) !== 'EEXIST') throw error;
      }
    }
  }

  /** A closed segment that is gone was pruned: a durable snapshot stands for it. */
  async #renewKept(path: string, span: ChainSpan): Promise<void> {
    try {
      await this.#renewal.renew(path, span);
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
  }

  /**
   * Makes a record durable whose flush failed: others may have read it already, so it is not taken back. Throws
   * `SCHEDULE_STORE_FAILED` where that fails too.
   */
  async #complete(replica: Replica, end: number, bytes: Buffer, cause: unknown): Promise<void> {
    try {
      await this.#renewal.complete(replica.path, replica.span, end, bytes);
      await replica.reopen();
    } catch (undoing) {
      throw await this.#fail(replica.path, cause, undoing);
    }
  }

  /** Whether a record stands where it was written; throws where that cannot be found out, though it is durable somewhere. */
  async #stands(replica: Replica, end: number, bytes: Buffer): Promise<boolean> {
    try {
      return await this.#readBack(replica, end, bytes);
    } catch {
      // Trouble of a moment must not call a commit failed that was made.
      return this.#readBack(replica, end, bytes).catch((error: unknown) => {
        throw unsure(replica.path, error);
      });
    }
  }

  async #readBack(replica: Replica, end: number, bytes: Buffer): Promise<boolean> {
    // Without the lock, somebody may have put a copy in its place meanwhile.
    if (!replica.isCurrent()) await replica.reopen();
    const { length } = bytes;
    if (this.#back.length < 2 * length) this.#back = Buffer.allocUnsafeSlow(2 * length);
    const got = this.#disk.readNow(await replica.appending(), this.#back.subarray(0, 2 * length), end);
    const [first, second] = [this.#back.subarray(0, Math.min(length, got)), this.#back.subarray(length, got)];
    // Two writers may have made the same record, byte for byte: then it is nobody's.
    return first.equals(bytes) && !second.equals(bytes);
  }

  /** Leaves the mark that stops everybody, and tells the caller. */
  async #fail(path: string, cause: unknown, undoing: unknown): Promise<ScheduleError> {
    const text = `${JSON.stringify({ file: path, flush: String(cause), undo: String(undoing) })}\n`;
    let isMarked = true;
    try {
      await putFile(this.#disk, this.#layout.tmp, this.#layout.failed, Buffer.from(text));
    } catch {
      // Without the mark other processes go on until they meet the trouble themselves; this caller is told so.
      isMarked = false;
    }
    return new ScheduleError('SCHEDULE_STORE_FAILED', `a flush of ${path} failed and could not be undone`, {
      details: { file: path, isMarked, undo: String(undoing) },
      hint: 'Mend the disk, then start an owner: it writes the journal anew before it goes on.',
      cause,
    });
  }
}

/** Bytes that were appended: to which file, from which offset on. */
interface Written {
  readonly file: number;
  readonly end: number;
  readonly bytes: Buffer;
}

/** The record that explains torn bytes at the end of the journal; nothing where there are none. */
function skipOf({ tail, state, hash }: Replica): WrittenLine | undefined {
  if (tail === undefined) return undefined;
  const { seq, lastSeenAt: at } = state;
  return sealRecord({ seq, prev: hash, at, kind: 'skip', offset: tail.offset, ...tail.skip });
}

/** What closes a segment: it follows from what stands there alone, whoever makes it. */
function closingOf(replica: Replica, next: number): { readonly skip?: WrittenLine; readonly close: WrittenLine } {
  const skip = skipOf(replica);
  const { seq, lastSeenAt: at } = replica.state;
  const close = sealRecord({ seq, prev: skip?.hash ?? replica.hash, at, kind: 'close', next });
  return skip === undefined ? { close } : { skip, close };
}

function unsure(path: string, cause: unknown): ScheduleError {
  const message = `a record was written to ${path} and flushed, but could not be read back: whether it counts is unknown`;
  return new ScheduleError('SCHEDULE_STORE_FAILED', message, {
    details: { file: path, isMarked: false },
    hint: 'Mend the disk, then look whether the change was made.',
    cause,
  });
}
