/**
 * Lines of a file, read in slices: memory is bounded by the longest line that is let through, whatever the file holds.
 */
import type { FileSource } from '../file-source.js';

/** A line, without the newline at its end. @internal */
export interface Line {
  /** Offset of its first byte. */
  readonly offset: number;
  /** Offset behind it, and behind its newline where it has one. */
  readonly end: number;
  /** Its bytes; the first of them where it is longer than the limit. */
  readonly bytes: Buffer;
  /** True where it is longer than the limit. */
  readonly isCut: boolean;
  /** False for what stands behind the last newline. */
  readonly isComplete: boolean;
}

const NEWLINE = 0x0a;

/**
 * Hands every line of a file to `take`, the last one too if it is incomplete, until `take` answers false. Returns the
 * number of bytes that were read.
 *
 * @internal
 */
export async function eachLine(
  source: FileSource,
  path: string,
  limit: number,
  take: (line: Line) => boolean | undefined,
): Promise<number> {
  const held = new HeldLine(limit);
  let position = 0;
  for await (const slice of source.read(path)) {
    const bytes = Buffer.from(slice.buffer, slice.byteOffset, slice.byteLength);
    let start = 0;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, start)) {
      const line = held.end(bytes.subarray(start, at), position + at + 1, true);
      start = at + 1;
      if (take(line) === false) return position + start;
    }
    held.add(bytes.subarray(start));
    position += bytes.length;
  }
  if (held.isOpen) take(held.end(Buffer.alloc(0), position, false));
  return position;
}

/** A line of which a beginning was read. */
class HeldLine {
  readonly #limit: number;
  #parts: Buffer[] = [];
  #kept = 0;
  #length = 0;
  #offset = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isOpen(): boolean {
    return this.#length > 0;
  }

  add(bytes: Buffer): void {
    this.#length += bytes.length;
    const kept = bytes.subarray(0, Math.max(0, this.#limit - this.#kept));
    if (kept.length === 0) return;
    // A source may use its slice again for the next bytes.
    this.#parts.push(Buffer.from(kept));
    this.#kept += kept.length;
  }

  end(rest: Buffer, end: number, isComplete: boolean): Line {
    let bytes = rest;
    if (this.#length > 0 || rest.length > this.#limit) {
      this.add(rest);
      bytes = Buffer.concat(this.#parts);
    }
    const isCut = this.#length > this.#limit;
    const line = { offset: this.#offset, end, bytes, isCut, isComplete };
    this.#parts = [];
    this.#kept = 0;
    this.#length = 0;
    this.#offset = end;
    return line;
  }
}
