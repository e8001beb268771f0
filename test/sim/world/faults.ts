/**
 * What goes wrong at a step of a process, drawn from the rates of the run; and the windows in which it goes wrong again and
 * again (a full disk, missing rights).
 */
import type { Effect, Step } from '../disk/sim-disk.js';
import type { Random } from '../random.js';
import type { FaultRates } from './options.js';

/** Counts of what went wrong. */
export interface FaultCounts {
  kills: number;
  powerCuts: number;
  diskErrors: number;
  stops: number;
  clockSteps: number;
  lockLosses: number;
}

const CREATING: readonly Step['call'][] = ['write', 'writeNow', 'makeDirectory', 'rename', 'link'];
const GUARDED: readonly Step['call'][] = ['open', 'makeDirectory', 'rename', 'link', 'unlink', 'removeDirectory'];

/** See the head of this file. */
export class Faults {
  readonly counts: FaultCounts = { kills: 0, powerCuts: 0, diskErrors: 0, stops: 0, clockSteps: 0, lockLosses: 0 };
  readonly #random: Random;
  readonly #rates: FaultRates;
  #noSpaceUntil = 0;
  #deniedUntil = 0;
  /** False while nothing may go wrong. */
  isOn = true;

  constructor(random: Random, rates: FaultRates) {
    this.#random = random;
    this.#rates = rates;
  }

  /** Begins a window in which the disk is full. */
  fillDisk(untilMs: number): void {
    this.#noSpaceUntil = untilMs;
  }

  /** Begins a window in which rights are missing. */
  denyRights(untilMs: number): void {
    this.#deniedUntil = untilMs;
  }

  /** How long a step takes (milliseconds). */
  latencyMs({ call }: Step): number {
    const isFlush = call === 'flush' || call === 'flushDirectory';
    if (!isFlush) return this.#random.next() * 0.05;
    if (this.isOn && this.#random.chance(this.#rates.slowFlush)) return this.#random.spread(100, 15_000);
    return 0.1 + this.#random.next() * 2;
  }

  /** Whether a watcher is not told of a change. */
  missesNotice(): boolean {
    return this.isOn && this.#random.chance(this.#rates.missedNotice);
  }

  /** What becomes of a step that cannot wait. */
  atOnce(step: Step, now: number): Effect | undefined {
    return this.isOn ? this.#window(step, now) : undefined;
  }

  /** What becomes of a step; `between` waits for others in the middle of a write. */
  at(step: Step, now: number, between: () => Promise<void>): Effect | 'powerCut' | undefined {
    if (!this.isOn) return undefined;
    const { call, bytes = 0 } = step;
    if (this.#random.chance(this.#rates.kill)) {
      this.counts.kills += 1;
      return this.#crash(step);
    }
    if (this.#random.chance(this.#rates.powerCut)) return 'powerCut';
    const fails = this.#window(step, now) ?? this.#error(call);
    if (fails !== undefined) return fails;
    if (call !== 'write' || bytes < 2 || !this.#random.chance(this.#rates.inPieces)) return undefined;
    return { kind: 'inPieces', written: this.#random.between(1, bytes - 1), between };
  }

  /** How a process ends at a step. */
  #crash({ call, bytes = 0 }: Step): Effect {
    if (call === 'write' && this.#random.chance(0.5)) {
      return { kind: 'crashWithin', written: this.#random.between(0, bytes) };
    }
    return { kind: this.#random.of(['crashBefore', 'crashAfter']) };
  }

  #window({ call, bytes = 0 }: Step, now: number): Effect | undefined {
    if (now < this.#noSpaceUntil && CREATING.includes(call) && this.#random.chance(0.7)) {
      return this.#fail({ kind: 'fail', code: 'ENOSPC', written: this.#random.between(0, Math.max(0, bytes - 1)) });
    }
    if (now < this.#deniedUntil && GUARDED.includes(call)) return this.#fail({ kind: 'fail', code: 'EACCES' });
    return undefined;
  }

  #error(call: Step['call']): Effect | undefined {
    if ((call === 'flush' || call === 'flushDirectory') && this.#random.chance(this.#rates.flushError)) {
      return this.#fail({ kind: 'fail', code: 'EIO', isEvicted: this.#random.chance(0.3) });
    }
    if (call === 'read' && this.#random.chance(this.#rates.readError)) return this.#fail({ kind: 'fail', code: 'EIO' });
    return undefined;
  }

  #fail(effect: Effect): Effect {
    this.counts.diskErrors += 1;
    return effect;
  }
}
