/** A description is never wrong: triggers that are due at different instants are never told in the same words. */
import { fc, test } from '@fast-check/vitest';
import { expect, describe as group, it } from 'vitest';
import { describe } from '../../../src/core/explain/describe/describe.js';
import type { Trigger } from '../../../src/core/model/trigger.js';
import { MIN_INSTANT } from '../../../src/core/time/instant.js';
import { askDue, type DueInput } from '../../../src/core/trigger/ask.js';

/** From where due instants are compared: anywhere, and just before clocks change in America, Europe and Lord Howe. */
const FROM = [
  '2027-01-01T00:00Z',
  '2027-03-14T05:00Z',
  '2027-03-27T23:00Z',
  '2027-11-07T03:00Z',
  '2027-10-30T22:00Z',
  '2027-04-03T12:00Z',
  '2031-02-27T00:00Z',
].map((text) => Date.parse(text));

/** The next two hundred due instants from each of these. */
function dueText(given: DueInput): string {
  const { compiled } = askDue(given);
  return FROM.map((from) => compiled.list(from, 200).join()).join(';');
}

const sixty = fc.constantFrom('*', '*/15', '*/30', '0,15,30,45', '0,30', '0', '30', '*/45', '0,45', '5/20', '0-59');
const hours = fc.constantFrom(
  '*',
  '1',
  '1-3',
  '0-23',
  '*/6',
  '0,6,12,18',
  '1,*/6',
  '0,1,6,12,18',
  '9-17',
  '*/2',
  '0-22/2',
);
const cron = fc.record({
  second: fc.constantFrom('0', '0', '0', '*/30', '0,30'),
  minute: sixty,
  hour: hours,
  monthDay: fc.constantFrom('*', '*', '*', '13', 'L', '1-7', '*/2'),
  month: fc.constantFrom('*', '*', '2', '3,11'),
  weekday: fc.constantFrom('*', '*', '*', 'MON', 'MON-FRI', '+SUN', 'FRI#L', 'SUN#1,SUN#2'),
  gap: fc.constantFrom('skip', 'shift'),
  repeat: fc.constantFrom('first', 'both'),
});
type CronParts = typeof cron extends fc.Arbitrary<infer Parts> ? Parts : never;
function cronOf({ second, minute, hour, monthDay, month, weekday, ...rest }: CronParts) {
  const expression = [second, minute, hour, monthDay, month, weekday].join(' ');
  return { kind: 'cron', expression, dialect: { sloppySteps: true }, ...rest };
}

const numbers = (...lists: string[]) => fc.constantFrom(undefined, undefined, undefined, ...lists);
const rrule = fc.record({
  FREQ: fc.constantFrom('SECONDLY', 'MINUTELY', 'HOURLY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
  INTERVAL: fc.constantFrom(undefined, '2', '5', '7', '45', '48', '90', '1439', '420'),
  COUNT: numbers('3', '500'),
  BYMONTH: numbers('3,11'),
  BYMONTHDAY: numbers('1', '-1', '31'),
  BYDAY: numbers('SU', 'MO,TU,WE,TH,FR', 'SU,MO'),
  BYHOUR: numbers('1', '1,2', '0,6,12,18', '9,10,11,12,13,14,15,16,17'),
  BYMINUTE: numbers('0', '15', '0,30', '0,7,30', '3'),
  BYSECOND: numbers('0', '0,30', '15'),
  BYSETPOS: numbers('1', '-1', '1,2'),
  WKST: numbers('SU'),
  dtstart: fc.constantFrom('2027-01-01T09:00:00', '2027-01-03T01:30:00', '2027-01-31T10:15:30'),
  exdates: fc.constantFrom(undefined, undefined, ['2027-01-02T09:00:00']),
  rdates: fc.constantFrom(undefined, undefined, ['2027-03-14T02:30:00'], ['2027-01-02T09:00:00']),
});
type RuleParts = typeof rrule extends fc.Arbitrary<infer Parts> ? Parts : never;
function rruleOf({ dtstart, exdates, rdates, ...parts }: RuleParts) {
  const given = Object.entries(parts).filter(([, value]) => value !== undefined);
  const rule = given.map(([name, value]) => `${name}=${value}`).join(';');
  return { kind: 'rrule', rule, dtstart, exdates, rdates };
}

const calendar = fc.record({
  hour: fc.constantFrom<number | number[]>(
    1,
    [1, 2, 3],
    9,
    Array.from({ length: 24 }, (_, hour) => hour),
  ),
  minute: fc.constantFrom<number | number[]>(0, [0, 15, 30, 45], [0, 7]),
  weekdays: fc.constantFrom(undefined, [6], [0, 1, 2, 3, 4]),
  monthDays: fc.constantFrom(undefined, [13], [-1]),
  every: fc.constantFrom(undefined, { unit: 'week', n: 2 }, { unit: 'day', n: 7 }, { unit: 'month', n: 1 }),
  start: fc.constantFrom(undefined, '2027-03-01T00:00:00.000Z'),
  end: fc.constantFrom(undefined, '2027-02-01T00:00:00.000Z'),
});
type CalendarParts = typeof calendar extends fc.Arbitrary<infer Parts> ? Parts : never;
function calendarOf(parts: CalendarParts) {
  return { kind: 'calendar', ...parts, ...(parts.every && { anchor: '2027-01-31' }) };
}

const zone = fc.constantFrom('America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'UTC');

/** Two triggers of one zone that have all parts in common but one or two. */
function neighbours<Parts extends object>(parts: fc.Arbitrary<Parts>, triggerOf: (parts: Parts) => object) {
  const places = fc.uniqueArray(fc.nat({ max: 20 }), { minLength: 1, maxLength: 2 });
  return fc.tuple(parts, parts, places, zone).map(([one, other, changed, timezone]) => {
    const names = Object.keys(other) as (keyof Parts)[];
    const mixed = { ...one };
    for (const place of changed) {
      const name = names[place % names.length] as keyof Parts;
      mixed[name] = other[name];
    }
    return [one, mixed].map((each) => ({ ...triggerOf(each), timezone }) as unknown as Trigger);
  });
}
const pair = fc.oneof(
  { weight: 2, arbitrary: neighbours(cron, cronOf) },
  { weight: 3, arbitrary: neighbours(rrule, rruleOf) },
  neighbours(calendar, calendarOf),
);

/** Whether the grammar takes it: some parts of a rule do not go together. */
function isGood(given: DueInput): boolean {
  try {
    askDue(given);
    return true;
  } catch {
    return false;
  }
}

group('descriptions', () => {
  test.prop([pair.filter((both) => both.every(isGood))], { numRuns: 3000 })(
    '[TR-11] of triggers that are due at different instants differ',
    (both) => {
      const [one, other] = both.map((given) => describe(given));
      const [due, otherDue] = one === other ? both.map(dueText) : [];
      if (due !== otherDue) expect.fail(`${one}\n${JSON.stringify(both)}`);
    },
  );

  test.prop([pair.filter((both) => both.every(isGood))], { numRuns: 500 })(
    '[TR-11, TR-8] begin with `Never` exactly where there is no due instant',
    ([given]) => {
      const isDue = askDue(given as Trigger).compiled.next(MIN_INSTANT - 1) !== undefined;
      expect(describe(given as Trigger).startsWith('Never')).toBe(!isDue);
    },
  );

  it.each([
    ['*/15 1 * * *', '0,15,30,45 1 * * *'],
    ['*/30 1-3 * * *', '0,30 1-3 * * *'],
    ['0 1,*/6 * * *', '0 0,1,6,12,18 * * *'],
    ['*/30 * * * *', '0,30 0-23 * * *'],
    ['*/45 * * * *', '0,45 0-23 * * *'],
  ])(
    '[TR-11, TR-6] of %s and %s differ where the clock changes, and where it does not say nothing of it',
    (...texts) => {
      const [wildcard, fixed] = texts.map((text) => describe(text, { timezone: 'America/New_York' }));
      expect(wildcard).not.toBe(fixed);
      for (const text of texts) expect(describe(text, { timezone: 'UTC' })).not.toContain('repeats');
    },
  );
});
