/** Strict JSON: what is refused, where, and how fast hostile texts are dealt with. */
import { describe, expect, it } from 'vitest';
import { parseStrictJson } from '../../src/codec/strict-json.js';

function faults(text: string, limits = {}): readonly (readonly [string, number | undefined])[] {
  const result = parseStrictJson(text, limits);
  return result.ok ? [] : result.issues.map(({ path, at }) => [path, at] as const);
}

describe('strict JSON', () => {
  it.each([
    ['a duplicate key', '{"a":1,"a":2}', 'a', 7],
    ['a duplicate key by its escape', '{"a":1,"\\u0061":2}', 'a', 7],
    ['a duplicate __proto__', '{"__proto__":1,"__proto__":2}', '__proto__', 15],
    ['a duplicate empty key', '{"":1,"":2}', '[""]', 6],
    ['a duplicate deep inside', '[0,{"x":{"b.c":1,"b.c":1}}]', '[1].x["b.c"]', 17],
    ['an overflow', '{"n":1e309}', 'n', 5],
    ['an underflow', '[1e-400]', '[0]', 1],
    ['2^53 + 1', '[9007199254740993]', '[0]', 1],
    ['2^53 + 1 in other words', '[9007199254740993.0]', '[0]', 1],
    ['digits beyond a double', '[3.14159265358979323846]', '[0]', 1],
    ['half a surrogate pair', '["\\ud800"]', '[0]', 1],
    ['the other half', '["\\udc00x"]', '[0]', 1],
    ['a raw half', '["\ud800"]', '[0]', 1],
    ['half a pair in a key', '{"\\ud800":1}', '', 1],
    ['nothing', '', '', 0],
    ['a value cut short', '{"a":', 'a', 5],
    ['a list cut short', '[1', '', 2],
    ['a text cut short', '["abc', '[0]', 1],
    ['a comma too many', '[1,]', '[1]', 3],
    ['a missing colon', '{"a" 1}', 'a', 5],
    ['a missing comma', '{"a":1 "b":2}', '', 7],
    ['a bare key', '{a:1}', '', 1],
    ['a leading zero', '01', '', 1],
    ['NaN', '[NaN]', '[0]', 1],
    ['a bad escape', '["\\x"]', '[0]', 2],
    ['a bad unicode escape', '["\\u12g4"]', '[0]', 2],
    ['a raw control character', '["a\nb"]', '[0]', 3],
    ['a second value', '1 2', '', 2],
    ['a byte order mark', '\ufeff{}', '', 0],
    ['a comment', '{} // no', '', 3],
  ])('[DE-3, ST-3] refuses %s with path and position', (_what, text, path, at) => {
    expect(faults(text)).toContainEqual([path, at]);
  });

  it('[DE-1, DE-3] reports all faults at once', () => {
    expect(faults('{"a":1e400,"b":"\\ud800","a":1,"c":9007199254740993}').map(([path]) => path)).toEqual([
      'a',
      'b',
      'a',
      'c',
    ]);
  });

  it.each([
    ['0.1', 0.1],
    ['-0.5', -0.5],
    ['1.0', 1],
    ['1e2', 100],
    ['9007199254740992', 2 ** 53],
    ['1.7976931348623157e308', Number.MAX_VALUE],
    ['5e-324', 5e-324],
    ['0e999', 0],
    ['100000000000000000000', 1e20],
  ])('[DE-3] keeps the number %s', (text, value) => {
    expect(parseStrictJson(text)).toEqual({ ok: true, value });
  });

  it.each(['-0', '-0.0', '-0e5'])('[DE-3] reads %s as 0', (text) => {
    const result = parseStrictJson(`[${text}]`);
    expect(result).toEqual({ ok: true, value: [0] });
    expect(result.ok && Object.is((result.value as number[])[0], 0)).toBe(true);
  });

  it('[DE-8] __proto__ and its like are plain data and set no prototype', () => {
    const result = parseStrictJson('{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}');
    expect(result.ok && Object.keys(result.value as object)).toEqual(['__proto__', 'constructor']);
    expect(result.ok && Object.getPrototypeOf(result.value)).toBe(Object.prototype);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('[DE-11] holds size, depth and number of keys to the limit, and one more is refused', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(faults(nested(64), { depth: 64 })).toEqual([]);
    expect(faults(nested(65), { depth: 64 })).toEqual([['[0]'.repeat(64), 64]]);
    expect(faults('{"a":{"b":1}}', { keys: 2 })).toEqual([]);
    expect(faults('{"a":{"b":1}}', { keys: 1 })).toEqual([['a.b', 6]]);
    expect(faults('"äö"', { bytes: 6 })).toEqual([]);
    expect(faults('"äö"', { bytes: 5 })).toHaveLength(1);
  });

  it.each([
    ['a million open lists', '['.repeat(1_000_000)],
    ['a million open objects', '{"a":'.repeat(1_000_000)],
    ['a million backslashes', `"${'\\'.repeat(1_000_001)}"`],
    ['a million escaped quotes', `["${'\\"'.repeat(1_000_000)}"]`],
    ['a million digits', `[1${'0'.repeat(1_000_000)}]`],
    ['a million small zeros', `[0.${'0'.repeat(1_000_000)}1]`],
    ['a million duplicates', `{${'"a":1,'.repeat(1_000_000)}"a":1}`],
  ])('[ST-3] deals with %s in time that grows with its length', (_what, text) => {
    // At a square of the length it would not come back before the runner gives up on it.
    expect(parseStrictJson(text)).toBeDefined();
  });
});
