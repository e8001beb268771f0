/**
 * Who has which concurrency key (OV-1, OC-2).
 *
 * Each schedule contributes the keys of its unheld pending work; the table answers whether another schedule has a key
 * pending or holds it. It is an index over the entries and is never stored.
 */
import { isAhead, type KeyHold } from '../../core/policy/hold.js';
import { HoldsByKey } from './holds-by-key.js';

/** What wants a key. @internal */
export type Claimant = Pick<KeyHold, 'occurrence' | 'retryAt'>;

const NO_HOLDS: readonly KeyHold[] = [];

/** Keys by schedule and schedules by key. Ids of schedules are folded. @internal */
export class KeyTable {
  readonly #bySchedule = new Map<string, readonly KeyHold[]>();
  readonly #pending = new HoldsByKey();
  readonly #active = new HoldsByKey();

  /** Replaces what a schedule contributes and returns the keys that this touched. */
  set(schedule: string, holds: readonly KeyHold[]): readonly string[] {
    const before = this.#bySchedule.get(schedule) ?? NO_HOLDS;
    const touched = keysOf(before, holds);
    for (const key of touched) {
      const under = holds.filter((hold) => hold.key === key);
      this.#pending.set(key, schedule, under);
      const isActiveHere = before.some(isActive) || under.some(isActive);
      if (isActiveHere) this.#active.set(key, schedule, under.filter(isActive));
    }
    if (holds.length > 0) this.#bySchedule.set(schedule, holds);
    else this.#bySchedule.delete(schedule);
    return touched;
  }

  /** A pending occurrence under a key, of any schedule that is not left out. */
  pending(key: string, isLeftOut: (schedule: string) => boolean): string | undefined {
    for (const { schedule, holds } of this.#pending.under(key)) if (!isLeftOut(schedule)) return holds[0]?.occurrence;
    return undefined;
  }

  /** Whether a schedule that is not left out keeps a claimant from a key. */
  isHeld(key: string, claimant: Claimant, isLeftOut: (schedule: string) => boolean): boolean {
    for (const { schedule, holds } of this.#active.under(key)) {
      if (!isLeftOut(schedule) && holds.some((hold) => isAhead(hold, claimant))) return true;
    }
    return false;
  }

  /** What has a key now, with its schedule: the one that runs, else the one that waits and is ahead of the others. */
  holder(key: string): { readonly schedule: string; readonly occurrence: string } | undefined {
    let first: { readonly schedule: string; readonly hold: KeyHold } | undefined;
    for (const { schedule, holds } of this.#active.under(key)) {
      for (const hold of holds) if (first === undefined || comesBefore(hold, first.hold)) first = { schedule, hold };
    }
    return first === undefined ? undefined : { schedule: first.schedule, occurrence: first.hold.occurrence };
  }
}

/** The keys of two lists, each once; nearly always there is one. */
function keysOf(before: readonly KeyHold[], after: readonly KeyHold[]): readonly string[] {
  const key = (before[0] ?? after[0])?.key;
  if (key === undefined) return [];
  const isIt = (hold: KeyHold) => hold.key === key;
  if (before.every(isIt) && after.every(isIt)) return [key];
  return [...new Set([...before, ...after].map((hold) => hold.key))];
}

function isActive(hold: KeyHold): boolean {
  return hold.isActive;
}

/** What runs comes before what waits. */
function comesBefore(a: KeyHold, b: KeyHold): boolean {
  return b.retryAt !== undefined && (a.retryAt === undefined || isAhead(a, b));
}
