/**
 * Who has which concurrency key (OV-1, OC-2).
 *
 * Each schedule contributes the keys of its unheld pending work; the table answers whether another schedule has a key
 * pending or holds it. It is an index over the entries and is never stored.
 */
import type { KeyHold } from '../core/policy/hold.js';

/** Keys by schedule and schedules by key. Ids of schedules are folded. @internal */
export class KeyTable {
  readonly #byKey = new Map<string, Map<string, readonly KeyHold[]>>();
  readonly #bySchedule = new Map<string, readonly KeyHold[]>();

  /** Replaces what a schedule contributes and returns the keys that this touched. */
  set(schedule: string, holds: readonly KeyHold[]): ReadonlySet<string> {
    const before = this.#bySchedule.get(schedule) ?? [];
    const touched = new Set<string>();
    for (const { key } of before) {
      touched.add(key);
      const schedules = this.#byKey.get(key);
      schedules?.delete(schedule);
      if (schedules?.size === 0) this.#byKey.delete(key);
    }
    for (const hold of holds) {
      touched.add(hold.key);
      const schedules = this.#byKey.get(hold.key) ?? new Map<string, readonly KeyHold[]>();
      this.#byKey.set(hold.key, schedules);
      schedules.set(schedule, [...(schedules.get(schedule) ?? []), hold]);
    }
    if (holds.length > 0) this.#bySchedule.set(schedule, holds);
    else this.#bySchedule.delete(schedule);
    return touched;
  }

  /** A pending occurrence under a key, of any schedule that is not left out. */
  pending(key: string, isLeftOut: (schedule: string) => boolean): string | undefined {
    for (const [schedule, holds] of this.#byKey.get(key) ?? []) {
      if (!isLeftOut(schedule)) return holds[0]?.occurrence;
    }
    return undefined;
  }

  /** Whether a schedule that is not left out holds a key. */
  isHeld(key: string, isLeftOut: (schedule: string) => boolean): boolean {
    for (const [schedule, holds] of this.#byKey.get(key) ?? []) {
      if (!isLeftOut(schedule) && holds.some((hold) => hold.isActive)) return true;
    }
    return false;
  }

  /** Everything that holds a key now, with its schedule. */
  active(key: string): readonly { readonly schedule: string; readonly occurrence: string }[] {
    const found: { schedule: string; occurrence: string }[] = [];
    for (const [schedule, holds] of this.#byKey.get(key) ?? []) {
      for (const hold of holds) if (hold.isActive) found.push({ schedule, occurrence: hold.occurrence });
    }
    return found;
  }
}
