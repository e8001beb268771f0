/**
 * The commit loop: the only place that changes a catalogue.
 *
 * Everything submitted while a commit is in flight is gathered into the next one. Each input is decided on the mirror
 * with the earlier decisions of its batch on top; what was accepted becomes one commit that names what it looked at.
 * When the store says that something of that has changed since, the mirror is refreshed and everything is decided
 * again: no update is lost, and nothing is decided on what is no longer so (ST-5, CT-2).
 */
import type { CatalogueRow } from '../../core/model/catalogue.js';
import type { Decision, Input } from '../../core/model/input.js';
import type { ScheduleEntry } from '../../core/model/schedule.js';
import type { EpochMs } from '../../core/time/instant.js';
import type { ZoneData } from '../../core/time/zone-data.js';
import { isScheduleError, ScheduleError } from '../../errors.js';
import type { Clock } from '../../ports/clock.js';
import type { CommitBatch, CommitResult, ScheduleStore } from '../../ports/schedule-store.js';
import type { AppliedCommit, Catalogue } from '../catalogue/catalogue.js';
import type { EventHub } from '../events.js';
import type { Rules } from '../rules.js';
import { rowEvents } from './commit-changes.js';
import { CommitPlan, type DecidedInput, type PlannedInput } from './commit-plan.js';

/** How long a submission is decided again after conflicts before it is given up. */
const CONTENTION_MS = 10_000;
/** Conflicts in a row that are tried again at once. */
const EAGER_ROUNDS = 4;
/** Longest pause between two rounds after that. */
const LONGEST_BACKOFF_MS = 250;

/** Who submits, and what a submission brings along. @internal */
export interface SubmitOptions {
  /** Name of the caller, or `owner`. */
  readonly actor: string;
  /** The owner's epoch; absent for a client. An owner trusts its mirror; a client has it refreshed first. */
  readonly epoch?: number;
  /** Gives up with `SCHEDULE_ABORTED` while the submission waits for its turn. */
  readonly signal?: AbortSignal | undefined;
  /** Documents that the input names and that may be new. */
  readonly documents?: CommitBatch['documents'];
  /** See {@link PlannedInput.further}. */
  readonly further?: PlannedInput['further'];
}

/** The answer to a submission: durable where it was accepted. @internal */
export interface Committed {
  /** What was decided; a refusal was decided on the newest state. */
  readonly decision: Decision;
  /** What was decided about the further input, where one followed. */
  readonly further?: Decision;
  /** The schedule after it; absent where there is none. */
  readonly entry?: ScheduleEntry;
  /** Number of the commit; of the newest known one where nothing was committed. */
  readonly seq: number;
  /** Hash of the commit, as the store gives it; empty where nothing was committed. */
  readonly hash: string;
}

/** Makes the next row, or says that there is nothing to change; may be called several times. @internal */
export type RowStep = (row: CatalogueRow, at: EpochMs) => CatalogueRow | undefined;

/** What the loop is made of. @internal */
export interface CommitterOptions {
  readonly store: ScheduleStore;
  readonly catalogue: Catalogue;
  readonly rules: Rules;
  readonly clock: Clock;
  readonly events: EventHub;
  /** The zone data of this process (TR-10). */
  readonly zoneData: ZoneData;
  /** A number in 0..1, for the jitter of waiting. */
  readonly random: () => number;
}

interface Task {
  readonly what:
    | { readonly kind: 'input'; readonly scheduleId: string; readonly input: Input }
    | { readonly kind: 'row'; readonly step: RowStep }
    | { readonly kind: 'epoch' };
  readonly options: SubmitOptions;
  readonly deadline: number;
  resolve(committed: Committed): void;
  reject(error: unknown): void;
}

/** See the head of this file. @internal */
export class Committer {
  readonly #on: CommitterOptions;
  #queue: Task[] = [];
  #running: Promise<void> | undefined;
  #conflicts = 0;
  #isStale = true;
  #isTroubled = false;
  #beginStore: (() => () => void) | undefined;
  #isClosed = false;

  constructor(options: CommitterOptions) {
    this.#on = options;
  }

  /**
   * Decides an input and commits what follows; resolves with a refusal as data.
   *
   * @throws `SCHEDULE_CONTENTION`, `SCHEDULE_LOCK_LOST` (an owner of an old epoch), `SCHEDULE_ABORTED`,
   * `SCHEDULE_CLOSED`, and what the store rejects with; nothing was committed then.
   */
  submit(scheduleId: string, input: Input, options: SubmitOptions): Promise<Committed> {
    return this.#enqueue({ kind: 'input', scheduleId, input }, options);
  }

  /** Changes the catalogue's own row and returns it; errors as {@link Committer.submit}. */
  async submitRow(step: RowStep, options: SubmitOptions): Promise<CatalogueRow> {
    await this.#enqueue({ kind: 'row', step }, options);
    return this.#on.catalogue.row;
  }

  /** Makes this process the newest owner and returns its epoch. Only the holder of the lock may call it (OW-2). */
  async raiseEpoch(signal?: AbortSignal): Promise<number> {
    await this.#enqueue({ kind: 'epoch' }, { actor: 'owner', ...(signal === undefined ? {} : { signal }) });
    return this.#on.catalogue.epoch;
  }

  /** Calls `begin` with every batch that the store is given, and what it returns when the store has answered; returns what ends that. */
  watchStore(begin: () => () => void): () => void {
    this.#beginStore = begin;
    return () => {
      if (this.#beginStore === begin) this.#beginStore = undefined;
    };
  }

  /** Tells observers that the store has not answered a commit for so long; its next commit ends that as any trouble (OW-7). */
  noteSilence(ms: number): void {
    this.#tellTrouble(`a commit has had no answer for ${ms / 1000} s; another process may hold the lock of the store`);
  }

  /** Refuses what comes from now on and resolves once nothing is in flight. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  #enqueue(what: Task['what'], options: SubmitOptions): Promise<Committed> {
    if (this.#isClosed) {
      return Promise.reject(closedError());
    }
    return new Promise((resolve, reject) => {
      const deadline = this.#on.clock.monotonic() + CONTENTION_MS;
      this.#queue.push({ what, options, deadline, resolve, reject });
      this.#running ??= this.#drain();
    });
  }

  async #drain(): Promise<void> {
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const batch = this.#takeBatch();
      try {
        await this.#commit(batch);
      } catch (cause) {
        const error = isScheduleError(cause) ? cause : brokenStore(cause);
        this.#isStale = true;
        this.#noteTrouble(error);
        const waiting = new Set(this.#queue);
        for (const task of batch) if (!waiting.has(task)) task.reject(error);
      }
    }
    this.#running = undefined;
  }

  /** The first of the queue with all that follow it and may share its commit, without those that gave up. */
  #takeBatch(): readonly Task[] {
    const first = this.#queue[0] as Task;
    const isAlike = ({ what, options }: Task): boolean =>
      what.kind === 'input' && options.epoch === first.options.epoch && options.actor === first.options.actor;
    const end = first.what.kind === 'input' ? this.#queue.findIndex((task) => !isAlike(task)) : 1;
    const batch = this.#queue.splice(0, end === -1 ? this.#queue.length : end);
    return batch.filter((task) => this.#isAlive(task));
  }

  #isAlive({ options: { signal }, reject }: Task): boolean {
    if (signal?.aborted !== true) return true;
    const message = 'the call was given up by its signal before it had an effect';
    reject(new ScheduleError('SCHEDULE_ABORTED', message, { cause: signal.reason }));
    return false;
  }

  async #commit(batch: readonly Task[]): Promise<void> {
    const [first] = batch;
    if (first === undefined) return;
    const isFresh = this.#isStale || first.options.epoch === undefined;
    if (isFresh) {
      await this.#on.catalogue.refresh();
      this.#isStale = false;
    }
    if (first.what.kind === 'row') await this.#commitRow(first, first.what.step);
    else if (first.what.kind === 'epoch') await this.#commitEpoch(first);
    else await this.#commitInputs(batch, isFresh);
  }

  async #commitInputs(batch: readonly Task[], isFresh: boolean): Promise<void> {
    const plan = new CommitPlan({ ...this.#on, at: this.#on.clock.now() });
    const decided = this.#decide(plan, batch, isFresh);
    const [first] = decided;
    if (first === undefined) return;
    const tasks = decided.map(({ task }) => task);
    const result = await this.#storeFor(tasks, plan.batch());
    if (result === undefined) return;
    if (result.kind !== 'committed') return this.#retry(tasks, result);
    await this.#follow(plan.applied(result.seq));
    if (this.#on.events.isHeard) this.#on.events.emitAll(plan.events());
    for (const { task, answer } of decided) this.#answer(task, answer, result);
  }

  /**
   * Decides as many as one commit may hold and puts the others back. What changes nothing is answered here and now,
   * unless it was decided on top of something that is not committed yet.
   */
  #decide(plan: CommitPlan, batch: readonly Task[], isFresh: boolean): readonly { task: Task; answer: DecidedInput }[] {
    const decided: { task: Task; answer: DecidedInput }[] = [];
    for (const [position, task] of batch.entries()) {
      const answer = plan.isFull ? undefined : this.#decideOne(plan, task);
      const isDoubtful = answer?.decision.kind === 'refused' && !isFresh;
      if (isDoubtful) this.#isStale = true;
      if ((plan.isFull && answer === undefined) || isDoubtful) {
        this.#queue.unshift(...batch.slice(position));
        break;
      }
      if (answer === undefined) continue;
      if (plan.isEmpty) this.#answer(task, answer, { seq: this.#on.catalogue.seq, hash: '' });
      else decided.push({ task, answer });
    }
    return decided;
  }

  /** Undefined where the rules themselves failed: that is told to the one who asked, and harms nobody else (CO-4). */
  #decideOne(plan: CommitPlan, { what, options, reject }: Task): DecidedInput | undefined {
    if (what.kind !== 'input') return undefined;
    try {
      const { documents = [], further } = options;
      return plan.decide({ scheduleId: what.scheduleId, input: what.input, documents, further });
    } catch (cause) {
      const message = `the rules failed for ${what.input.kind} of schedule ${what.scheduleId}`;
      const details = { scheduleId: what.scheduleId, input: what.input.kind };
      reject(new ScheduleError('SCHEDULE_ADAPTER_BROKEN', message, { details, cause }));
      return undefined;
    }
  }

  async #commitRow(task: Task, step: RowStep): Promise<void> {
    const at = this.#on.clock.now();
    const before = this.#on.catalogue.row;
    const row = step(before, at);
    const answer: DecidedInput = { decision: { kind: 'unchanged' }, after: undefined };
    if (row === undefined) return this.#answer(task, answer, { seq: this.#on.catalogue.seq, hash: '' });
    const reads = { schedules: [], keys: [], row: true };
    const result = await this.#store(task.options, { reads, at, changes: [{ kind: 'row', row }], documents: [] });
    if (result.kind !== 'committed') return this.#retry([task], result);
    await this.#follow({ seq: result.seq, at, row, entries: [], marks: [] });
    this.#on.events.emitAll(rowEvents(before, row, at));
    this.#answer(task, answer, result);
  }

  async #commitEpoch(task: Task): Promise<void> {
    const at = this.#on.clock.now();
    const options = { ...task.options, epoch: this.#on.catalogue.epoch };
    const reads = { schedules: [], keys: [], row: false };
    const result = await this.#store(options, { reads, at, changes: [], documents: [], raisesEpoch: true });
    if (result.kind !== 'committed') return this.#retry([task], result);
    await this.#follow({ seq: result.seq, at, epoch: options.epoch + 1, entries: [], marks: [] });
    this.#answer(task, { decision: { kind: 'unchanged' }, after: undefined }, result);
  }

  /** Stores what several submissions share; where one gives up before that had an effect, the others try again. */
  async #storeFor(
    tasks: readonly Task[],
    batch: Omit<CommitBatch, 'since' | 'actor'>,
  ): Promise<CommitResult | undefined> {
    const [first] = tasks as readonly [Task, ...Task[]];
    const signals = tasks.flatMap(({ options: { signal } }) => (signal === undefined ? [] : [signal]));
    try {
      return await this.#store(first.options, batch, signals.length === 0 ? undefined : AbortSignal.any(signals));
    } catch (error) {
      if (!isScheduleError(error, 'SCHEDULE_ABORTED')) throw error;
      this.#queue.unshift(...tasks.filter((task) => this.#isAlive(task)));
      return undefined;
    }
  }

  async #store(
    { actor, epoch }: SubmitOptions,
    batch: Omit<CommitBatch, 'since' | 'actor'>,
    signal?: AbortSignal,
  ): Promise<CommitResult> {
    const who = epoch === undefined ? { actor } : { actor, epoch };
    const answered = this.#beginStore?.();
    const committing = this.#on.store.commit({ ...batch, ...who, since: this.#on.catalogue.seq }, { signal });
    const result = await committing.finally(() => answered?.());
    if (result.kind === 'committed') {
      this.#conflicts = 0;
      this.#noteRecovery();
    }
    return result;
  }

  /** Brings the mirror up to a commit of this process, which is durable whatever becomes of the reading. */
  async #follow(commit: AppliedCommit): Promise<void> {
    if (this.#on.catalogue.apply(commit)) return;
    try {
      await this.#on.catalogue.refresh();
    } catch (error) {
      this.#isStale = true;
      this.#noteTrouble(error);
    }
  }

  /** Puts refused submissions back to be decided again on what is new, and gives up those that have waited too long. */
  async #retry(tasks: readonly Task[], result: Exclude<CommitResult, { kind: 'committed' }>): Promise<void> {
    this.#isStale = true;
    this.#conflicts += 1;
    const now = this.#on.clock.monotonic();
    const again: Task[] = [];
    for (const task of tasks) {
      if (result.kind === 'fenced' && task.options.epoch !== undefined)
        task.reject(lockLost(task.options.epoch, result.epoch));
      else if (task.deadline <= now) task.reject(contention(this.#conflicts));
      else again.push(task);
    }
    this.#queue.unshift(...again);
    const extra = this.#conflicts - EAGER_ROUNDS;
    if (again.length === 0 || extra <= 0) return;
    await this.#on.clock.sleep(Math.ceil(Math.min(LONGEST_BACKOFF_MS, 2 ** extra) * this.#on.random()));
  }

  #answer(task: Task, { decision, further, after }: DecidedInput, { seq, hash }: { seq: number; hash: string }): void {
    const committed: { -readonly [K in keyof Committed]: Committed[K] } = { decision, seq, hash };
    if (after !== undefined) committed.entry = after;
    if (further !== undefined) committed.further = further;
    task.resolve(committed);
  }

  #noteTrouble(error: unknown): void {
    if (isScheduleError(error, 'SCHEDULE_STORE_UNAVAILABLE')) this.#tellTrouble(error.message);
  }

  #tellTrouble(detail: string): void {
    if (this.#isTroubled) return;
    this.#isTroubled = true;
    this.#on.events.emitAll([{ type: 'store', at: this.#on.clock.now(), change: 'trouble', detail }]);
  }

  #noteRecovery(): void {
    if (!this.#isTroubled) return;
    this.#isTroubled = false;
    const detail = 'commits are possible again';
    this.#on.events.emitAll([{ type: 'store', at: this.#on.clock.now(), change: 'recovered', detail }]);
  }
}

/** What a call meets after `close`. @internal */
export function closedError(): ScheduleError {
  const hint = 'Open the workspace again with openSchedules.';
  return new ScheduleError('SCHEDULE_CLOSED', 'these schedules were closed', { hint });
}

function lockLost(epoch: number, newest: number): ScheduleError {
  const message = `this owner has epoch ${epoch}, but an owner with epoch ${newest} has taken the catalogue over`;
  const hint = 'This process commits nothing any more; let its supervisor start it again.';
  return new ScheduleError('SCHEDULE_LOCK_LOST', message, { details: { epoch, newest }, hint });
}

function brokenStore(cause: unknown): ScheduleError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `the store failed in a way that its contract does not know: ${reason}`;
  const hint = 'This is a fault of the store; whether the change was committed is unknown.';
  return new ScheduleError('SCHEDULE_ADAPTER_BROKEN', message, { cause, hint });
}

function contention(rounds: number): ScheduleError {
  const message = `other processes changed the same part of the catalogue during ${rounds} attempts in a row`;
  return new ScheduleError('SCHEDULE_CONTENTION', message, { details: { rounds }, hint: 'Try the call again.' });
}
