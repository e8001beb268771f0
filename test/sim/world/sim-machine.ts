/**
 * A simulated machine: one disk, one wall clock, and processes that can be stopped, killed, or lose their power.
 */
import { type EpochMs, epochMs } from '../../../src/core/time/instant.js';
import { randomCut } from '../disk/power-cut.js';
import { SimMedium } from '../disk/sim-medium.js';
import { Random } from '../random.js';
import { Faults } from './faults.js';
import type { SimOptions } from './options.js';
import { type Actor, Scheduler } from './scheduler.js';
import { SimProcess } from './sim-process.js';

/** What runs in a process, from its start to its end. */
export type Program = (process: SimProcess) => Promise<void>;

/** See the head of this file. */
export class SimMachine implements Actor {
  readonly name = 'machine';
  readonly isDead = false;
  readonly stoppedUntil = 0;
  readonly options: SimOptions;
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly medium: SimMedium;
  readonly random: Random;
  readonly #processes = new Set<SimProcess>();
  #wallOffset: number;
  #lastPid = 0;
  /** True from the moment in which the power goes until `loosePower` is through with it. */
  isPowerFailing = false;

  /** Hears of what no process should do. */
  readonly complain: (rule: string, found: string) => void;

  constructor(options: SimOptions, complain: (rule: string, found: string) => void, onTrace?: (line: string) => void) {
    this.complain = complain;
    const random = new Random(`run/${options.seed}`);
    this.options = options;
    this.random = random;
    this.scheduler = new Scheduler(random.fork('order'), onTrace);
    this.faults = new Faults(random.fork('faults'), options.rates);
    this.#wallOffset = options.startsAt;
    this.medium = new SimMedium(() => this.wallNow());
  }

  /** The wall clock. */
  wallNow(): EpochMs {
    return epochMs(Math.floor(this.#wallOffset + this.scheduler.now));
  }

  /** Sets the wall clock forward or back; the monotonic one does not notice. */
  stepClock(ms: number): void {
    this.#wallOffset += ms;
    this.scheduler.note(this, `the clock steps by ${ms} ms`);
  }

  /** Processes that live, the oldest first. */
  get processes(): readonly SimProcess[] {
    return [...this.#processes];
  }

  /** Starts a process; `onEnd` is told once it is gone, with what its program threw. */
  start(name: string, program: Program, onEnd: (process: SimProcess, error?: unknown) => void): SimProcess {
    const pid = ++this.#lastPid;
    const process = new SimProcess(this, `${name}#${pid}`, pid, (error) => {
      this.#processes.delete(process);
      if (!this.isPowerFailing) onEnd(process, error);
    });
    this.#processes.add(process);
    this.scheduler.add(0, process, 'starts', () => {
      program(process).then(
        () => process.end('exits'),
        (error: unknown) => process.end('exits with an error', error),
      );
    });
    return process;
  }

  /** The power goes: every process is gone, and the disk is what the cut leaves. */
  losePower(): void {
    this.isPowerFailing = true;
    this.faults.counts.powerCuts += 1;
    this.scheduler.note(this, 'the power goes');
    for (const process of this.processes) process.end('loses its power');
    this.medium.cutPower(randomCut(this.random.fork(`cut ${this.faults.counts.powerCuts}`)));
    this.isPowerFailing = false;
  }

  /** Every process is killed. */
  killAll(): void {
    for (const process of this.processes) process.end('is killed');
  }
}
