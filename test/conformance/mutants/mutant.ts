/** A broken adapter, the contract that judges it, and the clause that has to catch it. */
import { AssertionError } from 'node:assert';
import { isScheduleError } from '../../../src/errors.js';
import type { ContractCase } from '../../../src/testing/contracts/contract-case.js';

/** See the head of this file. */
export interface Mutant {
  /** What it does wrong, after "one that". */
  readonly what: string;
  /** The clause that it breaks. */
  readonly clause: string;
  readonly cases: readonly ContractCase[];
}

/** How a case is named in a report. */
export function nameOf({ clause, title }: ContractCase): string {
  return `${clause} ${title}`;
}

/**
 * Names of the cases that fail: by an assertion, or by an error that the subject gives where an answer is due. Anything else
 * is a fault of the mutant or of the contract, and is thrown.
 */
export async function failingCases(cases: readonly ContractCase[]): Promise<readonly string[]> {
  const failing: string[] = [];
  for (const one of cases) {
    const error = await one.run().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error === undefined) continue;
    if (!(error instanceof AssertionError) && !isScheduleError(error)) throw error;
    failing.push(nameOf(one));
  }
  return failing;
}
