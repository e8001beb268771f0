/**
 * The names of options, held against what a caller gives: a misspelt one is never passed over in silence (DE-1).
 *
 * Compilers find them where they are asked; a caller in JavaScript gets the same answer, with the nearest name. Each list
 * of names is bound to its type, so that neither can change without the other.
 */
import { foundText, type Issue } from '../../core/model/issue.js';
import { nearestNames, suggestion } from '../../core/time/nearest-names.js';
import { ScheduleError } from '../../errors.js';
import { memberPath } from './issue-path.js';

/** Every name of an options type, and no other. @internal */
export type OptionNames<Options> = { readonly [Name in keyof Options]-?: true };

/**
 * One issue for each own name of an object that is not known; none for what is no object, which others judge.
 *
 * @internal
 */
export function unknownOptions(given: unknown, known: Readonly<Record<string, true>>, path = ''): readonly Issue[] {
  if (typeof given !== 'object' || given === null) return [];
  return Object.keys(given)
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => unknownOption(memberPath(path, name), name, Object.keys(known)));
}

/**
 * Refuses unknown names in options that are no call's but a host's, with `SCHEDULE_CONFIG_INVALID`.
 *
 * @param doing - what cannot be done with them, as in `cannot open the workspace`.
 * @internal
 */
export function refuseUnknownOptions(doing: string, issues: readonly Issue[]): void {
  if (issues.length === 0) return;
  const list = issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new ScheduleError('SCHEDULE_CONFIG_INVALID', `${doing}: ${list}`, {
    details: { issues },
    hint: 'Correct the names of the options, or leave them away.',
  });
}

function unknownOption(path: string, name: string, known: readonly string[]): Issue {
  const near = nearestNames(name, known, 1);
  const rest = known.length === 0 ? '; none is known here' : `; known are ${known.join(', ')}`;
  const message = `unknown option ${foundText(name)}${suggestion(near) || rest}`;
  return { path, rule: 'DE-1', message, found: foundText(name) };
}
