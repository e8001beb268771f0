/**
 * The values of the parts of a recurrence rule: what each may be, and how it is read (TR-14).
 *
 * Every character of a value is consumed or refused; nothing is skipped over or guessed.
 */

import { LIMITS, type NumberLimit } from '../../model/limits.js';
import { TRIGGER_LIMITS } from '../../model/trigger.js';
import { parseWallTime } from '../../time/instant.js';
import { ascending, weekdaysInOrder } from '../read/in-order.js';
import { type NumberPart, RULE_WEEKDAYS, type RuleUntil, type RuleWeekday } from './recurrence-rule.js';

/**
 * A piece of the text of a rule, and where it stands.
 *
 * @internal
 */
export interface RuleToken {
  readonly text: string;
  readonly at: number;
}

/**
 * Why a piece of a value is refused.
 *
 * @internal
 */
export interface RuleFault {
  readonly token: RuleToken;
  readonly fault: string;
}

/**
 * A value that was read, or what is wrong with it.
 *
 * @internal
 */
export type RuleReading<Value> = { readonly value: Value } | { readonly faults: readonly RuleFault[] };

interface Range extends NumberLimit {
  /** Whether numbers may be counted from the end, below 0. */
  readonly signed: boolean;
}

const { hour, minute, second, monthDay, month, yearDay, weekNumber, setPosition, ruleInterval, ruleCount, nthInYear } =
  TRIGGER_LIMITS;

const RANGES: Readonly<Record<NumberPart | 'INTERVAL' | 'COUNT', Range>> = {
  BYMONTH: { ...month, signed: false },
  BYWEEKNO: { ...weekNumber, signed: true },
  BYYEARDAY: { ...yearDay, signed: true },
  BYMONTHDAY: { ...monthDay, signed: true },
  BYHOUR: { ...hour, signed: false },
  BYMINUTE: { ...minute, signed: false },
  BYSECOND: { ...second, signed: false },
  BYSETPOS: { ...setPosition, signed: true },
  INTERVAL: { ...ruleInterval, signed: false },
  COUNT: { ...ruleCount, signed: false },
};

/**
 * What a part with numbers allows, for a message: `0-59`, `1-31 or -1 to -31`.
 *
 * @internal
 */
export function allowedNumbers(part: keyof typeof RANGES): string {
  const { min, max, signed } = RANGES[part];
  return signed ? `${min}-${max} or -${min} to -${max}` : `${min}-${max}`;
}

/**
 * Reads one whole number.
 *
 * @internal
 */
export function readNumber(part: keyof typeof RANGES, token: RuleToken): RuleReading<number> {
  const { min, max, signed } = RANGES[part];
  const match = (signed ? /^([+-]?)(\d+)$/ : /^()(\d+)$/).exec(token.text);
  if (match === null) return refuse(token, token.text === '' ? 'is empty' : 'is not a whole number');
  const size = Number(match[2]);
  if (part === 'BYSECOND' && size === 60) {
    return refuse(token, 'is a leap second, which this clock never shows');
  }
  if (size < min || size > max) return refuse(token, 'is out of range');
  return { value: match[1] === '-' ? -size : size };
}

/**
 * Reads a list of numbers between commas: ascending, each once.
 *
 * @internal
 */
export function readNumbers(part: NumberPart, value: RuleToken): RuleReading<readonly number[]> {
  const list = readItems(value, (token) => readNumber(part, token));
  return 'faults' in list ? list : { value: ascending(list.value) };
}

/**
 * Reads BYDAY: weekdays between commas, with or without a number before them; in order, each once.
 *
 * @internal
 */
export function readWeekdays(value: RuleToken): RuleReading<readonly RuleWeekday[]> {
  const list = readItems(value, readWeekday);
  return 'faults' in list ? list : { value: weekdaysInOrder(list.value) };
}

/** The weekdays without a number: most rules have no others, and share these. */
const EVERY_WEEKDAY: readonly RuleWeekday[] = RULE_WEEKDAYS.map((_, weekday) => ({ weekday, nth: 0 }));

function readWeekday(token: RuleToken): RuleReading<RuleWeekday> {
  const match = /^([+-]?)(\d*)([A-Z]{2})$/i.exec(token.text);
  const weekday = match === null ? -1 : weekdayNumber(match[3] as string);
  if (match === null || weekday < 0) return refuse(token, token.text === '' ? 'is empty' : 'is not a weekday');
  if (match[2] === '') {
    const every = EVERY_WEEKDAY[weekday] as RuleWeekday;
    return match[1] === '' ? { value: every } : refuse(token, 'has a sign without a number');
  }
  const size = Number(match[2]);
  if (size < nthInYear.min || size > nthInYear.max) return refuse(token, 'has a number that is out of range');
  return { value: { weekday, nth: match[1] === '-' ? -size : size } };
}

/** What BYDAY allows, for a message. @internal */
export const ALLOWED_WEEKDAYS = `${RULE_WEEKDAYS.join(' ')}, each alone or after ${nthInYear.min}-${nthInYear.max} or -${nthInYear.min} to -${nthInYear.max}`;

/**
 * The weekday of a name such as `MO`, in any case of letters: Monday = 0, or -1.
 *
 * @internal
 */
export function weekdayNumber(name: string): number {
  return (RULE_WEEKDAYS as readonly string[]).indexOf(name.toUpperCase());
}

/**
 * Reads UNTIL: `YYYYMMDDTHHMMSSZ` is an instant, without `Z` a time on the clock of the zone; a date alone stands for all
 * of its day.
 *
 * @internal
 */
export function readUntil(token: RuleToken): RuleReading<RuleUntil> {
  const wall = readCompactTime(/^\d{8}$/.test(token.text) ? `${token.text}T235959` : token.text.replace(/z$/i, ''));
  if (wall === undefined) return refuse(token, 'is no date or time that exists');
  return { value: { is: /z$/i.test(token.text) ? 'instant' : 'wall', at: wall } };
}

/** What UNTIL allows, for a message. @internal */
export const ALLOWED_UNTIL = 'YYYYMMDD, YYYYMMDDTHHMMSS and YYYYMMDDTHHMMSSZ, year 1800-9999';

const COMPACT_TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/i;

/**
 * The wall time of `YYYYMMDDTHHMMSS`, in milliseconds "as if UTC"; `undefined` where the text has another form, or names
 * what does not exist or lies outside of the years 1800..9999.
 *
 * @internal
 */
export function readCompactTime(text: string): number | undefined {
  const match = COMPACT_TIME.exec(text);
  if (match === null || text < '1800') return undefined;
  const [, years, months, days, hours, minutes, seconds] = match;
  return parseWallTime(`${years}-${months}-${days}T${hours}:${minutes}:${seconds}`);
}

/** The items of a list, each read by `read`; all faults at once. */
function readItems<Item>(value: RuleToken, read: (token: RuleToken) => RuleReading<Item>): RuleReading<Item[]> {
  const items: Item[] = [];
  const faults: RuleFault[] = [];
  let at = value.at;
  const texts = value.text.split(',');
  if (texts.length > LIMITS.listLength.max) return refuse(value, `has more than ${LIMITS.listLength.max} items`);
  for (const text of texts) {
    const reading = read({ text, at });
    if ('value' in reading) items.push(reading.value);
    else faults.push(...reading.faults);
    at += text.length + 1;
  }
  return faults.length > 0 ? { faults } : { value: items };
}

function refuse(token: RuleToken, fault: string): { readonly faults: readonly RuleFault[] } {
  return { faults: [{ token, fault }] };
}
