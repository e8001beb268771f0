/**
 * The stages of one attempt: named parts of the work, each with a timeout of its own (OC-10).
 *
 * Code outside every stage is the stage `main`; its time stands still while another stage runs. A stage at its timeout
 * rejects at once, so that the handler can unwind, and fires the signal of the whole attempt. Code that blocks the process
 * keeps the timer from firing, so a stage is measured once more at its end: one that outlived its timeout is treated
 * then as if the timer had fired. What a stage began is waited for all the same: an attempt is over when nothing of it
 * runs any more.
 */
import { LIMITS } from '../../../core/model/limits.js';
import type { StageRecord } from '../../../core/model/occurrence.js';
import { ScheduleError } from '../../../errors.js';
import type { Clock } from '../../../ports/clock.js';
import { isPrintable, plainText } from '../handler-answer.js';
import type { Alarms } from './alarms.js';
import { HeardPromise } from './heard-promise.js';

/** Name of the stage that stands for code outside of every stage. */
const MAIN_STAGE = 'main';

const NAME_LENGTH = 64;
const NAME_RULE = `The name of a stage has 1..${NAME_LENGTH} characters, none of them a control character, and is not \`main\`.`;

/** Stages of an attempt, `main` included: what a record can hold. */
const STAGES_AT_MOST = LIMITS.listLength.max;

/** How the handler ended: with a value, or with what was thrown and the stage in which that came up. @internal */
export type HandlerEnd<T> =
  | { readonly kind: 'returned'; readonly value: T }
  | { readonly kind: 'threw'; readonly error: unknown; readonly stage: string };

/** What the stages of an attempt are run with. @internal */
export interface StagesSetup {
  /** Measures. */
  readonly clock: Clock;
  /** Waits. */
  readonly alarms: Alarms;
  /** Timeout of each stage, in milliseconds. */
  readonly timeoutMs: number;
  /** Fires when the owner wants the attempt to end. */
  readonly signal: AbortSignal;
  /** Called at most once, when a stage meets its timeout before anything else wanted the attempt to end. */
  readonly onTimeout: (stage: string) => void;
}

type OpenRecord = { -readonly [Key in keyof StageRecord]: StageRecord[Key] };

interface Failure {
  /** The stage that failed; undefined for what is no stage of its own. */
  readonly stage: string | undefined;
  readonly error: unknown;
  readonly promise: HeardPromise<unknown>;
}

/** The stages of one attempt, for one call of `runMain`. @internal */
export class Stages {
  readonly #setup: StagesSetup;
  /** Made when somebody looks at the signal: most handlers end before that. */
  #abort: AbortController | undefined;
  #unfollow: (() => void) | undefined;
  readonly #records: OpenRecord[] = [];
  /** Work of stages that has not ended; these promises never reject. */
  readonly #running = new Set<Promise<void>>();
  /** Work outside of stages that the attempt waits for; these promises never reject. */
  readonly #attached = new Set<Promise<void>>();
  readonly #failures: Failure[] = [];
  readonly #main: OpenRecord;
  #mainSince = 0;
  #stopMainTimer: (() => void) | undefined;
  #hasReturned = false;
  #isOver = false;
  #timedOut: string | undefined;

  constructor(setup: StagesSetup) {
    this.#setup = setup;
    this.#main = this.#begin(MAIN_STAGE);
  }

  /** Fires when the attempt is to end, whoever wants it. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get #controller(): AbortController {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (!this.#isOver) this.#unfollow = follow(this.#setup.signal, this.#abort);
    }
    return this.#abort;
  }

  get #isAborted(): boolean {
    return (this.#abort?.signal ?? this.#setup.signal).aborted;
  }

  /** The stage that met its timeout before anything else wanted the attempt to end. */
  get timedOut(): string | undefined {
    return this.#timedOut;
  }

  /** True once the handler and all of its stages have ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Every stage, in the order in which they began. */
  records(): readonly StageRecord[] {
    return this.#records.map((record) => ({ ...record }));
  }

  /** Runs the handler and waits until it and everything that it began in stages has ended; never rejects. */
  async runMain<T>(work: () => T | Promise<T>): Promise<HandlerEnd<T>> {
    this.#resumeMain();
    const end = await this.#performMain(work);
    this.#pauseMain();
    this.#hasReturned = true;
    const outlived = this.#outlivedMain();
    while (this.#running.size + this.#attached.size > 0) await Promise.all([...this.#running, ...this.#attached]);
    this.#isOver = true;
    this.#unfollow?.();
    if (end.kind === 'threw') return end;
    const unseen = this.#failures.find(({ promise }) => !promise.isHeard);
    if (unseen !== undefined) return { kind: 'threw', error: unseen.error, stage: unseen.stage ?? MAIN_STAGE };
    return outlived === undefined ? end : { kind: 'threw', error: outlived, stage: MAIN_STAGE };
  }

  /** Runs a named part of the work; what the handler's context promises of `stage` is kept here. */
  run<T>(name: string, work: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
    if (this.#running.size === 0) this.#pauseMain();
    this.#outlivedMain();
    const refused = this.#refusal(name);
    if (refused !== undefined) {
      if (this.#running.size === 0 && !this.#hasReturned) this.#resumeMain();
      return this.#heard(undefined, () => Promise.reject(refused)).promise;
    }
    const { promise, ended } = this.#heard(name, (giveUp) => this.#perform(name, work, giveUp));
    this.#running.add(ended);
    void ended.then(() => {
      this.#running.delete(ended);
      if (this.#running.size === 0 && !this.#hasReturned) this.#resumeMain();
    });
    return promise;
  }

  /** Runs what belongs to the attempt and is no stage: it is waited for, and fails the attempt where it fails unheard. */
  attach<T>(work: () => Promise<T>): Promise<T> {
    const { promise, ended } = this.#heard(undefined, work);
    this.#attached.add(ended);
    void ended.then(() => this.#attached.delete(ended));
    return promise;
  }

  /** Begins work; `promise` is for the handler, `ended` never rejects. */
  #heard<T>(
    stage: string | undefined,
    begin: (giveUp: (reason: unknown) => void) => Promise<T>,
  ): { readonly promise: Promise<T>; readonly ended: Promise<void> } {
    let ended: Promise<void> = Promise.resolve();
    const promise: HeardPromise<T> = new HeardPromise((resolve, reject) => {
      ended = begin(reject).then(resolve, (error: unknown) => {
        reject(error);
        this.#failures.push({ stage, error, promise });
      });
    });
    return { promise, ended };
  }

  async #performMain<T>(work: () => T | Promise<T>): Promise<HandlerEnd<T>> {
    try {
      return { kind: 'returned', value: await work() };
    } catch (error) {
      this.#noteFailure(this.#main);
      const failed = this.#failures.find((failure) => failure.error === error && failure.stage !== undefined);
      return { kind: 'threw', error, stage: failed?.stage ?? MAIN_STAGE };
    }
  }

  async #perform<T>(
    name: string,
    work: (signal: AbortSignal) => T | Promise<T>,
    giveUp: (reason: unknown) => void,
  ): Promise<T> {
    const { clock, timeoutMs } = this.#setup;
    const record = this.#begin(name);
    const own = new AbortController();
    const unfollow = follow(this.signal, own);
    const from = clock.monotonic();
    const stopTimer = this.#startTimer(record, timeoutMs, (reason) => {
      own.abort(reason);
      giveUp(reason);
    });
    const end = () => {
      stopTimer();
      unfollow();
      record.durationMs = clock.monotonic() - from;
      return this.#outlived(record);
    };
    let value: T;
    try {
      value = await work(own.signal);
    } catch (error) {
      this.#noteFailure(record);
      end();
      throw error;
    }
    const outlived = end();
    if (outlived !== undefined) throw outlived;
    return value;
  }

  #begin(name: string): OpenRecord {
    const record: OpenRecord = { name, startedAt: this.#setup.clock.now(), durationMs: 0, outcome: 'succeeded' };
    this.#records.push(record);
    return record;
  }

  #noteFailure(record: OpenRecord): void {
    if (record.outcome !== 'timedOut') record.outcome = this.#isAborted ? 'aborted' : 'failed';
  }

  #resumeMain(): void {
    this.#mainSince = this.#setup.clock.monotonic();
    const left = Math.max(0, this.#setup.timeoutMs - this.#main.durationMs);
    this.#stopMainTimer = this.#startTimer(this.#main, left, () => {});
  }

  #pauseMain(): void {
    if (this.#stopMainTimer === undefined) return;
    this.#stopMainTimer();
    this.#stopMainTimer = undefined;
    this.#main.durationMs += this.#setup.clock.monotonic() - this.#mainSince;
  }

  #startTimer(record: OpenRecord, ms: number, onFire: (reason: ScheduleError) => void): () => void {
    return this.#setup.alarms.set(ms, {
      fire: () => this.#timeOut(record, onFire),
      // A clock that cannot wait is the end of the attempt.
      failed: (error) => this.#controller.abort(error),
    });
  }

  /** Notes that a stage outlived its timeout; where nothing else wanted the attempt to end before, this does. */
  #timeOut(record: OpenRecord, tell: (reason: ScheduleError) => void): void {
    const isFirst = !this.#isAborted;
    const reason = timeoutReason(record.name, this.#setup.timeoutMs);
    record.outcome = 'timedOut';
    tell(reason);
    if (!isFirst) return;
    this.#timedOut = record.name;
    this.#controller.abort(reason);
    this.#setup.onTimeout(record.name);
  }

  /**
   * Times a stage out that has outlived its timeout by its measured duration, and whose timer has not said so. Returns why,
   * where that is the first reason for the attempt to end.
   *
   * @remarks OC-10 decides here, not OC-11: no abort reached the work while it ran, so what it answered is no success
   * after an abort but a stage that outlived its timeout. After another request the answer stands, as OC-11 says.
   */
  #outlived(record: OpenRecord): ScheduleError | undefined {
    if (record.outcome === 'timedOut' || record.durationMs <= this.#setup.timeoutMs) return undefined;
    const isFirst = !this.#isAborted;
    let outlived: ScheduleError | undefined;
    this.#timeOut(record, (reason) => {
      outlived = isFirst ? reason : undefined;
    });
    return outlived;
  }

  #outlivedMain(): ScheduleError | undefined {
    return this.#outlived(this.#main);
  }

  #refusal(name: string): ScheduleError | undefined {
    if (this.#isOver)
      return new ScheduleError('SCHEDULE_CLOSED', `The attempt is over; stage ${shown(name)} was not run.`);
    if (this.#isAborted) {
      const message = `The attempt is to end; stage ${shown(name)} was not begun.`;
      return new ScheduleError('SCHEDULE_ABORTED', message, { cause: this.signal.reason });
    }
    const isText = typeof name === 'string' && name !== '' && name.length <= NAME_LENGTH && isPrintable(name);
    if (!isText || name === MAIN_STAGE) return badStage(NAME_RULE, name);
    if (this.#records.length >= STAGES_AT_MOST)
      return badStage(`An attempt has at most ${STAGES_AT_MOST} stages with \`main\`.`, name);
    return undefined;
  }
}

/** Makes a controller abort when a signal does; returns what ends that. */
function follow(signal: AbortSignal, controller: AbortController): () => void {
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return () => signal.removeEventListener('abort', abort);
}

function timeoutReason(stage: string, timeoutMs: number): ScheduleError {
  return new ScheduleError('SCHEDULE_ABORTED', `Stage ${stage} ran longer than ${timeoutMs / 1000} s.`, {
    details: { stage, timeoutMs },
    hint: 'Raise budget.timeoutPerStageSeconds, or split the work into more stages.',
  });
}

function badStage(message: string, found: unknown): ScheduleError {
  return new ScheduleError('SCHEDULE_DECLARATION_INVALID', message, {
    details: { issues: [{ path: 'stage', rule: 'OC-10', message, found: shown(found) }] },
  });
}

/** A name as an error may carry it, whatever was given for one. */
function shown(name: unknown): string {
  return typeof name === 'string' ? plainText(name) : typeof name;
}
