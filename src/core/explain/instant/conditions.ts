/**
 * Conditions as they are told, and the reason that follows from those that fail.
 */

import { type EpochMs, epochMs, formatInstant, MAX_INSTANT, MIN_INSTANT } from '../../time/instant.js';
import type { ConditionCheck, ConditionField, DueReason } from './due-explanation.js';

/** One condition, judged. @internal */
export function check(field: ConditionField, wanted: string, found: string, holds: boolean): ConditionCheck {
  return { field, wanted, found, holds };
}

/** Whether every condition holds. @internal */
export function allHold(checks: readonly ConditionCheck[]): boolean {
  return checks.every(({ holds }) => holds);
}

/** Conditions of the first and the last instant that may be due, as far as there are such bounds. @internal */
export function boundChecks(at: EpochMs, start: number, end: number): readonly ConditionCheck[] {
  const found = formatInstant(at);
  const checks: ConditionCheck[] = [];
  if (start > MIN_INSTANT) checks.push(check('start', `${formatInstant(epochMs(start))} or later`, found, at >= start));
  if (end < MAX_INSTANT) checks.push(check('end', `${formatInstant(epochMs(end))} or earlier`, found, at <= end));
  return checks;
}

/** What each field that fails is a reason for, in the order of what a person should look at first. */
const REASON_ORDER: readonly (readonly [DueReason, readonly ConditionField[]])[] = [
  ['never', ['kind']],
  ['beforeStart', ['start']],
  ['afterEnd', ['end']],
  ['notTheInstant', ['at']],
  ['notOnPhase', ['phase']],
  ['dateNotWanted', ['year', 'month', 'dayOfMonth', 'dayOfWeek', 'day', 'every']],
  ['timeNotWanted', ['time', 'hour', 'minute', 'second']],
  ['ruleNotMet', ['rule']],
  ['repeatedTimeRunsFirst', ['repeat']],
  ['skippedByGap', ['gap']],
  ['excluded', ['exdates', 'exclude']],
  ['countSpent', ['count']],
  ['movedBySpread', ['spread']],
];

/** The reason that the failing conditions give; `due` where none fails. @internal */
export function reasonOf(checks: readonly ConditionCheck[]): DueReason {
  const failing = new Set(checks.filter(({ holds }) => !holds).map(({ field }) => field));
  return REASON_ORDER.find(([, fields]) => fields.some((field) => failing.has(field)))?.[0] ?? 'due';
}
