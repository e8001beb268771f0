/**
 * What the contract of stores judges: a new, empty catalogue with as many handles as its adapter can give, and what it takes
 * to kill its process, to cut its power and to spoil its disk.
 */
import type { ScheduleStore, StoreCapabilities } from '../../../ports/schedule-store.js';
import type { ContractSubject, casesOf, Needs } from '../contract-case.js';

/**
 * A new, empty catalogue, opened for one case. What a store promises has to be judged: `survivesProcessDeath` by `reopen`,
 * `survivesPowerLoss` by `cutPower`, `isSharedBetweenProcesses` by `another`.
 *
 * @public
 */
export interface OpenStore extends ContractSubject {
  /** A handle of it. */
  readonly store: ScheduleStore;
  /** One more handle of the same data; absent where a second one cannot be opened. */
  another?(): Promise<ScheduleStore>;
  /** Ends every handle as a kill would, and opens the data anew; absent where nothing survives the process. */
  reopen?(): Promise<ScheduleStore>;
  /** Ends every handle, lets the medium lose all that was not flushed to it, and opens the data anew. */
  cutPower?(): Promise<ScheduleStore>;
  /** Makes every write of this data fail, as a full disk does, until the function that comes back is called. */
  spoilWrites?(): Promise<() => void | Promise<void>>;
}

/** Makes one case of the contract of stores. @internal */
export type StoreCase = ReturnType<typeof casesOf<OpenStore>>;

/** What a case needs to hold a store to a promise. @internal */
export function toJudge<Offer extends 'another' | 'reopen' | 'cutPower'>(
  offer: Offer,
  capability: keyof StoreCapabilities,
): Needs<OpenStore, Offer> {
  return { offer, promise: { capability, isMade: ({ store }) => store.capabilities[capability] } };
}
