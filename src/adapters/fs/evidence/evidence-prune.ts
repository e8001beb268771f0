/**
 * Finds evidence that is older than the catalogue is told to keep, schedule by schedule (ST-9).
 *
 * One run looks at a bounded number of names. It may see a part of what a schedule has: what is not among the newest of a
 * part is not among the newest of the whole, so a partial look can only find too little. Further runs find the rest.
 */
import { join } from 'node:path';
import { compactInstant, type EpochMs } from '../../../core/time/instant.js';
import type { Disk } from '../disk/disk.js';
import { idOfName, safeName } from '../disk/safe-name.js';
import type { Layout } from '../layout.js';
import { ATTEMPT, MANUAL, monthOf, type OccurrenceName, readOccurrenceId } from './evidence-place.js';

/** How much evidence each schedule keeps; everything where neither is given. @internal */
export interface EvidenceRetention {
  /** The newest occurrences that stay: by due instant, manual ones by when they were begun last. */
  readonly newest?: number;
  /** Days since an attempt of an occurrence was begun or ended last, up to which it stays. */
  readonly days?: number;
}

/** The evidence of one occurrence, by its directory. @internal */
export interface OldEvidence {
  readonly occurrence: string;
  readonly name: OccurrenceName;
  readonly path: string;
}

/** Occurrences that one run may remove. @internal */
export const REMOVED_A_RUN = 200;
/** Schedules of one run: those that ended something since the last, and others, so that all have their turn. */
const BUSY_A_RUN = 50;
const OTHERS_A_RUN = 10;
/** Names looked at of one schedule, unless the rule needs more; times asked for in one run. */
const NAMES_A_SCHEDULE = 2000;
const LOOKS_A_RUN = 5000;

const DAY_MS = 86_400_000;
const MONTH = /^\d{4}-\d{2}$/;

/** See the head of this file. @internal */
export class EvidencePrune {
  readonly #disk: Disk;
  readonly #root: string;
  readonly #retention: EvidenceRetention;
  #looksLeft = 0;

  constructor(disk: Disk, { occurrences }: Layout, retention: EvidenceRetention) {
    this.#disk = disk;
    this.#root = occurrences;
    this.#retention = retention;
  }

  /** What is too old by its age alone, oldest first within a schedule; `busy` are ids of schedules to begin with. */
  async find(busy: readonly string[], nowMs: number): Promise<readonly OldEvidence[]> {
    const { newest, days } = this.#retention;
    if (newest === undefined && days === undefined) return [];
    this.#looksLeft = LOOKS_A_RUN;
    const others = ((await this.#disk.list(this.#root)) ?? []).filter((name) => idOfName(name) !== undefined);
    const names = new Set([...this.#some(busy.map(safeName), BUSY_A_RUN), ...this.#some(others, OTHERS_A_RUN)]);
    const found: OldEvidence[] = [];
    for (const name of names) {
      if (found.length >= REMOVED_A_RUN) break;
      const old = newest === undefined ? this.#before(name, nowMs - (days ?? 0) * DAY_MS) : this.#behind(name, newest);
      found.push(...(await old));
    }
    return found.slice(0, REMOVED_A_RUN);
  }

  /** What stands behind the newest ones. */
  async #behind(schedule: string, newest: number): Promise<readonly OldEvidence[]> {
    const limit = Math.max(NAMES_A_SCHEDULE, 2 * newest);
    const aged: { readonly evidence: OldEvidence; readonly at: number }[] = [];
    for (const evidence of await this.#occurrences(schedule, limit, '9999-12')) {
      const { of } = evidence.name;
      const at = 'dueAt' in of ? of.dueAt : await this.#beganAt(evidence.path);
      if (at !== undefined) aged.push({ evidence, at });
    }
    const old = aged.sort((a, b) => b.at - a.at).slice(newest);
    return old.reverse().map(({ evidence }) => evidence);
  }

  /** What was begun and ended before a time. */
  async #before(schedule: string, before: number): Promise<readonly OldEvidence[]> {
    const old: OldEvidence[] = [];
    const lastMonth = monthOf(compactInstant(Math.max(0, Math.floor(before)) as EpochMs));
    for (const evidence of await this.#occurrences(schedule, NAMES_A_SCHEDULE, lastMonth)) {
      if (old.length >= REMOVED_A_RUN) break;
      const { of } = evidence.name;
      if ('dueAt' in of && of.dueAt >= before) continue;
      const at = await this.#touchedAt(evidence.path);
      if (at !== undefined && at < before) old.push(evidence);
    }
    return old;
  }

  /** Occurrences of a schedule: of the trigger from the oldest month on, and manual ones from anywhere on. */
  async #occurrences(schedule: string, limit: number, lastMonth: string): Promise<readonly OldEvidence[]> {
    const root = join(this.#root, schedule);
    const months = (await this.#list(root)).filter((name) => MONTH.test(name) && name <= lastMonth).sort();
    const found: OldEvidence[] = [];
    for (const month of months) {
      if (found.length >= limit) break;
      found.push(...read(join(root, month), schedule, [...(await this.#list(join(root, month)))].sort()));
    }
    const manual = this.#some(await this.#list(join(root, MANUAL)), limit);
    return [...found.slice(0, limit), ...read(join(root, MANUAL), schedule, manual)];
  }

  async #beganAt(path: string): Promise<number | undefined> {
    if (this.#looksLeft-- <= 0) return undefined;
    const facts = await this.#disk.look(path);
    return facts?.kind === 'directory' ? facts.changedAtMs : undefined;
  }

  /** When it was begun, or one of its attempts was begun or ended, last. */
  async #touchedAt(path: string): Promise<number | undefined> {
    let at = await this.#beganAt(path);
    if (at === undefined) return undefined;
    for (const name of (await this.#list(path)).filter((one) => ATTEMPT.test(one))) {
      const attempt = await this.#beganAt(join(path, name));
      if (attempt === undefined) return undefined;
      at = Math.max(at, attempt);
    }
    return at;
  }

  /** Names in a directory; none where it is something else: no link is followed. */
  async #list(path: string): Promise<readonly string[]> {
    if ((await this.#disk.look(path))?.kind !== 'directory') return [];
    return (await this.#disk.list(path)) ?? [];
  }

  /** At most so many of a list, from a random place on, so that each has its turn. */
  #some<T>(list: readonly T[], limit: number): readonly T[] {
    if (list.length <= limit) return list;
    const start = Number.parseInt(this.#disk.randomHex(8), 16) % list.length;
    return [...list.slice(start), ...list.slice(0, start)].slice(0, limit);
  }
}

/** The occurrences among the names in a directory; whatever else a person put there is left alone. */
function read(directory: string, schedule: string, names: readonly string[]): readonly OldEvidence[] {
  return names.flatMap((file) => {
    const occurrence = idOfName(file);
    const name = occurrence === undefined ? undefined : readOccurrenceId(occurrence);
    if (occurrence === undefined || name === undefined || safeName(name.scheduleId) !== schedule) return [];
    return [{ occurrence, name, path: join(directory, file) }];
  });
}
