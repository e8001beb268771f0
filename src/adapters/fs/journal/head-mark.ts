/**
 * The head mark: number and hash of a commit that is known to be durable, so that a journal cut short is noticed.
 *
 * It is written after the commit and never flushed, so it can only lag behind. There are two slots, used in turn: a
 * write that a crash tore leaves the other one, and a slot that makes no sense counts for nothing.
 */
import type { Disk } from '../disk/disk.js';
import { openLine, sealLine } from '../disk/sealed-line.js';
import { isAbsent } from '../disk/trouble.js';

/** Bytes of one slot. */
const SLOT_BYTES = 256;

/** A commit that is durable. @internal */
export interface HeadMark {
  readonly seq: number;
  readonly hash: string;
}

/** The bytes of a head file that marks nothing. @internal */
export const EMPTY_HEAD: Buffer = Buffer.alloc(2 * SLOT_BYTES, ' ');

/** The head file of a catalogue, opened when it is used first. @internal */
export class HeadFile {
  readonly #disk: Disk;
  readonly #path: string;
  #reading: number | undefined;
  #writing: number | undefined;

  constructor(disk: Disk, path: string) {
    this.#disk = disk;
    this.#path = path;
  }

  /** The higher of the two marks; nothing where neither slot makes sense. */
  async read(): Promise<HeadMark | undefined> {
    this.#reading ??= await this.#open('read');
    if (this.#reading === undefined) return undefined;
    const bytes = Buffer.alloc(2 * SLOT_BYTES);
    this.#disk.readNow(this.#reading, bytes, 0);
    const marks = [markIn(bytes.subarray(0, SLOT_BYTES)), markIn(bytes.subarray(SLOT_BYTES))];
    return marks.reduce((best, mark) => ((mark?.seq ?? -1) > (best?.seq ?? -1) ? mark : best), undefined);
  }

  /** Marks a commit. Failing to is told to nobody: the mark lags, which it may. */
  async write(mark: HeadMark): Promise<void> {
    try {
      this.#writing ??= await this.#open('update');
      if (this.#writing === undefined) return;
      const slot = Buffer.alloc(SLOT_BYTES, ' ');
      sealLine(mark).bytes.copy(slot);
      this.#disk.writeNow(this.#writing, slot, (mark.seq % 2) * SLOT_BYTES);
    } catch {
      // The commit is durable already, and the next one writes a mark again.
    }
  }

  /** Closes what was opened. */
  async close(): Promise<void> {
    for (const file of [this.#reading, this.#writing]) if (file !== undefined) await this.#disk.close(file);
    this.#reading = undefined;
    this.#writing = undefined;
  }

  async #open(use: 'read' | 'update'): Promise<number | undefined> {
    try {
      return await this.#disk.open(this.#path, use);
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }
}

function markIn(slot: Buffer): HeadMark | undefined {
  const newline = slot.indexOf('\n');
  const value = newline < 0 ? undefined : openLine(slot.subarray(0, newline))?.value;
  if (typeof value !== 'object' || value === null) return undefined;
  const { seq, hash } = value as Partial<HeadMark>;
  return typeof seq === 'number' && Number.isSafeInteger(seq) && typeof hash === 'string' ? { seq, hash } : undefined;
}
