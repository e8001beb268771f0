/**
 * A clock that moves only when a test moves it.
 *
 * Moving wakes the sleepers one at a time, each at its exact time, and lets what it woke run before the next one: promises,
 * and file operations that were begun. Ties wake in the order in which they fell asleep. The wall clock can be stepped
 * against the monotonic one, as an operator or a time server does it.
 */
import { AssertionError } from 'node:assert';
import type { EpochMs, InstantInput } from '../core/time/instant.js';
import { epochMs, formatInstant, toEpochMs } from '../core/time/instant.js';
import { ScheduleError } from '../errors.js';
import type { Clock } from '../ports/clock.js';
import type { CallOptions } from '../ports/schedule-store.js';
import { quiet, realPause } from './quiet.js';

const LONGEST_SLEEP_MS = 2_147_483_647;

/** Virtual time that `runUntil` spends at most where it is not told otherwise: 400 days. */
const DEFAULT_LIMIT_MS = 400 * 86_400_000;

/** Real time that `runUntil` waits for something outside of the clock, such as another process. */
const DEFAULT_REAL_LIMIT_MS = 10_000;

/** Somebody who waits for the clock. @public */
export interface Sleeper {
  /** When it wakes, by the monotonic clock. */
  readonly wakesAt: number;
  /** How long it asked to wait, in milliseconds. */
  readonly ms: number;
}

/** Bounds of `runUntil`. @public */
export interface RunLimits {
  /** Virtual milliseconds at most; 400 days where it is absent. */
  readonly limitMs?: number;
  /** Real milliseconds at most in which nobody sleeps; ten seconds where it is absent. */
  readonly realLimitMs?: number;
}

/** A clock in the hands of a test. @public */
export interface ManualClock extends Clock {
  /** Who waits now, the next to wake first. */
  sleepers(): readonly Sleeper[];
  /** Lets `ms` milliseconds pass on both clocks. */
  advance(ms: number): Promise<void>;
  /** Lets time pass until the wall clock shows `instant`; one in the past is refused. */
  advanceTo(instant: InstantInput): Promise<void>;
  /** Sets the wall clock forward, or back with a negative number; the monotonic clock and sleepers do not notice. */
  step(ms: number): void;
  /** Lets everything run that can run without time passing. */
  settle(): Promise<void>;
  /**
   * Moves from sleeper to sleeper until a condition holds. Rejects with an `AssertionError` that lists the sleepers when a
   * limit is reached first.
   */
  runUntil(condition: () => boolean | Promise<boolean>, limits?: RunLimits): Promise<void>;
  /** The same until a promise is settled; gives its value, or rejects as it does. */
  runUntil<T>(promise: Promise<T>, limits?: RunLimits): Promise<T>;
}

/**
 * A virtual clock that shows `start` until it is moved; `sleep(0)` resolves at once.
 *
 * @remarks Refuses a text that is no instant with `SCHEDULE_DECLARATION_INVALID`.
 * @public
 */
export function manualClock(start: InstantInput): ManualClock {
  return new VirtualClock(instantOf(start));
}

interface Waiting extends Sleeper {
  wake(): void;
}

class VirtualClock implements ManualClock {
  readonly capabilities = { isVirtual: true };
  /** Wall clock minus monotonic clock. */
  #offset: number;
  #monotonic = 0;
  #waiting: readonly Waiting[] = [];

  constructor(start: EpochMs) {
    this.#offset = start;
  }

  now(): EpochMs {
    return epochMs(this.#offset + this.#monotonic);
  }

  monotonic(): number {
    return this.#monotonic;
  }

  async sleep(ms: number, options: CallOptions = {}): Promise<void> {
    refuseUnless(ms >= 0 && ms <= LONGEST_SLEEP_MS, 'C-4', `a wait must be 0..${LONGEST_SLEEP_MS} milliseconds`, ms);
    const { signal } = options;
    if (signal?.aborted === true) throw aborted(signal);
    if (ms === 0) return;
    await new Promise<void>((resolve, reject) => {
      const stop = () => {
        this.#forget(sleeper);
        reject(aborted(signal));
      };
      const wake = () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const sleeper: Waiting = { wakesAt: this.#monotonic + ms, ms, wake };
      signal?.addEventListener('abort', stop, { once: true });
      // The sort is stable: who fell asleep first wakes first.
      this.#waiting = [...this.#waiting, sleeper].sort((a, b) => a.wakesAt - b.wakesAt);
    });
  }

  sleepers(): readonly Sleeper[] {
    return this.#waiting.map(({ wakesAt, ms }) => ({ wakesAt, ms }));
  }

  async advance(ms: number): Promise<void> {
    refuseUnless(Number.isInteger(ms) && ms >= 0, 'C-1', 'time passes in whole milliseconds, and forward', ms);
    const target = this.#monotonic + ms;
    await this.settle();
    for (let next = this.#waiting[0]; next !== undefined && next.wakesAt <= target; next = this.#waiting[0]) {
      await this.#wake(next);
    }
    this.#monotonic = target;
    await this.settle();
  }

  async advanceTo(instant: InstantInput): Promise<void> {
    await this.advance(instantOf(instant) - this.now());
  }

  step(ms: number): void {
    refuseUnless(Number.isInteger(ms), 'C-1', 'a step has whole milliseconds', ms);
    this.#offset += ms;
  }

  settle(): Promise<void> {
    return quiet();
  }

  async runUntil<T>(goal: Promise<T> | (() => boolean | Promise<boolean>), limits: RunLimits = {}): Promise<T> {
    const watched = typeof goal === 'function' ? conditionGoal(goal) : promiseGoal(goal);
    const until = this.#monotonic + (limits.limitMs ?? DEFAULT_LIMIT_MS);
    const realLimitMs = limits.realLimitMs ?? DEFAULT_REAL_LIMIT_MS;
    let idleMs = 0;
    for (;;) {
      await this.settle();
      if (await watched.isReached()) return (await watched.value()) as T;
      const next = this.#waiting[0];
      if (next === undefined) {
        if (idleMs >= realLimitMs) throw this.#missed(`and nobody slept for ${realLimitMs} real ms`);
        idleMs += await realPause();
        continue;
      }
      if (next.wakesAt > until) throw this.#missed('within its limit of virtual time');
      idleMs = 0;
      await this.#wake(next);
    }
  }

  async #wake(sleeper: Waiting): Promise<void> {
    this.#monotonic = Math.max(this.#monotonic, sleeper.wakesAt);
    this.#forget(sleeper);
    sleeper.wake();
    await this.settle();
  }

  #forget(sleeper: Waiting): void {
    this.#waiting = this.#waiting.filter((other) => other !== sleeper);
  }

  #missed(how: string): AssertionError {
    const waits = this.#waiting.map(({ wakesAt }) => `+${wakesAt - this.#monotonic} ms`).join(', ');
    const message = `The goal was not reached ${how}; the clock shows ${formatInstant(this.now())}, sleepers: ${waits || 'none'}.`;
    return new AssertionError({ message });
  }
}

interface Goal {
  isReached(): boolean | Promise<boolean>;
  value(): unknown;
}

function conditionGoal(condition: () => boolean | Promise<boolean>): Goal {
  return { isReached: condition, value: () => undefined };
}

function promiseGoal(promise: Promise<unknown>): Goal {
  let isSettled = false;
  const settled = () => {
    isSettled = true;
  };
  promise.then(settled, settled);
  return { isReached: () => isSettled, value: () => promise };
}

function instantOf(input: InstantInput): EpochMs {
  const instant = toEpochMs(input);
  refuseUnless(instant !== undefined, 'DE-2', 'an instant is ISO 8601 text with `Z` or an offset, or a Date', input);
  return instant as EpochMs;
}

function refuseUnless(isGood: boolean, rule: string, message: string, found: unknown): void {
  if (isGood) return;
  throw new ScheduleError('SCHEDULE_DECLARATION_INVALID', `The manual clock was used wrongly: ${message}.`, {
    details: { issues: [{ path: '', rule, message, found: String(found) }] },
  });
}

function aborted(signal: AbortSignal | undefined): ScheduleError {
  return new ScheduleError('SCHEDULE_ABORTED', 'A wait was given up because its signal fired.', {
    cause: signal?.reason,
  });
}
