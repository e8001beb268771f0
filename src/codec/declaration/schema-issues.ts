/**
 * Issues of zod as issues of this library: path, rule, what was found, and the nearest known name of an unknown field.
 */
import type { z } from 'zod';
import type { Json, JsonObject } from '../../core/model/declaration.js';
import { foundText, type Issue } from '../../core/model/issue.js';
import { nearestNames, suggestion } from '../../core/time/nearest-names.js';
import { memberPath } from '../json/issue-path.js';
import { KNOWN_NAMES } from './declaration-schema.js';

/**
 * The issues of a schema with the fields that it was asked about, one for each path.
 *
 * @internal
 */
export function issuesOfSchema(error: z.core.$ZodError, fields: JsonObject): readonly Issue[] {
  const byPath = new Map<string, Issue>();
  for (const issue of error.issues.flatMap((found) => issuesOf(found, fields))) {
    if (!byPath.has(issue.path)) byPath.set(issue.path, issue);
  }
  return [...byPath.values()];
}

function issuesOf(issue: z.core.$ZodIssue, fields: JsonObject): readonly Issue[] {
  const path = issue.path.reduce<string>(
    (whole, step) => memberPath(whole, typeof step === 'number' ? step : String(step)),
    '',
  );
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownField(path, key));
  if (issue.code === 'invalid_key')
    return [
      {
        ...plainIssue(path, issue.issues[0]?.message ?? issue.message, undefined),
        found: foundText(String(issue.path.at(-1))),
      },
    ];
  return [plainIssue(path, issue.message, valueAt(fields, issue.path))];
}

function plainIssue(path: string, message: string, value: Json | undefined): Issue {
  const rule = ruleOf(path);
  return value === undefined
    ? { path, rule, message: `is required: ${message}` }
    : { path, rule, message, found: foundText(value) };
}

function unknownField(path: string, key: string): Issue {
  const known = KNOWN_NAMES[path] ?? [];
  const hint = suggestion(nearestNames(key, known, 1)) || `; known are ${known.join(', ')}`;
  return {
    path: memberPath(path, key),
    rule: 'DE-1',
    message: `unknown field ${foundText(key)}${hint}`,
    found: foundText(key),
  };
}

function ruleOf(path: string): string {
  if (path === 'expiresAt') return 'DE-2';
  return path === 'labels' || path.startsWith('labels.') || path.startsWith('labels[') ? 'DE-11' : 'DE-1';
}

function valueAt(fields: JsonObject, path: readonly PropertyKey[]): Json | undefined {
  let value: Json | undefined = fields;
  for (const step of path) {
    const holder: Json | undefined = value;
    value = typeof holder === 'object' && holder !== null ? (Reflect.get(holder, step) as Json | undefined) : undefined;
  }
  return value;
}
