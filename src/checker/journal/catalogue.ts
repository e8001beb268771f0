/**
 * Reads head, snapshots and journal, in this order, and makes the catalogue anew from the oldest snapshot that is kept (I1
 * to I9, I14, I16). A running store may go on meanwhile: whatever was durable before is met.
 */
import { countOf, jsonIn, rowOrEmpty, textOf } from '../bytes/json-value.js';
import { FILES, segmentOf, segmentPath } from '../bytes/names.js';
import { readSealed } from '../bytes/sealed.js';
import type { FileSource } from '../file-source.js';
import { asNotes, type Findings } from '../finding.js';
import { type ChainRecord, readSegment } from './chain.js';
import { type Head, readHead } from './head.js';
import { Replay } from './replay.js';
import { readSnapshot, type Snapshot, type SnapshotFault } from './snapshot.js';
import { compareWith, printsOf, type SnapshotPrints } from './snapshot-prints.js';
import { World } from './world.js';

const STORE_FORMAT = 'everdue/store';
/** The snapshot before, and the journal since then, stand for a snapshot that is lost. */
const MENDABLE =
  'Stop every process that uses the workspace, then `everdue repair`: the snapshot before and the journal since then are whole, and it makes this one anew of them.';

/** Where a walk along the journal ended. */
type Walk =
  | { readonly kind: 'whole'; readonly world: World; readonly file: string; readonly end: number }
  | { readonly kind: 'broken'; readonly segment: number };

/** The catalogue as it is now; nothing where damage keeps it from being known. @internal */
export async function readCatalogue(source: FileSource, findings: Findings): Promise<World | undefined> {
  return new CatalogueCheck(source, findings).run();
}

class CatalogueCheck {
  readonly #source: FileSource;
  readonly #findings: Findings;
  readonly #walked = new Set<number>();
  #workspace: string | undefined;

  constructor(source: FileSource, findings: Findings) {
    this.#source = source;
    this.#findings = findings;
  }

  async run(): Promise<World | undefined> {
    const { store, failed, former, snapshot } = FILES;
    this.#workspace = await this.#readStore(store);
    if ((await this.#source.look(failed)) !== undefined) {
      this.#findings.error(
        ['I3', 'flush'],
        { file: failed, offset: 0 },
        'a flush of the journal failed and could not be undone',
      );
    }
    const head = await readHead(this.#source);
    const isOne = await this.#isOneFile(former, snapshot);
    const spare = isOne ? undefined : await this.#snapshot(former);
    if (spare !== undefined && 'rule' in spare && spare.rule !== 'missing') this.#tellSnapshot(former, spare);
    const current = await this.#snapshot(snapshot);
    const isLate = await this.#isLate(usable(spare), usable(current));
    const walk = await this.#walkAll(usable(spare), isLate ? undefined : usable(current));
    if ('rule' in current) this.#tellSnapshot(snapshot, current, walk?.kind === 'whole' ? MENDABLE : undefined);
    if (walk?.kind !== 'whole') return undefined;
    this.#judgeHead(head, walk);
    await this.#judgeOthers();
    return walk.world;
  }

  async #readStore(file: string): Promise<string | undefined> {
    const lines: Buffer[] = [];
    const fault = await readSealed(this.#source, file, STORE_FORMAT, ({ bytes }) => {
      if (lines.length < 100) lines.push(Buffer.from(bytes));
      return true;
    });
    if (fault !== undefined) {
      this.#findings.error(['I1', fault.rule], { file, offset: fault.offset }, fault.found);
      return undefined;
    }
    const { workspace } = rowOrEmpty(jsonIn(Buffer.concat(lines))?.value) as { readonly workspace?: unknown };
    if (typeof workspace === 'string') return workspace;
    this.#findings.error(['I1', 'workspace'], { file, offset: 0 }, 'the id of the workspace is missing');
    return undefined;
  }

  async #isOneFile(a: string, b: string): Promise<boolean> {
    const identity = (await this.#source.look(a))?.identity;
    return identity !== undefined && identity === (await this.#source.look(b))?.identity;
  }

  async #snapshot(file: string): Promise<Snapshot | SnapshotFault> {
    const look = await this.#source.look(file);
    if (look !== undefined && look.kind !== 'file') {
      return {
        rule: 'place',
        offset: 0,
        found: look.kind === 'link' ? 'it is a symbolic link' : 'it is no regular file',
      };
    }
    const read = await readSnapshot(this.#source, file);
    if ('rule' in read) return read;
    // Without store.json the snapshot says which workspace this is.
    this.#workspace ??= read.head.workspace;
    if (read.head.workspace === this.#workspace) return read;
    return { rule: 'workspace', offset: 0, found: 'the snapshot belongs to another workspace' };
  }

  #tellSnapshot(file: string, { rule, offset, found }: SnapshotFault, advice?: string): void {
    const invariant = rule === 'workspace' ? 'I1' : rule === 'place' ? 'I15' : 'I2';
    this.#findings.error([invariant, rule], { file, offset }, found, advice);
  }

  /** Without a lock, a snapshot may get its name when others have rolled over twice since it was made. */
  async #isLate(spare: Snapshot | undefined, current: Snapshot | undefined): Promise<boolean> {
    if (spare === undefined || current === undefined || spare.head.segment <= current.head.segment) return false;
    const file = segmentPath(current.head.segment);
    if ((await this.#source.look(file)) !== undefined) return false;
    const found = `it came too late: ${file} is gone, and catalogue.prev.json, which is newer, stands for the catalogue`;
    this.#findings.note(['I2', 'late'], { file: FILES.snapshot, offset: 0 }, found);
    return true;
  }

  /** From the older snapshot on, and past the newer one; from the newer one alone where the way to it is damaged. */
  async #walkAll(spare: Snapshot | undefined, current: Snapshot | undefined): Promise<Walk | undefined> {
    const { former, snapshot } = FILES;
    if (spare === undefined || current === undefined) {
      const only = current ?? spare;
      return only === undefined ? undefined : this.#walk(only);
    }
    const isInOrder = spare.head.segment <= current.head.segment;
    const [base, later] = isInOrder ? [spare, current] : [current, spare];
    const expected = printsOf(isInOrder ? snapshot : former, later);
    const walk = await this.#walk(base, expected);
    const isReached = walk.kind === 'whole' || walk.segment >= later.head.segment;
    if (isReached) return walk;
    // What the newer snapshot says must be read again: only its prints were kept.
    const again = usable(await this.#snapshot(expected.file));
    return again === undefined ? walk : this.#walk(again);
  }

  async #walk(base: Snapshot, expected?: SnapshotPrints): Promise<Walk> {
    const world = worldOf(base);
    const replay = new Replay(world, this.#workspace ?? base.head.workspace, this.#findings);
    let isMet = expected === undefined;
    let hash = base.head.prev;
    for (let segment = base.head.segment; ; ) {
      const file = segmentPath(segment);
      this.#walked.add(segment);
      if (!(await this.#isFile(file))) return { kind: 'broken', segment };
      const isHere = expected?.head.segment === segment;
      if (isHere) {
        isMet = true;
        if (expected.head.prev !== hash) {
          this.#findings.error(
            ['I2', 'chain'],
            { file: expected.file, offset: 0 },
            'the snapshot does not stand where it says in the chain',
          );
        }
      }
      let isFirst = true;
      const take = (record: ChainRecord) => {
        replay.take(record);
        if (isFirst && isHere) compareWith(expected, world, this.#findings);
        isFirst = false;
      };
      const end = await readSegment(this.#source, file, hash, this.#findings, take);
      if (end.kind === 'broken') return { kind: 'broken', segment };
      hash = end.hash;
      if (end.kind === 'open') {
        if (!isMet && expected !== undefined) {
          this.#findings.error(
            ['I2', 'chain'],
            { file: expected.file, offset: 0 },
            `segment ${expected.head.segment}, which the snapshot names, is not in the chain`,
          );
        }
        return { kind: 'whole', world, file, end: end.end };
      }
      if (end.next <= segment) {
        this.#findings.error(['I3', 'close'], { file, offset: 0 }, `the segment is closed, and ${end.next} follows it`);
        return { kind: 'broken', segment };
      }
      segment = end.next;
    }
  }

  async #isFile(file: string): Promise<boolean> {
    const look = await this.#source.look(file);
    if (look?.kind === 'file') return true;
    if (look === undefined)
      this.#findings.error(['I3', 'missing'], { file, offset: 0 }, 'a segment of the journal does not exist');
    else this.#findings.error(['I15', 'place'], { file, offset: 0 }, `it is no regular file but a ${look.kind}`);
    return false;
  }

  #judgeHead({ mark, isWhole }: Head, { world, file, end }: Extract<Walk, { kind: 'whole' }>): void {
    if (mark !== undefined && mark.seq > world.seq) {
      const found = `the journal ends at commit ${world.seq}, but commit ${mark.seq} was durable`;
      this.#findings.error(['I16', 'head'], { file, offset: end }, found);
      return;
    }
    const hash = mark === undefined ? undefined : world.commits.get(mark.seq);
    const place = { file: FILES.head, offset: 0 };
    if (hash !== undefined && hash !== mark?.hash) {
      this.#findings.error(['I16', 'head'], place, `commit ${mark?.seq} is not the one that was durable`);
      return;
    }
    // One behind a commit of a segment that is gone stood there too.
    if (hash !== undefined && mark?.end !== undefined && !world.hashes.has(mark.end)) {
      this.#findings.error(
        ['I16', 'head'],
        place,
        `the record behind commit ${mark.seq} that was durable is not there`,
      );
      return;
    }
    const isLost = !isWhole || (mark === undefined && world.seq > 0);
    if (!isLost || this.#findings.has(FILES.head)) return;
    const found = 'the mark of the newest commit is lost, so a journal that was cut short may not be noticed';
    this.#findings.note(['I16', 'head'], { file: FILES.head, offset: 0 }, found);
  }

  /** Segments that the chain does not lead to: before its beginning, or made by a roll-over that was cut short. */
  async #judgeOthers(): Promise<void> {
    const first = Math.min(...this.#walked);
    for (const name of (await this.#source.list('catalogue/journal')) ?? []) {
      const segment = segmentOf(name);
      if (segment === undefined || this.#walked.has(segment)) continue;
      const file = segmentPath(segment);
      if ((await this.#source.look(file))?.kind !== 'file') continue;
      const isBefore = segment < first;
      let isAlone = true;
      await readSegment(this.#source, file, undefined, asNotes(this.#findings), ({ row, offset }) => {
        if (row['kind'] === 'open' && row['workspace'] !== this.#workspace) {
          this.#findings.error(['I1', 'workspace'], { file, offset }, 'the segment belongs to another workspace');
        } else if (row['kind'] !== 'open' && !isBefore && isAlone) {
          isAlone = false;
          const found = `the segment has records, and nothing in the chain leads to it (${textOf(row['kind'])} ${countOf(row['seq'])})`;
          this.#findings.error(['I3', 'lost'], { file, offset }, found);
        }
      });
    }
  }
}

function usable(read: Snapshot | SnapshotFault | undefined): Snapshot | undefined {
  return read === undefined || 'rule' in read ? undefined : read;
}

function worldOf({ head, entries, marks }: Snapshot): World {
  const world = new World(head);
  for (const [id, { entry }] of entries) {
    world.entries.set(id, entry);
    for (const [occurrence, row] of entry.pending) {
      if (row['status'] !== 'running') continue;
      const epoch = countOf(rowOrEmpty(row['claim'])['epoch']);
      world.running.set(occurrence, { key: textOf(row['concurrencyKey']), epoch });
    }
  }
  for (const [id, { mark, changeSeq }] of marks) world.marks.set(id, { mark, changeSeq });
  return world;
}
