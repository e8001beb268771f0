/**
 * The head mark: number and hash of a commit that is known to be durable, so that a journal cut short is noticed, and the
 * record up to which all is known to be durable, so that one whose writer died, or failed, before that is noticed as well.
 *
 * It is written after the commit and never flushed, so it can only lag behind, or be lost. There are two slots, used in
 * turn: a write that a crash tore leaves the other one, and a slot that makes no sense counts for nothing until the next
 * commit writes the file anew.
 */
import type { Disk } from '../disk/disk.js';
import { openLine, sealLine } from '../disk/sealed-line.js';
import { isAbsent } from '../disk/trouble.js';

/** Bytes of one slot. */
const SLOT_BYTES = 256;

const EMPTY_SLOT = Buffer.alloc(SLOT_BYTES, ' ');

/** The bytes of a slot, and the mark that they are. */
interface Slot {
  readonly bytes: Buffer;
  readonly mark: HeadMark | undefined;
}

const NOTHING: Slot = { bytes: Buffer.alloc(0), mark: undefined };

/** A commit that is durable. @internal */
export interface HeadMark {
  readonly seq: number;
  readonly hash: string;
  /** Hash of the last record that is durable, where it is not the commit but one that keeps the journal in order behind it. */
  readonly end?: string;
}

/** The bytes of a head file that marks nothing. @internal */
export const EMPTY_HEAD: Buffer = Buffer.alloc(2 * SLOT_BYTES, ' ');

/** The head file of a catalogue, opened when it is used first. @internal */
export class HeadFile {
  readonly #disk: Disk;
  readonly #path: string;
  #reading: number | undefined;
  #writing: number | undefined;
  #isWhole = false;
  #last: HeadMark | undefined;
  /** What was read or written last: slots that are still the same need not be understood again. */
  readonly #slots: [Slot, Slot] = [NOTHING, NOTHING];

  constructor(disk: Disk, path: string) {
    this.#disk = disk;
    this.#path = path;
  }

  /** Whether the last reading found the file, and in each slot a mark or nothing. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Hash of the last record that is known to be durable, by the mark that was read or written last. */
  get end(): string | undefined {
    return this.#last?.end ?? this.#last?.hash;
  }

  /** The mark that was read or written last. */
  get last(): HeadMark | undefined {
    return this.#last;
  }

  /**
   * Marks a record that keeps the journal in order as durable, and with it the last commit before that, where one is known.
   * Failing to is told to nobody, as with a commit.
   */
  async writeEnd(end: string, commit?: HeadMark): Promise<void> {
    const last = commit !== undefined && commit.seq > (this.#last?.seq ?? -1) ? commit : this.#last;
    if (last !== undefined) await this.write({ seq: last.seq, hash: last.hash, end });
  }

  /** The higher of the two marks; nothing where neither slot makes sense. */
  async read(): Promise<HeadMark | undefined> {
    this.#isWhole = false;
    this.#last = undefined;
    await this.#closeFormer();
    this.#reading ??= await this.#open('read');
    if (this.#reading === undefined) return undefined;
    const bytes = Buffer.alloc(2 * SLOT_BYTES);
    this.#disk.readNow(this.#reading, bytes, 0);
    for (const index of [0, 1] as const) {
      const slot = bytes.subarray(index * SLOT_BYTES, (index + 1) * SLOT_BYTES);
      if (!this.#slots[index].bytes.equals(slot)) this.#slots[index] = { bytes: slot, mark: markIn(slot) };
    }
    const marks = this.#slots.map(({ mark }) => mark);
    this.#isWhole = this.#slots.every((slot) => slot.mark !== undefined || slot.bytes.equals(EMPTY_SLOT));
    this.#last = marks.reduce((best, mark) => ((mark?.seq ?? -1) > (best?.seq ?? -1) ? mark : best), undefined);
    return this.#last;
  }

  /** Marks a commit. Failing to is told to nobody: the mark lags, which it may. */
  async write(mark: HeadMark): Promise<void> {
    this.#last = mark;
    try {
      this.#writing ??= (await this.#open('update')) ?? (await this.#disk.open(this.#path, 'create'));
      const slot = Buffer.from(EMPTY_SLOT);
      sealLine(JSON.stringify(mark)).bytes.copy(slot);
      if (!this.#isWhole) this.#disk.writeNow(this.#writing, EMPTY_HEAD, 0);
      const index = mark.seq % 2 === 0 ? 0 : 1;
      this.#disk.writeNow(this.#writing, slot, index * SLOT_BYTES);
      this.#slots[index] = { bytes: slot, mark };
    } catch {
      // The commit is durable already, and the next one writes a mark again.
    }
  }

  /** Closes what was opened. */
  async close(): Promise<void> {
    const open = [this.#reading, this.#writing];
    this.#reading = undefined;
    this.#writing = undefined;
    for (const file of open) if (file !== undefined) await this.#disk.close(file);
  }

  /** Closes a file that has lost its name, to another one perhaps. */
  async #closeFormer(): Promise<void> {
    const open = this.#reading ?? this.#writing;
    if (open === undefined) return;
    if (this.#disk.lookNow(this.#path)?.identity !== this.#disk.factsNow(open).identity) await this.close();
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
  const { seq, hash, end } = value as Partial<HeadMark>;
  if (typeof seq !== 'number' || !Number.isSafeInteger(seq) || typeof hash !== 'string') return undefined;
  return { seq, hash, ...(typeof end === 'string' ? { end } : {}) };
}
