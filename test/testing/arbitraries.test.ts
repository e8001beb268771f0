/** Whatever the arbitraries make is valid. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeDeclaration } from '../../src/codec/declaration-codec.js';
import { CONTROLS_BY_STATUS } from '../../src/core/model/schedule.js';
import { compileTrigger } from '../../src/core/trigger/compile.js';
import { arbitraries } from '../../src/testing/arbitraries.js';

const made = arbitraries(fc);

describe('arbitraries', () => {
  it('[TR-1] every trigger compiles', () => {
    fc.assert(
      fc.property(made.trigger, (trigger) => {
        expect(compileTrigger(trigger)).toMatchObject({ ok: true });
      }),
    );
  });

  it('[DE-1] every declaration is valid', async () => {
    await fc.assert(
      fc.asyncProperty(made.declaration, async (declaration) => {
        const read = await decodeDeclaration({ id: 'sample', ...declaration }, {});
        expect(read.ok ? [] : read.issues).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it('[CT-15] every control is one that some status allows', () => {
    const known = Object.values(CONTROLS_BY_STATUS).flat() as string[];
    fc.assert(
      fc.property(made.control, ({ kind }) => {
        expect(known).toContain(kind);
      }),
    );
  });
});
