/**
 * Seeded random cron and calendar triggers, each as the engine reads it and as the oracle judges it. They want times near
 * a given instant, most often that of a change of the clock.
 */
import { type OracleCalendar, oracleOfCalendar } from './calendar-oracle.js';
import { cronText, type Item, NICKNAMES, type OracleCron, oracleOfCron } from './cron-oracle.js';
import { changeBetween, offsetAt } from './oracle-clock.js';
import type { OracleTrigger } from './trigger-oracle.js';

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
  let offset = offsetAt(timezone, start);
  for (let at = start; at < start + 1500 * DAY && changes.length < 2; at += 3 * DAY) {
    const later = offsetAt(timezone, at + 3 * DAY);
    if (later !== offset) changes.push(changeBetween(timezone, at, at + 3 * DAY));
    offset = later;
  }
  return changes.length > 0 ? changes : [start + random.below(365 * DAY)];
}

/** A trigger as the engine reads it and as the oracle judges it. */
export interface RandomTrigger {
  readonly wire: Record<string, unknown>;
  readonly oracle: OracleTrigger;
}

/** Hours near the wall time of a change, for triggers that are worth comparing there. */
export function hourNear(random: Chance, timezone: string, change: number): number {
  const local = change + offsetAt(timezone, change);
  return (((Math.floor(local / 3_600_000) + random.below(5) - 2) % 24) + 24) % 24;
}

/** Days of the month near a change. */
export function dateNear(random: Chance, change: number): number {
  return new Date(change + (random.below(5) - 2) * DAY).getUTCDate();
}

/** One to `n` of something. */
export function some<Value>(random: Chance, n: number, make: () => Value): Value[] {
  return Array.from({ length: 1 + random.below(n) }, make);
}

/** A minute, the round ones more often. */
export function roundMinute(random: Chance): number {
  return random.pick([0, 0, 15, 30, 45, 59, random.below(60)]);
}

const WEEKDAY_NAMES = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const MONTH_NAMES = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** What a random field may hold beyond plain items. */
interface FieldStyle {
  readonly sloppySteps: boolean;
  readonly wrapRanges: boolean;
  /** Text of a number, where the field has names. */
  readonly nameOf?: (value: number) => string | undefined;
}

function fieldItems(random: Chance, bounds: readonly [number, number], value: () => number, style: FieldStyle): Item[] {
  const [min, max] = bounds;
  const { sloppySteps, wrapRanges, nameOf = () => undefined } = style;
  const items: Item[] = [];
  do {
    const kind = random.below(9);
    const [from, to] = [value(), value()];
    const step = 1 + random.below(random.once(3) ? max : Math.max(1, Math.floor((max - min) / 2)));
    if (kind === 0) items.push({ is: 'any' });
    else if (kind === 1) items.push({ is: 'any', step });
    else if (kind === 2 && from <= to) items.push({ is: 'range', from, to });
    else if (kind === 3 && from <= to) items.push({ is: 'range', from, to, step });
    else if (kind === 4 && wrapRanges) items.push({ is: 'range', from, to, ...(random.once(2) && { step }) });
    else if (kind === 5 && sloppySteps) items.push({ is: 'open', from, step });
    else if (kind === 6 && from < to && nameOf(from) && nameOf(to)) {
      items.push({ is: 'range', from, to, names: [nameOf(from) as string, nameOf(to) as string] });
    } else if (kind === 7 && nameOf(from)) items.push({ is: 'value', value: from, name: nameOf(from) as string });
    else items.push({ is: 'value', value: from });
  } while (random.once(3));
  return items;
}

/** Three letters, in any case. */
function inSomeCase(random: Chance, name: string | undefined): string | undefined {
  return random.once(3) ? name?.toLowerCase() : name;
}

function randomDialect(random: Chance) {
  const extended = random.once(3);
  const flag = () => extended && !random.once(3);
  return { sloppySteps: flag(), wrapRanges: flag(), lastOffset: flag(), quartz: flag() && random.once(2) };
}

/** A random cron trigger, with dialects, shifts, repeats and bounds at times. */
export function randomCron(random: Chance, timezone: string, change: number): RandomTrigger {
  const dialect = randomDialect(random);
  const nickname = random.once(20) ? random.pick(Object.keys(NICKNAMES)) : undefined;
  const cron =
    nickname === undefined ? randomFields(random, dialect, timezone, change) : { ...PLAIN, ...NICKNAMES[nickname] };
  const { quartz, ...switches } = dialect;
  const flags = {
    ...Object.fromEntries(Object.entries(switches).filter(([, on]) => on)),
    ...(quartz && { weekdays: 'quartz' }),
    ...(cron.both === 'dialect' && { dayFields: 'and' }),
    ...(cron.second === undefined && nickname === undefined && random.once(6) && { fields: 5 }),
  };
  const [shift, everyPass] = [random.once(2), random.once(4)];
  const bounds = randomBounds(random, change);
  const wire = {
    kind: 'cron',
    expression: nickname ?? cronText(cron),
    timezone,
    ...(shift && { gap: 'shift' }),
    ...(everyPass && { repeat: 'both' }),
    ...(Object.keys(flags).length > 0 && { dialect: flags }),
    ...boundTexts(bounds),
  };
  return { wire, oracle: { ...oracleOfCron(cron, { shift, everyPass }), ...bounds } };
}

const PLAIN: OracleCron = {
  minute: [{ is: 'value', value: 0 }],
  hour: [{ is: 'any' }],
  monthDay: [{ is: 'any' }],
  month: [{ is: 'any' }],
  weekday: [{ is: 'any' }],
  both: undefined,
  quartz: false,
};

function randomFields(
  random: Chance,
  style: ReturnType<typeof randomDialect>,
  timezone: string,
  change: number,
): OracleCron {
  const between = (min: number, max: number) => () => min + random.below(max - min + 1);
  const any = (): Item[] => [random.once(5) ? { is: 'blank' } : { is: 'any' }];
  const hasSecond = random.once(5);
  const year = new Date(change).getUTCFullYear();
  const years = () => Math.min(2199, Math.max(1970, year + random.below(5) - 2));
  const monthNames = { ...style, nameOf: (value: number) => inSomeCase(random, MONTH_NAMES[value - 1]) };
  const month = () => (random.once(2) ? new Date(change).getUTCMonth() + 1 : between(1, 12)());
  return {
    ...(hasSecond && { second: fieldItems(random, [0, 59], between(0, 59), style) }),
    minute: fieldItems(random, [0, 59], () => roundMinute(random), style),
    hour: fieldItems(random, [0, 23], () => hourNear(random, timezone, change), style),
    monthDay: random.once(2) ? any() : monthDayItems(random, style, change),
    month: random.once(5) ? fieldItems(random, [1, 12], month, monthNames) : [{ is: 'any' }],
    weekday: random.once(2) ? any() : weekdayItems(random, style),
    ...(hasSecond &&
      random.once(3) && { year: fieldItems(random, [1970, 2199], years, { ...style, wrapRanges: false }) }),
    both: random.pick([undefined, undefined, 'plus', 'dialect']),
    quartz: style.quartz,
  };
}

function monthDayItems(random: Chance, style: ReturnType<typeof randomDialect>, change: number): Item[] {
  const near = () => dateNear(random, change);
  const kind = random.below(7);
  const others = (): Item[] => (random.once(2) ? [{ is: 'value', value: near() }] : []);
  if (kind === 0) return [{ is: 'last', offset: style.lastOffset ? random.pick([0, 1, 3, 28, 30]) : 0 }, ...others()];
  if (kind === 1) return [{ is: 'lastWorkday' }, ...others()];
  if (kind === 2) return [{ is: 'workday', day: near() }, ...others()];
  return fieldItems(random, [1, 31], near, style);
}

function weekdayItems(random: Chance, style: ReturnType<typeof randomDialect>): Item[] {
  const first = style.quartz ? 1 : 0;
  const value = () => first + random.below(8 - first);
  const nameOf = (number: number) => inSomeCase(random, WEEKDAY_NAMES[(number - first) % 7]);
  if (random.once(3)) {
    const weekday = value();
    const name = random.once(3) ? nameOf(weekday) : undefined;
    const nth = random.pick([1, 2, 3, 4, 5, -1]);
    const item: Item = { is: 'nth', weekday, nth, hash: nth > 0 || random.once(2), ...(name && { name }) };
    return random.once(3) ? [item, { is: 'value', value: value() }] : [item];
  }
  // A range of names that ends in SUN ends after Saturday: of the numbers 7 and, as Quartz counts, 8.
  if (random.once(5)) {
    const from = first + random.below(7);
    return [{ is: 'range', from, to: first + 7, names: [nameOf(from) as string, inSomeCase(random, 'SUN') as string] }];
  }
  // A value's 7 and its name are the same day, but a range ends at the number that stands there.
  const names = { ...style, nameOf: (number: number) => (number === 7 && first === 0 ? undefined : nameOf(number)) };
  return fieldItems(random, [first, 7], value, names);
}

/** The earliest and the latest due instant, at times, near a change. */
function randomBounds(random: Chance, change: number) {
  const near = (side: number) => change + side * random.below(3 * DAY) + random.pick([0, 0, 1, 500]);
  return { ...(random.once(12) && { start: near(-1) }), ...(random.once(12) && { end: near(1) }) };
}

function boundTexts({ start, end }: { readonly start?: number; readonly end?: number }) {
  return {
    ...(start !== undefined && { start: new Date(start).toISOString() }),
    ...(end !== undefined && { end: new Date(end).toISOString() }),
  };
}

/** A random calendar trigger, with periods, shifts and bounds at times. */
export function randomCalendar(random: Chance, timezone: string, change: number): RandomTrigger {
  const calendar: OracleCalendar = { ...randomTimes(random, timezone, change), ...randomDates(random, change) };
  const shift = random.once(2);
  const bounds = randomBounds(random, change);
  const wire = { kind: 'calendar', timezone, ...calendar, ...(shift && { gap: 'shift' }), ...boundTexts(bounds) };
  return { wire, oracle: { ...oracleOfCalendar(calendar, shift), ...bounds } };
}

/** One number by itself, or several in a list. */
function oneOrList(random: Chance, values: readonly number[]): number | readonly number[] {
  return values.length === 1 && random.once(2) ? (values[0] as number) : values;
}

function randomTimes(random: Chance, timezone: string, change: number): OracleCalendar {
  const hour = () => hourNear(random, timezone, change);
  if (random.once(4)) {
    const two = (value: number) => String(value).padStart(2, '0');
    const second = () => (random.once(3) ? `:${two(random.below(60))}` : '');
    return { times: some(random, 4, () => `${two(hour())}:${two(roundMinute(random))}${second()}`) };
  }
  return {
    hour: oneOrList(random, some(random, 3, hour)),
    ...(random.below(4) > 0 && {
      minute: oneOrList(
        random,
        some(random, 3, () => roundMinute(random)),
      ),
    }),
    ...(random.once(4) && {
      second: oneOrList(
        random,
        some(random, 2, () => random.below(60)),
      ),
    }),
  };
}

function randomDates(random: Chance, change: number): OracleCalendar {
  const year = new Date(change).getUTCFullYear();
  const day = () => random.pick([dateNear(random, change), 1 + random.below(31), -1 - random.below(31)]);
  const nth = () => ({ weekday: random.below(7), nth: random.pick([1, 2, 3, 4, 5, -1, -2, -5]) });
  const month = () => (random.once(3) ? 1 + random.below(12) : new Date(change).getUTCMonth() + 1);
  const anchorAt = change + (3 - random.below(random.once(4) ? 4000 : 400)) * DAY;
  const anchor = new Date(Math.min(anchorAt, Date.UTC(2199, 11, 31))).toISOString().slice(0, 10);
  const unit = random.pick(['day', 'week', 'month', 'year'] as const);
  return {
    ...(random.once(4) && { weekdays: some(random, 6, () => random.below(7)) }),
    ...(random.once(4) && { monthDays: some(random, 6, day) }),
    ...(random.once(6) && { nthWeekdays: some(random, 5, nth) }),
    ...(random.once(6) && { months: some(random, 4, month) }),
    ...(random.once(8) && {
      years: some(random, 3, () => Math.min(2199, Math.max(1970, year + random.below(4) - 1))),
    }),
    ...(random.once(3) && { every: { unit, n: random.pick([1, 2, 3, 1 + random.below(40)]) }, anchor }),
  };
}
