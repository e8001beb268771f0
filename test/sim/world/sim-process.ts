/**
 * A simulated process: its clock, its disk, its locks, and what it is told of itself. Each of its calls waits for the
 * scheduler. Once it has ended, nothing of it runs any more.
 */
import type { OpenLock } from '../../../src/adapters/fs/locks/native-lock.js';
import type { ThisProcess } from '../../../src/adapters/this-process.js';
import { runtimeZoneData } from '../../../src/core/time/zones.js';
import { ScheduleError } from '../../../src/errors.js';
import type { Clock } from '../../../src/ports/clock.js';
import type { CallOptions } from '../../../src/ports/schedule-store.js';
import { type Effect, ProcessEnded, SimDisk, type Step } from '../disk/sim-disk.js';
import type { Random } from '../random.js';
import type { Actor } from './scheduler.js';
import type { SimMachine } from './sim-machine.js';

/** See the head of this file. */
export class SimProcess implements Actor {
  readonly name: string;
  readonly machine: SimMachine;
  readonly disk: SimDisk;
  readonly clock: Clock;
  readonly random: Random;
  readonly facts: ThisProcess;
  stoppedUntil = 0;
  /** Fires when somebody asks it to stop. */
  readonly asked = new AbortController();
  readonly #onEnd: (error?: unknown) => void;
  #isDead = false;
  #ids = 0;
  /** Waits of no length in the second that began then. */
  #spins = { since: 0, count: 0 };

  constructor(machine: SimMachine, name: string, pid: number, onEnd: (error?: unknown) => void) {
    this.machine = machine;
    this.name = name;
    this.#onEnd = onEnd;
    this.random = machine.random.fork(name);
    const { scheduler } = machine;
    const ground = {
      elapsedNow: () => scheduler.now,
      pause: (ms: number) =>
        scheduler.wait(ms > 0 ? Math.max(ms, SHORTEST_TIMER_MS) : 0.001, this, `pauses ${ms.toFixed(1)} ms`),
      randomHex: (digits: number) => this.random.hex(digits),
      notify: (tell: () => void) => this.#notify(tell),
      ended: () => this.end('is killed'),
    };
    this.disk = new SimDisk(machine.medium, ground, (step) => this.#atStep(step), 'hangs');
    this.clock = this.#newClock();
    const random = this.random.fork('jitter');
    const warn = (message: string) => scheduler.note(this, `warns: ${message}`);
    const zoneData = runtimeZoneData('simulated');
    this.facts = { pid, host: 'simulated', zoneData, unended: new Map(), random: () => random.next(), warn };
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Its locks. */
  locks(): Promise<OpenLock> {
    return this.disk.locks();
  }

  /** Ends of ids and request ids, never the same twice. */
  randomId(): string {
    this.#ids += 1;
    return `${this.facts.pid}x${this.#ids}x${this.random.hex(4)}`;
  }

  /** Waits, as its code does between two calls. */
  sleep(ms: number, what = 'waits'): Promise<void> {
    return this.#isDead ? new Promise(() => {}) : this.machine.scheduler.wait(ms, this, what);
  }

  /** Stops it for a while, as SIGSTOP and SIGCONT do. */
  stopFor(ms: number): void {
    this.stoppedUntil = Math.max(this.stoppedUntil, this.machine.scheduler.now + ms);
    this.machine.scheduler.note(this, `is stopped for ${Math.round(ms)} ms`);
  }

  /** Ends it at once. */
  end(how: string, error?: unknown): void {
    if (this.#isDead) return;
    this.machine.scheduler.note(this, `${how}${error === undefined ? '' : ` (${codeOf(error)})`}`);
    this.#isDead = true;
    this.disk.end();
    this.#onEnd(error);
  }

  #atStep(step: Step): Effect | undefined | Promise<Effect | undefined> {
    const { faults, scheduler } = this.machine;
    if (step.isNow) {
      const effect = faults.atOnce(step, scheduler.now);
      if (effect !== undefined) scheduler.note(this, `${step.call} ${step.path} ${effect.kind}`);
      return effect;
    }
    const label = `${step.call} ${step.path}${step.bytes === undefined ? '' : ` ${step.bytes}`}`;
    return scheduler.wait(faults.latencyMs(step), this, label).then(() => this.#effectOf(step));
  }

  #effectOf(step: Step): Effect | undefined {
    const { machine } = this;
    const between = () => machine.scheduler.wait(machine.faults.latencyMs(step), this, 'writes the other piece');
    const effect = machine.faults.at(step, machine.scheduler.now, between);
    if (effect === undefined) return undefined;
    if (effect === 'powerCut') {
      machine.isPowerFailing = true;
      return { kind: machine.random.of(['crashBefore', 'crashAfter']) };
    }
    machine.scheduler.note(this, `${step.call} ${effect.kind} ${'code' in effect ? effect.code : ''}`);
    return effect;
  }

  #notify(tell: () => void): void {
    const { scheduler, faults } = this.machine;
    if (this.#isDead || faults.missesNotice()) return;
    scheduler.add(this.random.next() * 5, this, 'is told of a change', tell);
  }

  #newClock(): Clock {
    const { scheduler } = this.machine;
    const alive = <T>(value: () => T): T => {
      if (this.#isDead) throw new ProcessEnded();
      return value();
    };
    return {
      capabilities: { isVirtual: true },
      now: () => alive(() => this.machine.wallNow()),
      monotonic: () => alive(() => scheduler.now),
      sleep: (ms, options) => this.#sleep(ms, options),
    };
  }

  /** A program that does not rest where it should. */
  #noteSpin(): void {
    const { now } = this.machine.scheduler;
    if (now - this.#spins.since > 1000) this.#spins = { since: now, count: 0 };
    this.#spins.count += 1;
    if (this.#spins.count === MOST_SPINS)
      this.machine.complain('OW-3', `${this.name} does not rest: ${new Error().stack}`);
  }

  #sleep(ms: number, { signal }: CallOptions = {}): Promise<void> {
    if (this.#isDead) return new Promise(() => {});
    if (ms <= 0) this.#noteSpin();
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(aborted());
      const wake = () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const due = this.machine.scheduler.add(Math.max(ms, SHORTEST_TIMER_MS), this, 'wakes', wake);
      const stop = () => {
        due.cancel();
        reject(aborted());
      };
      signal?.addEventListener('abort', stop, { once: true });
    });
  }
}

/** A timer of Node takes a millisecond at least. */
const SHORTEST_TIMER_MS = 1;

/** Waits of no length in one second that no program needs. */
const MOST_SPINS = 200;

function aborted(): ScheduleError {
  return new ScheduleError('SCHEDULE_ABORTED', 'A wait was given up because its signal fired.');
}

/** The code of an error, or its text. */
export function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : String(error);
}
