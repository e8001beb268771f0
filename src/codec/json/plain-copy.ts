/**
 * Copies of plain data that is known to be plain: what one side is given, the other side may do with as it likes.
 *
 * What comes from a caller is not known to be: that goes through `plain-json.ts`.
 */

import { isPlainList, isPlainObject } from './plain-prototype.js';

/** A copy that shares nothing with the value, but for one member of it that is named. @internal */
export function plainCopy<T>(value: T, shared?: keyof T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => plainCopy(item)) as T;
  const copy = { ...value };
  // No list of its names is made: rows are copied with every commit.
  for (const name in copy) {
    const member = copy[name];
    if (typeof member === 'object' && name !== shared && Object.hasOwn(copy, name)) copy[name] = plainCopy(member);
  }
  return copy;
}

/** A copy of every plain list and object in it; what is of a class of its own stays what it is. @internal */
export function plainPartsCopied<T>(value: T, copies = new Map<unknown, unknown>()): T {
  if (typeof value !== 'object' || value === null) return value;
  if (copies.has(value)) return copies.get(value) as T;
  if (!isPlainList(value) && !isPlainObject(value)) return value;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as T & object;
  copies.set(value, copy);
  for (const name of Object.keys(copy) as (keyof T)[]) copy[name] = plainPartsCopied(copy[name], copies);
  return copy;
}

/** A copy that nobody can change, for what many are shown. @internal */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map((item) => frozenCopy(item))) as T;
  const copy = { ...value };
  for (const name of Object.keys(copy) as (keyof T)[]) copy[name] = frozenCopy(copy[name]);
  return Object.freeze(copy);
}
