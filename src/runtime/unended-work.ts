/**
 * Work on a catalogue that has not ended in this process, whichever of its owners began it (OC-11, CT-15).
 *
 * An owner may end before its handlers do: a tick is over, an owner is stopped and started again, the schedules are closed
 * and opened anew. Who owns the catalogue next in this process must know what still runs, since a newer epoch alone proves
 * nothing about it. So the ends are kept by the process, each under its catalogue, until they come.
 */

/** See the head of this file. @internal */
export class UnendedWork {
  readonly #catalogue: string;
  readonly #ends: Map<string, Promise<void>>;

  /** `ends` are those of the whole process; `catalogue` is nobody else's in it. */
  constructor(catalogue = '', ends = new Map<string, Promise<void>>()) {
    this.#catalogue = catalogue;
    this.#ends = ends;
  }

  /** Remembers the work of an occurrence until it ends, however that may be. */
  add(occurrence: string, work: Promise<unknown>): void {
    const key = this.#keyOf(occurrence);
    const over = () => {
      if (this.#ends.get(key) === end) this.#ends.delete(key);
    };
    const end: Promise<void> = work.then(over, over);
    this.#ends.set(key, end);
  }

  /** Whether the work of an occurrence has not ended. */
  has(occurrence: string): boolean {
    return this.#ends.has(this.#keyOf(occurrence));
  }

  /** When the work of an occurrence has ended; at once where none is known. Never rejects. */
  async ended(occurrence: string): Promise<void> {
    await this.#ends.get(this.#keyOf(occurrence));
  }

  /** No id holds a line end, and what comes before it is one catalogue. */
  #keyOf(occurrence: string): string {
    return `${this.#catalogue}\n${occurrence}`;
  }
}
