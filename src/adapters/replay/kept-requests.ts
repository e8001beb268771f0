/**
 * Kept request ids: what a store remembers of manual occurrences for as long as their revision lasts (OC-1, S-14).
 *
 * They come with the record that a caller's request made, and outlive it. A new revision or a removal drops those of the
 * schedule at once. What a commit costs does not depend on how many there are. Ids of schedules are folded.
 */
import { foldId } from '../../core/model/catalogue.js';
import { type Occurrence, requestIdOf } from '../../core/model/occurrence.js';

/** A request id, as spelled, with the commit that brought it, or a later one. @internal */
export interface KeptRequest {
  readonly request: string;
  readonly seq: number;
}

/** Request ids of one revision of a schedule, oldest first. @internal */
export interface KeptOfRevision {
  readonly revision: number;
  readonly kept: readonly KeptRequest[];
}

/** The request id of an occurrence that has one to be kept. @internal */
export function keptRequestOf(occurrence: Occurrence): string | undefined {
  return occurrence.isRequestKept === true ? requestIdOf(occurrence) : undefined;
}

interface Book {
  readonly revision: number;
  readonly kept: KeptRequest[];
  readonly folded: Set<string>;
}

/** See the head of this file. @internal */
export class KeptRequests {
  readonly #books = new Map<string, Book>();

  constructor(content: ReadonlyMap<string, KeptOfRevision> = new Map()) {
    for (const [id, { revision, kept }] of content) this.#add(id, revision, kept);
  }

  /** Whether a request id of this revision is known, in any case of letters. */
  has(id: string, revision: number, request: string): boolean {
    const book = this.#books.get(id);
    return book?.revision === revision && book.folded.has(foldId(request));
  }

  /** Those of a revision that came after a commit, as spelled and oldest first; perhaps a few that came before. */
  since(id: string, revision: number, seq: number): readonly string[] {
    const book = this.#books.get(id);
    if (book?.revision !== revision) return [];
    let from = book.kept.length;
    while (from > 0 && (book.kept[from - 1] as KeptRequest).seq > seq) from--;
    return book.kept.slice(from).map(({ request }) => request);
  }

  /** Takes in what a commit brought to a schedule, which is at this revision from then on. */
  follow(id: string, revision: number, added: readonly KeptRequest[]): void {
    if (this.#books.get(id)?.revision !== revision) this.#books.delete(id);
    if (added.length > 0) this.#add(id, revision, added);
  }

  /** Forgets those of a schedule that is gone. */
  remove(id: string): void {
    this.#books.delete(id);
  }

  /** Everything as it is now, whatever comes later. */
  content(): ReadonlyMap<string, KeptOfRevision> {
    const copies = [...this.#books].map(([id, { revision, kept }]) => [id, { revision, kept: kept.slice() }] as const);
    return new Map(copies);
  }

  #add(id: string, revision: number, added: readonly KeptRequest[]): void {
    const book = this.#books.get(id) ?? { revision, kept: [], folded: new Set<string>() };
    this.#books.set(id, book);
    for (const one of added) {
      book.kept.push(one);
      book.folded.add(foldId(one.request));
    }
  }
}
