/**
 * The answer about an instant in one or two sentences (TR-11).
 */

import { type EpochMs, formatInstant, formatWallTime } from '../../time/instant.js';
import { dateOfWall, formatLocal, formatOffset, type Gap, timeOfWall } from '../../time/wall-clock.js';
import type { Zone } from '../../time/zone-spans.js';
import { isAnyOf } from '../../trigger/any-of-trigger.js';
import type { AskedDue } from '../../trigger/ask.js';
import { isDueAt } from '../../trigger/compiled-trigger.js';
import { isDueSet } from '../../trigger/due/due-set.js';
import type { PreviewInstant } from '../../trigger/preview/shown-instant.js';
import { isWallTrigger } from '../../trigger/wall-trigger.js';
import { dueWordsOf, memberWords } from '../describe/describe.js';
import { listed } from '../describe/list-words.js';
import { type Answer, spreadFrom } from './answer.js';
import type { ConditionCheck, ConditionField } from './due-explanation.js';

/** A question about a wall time, and the instants that show it. @internal */
export interface LocalQuestion {
  /** In milliseconds "as if UTC". */
  readonly wall: number;
  readonly zone: Zone;
  readonly passes: readonly EpochMs[];
}

/** What a sentence is made of. @internal */
export interface Told {
  readonly asked: AskedDue;
  readonly answer: Answer;
  readonly local: LocalQuestion | undefined;
  /** The first due instant after. */
  readonly next: PreviewInstant | undefined;
}

/** Members of `anyOf` of which a sentence tells why they are not due. */
const MOST_MEMBERS = 3;

/** See the head of this file. @internal */
export function sentenceOf(told: Told): string {
  const { answer, local, next } = told;
  const first = local === undefined ? instantSentence(told) : localSentence(told, local);
  if (answer.isDue) return first;
  return `${first} ${next === undefined ? 'Nothing is due after that.' : `The next due instant is ${momentText(next)}.`}`;
}

function instantSentence({ asked, answer }: Told): string {
  const subject = subjectOf(answer);
  return answer.isDue
    ? `${subject} is due: ${dueWords(asked, answer)}.`
    : `${subject} is not due: ${clausesOf(answer)}.`;
}

function subjectOf({ at, zone }: Answer): string {
  if (at === undefined) return 'it';
  const local = `${formatLocal(zone, at)}${formatOffset(zone, at)} ${zone.name}`;
  return at % 1000 === 0 && zone.name !== 'UTC' ? local : formatInstant(at);
}

function momentText({ at, local, offset, timezone }: PreviewInstant): string {
  return timezone === 'UTC' ? at : `${local}${offset} ${timezone}`;
}

/** What makes an instant due. */
function dueWords(asked: AskedDue, answer: Answer): string {
  return [
    namedWords(asked, answer),
    ...(answer.reason === 'secondPass' ? ['this is the second time that the clock shows it'] : []),
    ...(answer.reason === 'shifted' && answer.gap !== undefined ? [`here ${gapText(answer.gap)}`] : []),
  ].join('; ');
}

/** What names the instant: the trigger, or of a union those that are due. */
function namedWords(asked: AskedDue, { members = [] }: Answer): string {
  const { compiled } = asked;
  if (!isAnyOf(compiled)) return dueWordsOf(asked);
  if (members.length === 1) return dueWordsOf(asked);
  const due = members.flatMap(({ isDue }, place) => (isDue ? [memberWords(compiled, place)] : []));
  const more = due.length > MOST_MEMBERS ? [`${due.length - MOST_MEMBERS} more`] : [];
  return listed([...due.slice(0, MOST_MEMBERS), ...more]);
}

/**
 * Every condition that fails, as it is told in a sentence; `number` stands before the numbers of its own triggers, where it
 * is a union in another one.
 *
 * @internal
 */
export function clausesOf(answer: Answer, number = ''): string {
  if (answer.isDue) return 'every condition holds';
  const failing = answer.checks.filter(({ holds }) => !holds);
  // Where anything else fails, nothing is put off.
  const told = failing.length === 1 ? failing : failing.filter(({ field }) => field !== 'spread');
  const clauses = told
    .map((check) => (check.field === 'anyOf' ? failingMembers(answer, number) : clause(check)))
    .join('; ');
  // The conditions were held against the instant before the spread, and that one shows another time.
  const spread = answer.checks.find(({ field, holds }) => field === 'spread' && holds);
  return spread === undefined ? clauses : `before the spread (${spread.found}) ${clauses}`;
}

function failingMembers({ members = [] }: Answer, number: string): string {
  const [only] = members;
  if (only !== undefined && members.length === 1) return clausesOf(only, number);
  const told = members
    .slice(0, MOST_MEMBERS)
    .map((member, place) => `(${number}${place + 1}) ${clausesOf(member, `${number}${place + 1}.`)}`);
  const more = members.length > MOST_MEMBERS ? ` and ${members.length - MOST_MEMBERS} more` : '';
  return `none of its ${members.length} triggers is due: ${told.join(', ')}${more}`;
}

const SUBJECTS: Readonly<Record<ConditionField, string>> = {
  year: 'the year',
  month: 'the month',
  dayOfMonth: 'the date',
  dayOfWeek: 'the day',
  day: 'the day',
  every: 'the period',
  time: 'the time',
  hour: 'the hour',
  minute: 'the minute',
  second: 'the second',
  start: 'it',
  end: 'it',
  phase: 'the distance from the start',
  at: 'it',
  repeat: 'the pass of this repeated time',
  gap: 'the time',
  rule: 'it',
  exdates: 'it',
  count: 'it',
  anyOf: 'the number of triggers that are due',
  exclude: 'the date',
  spread: 'it',
  kind: 'the trigger',
};

function clause({ field, wanted, found }: ConditionCheck): string {
  if (field === 'exclude') return `the date is left out (${found})`;
  if (field === 'exdates') return `${found} is taken out by \`exdates\``;
  if (field === 'every') return `the trigger asks for dates ${wanted}, and this is ${found}`;
  if (field === 'rule') return `the rule asks for ${wanted}, and this is ${found}`;
  if (field === 'kind') return `it is ${found}: only due when it is triggered by hand`;
  if (field === 'spread') return `the trigger names it, and the spread has it ${wanted}`;
  return `${SUBJECTS[field]} is ${found} and must be ${wanted}`;
}

function localSentence(told: Told, { wall, zone, passes }: LocalQuestion): string {
  const { asked, answer } = told;
  const what = `${timeOfWall(wall)} on ${dateOfWall(wall)}`;
  if (passes.length === 0) return `${what} never shows in ${zone.name}: ${gapWords(told)}.`;
  const isPutOff = answer.isDue && answer.at !== undefined && !passes.includes(answer.at);
  const when = isPutOff ? `, at ${subjectOf(answer)}` : '';
  if (passes.length === 1) {
    const found = answer.isDue ? `is due${when}: ${dueWords(asked, answer)}` : `is not due: ${clausesOf(answer)}`;
    return `${what} ${found}.`;
  }
  const both = listed(passes.map((at) => `${formatLocal(zone, at)}${formatOffset(zone, at)}`));
  return `${what} shows twice in ${zone.name}, at ${both}: ${twiceWords(told, when)}.`;
}

function twiceWords({ asked, answer, local }: Told, when: string): string {
  if (!answer.isDue) return `not due, ${clausesOf(answer)}`;
  const { compiled } = asked;
  const passes = local?.passes ?? [];
  const due = passes.filter((at) => isDueAt(compiled, spreadFrom(compiled, at)));
  const times = due.length > 1 ? 'both times' : `the ${due[0] === passes[0] ? 'first' : 'second'} time alone`;
  return `due ${times}${when}; ${dueWords(asked, answer)}`;
}

/** What becomes of a wall time in a gap. */
function gapWords({ asked, answer }: Told): string {
  const gap = answer.gap as Gap;
  const jump = gapText(gap);
  if (answer.isDue) return `${jump}, and with \`gap: "shift"\` it is due as the gap ends, at ${subjectOf(answer)}`;
  if (answer.reason === 'missingDate') return `${jump}, so the whole date is missing and has no due instant`;
  if (answer.reason !== 'skippedByGap') {
    const failing = answer.checks.filter(({ field, holds }) => !holds && field !== 'gap').map(clause);
    return failing.length === 0 ? jump : `${jump}; it is not asked for either: ${failing.join('; ')}`;
  }
  const leftOut = answer.checks.find(({ field, holds }) => field === 'exclude' && !holds);
  if (leftOut !== undefined) return `${jump}, so nothing is due; and ${clause(leftOut)}`;
  const instead = canShift(asked) ? '; with `gap: "shift"` it would be due as the gap ends' : '';
  return `${jump}, so nothing is due${instead}`;
}

/** Whether the gap policy is the author's to choose, and would change what happens (TR-13). */
function canShift({ compiled, trigger }: AskedDue): boolean {
  const base = isDueSet(compiled) ? compiled.base : compiled;
  const hasChoice = trigger.kind === 'cron' || trigger.kind === 'calendar';
  return hasChoice && isWallTrigger(base) && !base.everyPass && !base.shift;
}

/** `the clock jumps from 02:00:00 to 03:00:00`, with dates where it jumps over midnight. */
function gapText({ from, to }: Gap): string {
  const text = dateOfWall(from) === dateOfWall(to) ? timeOfWall : formatWallTime;
  return `the clock jumps from ${text(from)} to ${text(to)}`;
}
