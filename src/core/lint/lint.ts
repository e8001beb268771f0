/**
 * Lint: what a valid declaration says that its author probably did not mean (TR-12, TB-4).
 *
 * Everything is judged with the compiled trigger that will run the schedule, from a given instant, in bounded time.
 */

import type { Declaration } from '../model/declaration.js';
import type { EpochMs } from '../time/instant.js';
import { outlook } from './outlook.js';
import { policyWarnings } from './policy-warnings.js';
import { triggerWarnings } from './trigger-warnings.js';
import type { Warning } from './warning.js';

/**
 * From where {@link lint} looks ahead, and what is known of the work.
 *
 * @public
 */
export interface LintOptions {
  /** The instant from which due instants are judged. */
  readonly now: EpochMs;
  /** Seconds that a run took lately; without it `shortInterval` is not judged. */
  readonly recentRunSeconds?: number;
}

/**
 * Warns of what a valid declaration allows and its author probably did not mean, the trigger first; empty where nothing
 * was found. Never throws. A trigger that does not compile is refused elsewhere, and draws no warning here.
 *
 * @public
 */
export function lint(declaration: Declaration, options: LintOptions): readonly Warning[] {
  const seen = outlook(declaration, options.now);
  return [...triggerWarnings(seen, options.recentRunSeconds), ...policyWarnings(seen)];
}
