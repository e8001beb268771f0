/**
 * Pinned documents: one immutable file each, named by its digest, durable before the record that names it (S-9, ST-9).
 */
import { canonicalJson } from '../../../codec/canonical-json.js';
import { sha256Hex } from '../../../codec/digest.js';
import type { JsonObject } from '../../../core/model/declaration.js';
import { ScheduleError } from '../../../errors.js';
import type { CommitBatch } from '../../../ports/schedule-store.js';
import type { Disk } from '../disk/disk.js';
import { putFile, readFile } from '../disk/new-file.js';
import { corrupt } from '../disk/trouble.js';
import { documentPath, type Layout } from '../layout.js';

type NewDocument = CommitBatch['documents'][number];

const DIGEST = /^sha256:[0-9a-f]{64}$/;
/** A canonical document has at most 1 MiB; twice that is certainly none. */
const READ_LIMIT = 2 * 1_048_576;
const RESTORE = 'Restore the file from any backup that has it: a document never changes.';
/** A document that nothing names is kept for a while: its commit may be on the way. */
const UNNAMED_KEPT_MS = 3_600_000;

/** See the head of this file. @internal */
export class Documents {
  readonly #disk: Disk;
  readonly #layout: Layout;
  /** Digests of files that were flushed, name and content, by this process. */
  readonly #durable = new Set<string>();

  constructor(disk: Disk, layout: Layout) {
    this.#disk = disk;
    this.#layout = layout;
  }

  /** Makes documents durable. Throws `SCHEDULE_ADAPTER_BROKEN` where a digest is not that of its document. */
  async put(documents: readonly NewDocument[]): Promise<void> {
    for (const { digest, document } of documents) {
      const path = this.#pathOf(digest);
      const isThere = this.#disk.lookNow(path) !== undefined;
      if (isThere && this.#durable.has(digest)) continue;
      const text = canonicalJson(document);
      if (`sha256:${sha256Hex(text)}` !== digest) throw wrongDigest(digest);
      // What another process wrote is not taken on trust: this commit would name it for good.
      if (isThere && (await this.find(digest)) !== undefined) await this.#flush(path);
      else await putFile(this.#disk, this.#layout.tmp, path, Buffer.from(text, 'utf8'));
      this.#durable.add(digest);
    }
  }

  /**
   * Under the state lock, before the record: everything that it names is there. What was collected since `put` is
   * written again. Throws `SCHEDULE_NOT_FOUND` for a document that is neither stored nor given.
   */
  async require(digests: readonly string[], given: readonly NewDocument[]): Promise<void> {
    const lost = given.filter(({ digest }) => this.#disk.lookNow(this.#pathOf(digest)) === undefined);
    await this.put(lost);
    for (const digest of digests) {
      if (this.#disk.lookNow(this.#pathOf(digest)) === undefined) throw unknownDocument(digest);
    }
  }

  /**
   * A document. Throws `SCHEDULE_CATALOGUE_CORRUPT` where it is not what its name says, or is missing though `namedBy`
   * names it, and `SCHEDULE_NOT_FOUND` where it is missing and nothing is known to name it.
   */
  async read(digest: string, namedBy?: string): Promise<JsonObject> {
    const document = await this.find(digest);
    if (document !== undefined) return document;
    if (namedBy === undefined) throw unknownDocument(digest);
    const found = `the document that ${namedBy} names does not exist`;
    throw corrupt({ file: this.#pathOf(digest), offset: 0, rule: 'document', found }, RESTORE);
  }

  /** A document; nothing where it is missing. Throws `SCHEDULE_CATALOGUE_CORRUPT` where it is not what its name says. */
  async find(digest: string): Promise<JsonObject | undefined> {
    const path = this.#pathOf(digest);
    const bytes = await readFile(this.#disk, path, READ_LIMIT);
    if (bytes === undefined) return undefined;
    if (`sha256:${sha256Hex(bytes)}` !== digest) {
      throw corrupt(
        { file: path, offset: 0, rule: 'document', found: 'the digest of the document is not its name' },
        RESTORE,
      );
    }
    return JSON.parse(bytes.toString('utf8')) as JsonObject;
  }

  /** Under the state lock: removes what nothing names and is older than an hour by the clock of the file system. */
  async collect(named: ReadonlySet<string>, nowMs: number): Promise<void> {
    for (const name of (await this.#disk.list(this.#layout.documents)) ?? []) {
      const digest = `sha256:${name.replace(/\.json$/, '')}`;
      if (named.has(digest) || !DIGEST.test(digest)) continue;
      const path = documentPath(this.#layout, digest);
      const facts = await this.#disk.look(path);
      if (facts === undefined || nowMs - facts.changedAtMs < UNNAMED_KEPT_MS) continue;
      this.#durable.delete(digest);
      await this.#disk.unlink(path);
    }
  }

  /** Another process wrote it, and may have died before it was durable. */
  async #flush(path: string): Promise<void> {
    const file = await this.#disk.open(path, 'update');
    try {
      await this.#disk.flush(file);
    } finally {
      await this.#disk.close(file);
    }
    await this.#disk.flushDirectory(this.#layout.documents);
  }

  #pathOf(digest: string): string {
    if (!DIGEST.test(digest)) throw unknownDocument(digest);
    return documentPath(this.#layout, digest);
  }
}

function unknownDocument(digest: string): ScheduleError {
  return new ScheduleError('SCHEDULE_NOT_FOUND', `no document ${digest.slice(0, 80)} is stored`, {
    details: { document: digest.slice(0, 80) },
    hint: 'A document is stored by the commit that names it, and goes when nothing names it any more.',
  });
}

function wrongDigest(digest: string): ScheduleError {
  return new ScheduleError(
    'SCHEDULE_ADAPTER_BROKEN',
    `a document was given under the digest ${digest}, which is not its own`,
    {
      details: { document: digest },
      hint: 'The digest of a document is SHA-256 over its canonical JSON.',
    },
  );
}
