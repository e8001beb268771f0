/**
 * The union of triggers: due whenever one of them is, each instant once (TR-1).
 *
 * A single step asks every member and takes the least, or the greatest, of their answers. A list and a count keep the next
 * instant of every member in mind, and ask again only those whose turn has come.
 */

import type { Trigger } from '../model/trigger.js';
import { type EpochMs, epochMs } from '../time/instant.js';
import type { CompiledTrigger } from './compiled-trigger.js';

/**
 * A compiled `anyOf`. It has no zone of its own; its members may have.
 *
 * @internal
 */
export interface AnyOfCompiled extends CompiledTrigger {
  /** Tells it from the other compiled triggers. */
  readonly kind: 'anyOf';
  /** Its members, in the order in which they were given, doubles included. */
  readonly of: readonly CompiledTrigger[];
  /** The normal form of each, in the same order, which is not that of the normal form of the whole. */
  readonly given: readonly Trigger[];
}

/** Stands for no instant any more. */
const NEVER = Number.POSITIVE_INFINITY;

/**
 * Due whenever one of `of` is; `given` has the normal form of each.
 *
 * @internal
 */
export function anyOfTrigger(of: readonly CompiledTrigger[], given: readonly Trigger[]): AnyOfCompiled {
  return { kind: 'anyOf', of, given, next, previous, list, count };
}

/**
 * Whether a compiled trigger is a union.
 *
 * @internal
 */
export function isAnyOf(trigger: CompiledTrigger): trigger is AnyOfCompiled {
  return trigger.kind === 'anyOf' && 'of' in trigger;
}

function next(this: AnyOfCompiled, after: number): EpochMs | undefined {
  let least: EpochMs | undefined;
  for (const one of this.of) {
    const at = one.next(after);
    if (at !== undefined && (least === undefined || at < least)) least = at;
  }
  return least;
}

function previous(this: AnyOfCompiled, before: number): EpochMs | undefined {
  let greatest: EpochMs | undefined;
  for (const one of this.of) {
    const at = one.previous(before);
    if (at !== undefined && (greatest === undefined || at > greatest)) greatest = at;
  }
  return greatest;
}

function list(this: AnyOfCompiled, after: number, count: number): EpochMs[] {
  const found: EpochMs[] = [];
  const heads = headsAfter(this.of, after);
  for (let at = leastOf(heads); at !== NEVER && found.length < count; at = stepBeyond(this.of, heads, at)) {
    found.push(epochMs(at));
  }
  return found;
}

function count(this: AnyOfCompiled, after: number, through: number, limit: number): number {
  let counted = 0;
  const heads = headsAfter(this.of, after);
  for (let at = leastOf(heads); at <= through && at !== NEVER && counted < limit; at = stepBeyond(this.of, heads, at)) {
    counted += 1;
  }
  return counted;
}

/** The next instant of every member. */
function headsAfter(of: readonly CompiledTrigger[], after: number): number[] {
  return of.map((one) => one.next(after) ?? NEVER);
}

function leastOf(heads: readonly number[]): number {
  let least = NEVER;
  for (const head of heads) if (head < least) least = head;
  return least;
}

/** Moves every member that stands at `at` on, and returns the least head then. */
function stepBeyond(of: readonly CompiledTrigger[], heads: number[], at: number): number {
  let least = NEVER;
  for (let i = 0; i < heads.length; i += 1) {
    let head = heads[i] as number;
    if (head === at) {
      head = (of[i] as CompiledTrigger).next(at) ?? NEVER;
      heads[i] = head;
    }
    if (head < least) least = head;
  }
  return least;
}
