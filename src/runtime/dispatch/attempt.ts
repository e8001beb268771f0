/**
 * One attempt of an occurrence, from its durable claim to its answer (OC-3, OC-4, OC-8, OC-11, OC-12).
 *
 * The order is fixed: claim, plan, directory, a last look at the lock, handler. Each step bars what a crash or a second
 * owner could do wrong at the one before. Whatever asks the attempt to end first is kept as the cause; from then on
 * the work has the drain limit to answer. Nothing is dispatched after such a request.
 */
import { plainCopy } from '../../codec/json/plain-copy.js';
import type { AbortCause } from '../../core/model/input.js';
import { cutText } from '../../core/model/limits.js';
import type { Schedule } from '../../core/model/schedule.js';
import { latenessMs } from '../../core/policy/lateness.js';
import { type EpochMs, epochMs } from '../../core/time/instant.js';
import { ScheduleError } from '../../errors.js';
import type { Clock } from '../../ports/clock.js';
import type { Evidence } from '../../ports/evidence.js';
import type { ExecutionRequest, Plan } from '../../ports/execution-service.js';
import type { Deadlines } from '../clock/deadlines.js';
import { isPassing } from '../clock/store-trouble.js';
import type { EventHub } from '../events.js';
import type { UnendedWork } from '../unended-work.js';
import { type AttemptEnd, type Claimed, dispatchRecord } from './attempt-record.js';
import { type Answer, failedWith, readAnswer } from './execution-answer.js';
import { type Planned, type PlanningParts, planAgain } from './plan-pinning.js';

const SECOND_MS = 1000;

/** What an attempt needs from its owner. @internal */
export interface AttemptParts extends PlanningParts {
  readonly clock: Clock;
  readonly evidence: Evidence;
  readonly deadlines: Deadlines;
  readonly events: EventHub;
  /** What of this process runs on. */
  readonly unended: UnendedWork;
  /** Milliseconds that work has to answer after it was asked to end. */
  readonly drainMs: number;
  /** Rejects with `SCHEDULE_LOCK_LOST` unless this process is the owner still; looks closer where the claim is old. */
  readonly confirm: (claimedAt: number) => Promise<void>;
}

const ABORT_TEXT: Readonly<Record<AbortCause, string>> = {
  cancel: 'it was cancelled',
  stop: 'the owner stops',
  timeout: 'a stage outlived its timeout',
  elapsed: 'its elapsed budget is over',
};

type WorkEnd = Answer | { readonly outcome: { readonly kind: 'attemptExists' }; readonly stages: [] };

/** See the head of this file. @internal */
export class Attempt {
  readonly #on: AttemptParts;
  readonly #claimed: Claimed;
  readonly #controller = new AbortController();
  /** Gives the work up. */
  #drain: () => void = () => undefined;
  #cause: AbortCause | undefined;
  #plan: Plan | undefined;
  #hasDirectory = false;
  #isOver = false;

  constructor(on: AttemptParts, claimed: Claimed) {
    this.#on = on;
    this.#claimed = claimed;
    this.#plan = claimed.plan;
  }

  /** Asks the work to end; the first cause stands (OC-11). */
  abort(cause: AbortCause): void {
    if (this.#isOver) return;
    this.#controller.abort(new ScheduleError('SCHEDULE_ABORTED', `The attempt is to end: ${ABORT_TEXT[cause]}.`));
    this.#endBy(cause);
  }

  /** Runs it to its end; rejects where this process is no longer the owner, or the store has failed for good. */
  async run(): Promise<AttemptEnd> {
    const { deadlines } = this.#on;
    const { id } = this.#claimed.occurrence;
    this.#limitElapsed();
    const work = this.#work();
    this.#on.unended.add(id, work);
    let answer: WorkEnd | undefined;
    try {
      answer = await this.#orDrained(work);
    } finally {
      this.#isOver = true;
      deadlines.delete(id);
    }
    if (answer?.outcome.kind === 'failed') this.#noteElapsed();
    const known = {
      ...(this.#cause === undefined ? {} : { abort: this.#cause }),
      ...(this.#plan === undefined ? {} : { plan: this.#plan }),
      hasDirectory: this.#hasDirectory,
    };
    if (answer !== undefined) return { ...answer, ...known };
    return { outcome: { kind: 'unresponsive' }, stages: [], ...known };
  }

  /** What the work ends with, or undefined where it was given up before. */
  #orDrained(work: Promise<WorkEnd>): Promise<WorkEnd | undefined> {
    return new Promise((resolve, reject) => {
      this.#drain = () => resolve(undefined);
      work.then(resolve, reject);
    });
  }

  /** Ends it when the elapsed budget is over; where it is over already, before anything is dispatched (OC-5). */
  #limitElapsed(): void {
    if (this.#cause !== undefined) return;
    const { clock, deadlines } = this.#on;
    const { deadline, occurrence } = this.#claimed;
    if (deadline <= clock.monotonic()) this.abort('elapsed');
    else deadlines.set(occurrence.id, deadline, () => this.abort('elapsed'));
  }

  /**
   * A failure that comes after the elapsed budget is one of it, also where the process was too busy for the deadline to
   * fire (OC-5). A verified success that comes so late stands, as it does after an abort (OC-11).
   */
  #noteElapsed(): void {
    if (this.#cause === undefined && this.#claimed.deadline <= this.#on.clock.monotonic()) this.#cause = 'elapsed';
  }

  async #work(): Promise<WorkEnd> {
    const { schedule, occurrence, plan } = this.#claimed;
    const planned = await planAgain(this.#on, schedule.definition, occurrence, this.#controller.signal, plan);
    if ('failure' in planned) return planned.failure;
    this.#plan = planned.plan;
    if (this.#cause !== undefined) return this.#notDispatched();
    const directory = await this.#begin(planned);
    if (typeof directory === 'object') return directory;
    const doubt = await this.#confirm();
    if (doubt !== undefined) return doubt;
    if (this.#cause !== undefined) return this.#notDispatched();
    try {
      return readAnswer(await this.#on.execution.execute(this.#request(planned, directory)));
    } catch (error) {
      return failedWith('executionBroken', error);
    }
  }

  /** The last look at the lock; where the store cannot be asked, the attempt fails without having been dispatched. */
  async #confirm(): Promise<Answer | undefined> {
    try {
      await this.#on.confirm(this.#claimed.committedAt);
      return undefined;
    } catch (error) {
      if (!isPassing(error)) throw error;
      return failedWith('notDispatched', error);
    }
  }

  /** The directory of the attempt where it needs one, or how the attempt ends because of it. */
  async #begin(planned: Extract<Planned, { plan: Plan }>): Promise<string | undefined | WorkEnd> {
    const { occurrence, claim } = this.#claimed;
    if (!claim.hasWorkspace) return undefined;
    try {
      const record = dispatchRecord(this.#claimed, planned.document, planned.plan);
      const workspace = await this.#on.evidence.begin(occurrence.id, claim.attempt, record);
      if (workspace === 'exists') return { outcome: { kind: 'attemptExists' }, stages: [] };
      this.#hasDirectory = true;
      return workspace.directory;
    } catch (error) {
      return failedWith('evidenceUnavailable', error);
    }
  }

  #request({ document, plan }: Extract<Planned, { plan: Plan }>, directory: string | undefined): ExecutionRequest {
    const { schedule, occurrence, claim, seq } = this.#claimed;
    const { definition, lastSuccess } = schedule;
    const { budget } = definition.declaration;
    const firstClaimedAt = occurrence.firstClaimedAt ?? claim.claimedAt;
    return {
      document,
      documentDigest: definition.documentDigest,
      plan,
      scheduleId: schedule.id,
      revision: occurrence.revision,
      occurrence: occurrence.id,
      idempotencyKey: occurrence.id,
      dueAt: occurrence.dueAt,
      latenessMs: latenessMs(schedule, occurrence.dueAt, firstClaimedAt),
      ...(occurrence.window === undefined ? {} : { window: plainCopy(occurrence.window) }),
      attempt: claim.attempt,
      fencingToken: seq,
      budget: { ...budget },
      elapsedDeadlineAt: this.#deadlineAt(),
      ...(lastSuccess === undefined ? {} : { previousSuccess: { ...lastSuccess } }),
      ...(directory === undefined ? {} : { directory }),
      signal: this.#controller.signal,
      progress: (note, fraction) => this.#tellProgress(note, fraction),
      timedOut: () => this.#endBy('timeout'),
    };
  }

  #deadlineAt(): EpochMs {
    const { clock } = this.#on;
    return epochMs(Math.round(clock.now() + this.#claimed.deadline - clock.monotonic()));
  }

  /** Keeps the first cause and starts the drain limit. */
  #endBy(cause: AbortCause): void {
    if (this.#cause !== undefined || this.#isOver) return;
    this.#cause = cause;
    const { clock, deadlines, drainMs } = this.#on;
    deadlines.set(this.#claimed.occurrence.id, clock.monotonic() + drainMs, () => this.#drain());
  }

  #notDispatched(): Answer {
    if (this.#cause === 'elapsed') return failedWith('elapsedBudget', 'The elapsed budget ended before the dispatch.');
    return failedWith('notDispatched', `It was asked to end (${this.#cause}) before the dispatch.`);
  }

  #tellProgress(note: string, fraction: number | undefined): void {
    if (this.#isOver) return;
    const { schedule, occurrence } = this.#claimed;
    const isFraction = typeof fraction === 'number' && Number.isFinite(fraction);
    this.#on.events.emit({
      type: 'progress',
      at: this.#on.clock.now(),
      scheduleId: schedule.id,
      occurrence: occurrence.id,
      note: cutText(String(note)),
      ...(isFraction ? { fraction: Math.min(1, Math.max(0, fraction)) } : {}),
    });
  }
}

/** When the elapsed budget of an occurrence ends, by the monotonic clock, where its first claim was at `firstClaimedAt`. @internal */
export function elapsedDeadline(schedule: Schedule, firstClaimedAt: number): number {
  return firstClaimedAt + schedule.definition.declaration.budget.maxElapsedSeconds * SECOND_MS;
}
