/**
 * Cron text to fields (TR-6), with the field, the token, the position and the allowed range in every refusal (TR-7).
 *
 * One pass over the text, linear in its length. All faults of an expression are reported at once.
 */

import type { Issue } from '../../model/issue.js';
import { foundText } from '../../model/issue.js';
import { type CronDialect, TRIGGER_LIMITS } from '../../model/trigger.js';
import { nearestNames, suggestion } from '../../time/nearest-names.js';
import { type DayFields, readMonthDayItem, readWeekdayItem } from './cron-days.js';
import {
  allowedRange,
  type CronFault,
  type CronRange,
  FIELDS,
  type FieldSpec,
  readRange,
  shortNames,
} from './cron-field.js';

/**
 * An expression as sets of numbers.
 *
 * @internal
 */
export interface CronFields {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  /** 1..12. */
  readonly months: readonly number[];
  /** `undefined` where the expression has no year field or the field is `*`. */
  readonly years: readonly number[] | undefined;
  readonly days: DayFields;
  /** Whether an item of the second, minute or hour field starts with `*`: a wildcard job (TR-6). */
  readonly wildcard: boolean;
}

const NICKNAMES: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

interface Token {
  readonly text: string;
  readonly at: number;
}

/**
 * Reads a cron expression, or says everything that is wrong with it.
 *
 * @internal
 */
export function parseCron(text: string, dialect: CronDialect): CronFields | readonly Issue[] {
  const { max } = TRIGGER_LIMITS.expressionLength;
  if (text.length > max) {
    return [refusal(`a cron expression has at most ${max} characters, this one ${text.length}`, text, 0)];
  }
  const tokens = tokenize(text);
  const only = tokens[0];
  if (only?.text.startsWith('@') === true) {
    const expansion = Object.hasOwn(NICKNAMES, only.text) && tokens.length === 1 ? NICKNAMES[only.text] : undefined;
    // What a nickname stands for is written in the default dialect.
    return expansion === undefined ? [refuseNickname(only, tokens)] : readFields(tokenize(expansion), {});
  }
  const arity = refuseArity(tokens, dialect);
  return arity === undefined ? readFields(tokens, dialect) : [arity];
}

/** Cuts at spaces and tabs; every other character belongs to a field, and to its reader to judge. */
function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let start = -1;
  for (let i = 0; i <= text.length; i += 1) {
    const blank = i === text.length || text[i] === ' ' || text[i] === '\t';
    if (!blank && start < 0) start = i;
    if (blank && start >= 0) {
      tokens.push({ text: text.slice(start, i), at: start });
      start = -1;
    }
  }
  return tokens;
}

const OTHER_WEEK =
  'is unknown: for every other week use a `calendar` trigger, with `every: {"unit": "week", "n": 2}` and an `anchor`';

/** Names of other crons, or of nobody, that stand for no cron text here, and what to use in their place. */
const OTHER_NICKNAMES: Readonly<Record<string, string>> = {
  '@reboot': 'is unsupported: a schedule is due at instants, not at the start of a process',
  '@every': 'is no cron text: for elapsed time use an `interval` trigger, with `start` and `everySeconds`',
  '@minutely': 'is unknown: write `* * * * *`',
  '@secondly': 'is unknown: write `* * * * * *`',
  '@weekday': 'is unknown: write `0 0 * * MON-FRI`',
  '@weekdays': 'is unknown: write `0 0 * * MON-FRI`',
  '@workdays': 'is unknown: write `0 0 * * MON-FRI`',
  '@weekend': 'is unknown: write `0 0 * * SAT,SUN`',
  '@weekends': 'is unknown: write `0 0 * * SAT,SUN`',
  '@quarterly': 'is unknown: write `0 0 1 JAN,APR,JUL,OCT *`',
  '@biweekly': OTHER_WEEK,
  '@fortnightly': OTHER_WEEK,
  '@bimonthly': 'is unknown: every other month is `0 0 1 */2 *`, twice a month `0 0 1,15 * *`',
  '@biannually': 'is unknown: twice a year is `0 0 1 JAN,JUL *`',
};

/** A word before a known name means another rhythm, to which that name is no near one. */
const OTHER_RHYTHM = /^@(bi|semi|tri|half|every|non)/;

function refuseNickname(name: Token, tokens: readonly Token[]): Issue {
  const other = name.text.toLowerCase();
  if (Object.hasOwn(OTHER_NICKNAMES, other)) {
    return refusal(`\`${other}\` ${OTHER_NICKNAMES[other]}`, name.text, name.at);
  }
  const extra = tokens[1];
  if (Object.hasOwn(NICKNAMES, name.text) && extra !== undefined) {
    const token = JSON.stringify(extra.text);
    return refusal(`a nickname stands alone; unexpected ${token} at ${extra.at}`, extra.text, extra.at);
  }
  const known = Object.keys(NICKNAMES);
  const near = OTHER_RHYTHM.test(other) ? [] : nearestNames(name.text, known, 1);
  const hint = suggestion(near) || `; known are ${known.join(' ')}`;
  return refusal(`unknown nickname ${JSON.stringify(name.text)} at ${name.at}${hint}`, name.text, name.at);
}

function refuseArity(tokens: readonly Token[], dialect: CronDialect): Issue | undefined {
  const count = tokens.length;
  const first = tokens[0];
  if (first !== undefined && /^(CRON_)?TZ=/.test(first.text)) {
    return refusal('the time zone is a property of its own (`timezone`), not a prefix', first.text, first.at);
  }
  const allowed = dialect.fields === 5 ? count === 5 : count >= 5 && count <= 7;
  if (allowed) return undefined;
  const wanted = dialect.fields === 5 ? 'exactly 5' : '5, 6 (seconds first) or 7 (year last)';
  const extra = tokens[dialect.fields ?? 7];
  const where = extra === undefined ? '' : `; unexpected ${JSON.stringify(extra.text)} at ${extra.at}`;
  return refusal(
    `a cron expression has ${wanted} fields, this one ${count}${where}`,
    extra?.text ?? tokens.map(({ text }) => text).join(' '),
    extra?.at ?? 0,
  );
}

function readFields(tokens: readonly Token[], dialect: CronDialect): CronFields | readonly Issue[] {
  const issues: Issue[] = [];
  const hasSeconds = tokens.length > 5;
  const five = hasSeconds ? tokens.slice(1) : tokens;
  const [minute, hour, monthDay, month, weekday, year] = five as [Token, Token, Token, Token, Token, Token?];
  const second = hasSeconds ? (tokens[0] as Token) : undefined;

  const numbers = (token: Token, field: FieldSpec): readonly number[] => {
    const found: number[] = [];
    for (const item of items(token)) {
      const range = readRange(item.text, field, dialect);
      if ('fault' in range) issues.push(refuseItem(item, field, range));
      else addRange(found, range, field);
    }
    return found;
  };
  const fields: CronFields = {
    seconds: second === undefined ? [0] : numbers(second, FIELDS.second),
    minutes: numbers(minute, FIELDS.minute),
    hours: numbers(hour, FIELDS.hour),
    months: numbers(month, FIELDS.month),
    years: year === undefined || year.text === '*' ? undefined : numbers(year, FIELDS.year),
    days: readDays(monthDay, weekday, dialect, issues),
    wildcard: hasWildcard(second) || hasWildcard(minute) || hasWildcard(hour),
  };
  return issues.length === 0 ? fields : issues.sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
}

function readDays(monthDay: Token, weekday: Token, dialect: CronDialect, issues: Issue[]): DayFields {
  const weekdayField = dialect.weekdays === 'quartz' ? FIELDS.quartzWeekday : FIELDS.weekday;
  const both = weekday.text.startsWith('+');
  const bare = both ? { text: weekday.text.slice(1), at: weekday.at + 1 } : weekday;
  const days: DayFields = {
    anyMonthDay: isAny(monthDay),
    anyWeekday: isAny(bare),
    both: both || dialect.dayFields === 'and',
    monthDays: { days: 0, fromEnd: 0, nearestWorkday: 0, lastWorkday: false },
    weekdays: { weekdays: 0, nth: [] },
  };
  for (const item of days.anyMonthDay ? [] : items(monthDay)) {
    const fault = readMonthDayItem(item.text, days.monthDays, dialect);
    if (fault !== undefined) issues.push(refuseItem(item, FIELDS.monthDay, fault));
  }
  for (const item of days.anyWeekday ? [] : items(bare)) {
    const fault = readWeekdayItem(item.text, days.weekdays, weekdayField, dialect);
    if (fault !== undefined) issues.push(refuseItem(item, weekdayField, fault));
  }
  return days;
}

/** Whether an item of a field starts with `*`. */
function hasWildcard(token: Token | undefined): boolean {
  return token !== undefined && (token.text.startsWith('*') || token.text.includes(',*'));
}

function isAny(token: Token): boolean {
  return token.text === '*' || token.text === '?';
}

/** The items of a field, which stand between commas. */
function items(token: Token): readonly Token[] {
  if (!token.text.includes(',')) return [token];
  let at = token.at;
  return token.text.split(',').map((text) => {
    const item = { text, at };
    at += text.length + 1;
    return item;
  });
}

function addRange(found: number[], range: CronRange, field: FieldSpec): void {
  for (let value = range.first; value <= range.last; value += range.step) {
    found.push(field.cycle === 0 ? value : field.min + ((value - field.min) % field.cycle));
  }
}

const EMPTY: CronFault = { fault: 'is not allowed', at: 0 };

function refuseItem(item: Token, field: FieldSpec, fault: CronFault): Issue {
  const token = item.text === '' ? 'an empty item' : JSON.stringify(item.text);
  const at = item.at + fault.at;
  const {
    fault: reason,
    instead = shortNames(item.text, field),
    allowed = allowedRange(field),
  } = item.text === '' ? EMPTY : fault;
  const advice = instead === undefined ? '' : `; ${instead}`;
  return refusal(`${field.name}: ${token} at ${item.at} ${reason}${advice}; allowed are ${allowed}`, item.text, at);
}

function refusal(message: string, token: string, at: number): Issue {
  return { path: 'expression', rule: 'TR-7', message, found: foundText(token), at };
}
