/**
 * Moves ended records from the journal to history files, and prunes these by whole file (ST-6).
 *
 * The caller holds the roll-over lock, and what it gives is durable in the journal. Doing it twice does no harm: lines
 * that a file ends with already are left out, and every file that was touched is flushed, whoever wrote it.
 */
import { basename, join } from 'node:path';
import { foldId } from '../../../core/model/catalogue.js';
import type { StateContent, StoredSchedule } from '../../catalogue-state.js';
import type { Disk } from '../disk/disk.js';
import { copyBytes, putFile, withFile } from '../disk/new-file.js';
import { isAbsent } from '../disk/trouble.js';
import { historyPath, type Layout } from '../layout.js';
import {
  firstLine,
  HISTORY_FILE_BYTES,
  type HistoryFile,
  type HistoryKind,
  historyFileName,
  historyFiles,
  orderIn,
  recordIn,
  recordLine,
  verdictLine,
  wholeLines,
} from './history-file.js';

/** How much history each schedule keeps; a file goes when all that is in it may go. @public */
export interface HistoryRetention {
  /** Newest records that stay; 1000 by default. */
  readonly perSchedule: number;
  /** Records older than so many days may go as well. */
  readonly days?: number;
}

/** What a file is to take up: the commit, the number, the bytes. */
interface Entry {
  readonly seq: number;
  readonly n: number;
  readonly bytes: Buffer;
}

/** The last line of a file, and where it ends. */
interface FileEnd {
  readonly path: string;
  readonly end: number;
  readonly seq: number;
  readonly n: number;
}

const ENDS_KEPT = 20_000;
const DAY_MS = 86_400_000;
/** Schedules written at a time: their flushes overlap. */
const AT_A_TIME = 4;

/** See the head of this file. @internal */
export class HistoryExport {
  readonly #disk: Disk;
  readonly #layout: Layout;
  readonly #retention: HistoryRetention;
  /** Ends of files that this process wrote, so that it need not read them again. */
  readonly #ends = new Map<string, FileEnd>();

  constructor(disk: Disk, layout: Layout, retention: HistoryRetention) {
    this.#disk = disk;
    this.#layout = layout;
    this.#retention = retention;
  }

  /** Makes every ended record and late verdict of a catalogue durable in history files; returns whose they were. */
  async run(content: StateContent): Promise<readonly StoredSchedule[]> {
    const { ended, verdicts, schedules } = content;
    const due = schedules.filter(({ entry }) => {
      const id = foldId(entry.schedule.id);
      return ended.has(id) || verdicts.has(id);
    });
    for (let start = 0; start < due.length; start += AT_A_TIME) {
      await Promise.all(due.slice(start, start + AT_A_TIME).map((stored) => this.#exportTwice(content, stored)));
    }
    await this.#disk.flushDirectory(this.#layout.history);
    return due;
  }

  /** Removes files that hold nothing that must stay, of schedules that were exported. */
  async prune(schedules: readonly StoredSchedule[], nowMs: number): Promise<void> {
    for (const stored of schedules) await this.#pruneOne(stored, nowMs);
  }

  /** Removes the whole history of a schedule that is gone. */
  async remove(scheduleId: string): Promise<void> {
    const directory = historyPath(this.#layout, scheduleId);
    for (const name of (await this.#disk.list(directory)) ?? []) await this.#disk.unlink(join(directory, name));
    await this.#disk.removeDirectory(directory);
  }

  /** Another process that removes the schedule takes the directory away in the middle; once made anew, it is free. */
  async #exportTwice(content: StateContent, stored: StoredSchedule): Promise<void> {
    try {
      await this.#exportOne(content, stored);
    } catch (error) {
      if (!isAbsent(error)) throw error;
      await this.#exportOne(content, stored);
    }
  }

  async #exportOne({ ended, verdicts }: StateContent, stored: StoredSchedule): Promise<void> {
    const { id } = stored.entry.schedule;
    const directory = historyPath(this.#layout, id);
    const files = await historyFiles(this.#disk, directory, stored.createdSeq);
    if (!files.exists) await this.#disk.makeDirectory(directory);
    for (const { path } of files.former) await this.#disk.unlink(path);
    const records = (ended.get(foldId(id)) ?? []).map((record) => ({ ...record, bytes: recordLine(record) }));
    const late = (verdicts.get(foldId(id)) ?? []).map((verdict) => ({ ...verdict, n: 0, bytes: verdictLine(verdict) }));
    const isOld = await this.#append(directory, 'records', files.records.at(-1), records);
    const isOldToo = await this.#append(directory, 'verdicts', files.verdicts.at(-1), late);
    if (!isOld || !isOldToo) await this.#disk.flushDirectory(directory);
  }

  /** Appends what a history does not end with yet; true where no name of a file is new or was made by others. */
  async #append(
    directory: string,
    kind: HistoryKind,
    newest: HistoryFile | undefined,
    entries: readonly Entry[],
  ): Promise<boolean> {
    if (entries.length === 0) return true;
    let isKnown = newest !== undefined && this.#ends.has(newest.path);
    const known = newest === undefined ? undefined : await this.#endOf(newest.path);
    let open = known === undefined ? undefined : { path: known.path, bytes: known.end };
    let batch: Entry[] = [];
    const left = entries.filter(({ seq, n }) => known === undefined || isBehind({ seq, n }, known));
    for (const commit of byCommit(left)) {
      if (open === undefined || open.bytes + sizeOf(batch) + sizeOf(commit) > HISTORY_FILE_BYTES) {
        await this.#write(open, batch);
        open = { path: join(directory, historyFileName(kind, commit[0]?.seq ?? 0)), bytes: 0 };
        batch = [];
        isKnown = false;
      }
      batch.push(...commit);
    }
    await this.#write(open, batch);
    return isKnown;
  }

  /** The last line of a file and where it ends; torn bytes behind it are moved aside. */
  async #endOf(path: string): Promise<FileEnd> {
    const known = this.#ends.get(path);
    if (known !== undefined && known.end === this.#disk.lookNow(path)?.bytes) return known;
    const { lines, end } = await wholeLines(this.#disk, path);
    const bytes = this.#disk.lookNow(path)?.bytes ?? end;
    if (bytes > end) await this.#moveTornAside(path, end, bytes);
    const last = lines.at(-1);
    return { path, end, ...(last === undefined ? { seq: 0, n: 0 } : orderIn(path, last)) };
  }

  async #moveTornAside(path: string, end: number, bytes: number): Promise<void> {
    const name = `${basename(join(path, '..'))}-${basename(path)}-${end}-${this.#disk.randomHex(8)}`;
    await withFile(this.#disk, path, async (from) => {
      const torn = Buffer.alloc(bytes - end);
      await this.#disk.read(from, torn, end);
      await putFile(this.#disk, this.#layout.tmp, join(this.#layout.quarantine, name), torn);
    });
    await this.#cut(path, end);
  }

  /** Puts a copy of the first bytes of a file in its place. */
  async #cut(path: string, end: number): Promise<void> {
    await withFile(this.#disk, path, (from) =>
      putFile(this.#disk, this.#layout.tmp, path, (to) => copyBytes(this.#disk, from, to, end)),
    );
  }

  async #write(
    open: { readonly path: string; readonly bytes: number } | undefined,
    batch: readonly Entry[],
  ): Promise<void> {
    if (open === undefined) return;
    const isNew = this.#disk.lookNow(open.path) === undefined;
    const file = await this.#disk.open(open.path, isNew ? 'create' : 'append');
    try {
      if (batch.length > 0) await this.#disk.write(file, Buffer.concat(batch.map(({ bytes }) => bytes)), 'append');
      await this.#flush(file, open);
    } finally {
      await this.#disk.close(file);
    }
    const last = batch.at(-1);
    if (this.#ends.size > ENDS_KEPT) this.#ends.clear();
    if (last !== undefined) this.#ends.set(open.path, { ...last, path: open.path, end: open.bytes + sizeOf(batch) });
  }

  /** A file whose flush failed would not tell again which of its pages were lost: it is replaced. */
  async #flush(file: number, { path, bytes }: { readonly path: string; readonly bytes: number }): Promise<void> {
    try {
      await this.#disk.flush(file);
    } catch (error) {
      await this.#cut(path, bytes);
      throw error;
    }
  }

  async #pruneOne(stored: StoredSchedule, nowMs: number): Promise<void> {
    const directory = historyPath(this.#layout, stored.entry.schedule.id);
    const files = await historyFiles(this.#disk, directory, stored.createdSeq);
    const kept = [...files.records];
    for (let next = kept[1]; next !== undefined; next = kept[1]) {
      const oldest = kept[0] as HistoryFile;
      const first = await firstLine(this.#disk, next.path);
      if (first === undefined) break;
      const newer = stored.ended - orderIn(next.path, first).n + 1;
      if (newer < this.#retention.perSchedule && !(await this.#isTooOld(oldest.path, nowMs))) break;
      await this.#disk.unlink(oldest.path);
      this.#ends.delete(oldest.path);
      kept.shift();
    }
    // A verdict is never older than its record: a file of older ones speaks of none that is left.
    const oldestSeq = kept[0]?.firstSeq ?? 0;
    for (const [index, { path }] of files.verdicts.entries()) {
      const next = files.verdicts[index + 1];
      if (next !== undefined && next.firstSeq <= oldestSeq) await this.#disk.unlink(path);
    }
  }

  async #isTooOld(path: string, nowMs: number): Promise<boolean> {
    const { days } = this.#retention;
    if (days === undefined) return false;
    const last = (await wholeLines(this.#disk, path)).lines.at(-1);
    if (last === undefined) return false;
    return nowMs - (recordIn(path, last).occurrence.endedAt ?? nowMs) > days * DAY_MS;
  }
}

function isBehind(
  a: { readonly seq: number; readonly n: number },
  b: { readonly seq: number; readonly n: number },
): boolean {
  return a.n !== b.n ? a.n > b.n : a.seq > b.seq;
}

function* byCommit(entries: readonly Entry[]): Generator<readonly Entry[]> {
  let commit: Entry[] = [];
  for (const entry of entries) {
    if (commit.length > 0 && commit[0]?.seq !== entry.seq) {
      yield commit;
      commit = [];
    }
    commit.push(entry);
  }
  if (commit.length > 0) yield commit;
}

function sizeOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
