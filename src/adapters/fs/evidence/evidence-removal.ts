/**
 * Removes evidence in two steps: a directory leaves its place by one durable rename, and only then is it taken apart.
 *
 * So what a crash leaves is whole evidence in its place, or something in `.removed/` that nobody takes for evidence; the
 * next run goes on there. Links are removed, never followed. One run takes a bounded number of names away.
 */
import { dirname, join } from 'node:path';
import { ScheduleError } from '../../../errors.js';
import type { Disk } from '../disk/disk.js';
import { isAbsent } from '../disk/trouble.js';
import type { Layout } from '../layout.js';
import type { OldEvidence } from './evidence-prune.js';

/** Names that one run removes. */
const NAMES_A_RUN = 20_000;

/** See the head of this file. @internal */
export class EvidenceRemoval {
  readonly #disk: Disk;
  readonly #removed: string;
  #namesLeft = 0;

  constructor(disk: Disk, { removedEvidence }: Layout) {
    this.#disk = disk;
    this.#removed = removedEvidence;
  }

  /** Makes the place for {@link EvidenceRemoval.setAside}. Throws `SCHEDULE_WORKSPACE_UNUSABLE` where something else stands there. */
  async prepare(): Promise<void> {
    const kind = this.#disk.lookNow(this.#removed)?.kind;
    if (kind === 'directory') return;
    if (kind === undefined) {
      await this.#disk.makeDirectory(this.#removed);
      return this.#disk.flushDirectory(dirname(this.#removed));
    }
    throw new ScheduleError('SCHEDULE_WORKSPACE_UNUSABLE', `${this.#removed} is no directory but a ${kind}`, {
      details: { path: this.#removed },
      hint: 'Move it away: evidence that is too old is put there before it is removed.',
    });
  }

  /** Takes directories out of their places; whoever looks for them finds nothing from then on. Gives what went wrong. */
  async setAside(all: readonly OldEvidence[]): Promise<readonly unknown[]> {
    const errors: unknown[] = [];
    for (const { path } of all) {
      if (this.#disk.lookNow(path)?.kind !== 'directory') continue;
      try {
        await this.#disk.rename(path, join(this.#removed, this.#disk.randomHex(24)));
      } catch (error) {
        if (!isAbsent(error)) errors.push(error);
      }
    }
    return errors;
  }

  /** Makes the renames durable, after which what they moved may be taken apart. */
  async settle(all: readonly OldEvidence[]): Promise<void> {
    await this.#disk.flushDirectory(this.#removed);
    for (const path of new Set(all.map((evidence) => dirname(evidence.path)))) await this.#disk.flushDirectory(path);
  }

  /** Removes what was set aside, by whatever run. What cannot be removed stays for the next one. Gives what went wrong. */
  async clear(): Promise<readonly unknown[]> {
    if (this.#disk.lookNow(this.#removed)?.kind !== 'directory') return [];
    this.#namesLeft = NAMES_A_RUN;
    const errors: unknown[] = [];
    // A run that was cut short may have left renames that are not durable yet.
    await this.#disk.flushDirectory(this.#removed);
    for (const name of (await this.#disk.list(this.#removed)) ?? []) {
      try {
        await this.#remove(join(this.#removed, name));
      } catch (error) {
        errors.push(error);
      }
    }
    return errors;
  }

  async #remove(path: string): Promise<void> {
    if ((await this.#disk.look(path))?.kind === 'directory') {
      for (const name of (await this.#disk.list(path)) ?? []) {
        if (this.#namesLeft <= 0) return;
        await this.#remove(join(path, name));
      }
      if (this.#namesLeft-- > 0) await this.#disk.removeDirectory(path);
    } else if (this.#namesLeft-- > 0) await this.#disk.unlink(path);
  }
}
