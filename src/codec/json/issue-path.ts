/**
 * Paths of issues: dots between keys, brackets around positions (`trigger.times[2]`), quotes around a key that
 * would not read well without (`document["a.b"]`).
 *
 * Paths are put together from the inside out, only once a fault was found: input without faults builds none.
 */
import type { Issue } from '../../core/model/issue.js';

const PLAIN_KEY = /^[A-Za-z_$][\w$-]{0,63}$/;

/**
 * The path of a member of what stands at `path`: a key, or a position in a list.
 *
 * @internal
 */
export function memberPath(path: string, member: string | number): string {
  return joinPath(path, typeof member === 'number' ? `[${member}]` : stepOf(member));
}

/**
 * Two paths, one behind the other.
 *
 * @internal
 */
export function joinPath(path: string, rest: string): string {
  if (path === '' || rest === '') return path + rest;
  return rest.startsWith('[') ? path + rest : `${path}.${rest}`;
}

/**
 * The issues of a part, as issues of the whole that has this part at `path`.
 *
 * @internal
 */
export function issuesBelow(path: string, issues: readonly Issue[]): readonly Issue[] {
  return path === '' ? issues : issues.map((issue) => ({ ...issue, path: joinPath(path, issue.path) }));
}

function stepOf(key: string): string {
  return PLAIN_KEY.test(key) ? key : `[${JSON.stringify(key.length > 80 ? `${key.slice(0, 79)}…` : key)}]`;
}
