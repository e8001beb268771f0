/**
 * A contract as data: cases that any test runner can loop over, and that any program can run.
 *
 * A case names the clause that it covers, opens what it judges for itself, and rejects with an `AssertionError` when the
 * clause is broken. What a subject promises in its capabilities is judged, or the case fails; what it denies is not judged,
 * and the result says so. What cannot be judged where the test runs is waived by name and reason.
 */
import assert from 'node:assert/strict';
import { isScheduleError, type ScheduleErrorCode } from '../../errors.js';

/** How a case ended that did not fail: the clause holds, or it was not judged, and why. @public */
export type CaseResult =
  | { readonly kind: 'held' }
  | {
      readonly kind: 'notJudged';
      /** For people; a runner can show it as the reason of a skipped test. */
      readonly reason: string;
    };

/** One case of a contract. @public */
export interface ContractCase {
  /** Number of the clause, as it stands at the head of the port's file. */
  readonly clause: string;
  /** What is expected, in a few words. */
  readonly title: string;
  /** Member of what `open` gives without which the case judges nothing; absent where every subject can be judged. */
  readonly needs?: string;
  /** Capability to which the case holds a subject; where the subject denies it, the case judges nothing. */
  readonly capability?: string;
  /**
   * Judges the clause on a subject of its own. Rejects with an `AssertionError` when it is broken, or when `capability` is
   * promised and `needs` is neither given nor waived.
   */
  run(): Promise<CaseResult>;
}

/** What every contract is given to judge. @public */
export interface ContractSubject {
  /** Reasons why a promise cannot be judged where the test runs, by the name of the capability. */
  readonly waived?: Readonly<Record<string, string>>;
  /** Releases everything that was opened for the case. */
  close(): Promise<void>;
}

/** What a case cannot do without. @internal */
export interface Needs<S, Offer extends keyof S & string> {
  /** The member of the subject. */
  readonly offer: Offer;
  /** The promise that it is for, and whether the subject makes it. */
  readonly promise?: { readonly capability: string; isMade(subject: S): boolean };
  /** True: where the member is given, the case judges also a subject that does not make the promise. */
  readonly isOpenToAll?: true;
  /** Why what was given leaves nothing to judge, where it does. */
  whyNot?(subject: S): string | undefined;
}

/** Makes cases that open a subject, judge it and close it, whatever happens. @internal */
export function casesOf<S extends ContractSubject>(open: () => Promise<S>) {
  return <Offer extends keyof S & string = never>(
    clause: string,
    title: string,
    judge: (subject: S & Required<Pick<S, Offer>>) => Promise<void>,
    needs?: Needs<S, Offer>,
  ): ContractCase => ({
    clause,
    title,
    ...(needs === undefined ? {} : { needs: needs.offer }),
    ...(needs?.promise === undefined ? {} : { capability: needs.promise.capability }),
    run: async () => {
      const subject = await open();
      try {
        const reason = needs === undefined ? undefined : whyNotJudged(subject, needs);
        if (reason !== undefined) return { kind: 'notJudged', reason };
        await judge(subject as S & Required<Pick<S, Offer>>);
        return { kind: 'held' };
      } finally {
        await subject.close();
      }
    },
  });
}

function whyNotJudged<S extends ContractSubject, Offer extends keyof S & string>(
  subject: S,
  { offer, promise, isOpenToAll, whyNot }: Needs<S, Offer>,
): string | undefined {
  const isGiven = subject[offer] !== undefined;
  const isMade = promise?.isMade(subject) ?? false;
  if (promise !== undefined && !isMade && isOpenToAll !== true) return `it denies ${promise.capability}`;
  if (isGiven) return whyNot?.(subject);
  if (promise === undefined || !isMade) return `${offer} was not given`;
  const waived = subject.waived?.[promise.capability];
  if (waived !== undefined && waived !== '') return waived;
  return assert.fail(
    `${promise.capability} is promised, and nothing was given to judge it: give \`${offer}\`, deny it, or say in \`waived\` why not`,
  );
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

/**
 * Asserts that two values hold the same data. Where they were made plays no part: a runner that gives each test file a
 * realm of its own (Jest) has other `Object` and `Array` constructors than what the runtime of the process hands out.
 *
 * @internal
 */
export function assertSame(actual: unknown, expected: unknown, message?: string): void {
  assert.deepEqual(ofThisRealm(actual), ofThisRealm(expected), message);
}

function ofThisRealm(value: unknown): unknown {
  if (Array.isArray(value)) return Array.from(value, ofThisRealm);
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, ofThisRealm(member)]));
}

/** A prototype of a prototype is what a class or a built-in has; of another realm it is still no plain object. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
