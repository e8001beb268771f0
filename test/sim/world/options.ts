/**
 * Everything about one simulation that is drawn before it begins. Which faults there are, and how often, is drawn for each
 * seed anew (a swarm): a run with few kinds of faults gets further with each of them.
 */
import { Random } from '../random.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How often what goes wrong; 0 where it does not in this run. */
export interface FaultRates {
  /** Chances per step of a process. */
  readonly kill: number;
  readonly powerCut: number;
  readonly flushError: number;
  readonly readError: number;
  readonly slowFlush: number;
  readonly inPieces: number;
  /** Chance that a watcher is not told. */
  readonly missedNotice: number;
  /** Mean milliseconds from one to the next; 0: never. */
  readonly noSpaceEveryMs: number;
  readonly deniedEveryMs: number;
  readonly stopEveryMs: number;
  readonly clockStepEveryMs: number;
  readonly lockLossEveryMs: number;
  readonly gracefulStopEveryMs: number;
}

/** A part of the virtual week in which the machine runs, and what follows. */
export interface Phase {
  readonly awakeMs: number;
  /** How it ends: all processes stay, are asked to stop, are killed, or the power goes; then the machine is away for a while. */
  readonly ends: 'suspend' | 'stop' | 'kill' | 'powerCut';
  readonly awayMs: number;
}

/** How much of the week is simulated awake: a `short` run takes about a tenth of a second. */
export type Length = 'short' | 'long';

/** See the head of this file. */
export interface SimOptions {
  readonly seed: string;
  readonly length: Length;
  /** When it begins, by the wall clock (epoch milliseconds). */
  readonly startsAt: number;
  readonly phases: readonly Phase[];
  readonly owners: number;
  readonly clients: number;
  /** Mean pause of a client between two calls. */
  readonly callEveryMs: number;
  /** Ids that clients use. */
  readonly ids: readonly string[];
  readonly concurrency: number;
  readonly drainSeconds: number;
  readonly needsWorkspace: boolean;
  /** Chance that an owner process makes single ticks instead of running. */
  readonly tickChance: number;
  /** History kept of each schedule, and evidence (0: all). */
  readonly historyKept: number;
  readonly evidenceKept: number;
  /** True: between two phases, an older backup of the catalogue is put back. */
  readonly isRestored: boolean;
  /** True: clients make new revisions and set the clock back all the time, and accept it; what is away comes back soon. */
  readonly isRevised: boolean;
  /** Characters of ballast in each document and result, so that the journal rolls over. */
  readonly ballast: number;
  readonly rates: FaultRates;
}

/** The options of a seed. */
export function optionsOf(seed: string, length: Length): SimOptions {
  const random = new Random(`options/${seed}`);
  const locks = random.chance(0.3);
  const options = {
    seed,
    length,
    startsAt: Date.UTC(
      2026,
      random.between(0, 11),
      random.between(1, 28),
      random.between(0, 23),
      random.between(0, 59),
    ),
    phases: phasesOf(random.fork('phases'), length),
    owners: random.of([1, 2, 2, 2]),
    clients: random.between(2, 3),
    callEveryMs: Math.round(random.spread(3 * SECOND, 20 * SECOND)),
    ids: ['alpha', 'beta', 'gamma', 'delta', 'epsilon'].slice(0, random.between(2, 5)),
    concurrency: random.of([1, 1, 2, 4]),
    drainSeconds: random.of([2, 20]),
    needsWorkspace: random.chance(0.8),
    tickChance: random.of([0, 0.2, 1]),
    historyKept: random.of([3, 10, 1000]),
    evidenceKept: random.of([0, 0, 5]),
    ballast: random.of([0, 1000, 50_000]),
    rates: ratesOf(random.fork('rates'), locks),
  };
  // Evidence is what keeps a backup from running again what ran since.
  const revising = random.fork('revised');
  const isDrawn = random.chance(0.25);
  const isRevised = revising.chance(0.3);
  const isWanted = isDrawn || (isRevised && revising.chance(0.6));
  const isRestored = isWanted && options.needsWorkspace && options.evidenceKept === 0;
  const phases = isRevised ? options.phases.map((phase) => soonBack(phase, revising)) : options.phases;
  const callEveryMs = isRevised ? Math.round(options.callEveryMs / 3) : options.callEveryMs;
  // Every instant that a step ahead passes over would have to be caught up with.
  const rates = isRevised ? { ...options.rates, clockStepEveryMs: 0 } : options.rates;
  return { ...options, rates, phases, callEveryMs, isRestored, isRevised };
}

/** So soon that the last due instant is the one that ran last. */
function soonBack(phase: Phase, random: Random): Phase {
  return { ...phase, awayMs: Math.round(random.spread(100, 20 * SECOND)) };
}

/** About a week: short spans awake, long ones away. */
function phasesOf(random: Random, length: Length): readonly Phase[] {
  const phases: Phase[] = [];
  const { most, longestMs } = LENGTHS[length];
  for (let left = 7 * 24 * HOUR; left > 0 && phases.length < most; ) {
    const awakeMs = Math.round(random.spread(10 * SECOND, longestMs));
    const awayMs = Math.round(random.spread(5 * MINUTE, 48 * HOUR));
    phases.push({ awakeMs, ends: random.of(['suspend', 'stop', 'kill', 'powerCut', 'powerCut']), awayMs });
    left -= awakeMs + awayMs;
  }
  return phases;
}

const LENGTHS = { short: { most: 4, longestMs: MINUTE }, long: { most: 14, longestMs: 6 * MINUTE } } as const;

function ratesOf(random: Random, isLosingLocks: boolean): FaultRates {
  const maybe = (chance: number, least: number, most: number) =>
    random.chance(chance) ? random.spread(least, most) : 0;
  const every = (chance: number, least: number, most: number) => Math.round(maybe(chance, least, most));
  return {
    kill: maybe(0.7, 1 / 5000, 1 / 150),
    powerCut: maybe(0.5, 1 / 10_000, 1 / 500),
    // Two faults at once that no single check covers are not promised to be survived (locks lost and a flush undone).
    flushError: isLosingLocks ? 0 : maybe(0.4, 1 / 1000, 1 / 30),
    readError: maybe(0.2, 1 / 5000, 1 / 500),
    slowFlush: maybe(0.3, 1 / 500, 1 / 30),
    inPieces: maybe(0.5, 1 / 100, 1 / 3),
    missedNotice: maybe(0.3, 0.01, 1),
    noSpaceEveryMs: every(0.4, 15 * SECOND, 8 * MINUTE),
    deniedEveryMs: every(0.3, 15 * SECOND, 8 * MINUTE),
    stopEveryMs: every(0.5, 8 * SECOND, 5 * MINUTE),
    clockStepEveryMs: every(0.4, 15 * SECOND, 10 * MINUTE),
    lockLossEveryMs: isLosingLocks ? every(1, 5 * SECOND, 2 * MINUTE) : 0,
    gracefulStopEveryMs: every(0.6, 10 * SECOND, 5 * MINUTE),
  };
}
