/**
 * What the warnings of a declaration have in common: its compiled trigger, its first due instant, when it expires.
 */

import type { Declaration } from '../model/declaration.js';
import { type EpochMs, parseInstant } from '../time/instant.js';
import { type CompiledTrigger, compileTrigger } from '../trigger/compile.js';

/** Milliseconds of a second. @internal */
export const SECOND_MS = 1000;

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

/** Looks ahead from `now`; never throws. @internal */
export function outlook(declaration: Declaration, now: EpochMs): Outlook {
  const { graceSeconds, expiresAt } = declaration;
  const expiry = (expiresAt === undefined ? undefined : parseInstant(expiresAt)) ?? Number.POSITIVE_INFINITY;
  const compiled = compileTrigger(declaration.trigger);
  if (!compiled.ok) return { declaration, now, expiry };
  const trigger = compiled.value;
  const earliest = trigger.kind === 'once' ? now - graceSeconds * SECOND_MS : now;
  const first = trigger.next(earliest - 1);
  return { declaration, now, trigger, expiry, ...(first !== undefined && { first }) };
}
