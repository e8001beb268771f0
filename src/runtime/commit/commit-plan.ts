/**
 * One commit in the making: inputs are decided one after the other, each on top of those before it, until it is full.
 *
 * It collects the rows to be written, the documents that they name, and what the decisions looked at; nothing of it
 * has an effect before the store accepts the batch.
 */
import { foldId } from '../../core/model/catalogue.js';
import type { Accepted, Decision, Input } from '../../core/model/input.js';
import { LIMITS } from '../../core/model/limits.js';
import type { ScheduleEntry } from '../../core/model/schedule.js';
import type { EpochMs } from '../../core/time/instant.js';
import type { ZoneData } from '../../core/time/zone-data.js';
import type { ScheduleEvent } from '../../ports/observer.js';
import type { CommitBatch, RowChange } from '../../ports/schedule-store.js';
import type { AppliedCommit, Catalogue } from '../catalogue/catalogue.js';
import type { Rules } from '../rules.js';
import { estimateBytes, rowChanges } from './commit-changes.js';
import { CommitDraft } from './commit-draft.js';

/** A batch grows no further once it is about this big. */
const BATCH_BYTES = 256 * 1024;

type Documents = CommitBatch['documents'];

/** An input with the schedule that it is for. @internal */
export interface PlannedInput {
  /** The schedule, in any case of letters. */
  readonly scheduleId: string;
  /** What is to happen to it. */
  readonly input: Input;
  /** Documents that it names and that may be new. */
  readonly documents: Documents;
  /** A further input that follows from the schedule as this one leaves it, and is decided with it; may be asked several times. */
  readonly further?: ((after: ScheduleEntry) => Input | undefined) | undefined;
}

/** An input with its decision. @internal */
export interface DecidedInput {
  /** What was decided. */
  readonly decision: Decision;
  /** What was decided about the further input, where one followed. */
  readonly further?: Decision;
  /** The schedule after it. */
  readonly after: ScheduleEntry | undefined;
}

/** What a plan is made of. @internal */
export interface PlanOptions {
  readonly catalogue: Catalogue;
  readonly rules: Rules;
  /** The zone data of this process (TR-10). */
  readonly zoneData: ZoneData;
  /** The time at which everything in it is decided. */
  readonly at: EpochMs;
}

/** See the head of this file. @internal */
export class CommitPlan {
  /** The time at which everything in it is decided. */
  readonly at: EpochMs;
  readonly #rules: Rules;
  readonly #draft: CommitDraft;
  readonly #changes: RowChange[] = [];
  readonly #documents: Documents[number][] = [];
  readonly #schedules = new Set<string>();
  readonly #keys = new Set<string>();
  readonly #accepted: { readonly before: ScheduleEntry | undefined; readonly decision: Accepted }[] = [];
  #isRowSeen = false;
  #bytes = 0;

  constructor({ catalogue, rules, zoneData, at }: PlanOptions) {
    this.at = at;
    this.#rules = rules;
    this.#draft = new CommitDraft(catalogue, rules, zoneData);
  }

  /** Whether there is nothing to commit. */
  get isEmpty(): boolean {
    return this.#draft.isEmpty;
  }

  /** Whether the next input belongs into another commit. */
  get isFull(): boolean {
    return this.#bytes >= BATCH_BYTES || this.#changes.length >= LIMITS.admissionsPerCommit.max;
  }

  /**
   * Decides an input on top of what is here already, and takes it in where it is accepted; what follows from it is written
   * with it, each row once.
   */
  decide({ scheduleId, input, documents, further }: PlannedInput): DecidedInput {
    const before = this.#draft.entry(scheduleId);
    const decision = this.#judge(scheduleId, input);
    if (decision.kind !== 'accepted') return { decision, after: before };
    const next = decision.entry === undefined ? undefined : further?.(decision.entry);
    const followed = next === undefined ? undefined : this.#judge(scheduleId, next);
    const last = followed?.kind === 'accepted' ? followed : decision;
    const ended = last === decision ? decision.ended : [...decision.ended, ...last.ended];
    const changes = rowChanges(before, { ...last, ended });
    this.#changes.push(...changes);
    this.#documents.push(...documents);
    this.#bytes += estimateBytes(changes, documents);
    return { decision, after: last.entry, ...(followed === undefined ? {} : { further: followed }) };
  }

  #judge(scheduleId: string, input: Input): Decision {
    const { context, key, isRowSeen } = this.#draft.view(scheduleId, input);
    const decision = this.#rules.decide(context, input, this.at);
    if (decision.kind !== 'accepted') return decision;
    this.#accepted.push({ before: context.entry, decision });
    this.#draft.put(scheduleId, input, decision);
    this.#schedules.add(foldId(scheduleId));
    if (key !== undefined) this.#keys.add(key);
    this.#isRowSeen ||= isRowSeen;
    return decision;
  }

  /** What the store is asked to commit, but for who asks and on which commit it builds. */
  batch(): Omit<CommitBatch, 'since' | 'actor'> {
    const reads = { schedules: [...this.#schedules], keys: [...this.#keys], row: this.#isRowSeen };
    return { reads, at: this.at, changes: this.#changes, documents: this.#documents };
  }

  /** What the mirror takes over once the commit of this number is durable. */
  applied(seq: number): AppliedCommit {
    const { entries, marks, requests } = this.#draft;
    return { seq, at: this.at, entries, marks, requests };
  }

  /** What observers are told then; made when it is asked for, since nearly always nobody listens. */
  events(): readonly ScheduleEvent[] {
    return this.#accepted.flatMap(({ before, decision }) => this.#rules.announce(before, decision, this.at));
  }
}
