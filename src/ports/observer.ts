/**
 * The observer: typed events for logs, metrics and tests (OW-7).
 *
 * Clauses:
 * - O-1 An event is told after the commit that it speaks of is durable.
 * - O-2 Events of one schedule come in the order of their commits.
 * - O-3 What an observer throws is caught and told to nobody but the process's warnings; it never harms the owner.
 */

import type { EpochMs } from '../core/time/instant.js';
import type { TransitionEvent } from '../core/transition/announce.js';

/** Something that happened. @public */
export type ScheduleEvent =
  | TransitionEvent
  | {
      readonly type: 'progress';
      readonly at: EpochMs;
      readonly scheduleId: string;
      readonly occurrence: string;
      readonly note: string;
      readonly fraction?: number;
    }
  | {
      readonly type: 'owner';
      readonly at: EpochMs;
      readonly change:
        | 'started'
        | 'stopping'
        | 'stopped'
        | 'lockLost'
        | 'clockStep'
        | 'clockBehind'
        | 'catalogueBehind'
        | 'clockAccepted';
      readonly detail: string;
    }
  | {
      readonly type: 'gate';
      readonly at: EpochMs;
      readonly isPaused: boolean;
      readonly by: string;
      readonly note?: string;
    }
  | { readonly type: 'store'; readonly at: EpochMs; readonly change: 'trouble' | 'recovered'; readonly detail: string };

/** Hears events; see the clauses at the head of this file. @public */
export type Observer = (event: ScheduleEvent) => void;
