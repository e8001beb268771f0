/**
 * The head mark: the newest commit that its writer marked, in one of two slots (I16; `FORMAT.md`, Head).
 */
import { isCount, rowOf } from '../bytes/json-value.js';
import { FILES } from '../bytes/names.js';
import { openLine } from '../bytes/sealed.js';
import type { FileSource } from '../file-source.js';

/** A commit that is known to be durable. @internal */
export interface HeadMark {
  readonly seq: number;
  readonly hash: string;
  /** Hash of the last durable record, where that is one behind the commit that keeps the journal in order. */
  readonly end?: string;
}

/** What the head file says. @internal */
export interface Head {
  /** The higher of its marks. */
  readonly mark?: HeadMark;
  /** False where the file is missing, or a slot holds what is neither a mark nor empty. */
  readonly isWhole: boolean;
}

const SLOT_BYTES = 256;
const EMPTY_SLOT = Buffer.alloc(SLOT_BYTES, ' ');

/** Reads the head mark. @internal */
export async function readHead(source: FileSource): Promise<Head> {
  if ((await source.look(FILES.head))?.kind !== 'file') return { isWhole: false };
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const slice of source.read(FILES.head)) {
    parts.push(Buffer.from(slice));
    length += slice.length;
    if (length >= 2 * SLOT_BYTES) break;
  }
  const bytes = Buffer.alloc(2 * SLOT_BYTES);
  Buffer.concat(parts).copy(bytes);
  const slots = [bytes.subarray(0, SLOT_BYTES), bytes.subarray(SLOT_BYTES)];
  const marks = slots.map(markIn);
  const isWhole = slots.every((slot, index) => marks[index] !== undefined || slot.equals(EMPTY_SLOT));
  const [a, b] = marks;
  const mark = a === undefined || (b !== undefined && b.seq > a.seq) ? b : a;
  return mark === undefined ? { isWhole } : { mark, isWhole };
}

function markIn(slot: Buffer): HeadMark | undefined {
  const newline = slot.indexOf('\n');
  const row = newline < 0 ? undefined : rowOf(openLine(slot.subarray(0, newline))?.value);
  const { seq, hash, end } = (row ?? {}) as { readonly seq?: unknown; readonly hash?: unknown; readonly end?: unknown };
  if (!isCount(seq) || typeof hash !== 'string') return undefined;
  return typeof end === 'string' ? { seq, hash, end } : { seq, hash };
}
