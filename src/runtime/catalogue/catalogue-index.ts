/**
 * The indexes of the catalogue, kept in step one schedule at a time: what a tick has to look at when, who has which
 * concurrency key, and what is dispatched next.
 *
 * All of it follows from the entries and the gate; with another gate everything is built anew.
 */
import type { Gate } from '../../core/model/catalogue.js';
import type { ScheduleEntry } from '../../core/model/schedule.js';
import type { EpochMs } from '../../core/time/instant.js';
import type { Rules } from '../rules.js';
import { IndexedHeap } from './indexed-heap.js';
import { KeyTable } from './key-table.js';
import { ReadyQueue } from './ready-queue.js';

interface Wake {
  readonly id: string;
  readonly at: EpochMs;
}

/** See the head of this file. Ids of schedules are folded. @internal */
export class CatalogueIndex {
  /** Who has which key. */
  readonly keys = new KeyTable();
  /** What is dispatched next. */
  readonly ready: ReadyQueue;
  readonly #rules: Rules;
  readonly #gate: Gate;
  readonly #wakes = new IndexedHeap<Wake>((a, b) => a.at - b.at);

  constructor(rules: Rules, gate: Gate) {
    this.#rules = rules;
    this.#gate = gate;
    this.ready = new ReadyQueue(rules, this.keys);
  }

  /** When a tick has something to do next. */
  get nextWakeAt(): EpochMs | undefined {
    return this.#wakes.peek()?.at;
  }

  /** Ids of the schedules for which a tick has something to do, earliest first. */
  wakesBy(now: EpochMs): readonly string[] {
    return this.#wakes
      .within((wake) => wake.at <= now)
      .sort((a, b) => a.at - b.at)
      .map((wake) => wake.id);
  }

  /** Wakes a schedule no sooner than `until`, or never, as long as it does not change. */
  postpone(id: string, until: EpochMs | undefined): void {
    if (until === undefined) this.#wakes.delete(id);
    else if (this.#wakes.get(id) !== undefined) this.#wakes.set(id, { id, at: until });
  }

  /** Takes in a schedule as it is now, or takes it out. */
  set(id: string, entry: ScheduleEntry | undefined, now: EpochMs): void {
    const at = entry === undefined ? undefined : this.#rules.wakeAt(entry, this.#gate);
    if (at === undefined) this.#wakes.delete(id);
    else this.#wakes.set(id, { id, at });
    const holds = entry === undefined ? [] : this.#rules.keyHolds(entry, this.#gate);
    const touched = this.keys.set(id, holds);
    this.ready.set(id, entry, this.#gate, now);
    for (const key of touched) this.ready.regroup(key);
  }
}
