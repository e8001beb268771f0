/**
 * A backup of a catalogue, and what becomes of it when it is put back later, as the advice of a check says: the whole of
 * `catalogue/`, and the evidence stays as it is. Whoever was told of what came after the backup is forgotten; what handlers did is not.
 */
import { dirname, join } from 'node:path';
import { layoutOf } from '../../../src/adapters/fs/layout.js';
import type { Ledger } from '../audit/ledger.js';
import type { SimMedium } from '../disk/sim-medium.js';

/** See the head of this file. */
export class Backup {
  readonly #files: ReadonlyMap<string, Buffer>;
  readonly #ledger: Ledger;
  readonly #catalogue: string;

  /** Copies the catalogue of a workspace; nothing may be open in it. */
  constructor(medium: SimMedium, root: string, ledger: Ledger) {
    this.#catalogue = layoutOf(root).catalogue;
    this.#files = medium.files(this.#catalogue);
    this.#ledger = ledger.fork(() => 0);
  }

  /** True where there was a catalogue. */
  get isWhole(): boolean {
    return this.#files.has('store.json');
  }

  /** Puts it back, durably. */
  restore(medium: SimMedium, ledger: Ledger): void {
    const directories = new Set(clear(medium, this.#catalogue));
    // The history of a schedule that was deleted since is in a directory that is gone.
    for (const name of this.#files.keys()) for (const path of above(this.#catalogue, name)) directories.add(path);
    for (const path of directories) medium.makeDirectory(path);
    for (const [name, bytes] of this.#files) {
      const file = medium.open(join(this.#catalogue, name), 'create');
      medium.write(file, bytes, 0);
      medium.flush(file);
      medium.close(file);
    }
    for (const path of directories) medium.flushDirectory(path);
    medium.flushDirectory(dirname(this.#catalogue));
    ledger.goBackTo(this.#ledger);
  }
}

/** Removes what is in a directory; the directories that there were, a parent before what is in it. */
function clear(medium: SimMedium, path: string): readonly string[] {
  const directories = [path];
  for (const name of medium.list(path) ?? []) {
    const below = join(path, name);
    if (medium.look(below)?.kind === 'directory') {
      directories.push(...clear(medium, below));
      medium.removeDirectory(below);
    } else medium.unlink(below);
  }
  return directories;
}

/** The directories on the way to a file, a parent before what is in it. */
function above(root: string, name: string): readonly string[] {
  const parts = dirname(name).split('/');
  return parts[0] === '.' ? [root] : parts.map((_, index) => join(root, ...parts.slice(0, index + 1)));
}
