/**
 * "Why is it due then?" and "why did it not run?": the question about one instant, or about a time on the clock (TR-11).
 *
 * Whether it is due is what the compiled trigger says, which runs the schedule; this only finds the words for it.
 */

import type { Issue } from '../../model/issue.js';
import { type EpochMs, formatInstant, formatWallTime, type InstantInput, parseWallTime } from '../../time/instant.js';
import { formatLocal, formatOffset, gapHolding, instantsShowing } from '../../time/wall-clock.js';
import type { Zone } from '../../time/zone-spans.js';
import { findZone } from '../../time/zones.js';
import {
  type AskedDue,
  type DueInput,
  type DueOptions,
  readDue,
  readGiven,
  readMoment,
  refuseAsk,
} from '../../trigger/ask.js';
import { isDueAt } from '../../trigger/compiled-trigger.js';
import { zonesOf } from '../../trigger/due/zones-of.js';
import { shownInstant } from '../../trigger/preview/shown-instant.js';
import { issue } from '../../trigger/read/field-reader.js';
import { type Answer, answerAt, answerInGap, isDueAtGapEnd, spreadFrom } from './answer.js';
import type { DueExplanation } from './due-explanation.js';
import { clausesOf, type LocalQuestion, sentenceOf } from './sentence.js';

/**
 * What is asked about: an instant, or a wall time `YYYY-MM-DDTHH:mm[:ss]` on the clock of the trigger's zone.
 *
 * @public
 */
export type DueQuestion = InstantInput | { readonly local: string };

/**
 * Why something is due at an instant, or not; with `local`, why at a time that the clock of its zone shows once, twice or
 * never. A trigger without a zone is asked in `options.timezone`, UTC where that is absent; beside a trigger that has
 * another one it is refused. Throws `SCHEDULE_DECLARATION_INVALID`, with every fault in `details.issues`, for wrong input.
 *
 * @public
 */
export function explain(due: DueInput, question: DueQuestion, options: DueOptions = {}): DueExplanation {
  const issues: Issue[] = [];
  const asked = readDue(due, options, issues, { isClockAsked: true });
  const { at, wall } = readQuestion(question, issues);
  const zone = asked && wall !== undefined ? zoneAsked(asked, options, issues) : undefined;
  if (asked === undefined || issues.length > 0) refuseAsk('no explanation', issues);
  if (wall !== undefined && zone !== undefined) return explainLocal(asked, wall, zone);
  return explained(asked, answerAt(asked.compiled, asked.trigger, at as EpochMs));
}

/** The instant or the wall time that is asked about; neither where the question is wrong. */
function readQuestion(question: unknown, issues: Issue[]): { at?: EpochMs | undefined; wall?: number | undefined } {
  if (typeof question !== 'object' || question === null || !('local' in question)) {
    return { at: readMoment(question, 'instant', issues, '; or ask for a time on the clock with `{ local }`') };
  }
  const { local } = readGiven(question, 'question', ['local'], issues);
  const isInYears = typeof local === 'string' && local >= '1800-01-02' && local < '9999-12-31';
  const wall = isInYears ? parseWallTime(local) : undefined;
  const message = 'must be a time on the clock, `YYYY-MM-DDTHH:mm` or `YYYY-MM-DDTHH:mm:ss`, of a date that exists';
  if (wall === undefined) issues.push(issue('local', 'TR-11', message, local));
  return { wall };
}

function explainLocal(asked: AskedDue, wall: number, zone: Zone): DueExplanation {
  const { compiled } = asked;
  const passes = instantsShowing(zone, wall);
  const gap = passes.length === 0 ? gapHolding(zone, wall) : undefined;
  if (gap !== undefined && !isDueAtGapEnd(compiled, gap, wall, zone)) {
    return explained(asked, answerInGap(compiled, gap, wall, zone), { wall, zone, passes });
  }
  const answers = (gap === undefined ? passes : [gap.at]).map((at) => answerBefore(asked, at));
  const answer = answers.find(({ isDue }) => isDue) ?? (answers[0] as Answer);
  return explained(asked, gap === undefined ? answer : { ...answer, gap }, { wall, zone, passes });
}

/** The answer for an instant of the trigger, before any spread: that for the instant to which it is put off where it is due. */
function answerBefore({ compiled, trigger }: AskedDue, at: EpochMs): Answer {
  if (isDueAt(compiled, at)) return answerAt(compiled, trigger, at);
  const putOff = spreadFrom(compiled, at);
  return isDueAt(compiled, putOff) ? answerAt(compiled, trigger, putOff) : answerAt(compiled, trigger, at, true);
}

function explained(asked: AskedDue, answer: Answer, local?: LocalQuestion): DueExplanation {
  const { compiled } = asked;
  const around = answer.at ?? answer.gap?.at;
  const previous = around === undefined ? undefined : compiled.previous(around);
  const next = around === undefined ? undefined : compiled.next(answer.at ?? around - 1);
  const near = {
    ...(previous !== undefined && { previous: shownInstant(compiled, previous) }),
    ...(next !== undefined && { next: shownInstant(compiled, next) }),
  };
  const passes =
    local !== undefined && local.passes.length > 1 ? { passes: local.passes.map((pass) => formatInstant(pass)) } : {};
  return {
    ...shown(answer, local),
    ...passes,
    ...near,
    sentence: sentenceOf({ asked, answer, local, next: near.next }),
  };
}

/** The facts of an answer as texts; `number` stands before the numbers of its triggers, where it is a union in another one. */
function shown(answer: Answer, local?: LocalQuestion, number = ''): Omit<DueExplanation, 'sentence'> {
  const { isDue, reason, checks, at, zone, gap, members } = answer;
  const clock =
    at === undefined
      ? { local: formatWallTime(local?.wall ?? 0) }
      : { local: formatLocal(zone, at), offset: formatOffset(zone, at) };
  return {
    ...(at !== undefined && { at: formatInstant(at) }),
    isDue,
    reason,
    ...clock,
    timezone: zone.name,
    checks,
    ...(gap !== undefined && {
      gap: { at: formatInstant(gap.at), from: formatWallTime(gap.from), to: formatWallTime(gap.to) },
    }),
    ...(members !== undefined && {
      members: members.map((member, place) => {
        const inner = `${number}${place + 1}.`;
        return { ...shown(member, local, inner), sentence: clausesOf(member, inner) };
      }),
    }),
  };
}

/** The zone in which a wall time is meant: the trigger's own, or that of the question. */
function zoneAsked(
  { compiled, trigger, exclude }: AskedDue,
  { timezone, zoneData }: DueOptions,
  issues: Issue[],
): Zone | undefined {
  const own = [...new Set(zonesOf({ trigger }))];
  const name = compiled.timezone ?? timezone ?? exclude?.timezone ?? (own.length > 1 ? undefined : (own[0] ?? 'UTC'));
  if (name !== undefined) return findZone(name, zoneData);
  const message = `name one, since the triggers have different ones: ${own.join(', ')}`;
  issues.push(issue('timezone', 'TR-11', message, undefined));
  return undefined;
}
