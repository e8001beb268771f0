/** JSON as it grows: what is put down piece by piece is what `JSON.stringify` would say. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonBytes, writtenText } from '../../src/codec/json/json-bytes.js';

const anyText = fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ minLength: 300 }));

describe('JSON in bytes', () => {
  it('[ST-1] any text is quoted as JSON quotes it, wherever it stands', () => {
    fc.assert(
      fc.property(fc.array(anyText), (texts) => {
        const said = writtenText((out) => {
          for (const text of texts) out.quoted(text);
        });
        expect(said).toBe(texts.map((text) => JSON.stringify(text)).join(''));
      }),
    );
  });

  it('[ST-1] grows as far as it must, and gives back what was cut off', () => {
    const out = new JsonBytes();
    const long = 'ä'.repeat(100_000);
    for (let round = 0; round < 3; round += 1) {
      out.ascii('[');
      out.utf8(long);
      const start = out.length;
      for (let count = 0; count < 300_000; count += 1) out.ascii('0123456789');
      expect(out.from(start).length).toBe(3_000_000);
      out.cut(start);
      expect(out.from(0).toString()).toBe(`[${long}`);
      out.cut(0);
      expect(out.length).toBe(0);
    }
  });

  it('[ST-1] what is written while something else is written stands apart', () => {
    const inner = () => writtenText((out) => out.quoted('inner'));
    expect(writtenText((out) => out.ascii(`[1,${inner()},2]`))).toBe('[1,"inner",2]');
    const broken = () => {
      writtenText((out) => {
        out.ascii('half');
        throw new RangeError('no more');
      });
    };
    expect(broken).toThrow('no more');
    expect(writtenText((out) => out.ascii('whole'))).toBe('whole');
  });
});
