/** Seeded random recurrence rules near a change of the clock, each as the engine reads it and as the oracle judges it. */
import { type OracleClock, offsetAt } from './oracle-clock.js';
import { type Chance, dateNear, hourNear, roundMinute, some } from './random-triggers.js';
import { DAY_NAMES, FREQUENCIES, type OracleRecurrence, type OracleRule, ruleParts } from './rrule-oracle.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** How far before the change a rule of each frequency may begin, in days. */
const REACH = { SECONDLY: 2, MINUTELY: 6, HOURLY: 40, DAILY: 300, WEEKLY: 900, MONTHLY: 3000, YEARLY: 11_000 } as const;

/** A rule as the engine reads it and as the oracle judges it. */
export interface RandomRrule {
  readonly wire: Record<string, unknown>;
  readonly recurrence: OracleRecurrence;
}

/** `YYYY-MM-DDTHH:mm:ss` of a local time. */
function localText(local: number): string {
  return new Date(local).toISOString().slice(0, 19);
}

/** A random recurrence rule with its start, and dates taken out and put in at times. */
export function randomRrule(random: Chance, clock: OracleClock, change: number): RandomRrule {
  const { timezone } = clock;
  const freq = random.pick([...FREQUENCIES, 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const);
  const local = change + offsetAt(timezone, change);
  const near = () => Math.floor(local / HOUR) * HOUR + (random.below(9) - 4) * HOUR + roundMinute(random) * 60_000;
  // Local times of a trigger lie before 2200.
  const kept = (time: number) => (time < Date.UTC(2200, 0) ? time : time - 7 * DAY);
  const dtstart = kept(
    near() - (random.below(REACH[freq] + 3) - 1) * DAY + (random.once(4) ? random.below(60) * 1000 : 0),
  );
  const rule: OracleRule = { ...randomRule(random, freq, clock, change), ...randomEnd(random, clock, change) };
  // Often just where an hour is left out or repeated.
  const close = () => Math.floor(local / HOUR) * HOUR + (random.below(16) - 8) * 15 * 60_000;
  const extra = () => some(random, 3, () => kept(random.once(2) ? close() : near() + (random.below(5) - 2) * DAY));
  const recurrence: OracleRecurrence = {
    rule,
    dtstart,
    ...(random.once(4) && {
      exdates: extra().map((one) => (random.once(2) ? kept(atTimeOf(random, one, rule, dtstart)) : one)),
    }),
    ...(random.once(8) && { rdates: extra() }),
  };
  const { exdates, rdates } = recurrence;
  const wire = {
    kind: 'rrule',
    rule: textOf(random, rule),
    dtstart: localText(dtstart),
    timezone,
    ...(exdates && { exdates: exdates.map(localText) }),
    ...(rdates && { rdates: rdates.map(localText) }),
  };
  return { wire, recurrence };
}

/** A time with minutes and seconds of the rule, and at times the hour of DTSTART, so that it has something to take out. */
function atTimeOf(random: Chance, near: number, rule: OracleRule, dtstart: number): number {
  const start = new Date(dtstart);
  const hour = Math.floor((random.once(2) ? near : Math.floor(near / DAY) * DAY + (dtstart % DAY)) / HOUR);
  const minute = random.pick(rule.byMinute ?? [start.getUTCMinutes()]);
  return hour * HOUR + minute * 60_000 + random.pick(rule.bySecond ?? [start.getUTCSeconds()]) * 1000;
}

/** The parts in any order, as the RFC allows. */
function textOf(random: Chance, rule: OracleRule): string {
  const parts = ruleParts(rule);
  if (random.once(2)) return parts.join(';');
  return parts
    .map((part) => ({ part, place: random.below(1000) }))
    .sort((a, b) => a.place - b.place)
    .map(({ part }) => part)
    .join(';');
}

function randomEnd(random: Chance, clock: OracleClock, change: number): Pick<OracleRule, 'count' | 'until'> {
  const kind = random.below(6);
  if (kind === 0) return { count: random.pick([1, 2, 5, 1 + random.below(60), 1 + random.below(2000)]) };
  if (kind > 3) return {};
  const at = Math.floor(change / 60_000) * 60_000 + (random.below(120) - 48) * HOUR + random.below(60) * 60_000;
  if (kind === 1) return { until: { is: 'utc', at } };
  const local = at + offsetAt(clock.timezone, at);
  if (kind === 2) return { until: { is: 'date', at: Math.floor(local / DAY) * DAY } };
  return { until: { is: 'local', at: local } };
}

function signed(random: Chance, max: number): number {
  return random.pick([1, -1]) * (1 + random.below(max));
}

/** The BYxxx parts that the RFC lets stand beside a frequency. */
function randomRule(random: Chance, freq: OracleRule['freq'], clock: OracleClock, change: number): OracleRule {
  const fine = FREQUENCIES.indexOf(freq);
  const hour = () => hourNear(random, clock.timezone, change);
  const dates = randomDateParts(random, freq, change);
  const rule: OracleRule = {
    freq,
    ...(random.once(2) && { interval: random.pick([1, 2, 2, 3, 4, 5, 7, 11, 15, 45, 90]) }),
    ...(random.once(4) && { wkst: random.below(7) }),
    ...dates,
    ...(random.once(3) && { byHour: some(random, 4, hour) }),
    // Every second of a day is more than a test need look at.
    ...(random.once(freq === 'SECONDLY' && !random.once(8) ? 1 : 3) && {
      byMinute: some(random, 3, () => roundMinute(random)),
    }),
    ...(random.once(fine < 2 ? 2 : 6) && { bySecond: some(random, 3, () => random.pick([0, 30, random.below(60)])) }),
  };
  const hasSet = Object.keys(rule).some((name) => name.startsWith('by'));
  return hasSet && random.once(5)
    ? { ...rule, bySetPos: some(random, 2, () => signed(random, random.pick([2, 6, 40]))) }
    : rule;
}

function randomDateParts(random: Chance, freq: OracleRule['freq'], change: number): Partial<OracleRule> {
  const month = () => (random.once(2) ? new Date(change).getUTCMonth() + 1 : 1 + random.below(12));
  const yearDay = () => {
    const at = new Date(change + (random.below(5) - 2) * DAY);
    const day = Math.floor((at.getTime() - Date.UTC(at.getUTCFullYear(), 0)) / DAY) + 1;
    return random.pick([day, day - 367, signed(random, 366)]);
  };
  const week = () =>
    Math.min(53, 1 + Math.floor((new Date(change).getUTCMonth() * 30.4 + new Date(change).getUTCDate()) / 7));
  const monthDay = () => random.pick([dateNear(random, change), signed(random, 31)]);
  const byWeekNo = freq === 'YEARLY' && random.once(3);
  const numbered = (freq === 'MONTHLY' || freq === 'YEARLY') && !byWeekNo && random.once(2);
  const nth = () => signed(random, freq === 'YEARLY' ? random.pick([5, 53]) : 5);
  const weekday = () => ({
    weekday: random.below(DAY_NAMES.length),
    ...(numbered && !random.once(4) && { nth: nth() }),
  });
  const canYearDay = freq === 'YEARLY' || FREQUENCIES.indexOf(freq) < 3;
  return {
    ...(random.once(4) && { byMonth: some(random, 3, month) }),
    ...(byWeekNo && { byWeekNo: some(random, 4, () => random.pick([week(), week(), 1, -1, 53, signed(random, 53)])) }),
    ...(canYearDay && random.once(6) && { byYearDay: some(random, 5, yearDay) }),
    ...(freq !== 'WEEKLY' && random.once(4) && { byMonthDay: some(random, 6, monthDay) }),
    ...(random.once(3) && { byDay: some(random, 4, weekday) }),
  };
}
