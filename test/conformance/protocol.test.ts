/**
 * The protocol over the ports: what the runtime owes its adapters and observers, what it makes of their promises, and mutants
 * of the protocol that each case has to catch.
 */
import { describe, expect, it } from 'vitest';
import { keeps } from './keeps.js';
import { failingCases, nameOf } from './mutants/mutant.js';
import { observerCases } from './protocol/observer-cases.js';
import { ownerCases } from './protocol/owner-cases.js';
import { PROTOCOL_MUTANTS } from './protocol/protocol-mutants.js';

/** Clauses whose breach shows in the protocol; the others show in the contracts alone. */
const CLAUSES = ['E-1', 'L-1', 'O-1', 'O-2', 'O-3', 'O-4', 'S-3', 'S-4', 'S-5', 'X-2'];

const judged = new Map<string, readonly string[]>();

keeps('owners and clients', 'OC-3, OW-5, ST-2, CT-2, OW-1', ownerCases());
keeps('what observers are told', 'OW-7', observerCases());

describe('mutants of the protocol', () => {
  for (const { clause, what, cases } of PROTOCOL_MUTANTS) {
    it(`[OC-3, OW-5, OW-7] ${clause} catches one that ${what}`, async () => {
      const failing = await failingCases(cases.filter((one) => one.clause === clause));
      judged.set(what, failing);
      expect(failing).not.toEqual([]);
    });
  }

  it('[OC-3, OW-5, OW-7] every clause, and every case, catches one', () => {
    expect([...new Set(PROTOCOL_MUTANTS.map(({ clause }) => clause))].sort()).toEqual(CLAUSES);
    const caught = new Set([...judged.values()].flat());
    expect([...ownerCases(), ...observerCases()].map(nameOf).filter((name) => !caught.has(name))).toEqual([]);
  });
});
