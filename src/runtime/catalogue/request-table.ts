/**
 * Kept request ids of every schedule, as the mirror knows them: which occurrence a request made already (OC-1, S-14).
 *
 * Only those of one revision are held for a schedule; another revision takes their place. Adding one twice does no harm.
 */
import { foldId } from '../../core/model/catalogue.js';
import { manualOccurrenceId } from '../../core/model/occurrence.js';
import type { Schedule } from '../../core/model/schedule.js';
import type { StoredEntry } from '../../ports/schedule-store.js';

/** A request id that is kept, as spelled, with the revision in which it made an occurrence. @internal */
export interface KeptRequest {
  /** The schedule, in any case of letters. */
  readonly scheduleId: string;
  /** Its revision. */
  readonly revision: number;
  /** The request id. */
  readonly request: string;
}

/** See the head of this file. @internal */
export class RequestTable {
  readonly #bySchedule = new Map<string, { readonly revision: number; readonly spelled: Map<string, string> }>();

  /** The occurrence that a request id, in any case of letters, made in the revision that a schedule is at. */
  occurrence({ id, revision }: Pick<Schedule, 'id' | 'revision'>, requestId: string): string | undefined {
    const known = this.#bySchedule.get(foldId(id));
    const request = known?.revision === revision ? known.spelled.get(foldId(requestId)) : undefined;
    return request === undefined ? undefined : manualOccurrenceId(id, revision, request);
  }

  /** Takes in request ids of a revision; those of another one are forgotten. */
  add(scheduleId: string, revision: number, requests: readonly string[]): void {
    const id = foldId(scheduleId);
    let known = this.#bySchedule.get(id);
    if (known?.revision !== revision) this.#bySchedule.delete(id);
    if (requests.length === 0) return;
    if (known?.revision !== revision) known = { revision, spelled: new Map() };
    this.#bySchedule.set(id, known);
    for (const request of requests) known.spelled.set(foldId(request), request);
  }

  /** Takes in what a store told of a schedule. */
  addOf({ entry, requests = [] }: StoredEntry): void {
    this.add(entry.schedule.id, entry.schedule.revision, requests);
  }

  /** Forgets those of a schedule that is gone. */
  remove(scheduleId: string): void {
    this.#bySchedule.delete(foldId(scheduleId));
  }
}
