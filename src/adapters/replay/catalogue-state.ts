/**
 * The state of a catalogue in memory: what every store that replays commits has in common.
 *
 * It is changed by whole commits only, in two steps: {@link planCommit} judges the changes on a draft, and `apply` puts
 * an accepted draft in place and cannot fail. Rows are never changed in place, so what a reader was given stays as it
 * was. Beside the rows stand the numbers of the commits that changed them last: conflicts and `changes` follow from these.
 */
import { type CatalogueRow, type DeletedMark, foldId, NEW_CATALOGUE } from '../../core/model/catalogue.js';
import type { Occurrence, Verdict } from '../../core/model/occurrence.js';
import type { EpochMs } from '../../core/time/instant.js';
import type { CatalogueChanges, CommitBatch, CommitResult, StoredEntry } from '../../ports/schedule-store.js';
import { ChangeLog } from './change-log.js';
import { type KeptOfRevision, type KeptRequest, KeptRequests } from './kept-requests.js';
import { asRead, entriesOf } from './stored-entries.js';

/** A schedule with its pending work and the counts that its history hangs on. @internal */
export interface StoredSchedule extends Pick<StoredEntry, 'entry' | 'changeSeq'> {
  /** The commit that created it: history of an earlier schedule of this id is older. */
  readonly createdSeq: number;
  /** Occurrences of it that ended so far; the number of its newest ended record. */
  readonly ended: number;
  /** Of these, how many are kept elsewhere (in history files) and no longer in memory. */
  readonly exported: number;
  /** What pruning took: no record may speak of due instants up to then, whatever its revision (CO-6); `revision` is the one that it was noted in last. */
  readonly pruned?: { readonly revision: number; readonly through: EpochMs };
  /** Number of the newest record of its history that was pruned; absent where none was. What lies behind it must be there. */
  readonly prunedRecords?: number;
}

/** The last due instant of a schedule whose record was pruned, and the revision that the schedule had then. @internal */
export interface PrunedThrough {
  readonly id: string;
  readonly revision: number;
  readonly through: EpochMs;
}

/** The newest record of a schedule's history that was pruned. @internal */
export interface PrunedRecords {
  readonly id: string;
  readonly n: number;
}

/** An ended occurrence with its number in the history of its schedule, from 1 without gaps. @internal */
export interface EndedRecord {
  readonly n: number;
  /** The commit that ended it. */
  readonly seq: number;
  readonly occurrence: Occurrence;
}

/** A verdict on a record that may not be in memory any more. @internal */
export interface LateVerdict {
  readonly seq: number;
  readonly occurrence: string;
  readonly verdict: Verdict;
}

/** The mark of a deleted schedule with the commit that deleted it. @internal */
export interface StoredMark {
  readonly mark: DeletedMark;
  readonly changeSeq: number;
}

/** An accepted draft of a commit: what `apply` puts in place. Ids are folded. @internal */
export interface CommitDraft {
  readonly seq: number;
  readonly epoch: number;
  readonly at: EpochMs;
  readonly row?: CatalogueRow;
  readonly schedules: ReadonlyMap<string, StoredSchedule>;
  readonly removed: ReadonlyMap<string, DeletedMark>;
  readonly ended: ReadonlyMap<string, readonly EndedRecord[]>;
  readonly verdicts: ReadonlyMap<string, readonly LateVerdict[]>;
  /** Request ids to be kept, of the revision that the schedule has now. */
  readonly requests: ReadonlyMap<string, readonly KeptRequest[]>;
  readonly keys: ReadonlySet<string>;
}

/** Everything of a state that cannot be derived, as a snapshot holds it. @internal */
export interface StateContent {
  readonly seq: number;
  readonly epoch: number;
  readonly lastSeenAt: EpochMs;
  readonly row: CatalogueRow;
  readonly rowSeq: number;
  readonly schedules: readonly StoredSchedule[];
  readonly marks: readonly StoredMark[];
  /** Ended records in memory, by folded id of their schedule, oldest first. */
  readonly ended: ReadonlyMap<string, readonly EndedRecord[]>;
  /** Late verdicts in memory, by folded id of their schedule, oldest first. */
  readonly verdicts: ReadonlyMap<string, readonly LateVerdict[]>;
  /** Kept request ids, by folded id of their schedule. */
  readonly requests: ReadonlyMap<string, KeptOfRevision>;
}

/** Keys remembered with the commit that touched them last, before the oldest half is forgotten. */
const KEYS_KEPT = 4096;
const SCHEDULES_A_SLICE = 2000;

/** See the head of this file. @internal */
export class CatalogueState {
  #seq = 0;
  #epoch = 0;
  #lastSeenAt = 0 as EpochMs;
  #row: CatalogueRow = NEW_CATALOGUE;
  #rowSeq = 0;
  readonly #schedules = new Map<string, StoredSchedule>();
  readonly #marks = new Map<string, StoredMark>();
  /** By schedule its ended records in memory, oldest first, each under the id of its occurrence. */
  readonly #ended = new Map<string, Map<string, EndedRecord>>();
  #unexported = 0;
  readonly #verdicts = new Map<string, readonly LateVerdict[]>();
  readonly #requests: KeptRequests;
  readonly #log: ChangeLog;
  /** By key the commit that touched its pending work last, oldest first; what is not here is at most `#keyFloor`. */
  readonly #keys = new Map<string, number>();
  #keyFloor = 0;

  constructor(content?: StateContent) {
    this.#requests = new KeptRequests(content?.requests);
    this.#log = new ChangeLog(content?.seq ?? 0);
    if (content === undefined) return;
    this.#seq = content.seq;
    this.#epoch = content.epoch;
    this.#lastSeenAt = content.lastSeenAt;
    this.#row = content.row;
    this.#rowSeq = content.rowSeq;
    this.#take(content.schedules);
    for (const stored of content.marks) this.#marks.set(foldId(stored.mark.id), stored);
    for (const [id, records] of content.ended) {
      this.#ended.set(id, new Map(records.map((record) => [record.occurrence.id, record])));
      this.#unexported += records.length;
    }
    for (const [id, verdicts] of content.verdicts) this.#verdicts.set(id, [...verdicts]);
    this.#keyFloor = content.seq;
  }

  /** A state of this content; gives way to other work between slices of a large one. */
  static async of(content: StateContent, giveWay: () => Promise<void>): Promise<CatalogueState> {
    const { schedules } = content;
    const state = new CatalogueState({ ...content, schedules: schedules.slice(0, SCHEDULES_A_SLICE) });
    for (let start = SCHEDULES_A_SLICE; start < schedules.length; start += SCHEDULES_A_SLICE) {
      await giveWay();
      state.#take(schedules.slice(start, start + SCHEDULES_A_SLICE));
    }
    return state;
  }

  #take(schedules: readonly StoredSchedule[]): void {
    for (const stored of schedules) this.#schedules.set(foldId(stored.entry.schedule.id), stored);
  }

  /** The newest commit. */
  get seq(): number {
    return this.#seq;
  }

  /** The epoch of the owner that came last. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Highest time of any commit. */
  get lastSeenAt(): EpochMs {
    return this.#lastSeenAt;
  }

  /** Everything that cannot be derived; rows stay as they are whatever is committed later. */
  content(): StateContent {
    return {
      seq: this.#seq,
      epoch: this.#epoch,
      lastSeenAt: this.#lastSeenAt,
      row: this.#row,
      rowSeq: this.#rowSeq,
      schedules: [...this.#schedules.values()],
      marks: [...this.#marks.values()],
      ended: new Map([...this.#ended].map(([id, records]) => [id, [...records.values()]])),
      verdicts: new Map(this.#verdicts),
      requests: this.#requests.content(),
    };
  }

  /** Every schedule as it is now. */
  schedules(): Iterable<StoredSchedule> {
    return this.#schedules.values();
  }

  /** Schedules with ended records or late verdicts in memory. */
  schedulesToExport(): readonly StoredSchedule[] {
    const ids = new Set([...this.#ended.keys(), ...this.#verdicts.keys()]);
    return [...ids].flatMap((id) => this.#schedules.get(id) ?? []);
  }

  /** How many ended records are kept in memory, because they are kept nowhere else yet. */
  get unexported(): number {
    return this.#unexported;
  }

  /** A schedule by its id in any case of letters. */
  schedule(id: string): StoredSchedule | undefined {
    return this.#schedules.get(foldId(id));
  }

  /** The mark of a deleted schedule by its id in any case of letters. */
  mark(id: string): StoredMark | undefined {
    return this.#marks.get(foldId(id));
  }

  /** Ended records of a schedule that are in memory, oldest first. */
  ended(id: string): readonly EndedRecord[] {
    return [...(this.#ended.get(foldId(id))?.values() ?? [])];
  }

  /** One ended record of a schedule, where it is in memory. */
  endedRecord(id: string, occurrence: string): EndedRecord | undefined {
    return this.#ended.get(foldId(id))?.get(occurrence);
  }

  /** Verdicts on records of a schedule, oldest first, as long as they are not kept elsewhere. */
  lateVerdicts(id: string): readonly LateVerdict[] {
    return this.#verdicts.get(foldId(id)) ?? [];
  }

  /** Whether the current revision of a schedule keeps a request id, in any case of letters. */
  hasRequest(id: string, revision: number, request: string): boolean {
    return this.#requests.has(foldId(id), revision, request);
  }

  /** Forgets ended records and late verdicts up to a commit, which are kept elsewhere from now on. */
  markExported(through: number): void {
    for (const [id, records] of this.#ended) {
      for (const [occurrence, { seq }] of records) {
        if (seq <= through && records.delete(occurrence)) this.#unexported -= 1;
      }
      const stored = this.#schedules.get(id);
      if (stored !== undefined) this.#schedules.set(id, { ...stored, exported: stored.ended - records.size });
      if (records.size === 0) this.#ended.delete(id);
    }
    for (const [id, verdicts] of this.#verdicts) {
      const kept = verdicts.filter(({ seq }) => seq > through);
      if (kept.length === 0) this.#verdicts.delete(id);
      else this.#verdicts.set(id, kept);
    }
  }

  /** How many ended records of a schedule are in memory. */
  endedCount(id: string): number {
    return this.#ended.get(foldId(id))?.size ?? 0;
  }

  /** Takes so many of the oldest ended records of a schedule away, for a store that keeps them nowhere else; gives them back. */
  forgetOldest(id: string, count: number): readonly EndedRecord[] {
    const records = this.#ended.get(foldId(id));
    const oldest = [...(records?.values() ?? [])].slice(0, count);
    for (const { occurrence } of oldest) records?.delete(occurrence.id);
    this.#unexported -= oldest.length;
    return oldest;
  }

  /** Takes note of what pruning took: due instants that no record speaks of any more, and records. */
  markPruned(all: readonly PrunedThrough[], records: readonly PrunedRecords[]): void {
    for (const { id, n } of records) {
      const stored = this.#schedules.get(foldId(id));
      if (stored === undefined || stored.entry.schedule.id !== id || n <= (stored.prunedRecords ?? 0)) continue;
      this.#schedules.set(foldId(id), { ...stored, prunedRecords: n });
    }
    for (const { id, revision, through } of all) {
      const stored = this.#schedules.get(foldId(id));
      if (stored === undefined || stored.entry.schedule.id !== id || revision < (stored.pruned?.revision ?? 0))
        continue;
      const isLater = stored.pruned === undefined || through > stored.pruned.through;
      if (isLater) this.#schedules.set(foldId(id), { ...stored, pruned: { revision, through } });
    }
  }

  /** Why a commit may not be made now (S-3, S-4), or nothing where it may. */
  refusal(batch: CommitBatch): Exclude<CommitResult, { kind: 'committed' }> | undefined {
    const isOwners = batch.epoch !== undefined || batch.raisesEpoch === true;
    if (isOwners && batch.epoch !== this.#epoch) return { kind: 'fenced', epoch: this.#epoch };
    const { schedules, keys, row } = batch.reads;
    const isStale =
      batch.since > this.#seq ||
      (row && this.#rowSeq > batch.since) ||
      schedules.some((id) => this.#changeSeqOf(foldId(id)) > batch.since) ||
      keys.some((key) => (this.#keys.get(key) ?? this.#keyFloor) > batch.since);
    return isStale ? { kind: 'conflict', seq: this.#seq } : undefined;
  }

  /** What changed after a commit (S-6); everything where `since` is 0, was never reached, or is too long ago to tell. */
  changes(since: number): CatalogueChanges {
    const newer = this.#newer(since);
    if (newer !== undefined) return newer;
    return { ...this.#head(), isFull: true, schedules: [...this.#everything()], marks: this.#everyMark() };
  }

  /** As {@link changes}, as of this call whatever is committed later; what comes back puts a large answer together in slices. */
  changesInSlices(since: number): (giveWay: () => Promise<void>) => Promise<CatalogueChanges> {
    const newer = this.#newer(since);
    if (newer !== undefined) return async () => newer;
    const entries = this.#everything();
    const rest = { ...this.#head(), isFull: true, marks: this.#everyMark() };
    return async (giveWay) => {
      const schedules: StoredEntry[] = [];
      for (const entry of entries) {
        if (schedules.length > 0 && schedules.length % SCHEDULES_A_SLICE === 0) await giveWay();
        schedules.push(entry);
      }
      return { ...rest, schedules };
    };
  }

  #head(): Pick<CatalogueChanges, 'seq' | 'epoch' | 'lastSeenAt' | 'row'> {
    return { seq: this.#seq, epoch: this.#epoch, lastSeenAt: this.#lastSeenAt, row: this.#row };
  }

  #newer(since: number): CatalogueChanges | undefined {
    const log = since <= 0 || since > this.#seq ? undefined : this.#log.after(since);
    if (log === undefined) return undefined;
    const schedules: StoredEntry[] = [];
    const marks: DeletedMark[] = [];
    for (const { seq, id } of log) {
      const stored = this.#schedules.get(id);
      const mark = this.#marks.get(id);
      if (stored?.changeSeq === seq)
        schedules.push(asRead(stored, this.#requests.since(id, stored.entry.schedule.revision, since)));
      else if (mark?.changeSeq === seq) marks.push(mark.mark);
    }
    return { ...this.#head(), isFull: false, schedules, marks };
  }

  /** Every schedule as of this call, whatever is committed while they are gone through. */
  #everything(): Generator<StoredEntry> {
    return entriesOf([...this.#schedules.values()], this.#requests.content());
  }

  #everyMark(): readonly DeletedMark[] {
    return [...this.#marks.values()].map(({ mark }) => mark);
  }

  /** Puts an accepted draft in place. */
  apply(draft: CommitDraft): void {
    this.#seq = draft.seq;
    this.#epoch = draft.epoch;
    if (draft.at > this.#lastSeenAt) this.#lastSeenAt = draft.at;
    if (draft.row !== undefined) {
      this.#row = draft.row;
      this.#rowSeq = draft.seq;
    }
    for (const [id, mark] of draft.removed) {
      this.#schedules.delete(id);
      this.#unexported -= this.#ended.get(id)?.size ?? 0;
      this.#ended.delete(id);
      this.#verdicts.delete(id);
      this.#requests.remove(id);
      this.#marks.set(id, { mark, changeSeq: draft.seq });
      this.#log.add(draft.seq, id);
    }
    for (const [id, stored] of draft.schedules) {
      this.#schedules.set(id, stored);
      this.#requests.follow(id, stored.entry.schedule.revision, draft.requests.get(id) ?? []);
      this.#marks.delete(id);
      this.#log.add(draft.seq, id);
    }
    this.#addEnded(draft);
    for (const key of draft.keys) this.#touchKey(key, draft.seq);
  }

  #addEnded(draft: CommitDraft): void {
    for (const [id, records] of draft.ended) {
      const known = this.#ended.get(id) ?? new Map<string, EndedRecord>();
      // A record that is known already got a verdict and keeps its place; the others are new and follow.
      const before = known.size;
      for (const record of records) known.set(record.occurrence.id, record);
      this.#unexported += known.size - before;
      this.#ended.set(id, known);
    }
    for (const [id, verdicts] of draft.verdicts) {
      this.#verdicts.set(id, [...(this.#verdicts.get(id) ?? []), ...verdicts]);
    }
  }

  #touchKey(key: string, seq: number): void {
    this.#keys.delete(key);
    this.#keys.set(key, seq);
    if (this.#keys.size <= KEYS_KEPT) return;
    let left = KEYS_KEPT / 2;
    for (const [oldest, touched] of this.#keys) {
      if (left-- === 0) return;
      this.#keys.delete(oldest);
      this.#keyFloor = Math.max(this.#keyFloor, touched);
    }
  }

  #changeSeqOf(id: string): number {
    return Math.max(this.#schedules.get(id)?.changeSeq ?? 0, this.#marks.get(id)?.changeSeq ?? 0);
  }
}
