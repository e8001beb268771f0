/**
 * What the contract of stores judges: a new, empty catalogue with as many handles as its adapter can give.
 */
import type { ScheduleStore } from '../../../ports/schedule-store.js';
import type { casesOf } from '../contract-case.js';

/** A new, empty catalogue, opened for one case. @public */
export interface OpenStore {
  /** A handle of it. */
  readonly store: ScheduleStore;
  /** One more handle of the same data; absent where a second one cannot be opened. */
  another?(): Promise<ScheduleStore>;
  /** Ends every handle as a kill would, and opens the data anew; absent where nothing survives the process. */
  reopen?(): Promise<ScheduleStore>;
  /** Releases everything, and removes the data. */
  close(): Promise<void>;
}

/** Makes one case of the contract of stores. @internal */
export type StoreCase = ReturnType<typeof casesOf<OpenStore>>;
