/**
 * The owner: the one process of a catalogue that collects what is due and runs it (OW).
 *
 * A host supervises it: `run` in the foreground, `start` and `stop` beside other work, or `tick` from outside. At most
 * one owner works on a catalogue at a time; a second one is refused at once.
 */
import { type OptionNames, refuseUnknownOptions, unknownOptions } from '../../codec/json/option-names.js';
import { toWire, type Wire } from '../../codec/rows.js';
import { ScheduleError } from '../../errors.js';
import type { OwnerStatus } from '../../ports/owner-lock.js';
import { isSignal } from '../client/checked-call.js';
import { lockHeld } from './lock-errors.js';
import { type LoopSignals, refuseAborted, runLoop, runTick } from './owner-loop.js';
import type { OwnerOptions, OwnerParts, TickSummary } from './owner-parts.js';
import { beginTerm, type OwnerTerm, type TermOptions } from './owner-term.js';

export type { OwnerOptions, OwnerParts, TickSummary } from './owner-parts.js';

const DEFAULTS = { concurrency: 1, drainSeconds: 20 } as const;
const MOST_CONCURRENT = 10_000;
const LONGEST_DRAIN_SECONDS = 86_400;
const OWNER_NAMES: OptionNames<OwnerOptions> = { concurrency: true, drainSeconds: true, collect: true };
const TICK_NAMES: OptionNames<TickOptions> = { signal: true, drainSeconds: true };
const RUN_NAMES: OptionNames<RunOptions> = { ...TICK_NAMES, force: true };
const STOP_NAMES: OptionNames<NonNullable<Parameters<Owner['stop']>[0]>> = { force: true };

/** How long to run. @public */
export interface RunOptions {
  /** Asks for an orderly stop: no new dispatch, what runs may end within the drain limit (OW-4). */
  readonly signal?: AbortSignal | undefined;
  /** Ends at once: what runs is interrupted work for the next owner. */
  readonly force?: AbortSignal | undefined;
  /** Drain limit in seconds for this run, 0..86400. */
  readonly drainSeconds?: number | undefined;
}

/** How an outside tick runs. @public */
export type TickOptions = Pick<RunOptions, 'signal' | 'drainSeconds'>;

/** Whether an owner lives and what it said last, with instants as ISO 8601 UTC texts. @public */
export type OwnerStatusView = Wire<OwnerStatus>;

/** See the head of `owner.ts`. @public */
export interface Owner {
  /**
   * Owns the catalogue until its signal fires, and keeps the process alive meanwhile. Resolves once it has stopped.
   *
   * @throws `SCHEDULE_LOCK_HELD` where an owner lives, in this process too (`details.isThisProcess` says so),
   * `SCHEDULE_LOCK_LOST` when it is replaced, `SCHEDULE_CLOSED` once the schedules are closed,
   * `SCHEDULE_STORE_FAILED` and `SCHEDULE_CATALOGUE_CORRUPT` where nothing more can be committed.
   */
  run(options?: RunOptions): Promise<void>;
  /** Begins to own the catalogue in the background; resolves after recovery. @throws as {@link Owner.run}. */
  start(): Promise<void>;
  /**
   * Ends what `start` began; resolves once it has stopped, at once where nothing runs.
   *
   * @throws what ended the owner, where it had ended by itself.
   */
  stop(options?: { readonly force?: boolean | undefined }): Promise<void>;
  /**
   * Collects once, dispatches until nothing is ready, waits for what it started, and gives the lock back (OW-6). An idle
   * tick commits nothing.
   *
   * @throws `SCHEDULE_LOCK_HELD` where any owner lives, `SCHEDULE_ABORTED` where its signal has fired already.
   */
  tick(options?: TickOptions): Promise<TickSummary>;
  /** Whether an owner lives, here or elsewhere, and what it said last (OW-1). */
  status(): Promise<OwnerStatusView>;
}

/**
 * An owner over the given parts; it takes the lock when it is run.
 *
 * @remarks Throws `SCHEDULE_CONFIG_INVALID` for options out of their bounds.
 * @internal
 */
export function createOwner(parts: OwnerParts, options: OwnerOptions): Owner {
  refuseUnknown(options, OWNER_NAMES);
  return new CatalogueOwner(parts, termOptions(options));
}

interface Background {
  readonly stop: AbortController;
  readonly force: AbortController;
  readonly done: Promise<void>;
  isOver: boolean;
}

class CatalogueOwner implements Owner {
  readonly #parts: OwnerParts;
  readonly #options: TermOptions;
  #term: OwnerTerm | undefined;
  #background: Background | undefined;

  constructor(parts: OwnerParts, options: TermOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  async run(options: RunOptions = {}): Promise<void> {
    refuseBadRun(options, RUN_NAMES);
    if (options.signal?.aborted === true) return;
    await this.#run(options, () => undefined);
  }

  async start(): Promise<void> {
    await this.#stopped();
    if (this.#background !== undefined) throw lockHeld(this.#term?.report, true, this.#parts.process);
    const stop = new AbortController();
    const force = new AbortController();
    let tellStarted = () => {};
    const started = new Promise<void>((resolve) => {
      tellStarted = resolve;
    });
    const done = this.#run({ signal: stop.signal, force: force.signal }, tellStarted);
    const background: Background = { stop, force, done, isOver: false };
    this.#background = background;
    const over = () => {
      background.isOver = true;
    };
    done.then(over, over);
    try {
      await Promise.race([started, done]);
    } catch (error) {
      // It never ran, so there is nothing to stop; what ends it later is told by `stop`, by events and by `status`.
      if (this.#background === background) this.#background = undefined;
      throw error;
    }
  }

  /** Resolves once no run is about to end; one that has ended makes room for the next. */
  async #stopped(): Promise<void> {
    for (let ending = this.#background; ending !== undefined; ending = this.#background) {
      if (!ending.isOver && !ending.stop.signal.aborted) return;
      await ending.done.catch(() => undefined);
      if (this.#background === ending) this.#background = undefined;
    }
  }

  async stop(options: { readonly force?: boolean | undefined } = {}): Promise<void> {
    refuseUnknown(options, STOP_NAMES);
    const background = this.#background;
    if (background === undefined) return;
    background.stop.abort();
    if (options.force === true) background.force.abort();
    try {
      await background.done;
    } finally {
      if (this.#background === background) this.#background = undefined;
    }
  }

  async tick(options: TickOptions = {}): Promise<TickSummary> {
    refuseBadRun(options, TICK_NAMES);
    refuseAborted(options.signal, 'A tick');
    return await this.#spend(options, (term, signals) => runTick(term, signals));
  }

  async status(): Promise<OwnerStatusView> {
    const term = this.#term;
    return toWire(term === undefined ? await this.#parts.lock.status() : { isHeld: true, report: term.report });
  }

  async #run(options: RunOptions, onStarted: () => void): Promise<void> {
    await this.#spend(options, (term, signals) => runLoop(term, signals, onStarted));
  }

  async #spend<T>(options: RunOptions, spend: (term: OwnerTerm, signals: LoopSignals) => Promise<T>): Promise<T> {
    const { drainSeconds } = options;
    const bounded = drainSeconds === undefined ? this.#options : termOptions({ ...this.#options, drainSeconds });
    const own = this.#parts.ownTerms.enter(options.signal);
    let term: OwnerTerm | undefined;
    try {
      term = await beginTerm(this.#parts, bounded, own);
      this.#term = term;
      return await spend(term, { stop: own.stop, force: options.force ?? new AbortController().signal });
    } finally {
      if (term !== undefined && this.#term === term) this.#term = undefined;
      own.leave();
    }
  }
}

function termOptions(options: OwnerOptions): TermOptions {
  refuseUnless(typeof options === 'object' && options !== null, {
    option: 'options',
    rule: 'must be an object',
    found: options,
  });
  const { concurrency = DEFAULTS.concurrency, drainSeconds = DEFAULTS.drainSeconds, collect } = options;
  refuseUnless(Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= MOST_CONCURRENT, {
    option: 'concurrency',
    rule: `must be a whole number from 1 to ${MOST_CONCURRENT}`,
    found: concurrency,
  });
  refuseUnless(typeof drainSeconds === 'number' && drainSeconds >= 0 && drainSeconds <= LONGEST_DRAIN_SECONDS, {
    option: 'drainSeconds',
    rule: `must be a number from 0 to ${LONGEST_DRAIN_SECONDS}`,
    found: drainSeconds,
  });
  refuseUnless(collect === undefined || typeof collect === 'boolean' || typeof collect === 'function', {
    option: 'collect',
    rule: 'must be true, false or a function',
    found: collect,
  });
  return { concurrency, drainSeconds, ...(collect === undefined ? {} : { collect }) };
}

function refuseUnknown(options: object, names: Readonly<Record<string, true>>): void {
  refuseUnknownOptions('The owner cannot run', unknownOptions(options, names));
}

function refuseBadRun(options: RunOptions, names: Readonly<Record<string, true>>): void {
  refuseUnless(typeof options === 'object' && options !== null, {
    option: 'options',
    rule: 'must be an object',
    found: options,
  });
  refuseUnknown(options, names);
  for (const option of ['signal', 'force'] as const) {
    const found = options[option];
    refuseUnless(isSignal(found), { option, rule: 'must be an AbortSignal', found });
  }
}

function refuseUnless(
  isGood: boolean,
  issue: { readonly option: string; readonly rule: string; readonly found: unknown },
): void {
  if (isGood) return;
  const message = `The owner cannot run: ${issue.option} ${issue.rule}, not ${String(issue.found)}.`;
  throw new ScheduleError('SCHEDULE_CONFIG_INVALID', message, { details: { option: issue.option } });
}
