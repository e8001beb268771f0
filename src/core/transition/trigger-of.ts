/**
 * The compiled trigger of a schedule, compiled once per declaration.
 *
 * The cache is keyed by the trigger object itself, which never changes, so it cannot make a result depend on the past.
 */
import type { Trigger } from '../model/trigger.js';
import { type CompileResult, compileTrigger } from '../trigger/compile.js';

const compiled = new WeakMap<Trigger, CompileResult>();

/** The compiled form of a trigger, or why it cannot be evaluated on this machine (CO-4). @internal */
export function triggerOf(trigger: Trigger): CompileResult {
  let result = compiled.get(trigger);
  if (result === undefined) {
    result = compileTrigger(trigger);
    compiled.set(trigger, result);
  }
  return result;
}
