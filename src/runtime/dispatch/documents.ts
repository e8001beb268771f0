/**
 * The pinned documents that dispatch needs, read from the store once and kept while they are in use.
 *
 * A document is named by its digest and never changes, so a kept one is never stale. Those used longest ago go first.
 */
import type { JsonObject } from '../../core/model/declaration.js';
import type { ScheduleStore } from '../../ports/schedule-store.js';

/** Documents kept at most; each has at most 1 MiB. */
const MOST_KEPT = 32;

/** See the head of this file. @internal */
export class PinnedDocuments {
  readonly #store: ScheduleStore;
  readonly #kept = new Map<string, Promise<JsonObject>>();

  constructor(store: ScheduleStore) {
    this.#store = store;
  }

  /** The document of a digest; rejects with what the store rejects with, and asks again the next time. */
  get(digest: string): Promise<JsonObject> {
    const document = this.#kept.get(digest) ?? this.#read(digest);
    this.#kept.delete(digest);
    this.#kept.set(digest, document);
    if (this.#kept.size > MOST_KEPT) this.#forgetOldest();
    return document;
  }

  #read(digest: string): Promise<JsonObject> {
    const reading = this.#store.document(digest);
    reading.catch(() => {
      if (this.#kept.get(digest) === reading) this.#kept.delete(digest);
    });
    return reading;
  }

  #forgetOldest(): void {
    for (const digest of this.#kept.keys()) {
      this.#kept.delete(digest);
      return;
    }
  }
}
