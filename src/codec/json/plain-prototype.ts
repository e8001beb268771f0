/**
 * What counts as a plain object or list: one without a class of its own, also where it comes from another realm (a
 * worker, a test environment, a `vm` context), whose `Object` is not this one's.
 */

/** Keys that name a prototype where data is merged (DE-8). @internal */
export const PROTOTYPE_KEYS: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/**
 * Whether a value is an object without a class: its prototype is `Object.prototype` of any realm, or none.
 *
 * @internal
 */
export function isPlainObject(value: object): boolean {
  if (Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || isRootPrototype(prototype);
}

/**
 * Whether a value is a list without a class of its own: its prototype is `Array.prototype` of any realm.
 *
 * @internal
 */
export function isPlainList(value: object): value is readonly unknown[] {
  if (!Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Array.prototype) return true;
  return Array.isArray(prototype) && isRootPrototype(Object.getPrototypeOf(prototype));
}

/** Whether this is the `Object.prototype` of some realm. */
function isRootPrototype(prototype: unknown): boolean {
  if (typeof prototype !== 'object' || prototype === null) return false;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf');
}
