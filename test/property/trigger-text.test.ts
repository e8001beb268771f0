/**
 * Token completeness: every character of a cron expression and of a recurrence rule is read or refused (TR-7).
 *
 * Good texts are damaged at random. What is still taken must match a grammar that is written here once more, as one regular
 * expression, and must come out of its normal form unchanged; what is refused must say where and what is allowed.
 */
import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import type { Issue } from '../../src/core/model/issue.js';
import { compileTrigger } from '../../src/core/trigger/compile.js';
import { clockOf } from '../support/random-dues.js';
import { randomRrule } from '../support/random-rrules.js';
import { randomCron, seeded } from '../support/random-triggers.js';

const RUNS = { numRuns: 2000 };
const FROM = Date.UTC(2024, 2, 30, 12);

const MONTH = '(?:\\d+|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)';
const WEEKDAY = '(?:\\d+|SUN|MON|TUE|WED|THU|FRI|SAT)';
/** A field of plain items; with sloppy steps a single value may have a step too. */
const plain = (value: string, sloppy: boolean, special = '') => {
  const step = '(?:/\\d+)?';
  const item = `(?:\\*${step}|${value}-${value}${step}|${value}${sloppy ? step : ''}${special})`;
  return `${item}(?:,${item})*`;
};
const NICKNAMES = '@(?:yearly|annually|monthly|weekly|daily|midnight|hourly)';

interface Dialect {
  readonly sloppySteps?: boolean;
  readonly lastOffset?: boolean;
}

/** The grammar of TR-6 as a whole: numbers may still be out of range. */
function cronGrammar({ sloppySteps = false, lastOffset = false }: Dialect): RegExp {
  const number = plain('\\d+', sloppySteps);
  const monthDay = plain('\\d+', sloppySteps, `|\\d+W|LW|L${lastOffset ? '(?:-\\d+)?' : ''}`);
  const weekday = plain(WEEKDAY, sloppySteps, `|${WEEKDAY}(?:#[1-5L]|L)`);
  const blank = '[ \\t]+';
  const five = [number, number, `(?:\\?|${monthDay})`, plain(MONTH, sloppySteps), `\\+?(?:\\?|${weekday})`].join(blank);
  return new RegExp(
    `^[ \\t]*(?:(?:${number}${blank})?${five}|${number}${blank}${five}${blank}${number}|${NICKNAMES})[ \\t]*$`,
    'i',
  );
}

const RULE_PART = (() => {
  const list = (item: string) => `${item}(?:,${item})*`;
  const signed = list('[+-]?\\d+');
  const parts = [
    'FREQ=(?:YEARLY|MONTHLY|WEEKLY|DAILY|HOURLY|MINUTELY|SECONDLY)',
    '(?:INTERVAL|COUNT)=\\d+',
    'UNTIL=\\d{8}(?:T\\d{6}Z?)?',
    'WKST=(?:SU|MO|TU|WE|TH|FR|SA)',
    `(?:BYSECOND|BYMINUTE|BYHOUR|BYMONTH)=${list('\\d+')}`,
    `(?:BYMONTHDAY|BYYEARDAY|BYWEEKNO|BYSETPOS)=${signed}`,
    `BYDAY=${list('(?:[+-]?\\d+)?(?:SU|MO|TU|WE|TH|FR|SA)')}`,
  ];
  return `(?:${parts.join('|')})`;
})();
/** RFC 5545, section 3.3.10: names are read in any case of letters. */
const RULE = new RegExp(`^${RULE_PART}(?:;${RULE_PART})*$`, 'i');

/** One to three characters of a text taken out, put in, or put in the place of another. */
function damaged(text: string, seed: number, characters: string): string {
  const random = seeded(seed);
  let result = text;
  for (let times = 1 + random.below(3); times > 0; times -= 1) {
    const at = random.below(result.length + 1);
    const put = random.once(3) ? '' : random.pick([...characters]);
    result = result.slice(0, at) + put + result.slice(at + random.below(2));
  }
  return result;
}

function expectExact(issue: Issue, text: string, fields: RegExp): void {
  const about = JSON.stringify({ text, issue });
  expect(issue.at, about).toBeGreaterThanOrEqual(0);
  expect(issue.at, about).toBeLessThanOrEqual(text.length);
  expect(issue.message, about).toMatch(fields);
}

/** That the normal form means the same and is its own normal form. */
function expectRoundTrip(wire: unknown): void {
  const first = compileTrigger(wire);
  if (!first.ok) throw new Error(JSON.stringify(first.issues));
  const again = compileTrigger(first.normalized);
  if (!again.ok) throw new Error(`${JSON.stringify(first.normalized)}: ${JSON.stringify(again.issues)}`);
  expect(again.normalized).toEqual(first.normalized);
  expect(again.value.list(FROM, 20)).toEqual(first.value.list(FROM, 20));
  expect(again.value.previous(FROM)).toBe(first.value.previous(FROM));
}

describe('token completeness', () => {
  test.prop([fc.nat(), fc.nat()], RUNS)(
    '[TR-6, TR-7] a damaged cron text is refused at a place, or read whole',
    (seed, damage) => {
      const { wire } = randomCron(seeded(seed), 'Europe/Berlin', FROM);
      const dialect = (wire['dialect'] ?? {}) as Dialect;
      const expression = damaged(wire['expression'] as string, damage, '0123456789*/-,?LW#+ \t@SUNMONJANdaily.;xé\n');
      const result = compileTrigger({ ...wire, expression });
      if (result.ok) {
        expect(expression).toMatch(cronGrammar(dialect));
        expectRoundTrip({ ...wire, expression });
        return;
      }
      for (const issue of result.issues) {
        expect(issue).toMatchObject({ path: 'expression', rule: 'TR-7' });
        expectExact(issue, expression, CRON_REFUSAL);
      }
    },
  );

  test.prop([fc.nat(), fc.nat()], RUNS)(
    '[TR-14] a damaged recurrence rule is refused at a place, or read whole',
    (seed, damage) => {
      const { wire } = randomRrule(seeded(seed), clockOf('Europe/Berlin'), FROM);
      const rule = damaged(wire['rule'] as string, damage, '0123456789=;,+-TZFREQBYDAYMOSU .xé\n');
      const result = compileTrigger({ ...wire, rule });
      if (result.ok) {
        expect(rule).toMatch(RULE);
        expectRoundTrip({ ...wire, rule });
        return;
      }
      for (const issue of result.issues) {
        expect(issue).toMatchObject({ path: 'rule', rule: 'TR-14' });
        expectExact(issue, rule, RULE_REFUSAL);
      }
    },
  );

  test.prop([fc.nat()], RUNS)('[TR-6, TR-14] a good text comes out of its normal form unchanged', (seed) => {
    expectRoundTrip(randomCron(seeded(seed), 'America/New_York', FROM).wire);
    expectRoundTrip(randomRrule(seeded(seed), clockOf('America/New_York'), FROM).wire);
  });
});

/** The field, the token with its place, and what is allowed; or what is wrong with the text as a whole. */
const CRON_REFUSAL =
  /^(second|minute|hour|day-of-month|month|day-of-week|year): (an empty item|".*") at \d+ .*; allowed are \d+-\d+|^a cron expression has .* fields, this one \d+|^unknown nickname ".*" at \d+|^a nickname stands alone/s;
const RULE_REFUSAL =
  /^[A-Z]+: (an empty value|".*") at \d+ .*; allowed are |^[A-Z]+ at \d+ (has no value|stands at \d+ already|must not|has a number|needs|stands with)|^an empty part at \d+|^unknown part ".*" at \d+|^FREQ is required: YEARLY/s;
