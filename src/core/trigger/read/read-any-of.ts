/**
 * Reads an `anyOf` trigger: each of its members as a trigger of its own (TR-1, DE-11).
 *
 * In the normal form equal members stand once, and members are in the order of their texts, so that unions which mean the
 * same are written the same. What is compiled keeps the author's order, for all that is told to a person.
 */

import type { Issue } from '../../model/issue.js';
import type { Trigger } from '../../model/trigger.js';
import { anyOfTrigger } from '../any-of-trigger.js';
import { below, type Fields, readList } from './field-reader.js';
import type { Reading } from './reading.js';

/** The fields of an `anyOf` trigger, in the order in which they are stored. @internal */
export const ANY_OF_FIELDS = ['kind', 'of'] as const;

/**
 * Reads the members with `readOne`, which is given the list for the faults of that member; their paths begin with the
 * place of the member, such as `of[2].expression`.
 *
 * @internal
 */
export function readAnyOf(
  fields: Fields<(typeof ANY_OF_FIELDS)[number]>,
  issues: Issue[],
  readOne: (member: unknown, issues: Issue[]) => Reading | undefined,
): Reading | undefined {
  const members = readList(fields.of, 'of', 'DE-1', issues, (member, place) => {
    const found: Issue[] = [];
    const reading = readOne(member, found);
    for (const fault of found) issues.push(below(place, fault));
    return reading;
  });
  if (issues.length > 0 || members === undefined) return undefined;
  const given = members.map((member) => member.normalized);
  const normalized: Trigger = { kind: 'anyOf', of: withoutDoubles(given) };
  return {
    value: anyOfTrigger(
      members.map((member) => member.value),
      given,
    ),
    normalized,
  };
}

function withoutDoubles(given: readonly Trigger[]): readonly Trigger[] {
  const byText = new Map(given.map((member) => [JSON.stringify(member), member]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, member]) => member);
}
