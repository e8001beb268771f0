/**
 * The snapshot: the whole catalogue at one commit, as a sealed file with one schedule a line, and kept request ids in slices.
 *
 * It stands for everything up to the segment that it names: replay goes on at the beginning of that segment, whose
 * `open` record must follow the hash that the snapshot gives. Of history it holds what is not
 * in history files yet, and the counts that these hang on.
 */

import { type JsonBytes, writtenText } from '../../../codec/json/json-bytes.js';
import {
  type Decoded,
  decodeCatalogueRow,
  decodeDefinition,
  decodeMark,
  decodeOccurrenceRow,
  decodeScheduleRow,
  faultText,
  writeCatalogueRow,
  writeDefinition,
  writeMark,
  writeOccurrenceRow,
  writeScheduleRow,
} from '../../../codec/rows.js';
import type { DeletedMark } from '../../../core/model/catalogue.js';
import { foldId, NEW_CATALOGUE } from '../../../core/model/catalogue.js';
import { type EpochMs, formatInstant, parseInstant } from '../../../core/time/instant.js';
import type {
  EndedRecord,
  LateVerdict,
  StateContent,
  StoredMark,
  StoredSchedule,
} from '../../replay/catalogue-state.js';
import type { KeptRequest } from '../../replay/kept-requests.js';
import type { Disk } from '../disk/disk.js';
import { readLines } from '../disk/line-reader.js';
import { withFile } from '../disk/new-file.js';
import { putSealed, readSealed, type SealedFormat } from '../disk/sealed-file.js';
import { corrupt } from '../disk/trouble.js';
import { decodeEnded, decodeLateVerdict, writeEnded, writeLateVerdict } from './journal-record.js';

/** Format of the snapshot. @internal */
export const SNAPSHOT_FORMAT: SealedFormat = { format: 'everdue/catalogue', version: 1 };

/** Where replay goes on behind a snapshot. @internal */
export interface SnapshotPosition {
  /** Id of the workspace. */
  readonly workspace: string;
  /** The segment to go on with, from its beginning. */
  readonly segment: number;
  /** Hash that its `open` record must follow. */
  readonly prev: string;
}

/** A snapshot as it was read. @internal */
export interface Snapshot extends SnapshotPosition {
  readonly content: StateContent;
}

/** What a catalogue is before its first commit. @internal */
export const NEW_CONTENT: StateContent = {
  seq: 0,
  epoch: 0,
  lastSeenAt: 0 as EpochMs,
  row: NEW_CATALOGUE,
  rowSeq: 0,
  schedules: [],
  marks: [],
  ended: new Map(),
  verdicts: new Map(),
  requests: new Map(),
};

/** Writes a snapshot and puts it in place durably, unless `judge` throws then; returns its size in bytes. @internal */
export function writeSnapshot(
  disk: Disk,
  tmp: string,
  path: string,
  position: SnapshotPosition,
  content: StateContent,
  judge?: () => void,
): Promise<number> {
  return putSealed(disk, tmp, path, SNAPSHOT_FORMAT, linesOf(position, content), judge);
}

/** Reads a snapshot whole. Throws `SCHEDULE_CATALOGUE_CORRUPT` and `SCHEDULE_CATALOGUE_VERSION`. @internal */
export async function readSnapshot(disk: Disk, path: string): Promise<Snapshot> {
  const reader = new SnapshotReader(path);
  await readSealed(disk, path, SNAPSHOT_FORMAT, (line, offset) => reader.take(line, offset));
  return reader.finish();
}

/** The segment that a snapshot names; its digest is judged, its rows are not. Throws as {@link readSnapshot}. @internal */
export async function segmentOfSnapshot(disk: Disk, path: string): Promise<number> {
  let reader: SnapshotReader | undefined;
  await readSealed(disk, path, SNAPSHOT_FORMAT, (line, offset) => {
    if (reader !== undefined) return;
    reader = new SnapshotReader(path);
    reader.take(line, offset);
  });
  return (reader ?? new SnapshotReader(path)).segment;
}

/** The same from its first lines alone; nothing else of it is judged. Throws as {@link readSnapshot}. @internal */
export function peekSegment(disk: Disk, path: string): Promise<number> {
  return withFile(disk, path, async (file) => {
    const reader = new SnapshotReader(path);
    for await (const { offset, bytes } of readLines(disk, file)) {
      if (offset === 0) continue;
      reader.take(bytes.toString('utf8'), offset);
      break;
    }
    return reader.segment;
  });
}

const SCHEDULES = ',"schedules":[';
const REQUESTS = '],"requests":[';
const MARKS = '],"marks":[';
const END = ']}';
/** Request ids that one line holds, so that no line grows with their number. */
const REQUESTS_A_LINE = 200;

function* linesOf({ workspace, segment, prev }: SnapshotPosition, content: StateContent): Generator<string> {
  const { seq, epoch, lastSeenAt, row, rowSeq, schedules, requests, marks } = content;
  const head = { workspace, seq, epoch, lastSeenAt: formatInstant(lastSeenAt), segment, prev, rowSeq };
  const rowText = writtenText((out) => writeCatalogueRow(row, out));
  yield `${JSON.stringify(head).slice(0, -1)},"row":${rowText}${SCHEDULES}`;
  yield* separated(schedules, (stored, out) => writeStored(stored, content, out));
  yield REQUESTS;
  yield* separated(requestSlices(requests), (slice, out) => out.utf8(JSON.stringify(slice)));
  yield MARKS;
  yield* separated(marks, ({ mark, changeSeq }, out) => {
    out.ascii(`{"changeSeq":${changeSeq},"mark":`);
    writeMark(mark, out);
    out.ascii('}');
  });
  yield END;
}

function* separated<T>(rows: readonly T[], write: (row: T, out: JsonBytes) => void): Generator<string> {
  for (const [index, row] of rows.entries()) {
    yield writtenText((out) => {
      write(row, out);
      if (index + 1 < rows.length) out.ascii(',');
    });
  }
}

/** Kept request ids of one revision, oldest first, as one line holds them; several lines for many. */
interface RequestSlice {
  /** Folded id of the schedule. */
  readonly schedule: string;
  readonly revision: number;
  readonly requests: readonly string[];
}

function requestSlices(all: StateContent['requests']): readonly RequestSlice[] {
  const slices: RequestSlice[] = [];
  for (const [schedule, { revision, kept }] of all) {
    for (let start = 0; start < kept.length; start += REQUESTS_A_LINE) {
      const requests = kept.slice(start, start + REQUESTS_A_LINE).map(({ request }) => request);
      slices.push({ schedule, revision, requests });
    }
  }
  return slices;
}

function writeStored(stored: StoredSchedule, content: StateContent, out: JsonBytes): void {
  const { entry, changeSeq, createdSeq, ended, exported, pruned, prunedRecords } = stored;
  const { schedule, pending } = entry;
  const counts = JSON.stringify({
    changeSeq,
    createdSeq,
    ended,
    exported,
    ...(pruned === undefined ? {} : { pruned: { ...pruned, through: formatInstant(pruned.through) } }),
    ...(prunedRecords === undefined ? {} : { prunedRecords }),
  });
  out.utf8(counts.slice(0, -1));
  out.ascii(',"schedule":');
  writeScheduleRow(schedule, out);
  out.ascii(',"definition":');
  writeDefinition(schedule.definition, out);
  writeList('pending', pending, writeOccurrenceRow, out);
  const records = content.ended.get(foldId(schedule.id));
  const verdicts = content.verdicts.get(foldId(schedule.id));
  if (records !== undefined) writeList('records', records, writeEnded, out);
  if (verdicts !== undefined) writeList('verdicts', verdicts, writeLateVerdict, out);
  out.ascii('}');
}

function writeList<T>(
  name: string,
  items: readonly T[],
  write: (item: T, out: JsonBytes) => void,
  out: JsonBytes,
): void {
  out.ascii(`,"${name}":[`);
  for (const [index, item] of items.entries()) {
    if (index > 0) out.ascii(',');
    write(item, out);
  }
  out.ascii(']');
}

/** Takes up the lines of a body in their order. */
class SnapshotReader {
  readonly #path: string;
  readonly #schedules: StoredSchedule[] = [];
  readonly #marks: StoredMark[] = [];
  readonly #ended = new Map<string, readonly EndedRecord[]>();
  readonly #verdicts = new Map<string, readonly LateVerdict[]>();
  readonly #requests = new Map<string, { readonly revision: number; readonly kept: KeptRequest[] }>();
  /** The schedules by folded id, once a line asks for one. */
  #byId: ReadonlyMap<string, StoredSchedule> | undefined;
  #head: SnapshotHead | undefined;
  #part: 'head' | 'schedules' | 'requests' | 'marks' | 'ended' = 'head';

  constructor(path: string) {
    this.#path = path;
  }

  take(line: string, offset: number): void {
    const wrong = (found: string) => corrupt({ file: this.#path, offset, rule: 'snapshot', found });
    try {
      this.#takeLine(line);
    } catch (error) {
      if (error instanceof RowError || error instanceof SyntaxError) throw wrong(error.message);
      throw error;
    }
  }

  /** The segment that its head names. */
  get segment(): number {
    if (this.#head === undefined) throw this.#tooShort();
    return this.#head.segment;
  }

  finish(): Snapshot {
    if (this.#head === undefined || this.#part !== 'ended') throw this.#tooShort();
    const { workspace, segment, prev, ...rest } = this.#head;
    const rows = { schedules: this.#schedules, marks: this.#marks, requests: this.#requests };
    const history = { ended: this.#ended, verdicts: this.#verdicts };
    return { workspace, segment, prev, content: { ...rest, ...rows, ...history } };
  }

  #tooShort(): Error {
    return corrupt({ file: this.#path, offset: 0, rule: 'snapshot', found: 'a snapshot that ends too early' });
  }

  #takeSchedule(row: Record<string, unknown>): void {
    const stored = readStored(row);
    this.#schedules.push(stored);
    if (row['records'] !== undefined || row['verdicts'] !== undefined || stored.ended !== stored.exported) {
      this.#takeHistory(row, stored);
    }
  }

  #takeHistory(row: Record<string, unknown>, stored: StoredSchedule): void {
    const id = foldId(stored.entry.schedule.id);
    const records = listOf(row, 'records').map((value) => decodeEnded(membersOf(value)));
    const verdicts = listOf(row, 'verdicts').map((value) => decodeLateVerdict(membersOf(value)));
    const isWhole = records.every((record) => record.ok) && verdicts.every((verdict) => verdict.ok);
    if (!isWhole || records.length !== stored.ended - stored.exported) {
      throw new RowError(`the ended records of ${id} are not those that its counts speak of`);
    }
    if (records.length > 0) this.#ended.set(id, records.map(decodedValue));
    if (verdicts.length > 0) this.#verdicts.set(id, verdicts.map(decodedValue));
  }

  /** The commit that brought a request id is not known any more; that of the last change is late enough. */
  #takeRequests(row: Record<string, unknown>): void {
    const id = textOf(row, 'schedule');
    const revision = countOf(row, 'revision');
    this.#byId ??= new Map(this.#schedules.map((one) => [foldId(one.entry.schedule.id), one]));
    const stored = this.#byId.get(id);
    if (stored?.entry.schedule.revision !== revision) throw new RowError(`${id} has no revision ${revision}`);
    const known = this.#requests.get(id) ?? { revision, kept: [] };
    this.#requests.set(id, known);
    for (const request of listOf(row, 'requests')) {
      if (typeof request !== 'string') throw new RowError('a request id is no text');
      known.kept.push({ request, seq: stored.changeSeq });
    }
  }

  #takeLine(line: string): void {
    if (this.#part === 'head') {
      if (!line.endsWith(SCHEDULES)) throw new RowError('the first line of a snapshot is of no known form');
      this.#head = readHead(JSON.parse(`${line.slice(0, -SCHEDULES.length)}}`));
      this.#part = 'schedules';
    } else if (this.#part === 'schedules' && line === REQUESTS) this.#part = 'requests';
    else if (this.#part === 'requests' && line === MARKS) this.#part = 'marks';
    else if (this.#part === 'marks' && line === END) this.#part = 'ended';
    else if (this.#part === 'ended') throw new RowError('a line behind the end of a snapshot');
    else {
      const row = JSON.parse(line.endsWith(',') ? line.slice(0, -1) : line);
      if (this.#part === 'schedules') this.#takeSchedule(row);
      else if (this.#part === 'requests') this.#takeRequests(row);
      else this.#marks.push(readMark(row));
    }
  }
}

function membersOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new RowError('an object must stand here');
  return value as Record<string, unknown>;
}

/** What stands before the rows. */
type SnapshotHead = Omit<StateContent, 'schedules' | 'marks' | 'ended' | 'verdicts' | 'requests'> & SnapshotPosition;

/** A row of a snapshot that is not what it must be; becomes an error with file and offset. */
class RowError extends Error {}

function readHead(row: Record<string, unknown>): SnapshotHead {
  return {
    workspace: textOf(row, 'workspace'),
    prev: textOf(row, 'prev'),
    segment: countOf(row, 'segment'),
    seq: countOf(row, 'seq'),
    epoch: countOf(row, 'epoch'),
    rowSeq: countOf(row, 'rowSeq'),
    lastSeenAt: instantOf(row, 'lastSeenAt'),
    row: decodedValue(decodeCatalogueRow(row['row'])),
  };
}

function readStored(row: Record<string, unknown>): StoredSchedule {
  const schedule = decodedValue(decodeScheduleRow(row['schedule']));
  const definition = decodedValue(decodeDefinition(row['definition']));
  const pending = listOf(row, 'pending').map((occurrence) => decodedValue(decodeOccurrenceRow(occurrence)));
  return {
    entry: { schedule: { ...schedule, definition }, pending },
    changeSeq: countOf(row, 'changeSeq'),
    createdSeq: countOf(row, 'createdSeq'),
    ended: countOf(row, 'ended'),
    exported: countOf(row, 'exported'),
    ...readPruned(row['pruned']),
    ...(row['prunedRecords'] === undefined ? {} : { prunedRecords: countOf(row, 'prunedRecords') }),
  };
}

function readPruned(value: unknown): Pick<StoredSchedule, 'pruned'> {
  if (value === undefined) return {};
  const row = membersOf(value);
  return { pruned: { revision: countOf(row, 'revision'), through: instantOf(row, 'through') } };
}

function readMark(row: Record<string, unknown>): { readonly mark: DeletedMark; readonly changeSeq: number } {
  return { mark: decodedValue(decodeMark(row['mark'])), changeSeq: countOf(row, 'changeSeq') };
}

function listOf(row: Record<string, unknown>, name: string): readonly unknown[] {
  const value = row[name] ?? [];
  if (!Array.isArray(value)) throw new RowError(`${name} is no list`);
  return value;
}

function decodedValue<T>(decoded: Decoded<T>): T {
  if (decoded.ok) return decoded.value;
  throw new RowError(faultText(decoded.issues));
}

function countOf(row: Record<string, unknown>, name: string): number {
  const value = row[name];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw new RowError(`${name} is no count`);
  return value;
}

function instantOf(row: Record<string, unknown>, name: string): EpochMs {
  const instant = parseInstant(textOf(row, name));
  if (instant === undefined) throw new RowError(`${name} is no instant`);
  return instant;
}

function textOf(row: Record<string, unknown>, name: string): string {
  const value = row[name];
  if (typeof value !== 'string') throw new RowError(`${name} is no text`);
  return value;
}
