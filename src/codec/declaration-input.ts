/**
 * What authors write: a declaration with everything optional that has a default, and instants in any usual form.
 */
import type {
  AttemptBudget,
  JsonObject,
  MisfirePolicy,
  OverlapPolicy,
  RetryBackoff,
} from '../core/model/declaration.js';
import type { Exclusion } from '../core/model/exclusion.js';
import type { InstantInput } from '../core/time/instant.js';
import type { OrUndefined, TriggerInput } from '../core/trigger/due-input.js';

export type { OrUndefined, TriggerInput } from '../core/trigger/due-input.js';

/**
 * A declaration as an author writes it (DE); defaults and bounds are in {@link LIMITS}.
 *
 * @typeParam Doc - the type of the document, for hosts whose providers carry a schema.
 * @public
 */
export interface DeclarationInput<Doc extends object = JsonObject> extends OrUndefined<Partial<AttemptBudget>> {
  /** Made from the objective and a random suffix where absent; required for `ensure`. */
  readonly id?: string | undefined;
  /** What it is for, in plain text. */
  readonly objective: string;
  /** Plain JSON; copied and digested at registration. Its `version` text names its kind. */
  readonly document: Doc;
  /** Providers that its plan may use. */
  readonly allowedProviders?: readonly string[] | undefined;
  /** When it is due. */
  readonly trigger: TriggerInput;
  /** Days on which it is not due (DE-12). */
  readonly exclude?: OrUndefined<Exclusion> | undefined;
  /** Its due instants are put off by one fixed span of less than so many seconds, which follows from its id (DE-12). */
  readonly spreadSeconds?: number | undefined;
  /** See {@link OverlapPolicy}. */
  readonly overlap?: OverlapPolicy | undefined;
  /** See {@link MisfirePolicy}. */
  readonly misfire?: MisfirePolicy | undefined;
  /** Seconds after its due instant from which an occurrence counts as late. */
  readonly graceSeconds?: number | undefined;
  /** Late occurrences that `catchUp` admits per tick, and keeps pending at a time. */
  readonly maxCatchUp?: number | undefined;
  /** Occurrences of the trigger that one revision may record. */
  readonly maxOccurrences?: number | 'unlimited' | undefined;
  /** Retries of a failed attempt; below `maxAttempts`. */
  readonly maxRetries?: number | undefined;
  /** Wait between attempts; absent: the next attempt follows at once. */
  readonly retryBackoff?: RetryBackoff | undefined;
  /** Limits of each occurrence; the four may also stand at the top level (DE-9). */
  readonly budget?: OrUndefined<Partial<AttemptBudget>> | undefined;
  /** Seconds of lateness after which an occurrence is never run. */
  readonly maxLatenessSeconds?: number | undefined;
  /** Nothing is collected or dispatched at or after it. */
  readonly expiresAt?: InstantInput | undefined;
  /** At most one occurrence is active per key; absent: the schedule's id. */
  readonly concurrencyKey?: string | undefined;
  /** Terminal failures in a row that pause the schedule. */
  readonly pauseAfterFailures?: number | undefined;
  /** Free texts for lists and filters. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/**
 * A partial declaration for `update` (CT-3): fields replace those of before, `budget`, `retryBackoff` and `labels` are
 * merged by key, and null clears what is optional.
 *
 * @typeParam Doc - the type of the document, for hosts whose providers carry a schema.
 * @public
 */
export type DeclarationChanges<Doc extends object = JsonObject> = OrUndefined<
  Partial<Pick<DeclarationInput<Doc>, 'id' | 'objective' | 'document' | 'trigger'>>
> & {
  readonly [K in Exclude<
    keyof DeclarationInput<Doc>,
    'id' | 'objective' | 'document' | 'trigger' | 'budget' | 'retryBackoff' | 'labels'
  >]?: DeclarationInput<Doc>[K] | null;
} & {
  readonly budget?: { readonly [K in keyof AttemptBudget]?: AttemptBudget[K] | null | undefined } | null | undefined;
  readonly retryBackoff?: OrUndefined<Partial<RetryBackoff>> | null | undefined;
  readonly labels?: Readonly<Record<string, string | null | undefined>> | null | undefined;
};
