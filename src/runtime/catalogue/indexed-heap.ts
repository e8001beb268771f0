/**
 * A binary heap whose members have ids, so that any of them can be replaced or taken out in O(log n).
 *
 * The indexes of the catalogue are made of it: what is due when, which retries wait, who is dispatched next. A change
 * of one schedule moves one member; nothing is ever scanned or rebuilt for it (OW-8).
 */

/** Values by id, least first. @internal */
export class IndexedHeap<T> {
  readonly #compare: (a: T, b: T) => number;
  readonly #ids: string[] = [];
  readonly #values: T[] = [];
  readonly #at = new Map<string, number>();

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  /** How many members there are. */
  get size(): number {
    return this.#ids.length;
  }

  /** The member of this id. */
  get(id: string): T | undefined {
    const index = this.#at.get(id);
    return index === undefined ? undefined : this.#values[index];
  }

  /** The least member. */
  peek(): T | undefined {
    return this.#values[0];
  }

  /** Puts a member in, or replaces the one of this id. */
  set(id: string, value: T): void {
    const index = this.#at.get(id) ?? this.#ids.length;
    this.#place(index, id, value);
    this.#settle(index);
  }

  /** Takes a member out; one that is not there changes nothing. */
  delete(id: string): void {
    const index = this.#at.get(id);
    if (index === undefined) return;
    this.#at.delete(id);
    const lastId = this.#ids.pop() as string;
    const lastValue = this.#values.pop() as T;
    if (index === this.#ids.length) return;
    this.#place(index, lastId, lastValue);
    this.#settle(index);
  }

  /** Members from the least on, one after the other; the heap must not change meanwhile. */
  *inOrder(): Generator<T> {
    // A member comes after its parent, so the next one is always among the children of those that had their turn.
    const open = new IndexedHeap<number>((a, b) => this.#compare(this.#values[a] as T, this.#values[b] as T));
    if (this.size > 0) open.set('0', 0);
    for (let index = open.peek(); index !== undefined; index = open.peek()) {
      yield this.#values[index] as T;
      open.delete(String(index));
      for (const child of [2 * index + 1, 2 * index + 2]) if (child < this.size) open.set(String(child), child);
    }
  }

  /** Every member for which `isWithin` holds, in no order; it must hold for whatever is less than one that it holds for. */
  within(isWithin: (value: T) => boolean): T[] {
    const found: T[] = [];
    const open = [0];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (index >= this.#values.length || !isWithin(this.#values[index] as T)) continue;
      found.push(this.#values[index] as T);
      open.push(2 * index + 1, 2 * index + 2);
    }
    return found;
  }

  #place(index: number, id: string, value: T): void {
    this.#ids[index] = id;
    this.#values[index] = value;
    this.#at.set(id, index);
  }

  #settle(start: number): void {
    const id = this.#ids[start] as string;
    const value = this.#values[start] as T;
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.#compare(value, this.#values[parent] as T) >= 0) break;
      this.#place(index, this.#ids[parent] as string, this.#values[parent] as T);
      index = parent;
    }
    for (let child = this.#lesserChild(index); child !== undefined; child = this.#lesserChild(index)) {
      if (this.#compare(this.#values[child] as T, value) >= 0) break;
      this.#place(index, this.#ids[child] as string, this.#values[child] as T);
      index = child;
    }
    this.#place(index, id, value);
  }

  #lesserChild(index: number): number | undefined {
    const left = 2 * index + 1;
    if (left >= this.#values.length) return undefined;
    const right = left + 1;
    const isRight = right < this.#values.length && this.#compare(this.#values[right] as T, this.#values[left] as T) < 0;
    return isRight ? right : left;
  }
}
