/**
 * The files of a workspace in memory: read from a folder once, copied for nothing, and damaged without a disk.
 */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileLook, FileSource } from '../../src/checker/file-source.js';

/** A file with its content, or a directory. */
interface Node {
  readonly look: FileLook;
  readonly bytes: Buffer;
}

const NOTHING = Buffer.alloc(0);

/** Files by path below the root; the root itself is the empty path. */
export class MemoryFiles implements FileSource {
  readonly #nodes: Map<string, Node>;

  constructor(nodes: ReadonlyMap<string, Node> = new Map()) {
    this.#nodes = new Map(nodes);
  }

  /** The files of a folder. */
  static read(root: string): MemoryFiles {
    const files = new MemoryFiles();
    const visit = (path: string) => {
      const stat = lstatSync(join(root, path));
      const isDirectory = stat.isDirectory();
      const bytes = isDirectory ? NOTHING : readFileSync(join(root, path));
      const kind = isDirectory ? 'directory' : 'file';
      const look = {
        kind,
        bytes: bytes.length,
        links: stat.nlink,
        mode: stat.mode & 0o777,
        identity: `${stat.ino}`,
      } as const;
      files.#nodes.set(path, { look, bytes });
      if (isDirectory) for (const name of readdirSync(join(root, path))) visit(path === '' ? name : `${path}/${name}`);
    };
    visit('');
    return files;
  }

  /** The same files, to be damaged. */
  copy(): MemoryFiles {
    return new MemoryFiles(this.#nodes);
  }

  /** Paths of all files, in order. */
  files(): readonly string[] {
    return [...this.#nodes].flatMap(([path, { look }]) => (look.kind === 'file' ? [path] : [])).sort();
  }

  list(path: string): readonly string[] | undefined {
    if (this.#nodes.get(path)?.look.kind !== 'directory') return undefined;
    const start = path === '' ? 0 : path.length + 1;
    const below = [...this.#nodes.keys()].filter((one) => one !== '' && one.startsWith(path === '' ? '' : `${path}/`));
    return below.map((one) => one.slice(start)).filter((name) => name !== '' && !name.includes('/'));
  }

  *read(path: string): Generator<Uint8Array> {
    const bytes = this.bytes(path);
    for (let at = 0; at < bytes.length; at += SLICE) yield bytes.subarray(at, at + SLICE);
  }

  look(path: string): FileLook | undefined {
    return this.#nodes.get(path)?.look;
  }

  /** The bytes of a file that must be there. */
  bytes(path: string): Buffer {
    const node = this.#nodes.get(path);
    if (node?.look.kind === 'file') return node.bytes;
    throw Object.assign(new Error(`no file ${path}`), { code: 'ENOENT', path });
  }

  /** The text of a file that must be there. */
  text(path: string): string {
    return this.bytes(path).toString('utf8');
  }

  /** Lines of a file, each with its newline. */
  lines(path: string): string[] {
    return this.text(path).split(/(?<=\n)/);
  }

  /** Writes a file; one that is there stays the same file. */
  put(path: string, content: string | Buffer): void {
    const bytes = Buffer.isBuffer(content) ? content : Buffer.from(content);
    const look = this.#nodes.get(path)?.look ?? { kind: 'file', links: 1, mode: 0o600, identity: `new ${path}` };
    this.#nodes.set(path, { look: { ...look, bytes: bytes.length }, bytes });
  }

  /** Makes a directory with those above it. */
  makeDirectory(path: string): void {
    const parts = path.split('/');
    for (let length = 1; length <= parts.length; length++) {
      const one = parts.slice(0, length).join('/');
      if (this.#nodes.has(one)) continue;
      this.#nodes.set(one, {
        look: { kind: 'directory', bytes: 0, links: 2, mode: 0o700, identity: one },
        bytes: NOTHING,
      });
    }
  }

  /** Makes a name stand for something else. */
  change(path: string, look: Partial<FileLook>): void {
    const node = this.#nodes.get(path);
    if (node === undefined) throw new Error(`nothing stands at ${path}`);
    this.#nodes.set(path, { ...node, look: { ...node.look, ...look } });
  }

  /** Removes a file, or a directory with everything in it. */
  remove(path: string): void {
    for (const one of [...this.#nodes.keys()]) if (one === path || one.startsWith(`${path}/`)) this.#nodes.delete(one);
  }

  /** Copies a file, or a directory with everything in it. */
  duplicate(from: string, to: string): void {
    for (const [one, node] of [...this.#nodes]) {
      if (one !== from && !one.startsWith(`${from}/`)) continue;
      const path = to + one.slice(from.length);
      this.#nodes.set(path, { ...node, look: { ...node.look, identity: `copy ${path}`, links: 1 } });
    }
  }
}

const SLICE = 64 * 1024;
