/**
 * The clock on the wall of a zone, as `Intl` shows it: the ground under the oracle. It shares no code with the engine.
 *
 * For each local date the offset is read off `Intl` twelve hours apart, and where two readings differ the change between
 * them is sought second by second by halving. No clock was ever changed and changed back within twelve hours. That the
 * stretches found so are right is itself a test: they are walked through minute by minute.
 */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timezone: string): Intl.DateTimeFormat {
  let clock = clocks.get(timezone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    clocks.set(timezone, clock);
  }
  return clock;
}

/** Local time minus UTC at an instant, read off `Intl`. */
export function offsetAt(timezone: string, at: number): number {
  const [month, day, year, hour, minute, second] = clockOf(timezone).format(at).split(/\D+/).map(Number);
  const local = Date.UTC(
    year as number,
    (month as number) - 1,
    day as number,
    hour as number,
    minute as number,
    second as number,
  );
  return local - Math.floor(at / 1000) * 1000;
}

/** Real time during which a clock keeps one offset. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
}

/** The clock of one zone. Local times are milliseconds "as if UTC". */
export interface OracleClock {
  readonly timezone: string;
  /** What the clock shows at an instant. */
  localAt(at: number): number;
  /** Every instant that shows a local time, earliest first. */
  instantsShowing(local: number): readonly number[];
  /** For a local time that is never shown: the instant at which the clock jumps over it. */
  jumpOver(local: number): number | undefined;
  /** Whether some second of the date of a local time is shown. */
  isDateShown(local: number): boolean;
}

/** The clock of a zone; what it is asked about is remembered by local date. */
export function oracleClock(timezone: string): OracleClock {
  const known = new Map<number, readonly Stretch[]>();
  const around = (local: number): readonly Stretch[] => {
    const day = Math.floor(local / DAY) * DAY;
    let stretches = known.get(day);
    if (stretches === undefined) {
      stretches = stretchesBetween(timezone, day - 1.5 * DAY, day + 2.5 * DAY);
      known.set(day, stretches);
    }
    return stretches;
  };
  return {
    timezone,
    localAt: (at) => at + offsetAt(timezone, at),
    instantsShowing: (local) => {
      const stretches = around(local);
      const only = stretches[0] as Stretch;
      if (stretches.length === 1) return [local - only.offset];
      return stretches
        .filter(({ from, to, offset }) => local - offset >= from && local - offset < to)
        .map(({ offset }) => local - offset);
    },
    jumpOver: (local) => {
      const stretches = around(local);
      const next = stretches.find(({ from, offset }, i) => {
        const before = stretches[i - 1];
        return before !== undefined && local >= from + before.offset && local < from + offset;
      });
      return next?.from;
    },
    isDateShown: (local) => {
      const day = Math.floor(local / DAY) * DAY;
      return around(local).some(({ from, to, offset }) => from + offset < day + DAY && to + offset > day);
    },
  };
}

function stretchesBetween(timezone: string, from: number, to: number): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let start = from;
  let offset = offsetAt(timezone, from);
  for (let at = from; at < to; at += 12 * HOUR) {
    const after = offsetAt(timezone, at + 12 * HOUR);
    if (after === offset) continue;
    const change = changeBetween(timezone, at, at + 12 * HOUR);
    stretches.push({ from: start, to: change, offset });
    start = change;
    offset = after;
  }
  return [...stretches, { from: start, to, offset }];
}

/** The first second after `from` at which the offset is no longer that of `from`; at `to` it is another one. */
export function changeBetween(timezone: string, from: number, to: number): number {
  const offset = offsetAt(timezone, from);
  let low = Math.floor(from / 1000);
  let high = Math.ceil(to / 1000);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(timezone, middle * 1000) === offset) low = middle;
    else high = middle;
  }
  return high * 1000;
}
