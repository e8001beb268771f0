/**
 * The candidates for dispatch under one concurrency key. Nearly always there is one, since a key is a schedule's own
 * unless its author shares it; so a heap is made for the second one only.
 */
import { IndexedHeap } from './indexed-heap.js';

/** Values by id, least first. @internal */
export class KeyGroup<T extends { readonly id: string }> {
  readonly #compare: (a: T, b: T) => number;
  #only: T | undefined;
  #heap: IndexedHeap<T> | undefined;

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  /** Whether nothing is in it. */
  get isEmpty(): boolean {
    return this.#only === undefined && (this.#heap?.size ?? 0) === 0;
  }

  /** The member of this id. */
  get(id: string): T | undefined {
    return this.#only?.id === id ? this.#only : this.#heap?.get(id);
  }

  /** The least member. */
  peek(): T | undefined {
    return this.#only ?? this.#heap?.peek();
  }

  /** Puts a member in that is not there yet. */
  add(member: T): void {
    if (this.isEmpty && this.#heap === undefined) {
      this.#only = member;
      return;
    }
    this.#heap ??= new IndexedHeap(this.#compare);
    if (this.#only !== undefined) this.#heap.set(this.#only.id, this.#only);
    this.#only = undefined;
    this.#heap.set(member.id, member);
  }

  /** Takes a member out. */
  delete(id: string): void {
    if (this.#only?.id === id) this.#only = undefined;
    else this.#heap?.delete(id);
  }
}
