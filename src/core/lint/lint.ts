/**
 * Lint: what a valid declaration says that its author probably did not mean (TR-12, TB-4).
 *
 * Everything is judged with the compiled trigger that will run the schedule, from a given instant, in bounded time.
 */

import type { Declaration } from '../model/declaration.js';
import type { Issue } from '../model/issue.js';
import { type EpochMs, type InstantInput, instantFault, toEpochMs } from '../time/instant.js';
import { refuseAsk } from '../trigger/ask.js';
import type { CompileDueOptions } from '../trigger/due/compile-due.js';
import { issue } from '../trigger/read/field-reader.js';
import { type AuthoredParts, outlook } from './outlook.js';
import { policyWarnings } from './policy-warnings.js';
import { triggerWarnings } from './trigger/trigger-warnings.js';
import type { Warning } from './warning.js';

/**
 * From where {@link lint} looks ahead, and what is known of the work.
 *
 * @public
 */
export interface LintOptions extends CompileDueOptions {
  /** The instant from which due instants are judged. */
  readonly now: EpochMs;
  /** Seconds that a run took lately; without it `shortInterval` is not judged. */
  readonly recentRunSeconds?: number;
  /**
   * What the author wrote, where the declaration was made from it: places in `anyOf` are then those of the author, and
   * what was written is told from defaults. Absent: places are those of the normal form.
   */
  readonly authored?: AuthoredParts | undefined;
}

/**
 * Warns of what a valid declaration allows and its author probably did not mean, the trigger first; empty where nothing
 * was found. It takes the normal form, with every policy, since it holds policies against each other and against the
 * trigger. A trigger that does not compile is refused elsewhere, and draws no warning here. Throws
 * `SCHEDULE_DECLARATION_INVALID` where a part is missing, and for zone data that a host brings along and that breaks its
 * contract.
 *
 * @public
 */
export function lint(declaration: Declaration, options: LintOptions): readonly Warning[] {
  const missing = missingParts(declaration, options);
  if (missing.length > 0) refuseAsk('nothing to lint', missing);
  const seen = outlook(declaration, options.now, options, options.authored);
  return [...triggerWarnings(seen, options.recentRunSeconds), ...policyWarnings(seen)];
}

/** The parts of a declaration that are judged, whatever else it says. */
const JUDGED = [
  'trigger',
  'overlap',
  'misfire',
  'graceSeconds',
  'maxCatchUp',
  'maxOccurrences',
  'maxRetries',
  'budget',
];

function missingParts(declaration: unknown, options: unknown): readonly Issue[] {
  const issues: Issue[] = [];
  const isWhole = typeof declaration === 'object' && declaration !== null;
  if (!isWhole) issues.push(issue('', 'DE-1', 'must be a declaration in its normal form', declaration));
  const absent = isWhole
    ? JUDGED.filter((name) => (declaration as Partial<Record<string, unknown>>)[name] == null)
    : [];
  for (const name of absent)
    issues.push(issue(name, 'DE-1', 'stands in every declaration in its normal form', undefined));
  const expiresAt = isWhole && 'expiresAt' in declaration ? declaration.expiresAt : undefined;
  if (expiresAt !== undefined && toEpochMs(expiresAt as InstantInput) === undefined) {
    issues.push(issue('expiresAt', 'DE-2', instantFault(expiresAt), expiresAt));
  }
  const now = typeof options === 'object' && options !== null && 'now' in options ? options.now : undefined;
  if (!Number.isFinite(now)) issues.push(issue('now', 'DE-2', 'must be an instant in milliseconds', now));
  return issues;
}
