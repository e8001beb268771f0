/**
 * The contract of stores: cases for clauses S-1 to S-14 of the store port.
 *
 * A third party passes a function that opens a new, empty catalogue and loops over the cases with any runner.
 */
import { type ContractCase, casesOf } from './contract-case.js';
import { commitCases } from './store/commit-cases.js';
import { documentCases } from './store/document-cases.js';
import { durabilityCases } from './store/durability-cases.js';
import type { OpenStore } from './store/open-store.js';
import { readingCases } from './store/reading-cases.js';
import { requestCases } from './store/request-cases.js';
import { sharingCases } from './store/sharing-cases.js';

/**
 * The cases of the contract of stores, each on a catalogue of its own.
 *
 * @public
 */
export function storeContract(open: () => Promise<OpenStore>): readonly ContractCase[] {
  const make = casesOf(open);
  return [
    ...commitCases(make),
    ...readingCases(make),
    ...documentCases(make),
    ...sharingCases(make),
    ...durabilityCases(make),
    ...requestCases(make),
  ];
}
