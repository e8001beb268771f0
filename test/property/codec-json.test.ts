/** JSON, canonical and strict, on arbitrary values and on arbitrary damage to texts. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/codec/canonical-json.js';
import { digestOf } from '../../src/codec/digest.js';
import { faultsOfJson } from '../../src/codec/json/json-scan.js';
import { copyPlainJson } from '../../src/codec/plain-json.js';
import { parseStrictJson } from '../../src/codec/strict-json.js';
import type { Json, JsonObject } from '../../src/core/model/declaration.js';

const key = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('__proto__', 'constructor', 'toString', '', 'a', 'b', '1'),
);
const leaf: fc.Arbitrary<Json> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const { value: json } = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('value'), { maxLength: 4 }), tie('object')),
  object: fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
}));

/** The same value with the keys of every object in the opposite order. */
function reordered(value: Json): Json {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  const copy = {};
  for (const [name, member] of Object.entries(value).reverse()) {
    Object.defineProperty(copy, name, {
      value: reordered(member),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return copy;
}

/** Every object and list of a value. */
function holders(value: Json): readonly object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(holders)];
}

describe('canonical JSON', () => {
  it('[DE-3] parses back to the value', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(value);
      }),
    );
  });

  it('[DE-3] does not depend on the order of keys', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalJson(reordered(value))).toBe(canonicalJson(value));
        expect(digestOf({ value: reordered(value) })).toBe(digestOf({ value }));
      }),
    );
  });

  it('[DE-3] differs where the value differs', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(canonicalJson(a) === canonicalJson(b)).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)));
      }),
    );
  });
});

/** A value as nested pairs, so that `JSON.stringify` keeps the order. */
function sorted(value: Json): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const);
  return { entries: entries.sort(([a], [b]) => (a < b ? -1 : 1)) };
}

describe('strict JSON', () => {
  it('[DE-3] agrees with JSON.parse on what has no fault, however it is laid out', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(0, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  it('[DE-3] the close look finds no fault where the quick one is sure, and none where JSON.parse and it agree', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(faultsOfJson(JSON.stringify(value), { depth: 100, keys: Number.POSITIVE_INFINITY })).toEqual([]);
      }),
    );
  });

  it('[DE-3, ST-3] never throws, and refuses whatever JSON.parse refuses', () => {
    const damaged = fc.tuple(
      json,
      fc.nat(),
      fc.constantFrom('', '"', '\\', '{', '[', ',', ':', '}', '\ud800', '-', '0', 'e9'),
    );
    fc.assert(
      fc.property(damaged, ([value, position, insert]) => {
        const text = JSON.stringify(value);
        const at = position % (text.length + 1);
        const broken = text.slice(0, at) + insert + text.slice(at + 1);
        const result = parseStrictJson(broken);
        if (result.ok) expect(JSON.stringify(result.value)).toBe(JSON.stringify(JSON.parse(broken)));
        else expect(result.issues.length).toBeGreaterThan(0);
      }),
      { numRuns: 2000 },
    );
  });

  it('[DE-3] a number is kept exactly if its digits come back', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,24})(\.\d{1,25})?(e[+-]?\d{1,3})?$/);
    fc.assert(
      fc.property(digits, (token) => {
        const isKept = rational(token) === rational(String(Number(token)));
        expect(parseStrictJson(token).ok).toBe(isKept);
      }),
      { numRuns: 2000 },
    );
  });

  it('[DE-3] a key that is written twice anywhere is found', () => {
    const object = fc.dictionary(key, leaf, { minKeys: 1, maxKeys: 6, noNullPrototype: true });
    fc.assert(
      fc.property(object, fc.nat(), (value, pick) => {
        const names = Object.keys(value);
        const twice = JSON.stringify(names[pick % names.length]);
        const result = parseStrictJson(`[${JSON.stringify(value).slice(0, -1)},${twice}:null}]`);
        expect(result.ok ? '' : result.issues[0]?.message).toBe('must stand only once in its object');
      }),
    );
  });
});

/** The exact value of a decimal, as a reduced text: an independent reckoning with big integers. */
function rational(token: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(token);
  if (match === null) return 'not finite';
  const fraction = match[3] ?? '';
  let units = BigInt(`${match[2]}${fraction}`);
  let exponent = Number(match[4] ?? 0) - fraction.length;
  if (units === 0n) return '0';
  while (units % 10n === 0n) {
    units /= 10n;
    exponent++;
  }
  return `${match[1]}${units}e${exponent}`;
}

describe('plain copies', () => {
  it('[DE-3] equal the value and share nothing with it', () => {
    fc.assert(
      fc.property(json, (value) => {
        const result = copyPlainJson(value, '', { depth: 64 });
        expect(result).toEqual({ ok: true, value });
        const theirs = new Set(holders(value));
        if (result.ok) expect(holders(result.value).filter((holder) => theirs.has(holder))).toEqual([]);
      }),
    );
  });

  it('[DE-3] never throw, and give only what JSON keeps', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        const result = copyPlainJson(value, '', { depth: 64, bytes: 100_000 });
        if (result.ok) expect(JSON.parse(JSON.stringify(result.value))).toEqual(result.value);
        else expect(result.issues.length).toBeGreaterThan(0);
      }),
      { numRuns: 1000 },
    );
  });
});
