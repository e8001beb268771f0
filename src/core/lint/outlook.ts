/**
 * What the warnings of a declaration have in common: its compiled trigger, its first due instant, when it expires.
 */

import type { Declaration } from '../model/declaration.js';
import { LIMITS } from '../model/limits.js';
import type { Trigger } from '../model/trigger.js';
import { DAY_MS } from '../time/civil.js';
import { type EpochMs, toEpochMs } from '../time/instant.js';
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
  /** The trigger that was compiled: as its author wrote it where that is known, else in its normal form. */
  readonly given: Trigger;
  /** Whether `given` is as its author wrote it, so that what stands in it was meant. */
  readonly isAuthored: boolean;
  /** Whether `maxOccurrences` may be the default, which nobody chose. */
  readonly isBudgetDefault: boolean;
  readonly now: EpochMs;
  /** Absent where the trigger is invalid: then it is refused elsewhere, and there is nothing to warn of. */
  readonly trigger?: CompiledTrigger;
  /** The first due instant from now on; a one-shot may lie up to the grace in the past (CT-4). */
  readonly first?: EpochMs;
  /** Nothing is collected at or after it, in milliseconds; `Infinity` where the declaration has no `expiresAt`. */
  readonly expiry: number;
}

/**
 * What an author wrote of a declaration, before defaults were filled in and lists were put in order.
 *
 * @public
 */
export interface AuthoredParts {
  /** What the trigger of the declaration was made from. */
  readonly trigger: Trigger;
  /** Absent where the author left it out, and the default was filled in. */
  readonly maxOccurrences?: Declaration['maxOccurrences'] | undefined;
}

/** Looks ahead from `now`; without `authored` the normal form is all that is known. @internal */
export function outlook(
  declaration: Declaration,
  now: EpochMs,
  sources: CompileDueOptions = {},
  authored?: AuthoredParts,
): Outlook {
  const { graceSeconds, expiresAt } = declaration;
  const expiry = (expiresAt === undefined ? undefined : toEpochMs(expiresAt)) ?? Number.POSITIVE_INFINITY;
  const given = authored?.trigger ?? declaration.trigger;
  const isBudgetDefault =
    authored === undefined
      ? declaration.maxOccurrences === LIMITS.maxOccurrences.default
      : authored.maxOccurrences === undefined;
  const seen = { declaration, given, isAuthored: authored !== undefined, isBudgetDefault, now, expiry };
  const compiled = compileDue({ ...declaration, trigger: given }, sources);
  if (!compiled.ok) return seen;
  const trigger = compiled.value;
  const earliest = trigger.kind === 'once' ? now - graceSeconds * SECOND_MS : now;
  const first = trigger.next(earliest - 1);
  return { ...seen, trigger, ...(first !== undefined && { first }) };
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
