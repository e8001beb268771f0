/**
 * What reading a trigger gives: the compiled trigger, and the trigger in its one normal form.
 */

import type { Trigger } from '../../model/trigger.js';
import type { CompiledTrigger } from '../compiled-trigger.js';

/**
 * A trigger that was read and found good.
 *
 * @internal
 */
export interface Reading {
  readonly value: CompiledTrigger;
  readonly normalized: Trigger;
}
