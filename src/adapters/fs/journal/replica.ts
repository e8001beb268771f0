/**
 * A replica: the catalogue in memory, and the place in the journal up to which it was read.
 *
 * It is loaded from the snapshot and the segments behind it, and reads on whenever it is asked to. Reading needs no
 * lock: what a record says is applied whole or not at all. Whatever does not follow from what came before is damage.
 */

import { CatalogueState } from '../../replay/catalogue-state.js';
import { planCommit } from '../../replay/commit-draft.js';
import type { Disk } from '../disk/disk.js';
import { corrupt, isAbsent } from '../disk/trouble.js';
import { type Layout, segmentPath } from '../layout.js';
import { type ChainPosition, type ChainRecord, readChain, type Tail } from './chain-reader.js';
import type { HeadMark } from './head-mark.js';
import { type JournalRecord, readChanges } from './journal-record.js';
import type { ChainSpan } from './segment-renewal.js';
import { readSnapshot, type Snapshot, type SnapshotPosition } from './snapshot.js';

/** A segment that a record or a snapshot names is gone: pruned since it was named, or lost. @internal */
export class SegmentGone extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`${path} does not exist`);
    this.path = path;
  }
}

/** A snapshot with the state that it stands for. */
type LoadedSnapshot = SnapshotPosition & { readonly state: CatalogueState };

/** See the head of this file. @internal */
export class Replica {
  readonly #disk: Disk;
  readonly #layout: Layout;
  readonly state: CatalogueState;
  /** Id of the workspace. */
  readonly workspace: string;
  /** Closed segments that were read to their end and may not be durable: by path, where they stand in the chain. */
  readonly unsure = new Map<string, ChainSpan>();
  /** Size of the snapshot that counts now (bytes). */
  #snapshotBytes: number;
  /** Segments that were closed since that snapshot, with their sizes. */
  readonly #closed = new Map<number, number>();
  /** The last commit that was read from the journal; nothing where the snapshot alone knows of one. */
  lastCommit: HeadMark | undefined;
  #segment: number;
  #startHash: string;
  #position: ChainPosition;
  #file: number;
  #appending: number | undefined;
  /** True where this segment is closed and the next one could not be opened: nothing may be appended here any more. */
  #isAtEnd = false;

  private constructor(disk: Disk, layout: Layout, snapshot: LoadedSnapshot, snapshotBytes: number, file: number) {
    this.#disk = disk;
    this.#layout = layout;
    this.state = snapshot.state;
    this.workspace = snapshot.workspace;
    this.#snapshotBytes = snapshotBytes;
    this.#segment = snapshot.segment;
    this.#startHash = snapshot.prev;
    this.#position = { offset: 0, hash: snapshot.prev, earlier: new Set() };
    this.#file = file;
  }

  /** Loads the snapshot that counts; nothing of the journal is read yet. Throws {@link SegmentGone}. */
  static async load(disk: Disk, layout: Layout, workspace: string): Promise<Replica> {
    const { path, snapshot } = await readCounting(disk, layout);
    if (snapshot.workspace !== workspace) {
      const found = 'the snapshot belongs to another workspace';
      throw corrupt({ file: path, offset: 0, rule: 'workspace', found });
    }
    const bytes = disk.lookNow(path)?.bytes ?? 0;
    const state = await CatalogueState.of(snapshot.content, () => disk.pause(0));
    const file = await openSegment(disk, segmentPath(layout, snapshot.segment));
    return new Replica(disk, layout, { ...snapshot, state }, bytes, file);
  }

  /** Path of the segment that is being read. */
  get path(): string {
    return segmentPath(this.#layout, this.#segment);
  }

  /** Number of the segment that is being read. */
  get segment(): number {
    return this.#segment;
  }

  /** Where this segment stands in the chain, as far as it was read. */
  get span(): ChainSpan {
    return { start: this.#startHash, end: this.#position.hash, torn: this.#position.tail?.skip.sha256 };
  }

  /** Number of the segment that goes on here, where somebody has begun to close this one. */
  get closing(): number | undefined {
    return this.#position.closing;
  }

  /** True where this segment has its first record alone, which was durable before anything named it. */
  get isFresh(): boolean {
    const { earlier, tail, closing } = this.#position;
    return earlier.size === 1 && tail === undefined && closing === undefined;
  }

  /** A copy of where reading stands, to read on from. */
  get position(): ChainPosition {
    return { ...this.#position, earlier: new Set(this.#position.earlier) };
  }

  /** Hash of the last record of the chain. */
  get hash(): string {
    return this.#position.hash;
  }

  /** Offset behind the last record of the chain. */
  get offset(): number {
    return this.#position.offset;
  }

  /** Bytes behind it that are no record. */
  get tail(): Tail | undefined {
    return this.#position.tail;
  }

  /** Bytes of journal since the snapshot. */
  get journalBytes(): number {
    let bytes = this.#position.offset;
    for (const closed of this.#closed.values()) bytes += closed;
    return bytes;
  }

  /** Size of the snapshot that counts now (bytes). */
  get snapshotBytes(): number {
    return this.#snapshotBytes;
  }

  /** Takes note of a new snapshot, which stands for everything before a segment. */
  countFromSnapshot(segment: number, bytes: number): void {
    this.#snapshotBytes = bytes;
    for (const closed of this.#closed.keys()) if (closed < segment) this.#closed.delete(closed);
  }

  /** False once the segment is another file than the one that was read: then all must be read anew. */
  isCurrent(): boolean {
    if (this.#isAtEnd) return false;
    return this.#disk.lookNow(this.path)?.identity === this.#disk.factsNow(this.#file).identity;
  }

  /** Takes up every record that was appended since. `mark` is a commit known to be durable before the call. */
  async readOn(mark: HeadMark | undefined): Promise<void> {
    for (let next = await this.#readSegment(mark); next !== undefined; next = await this.#readSegment(mark)) {
      await this.follow(next);
    }
    if (this.offset === 0) {
      // It was durable before anything named the segment: whoever appends here would make a journal that nobody reads.
      throw corrupt({ file: this.path, offset: 0, rule: 'open', found: 'the segment has lost its `open` record' });
    }
    if (mark !== undefined && mark.seq > this.state.seq) {
      const found = `the journal ends at commit ${this.state.seq}, but commit ${mark.seq} was durable`;
      throw corrupt({ file: this.path, offset: this.offset, rule: 'head', found });
    }
  }

  /** Goes on with the next segment, behind a `close`. */
  async follow(next: number): Promise<void> {
    this.#isAtEnd = true;
    const file = await openSegment(this.#disk, segmentPath(this.#layout, next));
    this.unsure.set(this.path, this.span);
    await this.#goOnIn(file);
    this.#closed.set(this.#segment, this.#position.offset);
    this.#segment = next;
    this.#startHash = this.#position.hash;
    this.#position = { offset: 0, hash: this.#position.hash, earlier: new Set() };
    this.#isAtEnd = false;
  }

  /** The open segment as a file to append to. */
  async appending(): Promise<number> {
    this.#appending ??= await this.#disk.open(this.path, 'append');
    return this.#appending;
  }

  /** Opens the segment again after it was replaced by a copy of what was read. */
  async reopen(): Promise<void> {
    await this.#goOnIn(await openSegment(this.#disk, this.path));
  }

  /** Takes another file in the place of the ones that were open. */
  async #goOnIn(file: number): Promise<void> {
    const former = [this.#file, this.#appending];
    this.#file = file;
    this.#appending = undefined;
    for (const one of former) if (one !== undefined) await this.#disk.close(one);
  }

  /** Moves behind a record that was appended by this process and read back. */
  advance(hash: string, end: number): void {
    this.#position.earlier.add(this.#position.hash);
    this.#position.hash = hash;
    this.#position.offset = end;
    this.#position.tail = undefined;
    this.#position.closing = undefined;
  }

  /** Closes its files. */
  async close(): Promise<void> {
    const appending = this.#appending;
    this.#appending = undefined;
    await this.#disk.close(this.#file);
    if (appending !== undefined) await this.#disk.close(appending);
  }

  /** Reads to the end of the open segment; the number of the next one where this one is closed. */
  async #readSegment(mark: HeadMark | undefined): Promise<number | undefined> {
    const { bytes } = this.#disk.factsNow(this.#file);
    if (bytes < this.offset) {
      const found = `the segment has ${bytes} bytes, ${this.offset} were read before`;
      throw corrupt({ file: this.path, offset: bytes, rule: 'short', found });
    }
    if (bytes === this.offset) return undefined;
    for await (const found of readChain(this.#disk, this.path, this.#file, this.#position)) {
      this.#judgeOrder(found);
      const { record } = found;
      if (record.kind === 'close') return record.next;
      if (record.kind === 'open') this.state.markExported(record.exportedThrough);
      else if (record.kind === 'prune') this.state.markPruned(record.pruned, record.records);
      else if (record.kind !== 'skip') await this.#takeCommit(found, record);
      if (mark?.seq === record.seq && isCommit(record) && mark.hash !== found.hash) {
        throw this.#wrong(found, 'head', `commit ${record.seq} is not the one that was durable`);
      }
    }
    return undefined;
  }

  #judgeOrder(found: ChainRecord): void {
    const { record, offset } = found;
    if ((record.kind === 'open') !== (offset === 0))
      throw this.#wrong(found, 'open', 'a segment begins with one `open` record');
    if (record.kind === 'open' && record.workspace !== this.workspace) {
      throw this.#wrong(found, 'workspace', 'the segment belongs to another workspace');
    }
    const expected = this.state.seq + (isCommit(record) ? 1 : 0);
    if (record.seq !== expected)
      throw this.#wrong(found, 'seq', `the number is ${record.seq}, ${expected} must follow`);
  }

  async #takeCommit(found: ChainRecord, record: JournalRecord & { readonly kind: 'commit' | 'own' }): Promise<void> {
    const raisesEpoch = record.kind === 'own';
    const epoch = this.state.epoch + (raisesEpoch ? 1 : 0);
    if (record.epoch !== undefined && record.epoch !== epoch) {
      throw this.#wrong(found, 'epoch', `the record is of epoch ${record.epoch}, the epoch is ${epoch}`);
    }
    const read = await readChanges(record.ops, () => this.#disk.pause(0));
    if (!read.ok) throw this.#wrong(found, 'row', read.message);
    const planned = planCommit(this.state, { at: record.at, raisesEpoch }, read.changes);
    if (!planned.ok) throw this.#wrong(found, planned.rule, planned.message);
    this.state.apply(planned.draft);
    this.lastCommit = { seq: record.seq, hash: found.hash };
  }

  #wrong({ offset }: ChainRecord, rule: string, found: string): Error {
    return corrupt({ file: this.path, offset, rule, found });
  }
}

function isCommit(record: JournalRecord): boolean {
  return record.kind === 'commit' || record.kind === 'own';
}

/**
 * The snapshot that stands for the catalogue, with its path. Where a rename came too late, the segment that the snapshot names is
 * gone, and the former one, which names a later segment, counts until the next roll-over (D-56).
 */
async function readCounting(
  disk: Disk,
  layout: Layout,
): Promise<{ readonly path: string; readonly snapshot: Snapshot }> {
  const { snapshot: path, formerSnapshot } = layout;
  const snapshot = await readSnapshot(disk, path);
  const isFollowed = disk.lookNow(segmentPath(layout, snapshot.segment)) !== undefined;
  if (isFollowed || disk.lookNow(formerSnapshot) === undefined) return { path, snapshot };
  const former = await readSnapshot(disk, formerSnapshot);
  return former.segment > snapshot.segment ? { path: formerSnapshot, snapshot: former } : { path, snapshot };
}

async function openSegment(disk: Disk, path: string): Promise<number> {
  try {
    return await disk.open(path, 'read');
  } catch (error) {
    throw isAbsent(error) ? new SegmentGone(path) : error;
  }
}
