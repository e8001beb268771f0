/**
 * A recurrence rule with its dates taken out and put in, seen through the clock of a zone (TR-14).
 *
 * The rule is a wall trigger of its own, between the first instant of DTSTART and the last of UNTIL. COUNT counts its
 * instants from the first on, only as far as anybody asks, and keeps how far that was. EXDATE takes out of what is counted,
 * RDATE puts in beside it. The zone is first asked when a due instant is.
 */

import { type EpochMs, epochMs, MAX_INSTANT } from '../../time/instant.js';
import { firstReaching, instantsShowing, lastReaching } from '../../time/wall-clock.js';
import type { Zone } from '../../time/zone-spans.js';
import { countByNext, listByNext } from '../compiled-trigger.js';
import type { WallPattern } from '../pattern/wall-pattern.js';
import { SEARCH_END, type WallTrigger, wallTrigger } from '../wall-trigger.js';
import { recurrencePattern } from './recurrence-pattern.js';
import { isBelowDay, type RecurrenceRule } from './recurrence-rule.js';

/**
 * What a recurrence trigger consists of; times are wall times, in milliseconds "as if UTC", and lists ascend.
 *
 * @internal
 */
export interface Recurrence {
  readonly rule: RecurrenceRule;
  readonly dtstart: number;
  readonly exdates: readonly number[];
  readonly rdates: readonly number[];
}

/**
 * A compiled `rrule` trigger. Its pattern is that of the rule alone; what is taken out and put in stands in `recurrence`.
 *
 * @internal
 */
export interface RecurrenceTrigger extends WallTrigger {
  readonly kind: 'rrule';
  readonly recurrence: Recurrence;
  /** The instants, once the zone was asked. */
  shown: ShownRecurrence | undefined;
}

/** A recurrence as the clock of its zone shows it; lists are instants and ascend. */
interface ShownRecurrence {
  /** The rule up to UNTIL, without COUNT. */
  readonly rule: WallTrigger;
  readonly removed: readonly number[];
  readonly added: readonly number[];
  /** Whether the rule is all there is: no COUNT, nothing taken out or put in. */
  readonly isRuleAlone: boolean;
  /** How many instants of COUNT are left after `countedThrough`. */
  countLeft: number;
  countedThrough: number;
}

/**
 * Due as a recurrence says on the clock of a zone.
 *
 * @internal
 */
export function recurrenceTrigger(zone: Zone, recurrence: Recurrence): RecurrenceTrigger {
  return new CompiledRecurrence(zone, recurrence);
}

class CompiledRecurrence implements RecurrenceTrigger {
  readonly kind = 'rrule';
  readonly timezone: string;
  readonly zone: Zone;
  readonly pattern: WallPattern;
  readonly everyPass: boolean;
  readonly shift = false;
  readonly recurrence: Recurrence;
  shown: ShownRecurrence | undefined = undefined;

  constructor(zone: Zone, recurrence: Recurrence) {
    this.timezone = zone.name;
    this.zone = zone;
    this.pattern = recurrencePattern(recurrence.rule, recurrence.dtstart);
    this.everyPass = isBelowDay(recurrence.rule);
    this.recurrence = recurrence;
  }

  get start(): number {
    const { rule, added } = this.shown ?? show(this);
    return Math.min(rule.start, added[0] ?? rule.start);
  }

  get end(): number {
    return endOf(this.shown ?? show(this));
  }

  next(after: number): EpochMs | undefined {
    const shown = this.shown ?? show(this);
    return shown.isRuleAlone ? shown.rule.next(after) : nextOf(shown, after);
  }

  previous(before: number): EpochMs | undefined {
    const shown = this.shown ?? show(this);
    return shown.isRuleAlone ? shown.rule.previous(before) : previousOf(shown, before);
  }

  list(after: number, count: number): EpochMs[] {
    return listByNext.call(this, after, count);
  }

  count(after: number, through: number, limit: number): number {
    return countByNext.call(this, after, through, limit);
  }
}

/**
 * Whether a compiled trigger is a recurrence.
 *
 * @internal
 */
export function isRecurrence(trigger: object): trigger is RecurrenceTrigger {
  return 'recurrence' in trigger && 'shown' in trigger;
}

/**
 * The instants that RDATE puts in, ascending.
 *
 * @internal
 */
export function addedInstants(trigger: RecurrenceTrigger): readonly number[] {
  return (trigger.shown ?? show(trigger)).added;
}

/**
 * The rule alone up to UNTIL: without COUNT, and with nothing taken out or put in.
 *
 * @internal
 */
export function ruleAlone(trigger: RecurrenceTrigger): WallTrigger {
  return (trigger.shown ?? show(trigger)).rule;
}

/**
 * Between which instants the rule goes, both inclusive, by UNTIL and by COUNT; what is put in may lie outside.
 *
 * @internal
 */
export function ruleRange(trigger: RecurrenceTrigger): { readonly start: number; readonly end: number } {
  const shown = trigger.shown ?? show(trigger);
  return { start: shown.rule.start, end: ruleEnd(shown) };
}

function nextOf(shown: ShownRecurrence, after: number): EpochMs | undefined {
  const { rule, removed, added } = shown;
  let due = rule.next(after);
  while (due !== undefined && removed[placeIn(removed, due)] === due) due = rule.next(due);
  if (due !== undefined && countedUntil(shown, due) < due) due = undefined;
  let place = placeIn(added, after);
  if (added[place] === after) place += 1;
  const extra = added[place];
  return extra !== undefined && (due === undefined || extra < due) ? epochMs(extra) : due;
}

function previousOf(shown: ShownRecurrence, before: number): EpochMs | undefined {
  const { rule, removed, added } = shown;
  let due = rule.previous(before);
  if (due !== undefined) due = epochMs(countedUntil(shown, due));
  while (due !== undefined && removed[placeIn(removed, due)] === due) due = rule.previous(due);
  const extra = added[placeIn(added, before) - 1];
  return extra !== undefined && (due === undefined || extra > due) ? epochMs(extra) : due;
}

/** The latest instant of the rule that COUNT covers, among those up to `due`, which is one of the rule. */
function countedUntil(shown: ShownRecurrence, due: number): number {
  while (shown.countLeft > 0 && shown.countedThrough < due) {
    shown.countedThrough = shown.rule.next(shown.countedThrough) as number;
    shown.countLeft -= 1;
  }
  return Math.min(due, shown.countedThrough);
}

/** The latest instant that may be due. */
function endOf(shown: ShownRecurrence): number {
  const ofRule = ruleEnd(shown);
  return Math.max(ofRule, shown.added.at(-1) ?? ofRule);
}

function ruleEnd(shown: ShownRecurrence): number {
  const { rule } = shown;
  if (shown.isRuleAlone) return rule.end;
  const last = rule.previous(SEARCH_END);
  return last === undefined ? rule.end : countedUntil(shown, last);
}

/** The place of the first number of an ascending list that is at or above `least`; its length where there is none. */
function placeIn(list: readonly number[], least: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

function show(trigger: RecurrenceTrigger): ShownRecurrence {
  const { zone, pattern, everyPass, recurrence } = trigger;
  const { rule, dtstart, exdates, rdates } = recurrence;
  const start = firstReaching(zone, dtstart);
  const removed = instantsOf(exdates, (wall) => instantsShowing(zone, wall));
  const added = instantsOf(rdates, (wall) => (exdates.includes(wall) ? [] : instantsShowing(zone, wall).slice(0, 1)));
  const shown: ShownRecurrence = {
    rule: wallTrigger('rrule', zone, pattern, { everyPass, shift: false }, start, lastOf(rule, zone)),
    removed,
    added,
    isRuleAlone: rule.count === undefined && removed.length === 0 && added.length === 0,
    countLeft: rule.count ?? 0,
    countedThrough: rule.count === undefined ? MAX_INSTANT : start - 1,
  };
  trigger.shown = shown;
  return shown;
}

const NONE: readonly number[] = [];

/** The instants of wall times, ascending. */
function instantsOf(walls: readonly number[], instants: (wall: number) => readonly number[]): readonly number[] {
  return walls.length === 0 ? NONE : walls.flatMap(instants).sort((a, b) => a - b);
}

/**
 * The last instant that UNTIL allows. A rule below the day goes on to the last pass of a repeated hour; any other runs in
 * the first pass alone, and ends there.
 */
function lastOf(rule: RecurrenceRule, zone: Zone): EpochMs {
  const { until } = rule;
  if (until === undefined || until.at >= SEARCH_END) return MAX_INSTANT;
  if (until.is === 'instant') return epochMs(until.at);
  return isBelowDay(rule) ? lastReaching(zone, until.at) : epochMs(firstReaching(zone, until.at + 1000) - 1);
}
