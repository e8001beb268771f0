/**
 * What readers of a store are given of a schedule: what the port promises, without the counts that a store keeps beside it.
 */
import { foldId } from '../../core/model/catalogue.js';
import type { EpochMs } from '../../core/time/instant.js';
import type { StoredEntry } from '../../ports/schedule-store.js';
import type { KeptOfRevision } from './kept-requests.js';

/** A schedule as a store holds it, as far as readers hear of it. */
interface Held extends Pick<StoredEntry, 'entry' | 'changeSeq'> {
  readonly pruned?: { readonly revision: number; readonly through: EpochMs };
}

/** Schedules with all request ids that their revisions keep, one by one. @internal */
export function* entriesOf(
  all: readonly Held[],
  requests: ReadonlyMap<string, KeptOfRevision>,
): Generator<StoredEntry> {
  for (const stored of all) {
    const book = requests.size === 0 ? undefined : requests.get(foldId(stored.entry.schedule.id));
    const isCurrent = book?.revision === stored.entry.schedule.revision;
    yield asRead(stored, isCurrent ? book.kept.map(({ request }) => request) : []);
  }
}

/** A schedule with these request ids. @internal */
export function asRead(stored: Held, requests: readonly string[]): StoredEntry {
  const { entry, changeSeq, pruned } = stored;
  const read: { -readonly [K in keyof StoredEntry]: StoredEntry[K] } = { entry, changeSeq };
  if (pruned !== undefined) read.prunedThrough = pruned.through;
  if (requests.length > 0) read.requests = requests;
  return read;
}
