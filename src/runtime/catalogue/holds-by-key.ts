/**
 * Holds of schedules by concurrency key. Nearly always a key is a schedule's own, since its author need not share it; so a
 * table is made for the second schedule of a key only.
 */
import type { KeyHold } from '../../core/policy/hold.js';

/** What one schedule has under one key. @internal */
export interface Share {
  /** The folded id of the schedule. */
  readonly schedule: string;
  /** Its holds, in the order of its pending work. */
  readonly holds: readonly KeyHold[];
}

const NOTHING: readonly Share[] = [];

/** Shares by key, those that were set last at the end. @internal */
export class HoldsByKey {
  readonly #shares = new Map<string, readonly [Share] | Map<string, Share>>();

  /** What schedules have under a key. */
  under(key: string): Iterable<Share> {
    const shares = this.#shares.get(key);
    if (shares === undefined) return NOTHING;
    return shares instanceof Map ? shares.values() : shares;
  }

  /** Replaces what a schedule has under a key. */
  set(key: string, schedule: string, holds: readonly KeyHold[]): void {
    const shares = this.#shares.get(key);
    const isAlone = shares === undefined || (!(shares instanceof Map) && shares[0].schedule === schedule);
    if (isAlone) {
      if (holds.length > 0) this.#shares.set(key, [{ schedule, holds }]);
      else this.#shares.delete(key);
      return;
    }
    const table = shares instanceof Map ? shares : new Map([[shares[0].schedule, shares[0]]]);
    this.#shares.set(key, table);
    table.delete(schedule);
    if (holds.length > 0) table.set(schedule, { schedule, holds });
    if (table.size === 0) this.#shares.delete(key);
  }
}
