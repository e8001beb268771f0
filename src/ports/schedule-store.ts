/**
 * The store: where a catalogue lives. Seven members; a third party can write one in an afternoon.
 *
 * A catalogue is a row of its own, schedules with their pending work, and history. Every change is a commit: it takes
 * effect whole or not at all, and only if nothing that it was decided on has changed since.
 *
 * Clauses (each has a case in the published contract):
 * - S-1 A commit is atomic: readers see all of its changes or none.
 * - S-2 Commit numbers rise by one, start at 1 and never repeat; a commit that raises the epoch or changes nothing has one too.
 * - S-3 A commit is refused as `conflict` when one of the schedules, keys or the row that it reads was changed by a commit after `since`; nothing changes then.
 *   A key is changed by each change of an occurrence under it, and by a change of the status or the quarantine of a schedule that has pending work, or is quarantined, under it.
 * - S-4 A commit with an epoch other than the store's is refused as `fenced`; one with `raisesEpoch` raises the epoch by one and must name the former.
 * - S-5 What a resolved commit wrote is read by every handle of the same data from then on; with `survivesProcessDeath` also after a kill, with `survivesPowerLoss` also after a power cut.
 *   What was answered stays as it was, whatever is committed later. Nobody changes an answer: a store may give what it keeps.
 * - S-6 `changes(since)` returns every schedule changed after `since` in its newest state, and never half a commit.
 * - S-7 `history` returns ended records of a schedule newest first, by commit and position in it, whole and with verdicts, paged without gaps or doubles; the last page has no cursor.
 * - S-8 Removing a schedule removes its rows and history and keeps its mark, which `changes` tells beside all others; a new schedule of that id takes the mark away.
 * - S-9 A document is there once a commit that named it is resolved; its canonical JSON is byte for byte that of what was given, whatever keys, texts and numbers it holds.
 * - S-10 `watch` calls back soon after another handle's commit where it can; it may call too often, and may miss: a reader polls as well.
 * - S-11 `close` is idempotent; every other call after it rejects with `SCHEDULE_CLOSED`.
 * - S-12 A failed commit rejects with `SCHEDULE_STORE_UNAVAILABLE` and left no trace that anyone acts on.
 * - S-13 `lastSeenAt` is the highest `at` of any commit.
 * - S-14 A kept request id is told to every handle, with the change that brought it and in every full reading, until its revision ends or its schedule is removed, also when no record of its occurrence is left.
 */
import type { CatalogueRow, DeletedMark } from '../core/model/catalogue.js';
import type { JsonObject } from '../core/model/declaration.js';
import type { Occurrence, Verdict } from '../core/model/occurrence.js';
import type { ScheduleEntry } from '../core/model/schedule.js';
import type { EpochMs } from '../core/time/instant.js';

/** What a store promises beyond the clauses. @public */
export interface StoreCapabilities {
  /** Several processes may open the same data at once. */
  readonly isSharedBetweenProcesses: boolean;
  /** A resolved commit survives `kill -9`. */
  readonly survivesProcessDeath: boolean;
  /** A resolved commit survives a power cut. */
  readonly survivesPowerLoss: boolean;
}

/** A schedule with the number of the commit that changed it last. @public */
export interface StoredEntry {
  /** The schedule and its pending work. */
  readonly entry: ScheduleEntry;
  /** The commit that changed it last. */
  readonly changeSeq: number;
  /**
   * The last due instant whose record was pruned from history, whatever its revision (CO-6); absent where none was.
   * Pruning is no commit: the newest value comes with `changes(0)`.
   */
  readonly prunedThrough?: EpochMs;
  /**
   * Kept request ids of the current revision (`isRequestKept`), as spelled: those that came after `since`, and perhaps
   * others; every one where the revision is newer than `since` and in a full reading (S-14). Absent where there are none.
   */
  readonly requests?: readonly string[];
}

/** What changed after a commit number. @public */
export interface CatalogueChanges {
  /** The newest commit; 0 for a new catalogue. */
  readonly seq: number;
  /** The epoch of the owner that came last; 0 before the first. */
  readonly epoch: number;
  /** Highest time of any commit (CO-6); 0 before the first. */
  readonly lastSeenAt: EpochMs;
  /** The catalogue's own row. */
  readonly row: CatalogueRow;
  /** True when `schedules` and `marks` are the whole catalogue, so that whatever is not among them is gone. */
  readonly isFull: boolean;
  /** Schedules changed after `since`. */
  readonly schedules: readonly StoredEntry[];
  /** Schedules deleted after `since`. */
  readonly marks: readonly DeletedMark[];
}

/** One change of a commit. A schedule is written without its pending work, which has changes of its own. @public */
export type RowChange =
  /** The schedule as it is now; `isDefinitionChanged` false promises that the definition is the one stored. */
  | { readonly kind: 'schedule'; readonly schedule: ScheduleEntry['schedule']; readonly isDefinitionChanged: boolean }
  /** A pending or ended occurrence as it is now. An ended one leaves the entry and joins the history. */
  | { readonly kind: 'occurrence'; readonly occurrence: Occurrence }
  /** A verdict beside an ended record. */
  | { readonly kind: 'verdict'; readonly scheduleId: string; readonly occurrence: string; readonly verdict: Verdict }
  /** The schedule, its pending work and its history are gone. */
  | { readonly kind: 'remove'; readonly mark: DeletedMark }
  /** The catalogue's own row as it is now. */
  | { readonly kind: 'row'; readonly row: CatalogueRow };

/** A commit to be made. @public */
export interface CommitBatch {
  /** The commit up to which the decision knew everything that it names in `reads`. */
  readonly since: number;
  /** What the decision looked at. */
  readonly reads: {
    /** Ids of schedules, in lower case; an absent one counts as looked at too. */
    readonly schedules: readonly string[];
    /** Concurrency keys whose pending work was looked at. */
    readonly keys: readonly string[];
    /** Whether the catalogue's own row was looked at. */
    readonly row: boolean;
  };
  /** The owner's epoch; absent for a client. */
  readonly epoch?: number;
  /** True: this is a new owner; the epoch becomes `epoch + 1`. */
  readonly raisesEpoch?: true;
  /** The time of the commit, by the clock of the caller. */
  readonly at: EpochMs;
  /** Who commits: a caller's name, or `owner`. */
  readonly actor: string;
  /** Changes, in order. */
  readonly changes: readonly RowChange[];
  /** Documents that the changes name and that may be new. */
  readonly documents: readonly { readonly digest: string; readonly document: JsonObject }[];
}

/** What became of a commit. @public */
export type CommitResult =
  | { readonly kind: 'committed'; readonly seq: number; readonly hash: string }
  | { readonly kind: 'conflict'; readonly seq: number }
  | { readonly kind: 'fenced'; readonly epoch: number };

/** Which part of a history to read. @public */
export interface HistoryQuery {
  /** The schedule. */
  readonly scheduleId: string;
  /** One record alone. */
  readonly occurrence?: string;
  /** Continue behind this cursor of an earlier page. */
  readonly before?: string;
  /** Records at most, 1..1000. */
  readonly limit: number;
  /** Only records of this revision. */
  readonly revision?: number;
}

/** Ended records, newest first. @public */
export interface HistoryPage {
  /** The records. */
  readonly records: readonly Occurrence[];
  /** Cursor of the next page; absent at the end. */
  readonly next?: string;
}

/** Options that every asynchronous call takes. @public */
export interface CallOptions {
  /** Gives up with `SCHEDULE_ABORTED` where the call had no effect yet. */
  readonly signal?: AbortSignal | undefined;
}

/** See the clauses at the head of this file. @public */
export interface ScheduleStore {
  /** What this store promises. */
  readonly capabilities: StoreCapabilities;
  /** What changed after commit `since`; 0 for everything (S-6). */
  changes(since: number, options?: CallOptions): Promise<CatalogueChanges>;
  /** Makes a commit, or says why not (S-1 to S-5, S-12). */
  commit(batch: CommitBatch, options?: CallOptions): Promise<CommitResult>;
  /** Ended records, newest first (S-7). */
  history(query: HistoryQuery, options?: CallOptions): Promise<HistoryPage>;
  /** A pinned document; rejects with `SCHEDULE_NOT_FOUND` (S-9). */
  document(digest: string, options?: CallOptions): Promise<JsonObject>;
  /** Calls back when something may have changed; returns the function that ends it (S-10). */
  watch(onChange: () => void): () => void;
  /** Releases everything (S-11). */
  close(): Promise<void>;
}
