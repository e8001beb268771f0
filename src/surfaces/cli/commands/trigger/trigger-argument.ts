/**
 * A trigger as it is given on the command line: JSON text, a file, standard input, or a bare cron text (SF-7).
 *
 * With an exclusion or a spread it stands in an object as in a declaration, `{id?, trigger, exclude?, spreadSeconds?}`.
 * There is no workspace, so there is no calendar that an exclusion could name.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type AskedDue, askDue, type DueInput, foundText } from '../../../../core/index.js';
import { type Issue, isScheduleError } from '../../../../index.js';
import { invalidInput, parseJson, readText } from '../../input.js';
import type { Surroundings } from '../../output/print.js';

/** What an argument may be, for the help of a command. @internal */
export const TRIGGER_ARGUMENT = 'JSON text, a file, `-` for standard input, or a bare cron text';

/** The trigger that an argument names: an object, or a bare cron text. @internal */
export async function readTrigger(argument: string, surroundings: Surroundings): Promise<unknown> {
  if (isJson(argument)) return readObject(argument, 'the trigger');
  if (argument !== '-' && !isFile(argument, surroundings.cwd)) return argument;
  const text = await readText(argument, surroundings);
  return isJson(text) ? readObject(text, argument) : text.trim();
}

/** No cron text begins like this. */
function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

function readObject(text: string, named: string): unknown {
  const value = parseJson(text, named);
  if (!Array.isArray(value)) return value;
  const hint =
    'Several triggers are one as {"kind": "anyOf", "of": [...]}; several questions are the lines of --batch.';
  throw invalidInput(`${named} is no trigger`, [fault('', 'must be one trigger, not a list', value)], hint);
}

/** Cron texts have spaces or start with `@`; of the rest, what ends in `.json` or exists is a file. */
function isFile(argument: string, cwd: string): boolean {
  if (argument.endsWith('.json')) return true;
  return !/\s|^@/.test(argument) && existsSync(resolve(cwd, argument));
}

/** Whether an object has a trigger rather than being one. @internal */
export function hasTrigger(read: unknown): read is { readonly trigger: unknown } {
  return isObject(read) && !('kind' in read) && 'trigger' in read;
}

/** What is asked about, or what is wrong with it; a bare cron text is meant in `timezone`, UTC where that is absent. @internal */
export function askedOf(read: unknown, timezone: unknown): AskedDue | { readonly issues: readonly Issue[] } {
  try {
    const zone = timezone as string | undefined;
    return askDue(read as DueInput, zone === undefined ? {} : { timezone: zone });
  } catch (error) {
    if (!isScheduleError(error, 'SCHEDULE_DECLARATION_INVALID')) throw error;
    return { issues: error.details['issues'] as readonly Issue[] };
  }
}

/** A person who typed a cron text sees all of it in the error, and not only the token that is wrong. @internal */
export function shownWhole<T>(read: unknown, what: string, ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    if (typeof read !== 'string' || !isScheduleError(error, 'SCHEDULE_DECLARATION_INVALID')) throw error;
    const issues = (error.details['issues'] as readonly Issue[]).map((issue) =>
      issue.path.endsWith('expression') ? { ...issue, found: JSON.stringify(read) } : issue,
    );
    throw invalidInput(what, issues, error.hint);
  }
}

/** A fault of the input of a command. @internal */
export function fault(path: string, message: string, found: unknown, rule = 'SF-7'): Issue {
  return { path, rule, message, ...(found === undefined ? {} : { found: foundText(found) }) };
}

/** Whether a value is an object with fields. @internal */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
