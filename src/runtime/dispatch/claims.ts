/**
 * Claims: durable before anything is run, counted in their order, and remembered where they were refused (OC-2, OC-3).
 *
 * A refused claim is not tried again before the next commit: until then the refusal would be the same. The pinned document
 * is read before the claim: one that is damaged or missing ends the owner and spends nothing (ST-3), and one that cannot
 * be read for the moment is asked for again, after everything else that is ready.
 */
import type { OwnerInput } from '../../core/model/input.js';
import type { ScheduleEntry } from '../../core/model/schedule.js';
import type { Clock } from '../../ports/clock.js';
import type { ExecutionService } from '../../ports/execution-service.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import { isPassing, type StoreTrouble } from '../clock/store-trouble.js';
import type { Committed, Committer } from '../commit/commit.js';
import type { PlannedInput } from '../commit/commit-plan.js';
import type { EventHub } from '../events.js';
import type { Tally } from '../owner/tally.js';
import { elapsedDeadline } from './attempt.js';
import type { Claimed } from './attempt-record.js';
import type { PinnedDocuments } from './plan-pinning.js';
import type { Slot } from './slot.js';

/** Occurrences that are held back at most; more are claimed in their order again. */
const MOST_HELD_BACK = 1000;

/** What claiming works with. @internal */
export interface ClaimParts {
  readonly catalogue: Catalogue;
  readonly committer: Committer;
  readonly execution: ExecutionService;
  readonly documents: PinnedDocuments;
  readonly events: EventHub;
  readonly clock: Clock;
  readonly trouble: StoreTrouble;
  readonly tally: Tally;
  /** Epoch of the owner. */
  readonly epoch: () => number;
}

/** A schedule that is due and not collected yet. @internal */
export interface DueSchedule {
  /** As it was when it was found due. */
  readonly entry: ScheduleEntry;
  /** Collects it, with what follows from that in one commit; undefined where that was not possible, which is noted. Call it once. */
  collect(further: PlannedInput['further']): Promise<Committed | undefined>;
}

/** See the head of this file. @internal */
export class Claims {
  readonly #on: ClaimParts;
  readonly #declined = new Set<string>();
  /** Occurrences whose document could not be read the last time. */
  readonly #heldBack = new Set<string>();
  #declinedAt = 0;
  #lastOrder = 0;
  #inFlight = 0;

  constructor(on: ClaimParts) {
    this.#on = on;
  }

  /** Occurrences that look ready and are not to be claimed, or not first: claims in flight, refused and held-back ones. */
  get passedOver(): number {
    return this.#inFlight + this.#declined.size + this.#heldBack.size;
  }

  /** Claims that are being made. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Whether others are to be claimed before this one, because its document could not be read. */
  isHeldBack(occurrence: string): boolean {
    return this.#heldBack.has(occurrence);
  }

  /** Counts on from the highest order that the catalogue knows (OC-2). */
  countFrom(lastOrder: number): void {
    this.#lastOrder = Math.max(this.#lastOrder, lastOrder);
  }

  /** Whether a claim was refused and nothing has been committed since. */
  isDeclined(occurrence: string): boolean {
    const { seq } = this.#on.catalogue;
    if (seq !== this.#declinedAt) this.#declined.clear();
    this.#declinedAt = seq;
    return this.#declined.has(occurrence);
  }

  /** Claims an occurrence; undefined where that was refused, or impossible for now. */
  async claim(slot: Slot): Promise<Claimed | undefined> {
    const { committer, trouble, tally } = this.#on;
    const input = this.#inputs(slot.isWaitOver)(slot.occurrence);
    let committed: Committed;
    this.#inFlight += 1;
    try {
      // Nothing is awaited for a document that is at hand, so that the claim joins the commit that is being gathered.
      const digest = this.#missingDocument(slot);
      if (digest !== undefined && !(await this.#hasRead(slot, digest))) return undefined;
      committed = await committer.submit(slot.scheduleId, input, { actor: 'owner', epoch: this.#on.epoch() });
    } catch (error) {
      trouble.note(error);
      return undefined;
    } finally {
      this.#inFlight -= 1;
    }
    trouble.over();
    tally.ended(committed.decision);
    const claimed = committed.decision.kind === 'accepted' ? this.claimedBy(slot, committed) : undefined;
    if (claimed === undefined) this.#declined.add(slot.occurrence);
    return claimed;
  }

  /**
   * Collects a schedule that is due, and claims in the same commit what that makes ready; undefined where nothing was
   * claimed. What cannot be claimed for now is collected all the same.
   */
  async claimDue(slot: Slot, due: DueSchedule): Promise<Claimed | undefined> {
    const { catalogue, clock, documents, tally } = this.#on;
    const claimOf = this.#inputs(false);
    const further = (after: ScheduleEntry): OwnerInput | undefined => {
      const ready = catalogue.readyIn(after, clock.now());
      return ready === undefined ? undefined : claimOf(ready.id);
    };
    // What goes wrong with the document is told when the occurrence is claimed: that alone needs it.
    const digest = this.#missingDocument(slot);
    if (digest !== undefined) await documents.get(digest).catch(() => undefined);
    const committed = await due.collect(this.#missingDocument(slot) === undefined ? further : undefined);
    const claim = committed?.further;
    if (committed === undefined || claim?.kind !== 'accepted') return undefined;
    tally.ended(claim);
    slot.occurrence = claim.occurrence ?? '';
    return this.claimedBy(slot, committed);
  }

  /** The input of the next claim in order, for whatever occurrence it comes to be (OC-2). */
  #inputs(isWaitOver: boolean): (occurrence: string) => OwnerInput {
    const epoch = this.#on.epoch();
    this.#lastOrder += 1;
    const order = this.#lastOrder;
    const hasWorkspace = this.#on.execution.capabilities.needsWorkspace;
    const more = isWaitOver ? { isWaitOver } : {};
    return (occurrence) => ({ kind: 'claim', occurrence, epoch, order, hasWorkspace, ...more });
  }

  #missingDocument({ scheduleId }: Slot): string | undefined {
    const digest = this.#on.catalogue.entry(scheduleId)?.schedule.definition.documentDigest;
    return digest === undefined || this.#on.documents.isAtHand(digest) ? undefined : digest;
  }

  /** Reads a document; false where nothing can be claimed for now. Throws where a schedule names one that is not there. */
  async #hasRead({ occurrence, scheduleId }: Slot, digest: string): Promise<boolean> {
    const { documents, catalogue } = this.#on;
    try {
      await documents.get(digest);
      if (this.#heldBack.delete(occurrence)) this.#tell('recovered', `the document of ${scheduleId} can be read again`);
      return true;
    } catch (error) {
      if (!isPassing(error)) {
        await catalogue.refresh();
        const named = catalogue.entry(scheduleId)?.schedule.definition.documentDigest;
        // A document that nothing names any more may be gone.
        if (named !== digest) return false;
      }
      if (!this.#heldBack.has(occurrence)) this.#tell('trouble', `the document of ${scheduleId}: ${String(error)}`);
      this.#holdBack(occurrence);
      throw error;
    }
  }

  #holdBack(occurrence: string): void {
    if (this.#heldBack.size >= MOST_HELD_BACK) this.#heldBack.clear();
    this.#heldBack.add(occurrence);
  }

  #tell(change: 'trouble' | 'recovered', detail: string): void {
    this.#on.events.emit({ type: 'store', at: this.#on.clock.now(), change, detail });
  }

  /** The claim as it stands in a commit of this owner; undefined where the commit ended the occurrence instead (MF-5). */
  claimedBy(slot: Slot, { entry, seq, hash }: Committed): Claimed | undefined {
    const occurrence = entry?.pending.find(({ id }) => id === slot.occurrence);
    const claim = occurrence?.claim;
    if (entry === undefined || occurrence === undefined || claim === undefined) return undefined;
    const { clock, tally } = this.#on;
    tally.claimed();
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
