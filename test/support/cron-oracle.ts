/** The oracle on cron expressions (TR-6): the text of a structure, and what the structure asks for. */
import { combine, isNth, lengthOf, type OracleTrigger, weekdayOf } from './trigger-oracle.js';

/** An item of a cron field. Numbers are those of the text; a weekday may be 7. A name stands in the text in place of its number. */
export type Item =
  | { readonly is: 'any'; readonly step?: number }
  | { readonly is: 'blank' }
  | { readonly is: 'value'; readonly value: number; readonly name?: string }
  | {
      readonly is: 'range';
      readonly from: number;
      readonly to: number;
      readonly step?: number;
      readonly names?: readonly [string, string];
    }
  | { readonly is: 'open'; readonly from: number; readonly step: number }
  | { readonly is: 'last'; readonly offset: number }
  | { readonly is: 'lastWorkday' }
  | { readonly is: 'workday'; readonly day: number }
  | {
      readonly is: 'nth';
      readonly weekday: number;
      readonly nth: number;
      readonly name?: string;
      readonly hash: boolean;
    };

/** A cron expression as a structure. */
export interface OracleCron {
  readonly second?: readonly Item[];
  readonly minute: readonly Item[];
  readonly hour: readonly Item[];
  readonly monthDay: readonly Item[];
  readonly month: readonly Item[];
  readonly weekday: readonly Item[];
  /** Only beside `second`. */
  readonly year?: readonly Item[];
  /** Both day fields must hold: by `+` in the text, or by the dialect. */
  readonly both: 'plus' | 'dialect' | undefined;
  readonly quartz: boolean;
}

/** What the nicknames stand for. */
export const NICKNAMES: Readonly<Record<string, Pick<OracleCron, 'hour' | 'monthDay' | 'month' | 'weekday'>>> = (() => {
  const any: readonly Item[] = [{ is: 'any' }];
  const only = (value: number): readonly Item[] => [{ is: 'value', value }];
  const yearly = { hour: only(0), monthDay: only(1), month: only(1), weekday: any };
  const daily = { hour: only(0), monthDay: any, month: any, weekday: any };
  return {
    '@yearly': yearly,
    '@annually': yearly,
    '@monthly': { ...yearly, month: any },
    '@weekly': { ...daily, weekday: only(0) },
    '@daily': daily,
    '@midnight': daily,
    '@hourly': { ...daily, hour: any },
  };
})();

function itemText(item: Item): string {
  const step = 'step' in item && item.step !== undefined ? `/${item.step}` : '';
  switch (item.is) {
    case 'any':
      return `*${step}`;
    case 'blank':
      return '?';
    case 'value':
      return item.name ?? String(item.value);
    case 'range':
      return `${item.names?.[0] ?? item.from}-${item.names?.[1] ?? item.to}${step}`;
    case 'open':
      return `${item.from}${step}`;
    case 'last':
      return item.offset === 0 ? 'L' : `L-${item.offset}`;
    case 'lastWorkday':
      return 'LW';
    case 'workday':
      return `${item.day}W`;
    case 'nth':
      return `${item.name ?? item.weekday}${item.hash ? '#' : ''}${item.nth < 0 ? 'L' : item.nth}`;
  }
}

/** The cron text of a structure. */
export function cronText(cron: OracleCron): string {
  const field = (items: readonly Item[]) => items.map(itemText).join(',');
  const fields = [cron.minute, cron.hour, cron.monthDay, cron.month, cron.weekday].map(field);
  if (cron.both === 'plus') fields[4] = `+${fields[4]}`;
  return [...(cron.second ? [field(cron.second)] : []), ...fields, ...(cron.year ? [field(cron.year)] : [])].join(' ');
}

/** Whether a value of a plain field is among its items; `min` and `max` bound the field. */
function among(items: readonly Item[], value: number, min: number, max: number): boolean {
  if (value < min || value > max) return false;
  return items.some((item) => {
    if (item.is === 'value') return item.value === value;
    if (item.is === 'blank') return true;
    if (item.is === 'any') return (value - min) % (item.step ?? 1) === 0;
    if (item.is === 'open') return value >= item.from && (value - item.from) % item.step === 0;
    if (item.is !== 'range') return false;
    // Walk the range as a person would, over the end of the field where it wraps.
    const size = max - min + 1;
    const length = item.to < item.from ? item.to + size - item.from : item.to - item.from;
    for (let gone = 0; gone <= length; gone += item.step ?? 1) {
      if (min + ((item.from + gone - min) % size) === value) return true;
    }
    return false;
  });
}

function wantedOf(items: readonly Item[], min: number, max: number): number[] {
  return Array.from({ length: max - min + 1 }, (_, i) => min + i).filter((value) => among(items, value, min, max));
}

function isWorkday(year: number, month: number, day: number): boolean {
  const weekday = weekdayOf(year, month, day);
  return weekday !== 0 && weekday !== 6;
}

/** The working day nearest to a day, without leaving its month; 0 where the month lacks the day. */
function nearestWorkday(year: number, month: number, day: number): number {
  const length = lengthOf(year, month);
  if (day > length) return 0;
  for (const distance of [0, 1, 2]) {
    const order = weekdayOf(year, month, day) === 6 ? [-distance, distance] : [distance, -distance];
    for (const shift of order) {
      const candidate = day + shift;
      if (candidate >= 1 && candidate <= length && isWorkday(year, month, candidate)) return candidate;
    }
  }
  return 0;
}

function wantsMonthDay(items: readonly Item[], year: number, month: number, day: number): boolean {
  const special = items.some((item) => {
    if (item.is === 'last') return day === lengthOf(year, month) - item.offset;
    if (item.is === 'lastWorkday') return day === nearestWorkday(year, month, lengthOf(year, month));
    if (item.is === 'workday') return day === nearestWorkday(year, month, item.day);
    return false;
  });
  return special || among(items, day, 1, 31);
}

function wantsWeekday(cron: OracleCron, year: number, month: number, day: number): boolean {
  const first = cron.quartz ? 1 : 0;
  const number = weekdayOf(year, month, day) + first;
  // Sunday has two numbers in plain cron.
  const numbers = !cron.quartz && number === 0 ? [0, 7] : [number];
  return cron.weekday.some((item) => {
    if (item.is === 'nth') return numbers.includes(item.weekday) && isNth(year, month, day, item.nth);
    if (item.is === 'range' && item.to < item.from) return among([item], number, first, first + 6);
    if (item.is === 'any') return among([item], number, first, first + 6);
    return numbers.some((one) => among([item], one, first, 7));
  });
}

/** What a cron structure asks for, under the decisions of TR-6. */
export function oracleOfCron(
  cron: OracleCron,
  policy: { readonly shift: boolean; readonly everyPass: boolean },
): OracleTrigger {
  const isAny = ([item, ...rest]: readonly Item[]) =>
    rest.length === 0 && (item?.is === 'blank' || (item?.is === 'any' && item.step === undefined));
  const second = cron.second ?? [{ is: 'value', value: 0 } as const];
  const wildcard = [second, cron.minute, cron.hour].some((items) => items.some((item) => item.is === 'any'));
  const either = cron.both === undefined && !isAny(cron.monthDay) && !isAny(cron.weekday);
  return {
    times: combine(wantedOf(cron.hour, 0, 23), wantedOf(cron.minute, 0, 59), wantedOf(second, 0, 59)),
    wantsDate: (year, month, day) => {
      if (!among(cron.month, month, 1, 12)) return false;
      if (cron.year !== undefined && !isAny(cron.year) && !among(cron.year, year, 1970, 2199)) return false;
      const byNumber = wantsMonthDay(cron.monthDay, year, month, day);
      const byWeekday = wantsWeekday(cron, year, month, day);
      return either ? byNumber || byWeekday : byNumber && byWeekday;
    },
    everyPass: policy.everyPass || wildcard,
    shift: policy.shift && !wildcard,
  };
}
