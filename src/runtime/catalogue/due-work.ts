/**
 * Schedules that are due and wait to be collected, in the order in which they would be dispatched (OC-2, OC-3).
 *
 * What finds a free slot is collected by the commit that claims it: one record where there would be two, and what is due
 * starts before anything is computed for what has to wait. Only a schedule with nothing pending and a key of its own is
 * collected that way, so that no order of collection can change what the overlap policies say.
 */
import type { ScheduleEntry } from '../../core/model/schedule.js';
import type { EpochMs } from '../../core/time/instant.js';
import type { Catalogue } from './catalogue.js';

/** See the head of this file. @internal */
export class DueWork {
  readonly #catalogue: Catalogue;
  /** Those that a slot may take, the first at the end. */
  #apt: ScheduleEntry[] = [];
  #others: ScheduleEntry[] = [];

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Whether nothing waits any more. */
  get isEmpty(): boolean {
    return this.#apt.length === 0 && this.#others.length === 0;
  }

  /** Looks for what is due by now, once everything that was due before is collected. */
  look(now: EpochMs): void {
    if (!this.isEmpty) return;
    const due = this.#catalogue.wakesBy(now);
    this.#others = due.filter((entry) => !isApt(entry, now));
    this.#apt = due.filter((entry) => isApt(entry, now)).sort((a, b) => this.#catalogue.compareDispatch(b, a));
  }

  /** Takes the next one for a slot, where it comes before a schedule with ready work; none while others are to be collected first. */
  next(ready: ScheduleEntry | undefined): ScheduleEntry | undefined {
    const entry = this.#apt.at(-1);
    if (entry === undefined || this.#others.length > 0) return undefined;
    if (ready !== undefined && this.#catalogue.compareDispatch(ready, entry) <= 0) return undefined;
    this.#apt.pop();
    const { id } = entry.schedule;
    // One that has changed is looked at again with whatever is due then.
    return this.#catalogue.entry(id) === entry ? entry : this.next(ready);
  }

  /** Takes some that are collected without a slot: those that no slot may take, or anything that waits. */
  take(limit: number, isAny: boolean): readonly ScheduleEntry[] {
    const taken = this.#others.splice(0, limit);
    if (!isAny) return taken;
    const rest = this.#apt.splice(Math.max(0, this.#apt.length - (limit - taken.length)));
    return [...taken, ...rest.reverse()];
  }
}

function isApt({ schedule, pending }: ScheduleEntry, now: EpochMs): boolean {
  const { nextDue, status, quarantine, definition } = schedule;
  const isDue = nextDue !== undefined && nextDue <= now && status === 'active' && quarantine === undefined;
  return isDue && pending.length === 0 && definition.declaration.concurrencyKey === undefined;
}
