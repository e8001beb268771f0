/**
 * What a trigger is compiled to: due instants on plain epoch milliseconds, in both directions.
 *
 * A compiled trigger is a value that knows its own kind of search. Its functions are methods: call them on it.
 */

import type { Trigger } from '../model/trigger.js';
import type { EpochMs } from '../time/instant.js';

/**
 * The due instants of one trigger (TR-1). The set of instants is the same from wherever it is asked, and asking throws for
 * nothing but zone data of a host that breaks its contract (`SCHEDULE_ADAPTER_BROKEN`). Numbers are milliseconds since
 * 1970-01-01T00:00Z; those given need not be whole.
 *
 * @public
 */
export interface CompiledTrigger {
  /** The kind of the trigger that was compiled. */
  readonly kind: Trigger['kind'];
  /** The zone of a calendar, cron or rrule trigger, as the table of zone names spells it. */
  readonly timezone?: string;
  /** The least due instant strictly after `after`, or `undefined` where none is left. */
  next(after: number): EpochMs | undefined;
  /** The greatest due instant strictly before `before`, or `undefined` where there was none. */
  previous(before: number): EpochMs | undefined;
  /** The first `count` due instants strictly after `after`, fewer where the trigger ends. */
  list(after: number, count: number): EpochMs[];
  /** The number of due instants in `(after, through]`, counted no further than `limit`. */
  count(after: number, through: number, limit: number): number;
}

/**
 * Whether a trigger is due at an instant.
 *
 * @internal
 */
export function isDueAt(trigger: CompiledTrigger, at: number): boolean {
  return trigger.next(at - 1) === at;
}

/**
 * `list` by repeated `next`.
 *
 * @internal
 */
export function listByNext(this: CompiledTrigger, after: number, count: number): EpochMs[] {
  const found: EpochMs[] = [];
  let at = this.next(after);
  while (at !== undefined && found.length < count) {
    found.push(at);
    at = found.length < count ? this.next(at) : undefined;
  }
  return found;
}

/**
 * `count` by repeated `next`.
 *
 * @internal
 */
export function countByNext(this: CompiledTrigger, after: number, through: number, limit: number): number {
  let counted = 0;
  let at = after;
  while (counted < limit) {
    const next = this.next(at);
    if (next === undefined || next > through) break;
    counted += 1;
    at = next;
  }
  return counted;
}
