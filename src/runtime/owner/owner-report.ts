/**
 * What an owner says of itself beside the lock, for `status` (OW-1): advice that decides nothing.
 *
 * It is left as soon as the lock is taken, when the epoch is known, then at most every 30 s and only when the owner ticks,
 * and once more at the end.
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
  #formerTickAt: EpochMs | undefined;
  #tickedAt: EpochMs | undefined;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(on: ReportParts) {
    this.#on = on;
  }

  /** The report as of now. */
  get report(): OwnerReport {
    const { process, since, epoch, running } = this.#on;
    const lastTickAt = this.#tickedAt ?? this.#formerTickAt ?? since;
    return { ...process, epoch: epoch(), since, lastTickAt, running: running() };
  }

  /** Says who holds the lock now; until its first tick it hands on when the owner before it ticked last (MF-4). */
  async begin(former: OwnerReport | undefined): Promise<void> {
    this.#formerTickAt = former?.lastTickAt;
    await this.#leave();
  }

  /** Notes a tick, and leaves a report where the last one is old; `isForced`: in any case. */
  async tick(isForced = false): Promise<void> {
    const { clock, since } = this.#on;
    this.#tickedAt = epochMs(Math.max(this.#tickedAt ?? since, clock.now()));
    const monotonic = clock.monotonic();
    if (!isForced && monotonic - this.#reportedAt < REPORT_EVERY_MS) return;
    this.#reportedAt = monotonic;
    await this.#leave();
  }

  /** A report is advice: an owner that cannot leave one goes on (L-5). */
  async #leave(): Promise<void> {
    await this.#on.lease.note(this.report).catch(() => undefined);
  }
}
