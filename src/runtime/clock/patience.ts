/**
 * How long an owner waits for a store that does not answer (OW-4, OW-7).
 *
 * A commit may wait behind a lock that another process holds, and for as long the owner can do nothing. After two seconds
 * observers are told. An owner that is to stop waits for its drain limit, and then as long as its commits get on; once they
 * do not for two seconds, it ends without them: what is not recorded is interrupted work for the next owner.
 */
import type { Clock } from '../../ports/clock.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import type { Committer } from '../commit/commit.js';
import type { Deadlines } from './deadlines.js';

/** How long a commit may be without an answer. */
const SILENCE_MS = 2000;

/** Names of the two deadlines: no occurrence has a space in its name. */
const ANSWER = 'answer of the store';
const STOP = 'end of a stop';

/** What patience works with. @internal */
export interface PatienceParts {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly catalogue: Catalogue;
  readonly committer: Committer;
}

/** See the head of this file. @internal */
export class Patience {
  readonly #on: PatienceParts;
  #isStopping = false;

  constructor(on: PatienceParts) {
    this.#on = on;
  }

  /** Looks after every commit of this process from now on; returns what ends that. */
  watch(): () => void {
    const { clock, deadlines, committer } = this.#on;
    return committer.watchStore(() => {
      deadlines.set(ANSWER, clock.monotonic() + SILENCE_MS, () => committer.noteSilence(SILENCE_MS));
      return () => deadlines.delete(ANSWER);
    });
  }

  /** Calls `giveUp` when a stop that begins now has had its drain limit and the store does not get on; the first call counts. */
  limitStop(drainMs: number, giveUp: () => void): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.#lookAgain(drainMs + SILENCE_MS, giveUp);
  }

  #lookAgain(afterMs: number, giveUp: () => void): void {
    const { clock, deadlines, catalogue } = this.#on;
    const { seq } = catalogue;
    deadlines.set(STOP, clock.monotonic() + afterMs, () => {
      if (catalogue.seq === seq) giveUp();
      else this.#lookAgain(SILENCE_MS, giveUp);
    });
  }
}
