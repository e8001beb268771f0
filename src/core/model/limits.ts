/**
 * Every default and every bound of a declaration, in one constant (rules DE, DE-7, DE-11).
 *
 * Prose and schemas never repeat these numbers: they read them here.
 */

/**
 * Bounds of one number: the default where there is one, and the least and greatest value allowed.
 *
 * @public
 */
export interface NumberLimit {
  /** Used where the author says nothing; absent where there is no default. */
  readonly default?: number;
  /** Least allowed value. */
  readonly min: number;
  /** Greatest allowed value. */
  readonly max: number;
}

/**
 * Defaults and bounds of a declaration and of the texts around it. Seconds are whole unless the name says otherwise.
 *
 * @public
 */
export const LIMITS = {
  idLength: { min: 1, max: 128 },
  requestIdLength: { min: 1, max: 64 },
  objectiveLength: { min: 1, max: 2000 },
  documentBytes: { min: 2, max: 1_048_576 },
  documentDepth: { min: 1, max: 64 },
  documentKindLength: { min: 1, max: 128 },
  declarationBytes: { min: 2, max: 65_536 },
  providerLength: { min: 1, max: 64 },
  providers: { min: 0, max: 64 },
  graceSeconds: { default: 60, min: 0, max: 86_400 },
  maxCatchUp: { default: 10, min: 1, max: 100 },
  maxOccurrences: { default: 100, min: 1, max: 100_000 },
  maxRetries: { default: 0, min: 0, max: 19 },
  maxAttempts: { default: 3, min: 1, max: 20 },
  maxRepeatedFailures: { default: 2, min: 1, max: 20 },
  maxElapsedSeconds: { default: 3600, min: 1, max: 604_800 },
  timeoutPerStageSeconds: { default: 600, min: 1, max: 86_400 },
  backoffInitialSeconds: { min: 0, max: 86_400 },
  backoffFactor: { min: 1, max: 10 },
  backoffMaxSeconds: { min: 0, max: 86_400 },
  maxLatenessSeconds: { min: 0, max: 31_536_000 },
  pauseAfterFailures: { min: 1, max: 1000 },
  labels: { min: 0, max: 32 },
  labelKeyLength: { min: 1, max: 64 },
  labelValueLength: { min: 0, max: 256 },
  concurrencyKeyLength: { min: 1, max: 128 },
  spreadSeconds: { min: 1, max: 86_400 },
  calendars: { min: 0, max: 64 },
  calendarNameLength: { min: 1, max: 128 },
  zoneDataVersionLength: { min: 1, max: 128 },
  listLength: { min: 0, max: 400 },
  textLength: { min: 0, max: 2000 },
  resultBytes: { min: 0, max: 65_536 },
  previewCount: { default: 10, min: 1, max: 1000 },
  historyPage: { default: 20, min: 1, max: 1000 },
  listPage: { default: 100, min: 1, max: 1000 },
  admissionsPerCommit: { min: 1, max: 1000 },
  pendingPerSchedule: { min: 0, max: 10_000 },
  windowCount: { min: 1, max: 10_000 },
} as const satisfies Record<string, NumberLimit>;

/** Policies that an author gets without asking (DE). @public */
export const DEFAULT_POLICIES = { overlap: 'coalesce', misfire: 'runOnce' } as const;

/** Text cut to the length that people's notes and faults may have (DE-11), visibly. @internal */
export function cutText(text: string): string {
  return text.length <= LIMITS.textLength.max ? text : `${text.slice(0, LIMITS.textLength.max - 1)}…`;
}
