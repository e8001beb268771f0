/**
 * What belongs to the catalogue as a whole: the gate, the clock marks and the marks of deleted schedules.
 */
import type { EpochMs } from '../time/instant.js';
import type { NamedCalendar } from './exclusion.js';
import type { HeldSpan } from './schedule.js';

/** The gate: paused, nothing is collected or dispatched by trigger; manual work goes on (CT-9). @public */
export interface Gate {
  /** Whether it is paused. */
  readonly isPaused: boolean;
  /** Who set it last. */
  readonly by?: string;
  /** When. */
  readonly at?: EpochMs;
  /** Why, in a person's words. */
  readonly note?: string;
  /** The last span in which it was paused, to explain what was missed. */
  readonly lastSpan?: HeldSpan;
}

/** A stop of all collection until the clock has caught up or an operator accepts it (CO-6). @public */
export interface ClockStop {
  /** `clockBehind`: the clock is behind the last commit. `catalogueBehind`: evidence exists that the catalogue does not know. */
  readonly reason: 'clockBehind' | 'catalogueBehind';
  /** Since when, by the clock of the owner that noticed. */
  readonly since: EpochMs;
  /** For people: what was found. */
  readonly detail: string;
}

/** The row of the catalogue itself. @public */
export interface CatalogueRow {
  /** See {@link Gate}. */
  readonly gate: Gate;
  /** Present while collection is stopped. */
  readonly clockStop?: ClockStop;
  /** When an operator accepted the clock last; each schedule follows before it collects again. */
  readonly acceptedClockAt?: EpochMs;
  /** The `lastSeenAt` that this acceptance forgave: while it is still the highest, the clock is judged by `acceptedClockAt` instead. */
  readonly acceptedSeenAt?: EpochMs;
  /** Calendars by name, at most 64; absent before the first (DE-12). One that was set once is never taken away. */
  readonly calendars?: Readonly<Record<string, NamedCalendar>>;
}

/** What stays of a deleted schedule, so that its id can be used again without running anything twice (CT-7). @public */
export interface DeletedMark {
  /** As it was spelled. */
  readonly id: string;
  /** Its last revision. */
  readonly revision: number;
  /** Every due instant up to it is accounted for, those included that a clock ahead had recorded. */
  readonly collectedThrough: EpochMs;
  /** When it was deleted. */
  readonly deletedAt: EpochMs;
}

/** The catalogue row of a new catalogue. @public */
export const NEW_CATALOGUE: CatalogueRow = { gate: { isPaused: false } };

/** An id as it is compared: ignoring case. @internal */
export function foldId(id: string): string {
  return id.toLowerCase();
}
