/**
 * A workspace in a folder of a simulated machine, whose power can be cut and whose disk can be spoiled; with what lies
 * between the store and its disk and locks, where a test wants something there.
 */
import { randomBytes } from 'node:crypto';
import type { Disk } from '../../src/adapters/fs/disk/disk.js';
import { openWorkspace } from '../../src/adapters/fs/file-workspace.js';
import { layoutOf } from '../../src/adapters/fs/layout.js';
import type { OpenLock } from '../../src/adapters/fs/locks/native-lock.js';
import type { Workspace } from '../../src/ports/workspace.js';
import { LOSES_ALL } from '../sim/disk/power-cut.js';
import { SimDisk, type Step } from '../sim/disk/sim-disk.js';
import { type PowerCut, SimMedium } from '../sim/disk/sim-medium.js';

/** What stands between a workspace and its machine. */
export interface Between {
  disk?(good: Disk): Disk;
  locks?(good: OpenLock): OpenLock;
}

/** Where it is. */
export const ROOT = '/machine/work';

/** Calls of the disk that put something on it. */
const WRITING: readonly Step['call'][] = ['write', 'writeNow', 'makeDirectory', 'rename', 'link'];

/** See the head of this file. */
export class SimulatedMachine {
  readonly #medium = new SimMedium();
  readonly #between: Between;
  #processes: { readonly disk: SimDisk; readonly workspace: Workspace }[] = [];
  #isSpoiled = false;

  constructor(between: Between = {}) {
    this.#between = between;
    this.#medium.makeDirectory('/machine');
    this.#medium.flushDirectory('/');
  }

  /** A process of its own that opens the workspace. */
  async open(): Promise<Workspace> {
    return (await this.openElsewhere()).workspace;
  }

  /** The same, with what kills that process. */
  async openElsewhere(): Promise<{ readonly workspace: Workspace; kill(): void }> {
    const ground = {
      elapsedNow: () => performance.now(),
      pause: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.min(ms, 5))),
      randomHex: (digits: number) => randomBytes(digits).toString('hex').slice(0, digits),
      notify: (tell: () => void) => queueMicrotask(tell),
    };
    const disk = new SimDisk(this.#medium, ground, (step) => this.#effectOf(step));
    const { disk: ofDisk = same, locks: ofLocks = same } = this.#between;
    const openLock = ofLocks(await disk.locks());
    const opened = await openWorkspace(ROOT, {}, { disk: ofDisk(disk), openLock, warn: () => {} });
    // Each is a process of its own: nothing runs on in it from before.
    const workspace = { ...opened, identity: `process ${randomBytes(8).toString('hex')}` };
    this.#processes.push({ disk, workspace });
    return { workspace, kill: () => disk.end() };
  }

  /** Ends every process as a kill would. */
  killAll(): void {
    for (const { disk } of this.#processes) disk.end();
    this.#processes = [];
  }

  /** Cuts the power: of what was not flushed nothing is left, where it is not said otherwise. */
  cutPower(how: PowerCut = LOSES_ALL): void {
    this.killAll();
    this.#medium.cutPower(how);
  }

  /** Makes every write fail until the function that comes back is called. */
  spoilWrites(): () => void {
    this.#isSpoiled = true;
    return () => {
      this.#isSpoiled = false;
    };
  }

  /** Deletes the file of the owner lock, as a person might. */
  deleteOwnerLock(): void {
    this.#medium.unlink(layoutOf(ROOT).ownerLock);
  }

  /** Ends everything. */
  async close(): Promise<void> {
    this.#isSpoiled = false;
    for (const { disk, workspace } of this.#processes) {
      await workspace.close().catch(() => undefined);
      disk.end();
    }
  }

  #effectOf({ call }: Step) {
    if (!this.#isSpoiled || !WRITING.includes(call)) return undefined;
    return { kind: 'fail', code: 'ENOSPC' } as const;
  }
}

function same<T>(good: T): T {
  return good;
}
