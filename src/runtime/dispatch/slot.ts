/**
 * A slot of the owner: one occurrence that it claims, runs and settles, with all of its immediate attempts (OC-2, OC-5).
 *
 * It remembers what outlives a single attempt in this process: the first claim by the monotonic clock and the pinned
 * plan. A retry that waits gives its slot back and leaves these two behind for its next claim.
 */
import type { ScheduleEntry } from '../../core/model/schedule.js';
import type { Attempt } from './attempt.js';
import type { Remembered } from './waiting-retries.js';

/** See the head of this file. @internal */
export interface Slot {
  /** Id of the occurrence; empty while the schedule is being collected for it. */
  occurrence: string;
  /** Id of its schedule. */
  readonly scheduleId: string;
  /** The attempt that runs; absent while a claim or a settlement is being committed. */
  attempt: Attempt | undefined;
  /** The schedule as it was looked at last for a request to end. */
  seen: ScheduleEntry | undefined;
  /** True once it is certain to be free with the next commit, so that another claim may join that commit. */
  isEnding: boolean;
  /** True where its wait for another attempt is over by the monotonic clock, whatever the wall clock says. */
  readonly isWaitOver: boolean;
  /** See {@link Remembered}. */
  memory: Remembered;
}
