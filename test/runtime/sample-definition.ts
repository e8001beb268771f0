/** A definition as the codec would make it, for tests of the runtime that need no codec. */
import type { Declaration } from '../../src/core/model/declaration.js';
import type { Definition } from '../../src/core/model/schedule.js';
import { type EpochMs, parseInstant } from '../../src/core/time/instant.js';
import { sampleSchedule } from '../../src/testing/contracts/sample-catalogue.js';

/** An instant of a test. */
export function instant(text: string): EpochMs {
  const ms = parseInstant(text);
  if (ms === undefined) throw new Error(`${text} is no instant`);
  return ms;
}

/** A definition with the defaults of a declaration; the trigger is manual unless given. */
export function sampleDefinition(id: string, fields: Partial<Declaration> = {}): Definition {
  const { declaration } = sampleSchedule(id).definition;
  return {
    declaration: { ...declaration, objective: `Test ${id}`, allowedProviders: [], ...fields },
    documentDigest: `sha256:${'0'.repeat(64)}`,
    documentKind: 'test/1',
    caller: 'test',
    registeredAt: instant('2026-11-30T08:00:00.000Z'),
  };
}
