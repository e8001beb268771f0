/**
 * The records of the journal: the shape that they have in the file, in and out.
 *
 * Only a commit has a number of its own; the records that keep the journal in order (`open`, `close`, `skip`, `prune`) carry
 * the number of the commit before them, so that numbers of commits rise by one. `prev` is the hash of the record before.
 */
import type { JsonBytes } from '../../../codec/json/json-bytes.js';
import {
  type Decoded,
  decodeCatalogueRow,
  decodeDefinition,
  decodeMark,
  decodeOccurrenceRow,
  decodeScheduleRow,
  decodeVerdict,
  faultText,
  writeCatalogueRow,
  writeDefinition,
  writeMark,
  writeOccurrenceRow,
  writeScheduleRow,
  writeVerdict,
} from '../../../codec/rows.js';
import type { Definition } from '../../../core/model/schedule.js';
import { type EpochMs, formatInstant, parseInstant } from '../../../core/time/instant.js';
import type { CommitBatch, RowChange } from '../../../ports/schedule-store.js';
import type { EndedRecord, LateVerdict, PrunedRecords, PrunedThrough } from '../../replay/catalogue-state.js';
import type { StateChange } from '../../replay/commit-draft.js';

/** Hash before the first record of all. @internal */
export const GENESIS = '0'.repeat(64);

/** What every record carries. @internal */
export interface RecordHead {
  /** The number of this commit, or of the one before. */
  readonly seq: number;
  readonly prev: string;
  readonly at: EpochMs;
}

/** A record of the journal. @internal */
export type JournalRecord = RecordHead &
  (
    | { readonly kind: 'open'; readonly workspace: string; readonly exportedThrough: number }
    | { readonly kind: 'close'; readonly next: number }
    | { readonly kind: 'skip'; readonly offset: number; readonly length: number; readonly sha256: string }
    | {
        readonly kind: 'prune';
        readonly pruned: readonly PrunedThrough[];
        readonly records: readonly PrunedRecords[];
      }
    | { readonly kind: 'commit'; readonly epoch?: number; readonly actor: string; readonly ops: readonly unknown[] }
    | { readonly kind: 'own'; readonly epoch: number; readonly actor: string; readonly ops: readonly unknown[] }
  );

/** Changes read back from a record, or what is wrong with one of them. @internal */
export type ReadChanges =
  | { readonly ok: true; readonly changes: readonly StateChange[] }
  | { readonly ok: false; readonly message: string };

/** The JSON value of a record. @internal */
export function encodeRecord(record: JournalRecord): unknown {
  const { seq, prev, at, kind, ...rest } = record;
  const head = { seq, prev, at: formatInstant(at), kind };
  if (record.kind !== 'prune') return { ...head, ...rest };
  const pruned = record.pruned.map((entry) => ({ ...entry, through: formatInstant(entry.through) }));
  return { ...head, pruned, records: record.records };
}

/** The record that a JSON value stands for; nothing where it is none. @internal */
export function decodeRecord(value: unknown): JournalRecord | undefined {
  if (!isObject(value)) return undefined;
  const { seq, prev, at, kind, ...rest } = value;
  const time = typeof at === 'string' ? parseInstant(at) : undefined;
  if (!isCount(seq) || typeof prev !== 'string' || time === undefined) return undefined;
  if (kind === 'prune') {
    const pruned = readPruned(rest['pruned']);
    const records = readPrunedRecords(rest['records']);
    if (pruned === undefined || records === undefined) return undefined;
    return { seq, prev, at: time, kind, pruned, records };
  }
  if (typeof kind !== 'string' || !hasShape(kind, rest)) return undefined;
  return { seq, prev, at: time, kind, ...rest } as unknown as JournalRecord;
}

/** Writes the record of a commit, its operations in the order of the changes. Throws `UnstorableRow` where one could not be read back. @internal */
export function writeCommit({ seq, prev, at }: RecordHead, batch: CommitBatch, out: JsonBytes): void {
  const { changes, epoch, raisesEpoch, actor } = batch;
  const kind = raisesEpoch ? 'own' : 'commit';
  const of = raisesEpoch ? (epoch ?? 0) + 1 : epoch;
  out.utf8(JSON.stringify({ seq, prev, at: formatInstant(at), kind, epoch: of, actor }).slice(0, -1));
  out.ascii(',"ops":[');
  for (const [index, change] of changes.entries()) {
    if (index > 0) out.ascii(',');
    writeOp(change, out);
  }
  out.ascii(']}');
}

/** The changes that the operations of a commit stand for; gives way to other work between slices of them. @internal */
export async function readChanges(ops: readonly unknown[], giveWay: () => Promise<void>): Promise<ReadChanges> {
  const changes: StateChange[] = [];
  const definitions = new Map<string, Definition>();
  for (const [index, op] of ops.entries()) {
    if (index > 0 && index % OPS_A_SLICE === 0) await giveWay();
    const read = readOp(op, definitions);
    if (read === 'definition') continue;
    if (typeof read === 'string') return { ok: false, message: `operation ${index + 1}: ${read}` };
    changes.push(read);
  }
  const [unused] = definitions.keys();
  return unused === undefined
    ? { ok: true, changes }
    : { ok: false, message: `the definition of ${unused} has no schedule behind it` };
}

/** Writes an ended record as history and snapshot hold it. @internal */
export function writeEnded({ n, seq, occurrence }: EndedRecord, out: JsonBytes): void {
  out.ascii(`{"n":${n},"seq":${seq},"occurrence":`);
  writeOccurrenceRow(occurrence, out);
  out.ascii('}');
}

/** The ended record that such a value stands for, or its faults. @internal */
export function decodeEnded(value: Readonly<Record<string, unknown>>): Decoded<EndedRecord> {
  const { n, seq } = value;
  const occurrence = decodeOccurrenceRow(value['occurrence']);
  if (!isCount(n) || !isCount(seq)) return fault('n', 'A record must have a number and a commit.');
  return occurrence.ok ? { ok: true, value: { n, seq, occurrence: occurrence.value } } : occurrence;
}

/** Writes a late verdict as history and snapshot hold it. @internal */
export function writeLateVerdict({ seq, occurrence, verdict }: LateVerdict, out: JsonBytes): void {
  out.ascii(`{"seq":${seq},"occurrence":`);
  out.quoted(occurrence);
  out.ascii(',"verdict":');
  writeVerdict(verdict, out);
  out.ascii('}');
}

/** The late verdict that such a value stands for, or its faults. @internal */
export function decodeLateVerdict(value: Readonly<Record<string, unknown>>): Decoded<LateVerdict> {
  const { seq, occurrence } = value;
  const verdict = decodeVerdict(value['verdict']);
  if (!isCount(seq) || typeof occurrence !== 'string') return fault('occurrence', 'A verdict must name an occurrence.');
  return verdict.ok ? { ok: true, value: { seq, occurrence, verdict: verdict.value } } : verdict;
}

function fault(path: string, message: string): Decoded<never> {
  return { ok: false, issues: [{ path, rule: 'ST-3', message }] };
}

const OPS_A_SLICE = 64;

/** Writes the operation of a change; a schedule with a new definition is two. */
function writeOp(change: RowChange, out: JsonBytes): void {
  switch (change.kind) {
    case 'schedule':
      if (change.isDefinitionChanged) {
        out.ascii('{"t":"definition","definition":');
        writeDefinition(change.schedule.definition, out);
        out.ascii('},');
      }
      out.ascii('{"t":"schedule","schedule":');
      writeScheduleRow(change.schedule, out);
      break;
    case 'occurrence':
      out.ascii('{"t":"occurrence","occurrence":');
      writeOccurrenceRow(change.occurrence, out);
      break;
    case 'verdict':
      out.ascii('{"t":"verdict","schedule":');
      out.quoted(change.scheduleId);
      out.ascii(',"occurrence":');
      out.quoted(change.occurrence);
      out.ascii(',"verdict":');
      writeVerdict(change.verdict, out);
      break;
    case 'remove':
      out.ascii('{"t":"remove","mark":');
      writeMark(change.mark, out);
      break;
    case 'row':
      out.ascii('{"t":"row","row":');
      writeCatalogueRow(change.row, out);
      break;
  }
  out.ascii('}');
}

/** A change, `definition` for what belongs to the schedule behind it, or what is wrong. */
function readOp(op: unknown, definitions: Map<string, Definition>): StateChange | string {
  if (!isObject(op)) return 'an object must stand here';
  switch (op['t']) {
    case 'definition':
      return made(decodeDefinition(op['definition']), (definition) => {
        definitions.set(definition.declaration.id, definition);
        return 'definition';
      });
    case 'schedule':
      return made(decodeScheduleRow(op['schedule']), (schedule) => {
        const definition = definitions.get(schedule.id);
        definitions.delete(schedule.id);
        return definition === undefined ? { kind: 'schedule', schedule } : { kind: 'schedule', schedule, definition };
      });
    case 'occurrence':
      return made(decodeOccurrenceRow(op['occurrence']), (occurrence) => ({ kind: 'occurrence', occurrence }));
    case 'verdict': {
      const { schedule: scheduleId, occurrence } = op;
      if (typeof scheduleId !== 'string' || typeof occurrence !== 'string') return 'a verdict must name its occurrence';
      return made(decodeVerdict(op['verdict']), (verdict) => ({ kind: 'verdict', scheduleId, occurrence, verdict }));
    }
    case 'remove':
      return made(decodeMark(op['mark']), (mark) => ({ kind: 'remove', mark }));
    case 'row':
      return made(decodeCatalogueRow(op['row']), (row) => ({ kind: 'row', row }));
    default:
      return 'no operation has this name';
  }
}

function made<T>(decoded: Decoded<T>, make: (value: T) => StateChange | string): StateChange | string {
  if (decoded.ok) return make(decoded.value);
  return faultText(decoded.issues);
}

function readPruned(list: unknown): readonly PrunedThrough[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const pruned = list.map((entry): PrunedThrough | undefined => {
    const { id, revision, through } = isObject(entry) ? entry : {};
    const time = typeof through === 'string' ? parseInstant(through) : undefined;
    if (typeof id !== 'string' || !isCount(revision) || time === undefined) return undefined;
    return { id, revision, through: time };
  });
  return pruned.every((entry) => entry !== undefined) ? pruned : undefined;
}

function readPrunedRecords(list: unknown): readonly PrunedRecords[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const records = list.map((entry): PrunedRecords | undefined => {
    const { id, n } = isObject(entry) ? entry : {};
    return typeof id === 'string' && isCount(n) ? { id, n } : undefined;
  });
  return records.every((entry) => entry !== undefined) ? records : undefined;
}

function hasShape(kind: string, rest: Readonly<Record<string, unknown>>): boolean {
  switch (kind) {
    case 'open':
      return typeof rest['workspace'] === 'string' && isCount(rest['exportedThrough']);
    case 'close':
      return isCount(rest['next']);
    case 'skip':
      return isCount(rest['offset']) && isCount(rest['length']) && typeof rest['sha256'] === 'string';
    case 'own':
      return isCount(rest['epoch']) && typeof rest['actor'] === 'string' && Array.isArray(rest['ops']);
    case 'commit': {
      const isEpoch = rest['epoch'] === undefined || isCount(rest['epoch']);
      return isEpoch && typeof rest['actor'] === 'string' && Array.isArray(rest['ops']);
    }
    default:
      return false;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
