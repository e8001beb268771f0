/**
 * When the journal is rolled over: once nothing was committed for a moment, or at once where it cannot be put off.
 *
 * A roll-over flushes a file for each schedule whose records ended, and commits that come meanwhile share the disk with it.
 * So a burst of work has the disk to itself, as long as what it leaves behind stays bounded: a load that outruns roll-overs for
 * good is held back in the end, since memory is not.
 */
import type { Disk } from './disk/disk.js';
import type { Replica } from './journal/replica.js';
import { isRollOverDue, isRollOverUrgent } from './journal/roll-over.js';

/** Time without a commit after which a roll-over is made. */
const QUIET_MS = 20;
/** Journal that grows after a roll-over failed, before it is tried again (bytes). */
const RETRY_BYTES = 64 * 1024;

/** Ended records in memory from which commits wait for the roll-over that is under way: some two hundred megabytes. */
const MOST_IN_MEMORY = 131_072;

/** What a roll-over is made with. @internal */
export interface RollOverTimeParts {
  readonly disk: Disk;
  /** The catalogue as it is known here; nothing before it was read. */
  readonly replica: () => Replica | undefined;
  /** Rolls over; false where another process does. */
  readonly rollOver: () => Promise<boolean>;
  /** Hears of one that failed. */
  readonly warn: (error: unknown) => void;
}

/** See the head of this file. @internal */
export class RollOverTime {
  readonly #on: RollOverTimeParts;
  #running: Promise<void> | undefined;
  #commits = 0;
  /** Bytes of journal from which a roll-over is tried again after it failed. */
  #from = 0;
  #isHurried = false;
  #hurry = () => {};

  constructor(on: RollOverTimeParts) {
    this.#on = on;
  }

  /** Takes note of a commit, after which a roll-over may be due. */
  noteCommit(): void {
    this.#commits += 1;
    if (!this.#isDue()) return;
    if (this.#running === undefined) this.#running = this.#run();
    else if (this.#isUrgent()) this.#hurry();
  }

  /**
   * Resolves once there is room for what a commit may bring: where so many ended records are in memory that one more burst
   * must not add to them, the commit waits for the roll-over that takes them away. One that fails is not waited for.
   */
  async room(): Promise<void> {
    if (this.#running === undefined || !this.#isFull()) return;
    this.#hurry();
    await this.#running;
  }

  /** Resolves when none is due or under way; one that was put off is made now. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) {
      this.#isHurried = true;
      this.#hurry();
      await this.#running;
    }
    this.#isHurried = false;
  }

  #isDue(): boolean {
    const replica = this.#on.replica();
    return replica !== undefined && isRollOverDue(replica) && replica.journalBytes >= this.#from;
  }

  #isUrgent(): boolean {
    const replica = this.#on.replica();
    return replica !== undefined && isRollOverUrgent(replica);
  }

  #isFull(): boolean {
    return (this.#on.replica()?.state.unexported ?? 0) > MOST_IN_MEMORY;
  }

  async #run(): Promise<void> {
    let isDone = true;
    while (isDone && this.#isDue()) {
      await this.#quiet();
      isDone = await this.#rollOver();
    }
    this.#running = undefined;
  }

  /** The catalogue goes on without a roll-over, so its failure is no error of any call: it is tried again later. */
  async #rollOver(): Promise<boolean> {
    try {
      const isDone = await this.#on.rollOver();
      this.#from = 0;
      return isDone;
    } catch (error) {
      this.#on.warn(error);
      this.#from = (this.#on.replica()?.journalBytes ?? 0) + RETRY_BYTES;
      return true;
    }
  }

  /** Resolves once nothing was committed for a moment, or when nothing can be put off any more. */
  async #quiet(): Promise<void> {
    const hurried = new Promise<void>((resolve) => {
      this.#hurry = resolve;
    });
    let seen: number | undefined;
    while (seen !== this.#commits && !this.#isHurried && !this.#isUrgent()) {
      seen = this.#commits;
      await Promise.race([this.#on.disk.pause(QUIET_MS, true), hurried]);
    }
  }
}
