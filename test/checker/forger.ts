/**
 * A forger: changes records of a journal and seals everything anew, so that no digest tells. What is left to find is what
 * the records say.
 */
import { createHash } from 'node:crypto';
import type { MemoryFiles } from './memory-files.js';

/** A JSON object that a test may change. */
export type Loose = { [name: string]: unknown };

/** A record of the journal. */
export interface ForgedRecord extends Loose {
  kind: string;
  seq: number;
  ops?: Loose[];
}

/** SHA-256 in hexadecimal digits. */
export function sha256(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The sealed line of a value. */
export function sealed(value: unknown): string {
  const text = JSON.stringify(value);
  return `${sha256(text)} ${text}\n`;
}

/** Changes the body of a sealed file, and seals it again. */
export function reseal(files: MemoryFiles, path: string, change: (body: string) => string): void {
  const text = files.text(path);
  const start = text.indexOf('\n') + 1;
  const body = change(text.slice(start, -2));
  files.put(path, `${text.slice(0, start).replace(/"sha256":"[0-9a-f]{64}"/, `"sha256":"${sha256(body)}"`)}${body}}\n`);
}

/** The journal of a workspace from its first record on, with the first snapshot before it, to be changed and written again. */
export class Forger {
  readonly #files: MemoryFiles;
  readonly #segments: { readonly path: string; readonly records: ForgedRecord[] }[];

  constructor(files: MemoryFiles) {
    this.#files = files;
    files.put('catalogue/catalogue.json', files.bytes('catalogue/catalogue.prev.json'));
    files.remove('catalogue/catalogue.prev.json');
    this.#segments = (files.list('catalogue/journal') ?? []).toSorted().map((name) => {
      const path = `catalogue/journal/${name}`;
      return { path, records: files.lines(path).map((line) => JSON.parse(line.slice(65)) as ForgedRecord) };
    });
  }

  /** Every record, in order; to be changed in place. */
  get records(): readonly ForgedRecord[] {
    return this.#segments.flatMap(({ records }) => records);
  }

  /** Every operation of a kind, with its record. */
  ops(kind: string): readonly { readonly record: ForgedRecord; readonly op: Loose }[] {
    return this.records.flatMap((record) =>
      (record.ops ?? []).filter(({ t }) => t === kind).map((op) => ({ record, op })),
    );
  }

  /** Every record of an occurrence as it was written, in order. */
  occurrences(): readonly { readonly record: ForgedRecord; readonly row: Loose }[] {
    return this.ops('occurrence').map(({ record, op }) => ({ record, row: op['occurrence'] as Loose }));
  }

  /** Writes the journal anew, head and evidence along with it. */
  write(): void {
    let prev = '0'.repeat(64);
    const hashes = new Map<number, string>();
    let last = { seq: 0, hash: prev };
    for (const { path, records } of this.#segments) {
      let text = '';
      for (const record of records) {
        const line = sealed({ ...record, prev });
        prev = line.slice(0, 64);
        if (record.kind === 'commit' || record.kind === 'own') {
          hashes.set(record.seq, prev);
          last = { seq: record.seq, hash: prev };
        }
        text += line;
      }
      this.#files.put(path, text);
    }
    this.#files.put('catalogue/head', sealed(last).padEnd(256, ' ').padEnd(512, ' '));
    this.#renameEvidence(hashes);
  }

  /** Evidence names the commits of its claims by their hashes. */
  #renameEvidence(hashes: ReadonlyMap<number, string>): void {
    for (const path of this.#files.files()) {
      if (!path.endsWith('/dispatch.json')) continue;
      const dispatch = JSON.parse(this.#files.text(path)) as Loose;
      this.#files.put(path, JSON.stringify({ ...dispatch, hash: hashes.get(dispatch['seq'] as number) }));
    }
  }
}
