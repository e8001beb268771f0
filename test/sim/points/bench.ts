/**
 * A bench: one medium, one clock, what was told so far, and processes that run the real runtime one at a time, whose disk a
 * hook may disturb at any step. It can be cloned, so that each point begins with the same world.
 */
import { openWorkspace } from '../../../src/adapters/fs/file-workspace.js';
import type { OpenLock } from '../../../src/adapters/fs/locks/native-lock.js';
import { runtimeZoneData } from '../../../src/core/time/zones.js';
import { openSchedulesIn } from '../../../src/open-schedules.js';
import type { Schedules } from '../../../src/runtime/client/face.js';
import { Ledger } from '../audit/ledger.js';
import { type Hook, SimDisk } from '../disk/sim-disk.js';
import { type PowerCut, SimMedium } from '../disk/sim-medium.js';
import { Random } from '../random.js';
import { ROOT } from '../world/hosts.js';
import { codeOf } from '../world/sim-process.js';
import { toldStore } from '../world/told-store.js';
import { BenchTime, type Sleeper } from './bench-time.js';
import type { Between } from './broken-programs.js';
import { writtenHandlers } from './written-handlers.js';

/** How a process opens the workspace. */
export interface OpenHow {
  /** Looks at the steps of its disk, from the first one. */
  readonly hook?: Hook | undefined;
  /** True: every lock is free for it, whoever holds one. */
  readonly passesLocks?: boolean;
  /** False: its execution service needs no workspace. */
  readonly needsWorkspace?: boolean;
  readonly historyKept?: number;
  readonly evidenceKept?: number;
  readonly concurrency?: number;
  /** What its program does wrong. */
  readonly between?: () => Between;
}

const STARTS_AT = Date.UTC(2026, 10, 30, 8);

/** Records that each schedule keeps where it is not said. */
export const HISTORY_KEPT = 1000;

/** See the head of this file. */
export class Bench {
  readonly medium: SimMedium;
  readonly time: BenchTime;
  readonly ledger: Ledger;
  #processes: BenchProcess[] = [];

  constructor(from?: Bench) {
    this.time = from?.time.fork() ?? new BenchTime(STARTS_AT);
    this.medium = from?.medium.clone(() => this.time.now()) ?? new SimMedium(() => this.time.now());
    this.ledger = from?.ledger.fork(() => this.time.elapsed) ?? new Ledger(() => this.time.elapsed, HISTORY_KEPT);
    if (from !== undefined) return;
    this.medium.makeDirectory('/machine');
    this.medium.flushDirectory('/');
  }

  /** The same world, to go on apart; what was open is not. */
  clone(): Bench {
    return new Bench(this);
  }

  /** A process that has begun; nothing is open in it. */
  process(name: string, how: OpenHow = {}): BenchProcess {
    const process = new BenchProcess(this, name, how);
    this.#processes.push(process);
    return process;
  }

  /** Kills every process and cuts the power. */
  cutPower(how?: PowerCut): void {
    for (const process of this.#processes) process.disk.end();
    this.#processes = [];
    if (how !== undefined) this.medium.cutPower(how);
  }
}

/** A process on a bench. */
export class BenchProcess implements Sleeper {
  readonly bench: Bench;
  readonly name: string;
  readonly disk: SimDisk;
  readonly warnings: string[] = [];
  isStopped = false;
  readonly #how: OpenHow;
  #pausedMs = 0;
  #ids = 0;
  #opened: Schedules | undefined;
  #settled: () => Promise<void> = async () => {};

  constructor(bench: Bench, name: string, how: OpenHow) {
    this.bench = bench;
    this.name = name;
    this.#how = how;
    const random = new Random(`bench/${name}`);
    const ground = {
      elapsedNow: () => bench.time.elapsed + this.#pausedMs,
      pause: async (ms: number) => {
        this.#pausedMs += ms;
      },
      randomHex: (digits: number) => random.hex(digits),
      // Whoever changes something goes on first.
      notify: (tell: () => void) => setImmediate(() => this.isEnded || tell()),
    };
    this.disk = new SimDisk(bench.medium, ground, how.hook, 'hangs');
  }

  get isEnded(): boolean {
    return this.disk.isEnded;
  }

  /** The schedules that it has opened. */
  get schedules(): Schedules {
    if (this.#opened === undefined) throw new Error(`${this.name} has opened nothing`);
    return this.#opened;
  }

  /** Opens the workspace, making it where there is none. */
  async open(): Promise<Schedules> {
    const { historyKept = HISTORY_KEPT, evidenceKept, concurrency = 1, needsWorkspace = true } = this.#how;
    const evidence = evidenceKept === undefined ? {} : { evidence: { keep: { newest: evidenceKept } } };
    const openLock = await this.openLock();
    const warn = (error: unknown) => void this.warnings.push(String(error));
    const options = { retention: { perSchedule: historyKept }, ...evidence };
    const between = this.#how.between?.() ?? {};
    const disk = between.disk?.(this.disk) ?? this.disk;
    const workspace = await openWorkspace(ROOT, options, { disk, openLock, warn });
    this.#settled = () => workspace.store.settled();
    const told = toldStore(workspace.store, this.bench.ledger, this.name);
    this.#opened = await openSchedulesIn(this.#facts(), {
      workspace: { ...workspace, store: { ...told, ...between.store?.(told) } },
      execution: writtenHandlers(this, needsWorkspace),
      clock: this.bench.time.clockOf(this),
      concurrency,
      randomId: () => this.newId(),
    });
    return this.#opened;
  }

  /** Waits for a roll-over that is due or under way. */
  settled(): Promise<void> {
    return this.#settled();
  }

  /** Its locks. */
  async openLock(): Promise<OpenLock> {
    if (this.#how.passesLocks !== true) return this.disk.locks();
    return async () => ({
      tryLock: () => true,
      unlock: () => undefined,
      isIntact: () => true,
      close: async () => undefined,
    });
  }

  /** An id that no other process of this name makes. */
  newId(): string {
    this.#ids += 1;
    return `${this.name}${this.#ids}`;
  }

  /**
   * Does some work to its end. `ended`: its process ended in the middle; a code: the work was refused with it; `hangs`: nothing
   * came of it in two virtual hours.
   */
  async does(work: () => Promise<unknown>): Promise<'done' | 'ended' | 'hangs' | { readonly refused: unknown }> {
    let refused: { readonly refused: unknown } | undefined;
    const goal = work().catch((error: unknown) => {
      refused = { refused: error };
    });
    const isReached = await this.bench.time.reach(goal, this);
    if (this.isEnded) return 'ended';
    return refused ?? (isReached ? 'done' : 'hangs');
  }

  /** The same for work that nothing disturbs: anything but its end is a fault of the test or of the product. */
  async mustDo(work: () => Promise<unknown>): Promise<void> {
    const end = await this.does(work);
    if (end === 'done') return;
    if (typeof end === 'string') throw new Error(`${this.name}: its work ${end}`);
    throw new Error(`${this.name} was refused: ${codeOf(end.refused)}`, { cause: end.refused });
  }

  #facts() {
    const warn = (message: string) => void this.warnings.push(message);
    return { pid: 1, host: 'bench', zoneData: runtimeZoneData('bench'), unended: new Map(), random: () => 0.5, warn };
  }
}
