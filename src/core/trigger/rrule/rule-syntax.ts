/**
 * The text of a recurrence rule to its parts (RFC 5545, section 3.3.10), with the part, the token, its position and what is
 * allowed in every refusal (TR-14).
 *
 * One pass over the text, linear in its length. All faults of the text are reported at once; what parts must not stand
 * beside each other is judged once the text is good.
 */

import { foundText, type Issue } from '../../model/issue.js';
import { TRIGGER_LIMITS } from '../../model/trigger.js';
import { nearestNames, suggestion } from '../../time/nearest-names.js';
import {
  FREQUENCIES,
  type Frequency,
  type NumberPart,
  type RecurrenceRule,
  RULE_PARTS,
  RULE_WEEKDAYS,
  type RulePart,
  type RuleUntil,
  type RuleWeekday,
} from './recurrence-rule.js';
import { misplacedParts } from './rule-relations.js';
import {
  ALLOWED_UNTIL,
  ALLOWED_WEEKDAYS,
  allowedNumbers,
  type RuleReading,
  type RuleToken,
  readNumber,
  readNumbers,
  readUntil,
  readWeekdays,
  weekdayNumber,
} from './rule-values.js';

/** The parts of a text: where each stands, and what it is. */
interface Draft {
  readonly places: Map<RulePart, number>;
  readonly numbers: { [Part in NumberPart]?: readonly number[] };
  freq: Frequency | undefined;
  interval: number;
  count: number | undefined;
  until: RuleUntil | undefined;
  weekdays: readonly RuleWeekday[] | undefined;
  weekStart: number;
}

/**
 * Reads a recurrence rule, or says everything that is wrong with it.
 *
 * @internal
 */
export function parseRule(text: string): RecurrenceRule | readonly Issue[] {
  const { max } = TRIGGER_LIMITS.ruleLength;
  if (text.length > max) {
    return [refusal(`a recurrence rule has at most ${max} characters, this one ${text.length}`, text, 0)];
  }
  if (/^RRULE[:;]/i.test(text)) {
    return [refusal('give the value of the property alone, without `RRULE:`', text.slice(0, 6), 0)];
  }
  const issues: Issue[] = [];
  const draft: Draft = {
    places: new Map(),
    numbers: {},
    freq: undefined,
    interval: 1,
    count: undefined,
    until: undefined,
    weekdays: undefined,
    weekStart: 0,
  };
  for (const part of partsOf(text)) readPart(part, draft, issues);
  if (!draft.places.has('FREQ')) issues.push(refusal(`FREQ is required: ${FREQUENCIES.join(' ')}`, text, 0));
  const { places, freq, interval, count, until, numbers, weekdays, weekStart } = draft;
  if (issues.length > 0 || freq === undefined) return issues;
  const rule: RecurrenceRule = { freq, interval, count, until, numbers, weekdays, weekStart };
  const misplaced = misplacedParts(rule).map(({ part, reason }) => {
    const at = places.get(part) ?? 0;
    return refusal(`${part} at ${at} ${reason}`, text.slice(at).split(';', 1)[0] as string, at);
  });
  return misplaced.length > 0 ? misplaced : rule;
}

/** The parts of a text, which stand between semicolons. */
function partsOf(text: string): readonly RuleToken[] {
  let at = 0;
  return text.split(';').map((part) => {
    const token = { text: part, at };
    at += part.length + 1;
    return token;
  });
}

function readPart(part: RuleToken, draft: Draft, issues: Issue[]): void {
  const equals = part.text.indexOf('=');
  const name = equals < 0 ? part.text : part.text.slice(0, equals);
  const known = RULE_PARTS.find((one) => one === name.toUpperCase());
  if (known === undefined) {
    issues.push(refuseName(name, part));
  } else if (equals < 0) {
    issues.push(refusal(`${known} at ${part.at} has no value: write \`${known}=…\``, part.text, part.at));
  } else if (draft.places.has(known)) {
    const first = draft.places.get(known);
    issues.push(refusal(`${known} at ${part.at} stands at ${first} already; a part stands once`, part.text, part.at));
  } else {
    draft.places.set(known, part.at);
    readValue(known, { text: part.text.slice(equals + 1), at: part.at + equals + 1 }, draft, issues);
  }
}

function refuseName(name: string, part: RuleToken): Issue {
  if (part.text === '') return refusal(`an empty part at ${part.at} is not allowed`, part.text, part.at);
  const near = suggestion(nearestNames(name, RULE_PARTS, 1)) || `; known are ${RULE_PARTS.join(' ')}`;
  return refusal(`unknown part ${JSON.stringify(name)} at ${part.at}${near}`, name, part.at);
}

function readValue(name: RulePart, value: RuleToken, draft: Draft, issues: Issue[]): void {
  const take = <Value>(reading: RuleReading<Value>, allowed: string): Value | undefined => {
    if ('value' in reading) return reading.value;
    for (const { token, fault } of reading.faults) issues.push(refuseToken(name, token, fault, allowed));
    return undefined;
  };
  switch (name) {
    case 'FREQ':
      draft.freq = take(readFrequency(value), FREQUENCIES.join(' '));
      return;
    case 'WKST':
      draft.weekStart = take(readWeekStart(value), RULE_WEEKDAYS.join(' ')) ?? 0;
      return;
    case 'INTERVAL':
      draft.interval = take(readNumber(name, value), allowedNumbers(name)) ?? 1;
      return;
    case 'COUNT':
      draft.count = take(readNumber(name, value), allowedNumbers(name));
      return;
    case 'UNTIL':
      draft.until = take(readUntil(value), ALLOWED_UNTIL);
      return;
    case 'BYDAY':
      draft.weekdays = take(readWeekdays(value), ALLOWED_WEEKDAYS);
      return;
    default: {
      const numbers = take(readNumbers(name, value), allowedNumbers(name));
      if (numbers !== undefined) draft.numbers[name] = numbers;
    }
  }
}

function readFrequency(value: RuleToken): RuleReading<Frequency> {
  const freq = FREQUENCIES.find((one) => one === value.text.toUpperCase());
  return freq === undefined ? { faults: [{ token: value, fault: 'is no frequency' }] } : { value: freq };
}

function readWeekStart(value: RuleToken): RuleReading<number> {
  const weekday = weekdayNumber(value.text);
  return weekday < 0 ? { faults: [{ token: value, fault: 'is not a weekday' }] } : { value: weekday };
}

function refuseToken(name: RulePart, { text, at }: RuleToken, fault: string, allowed: string): Issue {
  const token = text === '' ? 'an empty value' : JSON.stringify(text);
  const reason = text === '' ? 'is not allowed' : fault;
  return refusal(`${name}: ${token} at ${at} ${reason}; allowed are ${allowed}`, text, at);
}

function refusal(message: string, token: string, at: number): Issue {
  return { path: 'rule', rule: 'TR-14', message, found: foundText(token), at };
}
