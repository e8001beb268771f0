/**
 * What an author asks for: the declaration, as it is stored after validation.
 *
 * Everything here is plain JSON in its normal form: defaults filled in, instants as UTC text with milliseconds,
 * the document beside it by digest. The codec makes it from untrusted input; the core only reads it.
 */
import type { Exclusion } from './exclusion.js';
import type { Trigger } from './trigger.js';

/** A JSON value. @public */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A JSON object. @public */
export interface JsonObject {
  /** Any key may stand in it; `__proto__` and its like are plain data as any other (DE-8). */
  readonly [key: string]: Json;
}

/** What happens to a due instant that meets pending work of its schedule (OV-1 to OV-5). @public */
export type OverlapPolicy = 'queue' | 'skip' | 'coalesce';

/** What happens to due instants that nobody was there for (MF-1 to MF-3). @public */
export type MisfirePolicy = 'skip' | 'runOnce' | 'catchUp';

/** Limits of one occurrence, fresh for each (OC-5). @public */
export interface AttemptBudget {
  /** Attempts of one occurrence, the first included. */
  readonly maxAttempts: number;
  /** Failed attempts in a row with an equal fault signature. */
  readonly maxRepeatedFailures: number;
  /** Seconds from the first claim of the occurrence. */
  readonly maxElapsedSeconds: number;
  /** Seconds that one stage may take. */
  readonly timeoutPerStageSeconds: number;
}

/** Waiting time between a failed attempt and the next: `initialSeconds * factor^(n-1)`, at most `maxSeconds`, with a jitter derived from the occurrence id. @public */
export interface RetryBackoff {
  /** Seconds before the first retry. */
  readonly initialSeconds: number;
  /** Growth from one retry to the next. */
  readonly factor: number;
  /** Longest wait in seconds. */
  readonly maxSeconds: number;
}

/**
 * A validated declaration without its document, which is pinned beside it by digest.
 *
 * @remarks Rules DE; defaults and bounds are in {@link LIMITS}.
 * @public
 */
export interface Declaration {
  /** Name of the schedule, unique in its catalogue ignoring case. */
  readonly id: string;
  /** What it is for, in plain text. */
  readonly objective: string;
  /** Providers that its plan may use. */
  readonly allowedProviders: readonly string[];
  /** When it is due. */
  readonly trigger: Trigger;
  /** Days on which it is not due (DE-12). */
  readonly exclude?: Exclusion;
  /** Its due instants are put off by one fixed span of less than so many seconds, which follows from its id (DE-12). */
  readonly spreadSeconds?: number;
  /** See {@link OverlapPolicy}. */
  readonly overlap: OverlapPolicy;
  /** See {@link MisfirePolicy}. */
  readonly misfire: MisfirePolicy;
  /** Seconds after its due instant from which an occurrence counts as late. */
  readonly graceSeconds: number;
  /** Late occurrences that `catchUp` admits per tick, and keeps pending at a time. */
  readonly maxCatchUp: number;
  /** Occurrences of the trigger that one revision may record. */
  readonly maxOccurrences: number | 'unlimited';
  /** Retries of a failed attempt; below `budget.maxAttempts`. */
  readonly maxRetries: number;
  /** Wait between attempts; absent: the next attempt follows at once. */
  readonly retryBackoff?: RetryBackoff;
  /** Limits of each occurrence. */
  readonly budget: AttemptBudget;
  /** Seconds of lateness after which an occurrence is never run (`tooLate`). */
  readonly maxLatenessSeconds?: number;
  /** UTC text; nothing is collected or dispatched at or after it. */
  readonly expiresAt?: string;
  /** At most one occurrence is active per key; absent: the schedule's id. */
  readonly concurrencyKey?: string;
  /** Terminal failures in a row that pause the schedule. */
  readonly pauseAfterFailures?: number;
  /** Free texts for lists and filters. */
  readonly labels: Readonly<Record<string, string>>;
}

/** The key under which occurrences of a declaration exclude each other. @internal */
export function concurrencyKeyOf(declaration: Declaration): string {
  return declaration.concurrencyKey ?? declaration.id;
}
