/**
 * The owners of one process: whether one of them holds the lock, and how all of them are stopped (OW-1, OW-4).
 *
 * However many owners a host makes of its schedules, one at a time holds the lock. Closing the schedules stops it first,
 * so that it ends as a stop does and not as if its lock had been taken away.
 */
import { closedError } from './commit/commit.js';

/** One run, from before it takes the lock until it has given it back. @internal */
export interface OwnTerm {
  /** Fires when the host asks for a stop, or the schedules are closed. */
  readonly stop: AbortSignal;
  /** Whether it holds the lock. */
  isHolder: boolean;
  /** Tells that it is over. */
  leave(): void;
}

interface Open extends OwnTerm {
  readonly controller: AbortController;
  readonly left: Promise<void>;
}

/** See the head of this file. @internal */
export class OwnTerms {
  readonly #open = new Set<Open>();
  #isClosed = false;

  /** Whether an owner of this process holds the lock. */
  get isHeldHere(): boolean {
    return [...this.#open].some(({ isHolder }) => isHolder);
  }

  /** Begins a run that ends when its signal fires; `SCHEDULE_CLOSED` once the schedules are closing. */
  enter(signal: AbortSignal | undefined): OwnTerm {
    if (this.#isClosed) throw closedError();
    const controller = new AbortController();
    const pass = () => controller.abort(signal?.reason);
    if (signal?.aborted === true) pass();
    signal?.addEventListener('abort', pass);
    let tellLeft = () => {};
    const left = new Promise<void>((resolve) => {
      tellLeft = resolve;
    });
    const leave = () => {
      signal?.removeEventListener('abort', pass);
      this.#open.delete(term);
      tellLeft();
    };
    const term: Open = { stop: controller.signal, isHolder: false, leave, controller, left };
    this.#open.add(term);
    return term;
  }

  /** Asks every run to stop and resolves once all are over; none begins from now on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const open = [...this.#open];
    for (const { controller } of open) controller.abort();
    await Promise.all(open.map(({ left }) => left));
  }
}
