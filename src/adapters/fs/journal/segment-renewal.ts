/**
 * Fresh files for segments whose bytes may not be on the medium, though everybody can see them (ST-2, ST-4).
 *
 * After a flush that failed, the same file would not tell again which of its pages were lost. So what was validated is
 * copied to a fresh file, flushed there, and put in the place of the segment; the copy is held against the chain before.
 */
import type { Disk } from '../disk/disk.js';
import { copyBytes, putFile, withFile } from '../disk/new-file.js';
import type { Layout } from '../layout.js';
import { type ChainPosition, readChain } from './chain-reader.js';

/** Where a segment stands in the chain: hashes of the record before it and of its last one, digest of torn bytes behind that. @internal */
export interface ChainSpan {
  readonly start: string;
  readonly end: string;
  readonly torn?: string | undefined;
}

/** A segment is not what was read of it before: the system has lost bytes that nobody had flushed. @internal */
export class SegmentChanged extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`the copy of ${path} is not what was validated`);
    this.path = path;
  }
}

/** Somebody appended to a segment, or replaced it, without the lock, before or while it was copied. @internal */
export class SegmentGrew extends Error {
  constructor(path: string) {
    super(`${path} grew while it was copied`);
  }
}

/** See the head of this file. @internal */
export class SegmentRenewal {
  readonly #disk: Disk;
  readonly #layout: Layout;

  constructor(disk: Disk, layout: Layout) {
    this.#disk = disk;
    this.#layout = layout;
  }

  /**
   * Puts a copy of a segment in its place, so that its pages are written anew; `path` keeps its bytes. Throws
   * {@link SegmentGrew}, and {@link SegmentChanged} where `chain` is given and not what is there.
   */
  async renew(path: string, chain?: ChainSpan): Promise<void> {
    await withFile(this.#disk, path, (from) => this.#put(path, from, this.#disk.factsNow(from).bytes, chain));
  }

  /** Puts the first `length` bytes of a segment, followed by `more`, which stand there already, in its place. Throws as `renew`. */
  async complete(path: string, chain: ChainSpan, length: number, more: Uint8Array): Promise<void> {
    await withFile(this.#disk, path, (from) => this.#put(path, from, length, chain, more));
  }

  /**
   * Puts the first `length` bytes of a segment, followed by `more`, in its place, whatever stands behind them and whoever did the
   * same before: nobody appends to it any more, so every copy is as good as another. Throws {@link SegmentChanged}.
   */
  async close(path: string, chain: ChainSpan, length: number, more: Uint8Array): Promise<void> {
    await withFile(this.#disk, path, (from) => this.#put(path, from, length, chain, more, true));
  }

  async #put(
    path: string,
    from: number,
    length: number,
    chain?: ChainSpan,
    more?: Uint8Array,
    isClosed = false,
  ): Promise<void> {
    const size = length + (more?.length ?? 0);
    const write = async (to: number): Promise<void> => {
      await copyBytes(this.#disk, from, to, length);
      if (chain !== undefined) await this.#mustBe(chain, path, to, length);
      if (more !== undefined) await this.#disk.write(to, more, length);
    };
    await putFile(this.#disk, this.#layout.tmp, path, write, () => {
      if (isClosed) return;
      const { bytes, identity } = this.#disk.factsNow(from);
      // Somebody else may have put a copy in its place already, and appended to that one.
      if (bytes !== size || this.#disk.lookNow(path)?.identity !== identity) throw new SegmentGrew(path);
    });
  }

  /** After a failed flush the system may have lost older pages too: the copy must be the whole chain. */
  async #mustBe(chain: ChainSpan, path: string, copy: number, length: number): Promise<void> {
    const position: ChainPosition = { offset: 0, hash: chain.start, earlier: new Set<string>() };
    for await (const _ of readChain(this.#disk, path, copy, position, length));
    const torn = position.tail?.skip.sha256;
    if (position.hash === chain.end && torn === chain.torn) return;
    // All that was validated stands there, and more behind it, which was appended before the copy began.
    const isLonger = position.hash === chain.end ? chain.torn === undefined : position.earlier.has(chain.end);
    throw isLonger ? new SegmentGrew(path) : new SegmentChanged(path);
  }
}
