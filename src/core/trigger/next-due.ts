/**
 * The convenience over the compiled trigger, for callers who want one answer and exceptions for wrong input.
 */

import type { Issue } from '../model/issue.js';
import { type EpochMs, formatInstant, type InstantInput } from '../time/instant.js';
import { type DueInput, type DueOptions, readDue, readMoment, refuseAsk } from './ask.js';
import type { CompiledTrigger } from './compile.js';

/**
 * The least due instant strictly after `after` as ISO UTC text, or `undefined` where none is left (TR-1). The trigger may
 * be a bare cron text. Throws `SCHEDULE_DECLARATION_INVALID`, with every fault in `details.issues`, for wrong input.
 *
 * @public
 */
export function nextDue(due: DueInput, after: InstantInput, options: DueOptions = {}): string | undefined {
  const { compiled, at } = asked(due, after, 'after', options);
  return textOf(compiled.next(at));
}

/**
 * The greatest due instant strictly before `before` as ISO UTC text, or `undefined` where there was none (TR-1). The
 * trigger may be a bare cron text. Throws `SCHEDULE_DECLARATION_INVALID`, with every fault in `details.issues`, for wrong
 * input.
 *
 * @public
 */
export function previousDue(due: DueInput, before: InstantInput, options: DueOptions = {}): string | undefined {
  const { compiled, at } = asked(due, before, 'before', options);
  return textOf(compiled.previous(at));
}

function asked(
  due: DueInput,
  moment: InstantInput,
  path: string,
  options: DueOptions,
): { readonly compiled: CompiledTrigger; readonly at: EpochMs } {
  const issues: Issue[] = [];
  const found = readDue(due, options, issues);
  const at = readMoment(moment, path, issues);
  if (found === undefined || at === undefined) refuseAsk('no due instant', issues);
  return { compiled: found.compiled, at };
}

function textOf(ms: EpochMs | undefined): string | undefined {
  return ms === undefined ? undefined : formatInstant(ms);
}
