/**
 * Random triggers of every kind with the due instants that the oracle gives them, and with what a declaration puts
 * around them: unions, excluded days and a spread (DE-12). The oracle of these is a union, a filter and a shift.
 */
import { type OracleClock, oracleClock } from './oracle-clock.js';
import { randomRrule } from './random-rrules.js';
import { type Chance, randomCalendar, randomCron, some } from './random-triggers.js';
import { recurrencesWithin } from './rrule-oracle.js';
import { dueWithin } from './trigger-oracle.js';

const DAY = 86_400_000;

/** A trigger on the wire, and every due instant of it in `[from, to)`, ascending, as the oracle has it. */
export interface JudgedTrigger {
  readonly wire: Readonly<Record<string, unknown>>;
  readonly due: (from: number, to: number) => readonly number[];
}

/** What `exclude` takes out, as on the wire. */
export interface RandomExclusion {
  readonly dates?: readonly string[];
  readonly weekdays?: readonly number[];
  readonly calendar?: string;
  readonly timezone?: string;
}

/** The parts of a declaration that decide when it is due, and the oracle's view of them. */
export interface JudgedDeclaration {
  readonly parts: {
    readonly id: string;
    readonly trigger: JudgedTrigger['wire'];
    readonly exclude?: RandomExclusion;
    readonly spreadSeconds?: number;
  };
  /** Days of the calendars of the catalogue, by name. */
  readonly calendars: Readonly<Record<string, readonly string[]>>;
  /** Due instants in `[from, to)` before the spread moves them. */
  readonly unspread: (from: number, to: number) => readonly number[];
}

/** The clocks that were asked for, one a zone. */
const clocks = new Map<string, OracleClock>();

/** The clock of a zone. */
export function clockOf(timezone: string): OracleClock {
  const known = clocks.get(timezone) ?? oracleClock(timezone);
  clocks.set(timezone, known);
  return known;
}

/** The kinds that {@link randomTrigger} makes. */
export const KINDS = ['cron', 'calendar', 'rrule', 'anyOf', 'interval', 'once'] as const;

/** A random trigger of a kind, near an instant. */
export function randomTrigger(
  random: Chance,
  kind: (typeof KINDS)[number],
  timezone: string,
  change: number,
): JudgedTrigger {
  const clock = clockOf(timezone);
  switch (kind) {
    case 'cron':
    case 'calendar': {
      const { wire, oracle } = (kind === 'cron' ? randomCron : randomCalendar)(random, timezone, change);
      return { wire, due: (from, to) => dueWithin(oracle, clock, from, to) };
    }
    case 'rrule': {
      const { wire, recurrence } = randomRrule(random, clock, change);
      return { wire, due: (from, to) => recurrencesWithin(recurrence, clock, from, to) };
    }
    case 'anyOf':
      return randomUnion(random, timezone, change, 1);
    case 'interval':
      return randomInterval(random, change);
    case 'once': {
      const at = change + random.below(DAY) - DAY / 2;
      const wire = { kind: 'once', at: new Date(at).toISOString() };
      return { wire, due: (from, to) => [at].filter((one) => one >= from && one < to) };
    }
  }
}

function randomInterval(random: Chance, change: number): JudgedTrigger {
  const every = 1 + random.below(random.pick([3_600_000, 3 * DAY])) + 60_000;
  const start = change + random.below(2 * DAY) - random.pick([0, 2 * DAY, 4000 * DAY]);
  const end = random.once(4) ? change + random.below(2 * DAY) : Number.POSITIVE_INFINITY;
  const iso = (at: number) => new Date(at).toISOString();
  const wire = {
    kind: 'interval',
    start: iso(start),
    everySeconds: every / 1000,
    ...(end < Number.POSITIVE_INFINITY && { end: iso(end) }),
  };
  const due = (from: number, to: number) => {
    const found: number[] = [];
    for (let k = Math.max(0, Math.floor((from - start) / every) - 1); start + k * every < to; k += 1) {
      const at = start + k * every;
      if (at >= from && at <= end) found.push(at);
    }
    return found;
  };
  return { wire, due };
}

function randomUnion(random: Chance, timezone: string, change: number, depth: number): JudgedTrigger {
  const of = some(random, 4, () => {
    if (depth < 2 && random.once(6)) return randomUnion(random, timezone, change, depth + 1);
    const zone = random.once(3) ? random.pick(['UTC', 'America/New_York', 'Australia/Lord_Howe']) : timezone;
    return randomTrigger(random, random.pick(KINDS.filter((kind) => kind !== 'anyOf')), zone, change);
  });
  return {
    wire: { kind: 'anyOf', of: of.map(({ wire }) => wire) },
    due: (from, to) => [...new Set(of.flatMap(({ due }) => due(from, to)))].sort((a, b) => a - b),
  };
}

/** A random declaration: a trigger with excluded days, a spread, or both. */
export function randomDeclaration(random: Chance, timezone: string, change: number): JudgedDeclaration {
  const { wire, due } = randomTrigger(random, random.pick(KINDS), timezone, change);
  const ownZone = typeof wire['timezone'] === 'string';
  const zone = ownZone || random.once(2) ? timezone : 'Asia/Tokyo';
  const last = Date.UTC(2199, 11, 31);
  const date = (aside: number) => new Date(Math.min(change + aside * DAY, last)).toISOString().slice(0, 10);
  const day = () => random.below(7) - 3;
  const days = () =>
    some(random, 3, () => {
      const from = day();
      return random.once(3) ? `${date(from)}/${date(from + random.below(3))}` : date(from);
    });
  const calendars: Record<string, string[]> = random.once(4) ? { holidays: days().sort() } : {};
  const exclude: RandomExclusion = {
    ...(random.once(2) && { dates: days() }),
    ...(random.once(2) && { weekdays: some(random, 2, () => random.below(7)) }),
    ...(calendars['holidays'] && { calendar: 'holidays' }),
  };
  const isSet = Object.keys(exclude).length > 0;
  const out = isOut(exclude, calendars, clockOf(zone));
  return {
    parts: {
      id: `schedule-${random.below(1_000_000)}`,
      trigger: wire,
      ...(isSet && { exclude: ownZone ? exclude : { ...exclude, timezone: zone } }),
      ...(random.once(2) && { spreadSeconds: random.pick([1, 60, 900, 3600, 7200]) }),
    },
    calendars,
    unspread: (from, to) => due(from, to).filter((at) => !out(at)),
  };
}

/** A trigger that leaves days out ends with 2199. */
function isOut(exclude: RandomExclusion, calendars: Readonly<Record<string, readonly string[]>>, clock: OracleClock) {
  const ranges = [
    ...(exclude.dates ?? []),
    ...(exclude.calendar === undefined ? [] : (calendars[exclude.calendar] ?? [])),
  ];
  const isSet = Object.keys(exclude).length > 0;
  return (at: number): boolean => {
    const local = new Date(clock.localAt(at));
    const date = local.toISOString().slice(0, 10);
    if (isSet && date > '2199-12-31') return true;
    if (exclude.weekdays?.includes((local.getUTCDay() + 6) % 7)) return true;
    return ranges.some((range) => {
      const [first = '', last = first] = range.split('/');
      return date >= first && date <= last;
    });
  };
}
