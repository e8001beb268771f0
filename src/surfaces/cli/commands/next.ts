/**
 * `everdue next`: due instants of a trigger, without any workspace; with `--batch` an engine for other languages (SF-7).
 *
 * A batch reads one request a line and answers each with a line, in order and as it comes, so that a test suite can keep
 * one process for all of its cases. A bad line is answered with its error and stops nothing.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import {
  type CompiledTrigger,
  compileTrigger,
  type EpochMs,
  formatInstant,
  foundText,
  parseInstant,
  previewTrigger,
  toEpochMs,
} from '../../../core/index.js';
import { type Issue, isScheduleError, LIMITS } from '../../../index.js';
import type { Call, Register } from '../call.js';
import { invalidInput, linesOf, parseJson, readText, usageError } from '../input.js';
import { instant, whole } from '../option-values.js';
import { jsonText } from '../output/layout/plain.js';
import { previewText } from '../output/preview-text.js';
import type { Printer, Surroundings } from '../output/print.js';
import { examples } from './help.js';

/** Adds `everdue next`. @internal */
export function addNextCommand(program: Command, register: Register): void {
  const { min, max, default: ten } = LIMITS.previewCount;
  register(
    examples(program.command('next'), 'Print the due instants of a trigger, without any workspace.', [
      `everdue next '0 2 * * *' --timezone Europe/Berlin --after 2026-10-24T00:00:00Z --count 3`,
      `echo '{"id": 1, "trigger": "@daily", "after": "2026-01-01T00:00:00Z", "count": 2}' | everdue next --batch`,
    ])
      .argument('[trigger]', 'JSON text, a file, `-` for standard input, or a bare cron text')
      .option('--after <instant>', 'strictly after it (default: now)', instant)
      .option('--count <n>', `how many, ${min}..${max} (default: ${ten})`, whole(min, max))
      .option('--timezone <zone>', 'zone of a bare cron text (default: UTC)')
      .option('--batch', 'answer each line of standard input, {id?, trigger, after?, count?, timezone?}, with a line'),
    next,
  );
}

interface NextOptions {
  readonly after?: string;
  readonly count?: number;
  readonly timezone?: string;
  readonly batch?: boolean;
}

/** What is asked: a trigger object or a bare cron text, from when, and how many. */
interface Question {
  readonly trigger: unknown;
  readonly after: unknown;
  readonly count: unknown;
  readonly timezone: unknown;
}

async function next({ args, options, surroundings, printer }: Call<NextOptions>): Promise<void> {
  const [trigger] = args;
  const base = {
    after: options.after ?? new Date().toISOString(),
    count: options.count ?? LIMITS.previewCount.default,
    timezone: options.timezone,
  };
  if (options.batch === true) return runBatch(trigger, base, surroundings, printer);
  if (trigger === undefined) {
    throw usageError(
      "missing required argument 'trigger'",
      'Give a trigger, or --batch to read requests from standard input.',
    );
  }
  const read = await readTrigger(trigger, surroundings);
  refuseDeclaration(read);
  if (typeof read !== 'string' && options.timezone !== undefined) {
    throw usageError("option '--timezone <zone>' is for a bare cron text", 'A trigger object has its own `timezone`.');
  }
  const question = { ...base, trigger: read };
  const due = shownWhole(read, () => dueOf(question));
  const instants = due.list.map(formatInstant);
  await printer.answer({ instants }, () =>
    printer.isTerminal ? tableOf(due, printer.width) : instants.map((text) => `${text}\n`).join(''),
  );
}

/** For a person: local times, and what the clock leaves out on the way. */
function tableOf({ compiled, from, count }: Due, width: number | undefined): string {
  const preview = previewTrigger(compiled, { from: epochAfter(from), count });
  return previewText(preview, width, 'never due');
}

function epochAfter(from: EpochMs): EpochMs {
  return toEpochMs(new Date(from + 1)) ?? from;
}

/** A whole declaration in place of its trigger is a slip; the command for it is another one. */
function refuseDeclaration(read: unknown): void {
  if (!isObject(read) || 'kind' in read || !('trigger' in read)) return;
  const hint = 'This is a declaration: use `everdue schedule preview FILE`, or give its `trigger` alone.';
  throw invalidInput('no due instants', [fault('', 'must be a trigger, with a `kind`', read)], hint);
}

/** A person who typed a cron text sees all of it in the error, and not only the token that is wrong. */
function shownWhole<T>(read: unknown, ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    if (typeof read !== 'string' || !isScheduleError(error, 'SCHEDULE_DECLARATION_INVALID')) throw error;
    const issues = (error.details['issues'] as readonly Issue[]).map((issue) =>
      issue.path === 'trigger.expression' ? { ...issue, found: JSON.stringify(read) } : issue,
    );
    throw invalidInput('no due instants', issues, error.hint);
  }
}

async function runBatch(
  trigger: string | undefined,
  base: Omit<Question, 'trigger'>,
  { stdin }: Surroundings,
  printer: Printer,
): Promise<void> {
  if (trigger !== undefined && trigger !== '-') {
    throw usageError('--batch takes its triggers from standard input', 'Leave the trigger out.');
  }
  for await (const line of linesOf(stdin)) {
    if (line.trim() === '') continue;
    await printer.write(`${jsonText(answerLine(line, base), false)}\n`);
  }
}

/** The answer to one line of a batch: data, never thrown. @internal */
export function answerLine(line: string, base: Omit<Question, 'trigger'>): Readonly<Record<string, unknown>> {
  let id: unknown = null;
  try {
    const request = parseJson(line, 'the line');
    if (!isObject(request)) throw invalidInput('the line is no request', [fault('', 'must be a JSON object', request)]);
    id = request['id'] ?? null;
    const unknown = Object.keys(request).filter((name) => !REQUEST_FIELDS.includes(name));
    if (unknown.length > 0) {
      const issues = unknown.map((name) =>
        fault(name, `is unknown; known are ${REQUEST_FIELDS.join(', ')}`, request[name]),
      );
      throw invalidInput('the line is no request', issues);
    }
    if (typeof request['trigger'] !== 'string' && 'timezone' in request) {
      const issue = fault('timezone', 'is for a cron text; a trigger object has its own', request['timezone']);
      throw invalidInput('the line is no request', [issue]);
    }
    return { id, instants: dueOf({ trigger: undefined, ...base, ...request }).list.map(formatInstant) };
  } catch (error) {
    if (!isScheduleError(error)) throw error;
    return { id, error: { code: error.code, message: error.message, issues: error.details['issues'] ?? [] } };
  }
}

const REQUEST_FIELDS: readonly string[] = ['id', 'trigger', 'after', 'count', 'timezone'];

/** The answer to a question, and what it was asked of. */
interface Due {
  readonly compiled: CompiledTrigger;
  readonly from: EpochMs;
  readonly count: number;
  readonly list: readonly EpochMs[];
}

function dueOf({ trigger, after, count, timezone }: Question): Due {
  const compiled = compileTrigger(wholeTrigger(trigger, timezone));
  const from = typeof after === 'string' ? parseInstant(after) : undefined;
  const { min, max } = LIMITS.previewCount;
  const isCount = Number.isInteger(count) && (count as number) >= min && (count as number) <= max;
  const issues: Issue[] = [
    ...(compiled.ok ? [] : compiled.issues.map((issue) => ({ ...issue, path: below('trigger', issue.path) }))),
    ...(from === undefined ? [fault('after', 'must be ISO 8601 text with `Z` or an offset', after, 'DE-2')] : []),
    ...(isCount ? [] : [fault('count', `must be a whole number, ${min}..${max}`, count)]),
    ...(timezone === undefined || typeof timezone === 'string' ? [] : [fault('timezone', 'must be a text', timezone)]),
  ];
  if (!compiled.ok || from === undefined || issues.length > 0) throw invalidInput('no due instants', issues);
  const list = compiled.value.list(from, count as number);
  return { compiled: compiled.value, from, count: count as number, list };
}

/** A cron text stands for a cron trigger; an object is one already, with a zone of its own. */
function wholeTrigger(trigger: unknown, timezone: unknown): unknown {
  return typeof trigger === 'string' ? { kind: 'cron', expression: trigger, timezone: timezone ?? 'UTC' } : trigger;
}

/** The trigger that an argument names: JSON text, `-`, a file, or a bare cron text. */
async function readTrigger(argument: string, surroundings: Surroundings): Promise<unknown> {
  if (argument.trimStart().startsWith('{')) return parseJson(argument, 'the trigger');
  if (argument !== '-' && !isFile(argument, surroundings.cwd)) return argument;
  const text = await readText(argument, surroundings);
  return text.trimStart().startsWith('{') ? parseJson(text, argument) : text.trim();
}

/** Cron texts have spaces or start with `@`; of the rest, what ends in `.json` or exists is a file. */
function isFile(argument: string, cwd: string): boolean {
  if (argument.endsWith('.json')) return true;
  return !/\s|^@/.test(argument) && existsSync(resolve(cwd, argument));
}

function fault(path: string, message: string, found: unknown, rule = 'SF-7'): Issue {
  return { path, rule, message, ...(found === undefined ? {} : { found: foundText(found) }) };
}

function below(parent: string, path: string): string {
  return path === '' ? parent : `${parent}.${path}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
