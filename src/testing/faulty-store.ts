/**
 * A store in trouble: wraps any store, and fails or "crashes" at the calls that a test names.
 *
 * A failure rejects one call. A crash stands for the death of the process: its call and every later one reject, and nobody
 * is called back any more; what was committed before stays in the wrapped store, for whoever opens it next.
 */
import { ScheduleError } from '../errors.js';
import type { ScheduleStore } from '../ports/schedule-store.js';

/** Calls of a store that can be made to fail. @public */
export type StoreCall = 'changes' | 'commit' | 'history' | 'document';

/** A trouble that was arranged. @public */
export interface StoreTrouble {
  /** Counted from 1, among calls of `of` alone where that is given, from now on. */
  readonly call: number;
  /** Which calls are counted; all four kinds where absent. */
  readonly of?: StoreCall;
  /** Before the call has an effect, or after it. A failure after the effect is what no honest store does (S-12). */
  readonly when: 'before' | 'after';
  /** See the head of this file. */
  readonly kind: 'fail' | 'crash';
  /** What a failing call rejects with; `SCHEDULE_STORE_UNAVAILABLE` where absent. */
  readonly error?: unknown;
}

/** See the head of this file. @public */
export interface FaultyStore extends ScheduleStore {
  /** Every call that was made, oldest first. */
  readonly calls: readonly StoreCall[];
  /** True once it has crashed. */
  readonly isCrashed: boolean;
  /** Arranges a trouble, beside those that are arranged already. */
  arrange(trouble: StoreTrouble): void;
  /** Takes back what was arranged and has not happened yet; a crash stays. */
  calm(): void;
}

/** What every call rejects with once a {@link FaultyStore} has crashed; no `ScheduleError`, for no store gives it. @public */
export class SimulatedCrash extends Error {
  constructor() {
    super('The process of this store has crashed, as the test arranged it.');
    this.name = 'SimulatedCrash';
  }
}

/** Wraps a store, with troubles to come. @public */
export function faultyStore(store: ScheduleStore, troubles: readonly StoreTrouble[] = []): FaultyStore {
  const faulty = new Faulty(store);
  for (const trouble of troubles) faulty.arrange(trouble);
  return faulty;
}

class Faulty implements FaultyStore {
  readonly capabilities: ScheduleStore['capabilities'];
  readonly calls: StoreCall[] = [];
  readonly #store: ScheduleStore;
  readonly #unwatch = new Set<() => void>();
  #troubles: { readonly trouble: StoreTrouble; left: number }[] = [];
  #isCrashed = false;

  constructor(store: ScheduleStore) {
    this.#store = store;
    this.capabilities = store.capabilities;
  }

  get isCrashed(): boolean {
    return this.#isCrashed;
  }

  arrange(trouble: StoreTrouble): void {
    this.#troubles.push({ trouble, left: trouble.call });
  }

  calm(): void {
    this.#troubles = [];
  }

  changes(...given: Parameters<ScheduleStore['changes']>): ReturnType<ScheduleStore['changes']> {
    return this.#call('changes', () => this.#store.changes(...given));
  }

  commit(...given: Parameters<ScheduleStore['commit']>): ReturnType<ScheduleStore['commit']> {
    return this.#call('commit', () => this.#store.commit(...given));
  }

  history(...given: Parameters<ScheduleStore['history']>): ReturnType<ScheduleStore['history']> {
    return this.#call('history', () => this.#store.history(...given));
  }

  document(...given: Parameters<ScheduleStore['document']>): ReturnType<ScheduleStore['document']> {
    return this.#call('document', () => this.#store.document(...given));
  }

  watch(onChange: () => void): () => void {
    if (this.#isCrashed) throw new SimulatedCrash();
    const stop = this.#store.watch(() => {
      if (!this.#isCrashed) onChange();
    });
    this.#unwatch.add(stop);
    return stop;
  }

  async close(): Promise<void> {
    if (!this.#isCrashed) await this.#store.close();
  }

  async #call<T>(name: StoreCall, call: () => Promise<T>): Promise<T> {
    if (this.#isCrashed) throw new SimulatedCrash();
    this.calls.push(name);
    const trouble = this.#due(name);
    if (trouble?.when === 'before') throw this.#happen(trouble, name);
    // A process that dies in this call hears of nothing that the call brings about.
    if (trouble?.kind === 'crash') this.#stopWatching();
    const answer = await call();
    // Another call may have crashed the process while this one was under way.
    if (this.#isCrashed) throw new SimulatedCrash();
    if (trouble !== undefined) throw this.#happen(trouble, name);
    return answer;
  }

  #due(name: StoreCall): StoreTrouble | undefined {
    let due: StoreTrouble | undefined;
    for (const arranged of this.#troubles) {
      const { of } = arranged.trouble;
      if (of !== undefined && of !== name) continue;
      arranged.left -= 1;
      if (arranged.left === 0) due ??= arranged.trouble;
    }
    this.#troubles = this.#troubles.filter(({ left }) => left > 0);
    return due;
  }

  #stopWatching(): void {
    for (const stop of this.#unwatch) stop();
    this.#unwatch.clear();
  }

  #happen(trouble: StoreTrouble, name: StoreCall): unknown {
    if (trouble.kind === 'crash') {
      this.#isCrashed = true;
      this.#stopWatching();
      return new SimulatedCrash();
    }
    const { error = new ScheduleError('SCHEDULE_STORE_UNAVAILABLE', `The store failed at ${name}, as arranged.`) } =
      trouble;
    return error;
  }
}
