/**
 * The engine against the oracle: random triggers around the changes of every zone's clock, in both directions and from
 * many places. It needs no test runner, so that it can be bundled and run on any Node, as `test/package/oracle-run.ts` is.
 */
import {
  type JudgedDeclaration,
  type JudgedTrigger,
  type KINDS,
  randomDeclaration,
  randomTrigger,
} from './random-dues.js';
import { type Chance, findChanges, seeded } from './random-triggers.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** What is asked of a compiled trigger. */
export interface Due {
  next(after: number): number | undefined;
  previous(before: number): number | undefined;
  list(after: number, count: number): readonly number[];
  count(after: number, through: number, limit: number): number;
}

/** The engine under test; each throws where it refuses. */
export interface Engine {
  readonly compile: (trigger: unknown) => Due;
  readonly compileDue: (
    parts: JudgedDeclaration['parts'],
    calendars: JudgedDeclaration['calendars'],
  ) => Due & { readonly offsetMs?: number };
}

/** What is compared, and for how long. */
export interface Plan {
  readonly seed: number;
  readonly zones: readonly string[];
  /** The change of a zone's clock to look at; absent: one of those in a random year. */
  readonly changeOf?: (timezone: string, random: Chance) => number;
  /** Asked before each round: whether to go on. */
  readonly goOn: (round: number) => boolean;
  /** Kinds of triggers; `declaration` is a trigger with excluded days and a spread. */
  readonly kinds?: readonly Kind[];
  /** Told of each case that was compared. */
  readonly onCase?: (timezone: string, change: number, wire: unknown, due: readonly number[]) => void;
}

/** A kind of case. */
export type Kind = (typeof KINDS)[number] | 'declaration';

/** What was compared, and what differed. */
export interface Report {
  readonly rounds: number;
  readonly cases: Readonly<Record<string, number>>;
  readonly instants: number;
  readonly differences: readonly string[];
}

/** What a round compares: the kinds that can go wrong in most ways come most often. */
const ROUND: readonly Kind[] = ['cron', 'cron', 'calendar', 'rrule', 'rrule', 'anyOf', 'declaration'];

/** Runs rounds, each around one change of one zone's clock, until the plan says stop or twenty cases have differed. */
export function differential(engine: Engine, plan: Plan): Report {
  const { seed, zones, goOn, changeOf = someChange, kinds = ROUND, onCase } = plan;
  const cases: Record<string, number> = {};
  const differences: string[] = [];
  let instants = 0;
  let round = 0;
  for (; goOn(round) && differences.length < 20; round += 1) {
    const random = seeded(seed * 1_000_003 + round);
    const timezone = zones[(seed + round) % zones.length] as string;
    const change = changeOf(timezone, random);
    for (const kind of kinds) {
      const compared = kind === 'declaration' ? compareDeclaration : compareTrigger;
      const { wire, due, difference } = compared(engine, random, kind, timezone, change);
      cases[kind] = (cases[kind] ?? 0) + 1;
      instants += due.length;
      if (difference !== undefined)
        differences.push(`round ${round}, ${timezone}: ${JSON.stringify(wire)}: ${difference}`);
      onCase?.(timezone, change, wire, due);
    }
  }
  return { rounds: round, cases, instants, differences };
}

/** Most often in a year from 1970 to 2045. */
function someChange(timezone: string, random: Chance): number {
  const kind = random.below(10);
  const late = kind === 1 ? 2045 + random.below(55) : 1970 + random.below(75);
  return random.pick(findChanges(timezone, kind === 0 ? 1850 + random.below(120) : late, random));
}

interface Compared {
  readonly wire: unknown;
  readonly due: readonly number[];
  readonly difference: string | undefined;
}

function compareTrigger(engine: Engine, random: Chance, kind: Kind, timezone: string, change: number): Compared {
  const { wire, due } = randomTrigger(random, kind as (typeof KINDS)[number], timezone, change);
  const [from, to] = rangeAround(due, change);
  const expected = due(from, to);
  return {
    wire,
    due: expected,
    difference: told(() => differenceOf(engine.compile(wire), expected, from, to, random)),
  };
}

function compareDeclaration(engine: Engine, random: Chance, _kind: Kind, timezone: string, change: number): Compared {
  const { parts, calendars, unspread } = randomDeclaration(random, timezone, change);
  const [from, to] = rangeAround(unspread, change);
  let expected: readonly number[] = [];
  const difference = told(() => {
    const compiled = engine.compileDue(parts, calendars);
    const { offsetMs = 0 } = compiled;
    const widest = (parts.spreadSeconds ?? 0) * 1000;
    if (!Number.isInteger(offsetMs) || offsetMs < 0 || offsetMs > widest) return `is spread by ${offsetMs} ms`;
    expected = unspread(from - offsetMs, to - offsetMs).map((at) => at + offsetMs);
    return differenceOf(compiled, expected, from, to, random);
  });
  return { wire: { ...parts, calendars }, due: expected, difference };
}

/** Within three days of a change; within three hours where there would be too much to compare. */
function rangeAround(due: JudgedTrigger['due'], change: number): readonly [number, number] {
  const middle = Math.floor(change / 60_000) * 60_000;
  const isDense = [-3 * DAY, -3 * HOUR, 3 * DAY].some(
    (aside) => due(middle + aside, middle + aside + 6 * HOUR).length > 300,
  );
  const reach = isDense ? 3 * HOUR : 3 * DAY;
  return [middle - reach, middle + reach];
}

function told(compare: () => string | undefined): string | undefined {
  try {
    return compare();
  } catch (error) {
    return `throws ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** How a compiled trigger differs from all due instants in `[from, to)`. */
function differenceOf(trigger: Due, expected: readonly number[], from: number, to: number, random: Chance) {
  const forward = trigger.list(from - 1, expected.length);
  const list = listDifference('list', forward, expected);
  if (list !== undefined) return list;
  const last = expected.at(-1) ?? from - 1;
  const after = trigger.next(last);
  if (after !== undefined && after < to) return `next after ${iso(last)} is ${iso(after)}, too much`;
  const backward: number[] = [];
  for (let at = trigger.previous(to); at !== undefined && at >= from; at = trigger.previous(at)) {
    backward.push(at);
    if (backward.length > expected.length) break;
  }
  return (
    listDifference('previous', backward.reverse(), expected) ?? differenceInside(trigger, expected, from, to, random)
  );
}

/** How answers from the middle differ: from anywhere, and from just around a due instant. */
function differenceInside(trigger: Due, expected: readonly number[], from: number, to: number, random: Chance) {
  const due = expected.length > 0 ? random.pick(expected) : from;
  const places = [0, 0, 0, 0].map(() => from + random.below(to - from));
  for (const at of [...places, due, due - 1, due + 1, due - 0.5, due + 0.5]) {
    if (at < from - 1 || at >= to) continue;
    const next = expected.find((one) => one > at);
    if (next !== undefined && trigger.next(at) !== next) {
      return `next after ${at} is ${iso(trigger.next(at))}, not ${iso(next)}`;
    }
    const previous = expected.findLast((one) => one < at);
    if (previous !== undefined && trigger.previous(at) !== previous) {
      return `previous before ${at} is ${iso(trigger.previous(at))}, not ${iso(previous)}`;
    }
    const counted = expected.filter((one) => one > at).length;
    if (trigger.count(at, to - 1, 1_000_000) !== counted) {
      return `count in (${at}, ${to}) is ${trigger.count(at, to - 1, 1_000_000)}, not ${counted}`;
    }
  }
  return undefined;
}

function listDifference(how: string, found: readonly number[], expected: readonly number[]): string | undefined {
  const at = expected.findIndex((one, i) => found[i] !== one);
  if (at >= 0) return `${how}[${at}] of ${expected.length} is ${iso(found[at])}, not ${iso(expected[at])}`;
  return found.length > expected.length ? `${how} has ${iso(found[expected.length])} too much` : undefined;
}

function iso(at: number | undefined): string {
  return at === undefined ? 'none' : new Date(at).toISOString();
}
