/**
 * A slow and obvious second opinion on due instants. It shares no code with the engine.
 *
 * Dates are judged one by one with `Date`; clocks are read off `Intl`, minute by minute of real time, and every second
 * of the range is looked at. Triggers come as structures, and their cron text is rendered from them, so that the
 * oracle has no parser that could agree with a wrong one.
 */

/** An item of a cron field. Numbers are those of the text; a weekday may be 7. */
export type Item =
  | { readonly is: 'any'; readonly step?: number }
  | { readonly is: 'value'; readonly value: number; readonly name?: string }
  | { readonly is: 'range'; readonly from: number; readonly to: number; readonly step?: number }
  | { readonly is: 'open'; readonly from: number; readonly step: number }
  | { readonly is: 'last'; readonly offset: number }
  | { readonly is: 'lastWorkday' }
  | { readonly is: 'workday'; readonly day: number }
  | { readonly is: 'nth'; readonly weekday: number; readonly nth: number };

/** A cron expression as a structure. */
export interface OracleCron {
  readonly second?: readonly Item[];
  readonly minute: readonly Item[];
  readonly hour: readonly Item[];
  readonly monthDay: readonly Item[];
  readonly month: readonly Item[];
  readonly weekday: readonly Item[];
  readonly both: boolean;
  readonly quartz: boolean;
}

/** What the oracle needs of a trigger: what it asks for, and how its clock's changes are to be taken. */
export interface OracleTrigger {
  readonly wantsTime: (hour: number, minute: number, second: number) => boolean;
  readonly wantsDate: (year: number, month: number, day: number) => boolean;
  readonly everyPass: boolean;
  readonly shift: boolean;
}

const DAY = 86_400_000;

/** The text of an item. */
function itemText(item: Item): string {
  const step = 'step' in item && item.step !== undefined ? `/${item.step}` : '';
  switch (item.is) {
    case 'any':
      return `*${step}`;
    case 'value':
      return item.name ?? String(item.value);
    case 'range':
      return `${item.from}-${item.to}${step}`;
    case 'open':
      return `${item.from}${step}`;
    case 'last':
      return item.offset === 0 ? 'L' : `L-${item.offset}`;
    case 'lastWorkday':
      return 'LW';
    case 'workday':
      return `${item.day}W`;
    case 'nth':
      return `${item.weekday}${item.nth < 0 ? 'L' : `#${item.nth}`}`;
  }
}

/** The cron text of a structure. */
export function cronText(cron: OracleCron): string {
  const field = (items: readonly Item[]) => items.map(itemText).join(',');
  const fields = [cron.minute, cron.hour, cron.monthDay, cron.month, cron.weekday].map(field);
  if (cron.both) fields[4] = `+${fields[4]}`;
  return [...(cron.second ? [field(cron.second)] : []), ...fields].join(' ');
}

/** Whether a value of a plain field is among its items; `min` and `max` bound the field. */
function among(items: readonly Item[], value: number, min: number, max: number): boolean {
  return items.some((item) => {
    if (item.is === 'value') return item.value === value;
    if (item.is === 'any') return (value - min) % (item.step ?? 1) === 0;
    if (item.is === 'open') return value >= item.from && (value - item.from) % item.step === 0;
    if (item.is !== 'range') return false;
    // Walk the range as a person would, over the end of the field where it wraps.
    let at = item.from;
    const size = max - min + 1;
    const length = (item.to - item.from + size) % size;
    for (let gone = 0; gone <= length; gone += item.step ?? 1, at += item.step ?? 1) {
      if (min + ((at - min) % size) === value) return true;
    }
    return false;
  });
}

function weekdayOf(year: number, month: number, day: number): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

function lengthOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
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

/** Whether a date is the n-th of its weekday in its month, from the last where n is negative. */
export function isNth(year: number, month: number, day: number, nth: number): boolean {
  return nth > 0 ? Math.ceil(day / 7) === nth : Math.ceil((lengthOf(year, month) - day + 1) / 7) === -nth;
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
export function oracleOfCron(cron: OracleCron, policy: { shift: boolean; everyPass: boolean }): OracleTrigger {
  const isAny = (items: readonly Item[]) => items.length === 1 && items[0]?.is === 'any' && items[0].step === undefined;
  const second = cron.second ?? [{ is: 'value', value: 0 } as const];
  const wildcard = [second, cron.minute, cron.hour].some((items) => items.some((item) => item.is === 'any'));
  const either = !cron.both && !isAny(cron.monthDay) && !isAny(cron.weekday);
  return {
    wantsTime: (h, m, s) => among(second, s, 0, 59) && among(cron.minute, m, 0, 59) && among(cron.hour, h, 0, 23),
    wantsDate: (year, month, day) => {
      if (!among(cron.month, month, 1, 12)) return false;
      const byNumber = wantsMonthDay(cron.monthDay, year, month, day);
      const byWeekday = wantsWeekday(cron, year, month, day);
      return either ? byNumber || byWeekday : byNumber && byWeekday;
    },
    everyPass: policy.everyPass || wildcard,
    shift: policy.shift && !wildcard,
  };
}

/** Local time minus UTC at an instant, read off `Intl`. */
export function offsetAt(timezone: string, at: number): number {
  const parts = clockOf(timezone).formatToParts(at);
  const number = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const local = Date.UTC(
    number('year'),
    number('month') - 1,
    number('day'),
    number('hour'),
    number('minute'),
    number('second'),
  );
  return local - Math.floor(at / 1000) * 1000;
}

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

/** What a clock shows at every second of a range, and what it never shows. */
export interface Walk {
  readonly from: number;
  /** Wall time by second since `from`, "as if UTC". */
  readonly locals: Float64Array;
  /** By second: whether its wall time was not shown before. */
  readonly isFirst: Uint8Array;
  /** Wall times that a jump ahead leaves out, on dates of which some part is shown, with the instant of the jump. */
  readonly missing: readonly { readonly at: number; readonly local: number }[];
}

/** Walks a clock second by second; both ends are whole minutes. Slow: some ten milliseconds a day. */
export function walkClock(timezone: string, from: number, to: number): Walk {
  const locals = new Float64Array((to - from) / 1000);
  let before = offsetAt(timezone, from);
  for (let at = from; at < to; at += 60_000) {
    const after = offsetAt(timezone, at + 60_000);
    for (let second = at; second < at + 60_000; second += 1000) {
      locals[(second - from) / 1000] = second + (before === after ? before : offsetAt(timezone, second));
    }
    before = after;
  }
  const isFirst = new Uint8Array(locals.length);
  const shown = new Set<number>();
  const dates = new Set<number>();
  locals.forEach((local, i) => {
    if (!shown.has(local)) isFirst[i] = 1;
    shown.add(local);
    dates.add(Math.floor(local / DAY));
  });
  const missing: { at: number; local: number }[] = [];
  for (let i = 1; i < locals.length; i += 1) {
    for (let local = (locals[i - 1] as number) + 1000; local < (locals[i] as number); local += 1000) {
      const isNew = !shown.has(local) && dates.has(Math.floor(local / DAY));
      if (isNew) missing.push({ at: from + i * 1000, local });
    }
  }
  return { from, locals, isFirst, missing };
}

/** Every due instant within a walk, ascending, but for its first two days, which only tell what was shown before. */
export function dueWithin(trigger: OracleTrigger, walk: Walk): number[] {
  const dates = new Map<number, boolean>();
  const times = new Uint8Array(86_400);
  for (let time = 0; time < 86_400; time += 1) {
    if (trigger.wantsTime(Math.floor(time / 3600), Math.floor(time / 60) % 60, time % 60)) times[time] = 1;
  }
  const wants = (local: number): boolean => {
    const date = Math.floor(local / DAY);
    if (times[(local - date * DAY) / 1000] === 0) return false;
    let wanted = dates.get(date);
    if (wanted === undefined) {
      const civil = new Date(local);
      wanted = trigger.wantsDate(civil.getUTCFullYear(), civil.getUTCMonth() + 1, civil.getUTCDate());
      dates.set(date, wanted);
    }
    return wanted;
  };
  const due = new Set<number>();
  walk.locals.forEach((local, i) => {
    if ((trigger.everyPass || walk.isFirst[i] === 1) && wants(local)) due.add(walk.from + i * 1000);
  });
  if (trigger.shift) {
    for (const { at, local } of walk.missing) if (wants(local)) due.add(at);
  }
  return [...due].filter((at) => at >= walk.from + 2 * DAY).sort((a, b) => a - b);
}
