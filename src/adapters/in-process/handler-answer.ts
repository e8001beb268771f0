/**
 * What a handler returned or threw, as data that is kept for ever (OC-5, OC-12).
 *
 * A result is small plain JSON. Of a fault only code, provider and stage take part in decisions; its message is for
 * people, is cut, and can do nothing to a terminal. Whatever was thrown, reading it never throws.
 */
import { copyPlainJson } from '../../codec/plain-json.js';
import type { Json } from '../../core/model/declaration.js';
import { cutText, LIMITS } from '../../core/model/limits.js';
import type { Fault } from '../../core/model/occurrence.js';
import { FAULTS } from '../../core/model/reason.js';

/** A code that an error may bring along: short, and the same each time. */
const STABLE_CODE = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/** Control characters, line ends and marks that turn the direction of a text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Whether a text holds nothing that a terminal would obey. @internal */
export function isPrintable(text: string): boolean {
  return text.search(UNPRINTABLE) === -1;
}

/** A result, absent where the handler returned nothing; or why it cannot be kept. @internal */
export type ReadResult =
  | { readonly ok: true; readonly value: Json | undefined }
  | { readonly ok: false; readonly message: string };

/** Copies a result; anything that is not plain JSON, or has more than 64 KiB, is refused with its path. @internal */
export function readResult(value: unknown): ReadResult {
  if (value === undefined) return { ok: true, value: undefined };
  const copied = copyPlainJson(value, 'result', { bytes: LIMITS.resultBytes.max, dropsUndefined: true });
  if (copied.ok) return { ok: true, value: copied.value };
  const found = copied.issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return { ok: false, message: `The handler returned what a record cannot keep: ${found}` };
}

/** Text for people, without anything that a terminal would obey, and cut to 2000 characters. @internal */
export function plainText(text: string): string {
  // What is far too long is cut before it is looked at, so that the work has a bound.
  return cutText(text.slice(0, 10_000).replace(UNPRINTABLE, escaped));
}

/**
 * The fault that a thrown value stands for: its own `code` where that is a short stable text, else `handlerFailed`;
 * `retryable: false` on it says that trying again is pointless.
 *
 * @remarks A code of {@link FAULTS} says what the library itself has found, so a handler cannot claim it: it becomes
 * `handlerFailed`, and the message says which code was given.
 * @internal
 */
export function faultOf(thrown: unknown, at: { readonly provider: string; readonly stage: string }): Fault {
  const code = property(thrown, 'code');
  const given = typeof code === 'string' && STABLE_CODE.test(code) ? code : 'handlerFailed';
  const isClaimed = given !== 'handlerFailed' && Object.hasOwn(FAULTS, given);
  const message = messageOf(thrown);
  return {
    code: isClaimed ? 'handlerFailed' : given,
    message: plainText(isClaimed ? `${given}: ${message}` : message),
    ...at,
    ...(property(thrown, 'retryable') === false ? { isRetryable: false } : {}),
  };
}

/** What a thrown value says of itself. @internal */
export function messageOf(thrown: unknown): string {
  const message = property(thrown, 'message');
  if (typeof message === 'string' && message !== '') return message;
  try {
    return `The handler threw ${String(thrown)}.`;
  } catch {
    return 'The handler threw something that cannot be shown.';
  }
}

function property(of: unknown, name: string): unknown {
  if (typeof of !== 'object' || of === null) return undefined;
  try {
    return (of as Record<string, unknown>)[name];
  } catch {
    // A getter that throws has nothing to say.
    return undefined;
  }
}

function escaped(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
