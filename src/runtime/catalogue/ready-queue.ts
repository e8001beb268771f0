/**
 * The order of dispatch as an index (OC-2): which occurrence is to be claimed next, without looking at the rest.
 *
 * Candidates stand in groups, one per concurrency key. Of each group at most one can be claimed: its first in the order
 * of dispatch while the key is free, or the very occurrence that holds the key (a retry whose time has come). These
 * stand in a heap of their own. Retries that still wait stand in another, by the time at which they may start.
 */
import type { Gate } from '../../core/model/catalogue.js';
import type { Occurrence } from '../../core/model/occurrence.js';
import type { ScheduleEntry } from '../../core/model/schedule.js';
import type { EpochMs } from '../../core/time/instant.js';
import type { Rules } from '../rules.js';
import { IndexedHeap } from './indexed-heap.js';
import { KeyGroup } from './key-group.js';
import type { KeyTable } from './key-table.js';

/** An occurrence that can be claimed, with its schedule. @internal */
export interface Ready {
  /** The schedule. */
  readonly entry: ScheduleEntry;
  /** Its next occurrence. */
  readonly occurrence: Occurrence;
}

interface Candidate extends Ready {
  readonly id: string;
}

interface Waiting {
  readonly id: string;
  readonly at: EpochMs;
  readonly entry: ScheduleEntry;
}

/** See the head of this file. Ids of schedules are folded. @internal */
export class ReadyQueue {
  readonly #rules: Rules;
  readonly #keys: KeyTable;
  readonly #keyOf = new Map<string, string>();
  readonly #groups = new Map<string, KeyGroup<Candidate>>();
  readonly #best: IndexedHeap<Candidate>;
  readonly #waiting = new IndexedHeap<Waiting>((a, b) => a.at - b.at);

  constructor(rules: Rules, keys: KeyTable) {
    this.#rules = rules;
    this.#keys = keys;
    this.#best = new IndexedHeap(this.#compare);
  }

  /** When the next waiting retry may start. */
  get nextAt(): EpochMs | undefined {
    return this.#waiting.peek()?.at;
  }

  /** Takes in a schedule as it is now, after the key table has; call {@link ReadyQueue.regroup} for the keys that it touched. */
  set(id: string, entry: ScheduleEntry | undefined, gate: Gate, now: EpochMs): void {
    this.#leaveGroup(id);
    const isIdle = entry === undefined || entry.pending.length === 0;
    const at = isIdle ? undefined : this.#rules.readyAt(entry, gate);
    if (entry !== undefined && at !== undefined && at > now) this.#waiting.set(id, { id, at, entry });
    else this.#waiting.delete(id);
    const occurrence = isIdle ? undefined : this.#rules.readyOccurrence(entry, gate, now);
    if (entry === undefined || occurrence === undefined) return;
    const key = occurrence.concurrencyKey;
    const group = this.#groups.get(key) ?? new KeyGroup<Candidate>(this.#compare);
    this.#groups.set(key, group);
    group.add({ id, entry, occurrence });
    this.#keyOf.set(id, key);
    this.regroup(key);
  }

  /** Finds again what can be claimed under a key. */
  regroup(key: string): void {
    const group = this.#groups.get(key);
    const candidate = group === undefined ? undefined : this.#claimable(key, group);
    if (candidate === undefined) this.#best.delete(key);
    else this.#best.set(key, candidate);
  }

  /** The first occurrences in the order of dispatch, at most one per key and schedule. */
  first(gate: Gate, now: EpochMs, limit: number): readonly Ready[] {
    for (let next = this.#waiting.peek(); next !== undefined && next.at <= now; next = this.#waiting.peek()) {
      this.set(next.id, next.entry, gate, now);
    }
    for (;;) {
      const found: Candidate[] = [];
      const passed = this.#firstInto(found, gate, now, limit);
      if (passed.length === 0) return found;
      for (const { id, entry } of passed) this.set(id, entry, gate, now);
    }
  }

  /** Gathers the first candidates; what could be claimed when it came, and cannot any more, is what it returns. */
  #firstInto(found: Candidate[], gate: Gate, now: EpochMs, limit: number): readonly Candidate[] {
    const passed: Candidate[] = [];
    if (limit <= 0) return passed;
    for (const next of this.#best.inOrder()) {
      if (this.#rules.readyOccurrence(next.entry, gate, now) === next.occurrence) found.push(next);
      else passed.push(next);
      if (found.length >= limit) break;
    }
    return passed;
  }

  #claimable(key: string, group: KeyGroup<Candidate>): Candidate | undefined {
    const holder = this.#keys.holder(key);
    if (holder === undefined) return group.peek();
    const candidate = group.get(holder.schedule);
    return candidate?.occurrence.id === holder.occurrence ? candidate : undefined;
  }

  #leaveGroup(id: string): void {
    const key = this.#keyOf.get(id);
    if (key === undefined) return;
    this.#keyOf.delete(id);
    const group = this.#groups.get(key);
    group?.delete(id);
    if (group?.isEmpty === true) this.#groups.delete(key);
    this.regroup(key);
  }

  readonly #compare = (a: Candidate, b: Candidate): number =>
    this.#rules.compareDispatch(a.entry, b.entry) || (a.id < b.id ? -1 : Number(a.id > b.id));
}
