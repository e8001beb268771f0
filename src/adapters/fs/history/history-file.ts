/**
 * Files of a history: ended records of one schedule, oldest first, each file named by the commit of its first record.
 *
 * A line is sealed and carries its number in the history of its schedule, so that a gap is noticed. Verdicts that came
 * after their record was written have files of their own beside them. What a crash left of a line at the end of a file
 * is not a record yet: the journal still has it.
 */
import { join } from 'node:path';
import type { Decoded } from '../../../codec/rows.js';
import type { EndedRecord, LateVerdict } from '../../replay/catalogue-state.js';
import type { Disk } from '../disk/disk.js';
import { type Line, readLines } from '../disk/line-reader.js';
import { withFile } from '../disk/new-file.js';
import { openLine, sealLine } from '../disk/sealed-line.js';
import { corrupt } from '../disk/trouble.js';
import {
  decodeEnded,
  decodeLateVerdict,
  encodeEnded,
  encodeLateVerdict,
  faultText,
} from '../journal/journal-record.js';

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
  return sealLine(encodeEnded(record)).bytes;
}

/** The sealed line of a late verdict. @internal */
export function verdictLine(late: LateVerdict): Buffer {
  return sealLine(encodeLateVerdict(late)).bytes;
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
export async function wholeLines(
  disk: Disk,
  path: string,
): Promise<{ readonly lines: readonly Line[]; readonly isOpen: boolean }> {
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

/** The first line of a file; nothing where there is none yet. @internal */
export function firstLine(disk: Disk, path: string): Promise<Line | undefined> {
  return withFile(disk, path, async (file) => {
    for await (const line of readLines(disk, file)) if (line.isComplete && !isTorn(line)) return line;
    return undefined;
  });
}

/** The record in a line. Throws `SCHEDULE_CATALOGUE_CORRUPT`. @internal */
export function recordIn(path: string, line: Line): EndedRecord {
  return decoded(path, line, decodeEnded(membersOf(path, line)));
}

/** The verdict in a line. Throws `SCHEDULE_CATALOGUE_CORRUPT`. @internal */
export function verdictIn(path: string, line: Line): LateVerdict {
  return decoded(path, line, decodeLateVerdict(membersOf(path, line)));
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

function damaged(path: string, { offset }: Line, found: string): Error {
  return corrupt({ file: path, offset, rule: 'history', found });
}
