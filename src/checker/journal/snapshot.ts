/**
 * Reads a snapshot: the head, then one schedule a line, kept request ids, and marks (I2; `FORMAT.md`, Snapshot).
 */
import { countOf, isCount, jsonIn, listOf, type Row, rowOf, rowOrEmpty, textOf } from '../bytes/json-value.js';
import type { Line } from '../bytes/lines.js';
import { folded, isInstant } from '../bytes/names.js';
import { readSealed } from '../bytes/sealed.js';
import type { FileSource } from '../file-source.js';
import {
  CATALOGUE_MEMBERS,
  DEFINITION_MEMBERS,
  MARK_MEMBERS,
  memberFault,
  occurrenceFault,
  SCHEDULE_MEMBERS,
  VERDICT_MEMBERS,
} from '../rules/row-members.js';
import type { Ended, Entry, Judged, WorldHead } from './world.js';

/** Name of the format in the first line. @internal */
export const SNAPSHOT_FORMAT = 'everdue/catalogue';

/** What stands at the head of a snapshot, with the segment by which it is followed. @internal */
export interface SnapshotHead extends WorldHead {
  readonly workspace: string;
  readonly segment: number;
  readonly prev: string;
}

/** What a snapshot holds. @internal */
export interface Snapshot {
  readonly head: SnapshotHead;
  /** By folded id, each with the offset of its line. */
  readonly entries: Map<string, { readonly entry: Entry; readonly offset: number }>;
  readonly marks: ReadonlyMap<string, { readonly mark: Row; readonly changeSeq: number; readonly offset: number }>;
}

/** Why a snapshot cannot be used. @internal */
export interface SnapshotFault {
  readonly rule: string;
  readonly offset: number;
  readonly found: string;
}

/** A snapshot, or what is wrong with it. @internal */
export async function readSnapshot(source: FileSource, file: string): Promise<Snapshot | SnapshotFault> {
  const reader = new SnapshotReader();
  let offset = 0;
  const fault = await readSealed(source, file, SNAPSHOT_FORMAT, (line) => {
    offset = line.offset;
    return reader.take(line);
  });
  if (fault !== undefined) return fault;
  const read = reader.finish();
  return typeof read === 'string' ? { rule: 'snapshot', offset: reader.isWhole ? 0 : offset, found: read } : read;
}

const SCHEDULES = ',"schedules":[';
const REQUESTS = '],"requests":[';
const MARKS = '],"marks":[';
const END = ']}';

type Part = 'head' | 'schedules' | 'requests' | 'marks' | 'ended';
const NEXT: Readonly<Record<string, Part>> = { [REQUESTS]: 'requests', [MARKS]: 'marks', [END]: 'ended' };
const AFTER: Readonly<Record<Part, Part | undefined>> = {
  head: 'schedules',
  schedules: 'requests',
  requests: 'marks',
  marks: 'ended',
  ended: undefined,
};

class SnapshotReader {
  readonly #entries = new Map<string, { readonly entry: Entry; readonly offset: number }>();
  readonly #marks = new Map<string, { readonly mark: Row; readonly changeSeq: number; readonly offset: number }>();
  #head: SnapshotHead | undefined;
  #part: Part = 'head';
  #fault: string | undefined;

  /** Whether every line was understood. */
  get isWhole(): boolean {
    return this.#fault === undefined;
  }

  take(line: Line): boolean {
    this.#fault = this.#faultOf(line);
    return this.#fault === undefined;
  }

  /** The snapshot, or what is wrong with it. */
  finish(): Snapshot | string {
    if (this.#fault !== undefined) return this.#fault;
    if (this.#head === undefined || this.#part !== 'ended') return 'a snapshot that ends too early';
    return { head: this.#head, entries: this.#entries, marks: this.#marks };
  }

  #faultOf({ bytes, offset }: Line): string | undefined {
    const isSign = bytes.length <= REQUESTS.length;
    const part = isSign ? NEXT[bytes.toString('utf8')] : undefined;
    if (part !== undefined && part === AFTER[this.#part]) {
      this.#part = part;
      return undefined;
    }
    if (this.#part === 'ended') return 'a line behind the end of a snapshot';
    if (this.#part === 'head') return this.#takeHead(bytes);
    const isFollowed = bytes.at(-1) === 0x2c;
    const row = rowOf(jsonIn(isFollowed ? bytes.subarray(0, -1) : bytes)?.value);
    if (row === undefined) return 'a line of a snapshot that is no row';
    if (this.#part === 'schedules') return this.#takeSchedule(row, offset);
    return this.#part === 'requests' ? this.#takeRequests(row) : this.#takeMark(row, offset);
  }

  #takeHead(bytes: Buffer): string | undefined {
    const text = bytes.toString('utf8');
    const row = text.endsWith(SCHEDULES)
      ? rowOf(jsonIn(Buffer.from(`${text.slice(0, -SCHEDULES.length)}}`))?.value)
      : undefined;
    if (row === undefined) return 'the first line of a snapshot is of no known form';
    const { workspace, prev, segment, seq, epoch, rowSeq, lastSeenAt } = row as Record<string, unknown>;
    const fault = memberFault(row['row'], CATALOGUE_MEMBERS);
    if (fault !== undefined) return `row: ${fault}`;
    const isShaped =
      typeof workspace === 'string' && typeof prev === 'string' && isInstant(lastSeenAt) && isCount(segment);
    if (!isShaped || !isCount(seq) || !isCount(epoch) || !isCount(rowSeq))
      return 'the head of a snapshot lacks a member';
    this.#head = { workspace, prev, segment, seq, epoch, rowSeq, lastSeenAt, row: rowOrEmpty(row['row']) };
    this.#part = 'schedules';
    return undefined;
  }

  #takeSchedule(row: Row, offset: number): string | undefined {
    const entry = entryOf(row);
    if (typeof entry === 'string') return entry;
    if (entry.records.size !== entry.ended - entry.exported) {
      return `the ended records of ${entry.id} are not those that its counts speak of`;
    }
    if (this.#entries.has(folded(entry.id))) return `${entry.id} stands in it twice`;
    this.#entries.set(folded(entry.id), { entry, offset });
    return undefined;
  }

  #takeRequests(row: Row): string | undefined {
    const entry = this.#entries.get(textOf(row['schedule']))?.entry;
    if (entry === undefined || entry.row['revision'] !== row['revision']) {
      return `there is no revision ${String(row['revision'])} of ${textOf(row['schedule'])}`;
    }
    for (const request of listOf(row['requests'])) {
      if (typeof request !== 'string') return 'a request id is no text';
      entry.requests.set(folded(request), request);
    }
    return undefined;
  }

  #takeMark(row: Row, offset: number): string | undefined {
    const mark = rowOrEmpty(row['mark']);
    const fault = memberFault(mark, MARK_MEMBERS);
    if (fault !== undefined || !isCount(row['changeSeq'])) return `mark: ${fault ?? 'changeSeq is missing'}`;
    this.#marks.set(folded(textOf(mark['id'])), { mark, changeSeq: row['changeSeq'], offset });
    return undefined;
  }
}

function entryOf(line: Row): Entry | string {
  const row = rowOrEmpty(line['schedule']);
  const definition = rowOrEmpty(line['definition']);
  const fault = memberFault(row, SCHEDULE_MEMBERS) ?? memberFault(definition, DEFINITION_MEMBERS);
  if (fault !== undefined) return fault;
  const counts = ['changeSeq', 'createdSeq', 'ended', 'exported'];
  const lost = counts.find((name) => !isCount(line[name]));
  if (lost !== undefined) return `${lost} is no count`;
  const pending = listOf(line['pending']);
  const records = listOf(line['records']).map(endedOf);
  const verdicts = listOf(line['verdicts']).map(judgedOf);
  const wrong =
    [...pending.map(occurrenceFault), ...[...records, ...verdicts].filter((one) => typeof one === 'string')].find(
      (one) => one !== undefined,
    ) ?? prunedFault(line);
  if (wrong !== undefined) return String(wrong);
  const kept = records as readonly Ended[];
  const { pruned, prunedRecords } = line as { readonly pruned?: Entry['pruned']; readonly prunedRecords?: unknown };
  return {
    id: textOf(row['id']),
    row,
    definition,
    pending: new Map((pending as readonly Row[]).map((occurrence) => [textOf(occurrence['id']), occurrence])),
    changeSeq: countOf(line['changeSeq']),
    createdSeq: countOf(line['createdSeq']),
    ended: countOf(line['ended']),
    exported: countOf(line['exported']),
    ...(pruned === undefined ? {} : { pruned }),
    prunedRecords: countOf(prunedRecords),
    records: new Map(kept.map((record) => [textOf(record.occurrence['id']), record])),
    verdicts: verdicts as readonly Judged[],
    requests: new Map(),
    moved: new Map(),
    movedVerdicts: [],
  };
}

function prunedFault(line: Row): string | undefined {
  const pruned = line['pruned'];
  if (pruned !== undefined && (!isCount(rowOrEmpty(pruned)['revision']) || !isInstant(rowOrEmpty(pruned)['through']))) {
    return 'pruned is not what it must be';
  }
  return line['prunedRecords'] === undefined || isCount(line['prunedRecords'])
    ? undefined
    : 'prunedRecords is no count';
}

/** An ended record as history and snapshot hold it, or what is wrong with it. @internal */
export function endedOf(value: unknown): Ended | string {
  const row = rowOrEmpty(value);
  const { n, seq, occurrence } = row as Record<string, unknown>;
  if (!isCount(n) || !isCount(seq)) return 'a record without its number or its commit';
  const fault = occurrenceFault(occurrence);
  return fault ?? { n, seq, occurrence: occurrence as Row };
}

/** A late verdict as history and snapshot hold it, or what is wrong with it. @internal */
export function judgedOf(value: unknown): Judged | string {
  const row = rowOrEmpty(value);
  const { seq, occurrence, verdict } = row as Record<string, unknown>;
  if (!isCount(seq) || typeof occurrence !== 'string') return 'a verdict that names no occurrence or no commit';
  const fault = memberFault(verdict, VERDICT_MEMBERS);
  return fault ?? { seq, occurrence, verdict: verdict as Row };
}
