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
import type { Catalogue } from '../catalogue/catalogue.js';
import type { Breath } from '../clock/breath.js';
import type { Committed } from '../commit/commit.js';
import { Attempt, type AttemptParts, elapsedDeadline } from './attempt.js';
import type { Claimed } from './attempt-record.js';
import { type SettleParts, Settler } from './settle.js';
import type { Slot } from './slot.js';
import { WaitingRetries } from './waiting-retries.js';

/** What a dispatcher works with. @internal */
export interface DispatchParts extends AttemptParts, SettleParts {
  readonly catalogue: Catalogue;
  /** Occurrences that may run at the same time. */
  readonly concurrency: number;
  /** Makes a pause where a busy owner has made none for too long. */
  readonly breath: Breath;
  /** Whether the lock is held still. */
  readonly isHeld: () => boolean;
}

/** See the head of this file. @internal */
export class Dispatcher {
  readonly #on: DispatchParts;
  readonly #settler: Settler;
  readonly #slots = new Map<string, Slot>();
  readonly #tasks = new Set<Promise<void>>();
  readonly #retries = new WaitingRetries();
  /** Occurrences whose claim was refused; that stands until the next commit. */
  readonly #declined = new Set<string>();
  #declinedAt = 0;
  #lastOrder = 0;
  /** Claims that are not committed yet: their occurrences still look ready. */
  #claiming = 0;
  #filling: Promise<void> | undefined;
  #isOpen = true;

  constructor(on: DispatchParts) {
    this.#on = on;
    this.#settler = new Settler(on, { isStopping: () => !this.#isOpen, onEnding: () => this.fill() });
  }

  /** Occurrences that have a slot now. */
  get running(): readonly string[] {
    return [...this.#slots.keys()];
  }

  /** Whether another claim could be made now. */
  get hasFreeSlot(): boolean {
    return this.#isOpen && this.#free() > 0;
  }

  /** Whether anything is claimed, run or settled now. */
  get isBusy(): boolean {
    return this.#tasks.size > 0;
  }

  /** When the next retry may start by the monotonic clock. */
  get nextRetryAt(): number | undefined {
    return this.#retries.nextAt;
  }

  /** Claims count on from the highest order that the catalogue knows (OC-2). */
  countFrom(lastOrder: number): void {
    this.#lastOrder = Math.max(this.#lastOrder, lastOrder);
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
    if (!this.#isOpen || trouble.waitMs > 0) return;
    let free = this.#free();
    if (free <= 0) return;
    if (!this.#on.isHeld()) {
      this.#on.ring();
      return;
    }
    const now = clock.now();
    const monotonic = clock.monotonic();
    free -= this.#startOverdue(now, monotonic, free);
    for (let early = -1, seen = 0; free > 0 && seen > early; ) {
      early = seen;
      seen = 0;
      const passedOver = this.#claiming + this.#declined.size + early;
      for (const { entry, occurrence } of catalogue.ready(now, free + passedOver)) {
        if (this.#slots.has(occurrence.id) || this.#isDeclined(occurrence.id)) continue;
        if (this.#retries.isEarly(occurrence.id, monotonic)) seen += 1;
        else if (free > 0) {
          this.#start(entry, occurrence, false);
          free -= 1;
        }
      }
    }
  }

  /** Starts retries whose wait is over by the monotonic clock, but not by a wall clock that went back; how many. */
  #startOverdue(now: EpochMs, monotonic: number, free: number): number {
    let started = 0;
    while (started < free) {
      const wait = this.#retries.nextOver(monotonic);
      if (wait === undefined) break;
      const entry = this.#on.catalogue.entry(wait.scheduleId);
      const occurrence = entry?.pending.find(({ id }) => id === wait.occurrence);
      if (entry === undefined || occurrence?.retryAt === undefined || occurrence.retryAt <= now) continue;
      this.#start(entry, occurrence, true);
      started += 1;
    }
    return started;
  }

  /** Passes on requests to end what runs, as the mirror knows them now (OC-11, CT-6). */
  passOnRequests(): void {
    for (const slot of this.#slots.values()) this.#passOn(slot);
  }

  /** Claims nothing from now on, asks what runs to end, and resolves once everything is settled (OW-4). */
  async stop(cause: AbortCause): Promise<void> {
    this.#isOpen = false;
    for (const { attempt } of this.#slots.values()) attempt?.abort(cause);
    await this.idle();
  }

  /** Resolves once nothing runs; more may be started meanwhile. */
  async idle(): Promise<void> {
    while (this.#tasks.size > 0) await Promise.all(this.#tasks);
  }

  /** Gives everything up at once: what runs is not waited for and nothing more is recorded. */
  abandon(): void {
    this.#isOpen = false;
    this.#settler.abandon();
    for (const { attempt } of this.#slots.values()) attempt?.abort('stop');
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
    for (const { isEnding } of this.#slots.values()) if (!isEnding) taken += 1;
    return this.#on.concurrency - taken;
  }

  #isDeclined(occurrence: string): boolean {
    const { seq } = this.#on.catalogue;
    if (seq !== this.#declinedAt) this.#declined.clear();
    this.#declinedAt = seq;
    return this.#declined.has(occurrence);
  }

  #start(entry: ScheduleEntry, occurrence: Occurrence, isWaitOver: boolean): void {
    const slot: Slot = {
      occurrence: occurrence.id,
      scheduleId: entry.schedule.id,
      attempt: undefined,
      seen: undefined,
      isEnding: false,
      isWaitOver,
      memory: this.#retries.take(occurrence.id),
    };
    this.#slots.set(slot.occurrence, slot);
    const task = this.#serve(slot)
      .catch(this.#on.onFatal)
      .finally(() => {
        this.#slots.delete(slot.occurrence);
        this.#tasks.delete(task);
        this.fill();
        this.#on.ring();
      });
    this.#tasks.add(task);
  }

  async #serve(slot: Slot): Promise<void> {
    let claimed = await this.#claim(slot);
    while (claimed !== undefined) {
      const attempt = new Attempt(this.#on, claimed);
      slot.attempt = attempt;
      slot.seen = undefined;
      if (!this.#isOpen) attempt.abort('stop');
      this.#passOn(slot);
      const end = await attempt.run();
      slot.attempt = undefined;
      if (end.plan !== undefined) slot.memory = { ...slot.memory, plan: end.plan };
      const settled = await this.#settler.settle(slot, claimed, end);
      if (settled === undefined) return;
      this.#noteWait(slot, settled);
      const isClaimedAgain = settled.decision.kind === 'accepted' && settled.decision.isClaimedAgain === true;
      claimed = isClaimedAgain ? this.#claimedBy(slot, settled) : undefined;
      if (claimed !== undefined) this.#on.tally.claimed();
    }
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

  async #claim(slot: Slot): Promise<Claimed | undefined> {
    const { committer, execution, trouble, tally } = this.#on;
    const epoch = this.#on.epoch();
    this.#lastOrder += 1;
    const input = {
      kind: 'claim',
      occurrence: slot.occurrence,
      epoch,
      order: this.#lastOrder,
      hasWorkspace: execution.capabilities.needsWorkspace,
      ...(slot.isWaitOver ? { isWaitOver: true } : {}),
    } as const;
    let committed: Committed;
    this.#claiming += 1;
    try {
      committed = await committer.submit(slot.scheduleId, input, { actor: 'owner', epoch });
    } catch (error) {
      trouble.note(error);
      this.#giveBack(slot);
      return undefined;
    } finally {
      this.#claiming -= 1;
    }
    trouble.over();
    tally.ended(committed.decision);
    const claimed = committed.decision.kind === 'accepted' ? this.#claimedBy(slot, committed) : undefined;
    if (claimed === undefined) this.#declined.add(slot.occurrence);
    else tally.claimed();
    return claimed;
  }

  /** A claim that could not be committed for now: the occurrence waits as before. */
  #giveBack({ occurrence, scheduleId, memory, isWaitOver }: Slot): void {
    if (memory.firstClaimedAt === undefined) return;
    this.#retries.remember(occurrence, memory);
    if (isWaitOver) this.#retries.measure({ occurrence, scheduleId, readyAt: this.#on.clock.monotonic() });
  }

  /** The claim as it stands in a commit of this owner; undefined where the commit ended the occurrence instead (MF-5). */
  #claimedBy(slot: Slot, { entry, seq, hash }: Committed): Claimed | undefined {
    const occurrence = entry?.pending.find(({ id }) => id === slot.occurrence);
    const claim = occurrence?.claim;
    if (entry === undefined || occurrence === undefined || claim === undefined) return undefined;
    const { clock } = this.#on;
    const committedAt = clock.monotonic();
    const agoMs = clock.now() - (occurrence.firstClaimedAt ?? claim.claimedAt);
    const firstClaimedAt = slot.memory.firstClaimedAt ?? committedAt - Math.max(0, agoMs);
    slot.memory = { ...slot.memory, firstClaimedAt };
    const { plan } = slot.memory;
    return {
      schedule: entry.schedule,
      occurrence,
      claim,
      seq,
      hash,
      committedAt,
      deadline: elapsedDeadline(entry.schedule, firstClaimedAt),
      ...(plan === undefined ? {} : { plan }),
    };
  }
}
