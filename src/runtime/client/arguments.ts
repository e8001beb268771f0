/**
 * Checks of what callers hand over beside declarations, for those whose compiler does not check it.
 *
 * Every fault is reported at once, as for a declaration: `SCHEDULE_DECLARATION_INVALID` with its list of issues.
 */
import { nameFault } from '../../codec/declaration-codec.js';
import type { Expected } from '../../core/model/input.js';
import { foundText, type Issue } from '../../core/model/issue.js';
import { cutText, LIMITS } from '../../core/model/limits.js';
import { type EpochMs, type InstantInput, instantFault, toEpochMs } from '../../core/time/instant.js';
import type { RevisionOptions } from './options.js';
import { type Attempt, invalidDeclaration } from './refusal-error.js';

/** Collects the faults of one call. @internal */
export class ArgumentCheck {
  readonly #attempt: Attempt;
  readonly #issues: Issue[] = [];

  constructor(attempt: Attempt) {
    this.#attempt = attempt;
  }

  /** The revision that must be given, and the version that may be (CT-2). */
  required(options: Partial<RevisionOptions> | undefined): Expected {
    if (options?.revision === undefined) {
      this.#fault('revision', 'CT-2', 'is required: the revision that the caller saw', undefined);
    }
    return this.expected(options ?? {});
  }

  /** The revision and version, where they are given. */
  expected({ revision, version }: Partial<RevisionOptions>): Expected {
    return {
      ...(revision === undefined ? {} : { revision: this.#count('revision', revision) }),
      ...(version === undefined ? {} : { version: this.#count('version', version) }),
    };
  }

  /** One of a few words, where it is given. */
  oneOf<Word extends string>(path: string, words: readonly Word[], value: Word | undefined): void {
    if (value === undefined || words.includes(value)) return;
    this.#fault(path, 'CT-1', `must be one of ${words.join(', ')}`, value);
  }

  /** A request id with the rules of an id (OC-1), where it is given. */
  requestId(value: string | undefined): void {
    if (value === undefined) return;
    const fault = typeof value === 'string' ? nameFault(value, LIMITS.requestIdLength.max) : 'must be text';
    if (fault !== undefined) this.#fault('requestId', 'OC-1', fault, value);
  }

  /** Words of a person, cut where they are too long (DE-11). */
  text(path: string, value: string | undefined): string | undefined {
    if (value === undefined) return undefined;
    if (typeof value === 'string') return cutText(value);
    this.#fault(path, 'DE-11', 'must be text', value);
    return undefined;
  }

  /** A whole number within bounds, or its default. */
  whole(path: string, limit: { default: number; min: number; max: number }, value: number | undefined): number {
    const number = value ?? limit.default;
    if (Number.isInteger(number) && number >= limit.min && number <= limit.max) return number;
    this.#fault(path, 'DE-7', `must be a whole number, ${limit.min}..${limit.max}`, value);
    return limit.default;
  }

  /** An instant, where it is given. */
  instant(path: string, value: InstantInput | undefined): EpochMs | undefined {
    if (value === undefined) return undefined;
    const ms = toEpochMs(value);
    if (ms === undefined) this.#fault(path, 'DE-2', instantFault(value), value);
    return ms;
  }

  /** Throws what was found. */
  done(): void {
    if (this.#issues.length > 0) throw invalidDeclaration(this.#attempt, this.#issues);
  }

  #count(path: string, value: number): number {
    if (!Number.isInteger(value) || value < 1) this.#fault(path, 'CT-2', 'must be a whole number from 1', value);
    return value;
  }

  #fault(path: string, rule: string, message: string, found: unknown): void {
    this.#issues.push({ path, rule, message, ...(found === undefined ? {} : { found: foundText(found) }) });
  }
}
