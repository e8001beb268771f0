/**
 * Evidence in the workspace: `occurrences/<schedule>/<month or manual>/<occurrence>/attempt-<n>/` (E, OC-8).
 *
 * The place follows from the id alone. The directory of an attempt is made exclusively and durably before its handler is
 * called, so it bars a second dispatch even where the catalogue came from an old backup. What else is in it is the handler's.
 * The names on the way to it become durable together with that of its record: one wait where there were four.
 */
import { dirname, join } from 'node:path';
import { parseStrictJson } from '../../../codec/strict-json.js';
import type { Json, JsonObject } from '../../../core/model/declaration.js';
import type { EpochMs } from '../../../core/time/instant.js';
import { ScheduleError } from '../../../errors.js';
import type { AttemptWorkspace, Evidence, OccurrenceEvidence } from '../../../ports/evidence.js';
import type { CallOptions } from '../../../ports/schedule-store.js';
import type { Disk } from '../disk/disk.js';
import { readFile } from '../disk/new-file.js';
import { corrupt, inStore } from '../disk/trouble.js';
import type { Layout } from '../layout.js';
import { refuseAborted } from '../locks/state-lock.js';
import { ATTEMPT, occurrencePath, readOccurrenceId } from './evidence-place.js';
import { OtherRevisions } from './other-revisions.js';

const DISPATCH = 'dispatch.json';
const RESULT = 'result.json';
/** Largest record that is read back (bytes). */
const RECORD_LIMIT = 16 * 1_048_576;
/** Files listed of an attempt, and levels of directories that are looked into. */
const FILES_LISTED = 1000;
const LEVELS_LISTED = 16;
/** Directories known to be durable that are remembered. */
const DURABLE_KEPT = 10_000;

/** See the head of this file. @internal */
export class FileEvidence implements Evidence {
  readonly capabilities = { isDurable: true };
  readonly #disk: Disk;
  readonly #layout: Layout;
  readonly #others: OtherRevisions;
  /** Directories whose name is durable in their parent, as far as this process made or flushed them. */
  readonly #durable = new Set<string>();
  #isClosed = false;

  constructor(disk: Disk, layout: Layout) {
    this.#disk = disk;
    this.#layout = layout;
    this.#others = new OtherRevisions(disk, layout);
  }

  begin(
    occurrence: string,
    attempt: number,
    dispatch: JsonObject,
    options?: CallOptions,
  ): Promise<AttemptWorkspace | 'exists'> {
    return this.#call('making the workspace of an attempt', options, async () => {
      const directory = this.#attemptPath(occurrence, attempt);
      const parent = dirname(directory);
      const name = readOccurrenceId(occurrence);
      if (attempt === 1 && name !== undefined && (await this.#others.haveRun(name))) return 'exists';
      const made: string[] = [];
      for (const path of [dirname(dirname(parent)), dirname(parent), parent]) {
        if (await this.#makeShared(path)) made.push(path);
      }
      if ((await this.#disk.makeDirectory(directory)) === 'exists') return 'exists';
      const record = await this.#put(directory, DISPATCH, dispatch);
      await this.#flushNames([record, directory, ...made]);
      for (const path of made) this.#remember(path);
      return { directory };
    });
  }

  finish(occurrence: string, attempt: number, result: JsonObject, options?: CallOptions): Promise<void> {
    return this.#call('writing the result of an attempt', options, async () => {
      await this.#flushNames([await this.#put(this.#attemptPath(occurrence, attempt), RESULT, result)]);
    });
  }

  attempts(occurrence: string, options?: CallOptions): Promise<readonly number[]> {
    return this.#call('listing attempts', options, async () => {
      const names = (await this.#disk.list(occurrencePath(this.#layout, occurrence))) ?? [];
      return names
        .flatMap((name) => ATTEMPT.exec(name)?.[1] ?? [])
        .map(Number)
        .sort((a, b) => a - b);
    });
  }

  attempted(scheduleId: string, from: EpochMs, options?: CallOptions): Promise<readonly EpochMs[]> {
    return this.#call('listing attempted instants', options, () => this.#others.attempted(scheduleId, from));
  }

  read(occurrence: string, options?: CallOptions): Promise<OccurrenceEvidence | undefined> {
    return this.#call('reading evidence', options, async () => {
      const directory = occurrencePath(this.#layout, occurrence);
      const numbers = await this.attempts(occurrence, options);
      if (numbers.length === 0) return undefined;
      const attempts: OccurrenceEvidence['attempts'][number][] = [];
      for (const attempt of numbers)
        attempts.push(await this.#readAttempt(this.#attemptPath(occurrence, attempt), attempt));
      return { occurrence, directory, attempts };
    });
  }

  /** Refuses every later call. */
  close(): void {
    this.#isClosed = true;
  }

  async #call<T>(doing: string, options: CallOptions | undefined, operation: () => Promise<T>): Promise<T> {
    if (this.#isClosed) {
      throw new ScheduleError('SCHEDULE_CLOSED', 'the evidence was used after the workspace was closed', {
        details: { root: this.#layout.root },
        hint: 'Open the workspace again.',
      });
    }
    refuseAborted(options?.signal);
    return inStore(doing, this.#layout.occurrences, operation);
  }

  #attemptPath(occurrence: string, attempt: number): string {
    if (Number.isSafeInteger(attempt) && attempt >= 1)
      return join(occurrencePath(this.#layout, occurrence), `attempt-${attempt}`);
    throw new ScheduleError('SCHEDULE_NOT_FOUND', `${attempt} is no number of an attempt`, {
      details: { occurrence: occurrence.slice(0, 300), attempt },
      hint: 'Attempts count from 1.',
    });
  }

  /** A directory that others may make too; whether its name may not be durable yet, whoever made it. */
  async #makeShared(path: string): Promise<boolean> {
    if (this.#durable.has(path) && this.#disk.lookNow(path)?.kind === 'directory') return false;
    await this.#disk.makeDirectory(path);
    const kind = this.#disk.lookNow(path)?.kind;
    if (kind !== 'directory') {
      throw new ScheduleError(
        'SCHEDULE_WORKSPACE_UNUSABLE',
        `${path} is no directory but a ${kind ?? 'missing name'}`,
        {
          details: { path },
          hint: 'Move it away: evidence is kept below it, and no link is followed there.',
        },
      );
    }
    return true;
  }

  /** Makes names durable, all of them at once: no order among them matters as long as nothing is run before. */
  async #flushNames(paths: readonly string[]): Promise<void> {
    const parents = new Set(paths.map((path) => dirname(path)));
    const flushed = await Promise.allSettled(Array.from(parents, (parent) => this.#disk.flushDirectory(parent)));
    for (const one of flushed) if (one.status === 'rejected') throw one.reason;
  }

  #remember(path: string): void {
    if (this.#durable.size >= DURABLE_KEPT) this.#durable.clear();
    this.#durable.add(path);
  }

  /**
   * Puts a record into the directory of an attempt; whatever a handler left under that name is replaced. Its bytes are
   * durable when this returns, its name is not yet.
   */
  async #put(directory: string, name: string, record: JsonObject): Promise<string> {
    if (this.#disk.lookNow(directory)?.kind !== 'directory') throw noAttempt(directory);
    const temporary = join(directory, `.${name}-${this.#disk.randomHex(16)}.tmp`);
    const file = await this.#disk.open(temporary, 'create');
    try {
      await this.#disk.write(file, Buffer.from(`${JSON.stringify(record, null, 2)}\n`, 'utf8'), 0);
      await this.#disk.flush(file);
    } finally {
      await this.#disk.close(file);
    }
    const path = join(directory, name);
    await this.#disk.rename(temporary, path);
    return path;
  }

  async #readAttempt(directory: string, attempt: number): Promise<OccurrenceEvidence['attempts'][number]> {
    const dispatch = await this.#readRecord(join(directory, DISPATCH));
    const result = await this.#readRecord(join(directory, RESULT));
    const files: { path: string; bytes: number }[] = [];
    await this.#listFiles(directory, '', files, LEVELS_LISTED);
    return {
      attempt,
      directory,
      ...(dispatch === undefined ? {} : { dispatch }),
      ...(result === undefined ? {} : { result }),
      files,
    };
  }

  async #readRecord(path: string): Promise<JsonObject | undefined> {
    const bytes = await readFile(this.#disk, path, RECORD_LIMIT);
    if (bytes === undefined) return undefined;
    // A handler may have left anything there: what is nested without end would end whoever prints it.
    const parsed = parseStrictJson(bytes.toString('utf8'));
    if (parsed.ok && isRecord(parsed.value)) return parsed.value;
    const found = parsed.ok ? 'it is no JSON object' : `it is no JSON: ${parsed.issues[0]?.message}`;
    throw corrupt({ file: path, offset: 0, rule: 'json', found });
  }

  /** Files below a directory, without following links. */
  async #listFiles(
    root: string,
    below: string,
    files: { path: string; bytes: number }[],
    levels: number,
  ): Promise<void> {
    for (const name of [...((await this.#disk.list(join(root, below))) ?? [])].sort()) {
      const path = below === '' ? name : `${below}/${name}`;
      if (files.length >= FILES_LISTED) return;
      if (path === DISPATCH || path === RESULT) continue;
      const facts = await this.#disk.look(join(root, path));
      if (facts?.kind === 'file') files.push({ path, bytes: facts.bytes });
      else if (facts?.kind === 'directory' && levels > 1) await this.#listFiles(root, path, files, levels - 1);
    }
  }
}

function isRecord(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function noAttempt(directory: string): ScheduleError {
  return new ScheduleError('SCHEDULE_NOT_FOUND', `the workspace of the attempt does not exist: ${directory}`, {
    details: { path: directory },
    hint: 'It is made by `begin`; something else has removed it since.',
  });
}
