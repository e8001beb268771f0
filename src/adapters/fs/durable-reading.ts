/**
 * Reading what is durable: readers take no lock, so they see a record before it is flushed. What an answer rests on must not be
 * gone after a power cut (ST-2), so an answer waits until the head marks the last commit that it knows of.
 *
 * The writer marks it as soon as it is flushed, mostly within milliseconds. Where nobody does, because the writer died, or the
 * mark is of before a power cut, whoever reads takes the lock and sees to it.
 */
import type { Disk } from './disk/disk.js';
import { HeadFile, type HeadMark } from './journal/head-mark.js';
import type { Replica } from './journal/replica.js';

/** Pauses between looks at the head (milliseconds), after which a reader sees to it. */
const PAUSES_MS = [0.5, 1, 2, 4, 8, 16];

/** What an answer rests on: the last commit that was read from the journal, and the record behind which reading ended. @internal */
export interface Basis {
  readonly commit: number;
  readonly end: string;
}

/** What was read of a journal that is not marked as durable; nothing where all is, or a snapshot stands for it. @internal */
export function unmarked({ lastCommit, hash }: Replica, mark: HeadMark | undefined): Basis | undefined {
  if (lastCommit === undefined) return undefined;
  const basis = { commit: lastCommit.seq, end: hash };
  return isMarked(basis, mark) ? undefined : basis;
}

/** See the head of this file. @internal */
export class DurableReading {
  readonly #disk: Disk;
  readonly #head: HeadFile;

  constructor(disk: Disk, head: string) {
    this.#disk = disk;
    this.#head = new HeadFile(disk, head);
  }

  /** Waits for the mark of a writer; false where none comes. */
  async isMarkedSoon(basis: Basis): Promise<boolean> {
    for (const ms of PAUSES_MS) {
      await this.#disk.pause(ms);
      if (isMarked(basis, await this.#head.read())) return true;
    }
    return false;
  }

  /** Closes what was opened. */
  close(): Promise<void> {
    return this.#head.close();
  }
}

function isMarked({ commit, end }: Basis, mark: HeadMark | undefined): boolean {
  return mark !== undefined && (mark.seq >= commit || mark.end === end);
}
