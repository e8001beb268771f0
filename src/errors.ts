/**
 * The one error class of the package, and the table of its codes.
 *
 * A call that goes wrong throws a {@link ScheduleError}. What goes wrong with an occurrence is recorded data
 * (a fault, a reason code) and is never thrown. Codes are API and stay; messages are for people and may change.
 * This file imports nothing, so that every room may import it.
 */

/** What a caller can do about an error: `never` = mend the call, `reread` = read again and decide, `later` = the same call may work. @public */
export type RetryAdvice = 'never' | 'reread' | 'later';

/**
 * Every error code, with the advice for a caller and the exit code of the command line.
 *
 * @public
 */
export const ERROR_CODES = {
  /** Input breaks a rule; `details.issues` names every fault. */
  SCHEDULE_DECLARATION_INVALID: { retry: 'never', exit: 65 },
  /** The trigger has no due instant left at registration; `details.last` is the last one it had, if any. */
  SCHEDULE_NEVER_DUE: { retry: 'never', exit: 65 },
  /** The document is not the one that the caller saw. */
  SCHEDULE_DOCUMENT_STALE: { retry: 'reread', exit: 75 },
  /** No schedule, occurrence or document of this name. */
  SCHEDULE_NOT_FOUND: { retry: 'never', exit: 66 },
  /** The id is taken, also in another case of letters. */
  SCHEDULE_EXISTS: { retry: 'never', exit: 73 },
  /** The caller acted on another revision or version; both numbers are in the details. */
  SCHEDULE_REVISION_CONFLICT: { retry: 'reread', exit: 75 },
  /** Update or delete while work is pending. */
  SCHEDULE_WORK_PENDING: { retry: 'later', exit: 75 },
  /** The status of the schedule or occurrence does not allow this control. */
  SCHEDULE_NOT_APPLICABLE: { retry: 'never', exit: 69 },
  /** A provider outside the caller's authorisation, or outside `allowedProviders`. */
  SCHEDULE_PROVIDER_DENIED: { retry: 'never', exit: 77 },
  /** The execution service refused to plan the document. */
  SCHEDULE_PLAN_FAILED: { retry: 'never', exit: 65 },
  /** Registration needs an execution service and none is configured. */
  SCHEDULE_NO_PLANNER: { retry: 'never', exit: 78 },
  /** A stored byte is not what it must be; file, offset and rule are in the details. */
  SCHEDULE_CATALOGUE_CORRUPT: { retry: 'never', exit: 74 },
  /** The workspace was written in a format that this version does not read. */
  SCHEDULE_CATALOGUE_VERSION: { retry: 'never', exit: 74 },
  /** The workspace path cannot be used: a file, a link, a network file system, wrong rights. */
  SCHEDULE_WORKSPACE_UNUSABLE: { retry: 'never', exit: 73 },
  /** Reading or writing failed; nothing was committed, the old state stands. The cause is kept. */
  SCHEDULE_STORE_UNAVAILABLE: { retry: 'later', exit: 74 },
  /** A flush failed and could not be undone: everybody stops until an owner starts. */
  SCHEDULE_STORE_FAILED: { retry: 'never', exit: 74 },
  /** Another owner holds the catalogue; who, and since when, is in the details. */
  SCHEDULE_LOCK_HELD: { retry: 'later', exit: 75 },
  /** This owner is no longer the owner. */
  SCHEDULE_LOCK_LOST: { retry: 'never', exit: 70 },
  /** No lock of the needed kind exists on this machine. */
  SCHEDULE_LOCK_UNSUPPORTED: { retry: 'never', exit: 69 },
  /** Other processes kept changing the same schedule until the attempt was given up. */
  SCHEDULE_CONTENTION: { retry: 'later', exit: 75 },
  /** Used after it was closed. */
  SCHEDULE_CLOSED: { retry: 'never', exit: 70 },
  /** The caller's signal fired before the call had an effect. */
  SCHEDULE_ABORTED: { retry: 'never', exit: 130 },
  /** A port returned what its contract forbids. */
  SCHEDULE_ADAPTER_BROKEN: { retry: 'never', exit: 70 },
  /** The host's private configuration is missing something or is wrong. */
  SCHEDULE_CONFIG_INVALID: { retry: 'never', exit: 78 },
  /** The command line was called in a way that it does not understand. */
  SCHEDULE_USAGE: { retry: 'never', exit: 64 },
} as const satisfies Record<string, { readonly retry: RetryAdvice; readonly exit: number }>;

/** A stable error code. @public */
export type ScheduleErrorCode = keyof typeof ERROR_CODES;

/**
 * Facts about an error, for programs: ids, numbers, lists of issues. Never secrets, never document bodies.
 *
 * @remarks A list has at most 100 items here; `leftOut` counts what was left out of each, by its name. Texts are cut too, visibly.
 * @public
 */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** Items that an error has of each list in its details at most. @internal */
export const MOST_LISTED = 100;

/** Characters of its message, and of a text in a list: whatever an error is about, a log can hold it. */
const LONGEST = { message: 4000, text: 600 } as const;

const BRAND = Symbol.for('everdue.ScheduleError');

/**
 * The error that every call of this package throws.
 *
 * @remarks Recognise it with {@link isScheduleError}: two copies of the package (ESM and CJS) have two classes.
 * @public
 */
export class ScheduleError extends Error {
  /** Stable code; see {@link ERROR_CODES}. */
  readonly code: ScheduleErrorCode;
  /** Facts for programs. */
  readonly details: ErrorDetails;
  /** What the caller can do. */
  readonly retry: RetryAdvice;
  /** One sentence that tells a person what to do next; empty where there is nothing to advise. */
  readonly hint: string;

  constructor(
    code: ScheduleErrorCode,
    message: string,
    options: { readonly details?: ErrorDetails; readonly hint?: string; readonly cause?: unknown } = {},
  ) {
    super(cut(message, LONGEST.message), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = code === 'SCHEDULE_ABORTED' ? 'AbortError' : 'ScheduleError';
    this.code = code;
    this.details = bounded(options.details ?? {});
    this.retry = ERROR_CODES[code].retry;
    this.hint = options.hint ?? '';
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Code, message, hint and details as plain data, for logs and programs. */
  toJSON(): { code: ScheduleErrorCode; message: string; hint: string; retry: RetryAdvice; details: ErrorDetails } {
    return { code: this.code, message: this.message, hint: this.hint, retry: this.retry, details: this.details };
  }
}

/**
 * Whether a value is an error of this package, of the given code if one is given; true across copies of the package.
 *
 * @public
 */
export function isScheduleError(value: unknown, code?: ScheduleErrorCode): value is ScheduleError {
  if (typeof value !== 'object' || value === null || !(BRAND in value)) return false;
  return code === undefined || (value as { code?: unknown }).code === code;
}

/** Stands for the value of a secret. @internal */
export const WITHHELD = '(withheld)';

const SECRET_NAME =
  /^(authorization|proxy-authorization|cookie|set-cookie|passw(or)?d|passphrase|secret|credentials?|(client|shared)[-_]?secret|(api|access|private)[-_]?key|((access|refresh|id|auth|bearer)[-_]?)?token)$/i;

/** Whether what stands under a name is a secret by its name, which no log and no error repeats. @internal */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** The key at the end of a path such as `document.login["api-key"]`. */
function lastStep(path: string): string {
  const start = Math.max(path.lastIndexOf('.'), path.lastIndexOf('['));
  return path.slice(start + 1).replace(/["\]]/g, '');
}

/** The details with what a log can hold of each list. */
function bounded(details: ErrorDetails): ErrorDetails {
  const kept: Record<string, unknown> = { ...details };
  const leftOut: Record<string, number> = {};
  for (const [name, value] of Object.entries(details)) {
    if (!Array.isArray(value)) continue;
    kept[name] = value.slice(0, MOST_LISTED).map(withShortTexts);
    if (value.length > MOST_LISTED) leftOut[name] = value.length - MOST_LISTED;
  }
  return Object.keys(leftOut).length === 0 ? kept : { ...kept, leftOut };
}

/** An item of a list, itself where none of its texts is long, and none is of a secret (what an issue found there). */
function withShortTexts(item: unknown): unknown {
  if (typeof item === 'string') return cut(item, LONGEST.text);
  if (typeof item !== 'object' || item === null) return item;
  const { path, found } = item as { readonly path?: unknown; readonly found?: unknown };
  if (found !== undefined && found !== WITHHELD && typeof path === 'string' && isSecretName(lastStep(path))) {
    return withShortTexts({ ...item, found: WITHHELD });
  }
  const members = Object.entries(item);
  if (!members.some(([, value]) => typeof value === 'string' && value.length > LONGEST.text)) return item;
  return Object.fromEntries(
    members.map(([name, value]) => [name, typeof value === 'string' ? cut(value, LONGEST.text) : value]),
  );
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
