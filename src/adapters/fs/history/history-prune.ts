/**
 * Prunes history files by whole file (ST-6): what is to go is found first, written down, and only then removed.
 *
 * What is written down is, for each schedule, the last due instant that no record speaks of any more, of whatever revision, so
 * that a clock that was set back makes none of them due again (CO-6), and the number of the last record that goes, so that
 * a file that was lost is not taken for one that was pruned (ST-3).
 */
import type { Occurrence } from '../../../core/model/occurrence.js';
import type { EpochMs } from '../../../core/time/instant.js';
import type { PrunedRecords, PrunedThrough, StoredSchedule } from '../../replay/catalogue-state.js';
import type { Disk } from '../disk/disk.js';
import { historyPath, type Layout } from '../layout.js';
import {
  firstLine,
  type HistoryFile,
  type HistoryFiles,
  historyFiles,
  linesIn,
  orderIn,
  recordIn,
} from './history-file.js';

/** How much history each schedule keeps; a file goes when all that is in it may go. @internal */
export interface HistoryRetention {
  /** Newest records that stay. */
  readonly perSchedule: number;
  /** Records older than so many days may go as well. */
  readonly days?: number;
}

/** The last record of a schedule that goes, with the commit that created the schedule. @internal */
export interface LastPruned extends PrunedRecords {
  readonly createdSeq: number;
}

/** Files that may go, and what is to be written down before they do. @internal */
export interface Prunable {
  readonly paths: readonly string[];
  readonly pruned: readonly PrunedThrough[];
  readonly records: readonly LastPruned[];
}

const DAY_MS = 86_400_000;

/** See the head of this file. @internal */
export class HistoryPrune {
  readonly #disk: Disk;
  readonly #layout: Layout;
  readonly #retention: HistoryRetention;

  constructor(disk: Disk, layout: Layout, retention: HistoryRetention) {
    this.#disk = disk;
    this.#layout = layout;
    this.#retention = retention;
  }

  /** What may go of the histories of these schedules; removes nothing. */
  async find(schedules: readonly StoredSchedule[], nowMs: number): Promise<Prunable> {
    const paths: string[] = [];
    const pruned: PrunedThrough[] = [];
    const records: LastPruned[] = [];
    for (const stored of schedules) {
      const directory = historyPath(this.#layout, stored.entry.schedule.id);
      const files = await historyFiles(this.#disk, directory, stored.createdSeq);
      const old = await this.#oldFiles(files.records, stored, nowMs);
      if (old.length === 0) continue;
      paths.push(...old.map(({ path }) => path), ...oldVerdicts(files, old.length));
      const { id, revision } = stored.entry.schedule;
      const { through, n } = await this.#lastOf(old, id);
      if (through !== undefined) pruned.push({ id, revision, through });
      records.push({ id, n, createdSeq: stored.createdSeq });
    }
    return { paths, pruned, records };
  }

  /** Removes what was found, once that is written down. */
  async remove({ paths }: Prunable): Promise<void> {
    for (const path of paths) await this.#disk.unlink(path);
  }

  async #oldFiles(
    files: readonly HistoryFile[],
    stored: StoredSchedule,
    nowMs: number,
  ): Promise<readonly HistoryFile[]> {
    const old: HistoryFile[] = [];
    for (const [index, file] of files.entries()) {
      const next = files[index + 1];
      const first = next === undefined ? undefined : await firstLine(this.#disk, next, isNever);
      if (next === undefined || first === undefined) break;
      const newer = stored.ended - orderIn(next.path, first).n + 1;
      if (newer < this.#retention.perSchedule && !(await this.#isTooOld(file, stored.entry.schedule.id, nowMs))) break;
      old.push(file);
    }
    return old;
  }

  async #isTooOld(file: HistoryFile, scheduleId: string, nowMs: number): Promise<boolean> {
    const { days } = this.#retention;
    if (days === undefined) return false;
    const last = (await linesIn(this.#disk, file, isNever)).lines.at(-1);
    if (last === undefined) return false;
    return nowMs - (recordIn(file.path, last, scheduleId).occurrence.endedAt ?? nowMs) > days * DAY_MS;
  }

  /** The highest number of a record in these files, and the last due instant. */
  async #lastOf(
    files: readonly HistoryFile[],
    id: string,
  ): Promise<{ readonly n: number; readonly through: EpochMs | undefined }> {
    let n = 0;
    let through: EpochMs | undefined;
    for (const file of files) {
      for (const line of (await linesIn(this.#disk, file, isNever)).lines) {
        const record = recordIn(file.path, line, id);
        n = Math.max(n, record.n);
        const dueAt = lastDueOf(record.occurrence);
        if (dueAt !== undefined && dueAt > (through ?? Number.NEGATIVE_INFINITY)) through = dueAt;
      }
    }
    return { n, through };
  }
}

/** Whoever prunes has moved everything to files before. */
const isNever = () => false;

function lastDueOf({ origin, dueAt, window }: Occurrence): EpochMs | undefined {
  return origin === 'trigger' ? (window?.lastAt ?? dueAt) : undefined;
}

/** A verdict is never older than its record: a file of older ones speaks of none that is left. */
function oldVerdicts({ records, verdicts }: HistoryFiles, gone: number): readonly string[] {
  const oldest = records[gone]?.firstSeq ?? 0;
  return verdicts
    .filter((_, index) => (verdicts[index + 1]?.firstSeq ?? Number.POSITIVE_INFINITY) <= oldest)
    .map(({ path }) => path);
}
