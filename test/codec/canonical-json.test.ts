/** Canonical JSON and digests, held against the examples of RFC 8785 and digests computed elsewhere. */
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/codec/canonical-json.js';
import { digestOf, sha256Hex } from '../../src/codec/digest.js';
import type { Json } from '../../src/core/model/declaration.js';

describe('canonicalJson', () => {
  it('[DE-3] writes the example of RFC 8785 section 3.2.2 as section 3.2.4 shows it', () => {
    const example = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],' +
        '"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    ) as Json;
    expect(canonicalJson(example)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('[DE-3] sorts keys by UTF-16 code units, as RFC 8785 section 3.2.3 does', () => {
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const text = canonicalJson(Object.fromEntries(keys.map((key) => [key, 0])));
    expect(Object.keys(JSON.parse(text) as object).filter((key) => key !== '1')).toEqual([
      '\r',
      '\u0080',
      '\u00f6',
      '\u20ac',
      '\ud83d\ude00',
      '\ufb33',
    ]);
    expect(text.startsWith('{"\\r":0,"1":0,')).toBe(true);
  });

  it.each([
    [-0, '0'],
    [1e21, '1e+21'],
    [5e-324, '5e-324'],
    [9007199254740992, '9007199254740992'],
    ['\ud800', '"\\ud800"'],
    [JSON.parse('{"__proto__":{"b":1,"a":2}}') as Json, '{"__proto__":{"a":2,"b":1}}'],
  ] satisfies [Json, string][])('[DE-3] %j is %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, undefined, { a: undefined }])('[DE-3] refuses %s', (value) => {
    expect(() => canonicalJson(value as Json)).toThrow(
      expect.objectContaining({ code: 'SCHEDULE_DECLARATION_INVALID' }) as Error,
    );
  });
});

describe('digestOf', () => {
  it('[DE-3] is SHA-256 over the canonical text, whatever the order of keys', () => {
    const digest = 'sha256:43258cff783fe7036d8a43033f830adfc60ec037382473548ac742b888292777';
    expect(digestOf({ b: 2, a: 1 })).toBe(digest);
    expect(digestOf({ a: 1, b: 2 })).toBe(digest);
    expect(sha256Hex('{"a":1,"b":2}')).toBe(digest.slice('sha256:'.length));
    expect(sha256Hex(new TextEncoder().encode('ä'))).toBe(sha256Hex('ä'));
  });
});
