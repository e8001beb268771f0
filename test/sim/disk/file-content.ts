/**
 * The content of a simulated file: what processes see, and what would be left of it after a power cut.
 *
 * Written bytes are dirty until a flush takes them to the medium. A flush that fails loses them: they still are to be seen,
 * but no later flush writes them, as on Linux where a failed write-back leaves its pages marked clean. They count again
 * only once they are written again.
 */
import { ByteSpans, type Span } from './byte-spans.js';

/** Bytes of a sector, which a power cut leaves whole or does not touch. */
export const SECTOR_BYTES = 512;

/**
 * What a power cut leaves of the dirty bytes of a file: none, all, the first so many, the same with zeros instead of the
 * others (the size had been written, the bytes not), or some sectors.
 */
export type Survival =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'all' }
  | { readonly kind: 'prefix'; readonly bytes: number }
  | { readonly kind: 'zeros'; readonly bytes: number }
  | { readonly kind: 'sectors'; readonly isKept: (sector: number) => boolean };

/** See the head of this file. */
export class FileContent {
  #seen: Bytes;
  #stored: Bytes;
  readonly #dirty: ByteSpans;
  readonly #lost: ByteSpans;

  constructor(seen = new Bytes(), stored = new Bytes(), dirty = new ByteSpans(), lost = new ByteSpans()) {
    this.#seen = seen;
    this.#stored = stored;
    this.#dirty = dirty;
    this.#lost = lost;
  }

  /** Size as processes see it. */
  get size(): number {
    return this.#seen.size;
  }

  /** How many bytes a power cut could take. */
  get dirtyBytes(): number {
    return this.#dirty.bytes;
  }

  /** Whether a power cut could leave something else than what is seen. */
  get isUnsure(): boolean {
    return this.#dirty.all.length > 0 || this.#lost.all.length > 0 || this.#seen.size !== this.#stored.size;
  }

  /** The bytes as processes see them. */
  bytes(): Buffer {
    return this.#seen.copy();
  }

  /** The bytes on the medium. */
  storedBytes(): Buffer {
    return this.#stored.copy();
  }

  /** Reads what processes see; how many bytes there were. */
  read(into: Uint8Array, position: number): number {
    return this.#seen.read(into, position);
  }

  /** Writes, to be seen at once. */
  write(bytes: Uint8Array, position: number): void {
    const span = { from: Math.min(position, this.#seen.size), to: position + bytes.length };
    this.#seen.write(bytes, position);
    this.#dirty.add(span);
    this.#lost.remove(span);
  }

  /** Takes dirty bytes and the size to the medium; lost bytes stay what they were there. */
  flush(): void {
    for (const span of this.#dirty.all) this.#stored.write(this.#seen.slice(span), span.from);
    this.#stored.resize(this.#seen.size);
    this.#dirty.clear();
  }

  /** A flush that fails: what was dirty is lost; `isEvicted`: it is not to be seen any more either. */
  failFlush(isEvicted = false): void {
    for (const span of this.#dirty.all) this.#lost.add(span);
    this.#dirty.clear();
    if (!isEvicted) return;
    const onMedium = Buffer.alloc(this.#seen.size);
    this.#stored.read(onMedium, 0);
    for (const { from, to } of this.#lost.all) this.#seen.write(onMedium.subarray(from, to), from);
    this.#lost.clear();
  }

  /** A power cut: what is left is all that there is. */
  cut(survival: Survival): void {
    const gone = this.#gone(survival);
    const size = this.#sizeAfter(survival, gone);
    const kept = new ByteSpans(this.#dirty.all);
    for (const span of gone) kept.remove(span);
    for (const span of kept.all) this.#stored.write(this.#seen.slice(span), span.from);
    this.#stored.resize(size);
    this.#seen = this.#stored.clone();
    this.#dirty.clear();
    this.#lost.clear();
  }

  /** The same content, to be changed apart. */
  clone(): FileContent {
    const dirty = new ByteSpans(this.#dirty.all);
    return new FileContent(this.#seen.clone(), this.#stored.clone(), dirty, new ByteSpans(this.#lost.all));
  }

  #gone(survival: Survival): readonly Span[] {
    switch (survival.kind) {
      case 'nothing':
        return this.#dirty.all;
      case 'all':
        return [];
      case 'prefix':
      case 'zeros':
        return this.#dirty.behind(survival.bytes);
      case 'sectors':
        return this.#dirty.all.flatMap((span) => sectorsOf(span).filter(({ from }) => !survival.isKept(from)));
    }
  }

  #sizeAfter({ kind }: Survival, gone: readonly Span[]): number {
    if (kind === 'nothing') return this.#stored.size;
    if (kind !== 'prefix' || gone.length === 0) return this.#seen.size;
    return Math.max(this.#stored.size, Math.min(this.#seen.size, (gone[0] as Span).from));
  }
}

function sectorsOf({ from, to }: Span): readonly Span[] {
  const sectors: Span[] = [];
  for (let start = from; start < to; ) {
    const end = Math.min(to, (Math.floor(start / SECTOR_BYTES) + 1) * SECTOR_BYTES);
    sectors.push({ from: start, to: end });
    start = end;
  }
  return sectors;
}

/** Bytes that grow; a clone shares them until one of the two changes. */
class Bytes {
  #buffer: Buffer<ArrayBuffer>;
  #size: number;
  #isShared: boolean;

  constructor(buffer = Buffer.alloc(0), size = buffer.length, isShared = false) {
    this.#buffer = buffer;
    this.#size = size;
    this.#isShared = isShared;
  }

  get size(): number {
    return this.#size;
  }

  read(into: Uint8Array, position: number): number {
    if (position >= this.#size) return 0;
    return this.#buffer.copy(into, 0, position, Math.min(this.#size, position + into.length));
  }

  write(bytes: Uint8Array, position: number): void {
    const end = position + bytes.length;
    if (end > this.#size) this.resize(end);
    this.#own();
    this.#buffer.set(bytes, position);
  }

  /** Grows with zeros, or shrinks. */
  resize(size: number): void {
    if (size === this.#size) return;
    this.#own();
    if (size > this.#buffer.length) {
      const grown = Buffer.alloc(Math.max(size, 2 * this.#buffer.length, SECTOR_BYTES));
      this.#buffer.copy(grown, 0, 0, this.#size);
      this.#buffer = grown;
    } else if (size < this.#size) this.#buffer.fill(0, size, this.#size);
    this.#size = size;
  }

  slice({ from, to }: Span): Buffer {
    return this.#buffer.subarray(from, Math.min(to, this.#size));
  }

  copy(): Buffer<ArrayBuffer> {
    return Buffer.from(this.#buffer.subarray(0, this.#size));
  }

  clone(): Bytes {
    this.#isShared = true;
    return new Bytes(this.#buffer, this.#size, true);
  }

  #own(): void {
    if (!this.#isShared) return;
    const own = Buffer.alloc(this.#buffer.length);
    this.#buffer.copy(own);
    this.#buffer = own;
    this.#isShared = false;
  }
}
