/**
 * What lint says: a closed table of codes, and one warning as data (TR-12).
 *
 * A warning names something that is allowed and yet probably not meant. It refuses nothing and changes nothing; codes are
 * API and stay, messages are for people and may change.
 */

/**
 * Every lint code with the sentence that explains it to a person (TR-12, TB-4).
 *
 * @public
 */
export const LINTS = {
  neverDue: 'the trigger has no due instant from now on',
  rarelyDue: 'the next due instant is more than four years ahead, or the one after it more than four years later',
  unevenStep: 'a step of the cron expression does not divide its field, so one gap is shorter than the others',
  bothDayFields: 'both day fields of the cron expression are restricted, and a date that matches either is due',
  idlePolicy: 'gap or repeat stands at a cron trigger that it has no effect on',
  transition: 'a wall time of the trigger falls in a gap or a repeat of its zone within the next two years',
  fixedZone: 'the name of the zone means one offset all year round, without summer time',
  shortPeriods: 'the day of the month comes from anchor or dtstart, and periods that lack it are skipped',
  skippedRdate: 'one of rdates falls in a gap of its zone, so it is never due',
  idleExdate: 'one of exdates is no time of its rule, so it takes nothing out',
  redundantMember: 'a trigger of anyOf adds nothing to the others',
  longSpread: 'the spread can put an instant off beyond the next one',
  spreadPastDay: 'the spread puts instants off to another date',
  spreadPastEnd: 'the spread puts an instant off beyond the end of the trigger',
  shortInterval: 'due instants lie closer together than a run recently took',
  catchUpExceedsBudget: 'what is caught up after an outage can use up maxOccurrences',
  unreachableRetries: 'budget.maxRepeatedFailures ends equal failures before maxRetries does',
  catchUpDropped: 'the overlap policy drops what the misfire policy catches up',
  budgetEndsSoon: 'maxOccurrences is used up within 90 days at the rate of the trigger, or its default within a year',
  expiresBeforeFirst: 'the schedule expires before its first due instant',
} as const;

/** A stable lint code. @public */
export type LintCode = keyof typeof LINTS;

/**
 * One thing about a declaration that its author should look at again.
 *
 * @public
 */
export interface Warning {
  /** See {@link LINTS}. */
  readonly code: LintCode;
  /** The field of the declaration that it is about, with dots between keys, such as `trigger.expression`. */
  readonly path: string;
  /** The rule of `src/SPEC.md` that asks for it. */
  readonly rule: 'TR-12';
  /** For a person: what was found, what will happen, and what to write instead where there is something. */
  readonly message: string;
}

/** A warning as {@link Warning} describes it. @internal */
export function warning(code: LintCode, path: string, message: string): Warning {
  return { code, path, rule: 'TR-12', message };
}
