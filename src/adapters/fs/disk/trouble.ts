/**
 * What goes wrong with files, as errors of this package (ST-3, ST-4).
 *
 * An error of the system becomes `SCHEDULE_STORE_UNAVAILABLE` and keeps its cause: the same call may work later. What is
 * stored wrongly becomes `SCHEDULE_CATALOGUE_CORRUPT` with file, offset and rule: no call mends that.
 */
import { isScheduleError, ScheduleError } from '../../../errors.js';

/** The code of an error of the system, such as `ENOENT`. @internal */
export function codeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Whether an error says that this process may not write there: a medium mounted read-only, or missing rights. @internal */
export function isUnwritable(error: unknown): boolean {
  return ['EROFS', 'EACCES', 'EPERM'].includes(codeOf(error) ?? '');
}

/** Whether an error says that a name is not taken. @internal */
export function isAbsent(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

/** Whether the system itself gave an error, such as `EIO`. @internal */
export function isSystemError(error: unknown): boolean {
  const code = codeOf(error);
  return !isScheduleError(error) && code !== undefined && SYSTEM_CODE.test(code);
}

/** Runs an operation on the store; an error of the system becomes one of this package. @internal */
export async function inStore<T>(doing: string, path: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw storeError(error, doing, path);
  }
}

/** Takes every step, also where one before it failed; rejects with the first error once all are taken. @internal */
export async function takeAll(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/** The error of this package for whatever was thrown; errors that are no trouble of the system stay as they are. @internal */
export function storeError(error: unknown, doing: string, path: string): unknown {
  const code = codeOf(error);
  if (code === undefined || !isSystemError(error)) return error;
  const where = pathOf(error) ?? path;
  if (code === 'ELOOP') {
    return new ScheduleError('SCHEDULE_WORKSPACE_UNUSABLE', `${doing}: ${where} is a symbolic link`, {
      details: { path: where },
      hint: 'Replace the link by the file or directory itself: the catalogue follows no links.',
      cause: error,
    });
  }
  return new ScheduleError('SCHEDULE_STORE_UNAVAILABLE', `${doing} failed at ${where}: ${code}`, {
    details: { path: where, errno: code },
    hint: HINTS[code] ?? 'The stored state stands as it was; try again when the trouble is over.',
    cause: error,
  });
}

const SYSTEM_CODE = /^E[A-Z0-9]+$/;

const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'Free some space on the disk; the stored state stands as it was.',
  EDQUOT: 'Free some space within the quota; the stored state stands as it was.',
  EACCES: 'Give this user the right to read and write the workspace; the stored state stands as it was.',
  EPERM: 'Give this user the right to read and write the workspace; the stored state stands as it was.',
  EROFS: 'The file system is mounted read-only; the stored state stands as it was.',
  ENOENT: 'It is missing: `everdue check` lists what is, and what can be done; nothing was changed.',
  EMFILE:
    'This process has too many files open: close some, or raise its limit (ulimit -n); the stored state stands as it was.',
  ENFILE: 'The system has too many files open; the stored state stands as it was.',
  EIO: 'The disk reports an error: look at the log of the system; the stored state stands as it was.',
};

function pathOf(error: unknown): string | undefined {
  const path = typeof error === 'object' && error !== null ? Reflect.get(error, 'path') : undefined;
  return typeof path === 'string' ? path : undefined;
}

/** Where and how a stored byte is wrong. @internal */
export interface Damage {
  /** The file. */
  readonly file: string;
  /** Offset of the first byte of what is wrong. */
  readonly offset: number;
  /** Short name of the rule that it breaks. */
  readonly rule: string;
  /** What was found, for people. */
  readonly found: string;
}

/** The error for a stored byte that is not what it must be. @internal */
export function corrupt(damage: Damage, advice = ''): ScheduleError {
  const { file, offset, rule, found } = damage;
  return new ScheduleError('SCHEDULE_CATALOGUE_CORRUPT', `${file} at byte ${offset}: ${found}`, {
    details: { file, offset, rule },
    hint: `${advice === '' ? '' : `${advice} `}Nothing was changed. \`everdue check\` lists everything that is wrong.`,
  });
}

/** The error for what cannot be part of a workspace, such as a link (ST-8). @internal */
export function unusable(path: string, found: string, hint: string): ScheduleError {
  return new ScheduleError('SCHEDULE_WORKSPACE_UNUSABLE', `${path} cannot be part of a workspace: ${found}`, {
    details: { path, found },
    hint,
  });
}

/** The error for a format that this version does not read. @internal */
export function newerFormat(file: string, found: number, known: number): ScheduleError {
  return new ScheduleError(
    'SCHEDULE_CATALOGUE_VERSION',
    `${file} has format version ${found}, this version reads ${known}`,
    {
      details: { file, found, known },
      hint: 'Use the version of everdue that wrote it, or a newer one.',
    },
  );
}
