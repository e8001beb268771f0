/**
 * What is wrong with a piece of input, as data.
 *
 * Every refusal of input carries a list of these: all faults at once, each with its path, the rule
 * that it breaks and what was found there. Nothing here throws; who reports them is the caller's affair.
 */

import { MOST_LISTED } from '../../errors.js';

/**
 * One fault in a piece of input.
 *
 * @public
 */
export interface Issue {
  /** Where it is: keys with dots between, places in brackets, as in `trigger.times[2]`; empty for the whole. */
  readonly path: string;
  /** The rule of `src/SPEC.md` that it breaks, such as `DE-1`. */
  readonly rule: string;
  /** One sentence for a person: what is allowed, and the nearest good value where there is one. */
  readonly message: string;
  /** What was found there, as short JSON text; absent when a value is missing. */
  readonly found?: string;
  /** Position of the fault in a text, counted in characters from 0 (cron texts and recurrence rules). */
  readonly at?: number;
  /** Line of the fault in a text of several lines, counted from 1 (iCalendar texts). */
  readonly line?: number;
}

/** Longest `found` text of an issue, in characters; a longer one is cut with an ellipsis. */
const FOUND_LIMIT = 80;

/**
 * Short JSON text of any value, for the `found` of an issue: never throws, never longer than 80 characters.
 *
 * @public
 */
export function foundText(value: unknown): string {
  const text = describe(value);
  return text.length > FOUND_LIMIT ? `${text.slice(0, FOUND_LIMIT - 1)}…` : text;
}

/**
 * One fault as a line of an error's message: its path, what is allowed, and what was found where the sentence does not say.
 *
 * @internal
 */
export function faultText({ path, message, found }: Issue): string {
  const told = found === undefined || message.includes(found) ? message : `${message} (found ${found})`;
  return path === '' ? told : `${path}: ${told}`;
}

/** What to do about so many faults, as far as an error lists them. @internal */
export function mendHint(faults: number): string {
  if (faults === 1) return 'Mend the field that is named.';
  const listed =
    faults <= MOST_LISTED ? 'all faults are listed' : `the first ${MOST_LISTED} of ${faults} faults are listed`;
  return `Mend the fields that are named; ${listed}.`;
}

function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.slice(0, FOUND_LIMIT * 2));
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'bigint':
      return `${value}n`;
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? `a list of ${value.length}` : 'an object';
    default:
      return typeof value === 'boolean' ? String(value) : typeof value;
  }
}
