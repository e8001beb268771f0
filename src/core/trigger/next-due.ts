/**
 * The convenience over the compiled trigger, for callers who want one answer and exceptions for wrong input.
 */

import { ScheduleError } from '../../errors.js';
import { foundText, type Issue } from '../model/issue.js';
import type { Trigger } from '../model/trigger.js';
import { type EpochMs, formatInstant, type InstantInput, toEpochMs } from '../time/instant.js';
import { type CompiledTrigger, compileTrigger } from './compile.js';

/**
 * Options of {@link nextDue} and {@link previousDue}.
 *
 * @public
 */
export interface DueOptions {
  /** Zone of a bare cron text; UTC where absent. A trigger object has its own. */
  readonly timezone?: string;
}

/**
 * The least due instant strictly after `after` as ISO UTC text, or `undefined` where none is left (TR-1). The trigger may
 * be a bare cron text. Throws `SCHEDULE_DECLARATION_INVALID`, with `details.issues`, for wrong input.
 *
 * @public
 */
export function nextDue(trigger: Trigger | string, after: InstantInput, options: DueOptions = {}): string | undefined {
  return textOf(compiled(trigger, options).next(instant(after, 'after')));
}

/**
 * The greatest due instant strictly before `before` as ISO UTC text, or `undefined` where there was none (TR-1). The
 * trigger may be a bare cron text. Throws `SCHEDULE_DECLARATION_INVALID`, with `details.issues`, for wrong input.
 *
 * @public
 */
export function previousDue(
  trigger: Trigger | string,
  before: InstantInput,
  options: DueOptions = {},
): string | undefined {
  return textOf(compiled(trigger, options).previous(instant(before, 'before')));
}

function compiled(trigger: Trigger | string, options: DueOptions): CompiledTrigger {
  const whole =
    typeof trigger === 'string' ? { kind: 'cron', expression: trigger, timezone: options.timezone ?? 'UTC' } : trigger;
  const result = compileTrigger(whole);
  if (result.ok) return result.value;
  throw invalid('the trigger is invalid', result.issues);
}

function instant(input: InstantInput, path: 'after' | 'before'): EpochMs {
  const ms = toEpochMs(input);
  if (ms !== undefined) return ms;
  const message = 'must be an instant: ISO 8601 text with `Z` or an offset, a valid Date, or whole epochMilliseconds';
  throw invalid(`\`${path}\` is no instant`, [{ path, rule: 'DE-2', message, found: foundText(input) }]);
}

function invalid(what: string, issues: readonly Issue[]): ScheduleError {
  const list = issues.map((issue) => (issue.path === '' ? issue.message : `${issue.path}: ${issue.message}`));
  return new ScheduleError('SCHEDULE_DECLARATION_INVALID', `${what}: ${list.join('; ')}`, { details: { issues } });
}

function textOf(ms: EpochMs | undefined): string | undefined {
  return ms === undefined ? undefined : formatInstant(ms);
}
