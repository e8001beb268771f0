/**
 * The engine against the oracle: random triggers of every kind, in every zone, within three days of the changes of its
 * clock, forwards, backwards and from anywhere between.
 *
 * - `EVERDUE_SEED=n` repeats a run; the seed stands in every title and in the output.
 * - `EVERDUE_ROUNDS=n` rounds of each kind, one change of one zone each; absent: one for each zone.
 * - `EVERDUE_MINUTES=m` goes on for so many minutes of each kind in place of rounds.
 *
 * For example an hour of hunting: `EVERDUE_MINUTES=10 npx vitest run --config test/vitest.config.ts
 * test/property/trigger-differential.test.ts`.
 */
import { describe, expect, it } from 'vitest';
import { compileTrigger } from '../../src/core/trigger/compile.js';
import { compileDue } from '../../src/core/trigger/due/compile-due.js';
import { differential, type Kind } from '../support/differential.js';
import { engineOf } from '../support/engine-under-test.js';
import { EVERY_ZONE } from '../support/every-zone.js';
import { clockOf } from '../support/random-dues.js';
import { randomRrule } from '../support/random-rrules.js';
import { type Chance, randomCalendar, randomCron, seeded } from '../support/random-triggers.js';
import { recurrencesWithin } from '../support/rrule-oracle.js';
import { wantsDay } from '../support/trigger-oracle.js';

const DAY = 86_400_000;
const seed = Number(process.env['EVERDUE_SEED'] ?? Date.now() % 1_000_000);
const rounds = Number(process.env['EVERDUE_ROUNDS'] ?? EVERY_ZONE.length);
const minutes = Number(process.env['EVERDUE_MINUTES'] ?? 0);
const timeout = 600_000 + minutes * 120_000;
const engine = engineOf({ compileTrigger, compileDue });

/** Titles with what each compares; most triggers in use are cron and calendar triggers. */
const KINDS: readonly (readonly [string, readonly Kind[]])[] = [
  ['TR-6, TR-13', ['cron', 'cron']],
  ['TR-3, TR-4, TR-13', ['calendar']],
  ['TR-14', ['rrule']],
  ['TR-1, TR-2', ['anyOf', 'interval', 'once']],
  ['DE-12', ['declaration']],
];

describe(`engine against oracle, EVERDUE_SEED=${seed}`, () => {
  it.each(KINDS)('[%s] equal due instants of %s', { timeout }, (_rules, kinds) => {
    const until = performance.now() + minutes * 60_000;
    const goOn = (round: number) => (minutes > 0 ? performance.now() < until : round < rounds);
    const report = differential(engine, { seed, zones: EVERY_ZONE, goOn, kinds });
    console.info(`${JSON.stringify(report)}, EVERDUE_SEED=${seed}`);
    expect(report.differences).toEqual([]);
    // A comparison of nothing with nothing would prove nothing.
    if (report.rounds >= 50) expect(report.instants).toBeGreaterThan(report.rounds);
  });
});

/** Offsets of seconds, of half and quarter hours, changes by half an hour, two, three and 24 hours, at midnight and back. */
const ODD: Readonly<Record<string, readonly string[]>> = {
  'Africa/Monrovia': ['1972-01-07T00:44:30Z', '1919-03-01T00:43:08Z'],
  'Africa/Cairo': ['2014-05-15T22:00:00Z', '2014-07-31T22:00:00Z', '2023-04-27T22:00:00Z'],
  'Africa/Casablanca': ['2024-03-10T02:00:00Z', '2024-04-14T02:00:00Z', '2087-05-11T02:00:00Z'],
  'America/Caracas': ['2007-12-09T07:00:00Z', '2016-05-01T07:00:00Z'],
  'America/Havana': ['2024-11-03T05:00:00Z'],
  'America/Juneau': ['1867-10-18T23:00:00Z'],
  'America/New_York': ['1883-11-18T17:00:00Z', '1974-01-06T07:00:00Z', '2024-11-03T06:00:00Z'],
  'America/Sao_Paulo': ['2018-02-18T02:00:00Z', '2018-11-04T03:00:00Z'],
  'America/Scoresbysund': ['2024-03-31T00:00:00Z', '2024-03-31T01:00:00Z'],
  'America/St_Johns': ['1988-04-03T03:31:00Z', '2006-10-29T02:31:00Z', '2010-11-07T02:31:00Z'],
  'Antarctica/Casey': ['2018-03-10T17:00:00Z', '2023-03-08T16:00:00Z'],
  'Antarctica/Troll': ['2024-03-31T01:00:00Z', '2024-10-27T01:00:00Z'],
  'Asia/Kathmandu': ['1985-12-31T18:30:00Z'],
  'Asia/Pyongyang': ['2015-08-14T15:00:00Z', '2018-05-04T15:00:00Z'],
  'Asia/Tehran': ['1977-10-20T20:30:00Z', '2022-03-21T20:30:00Z'],
  'Asia/Manila': ['1844-12-30T15:56:00Z'],
  'Australia/Eucla': ['2007-03-24T18:15:00Z'],
  'Australia/Lord_Howe': ['1981-02-28T14:00:00Z', '2024-04-06T15:00:00Z', '2024-10-05T15:30:00Z'],
  'Europe/Amsterdam': ['1937-06-30T23:00:00Z'],
  'Europe/Dublin': ['1916-05-21T02:25:21Z', '1971-10-31T02:00:00Z'],
  'Pacific/Apia': ['2011-12-30T10:00:00Z', '1892-07-05T11:26:56Z'],
  'Pacific/Chatham': ['2024-04-06T14:00:00Z', '2024-09-28T14:00:00Z'],
  'Pacific/Fakaofo': ['2011-12-30T11:00:00Z'],
  'Pacific/Kiritimati': ['1979-10-01T10:40:00Z', '1994-12-31T10:40:00Z'],
  'Pacific/Kwajalein': ['1969-09-30T13:00:00Z', '1993-08-21T12:00:00Z'],
};

describe(`odd clocks against oracle, EVERDUE_SEED=${seed}`, () => {
  it('[TR-3, TR-6, TR-13] equal due instants where offsets and changes are no whole hours', { timeout }, () => {
    const zones = Object.keys(ODD);
    const changeOf = (timezone: string, random: Chance) => Date.parse(random.pick(ODD[timezone] as readonly string[]));
    const kinds: readonly Kind[] = ['cron', 'calendar', 'rrule', 'declaration'];
    const report = differential(engine, { seed, zones, goOn: (round) => round < rounds, changeOf, kinds });
    console.info(`${JSON.stringify(report)}, EVERDUE_SEED=${seed}`);
    expect(report.differences).toEqual([]);
  });
});

describe(`whole lives against oracle, EVERDUE_SEED=${seed}`, () => {
  const random = seeded(seed + 1);
  const some = Math.min(rounds, 40);

  it('[TR-14, DE-12] equal due instants where the years end', { timeout }, () => {
    const changeOf = (_timezone: string, chance: Chance) => Date.UTC(2199, 11, 28 + chance.below(6), chance.below(24));
    const report = differential(engine, { seed, zones: EVERY_ZONE, goOn: (round) => round < rounds, changeOf });
    console.info(`${JSON.stringify(report)}, EVERDUE_SEED=${seed}`);
    expect(report.differences).toEqual([]);
  });

  it('[TR-8, TR-14] equal dates of cron and calendar triggers from 1970 to 2199', { timeout }, () => {
    for (let round = 0; round < some; round += 1) {
      const { wire, oracle } =
        round % 2 === 0
          ? randomCalendar(random, 'UTC', Date.UTC(1990, 5, 15))
          : randomCron(random, 'UTC', Date.UTC(2000, 1, 28));
      const { start: _start, end: _end, ...whole } = wire;
      const expected: number[] = [];
      for (let day = Date.UTC(1970, 0, 1); day < Date.UTC(2200, 0, 1); day += DAY) {
        if (wantsDay(oracle, day)) expected.push(day + DAY / 2);
      }
      expectSame(atNoon(whole), expected, Date.UTC(1970, 0, 1));
    }
  });

  it('[TR-14] equal instants of a recurrence from its start to 2199', { timeout }, () => {
    const left = { YEARLY: some, MONTHLY: some / 2, WEEKLY: some / 4, DAILY: some / 4 };
    while (Object.values(left).some((rounds) => rounds > 0)) {
      const { wire, recurrence } = randomRrule(random, clockOf('UTC'), Date.UTC(1970 + random.below(230), 1, 28));
      const freq = recurrence.rule.freq as keyof typeof left;
      if (!(left[freq] > 0)) continue;
      expectSame(wire, recurrencesWithin(recurrence, clockOf('UTC'), Date.UTC(1800, 0), Date.UTC(2201, 0)));
      left[freq] -= 1;
    }
  });
});

/** The same trigger with its dates alone: due at noon. */
function atNoon(wire: Record<string, unknown>): Record<string, unknown> {
  const { expression } = wire;
  if (typeof expression === 'string' && !expression.startsWith('@')) {
    const fields = expression.split(' ');
    const hasSecond = fields.length > 5;
    const dates = fields.slice(hasSecond ? 3 : 2);
    return { ...wire, expression: [...(hasSecond ? ['0'] : []), '0', '12', ...dates].join(' ') };
  }
  if (typeof expression === 'string') return { ...wire, expression: `0 12 ${NICKNAME_DATES[expression] ?? '* * *'}` };
  const { times: _times, hour: _hour, minute: _minute, second: _second, ...dates } = wire;
  return { ...dates, hour: 12 };
}

const NICKNAME_DATES: Readonly<Record<string, string>> = {
  '@yearly': '1 1 *',
  '@annually': '1 1 *',
  '@monthly': '1 * *',
  '@weekly': '* * SUN',
};

/** That a trigger has these due instants and, from a time on, no other. */
function expectSame(wire: unknown, expected: readonly number[], from = Number.NEGATIVE_INFINITY): void {
  const trigger = engine.compile(wire);
  const about = JSON.stringify(wire);
  expect(sameNumbers(trigger.list(from - 1, expected.length + 1), expected), about).toBe(true);
  const backward: number[] = [];
  for (let at = trigger.previous(8e12); at !== undefined && at >= from; at = trigger.previous(at)) backward.push(at);
  expect(sameNumbers(backward.reverse(), expected), `${about} backwards`).toBe(true);
}

function sameNumbers(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((value, i) => value === other[i]);
}
