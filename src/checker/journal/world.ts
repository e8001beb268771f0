/**
 * The catalogue as a check makes it anew from snapshot and journal: plain rows as they stand in the files.
 */
import { fingerprint, type Row, textOf } from '../bytes/json-value.js';
import { folded } from '../bytes/names.js';
import type { Place } from '../finding.js';

/** An ended occurrence with its number in the history of its schedule, and the commit that ended it. @internal */
export interface Ended {
  readonly n: number;
  readonly seq: number;
  readonly occurrence: Row;
}

/** A verdict that came after its record was written, with its commit. @internal */
export interface Judged {
  readonly seq: number;
  readonly occurrence: string;
  readonly verdict: Row;
}

/** A schedule with its pending work and what its history hangs on. @internal */
export interface Entry {
  readonly id: string;
  row: Row;
  definition: Row;
  /** By id, in order of admission. */
  readonly pending: Map<string, Row>;
  changeSeq: number;
  readonly createdSeq: number;
  /** Occurrences that ended so far. */
  ended: number;
  /** Of these, how many are in files. */
  exported: number;
  pruned?: { readonly revision: number; readonly through: string };
  prunedRecords: number;
  /** Ended records that are not in files yet, by the id of their occurrence, oldest first. */
  readonly records: Map<string, Ended>;
  verdicts: readonly Judged[];
  /** Kept request ids of the revision, by folded text. */
  readonly requests: Map<string, string>;
  /** What went to files within the journal that is kept: what stands there must be equal. By number. */
  readonly moved: Map<number, string>;
  readonly movedVerdicts: Judged[];
}

/** A claim that the kept journal made. @internal */
export interface MadeClaim {
  readonly seq: number;
  readonly hasWorkspace: boolean;
}

/** What the kept journal says of an occurrence that succeeded with a workspace. @internal */
export interface Success {
  readonly schedule: string;
  readonly occurrence: Row;
  readonly attempt: number;
  /** Where the journal says so. */
  readonly place: Place;
}

/** See the head of this file. @internal */
export class World {
  /** Number of the commit at which the replay began. */
  readonly baseSeq: number;
  seq: number;
  epoch: number;
  lastSeenAt: string;
  row: Row;
  rowSeq: number;
  /** By folded id. */
  readonly entries = new Map<string, Entry>();
  readonly marks = new Map<string, { readonly mark: Row; readonly changeSeq: number }>();
  /** Hashes of the commits of the kept journal. */
  readonly commits = new Map<number, string>();
  /** Hashes of all records of the kept journal. */
  readonly hashes = new Set<string>();
  /** By occurrence and attempt. */
  readonly claims = new Map<string, MadeClaim>();
  readonly successes = new Map<string, Success>();
  /** What runs now, with its key and the epoch of its claim. */
  readonly running = new Map<string, { readonly key: string; readonly epoch: number }>();
  /** Folded ids of schedules that the kept journal deleted. */
  readonly deleted = new Set<string>();

  constructor(head: WorldHead) {
    this.baseSeq = head.seq;
    this.seq = head.seq;
    this.epoch = head.epoch;
    this.lastSeenAt = head.lastSeenAt;
    this.row = head.row;
    this.rowSeq = head.rowSeq;
  }

  /** A schedule by its id in any case of letters. */
  entry(id: string): Entry | undefined {
    return this.entries.get(folded(id));
  }

  /** Records and verdicts up to a commit are in files from now on. */
  markExported(through: number): void {
    for (const entry of this.entries.values()) {
      if (entry.records.size === 0 && entry.verdicts.length === 0) continue;
      for (const [id, record] of entry.records) {
        if (record.seq > through) continue;
        entry.records.delete(id);
        entry.moved.set(record.n, recordPrint(record));
      }
      entry.exported = entry.ended - entry.records.size;
      entry.movedVerdicts.push(...entry.verdicts.filter(({ seq }) => seq <= through));
      entry.verdicts = entry.verdicts.filter(({ seq }) => seq > through);
    }
  }
}

/** What stands at the head of a snapshot. @internal */
export interface WorldHead {
  readonly seq: number;
  readonly epoch: number;
  readonly lastSeenAt: string;
  readonly row: Row;
  readonly rowSeq: number;
}

/** A print of a record that a verdict, which may come later, does not change. @internal */
export function recordPrint({ n, seq, occurrence }: Ended): string {
  const { verdict: _, ...rest } = occurrence;
  return fingerprint([n, seq, rest]);
}

/** The name under which a claim is known. @internal */
export function claimKey(occurrence: string, attempt: number): string {
  return `${occurrence}#${attempt}`;
}

/** The concurrency key of what a definition admits. @internal */
export function declarationOf(definition: Row): Row {
  return (definition['declaration'] ?? {}) as Row;
}

/** Prints of the parts of a schedule, by what they are called in a message. @internal */
export function entryPrints(entry: Entry): ReadonlyMap<string, string> {
  const { row, definition, pending, changeSeq, createdSeq, ended, exported, pruned, prunedRecords } = entry;
  return new Map([
    ['row', fingerprint(row)],
    ['definition', fingerprint(definition)],
    ['pending work', fingerprint([...pending.values()])],
    ['counts', fingerprint([changeSeq, createdSeq, ended, exported])],
    ['pruning', fingerprint([pruned, prunedRecords])],
    ['ended records', fingerprint([...entry.records.values()])],
    ['verdicts', fingerprint(entry.verdicts)],
    ['request ids', fingerprint([...entry.requests.values()])],
  ]);
}

/** The spelled id of a schedule row. @internal */
export function idOf(row: Row): string {
  return textOf(row['id']);
}
