/**
 * A promise that knows whether anybody listens to it.
 *
 * A stage or a publication whose promise the handler never awaits would otherwise fail unseen, or end the whole process as an unhandled
 * rejection. With this the attempt fails instead, which is what the author of the handler needs to see.
 */

/**
 * A promise whose rejection is never unhandled, and that notes the first `then`, `catch` or `await`.
 *
 * @internal
 */
export class HeardPromise<T> extends Promise<T> {
  #isHeard = false;

  /** Chained promises are ordinary ones. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  constructor(executor: (resolve: (value: T) => void, reject: (reason: unknown) => void) => void) {
    super(executor);
    super.then(undefined, () => undefined);
  }

  /** Whether somebody has asked for its end. */
  get isHeard(): boolean {
    return this.#isHeard;
  }

  // biome-ignore lint/suspicious/noThenProperty: hearing `then` is what this class is for.
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#isHeard = true;
    return super.then(onFulfilled, onRejected);
  }
}
