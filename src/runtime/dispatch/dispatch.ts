/**
 * Dispatch: from ready work to running attempts, as many at a time as there are slots (OC-2, OC-3).
 *
 * State first, effect second: an occurrence is claimed, the claim is durable, and only then anything is run. Claims that
 * are made together share a commit, and so do a sure ending and the claim that takes its slot. The dispatcher waits
 * for nothing: it is asked to fill its slots whenever something may have become ready or free.
 */
import type { AbortCause } from '../../core/model/input.js';
import type { Occurrence } from '../../core/model/occurrence.js';
import type { ScheduleEntry } from '../../core/model/schedule.js';
import type { EpochMs } from '../../core/time/instant.js';
import type { Ready } from '../catalogue/ready-queue.js';
import type { Breath } from '../clock/breath.js';
import type { Committed } from '../commit/commit.js';
import { Attempt, type AttemptParts } from './attempt.js';
import type { Claimed } from './attempt-record.js';
import { type ClaimParts, Claims, type DueSchedule } from './claims.js';
import { type SettleParts, Settler } from './settle.js';
import type { Slot } from './slot.js';
import { WaitingRetries } from './waiting-retries.js';

/** Occurrences behind those that are claimed whose documents are read meanwhile. */
const PREPARED = 2;

/** What a dispatcher works with. @internal */
export interface DispatchParts extends AttemptParts, SettleParts, ClaimParts {
  /** Occurrences that may run at the same time. */
  readonly concurrency: number;
  /** Makes a pause where a busy owner has made none for too long. */
  readonly breath: Breath;
  /** Whether the lock is held still. */
  readonly isHeld: () => boolean;
  /** The next schedule that is due, where it comes before a schedule with ready work in the order of dispatch. */
  readonly nextDue: (ready: ScheduleEntry | undefined) => DueSchedule | undefined;
}

/** See the head of this file. @internal */
export class Dispatcher {
  readonly #on: DispatchParts;
  readonly #settler: Settler;
  readonly #slots = new Set<Slot>();
  /** Occurrences that have a slot. */
  readonly #served = new Set<string>();
  readonly #tasks = new Set<Promise<void>>();
  readonly #retries = new WaitingRetries();
  readonly #claims: Claims;
  #filling: Promise<void> | undefined;
  #started = 0;
  readonly #waiting: (() => void)[] = [];
  #isOpen = true;

  constructor(on: DispatchParts) {
    this.#on = on;
    this.#claims = new Claims(on);
    this.#settler = new Settler(on, {
      isStopping: () => !this.#isOpen,
      onEnding: () => this.fill(),
      onAnswered: () => this.#tellChanged(),
    });
  }

  /** Occurrences that have a slot now. */
  get running(): readonly string[] {
    return [...this.#served];
  }

  /** Whether another claim could be made now. */
  get hasFreeSlot(): boolean {
    return this.#isOpen && this.#free() > 0;
  }

  /** Whether anything is claimed, run or settled now. */
  get isBusy(): boolean {
    return this.#tasks.size > 0;
  }

  /** Slots that were taken so far. */
  get started(): number {
    return this.#started;
  }

  /** Whether a claim, or a settlement that frees its slot, is being committed. */
  get isChanging(): boolean {
    if (this.#claims.inFlight > 0) return true;
    for (const { isEnding } of this.#slots) if (isEnding) return true;
    return false;
  }

  /** Resolves when the next of these commits is answered; at once where there is none. */
  async changed(): Promise<void> {
    if (this.isChanging) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** When the next retry may start by the monotonic clock. */
  get nextRetryAt(): number | undefined {
    return this.#retries.nextAt;
  }

  /** Claims count on from the highest order that the catalogue knows (OC-2). */
  countFrom(lastOrder: number): void {
    this.#claims.countFrom(lastOrder);
  }

  /**
   * Claims what is ready while there are free slots, once everything that happens together has happened: many calls
   * in a row are one look at the queue. Resolves when the claims are submitted; commits and runs happen later.
   */
  fill(): Promise<void> {
    this.#filling ??= this.#on.breath
      .take()
      .then(() => {
        this.#filling = undefined;
        this.#fillNow();
      })
      .catch(this.#on.onFatal);
    return this.#filling;
  }

  #fillNow(): void {
    const { catalogue, clock, trouble } = this.#on;
    if (!this.hasFreeSlot || trouble.waitMs > 0) return;
    if (!this.#on.isHeld()) {
      this.#on.ring();
      return;
    }
    const now = clock.now();
    const monotonic = clock.monotonic();
    this.#startOverdue(now, monotonic);
    // Only after the wall clock went forward are there early retries that others must be found behind.
    let passed = 0;
    let early = 0;
    do {
      passed = early;
      const limit = this.#free() + this.#claims.passedOver + passed + PREPARED;
      early = this.#startReady(catalogue.ready(now, limit), monotonic);
    } while (early > passed && this.#free() > 0);
  }

  /** Starts what is ready or due while there are free slots; how many of them are early by the monotonic clock. */
  #startReady(ready: readonly Ready[], monotonic: number): number {
    let free = this.#free();
    let early = 0;
    const heldBack: Ready[] = [];
    for (const { entry, occurrence } of ready) {
      free -= this.#startDue(free, entry);
      if (free === 0) this.#on.documents.prepare(entry.schedule.definition.documentDigest);
      if (free === 0 || this.#served.has(occurrence.id) || this.#claims.isDeclined(occurrence.id)) continue;
      if (this.#retries.isEarly(occurrence.id, monotonic)) {
        early += 1;
        continue;
      }
      if (this.#claims.isHeldBack(occurrence.id)) {
        heldBack.push({ entry, occurrence });
        continue;
      }
      this.#start(entry, occurrence, false);
      free -= 1;
    }
    free -= this.#startDue(free, undefined);
    for (const { entry, occurrence } of heldBack.slice(0, free)) this.#start(entry, occurrence, false);
    return early;
  }

  /** Starts what is due and comes before a schedule with ready work, in so many slots at most; how many it took. */
  #startDue(free: number, ready: ScheduleEntry | undefined): number {
    for (let taken = 0; taken < free; taken += 1) {
      const due = this.#on.nextDue(ready);
      if (due === undefined) return taken;
      const { schedule } = due.entry;
      this.#open(this.#slot(schedule.id, '', false, {}), (slot) => this.#claims.claimDue(slot, due));
    }
    return free;
  }

  /** Starts retries whose wait is over by the monotonic clock, but not by a wall clock that went back. */
  #startOverdue(now: EpochMs, monotonic: number): void {
    while (this.#free() > 0) {
      const wait = this.#retries.nextOver(monotonic);
      if (wait === undefined) return;
      const entry = this.#on.catalogue.entry(wait.scheduleId);
      const occurrence = entry?.pending.find(({ id }) => id === wait.occurrence);
      if (entry === undefined || occurrence?.retryAt === undefined || occurrence.retryAt <= now) continue;
      this.#start(entry, occurrence, true);
    }
  }

  /** Passes on requests to end what runs, as the mirror knows them now (OC-11, CT-6). */
  passOnRequests(): void {
    for (const slot of this.#slots) this.#passOn(slot);
  }

  /** Releases a schedule when the handler that it is quarantined for has ended (OC-11). */
  awaitLateEnd(scheduleId: string, occurrence: string): void {
    this.#settler.awaitLateEnd(scheduleId, occurrence);
  }

  /** Claims nothing from now on (OW-4). */
  shut(): void {
    this.#isOpen = false;
  }

  /** Claims nothing from now on, asks what runs to end, and resolves once everything is settled (OW-4). */
  async stop(cause: AbortCause): Promise<void> {
    this.shut();
    for (const { attempt } of this.#slots) attempt?.abort(cause);
    await this.idle();
  }

  /** Whether anything is claimed, run or settled once what was asked for is done; false only where nothing can start any more. */
  async isAtWork(): Promise<boolean> {
    while (this.#filling !== undefined) await this.#filling;
    return this.isBusy;
  }

  /** Resolves once nothing runs; more may be started meanwhile. */
  async idle(): Promise<void> {
    while (this.#tasks.size > 0) await Promise.all(this.#tasks);
  }

  /** Gives everything up at once: what runs is not waited for and nothing more is recorded. */
  abandon(): void {
    this.#isOpen = false;
    this.#settler.abandon();
    for (const { attempt } of this.#slots) attempt?.abort('stop');
  }

  #passOn(slot: Slot): void {
    if (slot.attempt === undefined) return;
    const entry = this.#on.catalogue.entry(slot.scheduleId);
    if (entry === slot.seen) return;
    slot.seen = entry;
    const occurrence = entry?.pending.find(({ id }) => id === slot.occurrence);
    if (occurrence?.endRequest !== undefined) slot.attempt.abort('cancel');
  }

  #free(): number {
    let taken = 0;
    for (const { isEnding } of this.#slots) if (!isEnding) taken += 1;
    return this.#on.concurrency - taken;
  }

  #start({ schedule }: ScheduleEntry, { id }: Occurrence, isWaitOver: boolean): void {
    this.#served.add(id);
    const slot = this.#slot(schedule.id, id, isWaitOver, this.#retries.take(id));
    this.#open(slot, async () => {
      const claimed = await this.#claims.claim(slot);
      if (claimed === undefined) this.#giveBack(slot);
      return claimed;
    });
  }

  #slot(scheduleId: string, occurrence: string, isWaitOver: boolean, memory: Slot['memory']): Slot {
    return { occurrence, scheduleId, attempt: undefined, seen: undefined, isEnding: false, isWaitOver, memory };
  }

  #open(slot: Slot, claim: (slot: Slot) => Promise<Claimed | undefined>): void {
    this.#slots.add(slot);
    this.#started += 1;
    const over = () => {
      this.#slots.delete(slot);
      this.#served.delete(slot.occurrence);
      this.#tasks.delete(task);
      this.#tellChanged();
      this.fill();
      this.#on.ring();
    };
    const task: Promise<void> = this.#serve(slot, claim).then(over, (error: unknown) => {
      this.#on.onFatal(error);
      over();
    });
    this.#tasks.add(task);
  }

  /** One occurrence from its claim to its end, or to its next wait. */
  async #serve(slot: Slot, claim: (slot: Slot) => Promise<Claimed | undefined>): Promise<void> {
    let claimed = await claim(slot);
    if (claimed !== undefined) this.#served.add(slot.occurrence);
    this.#tellChanged();
    while (claimed !== undefined) {
      const attempt = new Attempt(this.#on, claimed);
      slot.attempt = attempt;
      slot.seen = undefined;
      this.#passOn(slot);
      if (!this.#isOpen) attempt.abort('stop');
      const end = await attempt.run();
      slot.attempt = undefined;
      if (end.plan !== undefined) slot.memory = { ...slot.memory, plan: end.plan };
      const settled = await this.#settler.settle(slot, claimed, end);
      if (settled === undefined) return;
      this.#noteWait(slot, settled);
      const isClaimedAgain = settled.decision.kind === 'accepted' && settled.decision.isClaimedAgain === true;
      claimed = isClaimedAgain ? this.#claims.claimedBy(slot, settled) : undefined;
    }
  }

  #tellChanged(): void {
    for (const tell of this.#waiting.splice(0)) tell();
  }

  /** A retry that waits now gives its slot back; what is known of it stays. */
  #noteWait(slot: Slot, { entry }: Committed): void {
    const retryAt = entry?.pending.find(({ id }) => id === slot.occurrence)?.retryAt;
    if (retryAt === undefined) return;
    const { clock } = this.#on;
    const { occurrence, scheduleId, memory } = slot;
    this.#retries.remember(occurrence, memory);
    const waitMs = Math.max(0, retryAt - clock.now());
    this.#retries.measure({ occurrence, scheduleId, readyAt: clock.monotonic() + waitMs });
  }

  /** Nothing was claimed: what is known of a waiting retry stays. A refused one goes by the instant in its record. */
  #giveBack({ occurrence, scheduleId, memory, isWaitOver }: Slot): void {
    const isWaiting = this.#on.catalogue.entry(scheduleId)?.pending.some(({ id }) => id === occurrence) === true;
    if (!isWaiting || memory.firstClaimedAt === undefined) return;
    this.#retries.remember(occurrence, memory);
    if (!isWaitOver || this.#claims.isDeclined(occurrence)) return;
    this.#retries.measure({ occurrence, scheduleId, readyAt: this.#on.clock.monotonic() });
  }
}
