/**
 * Work of this process that has not ended, whichever of its owners began it (OC-11, CT-15).
 *
 * An owner may end before its handlers do: a tick is over, or an owner is stopped and started again. Who owns the catalogue
 * next in this process must know what still runs, since a newer epoch alone proves nothing about it.
 */

/** See the head of this file. @internal */
export class UnendedWork {
  readonly #ends = new Map<string, Promise<void>>();

  /** Remembers the work of an occurrence until it ends, however that may be. */
  add(occurrence: string, work: Promise<unknown>): void {
    const over = () => {
      if (this.#ends.get(occurrence) === end) this.#ends.delete(occurrence);
    };
    const end: Promise<void> = work.then(over, over);
    this.#ends.set(occurrence, end);
  }

  /** Whether the work of an occurrence has not ended. */
  has(occurrence: string): boolean {
    return this.#ends.has(occurrence);
  }

  /** When the work of an occurrence has ended; at once where none is known. Never rejects. */
  async ended(occurrence: string): Promise<void> {
    await this.#ends.get(occurrence);
  }
}
