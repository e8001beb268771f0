/** What `arbitraries` makes goes into fast-check as its own arbitraries do. */
import fc from 'fast-check';
import { describe, expectTypeOf, it } from 'vitest';
import type { DeclarationInput, TriggerInput } from '../../src/codec/declaration-input.js';
import { arbitraries } from '../../src/testing/arbitraries.js';

describe('types of arbitraries', () => {
  it('[TR-1] a property sees the types of what is made', () => {
    const made = arbitraries(fc);
    fc.property(made.trigger, made.declaration, fc.nat(), (trigger, declaration, n) => {
      expectTypeOf(trigger).toEqualTypeOf<TriggerInput>();
      expectTypeOf(declaration).toEqualTypeOf<DeclarationInput>();
      expectTypeOf(n).toEqualTypeOf<number>();
    });
    fc.property(fc.tuple(made.cron, made.instant), ([cron]) => {
      expectTypeOf(cron).toEqualTypeOf<string>();
    });
  });
});
