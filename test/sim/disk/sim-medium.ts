/**
 * A simulated disk as a machine has it: one tree of files and directories, shared by every process, with the locks on its
 * files, and with a power cut. Nothing here waits; `SimDisk` gives it to a process step by step.
 */
import { basename, dirname } from 'node:path';
import type { FileFacts, OpenUse } from '../../../src/adapters/fs/disk/disk.js';
import { ChangeTwins, DirectoryContent } from './directory-content.js';
import { FileContent, type Survival } from './file-content.js';

/** A file or a directory. */
export type SimNode = SimFile | SimDirectory;

/** A file. */
export interface SimFile {
  readonly kind: 'file';
  readonly id: number;
  readonly content: FileContent;
  links: number;
  changedAtMs: number;
  /** Flushes of it that failed: each open file tells of each once. */
  failedFlushes: number;
}

/** A directory. */
export interface SimDirectory {
  readonly kind: 'directory';
  readonly id: number;
  readonly content: DirectoryContent<SimNode>;
  changedAtMs: number;
}

interface OpenFile {
  readonly file: SimFile;
  readonly directory: SimDirectory;
  readonly path: string;
  readonly use: OpenUse;
  failedFlushesSeen: number;
  lock?: 'shared' | 'exclusive' | undefined;
}

/** What a power cut leaves of each file and directory that is not wholly on the medium. */
export interface PowerCut {
  file(path: string, content: FileContent): Survival;
  /** How many of the waiting changes of names are kept. */
  names(path: string, waiting: number): number;
}

/** See the head of this file. */
export class SimMedium {
  readonly #nowMs: () => number;
  readonly #open = new Map<number, OpenFile>();
  readonly #watchers = new Map<SimDirectory, Set<() => void>>();
  #root: SimDirectory;
  #lastId = 0;
  #lastHandle = 100;

  constructor(nowMs: () => number = () => 0) {
    this.#nowMs = nowMs;
    this.#root = this.#newDirectory();
  }

  /** What a path stands for. Throws `ENOTDIR` where a part above it is a file. */
  find(path: string): SimNode | undefined {
    if (path === '/') return this.#root;
    const parent = this.find(dirname(path));
    if (parent === undefined) return undefined;
    if (parent.kind !== 'directory') throw systemError('ENOTDIR', 'lstat', path);
    return parent.content.get(basename(path));
  }

  /** Opens a file. */
  open(path: string, use: OpenUse): number {
    const directory = this.#parentOf(path, 'open');
    const found = directory.content.get(basename(path));
    if (use === 'create' && found !== undefined) throw systemError('EEXIST', 'open', path);
    if (use !== 'create' && found === undefined) throw systemError('ENOENT', 'open', path);
    if (found?.kind === 'directory') throw systemError('EISDIR', 'open', path);
    const file = found ?? this.#newFile(directory, path);
    const handle = ++this.#lastHandle;
    this.#open.set(handle, { file, directory, path, use, failedFlushesSeen: file.failedFlushes });
    return handle;
  }

  /** Closes a file; its lock is free from then on. */
  close(handle: number): void {
    this.#opened(handle, 'close');
    this.#open.delete(handle);
  }

  /** Reads from an open file. */
  read(handle: number, into: Uint8Array, position: number): number {
    return this.#opened(handle, 'read').file.content.read(into, position);
  }

  /** Writes to an open file. */
  write(handle: number, bytes: Uint8Array, position: number | 'append'): void {
    const { file, directory, use, path } = this.#opened(handle, 'write');
    if (use === 'read') throw systemError('EBADF', 'write', path);
    if (bytes.length === 0) return;
    const isAppending = use === 'append' || position === 'append';
    file.content.write(bytes, isAppending ? file.content.size : position);
    file.changedAtMs = this.#nowMs();
    this.#tell(directory);
  }

  /** Flushes a file; tells of an earlier failure where this open file was not told yet. */
  flush(handle: number): void {
    const opened = this.#opened(handle, 'fdatasync');
    if (opened.failedFlushesSeen !== opened.file.failedFlushes) {
      opened.failedFlushesSeen = opened.file.failedFlushes;
      throw systemError('EIO', 'fdatasync', opened.path);
    }
    opened.file.content.flush();
  }

  /** Fails a flush: what was dirty is lost. */
  failFlush(handle: number, isEvicted: boolean): void {
    const opened = this.#opened(handle, 'fdatasync');
    opened.file.failedFlushes += 1;
    opened.failedFlushesSeen = opened.file.failedFlushes;
    opened.file.content.failFlush(isEvicted);
  }

  /** Flushes the names in a directory. */
  flushDirectory(path: string): void {
    this.#directoryAt(path, 'fsync').content.flush();
  }

  /** Makes a directory. */
  makeDirectory(path: string): 'made' | 'exists' {
    const parent = this.#parentOf(path, 'mkdir');
    if (parent.content.get(basename(path)) !== undefined) return 'exists';
    this.#put(parent, basename(path), this.#newDirectory());
    return 'made';
  }

  /** Names in a directory; nothing where it does not exist. */
  list(path: string): readonly string[] | undefined {
    const found = this.find(path);
    if (found === undefined) return undefined;
    if (found.kind !== 'directory') throw systemError('ENOTDIR', 'scandir', path);
    return found.content.names();
  }

  /** Gives a file or directory another name, which may be taken. */
  rename(from: string, to: string): void {
    const source = this.#parentOf(from, 'rename');
    const target = this.#parentOf(to, 'rename');
    const node = source.content.get(basename(from));
    if (node === undefined) throw systemError('ENOENT', 'rename', from);
    const replaced = target.content.get(basename(to));
    if (replaced === node) return;
    if (replaced?.kind === 'directory') throw systemError('ENOTEMPTY', 'rename', to);
    if (replaced !== undefined) replaced.links -= 1;
    const change = target.content.set(basename(to), node);
    const removal = source.content.set(basename(from), undefined, { change, directory: target.content });
    // No directory has two places.
    if (node.kind === 'directory') Object.assign(change, { after: { change: removal, directory: source.content } });
    this.#tell(source);
    if (target !== source) this.#tell(target);
  }

  /** Gives a file a second name. */
  link(from: string, to: string): void {
    const file = this.find(from);
    const target = this.#parentOf(to, 'link');
    if (file === undefined) throw systemError('ENOENT', 'link', from);
    if (file.kind !== 'file') throw systemError('EPERM', 'link', from);
    if (target.content.get(basename(to)) !== undefined) throw systemError('EEXIST', 'link', to);
    file.links += 1;
    this.#put(target, basename(to), file);
  }

  /** Removes a file; fine where it does not exist. */
  unlink(path: string): void {
    const parent = this.find(dirname(path));
    const found = parent?.kind === 'directory' ? parent.content.get(basename(path)) : undefined;
    if (parent?.kind !== 'directory' || found === undefined) return;
    if (found.kind !== 'file') throw systemError('EISDIR', 'unlink', path);
    found.links -= 1;
    this.#put(parent, basename(path), undefined);
  }

  /** Removes an empty directory; fine where it does not exist. */
  removeDirectory(path: string): void {
    const found = this.find(path);
    if (found === undefined) return;
    if (found.kind !== 'directory') throw systemError('ENOTDIR', 'rmdir', path);
    if (found.content.names().length > 0) throw systemError('ENOTEMPTY', 'rmdir', path);
    this.#put(this.#parentOf(path, 'rmdir'), basename(path), undefined);
  }

  /** What a path stands for, as facts. */
  look(path: string): FileFacts | undefined {
    const node = this.find(path);
    return node === undefined ? undefined : factsOf(node);
  }

  /** What an open file is. */
  facts(handle: number): FileFacts {
    return factsOf(this.#opened(handle, 'fstat').file);
  }

  /** The path that a file was opened by. */
  pathOf(handle: number): string {
    return this.#open.get(handle)?.path ?? '?';
  }

  /** Calls back when something in a directory changes; returns what ends that. */
  watch(path: string, onChange: () => void): () => void {
    const directory = this.#directoryAt(path, 'watch');
    const watchers = this.#watchers.get(directory) ?? new Set();
    this.#watchers.set(directory, watchers.add(onChange));
    return () => watchers.delete(onChange);
  }

  /** Takes the lock of an open file against every other open one; never waits. */
  tryLock(handle: number, isShared: boolean): boolean {
    const opened = this.#opened(handle, 'fcntl');
    for (const [other, { file, lock }] of this.#open) {
      if (other !== handle && file === opened.file && lock !== undefined && !(isShared && lock === 'shared'))
        return false;
    }
    opened.lock = isShared ? 'shared' : 'exclusive';
    return true;
  }

  /** Gives the lock of an open file back. */
  unlock(handle: number): void {
    this.#opened(handle, 'fcntl').lock = undefined;
  }

  /** Cuts the power: nothing is open any more, and of what was not on the medium only that is left which the cut leaves. */
  cutPower(cut: PowerCut): void {
    this.#open.clear();
    this.#watchers.clear();
    const nodes = [...this.walk()];
    for (const { path, node } of nodes) {
      if (node.kind === 'file') continue;
      const { waiting } = node.content;
      if (waiting.length > 0) node.content.flush(cut.names(path, waiting.length));
    }
    for (const { node } of nodes) if (node.kind === 'directory') node.content.cut();
    for (const { path, node } of nodes) {
      if (node.kind === 'file' && node.content.isUnsure) node.content.cut(cut.file(path, node.content));
    }
    this.#countLinks();
  }

  /** Every file and directory with a name, seen or stored, each once, a parent before what is in it. */
  *walk(): Generator<{ readonly path: string; readonly node: SimNode }> {
    const met = new Set<SimNode>();
    const open: { path: string; node: SimNode }[] = [{ path: '', node: this.#root }];
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      if (met.has(next.node)) continue;
      met.add(next.node);
      yield { path: next.path === '' ? '/' : next.path, node: next.node };
      if (next.node.kind === 'file') continue;
      const { content } = next.node;
      for (const [name, node] of [...content.entries(), ...content.storedEntries()]) {
        open.push({ path: `${next.path}/${name}`, node });
      }
    }
  }

  /** The files below a path as processes see them, by their paths below it. */
  files(root: string): ReadonlyMap<string, Buffer> {
    const found = new Map<string, Buffer>();
    const prefix = root === '/' ? '/' : `${root}/`;
    const visit = (path: string, node: SimNode) => {
      if (node.kind === 'file') return void found.set(path.slice(prefix.length), node.content.bytes());
      for (const [name, child] of node.content.entries()) visit(`${path}/${name}`, child);
    };
    const node = this.find(root);
    if (node !== undefined) visit(root, node);
    return found;
  }

  /** The same medium with nothing open, to be changed apart; by a clock of its own where one is given. */
  clone(nowMs = this.#nowMs): SimMedium {
    const copy = new SimMedium(nowMs);
    const twins = new Map<SimNode, SimNode>();
    const nodes = [...this.walk()].map(({ node }) => node);
    for (const node of nodes) {
      twins.set(
        node,
        node.kind === 'file'
          ? { ...node, content: node.content.clone() }
          : { ...node, content: new DirectoryContent() },
      );
    }
    const twin = (node: SimNode) => twins.get(node) ?? node;
    const changes = new ChangeTwins<SimNode>();
    for (const node of nodes) {
      const own = twin(node);
      if (node.kind === 'directory' && own.kind === 'directory') own.content.fillFrom(node.content, twin, changes);
    }
    for (const finish of changes.later) finish();
    copy.#root = twin(this.#root) as SimDirectory;
    copy.#lastId = this.#lastId;
    copy.#lastHandle = this.#lastHandle;
    return copy;
  }

  #newFile(directory: SimDirectory, path: string): SimFile {
    const changedAtMs = this.#nowMs();
    const file: SimFile = {
      kind: 'file',
      id: ++this.#lastId,
      content: new FileContent(),
      links: 1,
      changedAtMs,
      failedFlushes: 0,
    };
    this.#put(directory, basename(path), file);
    return file;
  }

  #newDirectory(): SimDirectory {
    return { kind: 'directory', id: ++this.#lastId, content: new DirectoryContent(), changedAtMs: this.#nowMs() };
  }

  #put(directory: SimDirectory, name: string, node: SimNode | undefined): void {
    directory.content.set(name, node);
    this.#tell(directory);
  }

  #tell(directory: SimDirectory): void {
    directory.changedAtMs = this.#nowMs();
    for (const onChange of this.#watchers.get(directory) ?? []) onChange();
  }

  #parentOf(path: string, call: string): SimDirectory {
    return this.#directoryAt(dirname(path), call, path);
  }

  #directoryAt(path: string, call: string, about = path): SimDirectory {
    const node = this.find(path);
    if (node === undefined) throw systemError('ENOENT', call, about);
    if (node.kind !== 'directory') throw systemError('ENOTDIR', call, about);
    return node;
  }

  #opened(handle: number, call: string): OpenFile {
    const opened = this.#open.get(handle);
    if (opened === undefined) throw systemError('EBADF', call, String(handle));
    return opened;
  }

  #countLinks(): void {
    const files: SimFile[] = [];
    const visit = (node: SimNode) => {
      if (node.kind === 'file') return files.push(node);
      for (const [, child] of node.content.entries()) visit(child);
      return undefined;
    };
    visit(this.#root);
    for (const file of files) file.links = 0;
    for (const file of files) file.links += 1;
  }
}

/** An error as Node gives it. */
export function systemError(code: string, call: string, path: string): Error {
  return Object.assign(new Error(`${code}: simulated, ${call} '${path}'`), { code, syscall: call, path });
}

function factsOf(node: SimNode): FileFacts {
  const { kind, id, changedAtMs } = node;
  const identity = `1:${id}`;
  if (node.kind === 'directory') return { kind, identity, bytes: 0, links: 2, changedAtMs, mode: 0o700 };
  return { kind, identity, bytes: node.content.size, links: node.links, changedAtMs, mode: 0o600 };
}
