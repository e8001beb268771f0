/**
 * The time of a bench: it passes only where everybody waits for it, and sleepers wake in their order. A process that has ended
 * sleeps for ever, and one that is stopped wakes when it goes on.
 */
import { type EpochMs, epochMs } from '../../../src/core/time/instant.js';
import { ScheduleError } from '../../../src/errors.js';
import type { Clock } from '../../../src/ports/clock.js';
import type { CallOptions } from '../../../src/ports/schedule-store.js';

/** Whoever may sleep. */
export interface Sleeper {
  /** It never wakes. */
  readonly isEnded: boolean;
  /** It wakes later. */
  readonly isStopped: boolean;
}

interface Waiting {
  readonly at: number;
  readonly sleeper: Sleeper;
  wake(): void;
}

/** Turns of the event loop in which nothing comes of a goal, though nobody sleeps, before it is given up. */
const MOST_IDLE_TURNS = 2000;
/** The same in real milliseconds: something may be loaded for the first time. */
const MOST_IDLE_MS = 10_000;
/** Virtual time in which a goal must be reached (milliseconds). */
const LONGEST_MS = 2 * 3_600_000;

/** See the head of this file. */
export class BenchTime {
  #elapsed: number;
  #offset: number;
  #waiting: Waiting[] = [];

  constructor(startsAt: number, elapsed = 0) {
    this.#offset = startsAt;
    this.#elapsed = elapsed;
  }

  /** Milliseconds that have passed, whatever the wall clock says. */
  get elapsed(): number {
    return this.#elapsed;
  }

  /** The wall clock. */
  now(): EpochMs {
    return epochMs(this.#offset + this.#elapsed);
  }

  /** The same time, to go on apart. */
  fork(): BenchTime {
    return new BenchTime(this.#offset, this.#elapsed);
  }

  /** Lets time pass in which nobody does anything: who sleeps wakes later. */
  pass(ms: number): void {
    this.#elapsed += ms;
  }

  /** Sets the wall clock forward or back. */
  step(ms: number): void {
    this.#offset += ms;
  }

  /** The clock as a process has it. */
  clockOf(sleeper: Sleeper): Clock {
    return {
      capabilities: { isVirtual: true },
      now: () => this.now(),
      monotonic: () => this.#elapsed,
      sleep: (ms, options) => this.#sleep(sleeper, ms, options),
    };
  }

  /** Lets everything run until a goal is reached; false where its process ended before, or nothing comes of it. */
  async reach(goal: Promise<unknown>, sleeper: Sleeper): Promise<boolean> {
    let isReached = false;
    const reached = () => {
      isReached = true;
    };
    goal.then(reached, reached);
    const latest = this.#elapsed + LONGEST_MS;
    let idleTurns = 0;
    let idleSince = 0;
    while (!isReached && this.#elapsed <= latest) {
      await turn();
      if (isReached || sleeper.isEnded) break;
      if (this.#wakeNext()) idleTurns = 0;
      else if (++idleTurns === MOST_IDLE_TURNS) idleSince = performance.now();
      else if (idleTurns > MOST_IDLE_TURNS && performance.now() - idleSince > MOST_IDLE_MS) break;
    }
    return isReached;
  }

  #sleep(sleeper: Sleeper, ms: number, { signal }: CallOptions = {}): Promise<void> {
    if (sleeper.isEnded) return new Promise(() => {});
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(aborted());
      const stop = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        reject(aborted());
      };
      const wake = () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const waiting = { at: this.#elapsed + Math.max(1, ms), sleeper, wake };
      signal?.addEventListener('abort', stop, { once: true });
      this.#waiting.push(waiting);
    });
  }

  #wakeNext(): boolean {
    this.#waiting = this.#waiting.filter(({ sleeper }) => !sleeper.isEnded);
    let next: Waiting | undefined;
    for (const one of this.#waiting) {
      if (!one.sleeper.isStopped && (next === undefined || one.at < next.at)) next = one;
    }
    if (next === undefined) return false;
    this.#waiting = this.#waiting.filter((other) => other !== next);
    this.#elapsed = Math.max(this.#elapsed, next.at);
    next.wake();
    return true;
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function aborted(): ScheduleError {
  return new ScheduleError('SCHEDULE_ABORTED', 'A wait was given up because its signal fired.');
}
