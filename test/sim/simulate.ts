/**
 * One simulation: a virtual week of owners and clients on one machine where everything goes wrong that can, then a time
 * without faults in which the catalogue must come to rest. Equal seeds are equal runs, to the last step.
 */
import { decodeDeclaration } from '../../src/codec/declaration-codec.js';
import { audit } from './audit/audit.js';
import { Ledger, type Violation } from './audit/ledger.js';
import { Backup } from './world/backup.js';
import { comeToRest } from './world/come-to-rest.js';
import { Disturbances } from './world/disturbances.js';
import type { FaultCounts } from './world/faults.js';
import { ROOT } from './world/hosts.js';
import { type Length, optionsOf, type Phase, type SimOptions } from './world/options.js';
import { SimMachine } from './world/sim-machine.js';
import { Supervisor } from './world/supervisor.js';

/** What came of a simulation. */
export interface SimReport {
  readonly seed: string;
  readonly options: SimOptions;
  /** Digest of every step in its order. */
  readonly traceHash: string;
  readonly steps: number;
  readonly virtualDays: number;
  readonly commits: number;
  readonly executions: number;
  readonly faults: FaultCounts;
  /** Backups that were put back, and how often an owner found the catalogue behind its evidence. */
  readonly restores: number;
  readonly catalogueStops: number;
  /** Refused calls, by call and code. */
  readonly refusals: ReadonlyMap<string, number>;
  readonly violations: readonly Violation[];
}

/** How a simulation is watched. */
export interface Watching {
  /** Hears every step. */
  readonly onTrace?: (line: string) => void;
}

/** Runs the simulation of a seed. */
export async function simulate(seed: string, length: Length = 'long', watching: Watching = {}): Promise<SimReport> {
  // What is loaded when it is needed first takes real time, which no seed knows of.
  await decodeDeclaration({ trigger: { kind: 'manual' } }, {});
  const options = optionsOf(seed, length);
  const complain = (rule: string, found: string) => ledger.violate(rule, found);
  const machine = new SimMachine(options, complain, watching.onTrace);
  machine.medium.makeDirectory('/machine');
  machine.medium.flushDirectory('/');
  const ledger: Ledger = new Ledger(() => machine.scheduler.now, options.historyKept);
  const run = new Run(machine, ledger);
  for (const phase of options.phases) {
    if (ledger.violations.length > 0) break;
    await run.live(phase);
  }
  if (ledger.violations.length === 0) await run.rest();
  const { scheduler, faults } = machine;
  return {
    seed,
    options,
    traceHash: scheduler.traceHash,
    steps: scheduler.steps,
    virtualDays: Math.max(0, machine.wallNow() - options.startsAt) / 86_400_000,
    commits: ledger.commits.size,
    executions: ledger.effects.length,
    faults: faults.counts,
    restores: ledger.restores,
    catalogueStops: ledger.catalogueStops,
    refusals: ledger.refusals,
    violations: ledger.violations,
  };
}

class Run {
  readonly #machine: SimMachine;
  readonly #ledger: Ledger;
  readonly #supervisor: Supervisor;
  #backup: Backup | undefined;

  constructor(machine: SimMachine, ledger: Ledger) {
    this.#machine = machine;
    this.#ledger = ledger;
    this.#supervisor = new Supervisor(machine, ledger);
  }

  /** Lets everything run for a while, with faults; then the machine is away. */
  async live({ awakeMs, ends, awayMs }: Phase): Promise<void> {
    const { scheduler } = this.#machine;
    const until = scheduler.now + awakeMs;
    this.#supervisor.startAll();
    const disturbances = new Disturbances(this.#machine, until);
    while (scheduler.now < until) {
      await scheduler.runUntil(() => this.#machine.isPowerFailing, until);
      if (this.#machine.isPowerFailing) await this.#cutPower();
      if (this.#ledger.violations.length > 0) return;
    }
    disturbances.end();
    await this.#end(ends);
    this.#machine.stepClock(awayMs);
  }

  /** Nothing goes wrong any more: everything that is owed must be done. */
  async rest(): Promise<void> {
    const { faults } = this.#machine;
    faults.isOn = false;
    this.#machine.killAll();
    await comeToRest(this.#machine, this.#ledger, this.#supervisor);
    this.#supervisor.isOn = false;
    this.#machine.killAll();
    await this.#audit(true);
  }

  async #end(ends: Phase['ends']): Promise<void> {
    const { scheduler } = this.#machine;
    if (ends === 'suspend') return;
    this.#supervisor.isOn = false;
    if (ends === 'powerCut') this.#machine.losePower();
    else if (ends === 'stop') {
      for (const process of this.#machine.processes) process.asked.abort();
      const isOver = () => this.#machine.processes.length === 0 || this.#machine.isPowerFailing;
      await scheduler.runUntil(isOver, scheduler.now + LONGEST_STOP_MS);
      if (this.#machine.isPowerFailing) this.#machine.losePower();
    }
    this.#machine.killAll();
    await this.#audit();
    if (this.#machine.options.isRestored && this.#ledger.violations.length === 0) this.#backUp();
  }

  /** Keeps a copy of the catalogue, or puts the one that there is back: between two phases somebody may do that. */
  #backUp(): void {
    const { medium, scheduler } = this.#machine;
    if (this.#backup?.isWhole !== true) this.#backup = new Backup(medium, ROOT, this.#ledger);
    else if (this.#ledger.restores === 0) {
      scheduler.note(this.#machine, 'somebody puts a backup back');
      this.#backup.restore(medium, this.#ledger);
    }
  }

  async #cutPower(): Promise<void> {
    this.#machine.losePower();
    await this.#audit();
    this.#supervisor.startAll();
  }

  async #audit(isRecovered = false): Promise<void> {
    await audit(this.#machine.medium, ROOT, this.#ledger, isRecovered);
  }
}

const LONGEST_STOP_MS = 60_000;
