/**
 * Evidence of a catalogue in memory: records in memory, and real directories for what handlers write.
 *
 * It bars a second dispatch of an attempt while the process lives, and no longer: `isDurable` is false. The folder of an
 * occurrence is its id, percent-encoded, so that no id leads outside of the root and each can be read back.
 */
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { JsonObject } from '../core/model/declaration.js';
import { type EpochMs, parseCompactInstant } from '../core/time/instant.js';
import { ScheduleError } from '../errors.js';
import type { AttemptWorkspace, Evidence, OccurrenceEvidence } from '../ports/evidence.js';
import type { CallOptions } from '../ports/schedule-store.js';
import {
  contentOf,
  type MemoryAttempt,
  type MemoryContent,
  type MemoryData,
  memoryData,
  refuseAborted,
} from './memory-data.js';

const FILES_AT_MOST = 1000;

/**
 * The evidence of a catalogue in memory; of a new one where none is given. Keeps clauses E-1 to E-6 while the process lives.
 *
 * @internal
 */
export function memoryEvidence(data: MemoryData = memoryData()): Evidence {
  return new MemoryEvidence(contentOf(data));
}

class MemoryEvidence implements Evidence {
  readonly capabilities = { isDurable: false };
  readonly #content: MemoryContent;

  constructor(content: MemoryContent) {
    this.#content = content;
  }

  async begin(
    occurrence: string,
    attempt: number,
    dispatch: JsonObject,
    options: CallOptions = {},
  ): Promise<AttemptWorkspace | 'exists'> {
    refuseAborted(options.signal, 'Making the workspace of an attempt');
    const known = this.#content.attempts.get(occurrence) ?? new Map<number, MemoryAttempt>();
    if (known.has(attempt) || (attempt === 1 && this.#isBegunElsewhere(occurrence))) return 'exists';
    const place = join(await this.#placeOf(occurrence), `attempt-${attempt}`);
    // Nobody else may have begun it while the root was made.
    if (this.#content.attempts.get(occurrence)?.has(attempt) === true) return 'exists';
    this.#content.attempts.set(
      occurrence,
      known.set(attempt, { directory: place, dispatch: structuredClone(dispatch) }),
    );
    await mkdir(place, { recursive: true, mode: 0o700 });
    return { directory: place };
  }

  async finish(occurrence: string, attempt: number, result: JsonObject, options: CallOptions = {}): Promise<void> {
    refuseAborted(options.signal, 'Writing the result of an attempt');
    const known = this.#content.attempts.get(occurrence)?.get(attempt);
    if (known === undefined) {
      const message = `Attempt ${attempt} of ${occurrence} has no workspace.`;
      throw new ScheduleError('SCHEDULE_NOT_FOUND', message, { details: { occurrence, attempt } });
    }
    known.result = structuredClone(result);
  }

  async attempts(occurrence: string, options: CallOptions = {}): Promise<readonly number[]> {
    refuseAborted(options.signal, 'Listing attempts');
    return [...(this.#content.attempts.get(occurrence)?.keys() ?? [])].sort((a, b) => a - b);
  }

  async attempted(scheduleId: string, from: EpochMs, options: CallOptions = {}): Promise<readonly EpochMs[]> {
    refuseAborted(options.signal, 'Listing attempted instants');
    const found = new Set<EpochMs>();
    for (const id of this.#content.attempts.keys()) {
      const { schedule, of = '' } = partsOf(id);
      const dueAt = schedule === scheduleId.toLowerCase() ? parseCompactInstant(of) : undefined;
      if (dueAt !== undefined && dueAt >= from) found.add(dueAt);
    }
    return [...found].sort((a, b) => a - b);
  }

  async read(occurrence: string, options: CallOptions = {}): Promise<OccurrenceEvidence | undefined> {
    refuseAborted(options.signal, 'Reading evidence');
    const known = this.#content.attempts.get(occurrence);
    if (known === undefined) return undefined;
    const attempts: OccurrenceEvidence['attempts'][number][] = [];
    for (const [attempt, kept] of [...known].sort(([a], [b]) => a - b)) {
      attempts.push({ attempt, ...structuredClone(kept), files: await filesBelow(kept.directory) });
    }
    return { occurrence, directory: await this.#placeOf(occurrence), attempts };
  }

  /** E-6: whether the same due instant was begun under another revision, or the same request under a newer one. */
  #isBegunElsewhere(occurrence: string): boolean {
    const wanted = partsOf(occurrence);
    if (wanted.of === undefined) return false;
    const isManual = wanted.of.startsWith('m~');
    for (const id of this.#content.attempts.keys()) {
      const { schedule, revision, of } = partsOf(id);
      if (schedule !== wanted.schedule || of !== wanted.of) continue;
      if (isManual ? revision > wanted.revision : revision !== wanted.revision) return true;
    }
    return false;
  }

  async #placeOf(occurrence: string): Promise<string> {
    return join(await this.#content.root(), encodeURIComponent(occurrence).replace(/^\./, '%2E'));
  }
}

/** The schedule of an occurrence, its revision, and what it is of: a due instant, or `m~` and a request; ids are equal ignoring case. */
function partsOf(id: string): { readonly schedule?: string; readonly revision: number; readonly of?: string } {
  const [schedule = '', revision, ...rest] = id.split('~');
  if (rest.length === 0) return { revision: Number.NaN };
  const of = rest.join('~');
  const isManual = of.startsWith('m~');
  return { schedule: schedule.toLowerCase(), revision: Number(revision), of: isManual ? of.toLowerCase() : of };
}

async function filesBelow(directory: string): Promise<readonly { readonly path: string; readonly bytes: number }[]> {
  const files: { readonly path: string; readonly bytes: number }[] = [];
  for (const path of (await readdir(directory, { recursive: true })).sort()) {
    if (files.length === FILES_AT_MOST) break;
    const found = await stat(join(directory, path));
    if (found.isFile()) files.push({ path: path.split(sep).join('/'), bytes: found.size });
  }
  return files;
}
