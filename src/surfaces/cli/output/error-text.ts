/**
 * Errors for people and for programs, and the exit code of each.
 *
 * What is not an error of this package is a fault of it or of the host's configuration: exit code 70, with its stack under
 * `EVERDUE_DEBUG=1` alone.
 */
import { ERROR_CODES, type Issue, isScheduleError, type ScheduleError } from '../../../index.js';
import { jsonText, plain, plainLines } from './layout/plain.js';

/** An error as the command ends with it. @internal */
export interface ErrorReport {
  /** What goes to standard error, ending with a line break. */
  readonly text: string;
  /** The exit code of the process. */
  readonly exit: number;
}

/** Exit code of what is no error of this package. @internal */
export const UNKNOWN_ERROR_EXIT = 70;

/** The report of whatever was thrown: text for people, or one JSON object on one line. @internal */
export function reportError(error: unknown, options: { readonly json: boolean; readonly debug: boolean }): ErrorReport {
  const known = isScheduleError(error) ? error : undefined;
  const exit = known === undefined ? UNKNOWN_ERROR_EXIT : ERROR_CODES[known.code].exit;
  if (options.json) return { text: `${jsonText(known?.toJSON() ?? unknownJson(error, options.debug), false)}\n`, exit };
  const body = known === undefined ? unknownText(error, options.debug) : knownText(known);
  const stack = known !== undefined && options.debug ? stackText(known) : '';
  return { text: `${body}${stack}`, exit };
}

function knownText(error: ScheduleError): string {
  const issues = issuesOf(error);
  const lines = [`error ${error.code}: ${plainLines(withoutIssues(error.message, issues), '  ')}`];
  for (const issue of issues) lines.push(`  ${issueText(issue)}`);
  const more = issuesLeftOut(error);
  if (more > 0) lines.push(`  and ${more} more`);
  for (const cause of causesOf(error)) lines.push(`cause: ${plainLines(cause, '  ')}`);
  if (error.hint !== '') lines.push(`hint: ${plainLines(error.hint, '  ')}`);
  return `${lines.join('\n')}\n`;
}

/** `trigger.hour: must be 0..23 (found 25; rule TR-3)`. @internal */
export function issueText({ path, message, found, rule }: Issue): string {
  const facts = [...(found === undefined ? [] : [`found ${found}`]), `rule ${rule}`];
  return plain(`${path === '' ? '' : `${path}: `}${message} (${facts.join('; ')})`);
}

function issuesOf({ details }: ScheduleError): readonly Issue[] {
  const issues = details['issues'];
  return Array.isArray(issues) ? issues.filter(isIssue) : [];
}

/** How many issues the error has no room for. */
function issuesLeftOut({ details }: ScheduleError): number {
  const leftOut = details['leftOut'];
  const count = typeof leftOut === 'object' && leftOut !== null ? Reflect.get(leftOut, 'issues') : undefined;
  return typeof count === 'number' ? count : 0;
}

function isIssue(value: unknown): value is Issue {
  if (typeof value !== 'object' || value === null) return false;
  const { path, message, rule } = value as Record<string, unknown>;
  return typeof path === 'string' && typeof message === 'string' && typeof rule === 'string';
}

/** The message without the list of issues that many end with: they follow below it, one a line. */
function withoutIssues(message: string, issues: readonly Issue[]): string {
  const [first] = issues;
  if (first === undefined) return message;
  // A list may say of each what was found, and a long message is cut somewhere in it: its beginning tells it.
  const beginning = `: ${first.path === '' ? '' : `${first.path}: `}${first.message}`.slice(0, BEGINNING);
  const at = message.indexOf(beginning);
  const isList = message.endsWith('…') || issues.every((issue) => message.includes(issue.message, at));
  return at >= 0 && isList ? message.slice(0, at) : message;
}

/** Characters by which the list of issues is found in a message. */
const BEGINNING = 100;

const MOST_CAUSES = 5;

function causesOf(error: Error): readonly string[] {
  const causes: string[] = [];
  let cause: unknown = error.cause;
  while (cause !== undefined && cause !== null && causes.length < MOST_CAUSES) {
    causes.push(cause instanceof Error ? cause.message || cause.name : String(cause));
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return causes;
}

function unknownText(error: unknown, isDebug: boolean): string {
  const shown = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const causes = error instanceof Error ? causesOf(error).map((cause) => `cause: ${plainLines(cause, '  ')}\n`) : [];
  const rest = isDebug ? stackText(error) : 'hint: Set EVERDUE_DEBUG=1 to see where it comes from.\n';
  return `error: ${plainLines(shown, '  ')}\n${causes.join('')}${rest}`;
}

function unknownJson(error: unknown, isDebug: boolean): Record<string, unknown> {
  const message = error instanceof Error ? error.message : String(error);
  const stack = isDebug && error instanceof Error ? { stack: error.stack } : {};
  return { code: 'UNKNOWN', message, hint: '', retry: 'never', details: { ...stack } };
}

function stackText(error: unknown): string {
  return error instanceof Error && error.stack !== undefined ? `${plainLines(error.stack, '  ')}\n` : '';
}
