/**
 * One question for due instants: a trigger, from when, and how many; the same for one call and for a line of a batch (SF-7).
 */
import { type CompiledTrigger, type EpochMs, instantFault, parseInstant } from '../../../../core/index.js';
import { type Issue, LIMITS } from '../../../../index.js';
import { invalidInput } from '../../input.js';
import { askedOf, fault } from './trigger-argument.js';

/** What is asked: a trigger object or a bare cron text, from when, and how many. @internal */
export interface Question {
  /** A trigger, a bare cron text, or the parts of a declaration. */
  readonly trigger: unknown;
  /** Strictly after it. */
  readonly after: unknown;
  /** At most so many. */
  readonly count: unknown;
  /** Zone of a bare cron text. */
  readonly timezone: unknown;
}

/** The answer to a question, and what it was asked of. @internal */
export interface Due {
  /** The compiled trigger. */
  readonly compiled: CompiledTrigger;
  /** Strictly after it. */
  readonly from: EpochMs;
  /** At most so many. */
  readonly count: number;
  /** Due instants, earliest first. */
  readonly list: readonly EpochMs[];
}

/** The answer; `SCHEDULE_DECLARATION_INVALID` with every fault of the question. @internal */
export function dueOf({ trigger, after, count, timezone }: Question): Due {
  const asked = askedOf(trigger, timezone);
  const from = typeof after === 'string' ? parseInstant(after) : undefined;
  const { min, max } = LIMITS.previewCount;
  const isCount = Number.isInteger(count) && (count as number) >= min && (count as number) <= max;
  const issues: Issue[] = [
    ...('issues' in asked ? asked.issues : []),
    ...(from === undefined ? [fault('after', instantFault(after), after, 'DE-2')] : []),
    ...(isCount ? [] : [fault('count', `must be a whole number, ${min}..${max}`, count)]),
  ];
  if ('issues' in asked || from === undefined || issues.length > 0) throw invalidInput('no due instants', issues);
  const { compiled } = asked;
  return { compiled, from, count: count as number, list: compiled.list(from, count as number) };
}
