/**
 * Tells when the journal may have changed: a watch on its directory as a hint, a poll only where watching fails (S-10).
 */
import type { Disk, FileFacts } from './disk/disk.js';

/** Milliseconds between two looks where the directory cannot be watched. @internal */
export const POLL_MS = 1000;

/** Looks at a directory for any number of listeners, while there is one. @internal */
export class JournalWatch {
  readonly #disk: Disk;
  readonly #directory: string;
  /** The open segment as it is now: what a poll compares. */
  readonly #look: () => FileFacts | undefined;
  /** Hears, once, that the directory cannot be watched. */
  readonly #warn: (error: unknown) => void;
  /** Whether there is anything that this handle did not write or tell of itself; asked once whatever it is writing is written. */
  readonly #isNews: () => Promise<boolean>;
  readonly #listeners = new Set<{ readonly call: () => void }>();
  #stop: (() => void) | undefined;
  #isTold = false;
  #isWarned = false;

  constructor(
    disk: Disk,
    directory: string,
    look: () => FileFacts | undefined,
    warn: (error: unknown) => void,
    isNews: () => Promise<boolean> = async () => true,
  ) {
    this.#disk = disk;
    this.#isNews = isNews;
    this.#warn = warn;
    this.#directory = directory;
    this.#look = look;
  }

  /** Adds a listener; returns the function that takes it away again. */
  add(call: () => void): () => void {
    const listener = { call };
    this.#listeners.add(listener);
    if (this.#stop === undefined) this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.close();
    };
  }

  /** Ends it for all listeners. */
  close(): void {
    this.#listeners.clear();
    this.#stop?.();
    this.#stop = undefined;
  }

  /** Many changes at once are one call. */
  #tell(): void {
    if (this.#isTold) return;
    this.#isTold = true;
    setImmediate(() => void this.#tellNews());
  }

  async #tellNews(): Promise<void> {
    const isNews = this.#isNews();
    this.#isTold = false;
    if (await isNews) for (const { call } of [...this.#listeners]) call();
  }

  #start(): void {
    try {
      this.#stop = this.#disk.watch(
        this.#directory,
        () => this.#tell(),
        (error) => this.#pollFor(error),
      );
    } catch (error) {
      // Watching is a hint; where it cannot be had (no inotify instances left), the poll does its work.
      this.#pollFor(error);
    }
  }

  /** Polls because of an error, which is told the first time. */
  #pollFor(error: unknown): void {
    this.#poll();
    if (this.#isWarned) return;
    this.#isWarned = true;
    this.#warn(error);
  }

  /** Looks every second, and tries to watch again each minute. */
  #poll(): void {
    this.#stop?.();
    let isStopped = false;
    this.#stop = () => {
      isStopped = true;
    };
    void this.#pollUntil(() => isStopped);
    // What happened while nobody watched is unknown.
    this.#tell();
  }

  async #pollUntil(isStopped: () => boolean): Promise<void> {
    let last = this.#trace();
    for (let round = 1; ; round++) {
      await this.#disk.pause(POLL_MS, true);
      if (isStopped()) return;
      const now = this.#trace();
      if (now !== last) this.#tell();
      last = now;
      if (round % 60 === 0) return this.#start();
    }
  }

  #trace(): string {
    try {
      const facts = this.#look();
      return facts === undefined ? '' : `${facts.identity}:${facts.bytes}`;
    } catch (error) {
      // Whoever reads next is told of it; here it only counts as a change.
      return String(error);
    }
  }
}
