/** Plain copies of what callers hand over: what is kept, what is refused, and that nothing of the caller's runs. */
import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { copyPlainJson } from '../../src/codec/plain-json.js';

function faults(value: unknown, limits = {}): readonly (readonly [string, string])[] {
  const result = copyPlainJson(value, 'document', limits);
  return result.ok ? [] : result.issues.map(({ path, message }) => [path, message] as const);
}

class Point {
  readonly x = 1;
}

class MyList extends Array<number> {}

function cycle(): unknown {
  const a: { b?: unknown } = {};
  a.b = [a];
  return a;
}

function holed(): unknown {
  const list = [1, 2, 3];
  delete list[1];
  return list;
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
}

describe('copyPlainJson', () => {
  it.each([
    ['undefined', { a: undefined }, 'document.a'],
    ['NaN', { a: [Number.NaN] }, 'document.a[0]'],
    ['infinity', { a: Number.NEGATIVE_INFINITY }, 'document.a'],
    ['a bigint', [1n], 'document[0]'],
    ['a function', { toJSON: () => 1 }, 'document.toJSON'],
    ['a symbol', { a: Symbol('s') }, 'document.a'],
    ['a symbol as a key', { a: { [Symbol('s')]: 1 } }, 'document.a'],
    ['a date', { a: new Date(0) }, 'document.a'],
    ['a map', { a: new Map() }, 'document.a'],
    ['a boxed number', { a: Object(1) }, 'document.a'],
    ['an instance of a class', { 'x.y': new Point() }, 'document["x.y"]'],
    ['a list of a class', { a: MyList.from([1]) }, 'document.a'],
    ['an object on an object', { a: Object.create({ b: 1 }) }, 'document.a'],
    ['a list with an object for a prototype', { a: Object.setPrototypeOf([1], Object.prototype) }, 'document.a'],
    ['half a surrogate pair', { a: 'x\ud800' }, 'document.a'],
    ['half a surrogate pair in a key', { a: { '\udc00': 1 } }, 'document.a["\\udc00"]'],
    ['a cycle', cycle(), 'document.b[0]'],
    ['a hole in a list', { a: holed() }, 'document.a[1]'],
    ['a list of holes', { a: new Array(1e9) }, 'document'],
    ['a list with other members', { a: Object.assign([1], { b: 2 }) }, 'document.a'],
    ['a typed array', { a: new Uint8Array(1) }, 'document.a'],
  ])('[DE-3] refuses %s with its path', (_what, value, path) => {
    expect(faults(value).map((fault) => fault[0])).toContain(path);
  });

  it('[DE-3] runs no getter and no toJSON, and refuses both', () => {
    let runs = 0;
    const value = {
      get a() {
        runs++;
        return 1;
      },
      toJSON() {
        runs++;
        return {};
      },
    };
    expect(faults(value).map(([path]) => path)).toEqual(['document.a', 'document.toJSON']);
    expect(runs).toBe(0);
  });

  it('[DE-3] -0 becomes 0', () => {
    const result = copyPlainJson([-0], '', {});
    expect(result.ok && Object.is((result.value as number[])[0], 0)).toBe(true);
  });

  it('[DE-3] what the caller changes later changes nothing', () => {
    const list = [1];
    const value = { list, again: list };
    const result = copyPlainJson(value, '', {});
    list.push(2);
    expect(result).toEqual({ ok: true, value: { list: [1], again: [1] } });
  });

  it('[DE-8] keys that name prototypes are plain data inside a document', () => {
    const value: unknown = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":2}}');
    const result = copyPlainJson(value, '', {});
    expect(result.ok && JSON.stringify(result.value)).toBe(JSON.stringify(value));
    expect(result.ok && Object.getPrototypeOf(result.value)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });

  it('[DE-3] takes plain objects of another realm, and objects without a prototype', () => {
    const foreign: unknown = runInContext('({ a: [1, { b: null }] })', createContext({}));
    expect(copyPlainJson(foreign, '', {})).toEqual({ ok: true, value: { a: [1, { b: null }] } });
    expect(copyPlainJson(Object.assign(Object.create(null), { a: 1 }), '', {})).toEqual({ ok: true, value: { a: 1 } });
    expect(faults(runInContext('[new Date(0), new Map(), new (class A {})]', createContext({})))).toHaveLength(3);
  });

  it('[DE-3] a proxy that throws is a refusal, not an exception', () => {
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no');
        },
      },
    );
    expect(faults({ a: hostile })).toEqual([['document.a', 'could not be read: no']]);
  });

  it('[DE-3, DE-11] holds depth, size and keys to the limit, and one more is refused', () => {
    expect(faults(nested(64), { depth: 64 })).toEqual([]);
    expect(faults(nested(65), { depth: 64 })).toHaveLength(1);
    expect(faults({ a: 'ä' }, { bytes: 10 })).toEqual([]);
    expect(faults({ a: 'ä' }, { bytes: 9 })).toHaveLength(1);
    expect(faults({ a: 1, b: { c: 1 } }, { keys: 3 })).toEqual([]);
    expect(faults({ a: 1, b: { c: 1 } }, { keys: 2 })).toHaveLength(1);
  });

  it('[DE-3] shared objects that would unfold without end are refused by size, before they unfold', () => {
    let value: unknown = 'x';
    for (let level = 0; level < 60; level++) value = [value, value];
    expect(faults(value, { bytes: 1_048_576, depth: 64 })).toHaveLength(1);
  });

  it('[DE-1] reports all faults at once, up to 50', () => {
    expect(faults({ a: undefined, b: Number.NaN, c: [() => 1] }).map(([path]) => path)).toEqual([
      'document.a',
      'document.b',
      'document.c[0]',
    ]);
    expect(faults(Array.from({ length: 500 }, () => undefined))).toHaveLength(50);
  });
});
