/**
 * Reads a history newest first: the records that are still in memory, then the files, as one list (S-7).
 *
 * A record has a number in the history of its schedule, and a cursor is that number with the commit that created the
 * schedule. So a page goes on at the right place whatever was moved to files, or pruned, since the page before.
 */
import type { Occurrence, Verdict } from '../../../core/model/occurrence.js';
import { ScheduleError } from '../../../errors.js';
import type { HistoryPage, HistoryQuery } from '../../../ports/schedule-store.js';
import type { EndedRecord } from '../../replay/catalogue-state.js';
import type { Disk } from '../disk/disk.js';
import { isAbsent } from '../disk/trouble.js';
import { firstLine, type HistoryFile, historyFiles, linesIn, orderIn, recordIn, verdictIn } from './history-file.js';
import { type HistorySource, isOnItsWay, wholeRecords } from './history-whole.js';

/** Files that were read go on existing for this many attempts, else the page is given up. */
const ATTEMPTS = 3;
const RECORDS_A_SLICE = 64;

/** A page of a history. Throws `SCHEDULE_CATALOGUE_CORRUPT`, and `SCHEDULE_DECLARATION_INVALID` for a bad query. @internal */
export async function historyPage(
  disk: Disk,
  directory: string,
  source: () => Promise<HistorySource | undefined>,
  query: HistoryQuery,
): Promise<HistoryPage> {
  refuseBadQuery(query);
  for (let attempt = 1; ; attempt++) {
    const now = await source();
    if (now === undefined) return { records: [] };
    try {
      return await new PageReader(disk, directory, now, query).read();
    } catch (error) {
      // A file was pruned, or the schedule removed, while it was read, or just before.
      const isGone = isAbsent(error) || (await isPrunedSince(now, source));
      if (!isGone || attempt === ATTEMPTS) throw error;
    }
  }
}

async function isPrunedSince(
  { stored }: HistorySource,
  source: () => Promise<HistorySource | undefined>,
): Promise<boolean> {
  const now = (await source())?.stored;
  return now?.createdSeq !== stored.createdSeq || now.prunedRecords !== stored.prunedRecords;
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
    const inMemory = this.#found.length;
    const files = await historyFiles(this.#disk, this.#directory, createdSeq);
    if (!(await this.#readInOrder(files.records, before, isWanted))) {
      this.#found.length = inMemory;
      await this.#readSorted(files.records, isWanted);
    }
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

  /** Reads no more than the page needs; false where the numbers do not follow one another. */
  async #readInOrder(
    files: readonly HistoryFile[],
    before: number,
    isWanted: (record: EndedRecord) => boolean,
  ): Promise<boolean> {
    for (const file of [...files].reverse()) {
      if (this.#isFull()) return true;
      const first = await firstLine(this.#disk, file, isOnItsWay(this.#source, this.#source.ended));
      if (first === undefined) continue;
      const firstN = orderIn(file.path, first).n;
      if (firstN >= before) this.#expected = firstN - 1;
      else if (!(await this.#readFile(file, isWanted))) return false;
    }
    const { prunedRecords = 0 } = this.#source.stored;
    return this.#isFull() || this.#expected <= prunedRecords;
  }

  async #readFile(file: HistoryFile, isWanted: (record: EndedRecord) => boolean): Promise<boolean> {
    const { lines } = await linesIn(this.#disk, file, isOnItsWay(this.#source, this.#source.ended));
    for (const [count, line] of [...lines].reverse().entries()) {
      if (this.#isFull()) return true;
      if (count % RECORDS_A_SLICE === RECORDS_A_SLICE - 1) await this.#disk.pause(0);
      const record = recordIn(file.path, line, this.#source.stored.entry.schedule.id);
      // Newer ones are in memory too, or were met already: another process moved them to the file since, or as well.
      if (record.n > this.#expected) continue;
      if (record.n < this.#expected) return false;
      this.#expected -= 1;
      if (isWanted(record)) this.#found.push(record);
    }
    return true;
  }

  /** Two processes that rolled over at once (which the lock forbids) left records twice, in any order, but whole. */
  async #readSorted(files: readonly HistoryFile[], isWanted: (record: EndedRecord) => boolean): Promise<void> {
    const records = await wholeRecords(this.#disk, this.#directory, files, this.#source);
    for (let n = this.#source.stored.exported; !this.#isFull(); n--) {
      const record = records.get(n);
      if (record === undefined) return;
      if (isWanted(record)) this.#found.push(record);
    }
  }

  async #verdicts(files: readonly HistoryFile[]): Promise<ReadonlyMap<string, Verdict>> {
    const verdicts = new Map<string, Verdict>();
    const { stored, lateVerdicts } = this.#source;
    const isComing = isOnItsWay(this.#source, lateVerdicts);
    for (const file of files) {
      for (const line of (await linesIn(this.#disk, file, isComing)).lines) {
        const { occurrence, verdict } = verdictIn(file.path, line, stored.entry.schedule.id);
        verdicts.set(occurrence, verdict);
      }
    }
    for (const { occurrence, verdict } of lateVerdicts) verdicts.set(occurrence, verdict);
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
