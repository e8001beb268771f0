/**
 * Writes to the journal: compare, append, flush, read back (ST-2). The caller holds the state lock and has read on.
 *
 * The lock is not what makes this safe: a record counts only where its author validated everything before it, so the
 * size is compared before and the bytes after. Bytes of the journal are never changed and never cut off. A flush that
 * fails is undone by putting a copy of what was validated in the place of the segment, since the same file would not
 * tell again which of its pages were lost.
 */
import { ScheduleError } from '../../../errors.js';
import type { Disk } from '../disk/disk.js';
import { copyBytes, putFile, withFile } from '../disk/new-file.js';
import { RECORD_BYTES, sealLine } from '../disk/sealed-line.js';
import { isAbsent, storeError } from '../disk/trouble.js';
import { type Layout, segmentOf, segmentPath } from '../layout.js';
import { readChain, TORN_MARK } from './chain-reader.js';
import { encodeRecord, type JournalRecord } from './journal-record.js';
import type { Replica } from './replica.js';
import type { Snapshot } from './snapshot.js';

/** A segment is closed before it would be longer (bytes). @internal */
export const SEGMENT_BYTES = 8 * 1_048_576;

/** A record as it will stand in the journal. @internal */
export interface SealedRecord {
  readonly hash: string;
  readonly bytes: Buffer;
}

/** Seals a record. Throws `SCHEDULE_ADAPTER_BROKEN` for one of more than 1 MiB. @internal */
export function sealRecord(record: JournalRecord): SealedRecord {
  const sealed = sealLine(encodeRecord(record));
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

  constructor(disk: Disk, layout: Layout) {
    this.#disk = disk;
    this.#layout = layout;
  }

  /**
   * Appends a sealed record durably; `raced` where somebody else appended without the lock: then nothing was committed.
   *
   * @remarks Rejects where it was not committed; with `SCHEDULE_STORE_FAILED` where that is not certain.
   */
  async append(replica: Replica, sealed: SealedRecord): Promise<'appended' | 'raced'> {
    await this.#flushClosed(replica);
    const file = await replica.appending();
    const end = replica.offset + (replica.tail?.length ?? 0);
    const bytes = replica.tail?.isLineOpen ? Buffer.concat([Buffer.from(TORN_MARK), sealed.bytes]) : sealed.bytes;
    const facts = this.#disk.lookNow(replica.path);
    if (facts?.identity !== this.#disk.factsNow(file).identity || facts.bytes !== end) return 'raced';
    await this.#disk.write(file, bytes, 'append');
    try {
      await this.#disk.flush(file);
    } catch (error) {
      throw await this.#undo(replica, end, error);
    }
    const back = Buffer.alloc(bytes.length);
    this.#disk.readNow(file, back, end);
    if (!back.equals(bytes)) return 'raced';
    replica.advance(sealed.hash, end + bytes.length);
    return 'appended';
  }

  /** Makes durable what is in the journal, whoever wrote it. Rejects as `append` does. */
  async flush(replica: Replica): Promise<void> {
    await this.#flushClosed(replica);
    const end = replica.offset + (replica.tail?.length ?? 0);
    try {
      await this.#disk.flush(await replica.appending());
    } catch (error) {
      throw await this.#undo(replica, end, error);
    }
  }

  /** Explains torn bytes at the end of the journal, so that records may follow. */
  async skipTail(replica: Replica): Promise<void> {
    const { tail, state } = replica;
    if (tail === undefined) return;
    const head = { seq: state.seq, prev: replica.hash, at: state.lastSeenAt };
    await this.append(replica, sealRecord({ ...head, kind: 'skip', offset: tail.offset, ...tail.skip }));
  }

  /**
   * Goes on in a new segment, and gives what a snapshot of everything before it is made of. `exportedThrough` is the
   * commit up to which ended records are in history files.
   */
  async roll(replica: Replica, exportedThrough: number): Promise<Snapshot | 'raced'> {
    const closing = replica.path;
    const next = await this.#unusedSegment();
    const { state, workspace } = replica;
    const { seq, lastSeenAt: at } = state;
    const close = sealRecord({ seq, prev: replica.hash, at, kind: 'close', next });
    const open = sealRecord({ seq, prev: close.hash, at, kind: 'open', workspace, exportedThrough });
    const file = await this.#disk.open(segmentPath(this.#layout, next), 'create');
    try {
      await this.#disk.write(file, open.bytes, 0);
      await this.#disk.flush(file);
    } finally {
      await this.#disk.close(file);
    }
    await this.#disk.flushDirectory(this.#layout.journal);
    if ((await this.append(replica, close)) === 'raced') return 'raced';
    state.markExported(exportedThrough);
    const content = state.content();
    await replica.follow(next);
    replica.unflushed.delete(closing);
    await replica.readOn(undefined);
    return { workspace, segment: next, prev: close.hash, content };
  }

  /** Puts a copy of a segment in its place, so that its pages are written anew; `path` keeps its bytes. */
  async renew(path: string): Promise<void> {
    await withFile(this.#disk, path, (from) =>
      putFile(this.#disk, this.#layout.tmp, path, (to) =>
        copyBytes(this.#disk, from, to, this.#disk.factsNow(from).bytes),
      ),
    );
  }

  /** Numbers of abandoned segments are never used again. */
  async #unusedSegment(): Promise<number> {
    const names = (await this.#disk.list(this.#layout.journal)) ?? [];
    return 1 + names.reduce((highest, name) => Math.max(highest, segmentOf(name) ?? 0), 0);
  }

  /** A segment that another process closed may be in the page cache alone; what follows must not outlive it. */
  async #flushClosed(replica: Replica): Promise<void> {
    for (const path of replica.unflushed) {
      await this.#flushPath(path);
      replica.unflushed.delete(path);
    }
  }

  /** A segment that is gone was pruned: a durable snapshot stands for it. */
  async #flushPath(path: string): Promise<void> {
    let file: number;
    try {
      file = await this.#disk.open(path, 'update');
    } catch (error) {
      if (isAbsent(error)) return;
      throw error;
    }
    try {
      await this.#disk.flush(file);
    } finally {
      await this.#disk.close(file);
    }
  }

  /** The error to throw after a failed flush: undone, or failed for everybody. */
  async #undo(replica: Replica, end: number, cause: unknown): Promise<unknown> {
    try {
      await withFile(this.#disk, replica.path, (from) =>
        putFile(this.#disk, this.#layout.tmp, replica.path, async (to) => {
          await copyBytes(this.#disk, from, to, end);
          await this.#mustEndIn(to, replica, end);
        }),
      );
      await replica.reopen();
      return storeError(cause, 'flushing the journal', replica.path);
    } catch (undoing) {
      return this.#fail(replica.path, cause, undoing);
    }
  }

  /** After a failed flush the system may have lost older pages too: the copy must be the whole chain. */
  async #mustEndIn(copy: number, replica: Replica, end: number): Promise<void> {
    const position = { offset: 0, hash: replica.startHash, earlier: new Set<string>() };
    for await (const _ of readChain(this.#disk, replica.path, copy, position, end));
    if (position.hash !== replica.hash) throw new Error('the copy of the segment is not what was validated');
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
