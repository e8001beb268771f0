/**
 * Retries that wait in this process: what is known of them beyond their records, and how long they wait (OC-5).
 *
 * The wait is measured by the monotonic clock where the process that began it still runs: a step of the wall clock makes
 * no retry earlier or later. What another process began goes by the instant in its record.
 */
import type { Plan } from '../../ports/execution-service.js';
import { IndexedHeap } from '../catalogue/indexed-heap.js';

/** What this process knows of an occurrence beyond its record. @internal */
export interface Remembered {
  /** Its first claim, by the monotonic clock; absent where another process made it. */
  readonly firstClaimedAt?: number;
  /** Its pinned plan. */
  readonly plan?: Plan;
}

/** A retry whose wait this process measures. @internal */
export interface WaitingRetry {
  /** The occurrence. */
  readonly occurrence: string;
  /** Its schedule. */
  readonly scheduleId: string;
  /** When the wait is over, by the monotonic clock. */
  readonly readyAt: number;
}

/** Retries that are remembered at most; one that is forgotten is planned again and goes by the wall clock. */
const MOST_REMEMBERED = 10_000;

/** See the head of this file. @internal */
export class WaitingRetries {
  readonly #known = new Map<string, Remembered>();
  readonly #waits = new IndexedHeap<WaitingRetry>((a, b) => a.readyAt - b.readyAt);

  /** When the next wait is over. */
  get nextAt(): number | undefined {
    return this.#waits.peek()?.readyAt;
  }

  /** Keeps what is known of an occurrence until it is claimed again. */
  remember(occurrence: string, memory: Remembered): void {
    this.#known.set(occurrence, memory);
    if (this.#known.size <= MOST_REMEMBERED) return;
    for (const oldest of this.#known.keys()) {
      this.take(oldest);
      return;
    }
  }

  /** Measures the wait of an occurrence. */
  measure(wait: WaitingRetry): void {
    this.#waits.set(wait.occurrence, wait);
  }

  /** What is known of an occurrence; it is forgotten. */
  take(occurrence: string): Remembered {
    const memory = this.#known.get(occurrence);
    this.#known.delete(occurrence);
    this.#waits.delete(occurrence);
    return memory ?? {};
  }

  /** Whether an occurrence has to wait still, whatever the wall clock says. */
  isEarly(occurrence: string, monotonic: number): boolean {
    return (this.#waits.get(occurrence)?.readyAt ?? monotonic) > monotonic;
  }

  /** One whose wait is over, and is no longer measured. */
  nextOver(monotonic: number): WaitingRetry | undefined {
    const next = this.#waits.peek();
    if (next === undefined || next.readyAt > monotonic) return undefined;
    this.#waits.delete(next.occurrence);
    return next;
  }
}
