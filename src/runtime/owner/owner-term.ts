/**
 * A term: what an owner holds and does from taking the lock to giving it back (OW-1, OW-2, OW-5).
 *
 * A term begins with the lock alone. It gets its epoch when there is something to do, and with the epoch recovery: what
 * older owners left behind is settled before anything is collected. Each turn then looks at the clock, takes in what
 * others changed, dispatches what is ready, collects what is due and dispatches again. Nothing is done once the lock is
 * gone: that is looked at in every turn and before every dispatch, and the store fences every commit by the epoch.
 */
import { type EpochMs, epochMs, formatInstant } from '../../core/time/instant.js';
import { isScheduleError, ScheduleError } from '../../errors.js';
import type { ScheduleEvent } from '../../ports/observer.js';
import type { Lease, OwnerReport } from '../../ports/owner-lock.js';
import { Breath } from '../clock/breath.js';
import { ClockStops } from '../clock/clock-stops.js';
import { ClockWatch } from '../clock/clock-watch.js';
import { Deadlines } from '../clock/deadlines.js';
import { Nap } from '../clock/nap.js';
import { Patience } from '../clock/patience.js';
import { StoreTrouble } from '../clock/store-trouble.js';
import { Dispatcher } from '../dispatch/dispatch.js';
import { PinnedDocuments } from '../dispatch/plan-pinning.js';
import type { OwnTerm } from '../own-terms.js';
import { Collector } from './collector.js';
import { lockHeld, lockLost } from './lock-errors.js';
import type { OwnerOptions, OwnerParts, TickSummary } from './owner-parts.js';
import { OwnerReporter } from './owner-report.js';
import { hasLeftBehind, recover } from './recovery.js';
import { Tally } from './tally.js';

const SECOND_MS = 1000;

/** A claim that is older than this is confirmed by asking the store, not the lock alone. */
const SURE_MS = 1000;

/** Options of a term with nothing left open. @internal */
export interface TermOptions extends Pick<OwnerOptions, 'collect'> {
  readonly concurrency: number;
  readonly drainSeconds: number;
}

/** Takes the lock and begins a term; `SCHEDULE_LOCK_HELD` where somebody has it. @internal */
export async function beginTerm(parts: OwnerParts, options: TermOptions, own: OwnTerm): Promise<OwnerTerm> {
  const { report } = await parts.lock.status();
  const acquired = await parts.lock.acquire();
  if (acquired.kind === 'held') throw lockHeld(acquired.report, parts.ownTerms.isHeldHere, parts.process);
  own.isHolder = true;
  let term: OwnerTerm | undefined;
  try {
    term = new OwnerTerm(parts, options, acquired.lease);
    await term.open(report);
    return term;
  } catch (error) {
    await (term === undefined ? acquired.lease.release() : term.end());
    throw error;
  }
}

/** See the head of this file. @internal */
export class OwnerTerm {
  readonly #parts: OwnerParts;
  readonly #lease: Lease;
  readonly #watch: ClockWatch;
  readonly #clockStops: ClockStops;
  readonly #nap: Nap;
  readonly #deadlines: Deadlines;
  readonly #patience: Patience;
  readonly #drainMs: number;
  readonly #over = new AbortController();
  readonly #trouble: StoreTrouble;
  readonly #tally = new Tally();
  readonly #reporter: OwnerReporter;
  readonly #unwatch: (() => void)[] = [];
  readonly #dispatcher: Dispatcher;
  readonly #collector: Collector;
  #epoch = 0;
  #failure: { readonly error: unknown } | undefined;
  #looking: Promise<void> | undefined;
  #isStale = false;
  #isOver = false;

  constructor(parts: OwnerParts, options: TermOptions, lease: Lease) {
    const { clock, events, catalogue } = parts;
    this.#parts = parts;
    this.#lease = lease;
    this.#watch = new ClockWatch(clock, events);
    this.#clockStops = new ClockStops(parts);
    const breath = new Breath(clock);
    this.#nap = new Nap(clock, breath);
    this.#deadlines = new Deadlines(clock, (error) => this.#fail(error));
    this.#patience = new Patience({ ...parts, deadlines: this.#deadlines });
    this.#drainMs = options.drainSeconds * SECOND_MS;
    this.#trouble = new StoreTrouble(clock);
    const shared = { ...parts, trouble: this.#trouble, tally: this.#tally, epoch: () => this.#epoch };
    this.#dispatcher = new Dispatcher({
      ...shared,
      documents: new PinnedDocuments(parts.store),
      deadlines: this.#deadlines,
      breath,
      drainMs: this.#drainMs,
      concurrency: options.concurrency,
      confirm: (claimedAt) => this.#confirm(claimedAt),
      isHeld: () => this.#isHeld(),
      nextDue: (ready) => this.#collector.nextDue(ready),
      ring: () => this.#nap.ring(),
      onFatal: (error) => this.#fail(error),
    });
    this.#collector = new Collector({
      ...shared,
      watch: this.#watch,
      collect: options.collect,
      fill: () => this.#dispatcher.fill(),
      slots: this.#dispatcher,
    });
    this.#reporter = new OwnerReporter({
      clock,
      lease,
      process: parts.process,
      since: clock.now(),
      epoch: () => this.#epoch,
      running: () => this.#dispatcher.running,
    });
    this.#unwatch.push(this.#patience.watch());
    this.#unwatch.push(catalogue.onChange(() => this.#nap.ring()));
    this.#unwatch.push(parts.store.watch(() => this.#noteChange()));
  }

  /** What it says of itself. */
  get report(): OwnerReport {
    return this.#reporter.report;
  }

  /** See {@link Dispatcher.isAtWork}. */
  isAtWork(): Promise<boolean> {
    return this.#dispatcher.isAtWork();
  }

  /** Learns the catalogue, and since when nobody looked at it (MF-4). */
  async open(former: OwnerReport | undefined): Promise<void> {
    const { catalogue, clock } = this.#parts;
    await this.#reporter.begin(former);
    await catalogue.refresh();
    catalogue.forgetPostponed();
    const now = clock.now();
    const from = former?.lastTickAt ?? catalogue.lastSeenAt;
    if (from > 0 && from < now) this.#watch.note({ cause: 'ownerDown', from, until: now });
  }

  /** Whether a tick has anything to commit or to dispatch (OW-6). */
  hasWork(): boolean {
    const { catalogue, clock } = this.#parts;
    const now = clock.now();
    return (
      catalogue.ready(now, 1).length > 0 ||
      this.#collector.hasWork(now) ||
      this.#clockStops.hasWork(now) ||
      hasLeftBehind(this.#parts, catalogue.epoch + 1) ||
      this.#collector.outdated().length > 0
    );
  }

  /** Becomes the newest owner and settles what older ones left behind (OW-2). */
  async raise(): Promise<void> {
    const { catalogue, committer } = this.#parts;
    this.#epoch = await committer.raiseEpoch(this.#over.signal);
    this.#check();
    await this.#reporter.tick(true);
    const stillRunning = await recover({ ...this.#parts, tally: this.#tally }, this.#epoch);
    for (const { scheduleId, occurrence } of stillRunning) this.#dispatcher.awaitLateEnd(scheduleId, occurrence);
    let lastOrder = 0;
    for (const { schedule } of catalogue.entries()) lastOrder = Math.max(lastOrder, schedule.lastClaim);
    this.#dispatcher.countFrom(lastOrder);
    await this.#collector.followSources();
    this.#tell('started', `The owner of epoch ${this.#epoch} has started.`);
  }

  /** Notes that there was nothing to do (OW-6). */
  async noteIdle(): Promise<void> {
    await this.#reporter.tick(true);
  }

  /** One turn of the loop; true where the next one is to follow at once (CO-3). Throws what ends the owner. */
  async turn(): Promise<boolean> {
    const now = await this.look();
    if (now === undefined) return false;
    const hasMore = await this.#collector.collect(now);
    await this.#dispatcher.fill();
    await this.#reporter.tick();
    this.#check();
    return hasMore;
  }

  /** A turn without collecting: the time now, or undefined where the store has trouble. */
  async look(): Promise<EpochMs | undefined> {
    this.#check();
    const now = this.#watch.look();
    try {
      await this.#refresh();
      this.#check();
      this.#dispatcher.passOnRequests();
      await this.#dispatcher.fill();
      await this.#clockStops.follow(now, this.#epoch);
      await this.#collector.followSources();
      return now;
    } catch (error) {
      this.#trouble.note(error);
      return undefined;
    }
  }

  /** Rests until there is a reason to look (OW-3). */
  async rest(): Promise<void> {
    await this.#rest(this.#restMs());
  }

  /** Rests while something runs and nothing is collected any more: what falls due meanwhile is no reason to look (OW-6). */
  async restBusy(): Promise<void> {
    await this.#rest(this.#trouble.waitMs > 0 ? this.#trouble.waitMs : this.#nextRetryMs());
  }

  async #rest(ms: number): Promise<void> {
    const wasRung = await this.#nap.rest(ms);
    if (!wasRung) this.#isStale = true;
  }

  /** Ends the rest that is under way. */
  wake(): void {
    this.#nap.ring();
  }

  /** No new dispatch; what runs is asked to end and is settled (OW-4). */
  async stop(): Promise<void> {
    this.#tell('stopping', `The owner of epoch ${this.#epoch} stops; ${this.report.running.length} are running.`);
    this.#dispatcher.shut();
    if (this.#dispatcher.isBusy) await this.#hearRequests();
    await this.#dispatcher.stop('stop');
    this.#check();
  }

  /** Passes on what was asked for before the stop, by whomever: the first request says how an attempt ends (OC-11). */
  async #hearRequests(): Promise<void> {
    try {
      await this.#parts.catalogue.refresh();
    } catch (error) {
      this.#trouble.note(error);
    }
    this.#dispatcher.passOnRequests();
  }

  /** Calls `giveUp` once a stop that begins now has lasted for its drain limit and commits get no answer (OW-4). */
  limitStop(giveUp: () => void): void {
    this.#patience.limitStop(this.#drainMs, giveUp);
  }

  /** Ends at once: nothing more is recorded (OW-4). */
  abandon(): void {
    this.#dispatcher.abandon();
  }

  /** Gives the lock back, whatever fails meanwhile, and tells why where an error ended it; idempotent. */
  async end(cause?: unknown): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#over.abort(new ScheduleError('SCHEDULE_ABORTED', `The owner of epoch ${this.#epoch} has ended.`));
    for (const unwatch of this.#unwatch) unwatch();
    this.#dispatcher.abandon();
    this.#deadlines.clear();
    this.#nap.ring();
    try {
      if (this.#epoch > 0 && this.#isHeld()) await this.#reporter.tick(true);
    } catch (error) {
      // A clock or a lock that fails is why the owner ends; it must not keep the next one from beginning.
      this.#parts.events.warn(`the owner of epoch ${this.#epoch} could not say when it ended`, error);
    }
    await this.#lease.release();
    const why = cause === undefined ? '.' : `: ${cause instanceof Error ? cause.message : String(cause)}`;
    if (this.#epoch > 0) this.#tell('stopped', `The owner of epoch ${this.#epoch} has ended${why}`);
  }

  /** Whether the lock is held still; throws `SCHEDULE_ADAPTER_BROKEN` where it cannot say. */
  #isHeld(): boolean {
    try {
      return this.#lease.isHeld();
    } catch (cause) {
      throw new ScheduleError(
        'SCHEDULE_ADAPTER_BROKEN',
        `the lock of the owner failed as it was looked at: ${String(cause)}`,
        {
          cause,
          hint: 'This is a fault of the owner lock; the owner ends, since it may not be the owner any more.',
        },
      );
    }
  }

  /** What was done, and what is left (OW-6). */
  summary(): TickSummary {
    const { catalogue } = this.#parts;
    let remaining = 0;
    for (const { pending } of catalogue.entries()) remaining += pending.length;
    const next = Math.min(
      catalogue.nextWakeAt() ?? Number.POSITIVE_INFINITY,
      catalogue.nextReadyAt() ?? Number.POSITIVE_INFINITY,
    );
    const nextWakeAt = Number.isFinite(next) ? { nextWakeAt: formatInstant(epochMs(next)) } : {};
    return { ...this.#tally.counts, remaining, ...nextWakeAt };
  }

  /** The trouble that kept something from being done, if it is not over. */
  get troubleError(): unknown {
    return this.#trouble.error;
  }

  #restMs(): number {
    const { catalogue, clock } = this.#parts;
    const { waitMs } = this.#trouble;
    if (waitMs > 0) return waitMs;
    const wakeMs = (catalogue.nextWakeAt() ?? Number.POSITIVE_INFINITY) - clock.now();
    return Math.min(wakeMs, this.#nextRetryMs());
  }

  /**
   * Milliseconds until a waiting retry may start, by the clock that measures its wait; none while it could not be claimed:
   * then the end of what runs wakes the loop.
   */
  #nextRetryMs(): number {
    if (!this.#dispatcher.hasFreeSlot) return Number.POSITIVE_INFINITY;
    const { catalogue, clock } = this.#parts;
    const byWall = (catalogue.nextReadyAt() ?? Number.POSITIVE_INFINITY) - clock.now();
    const measured = (this.#dispatcher.nextRetryAt ?? Number.POSITIVE_INFINITY) - clock.monotonic();
    return Math.min(byWall, measured);
  }

  async #refresh(): Promise<void> {
    if (!this.#isStale) return;
    this.#isStale = false;
    try {
      await this.#parts.catalogue.refresh();
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
  }

  #noteChange(): void {
    this.#isStale = true;
    this.#nap.ring();
  }

  /** Looks at the lock, once for all who have asked by then: those whose claims were one commit ask together. */
  #lookAtLock(): Promise<void> {
    this.#looking ??= Promise.resolve().then(() => {
      this.#looking = undefined;
      if (!this.#isHeld()) throw lockLost(this.#epoch);
    });
    return this.#looking;
  }

  async #confirm(claimedAt: number): Promise<void> {
    const { catalogue, clock } = this.#parts;
    await this.#lookAtLock();
    if (clock.monotonic() - claimedAt <= SURE_MS) return;
    await catalogue.refresh();
    if (catalogue.epoch !== this.#epoch || !this.#isHeld()) throw lockLost(this.#epoch);
  }

  #check(): void {
    if (this.#isOver) throw new ScheduleError('SCHEDULE_CLOSED', `The owner of epoch ${this.#epoch} has ended.`);
    const isReplaced = this.#epoch > 0 && this.#parts.catalogue.epoch !== this.#epoch;
    if (isReplaced || !this.#isHeld()) this.#fail(lockLost(this.#epoch));
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Keeps the first error that ends the owner; nothing is dispatched or recorded any more. */
  #fail(error: unknown): void {
    if (this.#failure !== undefined || this.#isOver) return;
    this.#failure = { error };
    if (isScheduleError(error, 'SCHEDULE_LOCK_LOST')) this.#tell('lockLost', error.message);
    this.#dispatcher.abandon();
    this.#nap.ring();
  }

  #tell(change: Extract<ScheduleEvent, { type: 'owner' }>['change'], detail: string): void {
    this.#parts.events.emit({ type: 'owner', at: this.#nowOrLast(), change, detail });
  }

  /** The time; that of the last report where the clock itself has failed. */
  #nowOrLast(): EpochMs {
    try {
      return this.#parts.clock.now();
    } catch {
      // Whatever the clock says is told by what the owner ends with.
      return this.report.lastTickAt;
    }
  }
}
