/**
 * The catalogue in memory: a mirror of the store with the indexes that make it quick to ask.
 *
 * The store is the truth; this is what the process knows of it, as of commit `seq`. `refresh` reads what changed since;
 * `apply` takes over a commit of this process without reading it back. Entries are immutable and shared. Client and
 * owner of one process use one mirror. It never acts by itself.
 */
import { type CatalogueRow, type DeletedMark, foldId, NEW_CATALOGUE } from '../../core/model/catalogue.js';
import type { Occurrence } from '../../core/model/occurrence.js';
import type { ScheduleEntry } from '../../core/model/schedule.js';
import { type EpochMs, epochMs } from '../../core/time/instant.js';
import type { Clock } from '../../ports/clock.js';
import type { CallOptions, CatalogueChanges, ScheduleStore, StoredEntry } from '../../ports/schedule-store.js';
import type { Rules } from '../rules.js';
import { CatalogueIndex } from './catalogue-index.js';
import type { Claimant } from './key-table.js';
import type { Ready } from './ready-queue.js';
import { type KeptRequest, RequestTable } from './request-table.js';

/** What a commit of this process changed. @internal */
export interface AppliedCommit {
  /** Its number. */
  readonly seq: number;
  /** Its time. */
  readonly at: EpochMs;
  /** The epoch from then on, where it changed. */
  readonly epoch?: number;
  /** The row from then on, where it changed. */
  readonly row?: CatalogueRow;
  /** Changed schedules as they are now. */
  readonly entries: readonly ScheduleEntry[];
  /** Marks of the removed ones. */
  readonly marks: readonly DeletedMark[];
  /** Request ids that are kept from then on (S-14). */
  readonly requests?: readonly KeptRequest[];
}

/** What a mirror is made of. @internal */
export interface CatalogueOptions {
  readonly store: ScheduleStore;
  readonly clock: Clock;
  readonly rules: Rules;
}

/** Entries that are taken in before the event loop gets a turn, when a whole catalogue is read. */
const ENTRIES_PER_TURN = 500;

/** See the head of this file. @internal */
export class Catalogue {
  readonly #store: ScheduleStore;
  readonly #clock: Clock;
  readonly #rules: Rules;
  #seq = 0;
  #epoch = 0;
  #lastSeenAt = epochMs(0);
  #row: CatalogueRow = NEW_CATALOGUE;
  #entries = new Map<string, StoredEntry>();
  #marks = new Map<string, DeletedMark>();
  #requests = new RequestTable();
  #index: CatalogueIndex;
  readonly #listeners = new Set<() => void>();
  #isPostponing = false;
  #refreshing: Promise<void> | undefined;
  #queued: Promise<void> | undefined;

  constructor(options: CatalogueOptions) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#rules = options.rules;
    this.#index = new CatalogueIndex(options.rules, this.#row.gate);
  }

  /** The newest commit that is known here. */
  get seq(): number {
    return this.#seq;
  }

  /** The epoch of the newest owner that is known here. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Highest time of any commit (CO-6). */
  get lastSeenAt(): EpochMs {
    return this.#lastSeenAt;
  }

  /** The catalogue's own row. */
  get row(): CatalogueRow {
    return this.#row;
  }

  /** How many schedules there are. */
  get size(): number {
    return this.#entries.size;
  }

  /** A schedule by its id, in any case of letters. */
  entry(id: string): ScheduleEntry | undefined {
    return this.#entries.get(foldId(id))?.entry;
  }

  /** The mark of a deleted schedule, in any case of letters. */
  mark(id: string): DeletedMark | undefined {
    return this.#marks.get(foldId(id));
  }

  /** The occurrence that a kept request id made in the current revision of a schedule, both in any case of letters (OC-1). */
  existing(id: string, requestId: string): string | undefined {
    const schedule = this.entry(id)?.schedule;
    return schedule === undefined ? undefined : this.#requests.occurrence(schedule, requestId);
  }

  /** Every schedule, in no order. */
  *entries(): Generator<ScheduleEntry> {
    for (const { entry } of this.#entries.values()) yield entry;
  }

  /** A pending unheld occurrence under a key, of a schedule whose folded id is not left out (OV-1). */
  keyPending(key: string, isLeftOut: (schedule: string) => boolean): string | undefined {
    return this.#index.keys.pending(key, isLeftOut);
  }

  /** Whether a schedule whose folded id is not left out holds a key (OC-2). */
  isKeyHeld(key: string, claimant: Claimant, isLeftOut: (schedule: string) => boolean): boolean {
    return this.#index.keys.isHeld(key, claimant, isLeftOut);
  }

  /** Another occurrence that holds a key, of whatever schedule (OC-2). */
  keyHolder(key: string, except: string): string | undefined {
    const holder = this.#index.keys.holder(key)?.occurrence;
    return holder === except ? undefined : holder;
  }

  /** Schedules for which a tick has something to do at this time, those that wait longest first. */
  wakesBy(now: EpochMs): readonly ScheduleEntry[] {
    return this.#index.wakesBy(now).flatMap((id) => this.entry(id) ?? []);
  }

  /** When a tick has something to do next. */
  nextWakeAt(): EpochMs | undefined {
    return this.#index.nextWakeAt;
  }

  /** Wakes a schedule no sooner than `until`, or never, as long as neither it nor the row changes: a tick found nothing to do. */
  postpone(id: string, until: EpochMs | undefined): void {
    this.#isPostponing = true;
    this.#index.postpone(foldId(id), until);
  }

  /** Forgets what was postponed: another owner may find something to do. */
  forgetPostponed(): void {
    if (this.#isPostponing) this.#reindex();
  }

  #reindex(): void {
    this.#isPostponing = false;
    this.#index = new CatalogueIndex(this.#rules, this.#row.gate);
    const now = this.#clock.now();
    for (const [id, { entry }] of this.#entries) this.#index.set(id, entry, now);
  }

  /** Calls back whenever this mirror has taken in a commit; the function that comes back ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** When the next waiting retry may start. */
  nextReadyAt(): EpochMs | undefined {
    return this.#index.ready.nextAt;
  }

  /** What can be claimed now, in the order of dispatch, at most one per key and per schedule (OC-2). */
  ready(now: EpochMs, limit: number): readonly Ready[] {
    return this.#index.ready.first(this.#row.gate, now, limit);
  }

  /** Which of two schedules is dispatched first, negative for `a` (OC-2). */
  compareDispatch(a: ScheduleEntry, b: ScheduleEntry): number {
    return this.#rules.compareDispatch(a, b);
  }

  /** What could be claimed of an entry now, whoever holds its key (OC-2). */
  readyIn(entry: ScheduleEntry, now: EpochMs): Occurrence | undefined {
    return this.#rules.readyOccurrence(entry, this.#row.gate, now);
  }

  /**
   * Reads what changed in the store since the last time. A call that comes while another is reading waits for a
   * reading that began after it, so that whoever awaits it sees every commit resolved before the call.
   */
  refresh(options: CallOptions = {}): Promise<void> {
    if (this.#refreshing === undefined) {
      this.#refreshing = this.#read(options).finally(() => {
        this.#refreshing = undefined;
      });
      return this.#refreshing;
    }
    const current = this.#refreshing;
    this.#queued ??= current.then(ignore, ignore).then(() => {
      this.#queued = undefined;
      return this.refresh();
    });
    return this.#queued;
  }

  /** Takes over a commit of this process; false where commits of others lie between, so that only a refresh helps. */
  apply(commit: AppliedCommit): boolean {
    if (commit.seq <= this.#seq) return true;
    if (commit.seq !== this.#seq + 1) return false;
    this.#seq = commit.seq;
    this.#epoch = commit.epoch ?? this.#epoch;
    this.#lastSeenAt = epochMs(Math.max(this.#lastSeenAt, commit.at));
    const now = this.#clock.now();
    for (const entry of commit.entries) this.#put({ entry, changeSeq: commit.seq }, now);
    for (const mark of commit.marks) this.#remove(mark, now);
    for (const kept of commit.requests ?? []) this.#requests.add(kept.scheduleId, kept.revision, [kept.request]);
    if (commit.row !== undefined) this.#setRow(commit.row);
    this.#tellChange();
    return true;
  }

  async #read(options: CallOptions): Promise<void> {
    const changes = await this.#store.changes(this.#seq, options);
    if (changes.seq < this.#seq) return;
    const isNews = changes.seq > this.#seq;
    if (changes.isFull) await this.#takeWhole(changes);
    else this.#takeOver(changes);
    if (isNews) this.#tellChange();
  }

  #takeOver(changes: CatalogueChanges): void {
    const now = this.#clock.now();
    this.#adopt(changes);
    for (const mark of changes.marks) this.#remove(mark, now);
    for (const stored of changes.schedules) {
      if ((this.#entries.get(foldId(stored.entry.schedule.id))?.changeSeq ?? 0) < stored.changeSeq)
        this.#put(stored, now);
    }
    this.#setRow(changes.row);
  }

  /** Builds everything anew beside what is there, turn by turn, and then puts it in its place at once. */
  async #takeWhole(changes: CatalogueChanges): Promise<void> {
    const now = this.#clock.now();
    const index = new CatalogueIndex(this.#rules, changes.row.gate);
    const entries = new Map<string, StoredEntry>();
    const requests = new RequestTable();
    for (const stored of changes.schedules) {
      const id = foldId(stored.entry.schedule.id);
      entries.set(id, stored);
      requests.addOf(stored);
      index.set(id, stored.entry, now);
      if (entries.size % ENTRIES_PER_TURN === 0) await nextTurn();
    }
    if (changes.seq < this.#seq) return this.#read({});
    this.#adopt(changes);
    this.#row = changes.row;
    this.#entries = entries;
    this.#marks = new Map(changes.marks.map((mark) => [foldId(mark.id), mark]));
    this.#requests = requests;
    this.#index = index;
  }

  #adopt(changes: CatalogueChanges): void {
    this.#seq = changes.seq;
    this.#epoch = Math.max(this.#epoch, changes.epoch);
    this.#lastSeenAt = epochMs(Math.max(this.#lastSeenAt, changes.lastSeenAt));
  }

  #put(stored: StoredEntry, now: EpochMs): void {
    const id = foldId(stored.entry.schedule.id);
    this.#entries.set(id, stored);
    this.#requests.addOf(stored);
    this.#marks.delete(id);
    this.#index.set(id, stored.entry, now);
  }

  #remove(mark: DeletedMark, now: EpochMs): void {
    const id = foldId(mark.id);
    this.#entries.delete(id);
    this.#requests.remove(id);
    this.#marks.set(id, mark);
    this.#index.set(id, undefined, now);
  }

  #setRow(row: CatalogueRow): void {
    const isGateChanged = row.gate.isPaused !== this.#row.gate.isPaused;
    const isClockChanged = (row.clockStop === undefined) !== (this.#row.clockStop === undefined);
    this.#row = row;
    if (isGateChanged || isClockChanged) this.#reindex();
  }

  #tellChange(): void {
    for (const listener of this.#listeners) listener();
  }
}

function ignore(): void {}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
