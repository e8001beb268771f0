/**
 * The wire form of the model: the same members, with instants as UTC text.
 *
 * Which members are instants is told by their names, so that a reader of a file or an answer can tell too: those that
 * end in `At`, and the few in {@link INSTANT_NAMES}. What authors and handlers wrote is passed on untouched.
 */

import type { Wire } from '../../core/explain/wire.js';
import type { Issue } from '../../core/model/issue.js';
import { foundText } from '../../core/model/issue.js';
import { type EpochMs, formatInstant, parseInstant } from '../../core/time/instant.js';
import { ScheduleError } from '../../errors.js';
import { issuesBelow } from '../json/issue-path.js';
import { plainCopy } from '../json/plain-copy.js';

/** Names of members that are instants without ending in `At`. @internal */
export const INSTANT_NAMES: ReadonlySet<string> = new Set([
  'at',
  'since',
  'from',
  'to',
  'until',
  'through',
  'last',
  'nextDue',
  'collectedThrough',
  'collectNotBefore',
  'prunedThrough',
]);

/** Members whose content belongs to an author or a handler: copied as they are. {@link Wire} names the same. */
const OPAQUE_NAMES: ReadonlySet<string> = new Set(['result', 'declaration', 'document', 'labels']);

/**
 * The wire form of a value of the model: a copy without undefined members, instants as `YYYY-MM-DDTHH:mm:ss.sssZ`.
 *
 * @internal
 */
export function toWire<T>(value: T): Wire<T> {
  return outward(value) as Wire<T>;
}

function outward(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(outward);
  const wire: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    if (typeof member === 'number' && isInstantName(name)) wire[name] = formatInstant(member as EpochMs);
    else wire[name] = OPAQUE_NAMES.has(name) ? plainCopy(member) : outward(member);
  }
  return wire;
}

/**
 * The value of the model that {@link toWire} made this of.
 *
 * @remarks Trusts the shape and checks the instants alone; a text that is none throws `SCHEDULE_CATALOGUE_CORRUPT`.
 * Rows that may be damaged go through the decoders of `rows.ts`. `from` and `to` that are no instants are left alone:
 * in events they name a status.
 * @internal
 */
export function fromWire<T>(value: unknown): T {
  const issues: Issue[] = [];
  const result = inward(value, issues);
  if (issues.length === 0) return result as T;
  throw new ScheduleError('SCHEDULE_CATALOGUE_CORRUPT', `a row with a bad instant at ${issues[0]?.path}`, {
    details: { issues },
    hint: 'Run `everdue check` on the workspace.',
  });
}

function inward(value: unknown, issues: Issue[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => inwardMember(`[${index}]`, item, issues));
  const model: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    model[name] = OPAQUE_NAMES.has(name) ? member : inwardMember(name, member, issues);
  }
  return model;
}

function inwardMember(name: string, member: unknown, issues: Issue[]): unknown {
  if (typeof member === 'string' && isInstantName(name)) {
    const instant = parseInstant(member);
    if (instant !== undefined) return instant;
    if (name !== 'from' && name !== 'to') issues.push(badInstant(name, member));
    return member;
  }
  if (typeof member !== 'object') return member;
  const below: Issue[] = [];
  const model = inward(member, below);
  if (below.length > 0) issues.push(...issuesBelow(name, below));
  return model;
}

function badInstant(path: string, found: string): Issue {
  const message = 'must be UTC text such as 2026-11-30T08:00:00.000Z';
  return { path, rule: 'ST-3', message, found: foundText(found) };
}

function isInstantName(name: string): boolean {
  return name.endsWith('At') || INSTANT_NAMES.has(name);
}
