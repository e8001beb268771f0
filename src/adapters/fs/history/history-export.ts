/**
 * Moves ended records from the journal to history files (ST-6).
 *
 * The caller holds the roll-over lock, and what it gives is durable in the journal. Doing it twice does no harm: lines
 * that a file ends with already are left out, and every file that was touched is flushed, whoever wrote it.
 */
import { join } from 'node:path';
import { foldId } from '../../../core/model/catalogue.js';
import type { StateContent, StoredSchedule } from '../../replay/catalogue-state.js';
import type { Disk } from '../disk/disk.js';
import { copyBytes, putFile, withFile } from '../disk/new-file.js';
import { corrupt, isAbsent } from '../disk/trouble.js';
import { historyPath, type Layout } from '../layout.js';
import {
  HISTORY_FILE_BYTES,
  type HistoryFile,
  type HistoryKind,
  historyFileName,
  historyFiles,
  linesIn,
  orderIn,
  RESTORE_FILE,
  recordLine,
  TORN_MARK,
  verdictLine,
} from './history-file.js';
import { type HistoryEntry, rebuildHistory, unsureFiles } from './history-rebuild.js';

/** The size of a file, whether its last line is open, and what its last record is. */
interface FileEnd {
  readonly path: string;
  readonly bytes: number;
  readonly isOpen: boolean;
  readonly seq: number;
  readonly n: number;
}

/** A file to append to. */
type OpenFile = Pick<FileEnd, 'path' | 'bytes' | 'isOpen'>;

/** Ended records and late verdicts by folded id of their schedule. */
type HistoryContent = Pick<StateContent, 'ended' | 'verdicts'>;

const ENDS_KEPT = 20_000;
/** Schedules written at a time: their flushes overlap, and commits that come meanwhile still find a thread. */
const AT_A_TIME = 2;

/** See the head of this file. @internal */
export class HistoryExport {
  readonly #disk: Disk;
  readonly #layout: Layout;
  /** Ends of files that this process wrote, so that it need not read them again. */
  readonly #ends = new Map<string, FileEnd>();

  constructor(disk: Disk, layout: Layout) {
    this.#disk = disk;
    this.#layout = layout;
  }

  /** Makes every ended record and late verdict of these schedules durable in history files. */
  async run(content: HistoryContent, due: readonly StoredSchedule[]): Promise<void> {
    for (let start = 0; start < due.length; start += AT_A_TIME) {
      await Promise.all(due.slice(start, start + AT_A_TIME).map((stored) => this.#exportTwice(content, stored)));
    }
    await this.#disk.flushDirectory(this.#layout.history);
  }

  /** Takes note that files are gone. */
  forget(paths: readonly string[]): void {
    for (const path of paths) this.#ends.delete(path);
  }

  /** Removes the whole history of a schedule that is gone. */
  async remove(scheduleId: string): Promise<void> {
    const directory = historyPath(this.#layout, scheduleId);
    for (const name of (await this.#disk.list(directory)) ?? []) await this.#disk.unlink(join(directory, name));
    await this.#disk.removeDirectory(directory);
  }

  /** Another process that removes the schedule takes the directory away in the middle; once made anew, it is free. */
  async #exportTwice(content: HistoryContent, stored: StoredSchedule): Promise<void> {
    try {
      await this.#exportOne(content, stored);
    } catch (error) {
      if (!isAbsent(error)) throw error;
      await this.#exportOne(content, stored);
    }
  }

  async #exportOne({ ended, verdicts }: HistoryContent, stored: StoredSchedule): Promise<void> {
    const { id } = stored.entry.schedule;
    const directory = historyPath(this.#layout, id);
    const files = await historyFiles(this.#disk, directory, stored.createdSeq);
    if (!files.exists) await this.#disk.makeDirectory(directory);
    for (const { path } of files.former) await this.#disk.unlink(path);
    const records = (ended.get(foldId(id)) ?? []).map((record) => ({ ...record, bytes: recordLine(record) }));
    const late = (verdicts.get(foldId(id)) ?? []).map((verdict) => ({ ...verdict, n: 0, bytes: verdictLine(verdict) }));
    const isOld = await this.#append(directory, 'records', files.records, records, stored.exported);
    const isOldToo = await this.#append(directory, 'verdicts', files.verdicts, late, 0);
    if (!isOld || !isOldToo) await this.#disk.flushDirectory(directory);
  }

  /**
   * Appends what a history does not end with yet; true where no name of a file is new or was made by others. Nothing is
   * appended to files that end before the record `exported`, which was moved there earlier.
   */
  async #append(
    directory: string,
    kind: HistoryKind,
    files: readonly HistoryFile[],
    entries: readonly HistoryEntry[],
    exported: number,
  ): Promise<boolean> {
    if (entries.length === 0) return true;
    const newest = files.at(-1);
    let isKnown = newest !== undefined && this.#ends.has(newest.path);
    const known = await this.#endOf(files, entries[0]?.seq ?? 0);
    if (known !== undefined && known.n < exported) throw cutShort(known, exported);
    const unsure = isKnown ? undefined : await unsureFiles(this.#disk, files, entries[0]?.seq ?? 0);
    if (unsure !== undefined) {
      await rebuildHistory(this.#disk, this.#layout, kind, unsure, entries);
      return false;
    }
    let open: OpenFile | undefined = known;
    let batch: HistoryEntry[] = [];
    const left = entries.filter(({ seq, n }) => known === undefined || isBehind({ seq, n }, known));
    for (const commit of byCommit(left)) {
      if (open === undefined || open.bytes + sizeOf(batch) + sizeOf(commit) > HISTORY_FILE_BYTES) {
        await this.#write(open, batch);
        open = { path: join(directory, historyFileName(kind, commit[0]?.seq ?? 0)), bytes: 0, isOpen: false };
        batch = [];
        isKnown = false;
      }
      batch.push(...commit);
    }
    await this.#write(open, batch);
    return isKnown;
  }

  /** The newest file and the last line of all; commits from `inMemory` on may not have been written yet. */
  async #endOf(files: readonly HistoryFile[], inMemory: number): Promise<FileEnd | undefined> {
    const newest = files.at(-1);
    if (newest === undefined) return undefined;
    const { path } = newest;
    const bytes = this.#disk.lookNow(path)?.bytes ?? 0;
    const known = this.#ends.get(path);
    if (known?.bytes === bytes) return known;
    const { lines, isOpen } = await linesIn(this.#disk, newest, (seq) => seq >= inMemory);
    const last = lines.at(-1);
    if (last !== undefined) return { path, bytes, isOpen, ...orderIn(path, last) };
    // Its writer died before it wrote a line: the file before it ends the history.
    const { seq, n } = (await this.#endOf(files.slice(0, -1), inMemory)) ?? { seq: 0, n: 0 };
    return { path, bytes, isOpen, seq, n };
  }

  /** Puts a copy of the first bytes of a file in its place. */
  async #cut(path: string, end: number): Promise<void> {
    await withFile(this.#disk, path, (from) =>
      putFile(this.#disk, this.#layout.tmp, path, (to) => copyBytes(this.#disk, from, to, end)),
    );
  }

  async #write(open: OpenFile | undefined, batch: readonly HistoryEntry[]): Promise<void> {
    if (open === undefined) return;
    const isNew = this.#disk.lookNow(open.path) === undefined;
    const mark = open.isOpen ? [Buffer.from(TORN_MARK)] : [];
    const bytes = batch.length === 0 ? Buffer.alloc(0) : Buffer.concat([...mark, ...batch.map((entry) => entry.bytes)]);
    const file = await this.#disk.open(open.path, isNew ? 'create' : 'append');
    try {
      if (bytes.length > 0) await this.#disk.write(file, bytes, 'append');
      await this.#flush(file, open);
      const isSame = this.#disk.lookNow(open.path)?.identity === this.#disk.factsNow(file).identity;
      if (!isSame) throw new Error(`${open.path} was replaced by another process meanwhile`);
    } finally {
      await this.#disk.close(file);
    }
    const last = batch.at(-1);
    if (last === undefined) return;
    if (this.#ends.size > ENDS_KEPT) this.#ends.clear();
    const { path } = open;
    this.#ends.set(path, { path, bytes: open.bytes + bytes.length, isOpen: false, seq: last.seq, n: last.n });
  }

  /** A file whose flush failed would not tell again which of its pages were lost: it is replaced. */
  async #flush(file: number, { path, bytes }: OpenFile): Promise<void> {
    try {
      await this.#disk.flush(file);
    } catch (error) {
      this.#ends.delete(path);
      await this.#cut(path, bytes);
      throw error;
    }
  }
}

function cutShort({ path, bytes, n }: FileEnd, exported: number): Error {
  const found = `the history ends with record ${n}, but record ${exported} was written`;
  return corrupt({ file: path, offset: bytes, rule: 'history', found }, RESTORE_FILE);
}

function isBehind(
  a: { readonly seq: number; readonly n: number },
  b: { readonly seq: number; readonly n: number },
): boolean {
  return a.n !== b.n ? a.n > b.n : a.seq > b.seq;
}

function* byCommit(entries: readonly HistoryEntry[]): Generator<readonly HistoryEntry[]> {
  let commit: HistoryEntry[] = [];
  for (const entry of entries) {
    if (commit.length > 0 && commit[0]?.seq !== entry.seq) {
      yield commit;
      commit = [];
    }
    commit.push(entry);
  }
  if (commit.length > 0) yield commit;
}

function sizeOf(entries: readonly HistoryEntry[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
