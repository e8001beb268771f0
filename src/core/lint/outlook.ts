/**
 * What the warnings of a declaration have in common: its compiled trigger, its first due instant, when it expires.
 */

import type { Declaration } from '../model/declaration.js';
import { DAY_MS } from '../time/civil.js';
import { type EpochMs, parseInstant } from '../time/instant.js';
import type { CompiledTrigger } from '../trigger/compile.js';
import { type CompileDueOptions, compileDue } from '../trigger/due/compile-due.js';

/** Milliseconds of a second. @internal */
export const SECOND_MS = 1000;
/** Due instants that are looked at, and how far ahead: enough to see a usual week of any rhythm. */
const MEASURED = 100;
const MEASURED_MS = 366 * DAY_MS;

/**
 * A declaration as seen from an instant.
 *
 * @internal
 */
export interface Outlook {
  readonly declaration: Declaration;
  readonly now: EpochMs;
  /** Absent where the trigger is invalid: then it is refused elsewhere, and there is nothing to warn of. */
  readonly trigger?: CompiledTrigger;
  /** The first due instant from now on; a one-shot may lie up to the grace in the past (CT-4). */
  readonly first?: EpochMs;
  /** Nothing is collected at or after it, in milliseconds; `Infinity` where the declaration has no `expiresAt`. */
  readonly expiry: number;
}

/** Looks ahead from `now`. @internal */
export function outlook(declaration: Declaration, now: EpochMs, sources: CompileDueOptions = {}): Outlook {
  const { graceSeconds, expiresAt } = declaration;
  const expiry = (expiresAt === undefined ? undefined : parseInstant(expiresAt)) ?? Number.POSITIVE_INFINITY;
  const compiled = compileDue(declaration, sources);
  if (!compiled.ok) return { declaration, now, expiry };
  const trigger = compiled.value;
  const earliest = trigger.kind === 'once' ? now - graceSeconds * SECOND_MS : now;
  const first = trigger.next(earliest - 1);
  return { declaration, now, trigger, expiry, ...(first !== undefined && { first }) };
}

/** The first due instants of the coming year, at most a hundred, before the schedule expires. @internal */
export function usualDue({ trigger, first, now, expiry }: Outlook): readonly EpochMs[] {
  if (trigger === undefined || first === undefined) return [];
  const until = Math.min(now + MEASURED_MS, expiry - 1);
  const found = [first];
  for (
    let at = trigger.next(first);
    at !== undefined && at <= until && found.length < MEASURED;
    at = trigger.next(at)
  ) {
    found.push(at);
  }
  return found;
}

/** The least distance between neighbours among them; `Infinity` for a single one. @internal */
export function shortestGapMs(seen: Outlook): number {
  const due = usualDue(seen);
  return due.reduce(
    (least, at, i) => (i === 0 ? least : Math.min(least, at - (due[i - 1] as number))),
    Number.POSITIVE_INFINITY,
  );
}
