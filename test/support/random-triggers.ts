/**
 * Seeded random triggers for the differential test, each as the engine reads it and as the oracle judges it.
 */
import { cronText, type Item, isNth, type OracleTrigger, offsetAt, oracleOfCron } from './trigger-oracle.js';

const DAY = 86_400_000;

/** A repeatable source of chance. */
export interface Chance {
  /** A whole number, 0..n-1. */
  below(n: number): number;
  pick<Value>(values: readonly Value[]): Value;
  /** True once in `n` times. */
  once(n: number): boolean;
}

/** A repeatable source of chance from a seed (mulberry32). */
export function seeded(seed: number): Chance {
  let state = seed >>> 0;
  const below = (n: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * n);
  };
  return {
    below,
    pick: (values) => values[below(values.length)] as (typeof values)[number],
    once: (n) => below(n) === 0,
  };
}

/** Zones whose clocks change in every known way: by hours, halves, a day, at midnight, across the year. */
export const ZONES = [
  'America/New_York',
  'America/St_Johns',
  'America/Havana',
  'America/Asuncion',
  'America/Sao_Paulo',
  'America/Santiago',
  'America/Caracas',
  'America/Winnipeg',
  'America/Scoresbysund',
  'America/Nuuk',
  'America/Mexico_City',
  'America/Bogota',
  'Europe/London',
  'Europe/Dublin',
  'Europe/Berlin',
  'Europe/Athens',
  'Europe/Istanbul',
  'Europe/Moscow',
  'Europe/Lisbon',
  'Africa/Casablanca',
  'Africa/Cairo',
  'Africa/Monrovia',
  'Africa/Juba',
  'Asia/Beirut',
  'Asia/Amman',
  'Asia/Tehran',
  'Asia/Kathmandu',
  'Asia/Pyongyang',
  'Asia/Gaza',
  'Asia/Almaty',
  'Asia/Tokyo',
  'Asia/Kolkata',
  'Atlantic/Azores',
  'Australia/Lord_Howe',
  'Australia/Sydney',
  'Australia/Eucla',
  'Antarctica/Troll',
  'Antarctica/Casey',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Pacific/Kwajalein',
  'Pacific/Kiritimati',
  'Pacific/Fakaofo',
  'Pacific/Fiji',
  'Pacific/Norfolk',
  'UTC',
] as const;

/** Instants at which a zone's clock changes in or after a year; some instant of the year where it never does. */
export function findChanges(timezone: string, year: number, random: Chance): number[] {
  const changes: number[] = [];
  const start = Date.UTC(year, 0, 1);
  for (let at = start; at < start + 1500 * DAY && changes.length < 2; at += 3 * DAY) {
    if (offsetAt(timezone, at) === offsetAt(timezone, at + 3 * DAY)) continue;
    let low = at;
    let high = at + 3 * DAY;
    while (high - low > 1000) {
      const middle = Math.floor((low + high) / 2000) * 1000;
      if (offsetAt(timezone, middle) === offsetAt(timezone, at)) low = middle;
      else high = middle;
    }
    changes.push(high);
  }
  return changes.length > 0 ? changes : [start + random.below(365 * DAY)];
}

/** A trigger as the engine reads it and as the oracle judges it. */
export interface RandomTrigger {
  readonly wire: Record<string, unknown>;
  readonly oracle: OracleTrigger;
}

/** Hours near the wall time of a change, for triggers that are worth comparing there. */
function hourNear(random: Chance, timezone: string, change: number): number {
  const local = change + offsetAt(timezone, change);
  return (((Math.floor(local / 3_600_000) + random.below(5) - 2) % 24) + 24) % 24;
}

function fieldItems(random: Chance, min: number, max: number, value: () => number, extended: boolean): Item[] {
  const span = max - min;
  const items: Item[] = [];
  do {
    const kind = random.below(8);
    const from = value();
    const to = value();
    const step = 1 + random.below(Math.max(1, Math.floor(span / 2)));
    if (kind === 0) items.push({ is: 'any' });
    else if (kind === 1) items.push({ is: 'any', step });
    else if (kind === 2 && from <= to) items.push({ is: 'range', from, to });
    else if (kind === 3 && from <= to) items.push({ is: 'range', from, to, step });
    else if (kind === 4 && extended) items.push({ is: 'range', from: Math.max(from, to), to: Math.min(from, to) });
    else if (kind === 5 && extended) items.push({ is: 'open', from, step });
    else items.push({ is: 'value', value: from });
  } while (random.once(3));
  return items;
}

/** A random cron trigger, with a dialect, shifts and repeats at times. */
export function randomCron(random: Chance, timezone: string, change: number): RandomTrigger {
  const extended = random.once(3);
  const quartz = extended && random.once(2);
  const number = (min: number, max: number) => () => min + random.below(max - min + 1);
  const any: Item[] = [{ is: 'any' }];
  const weekdays = number(quartz ? 1 : 0, 7);
  const cron = {
    ...(random.once(4) && { second: fieldItems(random, 0, 59, number(0, 59), extended) }),
    minute: fieldItems(random, 0, 59, () => random.pick([0, 0, 15, 30, 45, 59, random.below(60)]), extended),
    hour: fieldItems(random, 0, 23, () => hourNear(random, timezone, change), extended),
    monthDay: random.once(2) ? any : monthDayItems(random, extended, change),
    month: random.once(6) ? fieldItems(random, 1, 12, number(1, 12), extended) : any,
    weekday: random.once(2) ? any : weekdayItems(random, weekdays, extended),
    both: random.once(3),
    quartz,
  };
  const shift = random.once(2);
  const everyPass = random.once(4);
  const wire = {
    kind: 'cron',
    expression: cronText(cron),
    timezone,
    ...(shift && { gap: 'shift' }),
    ...(everyPass && { repeat: 'both' }),
    ...(extended && {
      dialect: { sloppySteps: true, wrapRanges: true, lastOffset: true, ...(quartz && { weekdays: 'quartz' }) },
    }),
  };
  return { wire, oracle: oracleOfCron(cron, { shift, everyPass }) };
}

function monthDayItems(random: Chance, extended: boolean, change: number): Item[] {
  const near = () => new Date(change + (random.below(4) - 2) * DAY).getUTCDate();
  const kind = random.below(7);
  if (kind === 0) return [{ is: 'last', offset: extended ? random.below(5) : 0 }];
  if (kind === 1) return [{ is: 'lastWorkday' }];
  if (kind === 2)
    return [
      { is: 'workday', day: near() },
      { is: 'value', value: near() },
    ];
  return fieldItems(random, 1, 31, near, extended);
}

function weekdayItems(random: Chance, value: () => number, extended: boolean): Item[] {
  const kind = random.below(5);
  if (kind === 0)
    return [
      { is: 'nth', weekday: value(), nth: random.pick([1, 2, 3, 4, 5, -1]) },
      { is: 'value', value: value() },
    ];
  if (kind === 1) return [{ is: 'nth', weekday: value(), nth: random.pick([1, 2, 3, 4, -1]) }];
  const items = fieldItems(random, 0, 7, value, extended);
  // A wrapped range from or to the second number of Sunday is read as the engine documents it; the oracle has no view.
  return items.filter((item) => item.is !== 'range' || item.to >= item.from || (item.from < 7 && item.to > 0)).length >
    0
    ? items.filter((item) => item.is !== 'range' || item.to >= item.from || (item.from < 7 && item.to > 0))
    : [{ is: 'value', value: value() }];
}

/** A random calendar trigger, with periods and shifts at times. */
export function randomCalendar(random: Chance, timezone: string, change: number): RandomTrigger {
  const some = <Value>(n: number, make: () => Value): Value[] => Array.from({ length: 1 + random.below(n) }, make);
  const hours = some(3, () => hourNear(random, timezone, change));
  const minutes = some(3, () => random.pick([0, 30, 45, random.below(60)]));
  const seconds = random.once(4) ? some(2, () => random.below(60)) : [0];
  const weekdays = random.once(3) ? some(4, () => random.below(7)) : undefined;
  const monthDays = random.once(4) ? some(6, () => random.pick([1, -1]) * (1 + random.below(31))) : undefined;
  const nthWeekdays = random.once(5)
    ? some(3, () => ({ weekday: random.below(7), nth: random.pick([1, 2, 3, 4, 5, -1, -2, -5]) }))
    : undefined;
  const months = random.once(6) ? some(8, () => 1 + random.below(12)) : undefined;
  const anchorAt = new Date(change - random.below(400) * DAY);
  const every = random.once(3)
    ? { unit: random.pick(['day', 'week', 'month', 'year'] as const), n: 1 + random.below(3) }
    : undefined;
  const shift = random.once(2);
  const wire = {
    kind: 'calendar',
    timezone,
    hour: hours,
    minute: minutes,
    second: seconds,
    weekdays,
    monthDays,
    nthWeekdays,
    months,
    ...(every && { every, anchor: anchorAt.toISOString().slice(0, 10) }),
    ...(shift && { gap: 'shift' }),
  };
  const wantsDate = (year: number, month: number, day: number): boolean => {
    const date = new Date(Date.UTC(year, month - 1, day));
    const weekday = (date.getUTCDay() + 6) % 7;
    const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
    if (months && !months.includes(month)) return false;
    if (weekdays && !weekdays.includes(weekday)) return false;
    if (monthDays && !monthDays.includes(day) && !monthDays.includes(day - length - 1)) return false;
    if (nthWeekdays && !nthWeekdays.some((one) => one.weekday === weekday && isNth(year, month, day, one.nth)))
      return false;
    return every === undefined || inPeriod(date, anchorAt, every, !weekdays && !monthDays && !nthWeekdays, !months);
  };
  const wantsTime = (h: number, m: number, s: number) =>
    hours.includes(h) && minutes.includes(m) && seconds.includes(s);
  return { wire, oracle: { wantsDate, wantsTime, everyPass: false, shift } };
}

function inPeriod(
  date: Date,
  anchorAt: Date,
  every: { unit: string; n: number },
  noDay: boolean,
  noMonth: boolean,
): boolean {
  const anchor = new Date(`${anchorAt.toISOString().slice(0, 10)}T00:00:00Z`);
  if (date < anchor) return false;
  const monday = (at: Date) => at.getTime() - ((at.getUTCDay() + 6) % 7) * DAY;
  const years = date.getUTCFullYear() - anchor.getUTCFullYear();
  const sameDay = date.getUTCDate() === anchor.getUTCDate();
  const sameMonth = date.getUTCMonth() === anchor.getUTCMonth();
  switch (every.unit) {
    case 'day':
      return ((date.getTime() - anchor.getTime()) / DAY) % every.n === 0;
    case 'week': {
      const weeks = (monday(date) - monday(anchor)) / (7 * DAY);
      return weeks % every.n === 0 && (!noDay || date.getUTCDay() === anchor.getUTCDay());
    }
    case 'month':
      return (years * 12 + date.getUTCMonth() - anchor.getUTCMonth()) % every.n === 0 && (!noDay || sameDay);
    default:
      return years % every.n === 0 && (!noDay || sameDay) && (!noMonth || sameMonth);
  }
}
