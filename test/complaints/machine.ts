/**
 * A machine of a host: one clock in the hands of the test, one catalogue, and processes that start, stop and are killed.
 *
 * The whole product runs on it: client, owner, store, lock and evidence; only disk, clock and work stand for real ones.
 * What every process ever ran is noted outside of all of them. At the end of each test no attempt may stand there twice,
 * and the independent check must find a sound catalogue.
 */
import { afterEach, expect } from 'vitest';
import { openWorkspace } from '../../src/adapters/fs/file-workspace.js';
import { type MemoryData, memoryData } from '../../src/adapters/memory-data.js';
import { memoryWorkspace } from '../../src/adapters/memory-workspace.js';
import { type OpenOptions, openSchedules } from '../../src/open-schedules.js';
import type { ExecutionService } from '../../src/ports/execution-service.js';
import type { ObservedEvent } from '../../src/ports/observer.js';
import type { Workspace } from '../../src/ports/workspace.js';
import type { Schedules } from '../../src/runtime/client/face.js';
import type { Owner } from '../../src/runtime/owner/owner.js';
import { crashingWorkspace } from '../../src/testing/crash-workspace.js';
import { type ManualClock, manualClock } from '../../src/testing/manual-clock.js';
import { type ScriptedStep, scriptedExecution } from '../../src/testing/scripted-execution.js';
import { type Hook, SimDisk } from '../sim/disk/sim-disk.js';
import { SimMedium } from '../sim/disk/sim-medium.js';
import { AT, faultsOn } from '../sim/disk/workspace-on.js';
import { Random } from '../sim/random.js';
import { short } from './jobs.js';

/** When every machine begins: a Monday, at eight o'clock. */
export const START = '2026-11-30T08:00:00Z';

/** Where the catalogue lives: in memory, or in files on a simulated disk. */
export const STORES = ['memory', 'files'] as const;

/** How a machine is made. */
export interface MachineOptions {
  readonly store?: (typeof STORES)[number];
  readonly start?: string;
  /** Keeps this many ended records of each schedule (files alone). */
  readonly perSchedule?: number;
}

/** How a process is started; beside what {@link openSchedules} takes, what becomes of its work and of its disk. */
export interface ProcessOptions extends Partial<OpenOptions> {
  readonly steps?: readonly ScriptedStep[];
  readonly otherwise?: ScriptedStep;
  readonly needsWorkspace?: boolean;
  readonly drainSeconds?: number;
  readonly hook?: Hook;
}

/** One process of the host. */
export interface Process {
  readonly schedules: Schedules;
  readonly owner: Owner;
  readonly workspace: Workspace;
  /** What it told, oldest first. */
  readonly events: readonly ObservedEvent[];
  /** Ends one open run, or the oldest. */
  release(occurrence?: string): boolean;
  /** Occurrences that it runs now. */
  open(): readonly string[];
  /** Ends it as `kill -9` does. */
  kill(): Promise<void>;
}

const machines: Machine[] = [];

/** See the head of this file. */
export class Machine {
  readonly clock: ManualClock;
  readonly medium: SimMedium;
  /** Attempts that any process ran: `<occurrence> <attempt>`. */
  readonly ran: string[] = [];
  /** Instants at which they were started, in the order of {@link ran}. */
  readonly ranAt: string[] = [];
  /** Kinds of the documents that they were given. */
  readonly documents: unknown[] = [];
  readonly #options: MachineOptions;
  readonly #data: MemoryData = memoryData();
  readonly #processes: Process[] = [];
  #booted = 0;

  constructor(options: MachineOptions = {}) {
    this.#options = options;
    this.clock = manualClock(options.start ?? START);
    this.medium = new SimMedium(() => this.clock.now());
    machines.push(this);
  }

  /** Starts a process; its owner is not running yet. */
  async boot(options: ProcessOptions = {}): Promise<Process> {
    const { steps, otherwise, needsWorkspace = false, drainSeconds, hook, ...open } = options;
    const { workspace, kill } = await this.#workspace(hook);
    const work = scriptedExecution(steps, { needsWorkspace, ...(otherwise === undefined ? {} : { otherwise }) });
    const events: ObservedEvent[] = [];
    const schedules = await openSchedules({
      workspace,
      clock: this.clock,
      execution: this.#noted(work),
      observer: (event) => void events.push(event),
      ...open,
    });
    const owner = schedules.owner(drainSeconds === undefined ? {} : { drainSeconds });
    const { open: running, release } = work;
    const process = { schedules, owner, workspace, events, open: running, release, kill };
    this.#processes.push(process);
    return process;
  }

  /** Starts a process with an owner that runs. */
  async serve(options: ProcessOptions = {}): Promise<Process> {
    const process = await this.boot(options);
    await process.owner.start();
    await this.clock.settle();
    return process;
  }

  /** Lets time pass. */
  pass(ms: number): Promise<void> {
    return this.clock.advance(ms);
  }

  /** Stops the owner of a process in an orderly way, and closes its schedules. */
  async shut(process: Process): Promise<void> {
    await this.clock.runUntil(process.schedules.close());
    this.#processes.splice(this.#processes.indexOf(process), 1);
  }

  /** How often an occurrence was started. */
  starts(occurrence: string): number {
    return this.ran.filter((attempt) => attempt.startsWith(`${occurrence} `)).length;
  }

  /** Kills what lives, and judges what is left. */
  async end(): Promise<void> {
    for (const { kill } of this.#processes) await kill();
    await this.#data.dispose();
    expect(this.ran, 'an attempt ran twice').toEqual([...new Set(this.ran)]);
    if (this.#isFiles) expect(await faultsOn(this.medium), 'the check finds faults').toEqual([]);
  }

  get #isFiles(): boolean {
    return (this.#options.store ?? 'files') === 'files';
  }

  async #workspace(hook: Hook | undefined): Promise<{ workspace: Workspace; kill(): Promise<void> }> {
    if (!this.#isFiles) {
      const workspace = crashingWorkspace(memoryWorkspace({ data: this.#data }));
      return { workspace, kill: () => workspace.crash() };
    }
    const random = new Random(`process ${++this.#booted}`);
    let elapsedMs = 0;
    const ground = {
      elapsedNow: () => elapsedMs,
      pause: async (ms: number) => {
        elapsedMs += ms;
      },
      randomHex: (digits: number) => random.hex(digits),
      notify: (tell: () => void) => queueMicrotask(tell),
    };
    const disk = new SimDisk(this.medium, ground, hook, 'hangs');
    const { perSchedule } = this.#options;
    const retention = perSchedule === undefined ? {} : { retention: { perSchedule } };
    const opened = await openWorkspace(AT, retention, { disk, openLock: await disk.locks(), warn: () => {} });
    const workspace = { ...opened, identity: `process ${this.#booted}` };
    return { workspace, kill: async () => disk.end() };
  }

  #noted(work: ExecutionService): ExecutionService {
    return {
      capabilities: work.capabilities,
      providers: () => work.providers(),
      plan: (request, options) => work.plan(request, options),
      execute: (request) => {
        this.ran.push(`${request.occurrence} ${request.attempt}`);
        this.ranAt.push(short(new Date(this.clock.now()).toISOString()));
        this.documents.push(request.document['version']);
        return work.execute(request);
      },
    };
  }
}

afterEach(async () => {
  for (const machine of machines.splice(0)) await machine.end();
});
