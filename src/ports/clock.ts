/**
 * The clock: the only source of time and of waiting in the runtime.
 *
 * Clauses:
 * - C-1 `now` is the wall clock in whole milliseconds; it may step either way.
 * - C-2 `monotonic` never goes back and is not moved by steps of the wall clock.
 * - C-3 `sleep` resolves no earlier than asked by `monotonic`, and rejects with `SCHEDULE_ABORTED` soon after its signal fires.
 * - C-4 `sleep` takes 0..2147483647 milliseconds; more is the caller's fault.
 */
import type { EpochMs } from '../core/time/instant.js';
import type { CallOptions } from './schedule-store.js';

/** What a clock promises. @public */
export interface ClockCapabilities {
  /** True for a clock that moves only when it is told to. */
  readonly isVirtual: boolean;
}

/** See the clauses at the head of this file. @public */
export interface Clock {
  /** What this clock promises. */
  readonly capabilities: ClockCapabilities;
  /** Wall clock (C-1). */
  now(): EpochMs;
  /** Milliseconds of a clock that never steps; its zero means nothing (C-2). */
  monotonic(): number;
  /** Waits (C-3, C-4). */
  sleep(ms: number, options?: CallOptions): Promise<void>;
}
