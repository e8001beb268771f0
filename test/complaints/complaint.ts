/**
 * A fault kind that users of schedulers have told of, and the test that shows that it does not exist here.
 *
 * The tables of `table/` hold all that concern restarts, edits, missed runs, clocks, timers, stuck states, locks, growth
 * and durability, so that a reader finds the proof of each in one place.
 */

/** One fault kind. */
export interface Complaint {
  /** What goes wrong, in a user's words. */
  readonly fault: string;
  /** Public reports of it, `owner/repository#number`. */
  readonly reports: readonly string[];
  /** The file of the test, from the root of the repository. */
  readonly file: string;
  /** Its title as it stands there, with `%s` where a table fills it in, and up to the first place that a template does. */
  readonly title: string;
}
