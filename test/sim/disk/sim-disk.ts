/**
 * The simulated disk as one process uses it: every call that touches files is a numbered step, and a hook may wait before
 * a step, make it fail, or end the process before or after it. A process that has ended can do nothing any more.
 */
import type { Disk } from '../../../src/adapters/fs/disk/disk.js';
import { kernelLocks, type OpenLock } from '../../../src/adapters/fs/locks/native-lock.js';
import { type SimMedium, systemError } from './sim-medium.js';

/** A call that is about to be made. */
export interface Step {
  /** Counts the steps of this process, from 1. */
  readonly number: number;
  readonly call: Exclude<keyof Disk, 'elapsedNow' | 'pause' | 'randomHex' | 'watch' | 'fileSystemType'>;
  readonly path: string;
  /** True for a call that cannot wait. */
  readonly isNow: boolean;
  /** Bytes to be written. */
  readonly bytes?: number;
}

/**
 * What becomes of a step where it is not simply made: it fails (a write may have written some bytes before, a flush loses
 * what was dirty), it is made in two pieces with something else in between (an append fails where somebody appends meanwhile), or the process ends before it, after it, or in
 * the middle of a write.
 */
export type Effect =
  | { readonly kind: 'fail'; readonly code: string; readonly written?: number; readonly isEvicted?: boolean }
  | { readonly kind: 'inPieces'; readonly written: number; readonly between: () => Promise<void> }
  | { readonly kind: 'crashBefore' }
  | { readonly kind: 'crashAfter' }
  | { readonly kind: 'crashWithin'; readonly written: number };

/** Looks at each step; a step that cannot wait takes no promise for an answer. */
export type Hook = (step: Step) => Effect | undefined | Promise<Effect | undefined>;

/** What a disk stands on beside its files. */
export interface DiskGround {
  elapsedNow(): number;
  pause(ms: number, isIdle?: boolean): Promise<void>;
  randomHex(digits: number): string;
  /** Tells a watcher later; at once where it is not given. */
  notify?(tell: () => void): void;
  /** Hears that the process has ended. */
  ended?(): void;
}

/** What is thrown by every call of a process that has ended; no error of the system, so that nobody takes it for one. */
export class ProcessEnded extends Error {
  constructor() {
    super('the simulated process has ended');
  }
}

/** See the head of this file. */
export class SimDisk implements Disk {
  readonly #medium: SimMedium;
  readonly #ground: DiskGround;
  readonly #hook: Hook | undefined;
  readonly #whenEnded: 'throws' | 'hangs';
  readonly #files = new Set<number>();
  readonly #watches = new Set<() => void>();
  #steps = 0;
  #isEnded = false;

  constructor(medium: SimMedium, ground: DiskGround, hook?: Hook, whenEnded: 'throws' | 'hangs' = 'throws') {
    this.#medium = medium;
    this.#ground = ground;
    this.#hook = hook;
    this.#whenEnded = whenEnded;
  }

  /** How many steps were made or tried. */
  get steps(): number {
    return this.#steps;
  }

  /** Whether its process has ended. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Ends the process: its files are closed, its locks are free, and every call fails for ever. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    for (const stop of this.#watches) stop();
    for (const file of this.#files) if (this.#medium.pathOf(file) !== '?') this.#medium.close(file);
    this.#ground.ended?.();
  }

  /** Locks of this process, through the code that asks the kernel for real ones. */
  locks(): Promise<OpenLock> {
    const native = {
      tryLock: (file: number, { shared }: { readonly shared: boolean }) =>
        this.#now(() => this.#medium.tryLock(file, shared)),
      unlock: (file: number) => this.#now(() => this.#medium.unlock(file)),
    };
    return kernelLocks(this, { native: async () => native, sqlite: () => Promise.reject(new Error('not simulated')) });
  }

  async open(path: string, use: Parameters<Disk['open']>[1]): Promise<number> {
    return this.#step({ call: 'open', path }, () => {
      const file = this.#medium.open(path, use);
      this.#files.add(file);
      return file;
    });
  }

  close(file: number): Promise<void> {
    const close = () => {
      this.#files.delete(file);
      this.#medium.close(file);
    };
    // A file is closed whatever is answered, as on Linux.
    return this.#step({ call: 'close', path: this.#medium.pathOf(file) }, close, { fail: close });
  }

  read(file: number, into: Uint8Array, position: number): Promise<number> {
    const path = this.#medium.pathOf(file);
    return this.#step({ call: 'read', path }, () => this.#medium.read(file, into, position));
  }

  write(file: number, bytes: Uint8Array, position: number | 'append'): Promise<void> {
    const step = { call: 'write', path: this.#medium.pathOf(file), bytes: bytes.length } as const;
    const some = (from: number, to: number) => {
      this.#medium.write(file, bytes.subarray(from, to), position === 'append' ? position : position + from);
    };
    const sizeOf = position === 'append' ? { sizeNow: () => this.#medium.facts(file).bytes } : {};
    return this.#step(step, () => some(0, bytes.length), { some, ...sizeOf });
  }

  flush(file: number): Promise<void> {
    const step = { call: 'flush', path: this.#medium.pathOf(file) } as const;
    return this.#step(step, () => this.#medium.flush(file), {
      fail: (isEvicted) => this.#medium.failFlush(file, isEvicted),
    });
  }

  flushDirectory(path: string): Promise<void> {
    return this.#step({ call: 'flushDirectory', path }, () => this.#medium.flushDirectory(path));
  }

  makeDirectory(path: string): Promise<'made' | 'exists'> {
    return this.#step({ call: 'makeDirectory', path }, () => this.#medium.makeDirectory(path));
  }

  list(path: string): Promise<readonly string[] | undefined> {
    return this.#step({ call: 'list', path }, () => this.#medium.list(path));
  }

  look(path: string): ReturnType<Disk['look']> {
    return this.#step({ call: 'look', path }, () => this.#medium.look(path));
  }

  rename(from: string, to: string): Promise<void> {
    return this.#step({ call: 'rename', path: to }, () => this.#medium.rename(from, to));
  }

  link(from: string, to: string): Promise<void> {
    return this.#step({ call: 'link', path: to }, () => this.#medium.link(from, to));
  }

  unlink(path: string): Promise<void> {
    return this.#step({ call: 'unlink', path }, () => this.#medium.unlink(path));
  }

  removeDirectory(path: string): Promise<void> {
    return this.#step({ call: 'removeDirectory', path }, () => this.#medium.removeDirectory(path));
  }

  async fileSystemType(): Promise<number> {
    return EXT4;
  }

  lookNow(path: string): ReturnType<Disk['lookNow']> {
    return this.#stepNow({ call: 'lookNow', path }, () => this.#medium.look(path));
  }

  factsNow(file: number): ReturnType<Disk['factsNow']> {
    return this.#stepNow({ call: 'factsNow', path: this.#medium.pathOf(file) }, () => this.#medium.facts(file));
  }

  readNow(file: number, into: Uint8Array, position: number): number {
    const step = { call: 'readNow', path: this.#medium.pathOf(file) } as const;
    return this.#stepNow(step, () => this.#medium.read(file, into, position));
  }

  writeNow(file: number, bytes: Uint8Array, position: number): void {
    const step = { call: 'writeNow', path: this.#medium.pathOf(file), bytes: bytes.length } as const;
    const some = (from: number, to: number) => this.#medium.write(file, bytes.subarray(from, to), position + from);
    this.#stepNow(step, () => some(0, bytes.length), { some });
  }

  watch(path: string, onChange: () => void, _onError: (error: unknown) => void): () => void {
    const notify = this.#ground.notify ?? ((tell: () => void) => tell());
    const stop = this.#now(() => this.#medium.watch(path, () => notify(onChange)));
    this.#watches.add(stop);
    return () => {
      this.#watches.delete(stop);
      stop();
    };
  }

  elapsedNow(): number {
    return this.#now(() => this.#ground.elapsedNow());
  }

  pause(ms: number, isIdle?: boolean): Promise<void> {
    return this.#isEnded ? this.#ended() : this.#ground.pause(ms, isIdle);
  }

  randomHex(digits: number): string {
    return this.#now(() => this.#ground.randomHex(digits));
  }

  async #step<T>(about: Omit<Step, 'number' | 'isNow'>, make: () => T, partly: Partly = {}): Promise<T> {
    if (this.#isEnded) return this.#ended();
    const effect = await this.#hook?.({ ...about, number: ++this.#steps, isNow: false });
    if (this.#isEnded) return this.#ended();
    try {
      if (effect?.kind === 'inPieces') await this.#inPieces(about, effect, partly);
      const result = this.#make(about, effect, make, partly);
      if (!this.#isEnded) return result;
    } catch (error) {
      if (!this.#isEnded) throw error;
    }
    return this.#ended();
  }

  async #inPieces(
    { call, path, bytes = 0 }: Omit<Step, 'number' | 'isNow'>,
    { written, between }: Extract<Effect, { kind: 'inPieces' }>,
    { some, sizeNow }: Partly,
  ): Promise<void> {
    if (some === undefined) throw new Error(`${call} cannot be made in pieces`);
    some(0, written);
    const size = sizeNow?.();
    await between();
    // The kernel keeps other writers out of one append; one that it cut short is not gone on with.
    if (size !== sizeNow?.()) throw systemError('ENOSPC', call, path);
    if (!this.#isEnded) some(written, bytes);
  }

  #stepNow<T>(about: Omit<Step, 'number' | 'isNow'>, make: () => T, partly: Partly = {}): T {
    if (this.#isEnded) throw new ProcessEnded();
    const effect = this.#hook?.({ ...about, number: ++this.#steps, isNow: true });
    if (effect instanceof Promise) throw new Error(`the hook waits before ${about.call}, which cannot wait`);
    const result = this.#make(about, effect, make, partly);
    if (this.#isEnded) throw new ProcessEnded();
    return result;
  }

  /** Makes a step as its effect says. What an ended process gets is nobody's concern. */
  #make<T>(
    { call, path }: Omit<Step, 'number' | 'isNow'>,
    effect: Effect | undefined,
    make: () => T,
    partly: Partly,
  ): T {
    switch (effect?.kind) {
      case undefined:
        return make();
      case 'inPieces':
        return undefined as T;
      case 'fail':
        if (effect.written !== undefined) partly.some?.(0, effect.written);
        partly.fail?.(effect.isEvicted ?? false);
        throw systemError(effect.code, call, path);
      case 'crashBefore':
        this.end();
        throw new ProcessEnded();
      case 'crashWithin':
        partly.some?.(0, effect.written);
        this.end();
        throw new ProcessEnded();
      case 'crashAfter': {
        const result = make();
        this.end();
        return result;
      }
    }
  }

  #now<T>(make: () => T): T {
    if (this.#isEnded) throw new ProcessEnded();
    return make();
  }

  #ended(): Promise<never> {
    return this.#whenEnded === 'throws' ? Promise.reject(new ProcessEnded()) : new Promise(() => {});
  }
}

interface Partly {
  /** Writes a part of what was to be written. */
  readonly some?: (from: number, to: number) => void;
  /** Size of the file that is appended to. */
  readonly sizeNow?: () => number;
  /** What a call that fails does all the same: a flush loses what was dirty, a file is closed. */
  readonly fail?: (isEvicted: boolean) => void;
}

const EXT4 = 0xef53;
