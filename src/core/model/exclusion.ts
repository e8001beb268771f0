/**
 * What is taken out of the due instants of a trigger: days on which nothing is to run (DE-12).
 *
 * Dates are those of the wall clock in the trigger's own zone; a trigger without one, and `anyOf`, name the zone here.
 */

/**
 * A day, `YYYY-MM-DD`, or a range of days with both ends in it, `YYYY-MM-DD/YYYY-MM-DD`.
 *
 * @public
 */
export type DateOrRange = string;

/**
 * Days on which a trigger is not due. An instant is judged before it is spread, by the date that its zone shows.
 *
 * @public
 */
export interface Exclusion {
  /** Single days and ranges of days; at most 400. */
  readonly dates?: readonly DateOrRange[];
  /** Monday = 0 .. Sunday = 6. */
  readonly weekdays?: readonly number[];
  /** Name of a calendar of the catalogue, as it was given to `setCalendar`. */
  readonly calendar?: string;
  /** IANA name of a zone or link (TR-9); only where the trigger has no zone of its own, and required there. */
  readonly timezone?: string;
}

/**
 * A named calendar of the catalogue: days that any schedule may exclude by its name.
 *
 * @public
 */
export interface NamedCalendar {
  /** Single days and ranges of days, ascending, none touching another; at most 400. */
  readonly dates: readonly DateOrRange[];
  /** SHA-256 over the canonical JSON of `dates`, `sha256:<hex>`. */
  readonly digest: string;
}
