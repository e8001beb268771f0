/**
 * What a catalogue in memory is made of: the state, the documents, the seat of the owner, the attempts.
 *
 * Store, lock and evidence are handles of one such set, as several processes are handles of one folder. It ends with the
 * process. Directories of attempts are real ones, made when the first is needed, since handlers write files.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type OptionNames, refuseUnknownOptions, unknownOptions } from '../codec/json/option-names.js';
import type { JsonObject } from '../core/model/declaration.js';
import { ScheduleError } from '../errors.js';
import type { Lease, OwnerReport } from '../ports/owner-lock.js';
import { CatalogueState } from './replay/catalogue-state.js';

/** A catalogue in memory, to be opened by any number of handles. @public */
export interface MemoryData {
  /** Forgets everything, and removes the directories of attempts unless they stand in a folder that the caller chose. */
  dispose(): Promise<void>;
}

/** How a catalogue in memory is made. @public */
export interface MemoryOptions {
  /** Folder for the directories of attempts; a new one of the system's temporary folder where absent. */
  readonly directory?: string;
}

/** One attempt of an occurrence. @internal */
export interface MemoryAttempt {
  /** Its directory, absolute. */
  readonly directory: string;
  /** What was written before the handler was called. */
  readonly dispatch: JsonObject;
  /** What was written after it ended. */
  result?: JsonObject;
}

/** The inside of a {@link MemoryData}. @internal */
export class MemoryContent implements MemoryData {
  /** No other catalogue of this process has it. */
  readonly identity = `memory ${randomUUID()}`;
  /** Rows and history. */
  readonly state = new CatalogueState();
  /** Documents by digest. */
  readonly documents = new Map<string, JsonObject>();
  /** Called after each commit. */
  readonly watchers = new Set<() => void>();
  /** Attempts by occurrence and number. */
  readonly attempts = new Map<string, Map<number, MemoryAttempt>>();
  /** Who holds the owner's seat, and what an owner said last. */
  readonly seat: { lease?: Lease; report?: OwnerReport } = {};
  /** Hash of the newest commit. */
  hash = '';
  readonly #chosen: string | undefined;
  #root: Promise<string> | undefined;

  constructor(options: MemoryOptions) {
    this.#chosen = options.directory === undefined ? undefined : resolve(options.directory);
  }

  /** The folder of attempts, absolute; made at the first call. */
  root(): Promise<string> {
    this.#root ??= this.#makeRoot();
    return this.#root;
  }

  async dispose(): Promise<void> {
    const root = await this.#root;
    this.#root = undefined;
    this.attempts.clear();
    this.documents.clear();
    this.watchers.clear();
    if (root !== undefined && this.#chosen === undefined) await rm(root, { recursive: true, force: true });
  }

  async #makeRoot(): Promise<string> {
    if (this.#chosen === undefined) return await mkdtemp(join(tmpdir(), 'everdue-'));
    await mkdir(this.#chosen, { recursive: true, mode: 0o700 });
    return this.#chosen;
  }
}

const NAMES: OptionNames<MemoryOptions> = { directory: true };

/** A new catalogue in memory. @public */
export function memoryData(options: MemoryOptions = {}): MemoryData {
  refuseUnknownOptions('cannot make a catalogue in memory', unknownOptions(options, NAMES));
  return new MemoryContent(options);
}

/** The inside of what {@link memoryData} made; refuses anything else with `SCHEDULE_CONFIG_INVALID`. @internal */
export function contentOf(data: MemoryData): MemoryContent {
  if (data instanceof MemoryContent) return data;
  throw new ScheduleError('SCHEDULE_CONFIG_INVALID', 'A catalogue in memory was opened on data of another kind.', {
    hint: 'Pass what `memoryData()` of the same copy of the package gave.',
  });
}

/** The error of a handle that was closed. @internal */
export function closedError(what: string): ScheduleError {
  return new ScheduleError('SCHEDULE_CLOSED', `The ${what} was used after it was closed.`);
}

/** Refuses a call whose signal has fired. @internal */
export function refuseAborted(signal: AbortSignal | undefined, what: string): void {
  if (signal?.aborted !== true) return;
  throw new ScheduleError('SCHEDULE_ABORTED', `${what} was given up before it had an effect.`, {
    cause: signal.reason,
  });
}
