/**
 * Keeps one replica up to date: loads it when it is needed first, reads on, and loads it anew where it must.
 *
 * The order matters: head mark, then snapshot, then segments. So nothing that was durable before a call can be missing
 * from what the call sees, and a journal that ends before the mark was cut short.
 */
import type { Disk, FileFacts } from '../disk/disk.js';
import { corrupt } from '../disk/trouble.js';
import type { Layout } from '../layout.js';
import type { OpenedLayout } from '../open-layout.js';
import type { HeadFile } from './head-mark.js';
import { Replica, SegmentGone } from './replica.js';

/** Loads that may meet a segment that a roll-over has just removed. */
const LOADS = 3;

/** See the head of this file. Calls must not overlap. @internal */
export class CatalogueReader {
  readonly #disk: Disk;
  readonly #layout: Layout;
  readonly #workspace: string;
  readonly #head: HeadFile;
  #replica: Replica | undefined;

  constructor(disk: Disk, { layout, workspace }: OpenedLayout, head: HeadFile) {
    this.#disk = disk;
    this.#layout = layout;
    this.#workspace = workspace;
    this.#head = head;
  }

  /** The replica as it was read last. */
  get replica(): Replica | undefined {
    return this.#replica;
  }

  /** The open segment as it is now. */
  look(): FileFacts | undefined {
    return this.#replica === undefined ? undefined : this.#disk.lookNow(this.#replica.path);
  }

  /** The replica with everything that is in the journal now. Throws `SCHEDULE_CATALOGUE_CORRUPT`. */
  async readOn(): Promise<Replica> {
    const known = this.#replica;
    if (known?.isCurrent() !== true) return this.readAnew();
    const mark = await this.#head.read();
    try {
      await known.readOn(mark);
    } catch (error) {
      // The segment that follows was closed and removed in the meantime; so was everything before the snapshot. Or, without
      // the lock, a copy took the place of this one, and what is durable since stands in that.
      if (error instanceof SegmentGone || !known.isCurrent()) return this.readAnew();
      await this.#drop();
      throw error;
    }
    return this.#sound(known);
  }

  /** The replica read from the snapshot on. Throws `SCHEDULE_CATALOGUE_CORRUPT`. */
  async readAnew(): Promise<Replica> {
    await this.#drop();
    for (let load = 1; ; load++) {
      const mark = await this.#head.read();
      let fresh: Replica | undefined;
      try {
        fresh = await Replica.load(this.#disk, this.#layout, this.#workspace);
        await fresh.readOn(mark);
        this.#replica = await this.#sound(fresh);
        return fresh;
      } catch (error) {
        if (this.#replica !== fresh) await fresh?.close();
        if (!(error instanceof SegmentGone)) throw error;
        if (load === LOADS) throw lostSegment(error.path);
      }
    }
  }

  /** Closes the replica. */
  async close(): Promise<void> {
    await this.#drop();
  }

  /** Bytes at the end that no writer can have left are damage. */
  async #sound(replica: Replica): Promise<Replica> {
    const { tail } = replica;
    if (tail === undefined || tail.isTorn) return replica;
    if (this.#replica === replica) await this.#drop();
    const found = 'the last bytes of the journal are no record, and no writer left them like this';
    throw corrupt({ file: replica.path, offset: tail.offset, rule: 'bytes', found });
  }

  async #drop(): Promise<void> {
    const replica = this.#replica;
    this.#replica = undefined;
    await replica?.close();
  }
}

function lostSegment(file: string): Error {
  return corrupt(
    { file, offset: 0, rule: 'missing', found: 'a segment of the journal does not exist' },
    'Restore the file from a backup of the workspace.',
  );
}
