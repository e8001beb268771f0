/**
 * Who has which concurrency key (OV-1, OC-2).
 *
 * Each schedule contributes the keys of its unheld pending work; the table answers whether another schedule has a key
 * pending or holds it. It is an index over the entries and is never stored.
 */
import { isAhead, type KeyHold } from '../../core/policy/hold.js';

/** Holds of schedules by key. Ids of schedules are folded. */
type HoldsByKey = Map<string, Map<string, KeyHold[]>>;

/** What wants a key. @internal */
export type Claimant = Pick<KeyHold, 'occurrence' | 'retryAt'>;

/** Keys by schedule and schedules by key. Ids of schedules are folded. @internal */
export class KeyTable {
  readonly #bySchedule = new Map<string, readonly KeyHold[]>();
  readonly #pending: HoldsByKey = new Map();
  readonly #active: HoldsByKey = new Map();

  /** Replaces what a schedule contributes and returns the keys that this touched. */
  set(schedule: string, holds: readonly KeyHold[]): ReadonlySet<string> {
    const touched = new Set<string>();
    for (const { key } of this.#bySchedule.get(schedule) ?? []) {
      touched.add(key);
      takeOut(this.#pending, key, schedule);
      takeOut(this.#active, key, schedule);
    }
    for (const hold of holds) {
      touched.add(hold.key);
      putIn(this.#pending, schedule, hold);
      if (hold.isActive) putIn(this.#active, schedule, hold);
    }
    if (holds.length > 0) this.#bySchedule.set(schedule, holds);
    else this.#bySchedule.delete(schedule);
    return touched;
  }

  /** A pending occurrence under a key, of any schedule that is not left out. */
  pending(key: string, isLeftOut: (schedule: string) => boolean): string | undefined {
    return firstOf(this.#pending, key, isLeftOut);
  }

  /** Whether a schedule that is not left out keeps a claimant from a key. */
  isHeld(key: string, claimant: Claimant, isLeftOut: (schedule: string) => boolean): boolean {
    for (const [schedule, holds] of this.#active.get(key) ?? []) {
      if (!isLeftOut(schedule) && holds.some((hold) => isAhead(hold, claimant))) return true;
    }
    return false;
  }

  /** What has a key now, with its schedule: the one that runs, else the one that waits and is ahead of the others. */
  holder(key: string): { readonly schedule: string; readonly occurrence: string } | undefined {
    let first: { readonly schedule: string; readonly hold: KeyHold } | undefined;
    for (const [schedule, holds] of this.#active.get(key) ?? []) {
      for (const hold of holds) if (first === undefined || comesBefore(hold, first.hold)) first = { schedule, hold };
    }
    return first === undefined ? undefined : { schedule: first.schedule, occurrence: first.hold.occurrence };
  }
}

/** What runs comes before what waits. */
function comesBefore(a: KeyHold, b: KeyHold): boolean {
  return b.retryAt !== undefined && (a.retryAt === undefined || isAhead(a, b));
}

function putIn(table: HoldsByKey, schedule: string, hold: KeyHold): void {
  const schedules = table.get(hold.key) ?? new Map<string, KeyHold[]>();
  table.set(hold.key, schedules);
  const before = schedules.get(schedule);
  if (before === undefined) schedules.set(schedule, [hold]);
  else before.push(hold);
}

function takeOut(table: HoldsByKey, key: string, schedule: string): void {
  const schedules = table.get(key);
  schedules?.delete(schedule);
  if (schedules?.size === 0) table.delete(key);
}

function firstOf(table: HoldsByKey, key: string, isLeftOut: (schedule: string) => boolean): string | undefined {
  for (const [schedule, holds] of table.get(key) ?? []) if (!isLeftOut(schedule)) return holds[0]?.occurrence;
  return undefined;
}
