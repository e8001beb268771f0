/**
 * The observer: typed events for logs, metrics and tests (OW-7).
 *
 * Clauses:
 * - O-1 An event is told after the commit that it speaks of is durable.
 * - O-2 Events of one schedule come in the order of their commits.
 * - O-3 What an observer throws is caught and told to nobody but the process's warnings; it never harms the owner.
 * - O-4 What is told is as plain as the answers of a call: instants are ISO 8601 UTC texts, an occurrence is its view.
 */

import type { OccurrenceView } from '../core/explain/occurrence-view.js';
import type { Wire } from '../core/explain/wire.js';
import type { EpochMs } from '../core/time/instant.js';
import type { TransitionEvent } from '../core/transition/announce.js';

/** Something that happened, in the form of the model; observers hear it as an {@link ObservedEvent}. @public */
export type ScheduleEvent =
  | TransitionEvent
  | {
      readonly type: 'progress';
      /** When it was told. */
      readonly at: EpochMs;
      /** Which schedule. */
      readonly scheduleId: string;
      /** Which occurrence. */
      readonly occurrence: string;
      /** What the handler said; cut at 2000 characters. */
      readonly note: string;
      /** How much is done, 0..1, where the handler knows. */
      readonly fraction?: number;
    }
  | {
      readonly type: 'owner';
      /** When it happened. */
      readonly at: EpochMs;
      /** What became of the owner, or of the clock that it goes by (CO-6). */
      readonly change:
        | 'started'
        | 'stopping'
        | 'stopped'
        | 'lockLost'
        | 'clockStep'
        | 'clockBehind'
        | 'catalogueBehind'
        | 'clockAccepted';
      /** For people. */
      readonly detail: string;
    }
  | {
      readonly type: 'gate';
      /** When it was decided. */
      readonly at: EpochMs;
      /** Whether the gate is closed from now on (CT-9). */
      readonly isPaused: boolean;
      /** Who did it. */
      readonly by: string;
      /** Why, for people. */
      readonly note?: string;
    }
  | {
      readonly type: 'store';
      /** When it was noticed. */
      readonly at: EpochMs;
      /** `trouble`: a commit failed and is tried again (ST-4); `recovered`: the store commits again. */
      readonly change: 'trouble' | 'recovered';
      /** For people. */
      readonly detail: string;
    };

/**
 * Something that happened, as an observer hears it (O-4): instants are ISO 8601 UTC texts, an occurrence is the view that
 * `get` gives (without `waitingFor`), a schedule is its row.
 *
 * @public
 */
export type ObservedEvent =
  | Wire<Exclude<ScheduleEvent, { readonly type: 'occurrence' }>>
  | (Wire<Omit<Extract<ScheduleEvent, { readonly type: 'occurrence' }>, 'occurrence'>> & {
      /** The record after. */
      readonly occurrence: OccurrenceView;
    });

/** Hears events; see the clauses at the head of this file. @public */
export type Observer = (event: ObservedEvent) => void;
