/**
 * Whether what is about to run has run under another revision of its schedule (E-6).
 *
 * The catalogue knows that by its records, unless it came from a backup that is older than the revision which ran. So this
 * looks at the evidence alone. It remembers how far that reaches: what lies beyond costs no look at the disk, which is
 * nearly everything, since due instants come in order.
 */
import { join } from 'node:path';
import { type EpochMs, formatInstant } from '../../../core/time/instant.js';
import type { Disk } from '../disk/disk.js';
import { idOfName, safeName } from '../disk/safe-name.js';
import type { Layout } from '../layout.js';
import { ATTEMPT, MANUAL, type OccurrenceName, readOccurrenceId } from './evidence-place.js';

/** How far the evidence of a schedule reaches. */
interface Reach {
  /** The last due instant with a workspace that was there when this process first asked; not of months before that one. */
  last?: Promise<number>;
  /** The last due instant that this process has asked for. */
  asked: number;
  /** The newest revision with a workspace of a manual occurrence that was there when this process first asked. */
  newest?: Promise<number>;
  /** The newest revision whose manual occurrences this process has asked for. */
  revision: number;
}

/** Schedules that are remembered. */
const KEPT = 10_000;

/** See the head of this file. @internal */
export class OtherRevisions {
  readonly #disk: Disk;
  readonly #root: string;
  readonly #reach = new Map<string, Reach>();

  constructor(disk: Disk, { occurrences }: Layout) {
    this.#disk = disk;
    this.#root = occurrences;
  }

  /** Whether the due instant has a workspace under another revision, or the request under a newer one. */
  async haveRun(name: OccurrenceName): Promise<boolean> {
    const { of } = name;
    return 'dueAt' in of ? await this.#hasInstantRun(name, of.dueAt) : await this.#hasRequestRun(name, of.request);
  }

  /** Due instants at or after `from` that have a workspace, under whatever revision, in order. */
  async attempted(scheduleId: string, from: EpochMs): Promise<readonly EpochMs[]> {
    const found = new Set<EpochMs>();
    const place = join(this.#root, safeName(scheduleId));
    for (const month of await this.#monthsFrom(place, from)) {
      for (const { name, path } of await this.#occurrences(join(place, month), scheduleId)) {
        const { of } = name;
        const isWanted = 'dueAt' in of && of.dueAt >= from && !found.has(of.dueAt);
        if (isWanted && (await this.#hasAttempt(path))) found.add(of.dueAt);
      }
    }
    return [...found].sort((a, b) => a - b);
  }

  async #hasInstantRun({ scheduleId, revision }: OccurrenceName, dueAt: EpochMs): Promise<boolean> {
    const reach = this.#reachOf(scheduleId);
    const { asked } = reach;
    reach.asked = Math.max(asked, dueAt);
    reach.last ??= this.#orForget(scheduleId, this.#lastInstant(scheduleId, dueAt));
    if (dueAt > asked && dueAt > (await reach.last)) return false;
    const place = join(this.#root, safeName(scheduleId), monthAt(dueAt));
    for (const { name, path } of await this.#occurrences(place, scheduleId)) {
      const isSame = 'dueAt' in name.of && name.of.dueAt === dueAt && name.revision !== revision;
      if (isSame && (await this.#hasAttempt(path))) return true;
    }
    return false;
  }

  /** The last due instant with a workspace in the months from that of `from` on; one before every instant where there is none. */
  async #lastInstant(scheduleId: string, from: EpochMs): Promise<number> {
    const place = join(this.#root, safeName(scheduleId));
    const last = (await this.#monthsFrom(place, from)).at(-1);
    if (last === undefined) return Number.NEGATIVE_INFINITY;
    const instants = (await this.#occurrences(join(place, last), scheduleId)).map(({ name: { of } }) =>
      'dueAt' in of ? of.dueAt : Number.NEGATIVE_INFINITY,
    );
    return instants.reduce((most, one) => Math.max(most, one), Number.NEGATIVE_INFINITY);
  }

  async #hasRequestRun({ scheduleId, revision }: OccurrenceName, request: string): Promise<boolean> {
    const reach = this.#reachOf(scheduleId);
    const place = join(this.#root, safeName(scheduleId), MANUAL);
    const asked = reach.revision;
    reach.revision = Math.max(asked, revision);
    reach.newest ??= this.#orForget(scheduleId, this.#newestRevision(place, scheduleId));
    if (Math.max(asked, await reach.newest) <= revision) return false;
    for (const { name, path } of await this.#occurrences(place, scheduleId)) {
      const isSame = 'request' in name.of && name.of.request.toLowerCase() === request.toLowerCase();
      if (isSame && name.revision > revision && (await this.#hasAttempt(path))) return true;
    }
    return false;
  }

  async #newestRevision(place: string, scheduleId: string): Promise<number> {
    const revisions = (await this.#occurrences(place, scheduleId)).map(({ name }) => name.revision);
    return revisions.reduce((most, one) => Math.max(most, one), 0);
  }

  /** What a look could not find out is asked for again. */
  async #orForget(scheduleId: string, look: Promise<number>): Promise<number> {
    try {
      return await look;
    } catch (error) {
      this.#reach.delete(scheduleId);
      throw error;
    }
  }

  #reachOf(scheduleId: string): Reach {
    const known = this.#reach.get(scheduleId);
    if (known !== undefined) return known;
    if (this.#reach.size >= KEPT) this.#reach.clear();
    const reach: Reach = { asked: Number.NEGATIVE_INFINITY, revision: 0 };
    this.#reach.set(scheduleId, reach);
    return reach;
  }

  async #monthsFrom(place: string, from: EpochMs): Promise<readonly string[]> {
    const first = monthAt(from);
    return ((await this.#disk.list(place)) ?? []).filter((name) => name !== MANUAL && name >= first).sort();
  }

  /** Occurrences of a schedule in a directory; whatever else a person put there is left alone. */
  async #occurrences(place: string, scheduleId: string): Promise<readonly { name: OccurrenceName; path: string }[]> {
    return ((await this.#disk.list(place)) ?? []).flatMap((file) => {
      const id = idOfName(file);
      const name = id === undefined ? undefined : readOccurrenceId(id);
      return name?.scheduleId === scheduleId ? [{ name, path: join(place, file) }] : [];
    });
  }

  async #hasAttempt(path: string): Promise<boolean> {
    return ((await this.#disk.list(path)) ?? []).some((name) => ATTEMPT.test(name));
  }
}

function monthAt(at: EpochMs): string {
  return formatInstant(at).slice(0, 7);
}
