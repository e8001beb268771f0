/**
 * Files of a history: ended records of one schedule, oldest first, each file named by the commit of its first record.
 *
 * A line is sealed, speaks of that schedule, and carries its number in the history of it, so that a gap is noticed.
 * Verdicts that came after their record was written have files of their own beside them. What a crash left of a line at
 * the end of a file is not a record yet: the journal still has it. So only a file whose first commit is still in memory
 * may lack its beginning.
 */
import { join } from 'node:path';
import { type Decoded, faultText } from '../../../codec/rows.js';
import type { EndedRecord, LateVerdict } from '../../replay/catalogue-state.js';
import type { Disk } from '../disk/disk.js';
import { type Line, readLines } from '../disk/line-reader.js';
import { withFile } from '../disk/new-file.js';
import { openLine, sealWritten } from '../disk/sealed-line.js';
import { corrupt, unusable } from '../disk/trouble.js';
import { decodeEnded, decodeLateVerdict, writeEnded, writeLateVerdict } from '../journal/journal-record.js';

/** Largest file of a history (bytes); only the records of one commit are never parted. @internal */
export const HISTORY_FILE_BYTES = 1_048_576;

/** Records, or verdicts that came later. @internal */
export type HistoryKind = 'records' | 'verdicts';

/** A file of a history. @internal */
export interface HistoryFile {
  readonly path: string;
  /** The commit of its first line. */
  readonly firstSeq: number;
}

/** Files of a history, oldest first. @internal */
export interface HistoryFiles extends Readonly<Record<HistoryKind, readonly HistoryFile[]>> {
  /** Whether it has a directory. */
  readonly exists: boolean;
  /** Files of an earlier schedule of this id. */
  readonly former: readonly HistoryFile[];
}

/** The sealed line of an ended record. @internal */
export function recordLine(record: EndedRecord): Buffer {
  return sealWritten((out) => writeEnded(record, out)).bytes;
}

/** The sealed line of a late verdict. @internal */
export function verdictLine(late: LateVerdict): Buffer {
  return sealWritten((out) => writeLateVerdict(late, out)).bytes;
}

/** Name of a new file. @internal */
export function historyFileName(kind: HistoryKind, firstSeq: number): string {
  return `${kind === 'records' ? '' : 'verdicts-'}${String(firstSeq).padStart(12, '0')}.jsonl`;
}

/** The files of the history of the schedule that was created by the commit `createdSeq`. @internal */
export async function historyFiles(disk: Disk, directory: string, createdSeq: number): Promise<HistoryFiles> {
  const records: HistoryFile[] = [];
  const verdicts: HistoryFile[] = [];
  const former: HistoryFile[] = [];
  const kind = disk.lookNow(directory)?.kind;
  if (kind !== undefined && kind !== 'directory') {
    const found = kind === 'link' ? 'it is a symbolic link' : 'it is no directory';
    throw unusable(directory, found, 'Put the directory itself in its place: the catalogue follows no links.');
  }
  const names = await disk.list(directory);
  for (const name of names ?? []) {
    const [, prefix, digits] = /^(verdicts-)?(\d{12,})\.jsonl$/.exec(name) ?? [];
    if (digits === undefined) continue;
    const file = { path: join(directory, name), firstSeq: Number(digits) };
    if (file.firstSeq < createdSeq) former.push(file);
    else if (prefix === undefined) records.push(file);
    else verdicts.push(file);
  }
  const inOrder = (a: HistoryFile, b: HistoryFile) => a.firstSeq - b.firstSeq;
  return { exists: names !== undefined, records: records.sort(inOrder), verdicts: verdicts.sort(inOrder), former };
}

/** What a writer puts behind a torn line, so that it can never become a record. @internal */
export const TORN_MARK = '~\n';

const TILDE = 0x7e;

/** Whole lines of a file, without torn ones; whether the last line is open, so that a writer must end it first. @internal */
export interface HistoryLines {
  readonly lines: readonly Line[];
  readonly isOpen: boolean;
}

async function wholeLines(disk: Disk, path: string): Promise<HistoryLines> {
  const lines: Line[] = [];
  let isOpen = false;
  await withFile(disk, path, async (file) => {
    for await (const line of readLines(disk, file)) {
      if (!line.isComplete) isOpen = true;
      else if (!isTorn(line)) lines.push(line);
    }
  });
  return { lines, isOpen };
}

/** Marked by a later writer, or left by a power cut with zeros in it. That no record is missing, their numbers tell. */
function isTorn({ bytes }: Line): boolean {
  return bytes.at(-1) === TILDE || bytes.includes(0);
}

/**
 * The first line of a file; nothing where it is on its way. Throws `SCHEDULE_CATALOGUE_CORRUPT` where it is not of the
 * commit that names the file.
 *
 * @internal
 */
export async function firstLine(disk: Disk, file: HistoryFile, isOnItsWay: IsOnItsWay): Promise<Line | undefined> {
  const first = await withFile(disk, file.path, async (open) => {
    for await (const line of readLines(disk, open)) if (line.isComplete && !isTorn(line)) return line;
    return undefined;
  });
  judgeBeginning(file, first, isOnItsWay);
  return first;
}

/** The lines of a file that begins as it must; throws as {@link firstLine}. @internal */
export async function linesIn(disk: Disk, file: HistoryFile, isOnItsWay: IsOnItsWay): Promise<HistoryLines> {
  const found = await wholeLines(disk, file.path);
  judgeBeginning(file, found.lines[0], isOnItsWay);
  return found;
}

/** Whether what a commit ended, or judged late, is not in files for certain. @internal */
export type IsOnItsWay = (seq: number) => boolean;

function judgeBeginning({ path, firstSeq }: HistoryFile, first: Line | undefined, isOnItsWay: IsOnItsWay): void {
  if (isOnItsWay(firstSeq) || (first !== undefined && orderIn(path, first).seq === firstSeq)) return;
  const found = `the file must begin with commit ${firstSeq}, as its name says`;
  throw corrupt({ file: path, offset: first?.offset ?? 0, rule: 'history', found }, RESTORE_FILE);
}

/** Advice where a file of a history is not what was written. @internal */
export const RESTORE_FILE = 'Restore the file from a backup that was made after its last record.';

/** The record in a line, which speaks of this schedule. Throws `SCHEDULE_CATALOGUE_CORRUPT`. @internal */
export function recordIn(path: string, line: Line, scheduleId: string): EndedRecord {
  const record = decoded(path, line, decodeEnded(membersOf(path, line)));
  if (record.occurrence.scheduleId !== scheduleId) throw foreign(path, line, record.occurrence.id);
  return record;
}

/** The verdict in a line, on an occurrence of this schedule. Throws `SCHEDULE_CATALOGUE_CORRUPT`. @internal */
export function verdictIn(path: string, line: Line, scheduleId: string): LateVerdict {
  const late = decoded(path, line, decodeLateVerdict(membersOf(path, line)));
  if (!late.occurrence.startsWith(`${scheduleId}~`)) throw foreign(path, line, late.occurrence);
  return late;
}

/** The commit and, for records, the number that a line carries. Throws `SCHEDULE_CATALOGUE_CORRUPT`. @internal */
export function orderIn(path: string, line: Line): { readonly seq: number; readonly n: number } {
  const { seq, n } = membersOf(path, line);
  return { seq: seq as number, n: Number.isSafeInteger(n) ? (n as number) : 0 };
}

function membersOf(path: string, line: Line): Record<string, unknown> {
  const value = openLine(line.bytes)?.value;
  if (typeof value !== 'object' || value === null) throw damaged(path, line, 'a line whose digest is not its own');
  const members = value as Record<string, unknown>;
  if (!Number.isSafeInteger(members['seq'])) throw damaged(path, line, 'a line without the number of its commit');
  return members;
}

function decoded<T>(path: string, line: Line, result: Decoded<T>): T {
  if (result.ok) return result.value;
  throw damaged(path, line, faultText(result.issues));
}

function foreign(path: string, line: Line, occurrence: string): Error {
  return damaged(
    path,
    line,
    `${occurrence.slice(0, 300)} is no occurrence of the schedule that this history belongs to`,
  );
}

function damaged(path: string, { offset }: Line, found: string): Error {
  return corrupt({ file: path, offset, rule: 'history', found }, RESTORE_FILE);
}
