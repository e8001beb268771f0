/**
 * A deep copy of what a caller hands over, taken only where it is plain JSON (DE-3).
 *
 * The copy shares nothing with the caller's objects, so that no later change reaches it. Each property is read once,
 * by its descriptor: no getter runs. What JSON would drop or change (undefined, NaN, functions, dates, classes, holes)
 * is refused with its path rather than lost. Keys such as `__proto__` stay plain data and never set a prototype.
 */
import type { Json, JsonObject } from '../core/model/declaration.js';
import { foundText, type Issue } from '../core/model/issue.js';
import { canonicalJson } from './canonical-json.js';
import { memberPath } from './json/issue-path.js';
import { isPlainList, isPlainObject } from './json/plain-prototype.js';
import { hasLoneSurrogate, isLongerThan } from './json/unicode-text.js';

/** Bounds of a copy. @internal */
export interface PlainLimits {
  /** Size of the canonical text in bytes; 64 MiB where absent. */
  readonly bytes?: number;
  /** Levels of lists and objects, at most 1000; 128 where absent. */
  readonly depth?: number;
  /** Keys of all objects together; no bound where absent. */
  readonly keys?: number;
  /** True: a member of an object that is undefined counts as absent. */
  readonly dropsUndefined?: boolean;
  /** What stands for an object, such as the text of a date; nothing where it is to be copied or refused as it is. */
  readonly replace?: (value: object, path: readonly (string | number)[]) => Json | undefined;
  /** The rule that is broken by a value that is not plain; `DE-3` where absent. */
  readonly rule?: string;
  /** The rule that is broken by one that is too large; `rule` where absent. */
  readonly sizeRule?: string;
}

/** The copy, or everything that is not plain JSON. @internal */
export type PlainJsonResult =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Faults that are reported of one value; what follows is not looked at. */
const MOST_ISSUES = 50;

/**
 * Copies plain JSON deeply (-0 becomes 0), or says with path what is not plain, too deep or too large; never throws.
 *
 * @param path - where the value stands, for the issues; empty for the whole input.
 * @internal
 */
export function copyPlainJson(value: unknown, path: string, limits: PlainLimits = {}): PlainJsonResult {
  const copying = new PlainCopy(path, limits);
  const copy = copying.run(value);
  return copying.issues.length > 0 || copy === undefined
    ? { ok: false, issues: copying.issues }
    : { ok: true, value: copy };
}

class PlainCopy {
  readonly issues: Issue[] = [];
  readonly #limits: PlainLimits;
  readonly #root: string;
  readonly #path: (string | number)[] = [];
  readonly #open = new Set<object>();
  readonly #bytes: number;
  readonly #depth: number;
  #keys = 0;
  /** Fewest bytes that the copy can take so far. */
  #size = 0;
  #isStopped = false;

  constructor(root: string, limits: PlainLimits) {
    this.#root = root;
    this.#limits = limits;
    this.#bytes = limits.bytes ?? 67_108_864;
    this.#depth = Math.min(limits.depth ?? 128, 1000);
  }

  run(value: unknown): Json | undefined {
    try {
      const copy = this.#copy(value);
      if (copy === undefined || this.issues.length > 0 || this.#limits.bytes === undefined) return copy;
      return isLongerThan(canonicalJson(copy), this.#bytes) ? this.#tooLarge() : copy;
    } catch (error) {
      // Only a proxy can throw here: what its traps do is the caller's own code.
      const what = error instanceof Error ? error.message : foundText(error);
      return this.#refuse(`could not be read: ${what}`, foundText(value));
    }
  }

  #copy(value: unknown): Json | undefined {
    switch (typeof value) {
      case 'string':
        this.#grow(value.length + 2);
        return hasLoneSurrogate(value)
          ? this.#refuse('must not hold half of a surrogate pair', foundText(value))
          : value;
      case 'number':
        this.#grow(1);
        return Number.isFinite(value) ? value + 0 : this.#refuse('must be a finite number', foundText(value));
      case 'boolean':
        this.#grow(4);
        return value;
      case 'object':
        this.#grow(2);
        return value === null ? null : this.#copyObject(value);
      default:
        return this.#refuse('must be a value that JSON has', foundText(value));
    }
  }

  #copyObject(value: object): Json | undefined {
    const replaced = this.#limits.replace?.(value, this.#path);
    if (replaced !== undefined) return replaced;
    const isList = isPlainList(value);
    if (!isList && !isPlainObject(value)) return this.#refuse('must be a plain object or list', kindOf(value));
    if (this.#open.has(value)) return this.#refuse('must not hold itself', foundText(value));
    if (this.#open.size >= this.#depth) {
      return this.#stop(`must have at most ${this.#depth} levels of lists and objects`);
    }
    this.#open.add(value);
    const copy = isList ? this.#copyList(value) : this.#copyMembers(value);
    this.#open.delete(value);
    return copy;
  }

  #copyList(list: readonly unknown[]): Json | undefined {
    const length = list.length;
    if (length > this.#bytes) return this.#tooLarge();
    const copy: Json[] = [];
    for (let index = 0; index < length && !this.#isStopped; index++) {
      this.#path.push(index);
      const item = this.#copyProperty(list, String(index));
      this.#path.pop();
      if (item === undefined && !Object.hasOwn(list, index)) break;
      if (item !== undefined) copy.push(item);
    }
    const extra = Reflect.ownKeys(list).find((key) => key !== 'length' && !isIndexBelow(key, length));
    if (extra !== undefined)
      return this.#refuse('must be a list without members of other names', foundText(String(extra)));
    return copy;
  }

  #copyMembers(object: object): JsonObject | undefined {
    const copy: Record<string, Json> = {};
    for (const key of Reflect.ownKeys(object)) {
      if (this.#isStopped) return undefined;
      if (typeof key === 'symbol') {
        this.#refuse('must have no symbol as a key', String(key));
        continue;
      }
      if (!Object.prototype.propertyIsEnumerable.call(object, key)) continue;
      this.#path.push(key);
      this.#copyMember(object, key, copy);
      this.#path.pop();
    }
    return copy;
  }

  #copyMember(object: object, key: string, copy: Record<string, Json>): void {
    this.#grow(key.length + 3);
    if (++this.#keys > (this.#limits.keys ?? Number.POSITIVE_INFINITY)) {
      this.#stop(`must have at most ${this.#limits.keys} keys`);
      return;
    }
    if (hasLoneSurrogate(key)) this.#refuse('must not hold half of a surrogate pair in a key', foundText(key));
    const value = this.#copyProperty(object, key);
    if (value !== undefined) {
      Object.defineProperty(copy, key, { value, enumerable: true, configurable: true, writable: true });
    }
  }

  #copyProperty(holder: object, key: string): Json | undefined {
    const property = Object.getOwnPropertyDescriptor(holder, key);
    if (property === undefined) return this.#refuse('must not be a hole in a list');
    if (!('value' in property)) return this.#refuse('must be data, not a getter or setter');
    if (property.value === undefined && this.#limits.dropsUndefined === true && !Array.isArray(holder))
      return undefined;
    return this.#copy(property.value);
  }

  #grow(bytes: number): void {
    this.#size += bytes;
    if (this.#size > this.#bytes && !this.#isStopped) this.#tooLarge();
  }

  #tooLarge(): undefined {
    this.#path.length = 0;
    return this.#stop(`must have at most ${this.#bytes} bytes as canonical JSON`, this.#limits.sizeRule);
  }

  #stop(message: string, rule?: string): undefined {
    this.#isStopped = true;
    return this.#refuse(message, undefined, rule);
  }

  #refuse(message: string, found?: string, rule = this.#limits.rule ?? 'DE-3'): undefined {
    const path = this.#path.reduce<string>(memberPath, this.#root);
    this.issues.push({ path, rule, message, ...(found !== undefined && { found }) });
    if (this.issues.length >= MOST_ISSUES) this.#isStopped = true;
    return undefined;
  }
}

function isIndexBelow(key: string | symbol, length: number): boolean {
  return typeof key === 'string' && /^(0|[1-9]\d{0,9})$/.test(key) && Number(key) < length;
}

function kindOf(value: object): string {
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  return tag === 'Object' ? 'an instance of a class' : `a ${tag}`;
}
