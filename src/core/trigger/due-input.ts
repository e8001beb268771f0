/**
 * What callers of the core hand over to ask when something is due: as an author writes it, with instants in any usual form.
 *
 * The conveniences read it strictly whatever its type says; the types are for editors.
 */

import type { DateOrRange, Exclusion } from '../model/exclusion.js';
import type { Trigger } from '../model/trigger.js';
import type { InstantInput } from '../time/instant.js';

/**
 * A trigger as an author writes it: `at`, `start` and `end` may be ISO 8601 text with an offset, a `Date`, or anything with
 * `epochMilliseconds`; all else stands as in the trigger.
 *
 * @typeParam T - one kind of trigger, such as {@link CronTrigger}; absent: any.
 * @public
 */
export type TriggerInput<T extends Trigger = Trigger> = T extends Trigger
  ? OrUndefined<{
      readonly [K in keyof T]: K extends 'at' | 'start' | 'end'
        ? InstantInput
        : K extends 'of'
          ? readonly TriggerInput[]
          : T[K];
    }>
  : never;

/** Members that may be absent may be undefined as well; that means the same. @public */
export type OrUndefined<T> = {
  readonly [K in keyof T]: Partial<Pick<T, K>> extends Pick<T, K> ? T[K] | undefined : T[K];
};

/**
 * What can be asked when it is due: a trigger, a bare cron text, or the parts of a declaration that say so, with an
 * exclusion and a spread (DE-12).
 *
 * @public
 */
export type DueInput = TriggerInput | string | DueDeclaration;

/**
 * The parts of a declaration that say when it is due; a whole declaration may stand for them.
 *
 * @public
 */
export interface DueDeclaration {
  /** Id of the schedule; needed where it is spread. */
  readonly id?: string | undefined;
  /** See `Declaration.trigger`. */
  readonly trigger: TriggerInput;
  /** See `Declaration.exclude`. */
  readonly exclude?: OrUndefined<Exclusion> | undefined;
  /** See `Declaration.spreadSeconds`. */
  readonly spreadSeconds?: number | undefined;
}

/**
 * A calendar that a caller brings along, by its name beside others; one of a catalogue has the same form.
 *
 * @public
 */
export interface CalendarInput {
  /** Single days and ranges of days, in any order; at most 400. */
  readonly dates: readonly DateOrRange[];
  /** What a catalogue knows it by; nothing here asks for it. */
  readonly digest?: string | undefined;
}
