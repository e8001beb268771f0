/**
 * What an owner says of itself beside the lock, for `status` (OW-1): advice that decides nothing.
 *
 * It is left at the start, then at most every 30 s and only when the owner ticks, and once more at the end.
 */
import { type EpochMs, epochMs } from '../../core/time/instant.js';
import type { Clock } from '../../ports/clock.js';
import type { Lease, OwnerReport } from '../../ports/owner-lock.js';

/** Shortest time between two reports, in milliseconds. */
const REPORT_EVERY_MS = 30_000;

/** What a report is made of. @internal */
export interface ReportParts {
  readonly clock: Clock;
  readonly lease: Lease;
  readonly process: { readonly pid: number; readonly host: string };
  readonly since: EpochMs;
  readonly epoch: () => number;
  readonly running: () => readonly string[];
}

/** See the head of this file. @internal */
export class OwnerReporter {
  readonly #on: ReportParts;
  #lastTickAt: EpochMs;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(on: ReportParts) {
    this.#on = on;
    this.#lastTickAt = on.since;
  }

  /** The report as of now. */
  get report(): OwnerReport {
    const { process, since, epoch, running } = this.#on;
    return { ...process, epoch: epoch(), since, lastTickAt: this.#lastTickAt, running: running() };
  }

  /** Notes a tick, and leaves a report where the last one is old; `isForced`: in any case. */
  async tick(isForced = false): Promise<void> {
    const { clock, lease } = this.#on;
    this.#lastTickAt = epochMs(Math.max(this.#lastTickAt, clock.now()));
    const monotonic = clock.monotonic();
    if (!isForced && monotonic - this.#reportedAt < REPORT_EVERY_MS) return;
    this.#reportedAt = monotonic;
    // A report is advice: an owner that cannot leave one goes on (L-5).
    await lease.note(this.report).catch(() => undefined);
  }
}
