/**
 * Watching the clock: steps of the wall clock against the monotonic one (CO-6).
 *
 * A step forward, or a machine that slept, is a span in which nobody looked; it explains what was missed (MF-4).
 */
import type { HeldSpan } from '../../core/model/schedule.js';
import { type EpochMs, epochMs, formatInstant } from '../../core/time/instant.js';
import type { Clock } from '../../ports/clock.js';
import type { EventHub } from '../events.js';

/** A difference between the clocks from which on it is called a step. */
const STEP_MS = 2000;

/** Spans that are kept to explain what was missed. */
const SPANS_KEPT = 8;

/** Notes steps of the wall clock, and the spans in which nobody looked. @internal */
export class ClockWatch {
  readonly #clock: Clock;
  readonly #events: EventHub;
  readonly #spans: HeldSpan[] = [];
  #wall: EpochMs;
  #monotonic: number;

  constructor(clock: Clock, events: EventHub) {
    this.#clock = clock;
    this.#events = events;
    this.#wall = clock.now();
    this.#monotonic = clock.monotonic();
  }

  /** Spans in which nobody looked, oldest first. */
  get spans(): readonly HeldSpan[] {
    return this.#spans;
  }

  /** Keeps a span. */
  note(span: HeldSpan): void {
    this.#spans.push(span);
    if (this.#spans.length > SPANS_KEPT) this.#spans.shift();
  }

  /** The time now; compares the clocks since the last look and tells of a step. */
  look(): EpochMs {
    const now = this.#clock.now();
    const monotonic = this.#clock.monotonic();
    const expected = epochMs(Math.round(this.#wall + (monotonic - this.#monotonic)));
    this.#wall = now;
    this.#monotonic = monotonic;
    const stepMs = now - expected;
    if (Math.abs(stepMs) <= STEP_MS) return now;
    if (stepMs > 0) this.note({ cause: 'clockStep', from: expected, until: now });
    const way = stepMs > 0 ? 'forward' : 'back';
    const detail = `The clock went ${way} by ${Math.abs(stepMs)} ms, from ${formatInstant(expected)} to ${formatInstant(now)}.`;
    this.#events.emit({ type: 'owner', at: now, change: 'clockStep', detail });
    return now;
  }
}
