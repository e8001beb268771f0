/**
 * A contract as data: cases that any test runner can loop over, and that any program can run.
 *
 * A case names the clause that it covers, opens what it judges for itself, and rejects with an `AssertionError` when the
 * clause is broken. What a subject cannot do, it must deny in its capabilities: a case that needs it asserts the denial.
 */
import assert from 'node:assert/strict';
import { isScheduleError, type ScheduleErrorCode } from '../../errors.js';

/** One case of a contract. @public */
export interface ContractCase {
  /** Number of the clause, as it stands at the head of the port's file. */
  readonly clause: string;
  /** What is expected, in a few words. */
  readonly title: string;
  /** What the subject must offer for the case to look at more than its denial. */
  readonly needs?: string;
  /** Judges the clause on a subject of its own; rejects with an `AssertionError` when it is broken. */
  run(): Promise<void>;
}

/** Something that a contract opens and closes for each case. @internal */
export interface Closable {
  /** Releases everything that the case opened. */
  close(): Promise<void>;
}

/** Makes cases that open a subject, judge it and close it, whatever happens. @internal */
export function casesOf<Subject extends Closable>(open: () => Promise<Subject>) {
  return (clause: string, title: string, judge: (subject: Subject) => Promise<void>, needs?: string): ContractCase => ({
    clause,
    title,
    ...(needs === undefined ? {} : { needs }),
    run: async () => {
      const subject = await open();
      try {
        await judge(subject);
      } finally {
        await subject.close();
      }
    },
  });
}

/** Asserts that a call rejects with a code. @internal */
export async function rejectsWith(code: ScheduleErrorCode, call: () => Promise<unknown>, what: string): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (isScheduleError(error, code)) return;
    assert.fail(`${what} must reject with ${code}, but rejected with ${String(error)}`);
  }
  assert.fail(`${what} must reject with ${code}, but resolved`);
}

/** Waits in real time until a condition holds; false when it does not within the limit. @internal */
export async function holdsWithin(ms: number, condition: () => boolean | Promise<boolean>): Promise<boolean> {
  const until = performance.now() + ms;
  for (;;) {
    if (await condition()) return true;
    if (performance.now() >= until) return false;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
