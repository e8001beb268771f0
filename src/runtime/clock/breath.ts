/**
 * A breath: a real pause now and then, so that a busy owner does not starve the host.
 *
 * Work that never waits for anything outside of the process would run from promise to promise without end, and no
 * timer, signal or socket of the host would be heard meanwhile.
 */
import type { Clock } from '../../ports/clock.js';

/** Longest time without a pause, in milliseconds. */
const BREATH_MS = 8;

/** See the head of this file. @internal */
export class Breath {
  readonly #clock: Clock;
  #takenAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#takenAt = clock.monotonic();
  }

  /** Resolves at once, or after a pause where none was made for too long. */
  async take(): Promise<void> {
    if (this.#clock.monotonic() - this.#takenAt >= BREATH_MS) {
      await this.#clock.sleep(0);
      this.taken();
    }
  }

  /** Notes that somebody else has just paused. */
  taken(): void {
    this.#takenAt = this.#clock.monotonic();
  }
}
