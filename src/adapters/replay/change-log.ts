/**
 * The log of changes: which schedules the last commits changed, in order, so that a reader gets what is new to it alone.
 *
 * It goes back to a floor and no further: whoever knows less reads everything. An id may stand in it more than once, and
 * only its last place counts. Ids are folded.
 */

/** A schedule that a commit changed or removed. @internal */
export interface LoggedChange {
  readonly seq: number;
  readonly id: string;
}

/** Changes remembered before the older half is forgotten. */
const CHANGES_KEPT = 32_768;

/** See the head of this file. @internal */
export class ChangeLog {
  #changes: LoggedChange[] = [];
  /** Commits up to this one are not in it. */
  #floor: number;

  constructor(floor: number) {
    this.#floor = floor;
  }

  /** Adds a change of the newest commit. */
  add(seq: number, id: string): void {
    if (this.#changes.length >= CHANGES_KEPT) {
      const half = this.#changes.length / 2;
      this.#floor = (this.#changes[half - 1] as LoggedChange).seq;
      this.#changes = this.#changes.slice(half);
    }
    this.#changes.push({ seq, id });
  }

  /** Changes after a commit, oldest first; nothing where it lies before what is remembered. */
  after(since: number): readonly LoggedChange[] | undefined {
    if (since < this.#floor) return undefined;
    let low = 0;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#changes[middle] as LoggedChange).seq <= since) low = middle + 1;
      else high = middle;
    }
    return this.#changes.slice(low);
  }
}
