/**
 * Reads a history newest first: the records that are still in memory, then the files, as one list (S-7).
 *
 * A record has a number in the history of its schedule, and a cursor is that number with the commit that created the
 * schedule. So a page goes on at the right place whatever was moved to files, or pruned, since the page before.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Occurrence, Verdict } from '../../../core/model/occurrence.js';
import { ScheduleError } from '../../../errors.js';
import type { HistoryPage, HistoryQuery } from '../../../ports/schedule-store.js';
import type { EndedRecord, LateVerdict, StoredSchedule } from '../../catalogue-state.js';
import type { Disk } from '../disk/disk.js';
import { corrupt, isAbsent } from '../disk/trouble.js';
import { firstLine, type HistoryFile, historyFiles, orderIn, recordIn, verdictIn, wholeLines } from './history-file.js';

/** What is in memory of a schedule. @internal */
export interface HistorySource {
  readonly stored: StoredSchedule;
  readonly ended: readonly EndedRecord[];
  readonly lateVerdicts: readonly LateVerdict[];
}

/** Files that were read go on existing for this many attempts, else the page is given up. */
const ATTEMPTS = 3;
const RECORDS_A_SLICE = 64;

/** A page of a history. Throws `SCHEDULE_CATALOGUE_CORRUPT`, and `SCHEDULE_DECLARATION_INVALID` for a bad query. @internal */
export async function historyPage(
  disk: Disk,
  directory: string,
  source: () => HistorySource | undefined,
  query: HistoryQuery,
): Promise<HistoryPage> {
  refuseBadQuery(query);
  for (let attempt = 1; ; attempt++) {
    const now = source();
    if (now === undefined) return { records: [] };
    try {
      return await new PageReader(disk, directory, now, query).read();
    } catch (error) {
      // A file was pruned, or the schedule removed, while it was read.
      if (!isAbsent(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

class PageReader {
  readonly #disk: Disk;
  readonly #directory: string;
  readonly #source: HistorySource;
  readonly #query: HistoryQuery;
  readonly #found: EndedRecord[] = [];
  /** Number that the next record read from a file must have. */
  #expected: number;

  constructor(disk: Disk, directory: string, source: HistorySource, query: HistoryQuery) {
    this.#disk = disk;
    this.#directory = directory;
    this.#source = source;
    this.#query = query;
    this.#expected = source.stored.exported;
  }

  async read(): Promise<HistoryPage> {
    const { createdSeq } = this.#source.stored;
    const before = numberIn(this.#query.before, createdSeq);
    const isWanted = (record: EndedRecord) => record.n < before && this.#isWanted(record.occurrence);
    for (const record of [...this.#source.ended].reverse()) {
      if (this.#isFull()) break;
      if (isWanted(record)) this.#found.push(record);
    }
    const files = await historyFiles(this.#disk, this.#directory, createdSeq);
    for (const file of [...files.records].reverse()) {
      if (this.#isFull()) break;
      await this.#readFile(file, before, isWanted);
    }
    if (!this.#isFull() && files.records.length === 0 && this.#expected > 0) throw this.#gap(this.#directory, 0);
    return this.#page(await this.#verdicts(files.verdicts));
  }

  /** One more than asked for tells whether there is a next page. */
  #isFull(): boolean {
    return this.#found.length > this.#query.limit;
  }

  #isWanted({ id, revision }: Occurrence): boolean {
    const { occurrence, revision: wanted } = this.#query;
    return (occurrence === undefined || occurrence === id) && (wanted === undefined || wanted === revision);
  }

  async #readFile(file: HistoryFile, before: number, isWanted: (record: EndedRecord) => boolean): Promise<void> {
    const first = await firstLine(this.#disk, file.path);
    if (first === undefined) return;
    const firstN = orderIn(file.path, first).n;
    if (firstN >= before) {
      this.#expected = firstN - 1;
      return;
    }
    const { lines } = await wholeLines(this.#disk, file.path);
    for (const [count, line] of [...lines].reverse().entries()) {
      if (this.#isFull()) return;
      if (count % RECORDS_A_SLICE === RECORDS_A_SLICE - 1) await nextTurn();
      const record = recordIn(file.path, line);
      // Newer ones are in memory too: another process moved them to the file since.
      if (record.n > this.#source.stored.exported) continue;
      if (record.n !== this.#expected) throw this.#gap(file.path, line.offset);
      this.#expected -= 1;
      if (isWanted(record)) this.#found.push(record);
    }
  }

  async #verdicts(files: readonly HistoryFile[]): Promise<ReadonlyMap<string, Verdict>> {
    const verdicts = new Map<string, Verdict>();
    for (const { path } of files) {
      for (const line of (await wholeLines(this.#disk, path)).lines) {
        const { occurrence, verdict } = verdictIn(path, line);
        verdicts.set(occurrence, verdict);
      }
    }
    for (const { occurrence, verdict } of this.#source.lateVerdicts) verdicts.set(occurrence, verdict);
    return verdicts;
  }

  #page(verdicts: ReadonlyMap<string, Verdict>): HistoryPage {
    const { limit } = this.#query;
    const records = this.#found.slice(0, limit).map(({ occurrence }) => {
      const verdict = verdicts.get(occurrence.id);
      return verdict === undefined ? occurrence : { ...occurrence, verdict };
    });
    const last = this.#found[limit - 1];
    if (!this.#isFull() || last === undefined) return { records };
    return { records, next: `${this.#source.stored.createdSeq}.${last.n}` };
  }

  #gap(file: string, offset: number): Error {
    const found = `record ${this.#expected} of the history must stand here`;
    return corrupt({ file, offset, rule: 'history', found }, 'Restore the file from a backup of the workspace.');
  }
}

/** The number behind which a page goes on; everything is before it where no cursor is given. */
function numberIn(cursor: string | undefined, createdSeq: number): number {
  if (cursor === undefined) return Number.POSITIVE_INFINITY;
  const [created, n] = cursor.split('.').map(Number);
  // A cursor of a former schedule of this id: nothing of it is left.
  return created === createdSeq ? (n ?? 0) : 0;
}

function refuseBadQuery({ limit, before }: HistoryQuery): void {
  const issues: { path: string; rule: string; message: string; found: string }[] = [];
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > 1000) {
    issues.push({ path: 'limit', rule: 'CT-1', message: 'A page has 1 to 1000 records.', found: String(limit) });
  }
  if (before !== undefined && !/^\d{1,15}\.\d{1,15}$/.test(before)) {
    const message = 'A cursor must be one that an earlier page gave.';
    issues.push({ path: 'before', rule: 'CT-1', message, found: before.slice(0, 80) });
  }
  if (issues.length === 0) return;
  throw new ScheduleError('SCHEDULE_DECLARATION_INVALID', 'the query of a history cannot be answered', {
    details: { issues },
    hint: 'Ask for at most 1000 records, and go on with the cursor of the page before.',
  });
}
