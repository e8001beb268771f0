/**
 * What must hold between the fields of a declaration, and between a declaration and the clock.
 *
 * Judged on the copy of what the author wrote, beside the schema: a fault in one field does not hide another (DE-1).
 * A relation is only judged where both of its sides are of the right type.
 */
import type { Declaration, Json, JsonObject } from '../../core/model/declaration.js';
import { foundText, type Issue } from '../../core/model/issue.js';
import { LIMITS } from '../../core/model/limits.js';
import { type EpochMs, parseInstant } from '../../core/time/instant.js';
import { isObject } from './authored-input.js';

type BudgetName = keyof Declaration['budget'];

/** Names of the four budget fields, which may also stand at the top level (DE-9). @internal */
export const BUDGET_NAMES: readonly BudgetName[] = [
  'maxAttempts',
  'maxRepeatedFailures',
  'maxElapsedSeconds',
  'timeoutPerStageSeconds',
];

/** The issues between fields (DE, DE-9). @internal */
export function relationIssues(fields: JsonObject): readonly Issue[] {
  return [...contradictions(fields), ...retryIssues(fields), ...backoffIssues(fields)];
}

/**
 * The issue of a declaration that has expired already at `now`; none where it has no `expiresAt` or a later one.
 *
 * @internal
 */
export function expiryIssues(fields: { readonly expiresAt?: Json }, now: EpochMs): readonly Issue[] {
  const expiresAt = typeof fields.expiresAt === 'string' ? parseInstant(fields.expiresAt) : undefined;
  if (expiresAt === undefined || expiresAt > now) return [];
  const message = 'must be after the time of the registration';
  return [{ path: 'expiresAt', rule: 'EX-1', message, found: foundText(fields.expiresAt) }];
}

/** The fields with those of the budget that stand at the top level moved under `budget` (DE-9). @internal */
export function withBudgetFolded(fields: JsonObject): JsonObject {
  const { budget, ...others } = fields;
  if (budget !== undefined && !isObject(budget)) return fields;
  const folded: Record<string, Json> = { ...budget };
  const kept: Record<string, Json> = { ...others };
  for (const name of BUDGET_NAMES) {
    const lifted = kept[name];
    if (lifted === undefined) continue;
    delete kept[name];
    folded[name] = lifted;
  }
  return budget === undefined && Object.keys(folded).length === 0 ? kept : { ...kept, budget: folded };
}

function contradictions(fields: JsonObject): readonly Issue[] {
  const budget = fields['budget'];
  if (!isObject(budget)) return [];
  return BUDGET_NAMES.flatMap((name) => {
    const lifted = fields[name];
    const inside = budget[name];
    if (lifted === undefined || inside === undefined || lifted === inside) return [];
    const message = `must equal budget.${name}, which is ${foundText(inside)}; give it in one place`;
    return [{ path: name, rule: 'DE-9', message, found: foundText(lifted) }];
  });
}

function retryIssues(fields: JsonObject): readonly Issue[] {
  const maxRetries = fields['maxRetries'];
  const budget = fields['budget'];
  const maxAttempts = fields['maxAttempts'] ?? (isObject(budget) ? budget['maxAttempts'] : undefined);
  const attempts = maxAttempts ?? LIMITS.maxAttempts.default;
  if (typeof maxRetries !== 'number' || typeof attempts !== 'number' || maxRetries < attempts) return [];
  const message = `must be below budget.maxAttempts, which is ${attempts}`;
  return [{ path: 'maxRetries', rule: 'DE-1', message, found: foundText(maxRetries) }];
}

function backoffIssues(fields: JsonObject): readonly Issue[] {
  const backoff = fields['retryBackoff'];
  if (!isObject(backoff)) return [];
  const { initialSeconds, maxSeconds } = backoff;
  if (typeof initialSeconds !== 'number' || typeof maxSeconds !== 'number' || maxSeconds >= initialSeconds) return [];
  const message = `must be at least initialSeconds, which is ${initialSeconds}`;
  return [{ path: 'retryBackoff.maxSeconds', rule: 'DE-1', message, found: foundText(maxSeconds) }];
}
