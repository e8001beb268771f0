/**
 * What disturbs a machine from outside of its processes' steps: full disks, missing rights, stopped processes, clocks that
 * step, lock files that somebody deletes, and requests to stop.
 */
import { layoutOf } from '../../../src/adapters/fs/layout.js';
import type { Random } from '../random.js';
import { ROOT } from './hosts.js';
import type { SimMachine } from './sim-machine.js';

/** See the head of this file. */
export class Disturbances {
  readonly #machine: SimMachine;
  readonly #random: Random;
  readonly #untilMs: number;
  #isOver = false;

  /** Begins; nothing comes after `untilMs`. */
  constructor(machine: SimMachine, untilMs: number) {
    this.#machine = machine;
    this.#untilMs = untilMs;
    this.#random = machine.random.fork(`disturbances until ${untilMs}`);
    const { rates } = machine.options;
    this.#repeat(rates.noSpaceEveryMs, () => machine.faults.fillDisk(this.#soon(100, 40_000)));
    this.#repeat(rates.deniedEveryMs, () => machine.faults.denyRights(this.#soon(100, 20_000)));
    this.#repeat(rates.stopEveryMs, () => this.#stop());
    this.#repeat(rates.clockStepEveryMs, () => this.#stepClock());
    this.#repeat(rates.lockLossEveryMs, () => this.#loseLock());
    this.#repeat(rates.gracefulStopEveryMs, () => this.#ask());
  }

  /** Ends it. */
  end(): void {
    this.#isOver = true;
    this.#machine.faults.fillDisk(0);
    this.#machine.faults.denyRights(0);
  }

  #repeat(everyMs: number, disturb: () => void): void {
    const { scheduler } = this.#machine;
    const afterMs = this.#random.next() * 2 * everyMs;
    if (everyMs === 0 || scheduler.now + afterMs >= this.#untilMs) return;
    scheduler.add(afterMs, this.#machine, 'disturbs', () => {
      if (this.#isOver) return;
      disturb();
      this.#repeat(everyMs, disturb);
    });
  }

  #soon(leastMs: number, mostMs: number): number {
    const untilMs = this.#machine.scheduler.now + this.#random.spread(leastMs, mostMs);
    this.#machine.scheduler.note(this.#machine, `the disk gives trouble until ${untilMs.toFixed(0)}`);
    return untilMs;
  }

  #stop(): void {
    const { processes, faults } = this.#machine;
    if (processes.length === 0) return;
    faults.counts.stops += 1;
    this.#random.of(processes).stopFor(this.#random.spread(50, 60_000));
  }

  #stepClock(): void {
    const {
      machine: { faults },
      random,
    } = { machine: this.#machine, random: this.#random };
    faults.counts.clockSteps += 1;
    this.#machine.stepClock(Math.round(random.of([1, 1, -1]) * random.spread(500, 3 * 3_600_000)));
  }

  #loseLock(): void {
    const { ownerLock, stateLock, rollOverLock } = layoutOf(ROOT);
    const path = this.#random.of([ownerLock, ownerLock, stateLock, rollOverLock]);
    const { medium, faults, scheduler } = this.#machine;
    if (medium.look(path) === undefined) return;
    faults.counts.lockLosses += 1;
    scheduler.note(this.#machine, `somebody deletes ${path}`);
    medium.unlink(path);
  }

  #ask(): void {
    const { processes, scheduler } = this.#machine;
    const owners = processes.filter(({ name }) => name.startsWith('owner'));
    if (owners.length === 0) return;
    const process = this.#random.of(owners);
    scheduler.add(0, process, 'is asked to stop', () => process.asked.abort());
  }
}
