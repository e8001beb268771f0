/**
 * JSON as it grows, in bytes: a place that rows are written to, one after the other, and that is used again.
 *
 * A row is many short texts, nearly all of them ASCII. They are put down byte by byte and leave nothing behind, where
 * joined texts would leave a heap of pieces for each row and be copied twice on their way to the disk.
 */

const FIRST_SIZE = 65_536;
/** A place that grew larger than this is not kept. */
const LARGEST_KEPT = 2 * 1_048_576;
/** UTF-8 bytes of one UTF-16 code unit at most. */
const BYTES_A_UNIT = 3;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
const LAST_PRINTABLE = 0x7e;

/** See the head of this file. @internal */
export class JsonBytes {
  #bytes = Buffer.allocUnsafeSlow(FIRST_SIZE);
  #length = 0;

  /** Bytes that were written so far. */
  get length(): number {
    return this.#length;
  }

  /** Writes a text of ASCII alone, as it is. */
  ascii(text: string): void {
    const { length } = text;
    const start = this.#claim(length);
    const bytes = this.#bytes;
    for (let index = 0; index < length; index += 1) bytes[start + index] = text.charCodeAt(index);
  }

  /** Writes a text as it is, in UTF-8. */
  utf8(text: string): void {
    const start = this.#claim(text.length * BYTES_A_UNIT);
    this.#length = start + this.#bytes.write(text, start, 'utf8');
  }

  /** Writes a text as a JSON string. */
  quoted(text: string): void {
    const { length } = text;
    const start = this.#claim(length + 2);
    const bytes = this.#bytes;
    bytes[start] = QUOTE;
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index);
      if (code < FIRST_PRINTABLE || code > LAST_PRINTABLE || code === QUOTE || code === BACKSLASH) {
        this.#length = start;
        this.utf8(JSON.stringify(text));
        return;
      }
      bytes[start + 1 + index] = code;
    }
    bytes[start + 1 + length] = QUOTE;
  }

  /** The bytes from there on; they are good until the next call. */
  from(start: number): Buffer {
    return this.#bytes.subarray(start, this.#length);
  }

  /** Forgets the bytes from there on. */
  cut(start: number): void {
    this.#length = start;
    if (start === 0 && this.#bytes.length > LARGEST_KEPT) this.#bytes = Buffer.allocUnsafeSlow(FIRST_SIZE);
  }

  /** Makes room for so many bytes and counts them as written; where they begin. */
  #claim(count: number): number {
    const start = this.#length;
    const end = start + count;
    if (end > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(end, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, start);
      this.#bytes = larger;
    }
    this.#length = end;
    return start;
  }
}

const SCRATCH = new JsonBytes();

/** What is written, as a text. @internal */
export function writtenText(write: (out: JsonBytes) => void): string {
  const start = SCRATCH.length;
  try {
    write(SCRATCH);
    return SCRATCH.from(start).toString('utf8');
  } finally {
    SCRATCH.cut(start);
  }
}
