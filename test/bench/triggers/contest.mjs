/**
 * Engines beside each other over one trigger, from random instants.
 *
 * Each peer is tried before it races: one that throws, or does not answer in time, is out of that row and shown as such.
 */
import { digits } from '../measuring/report.mjs';
import { interleaved, median, perCall, ratio } from '../measuring/rounds.mjs';
import { within } from '../measuring/within.mjs';

/** A call of a peer that takes longer ends its race. */
const PATIENCE_MS = 3000;
const TRIALS = 3;
const MASK = 4095;

/** Whole milliseconds between two years, random and the same in every run. */
export function randomInstants(fromYear, toYear) {
  const [from, to] = [Date.UTC(fromYear, 0, 1), Date.UTC(toYear, 0, 1)];
  let state = 20_260_105;
  return Array.from({ length: MASK + 1 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return from + Math.floor((state / 2 ** 32) * (to - from));
  });
}

let sink = 0;

/** Throws where nothing was computed: then a compiler has thrown the work away. */
export function refuseIdleRun() {
  if (sink === 0) throw new Error('nothing was computed');
}

/**
 * A sample pays for its own young garbage, not for that of the one before it. A full collection would be unfair: it takes
 * compiled code and warm caches away, most of all from engines that are slow anyway.
 */
function swept(name, run) {
  const { sample } = perCall(name, run);
  return {
    name,
    sample: () => {
      globalThis.gc?.({ type: 'minor' });
      return sample();
    },
  };
}

/** A contender that asks for the instant behind each of `instants`, one after the other. */
function asking(name, next, instants) {
  let at = 0;
  return swept(name, (count) => {
    let sum = 0;
    for (let call = 0; call < count; call += 1) sum += next(instants[(at + call) & MASK]) ?? 0;
    at += count;
    sink += sum;
  });
}

/** A contender that asks for lists. */
export function listing(name, list, instants) {
  let at = 0;
  return swept(name, (count) => {
    for (let call = 0; call < count; call += 1) sink += list(instants[(at + call) & MASK]).length;
    at += count;
  });
}

/** What keeps an engine from racing, or `undefined`: it throws, or one of a few answers takes too long. */
function faultOf(make, instants) {
  try {
    const next = make();
    for (const instant of instants.slice(0, TRIALS)) {
      if (within(PATIENCE_MS, () => next(instant)) === undefined) return `over ${PATIENCE_MS / 1000} s`;
    }
  } catch {
    return 'throws';
  }
  return undefined;
}

/**
 * Races `{name: make}`, where `make()` gives a function from an instant to the next due one; `everdue` is among them, and no
 * fault of it is forgiven. Tells times, and factors over everdue, as numbers and as text.
 */
export async function race(engines, instants, { rounds = 9, contender = asking } = {}) {
  const faults = new Map();
  for (const [name, make] of Object.entries(engines)) {
    const fault = name === 'everdue' || name === 'bound' ? undefined : faultOf(make, instants);
    if (fault !== undefined) faults.set(name, fault);
  }
  const racing = Object.entries(engines).filter(([name]) => !faults.has(name));
  const samples = await interleaved(
    racing.map(([name, make]) => contender(name, make(), instants)),
    rounds,
  );
  const factor = (name) => (faults.has(name) ? undefined : ratio(samples, name, 'everdue'));
  return {
    time: (name) => (faults.has(name) ? undefined : median(samples.get(name))),
    factor,
    text: (name) => faults.get(name) ?? digits(factor(name)),
  };
}
