/**
 * Settling attempts: the result record, then the commit that ends the claim (OC-5, OC-8, OC-11, ST-4).
 *
 * What an attempt did is known once only, so it is kept until it is recorded: while the store has trouble that may pass,
 * the commit is tried again with growing waits. The result record is tried a few times: what keeps it away may lie in this
 * directory alone, and a slot that waits for it would be lost. A handler that did not answer in time is recorded as
 * unresponsive; when it ends after all its schedule is released, and what it answers is not looked at.
 */
import type { Settlement } from '../../core/model/input.js';
import type { Clock } from '../../ports/clock.js';
import type { Evidence } from '../../ports/evidence.js';
import { type StoreTrouble, waitAfter } from '../clock/store-trouble.js';
import type { Committed, Committer } from '../commit/commit.js';
import type { EventHub } from '../events.js';
import type { Tally } from '../owner/tally.js';
import type { UnendedWork } from '../unended-work.js';
import { type AttemptEnd, type Claimed, resultRecord } from './attempt-record.js';
import { failedWith } from './execution-answer.js';
import type { Slot } from './slot.js';

/** Tries to write a result record; the waits between them come to less than a second. */
const MOST_TRIES = 5;

/** What a settler works with. @internal */
export interface SettleParts {
  readonly clock: Clock;
  readonly evidence: Evidence;
  readonly events: EventHub;
  readonly committer: Committer;
  readonly trouble: StoreTrouble;
  readonly tally: Tally;
  /** What of this process runs on. */
  readonly unended: UnendedWork;
  /** Epoch of the owner. */
  readonly epoch: () => number;
  /** Hears that something changed that the loop should look at. */
  readonly ring: () => void;
  /** Hears what ends the owner. */
  readonly onFatal: (error: unknown) => void;
}

/** What a settler asks of its dispatcher. @internal */
export interface SettlerHost {
  /** True once the owner is stopping: no further attempt is claimed. */
  isStopping(): boolean;
  /** Hears, while a settlement waits for its commit, that its slot is sure to be free. */
  onEnding(): void;
  /** Hears that the commit of a settlement was answered, whatever the answer. */
  onAnswered(): void;
}

/** See the head of this file. @internal */
export class Settler {
  readonly #on: SettleParts;
  readonly #host: SettlerHost;
  readonly #abandoned = new AbortController();

  constructor(on: SettleParts, host: SettlerHost) {
    this.#on = on;
    this.#host = host;
  }

  /** Stops trying: nothing more is recorded. */
  abandon(): void {
    this.#abandoned.abort();
  }

  /** Records how an attempt ended; undefined where that was given up because the owner was forced to end. */
  async settle(slot: Slot, claimed: Claimed, answered: AttemptEnd): Promise<Committed | undefined> {
    const elapsedMs = Math.max(0, Math.round(this.#elapsed(slot)));
    const end = await this.#finish(claimed, answered);
    if (end === undefined) return undefined;
    if (end.outcome.kind === 'attemptExists') await this.#noteOldCatalogue(slot);
    const settled = await this.#persist(() => {
      // What is asked for first here joins the commit of the settlement: see `Dispatcher.fill`.
      slot.isEnding = end.outcome.kind === 'succeeded' && end.outcome.verification.isVerified;
      if (slot.isEnding) this.#host.onEnding();
      const input = settlementOf(slot, claimed, end, elapsedMs, this.#host.isStopping());
      return this.#submit(slot, input).finally(() => {
        slot.isEnding = false;
        this.#host.onAnswered();
      });
    });
    if (settled === undefined) return undefined;
    this.#on.tally.ended(settled.decision);
    if (end.outcome.kind === 'unresponsive') this.awaitLateEnd(slot.scheduleId, slot.occurrence);
    return settled;
  }

  #elapsed(slot: Slot): number {
    const now = this.#on.clock.monotonic();
    return now - (slot.memory.firstClaimedAt ?? now);
  }

  #submit(slot: Slot, input: Settlement): Promise<Committed> {
    return this.#on.committer.submit(slot.scheduleId, input, { actor: 'owner', epoch: input.epoch });
  }

  /** Writes the result record; a success whose record cannot be written is not proven, and so failed (OC-7, OC-8). */
  async #finish(claimed: Claimed, end: AttemptEnd): Promise<AttemptEnd | undefined> {
    if (!end.hasDirectory) return end;
    const { occurrence, claim } = claimed;
    const record = resultRecord(end);
    for (let tries = 1; !this.#abandoned.signal.aborted; tries += 1) {
      try {
        await this.#on.evidence.finish(occurrence.id, claim.attempt, record);
        if (tries > 1) this.#tellTrouble('recovered', `the result of ${occurrence.id} is written`);
        return end;
      } catch (error) {
        if (tries === 1)
          this.#tellTrouble('trouble', `the result of ${occurrence.id} cannot be written: ${String(error)}`);
        if (tries >= MOST_TRIES) return unproven(end, error);
        await this.#pause(waitAfter(tries));
      }
    }
    return undefined;
  }

  #tellTrouble(change: 'trouble' | 'recovered', detail: string): void {
    this.#on.events.emit({ type: 'store', at: this.#on.clock.now(), change, detail });
  }

  /** CO-6: work exists that the catalogue does not know of, so it was restored from an old backup. */
  async #noteOldCatalogue(slot: Slot): Promise<void> {
    const detail = `a workspace of ${slot.occurrence} exists that the catalogue does not know of`;
    const options = { actor: 'owner', epoch: this.#on.epoch() };
    await this.#persist(() =>
      this.#on.committer.submitRow(
        (row, at) =>
          row.clockStop?.reason === 'catalogueBehind'
            ? undefined
            : { ...row, clockStop: { reason: 'catalogueBehind', since: at, detail } },
        options,
      ),
    );
  }

  /** Releases a schedule when the handler that it is quarantined for has ended, in whichever epoch it began (OC-11). */
  awaitLateEnd(scheduleId: string, occurrence: string): void {
    const epoch = this.#on.epoch();
    const input = { kind: 'handlerEnded', occurrence } as const;
    const submit = () => this.#on.committer.submit(scheduleId, input, { actor: 'owner', epoch });
    const { unended, ring, onFatal } = this.#on;
    unended
      .ended(occurrence)
      .then(() => this.#persist(submit))
      .then(ring, onFatal);
  }

  /** Tries a commit until it works; undefined once it is given up. */
  async #persist<T>(commit: () => Promise<T>): Promise<T | undefined> {
    const { trouble } = this.#on;
    for (let tries = 1; !this.#abandoned.signal.aborted; tries += 1) {
      try {
        const done = await commit();
        trouble.over();
        return done;
      } catch (error) {
        trouble.note(error);
        await this.#pause(waitAfter(tries));
      }
    }
    return undefined;
  }

  async #pause(ms: number): Promise<void> {
    const { signal } = this.#abandoned;
    try {
      await this.#on.clock.sleep(ms, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

/** Whatever is no success stands: nothing is claimed by it that a record would have to prove. */
function unproven(end: AttemptEnd, error: unknown): AttemptEnd {
  if (end.outcome.kind !== 'succeeded') return end;
  return { ...end, ...failedWith('evidenceUnavailable', error, false), stages: end.stages };
}

function settlementOf(
  slot: Slot,
  claimed: Claimed,
  end: AttemptEnd,
  elapsedMs: number,
  isStopping: boolean,
): Settlement {
  const { claim, seq } = claimed;
  return {
    kind: 'settle',
    occurrence: slot.occurrence,
    epoch: claim.epoch,
    attempt: claim.attempt,
    fencingToken: seq,
    outcome: end.outcome,
    ...(end.abort === undefined ? {} : { abort: end.abort }),
    elapsedMs,
    stages: end.stages,
    ...(end.plan === undefined ? {} : { plan: { id: end.plan.id, digest: end.plan.digest } }),
    ...(end.taskId === undefined ? {} : { taskId: end.taskId }),
    ...(end.jobId === undefined ? {} : { jobId: end.jobId }),
    isStopping,
  };
}
