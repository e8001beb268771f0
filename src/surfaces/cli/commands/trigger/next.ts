/**
 * `everdue next`: due instants of a trigger, without any workspace; with `--batch` an engine for other languages (SF-7).
 *
 * A batch reads one request a line and answers each with a line, in order and as it comes, so that a test suite can keep
 * one process for all of its cases. A bad line is answered with its error and stops nothing.
 */
import type { Command } from 'commander';
import {
  type CompiledTrigger,
  type DueInput,
  describe,
  type EpochMs,
  formatInstant,
  parseInstant,
  previewTrigger,
  toEpochMs,
} from '../../../../core/index.js';
import { type Issue, isScheduleError, LIMITS } from '../../../../index.js';
import type { Call, Register } from '../../call.js';
import { invalidInput, linesOf, parseJson, usageError } from '../../input.js';
import { instant, whole } from '../../option-values.js';
import { jsonText, plain } from '../../output/layout/plain.js';
import { previewText } from '../../output/preview-text.js';
import type { Printer, Surroundings } from '../../output/print.js';
import { examples } from '../help.js';
import { askedOf, fault, hasTrigger, isObject, readTrigger, shownWhole, TRIGGER_ARGUMENT } from './trigger-argument.js';

/** Adds `everdue next`. @internal */
export function addNextCommand(program: Command, register: Register): void {
  const { min, max, default: ten } = LIMITS.previewCount;
  register(
    examples(program.command('next'), 'Print the due instants of a trigger, without any workspace.', [
      `everdue next '0 2 * * *' --timezone Europe/Berlin --after 2026-10-24T00:00:00Z --count 3`,
      `echo '{"id": 1, "trigger": "@daily", "after": "2026-01-01T00:00:00Z", "count": 2}' | everdue next --batch`,
    ])
      .argument('[trigger]', TRIGGER_ARGUMENT)
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
  if (typeof read !== 'string' && options.timezone !== undefined) {
    throw usageError("option '--timezone <zone>' is for a bare cron text", 'A trigger object has its own `timezone`.');
  }
  const question = { ...base, trigger: read };
  const due = shownWhole(read, 'no due instants', () => dueOf(question));
  refuseDeclaration(read);
  const instants = due.list.map(formatInstant);
  const description = describe(read as DueInput, { timezone: options.timezone });
  const { instants: details, ...others } = previewTrigger(due.compiled, {
    from: epochAfter(due.from),
    count: due.count,
  });
  await printer.answer({ description, instants, details, ...others }, () => {
    if (!printer.isTerminal) return instants.map((text) => `${text}\n`).join('');
    return `${plain(description)}\n${previewText({ instants: details, ...others }, printer.width, 'never due')}`;
  });
}

function epochAfter(from: EpochMs): EpochMs {
  return toEpochMs(new Date(from + 1)) ?? from;
}

const PARTS: readonly string[] = ['id', 'trigger', 'exclude', 'spreadSeconds'];

/** A whole declaration in place of its trigger is a slip; the command for it is another one. */
function refuseDeclaration(read: unknown): void {
  if (!hasTrigger(read) || Object.keys(read).every((name) => PARTS.includes(name))) return;
  const hint = `This is a declaration: use \`everdue schedule preview FILE\`, or give its \`trigger\` alone, or ${PARTS.join(', ')}.`;
  throw invalidInput('no due instants', [fault('', 'must be a trigger, with a `kind`', read)], hint);
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
  const asked = askedOf(trigger, timezone);
  const from = typeof after === 'string' ? parseInstant(after) : undefined;
  const { min, max } = LIMITS.previewCount;
  const isCount = Number.isInteger(count) && (count as number) >= min && (count as number) <= max;
  const issues: Issue[] = [
    ...('issues' in asked ? asked.issues : []),
    ...(from === undefined ? [fault('after', 'must be ISO 8601 text with `Z` or an offset', after, 'DE-2')] : []),
    ...(isCount ? [] : [fault('count', `must be a whole number, ${min}..${max}`, count)]),
  ];
  if ('issues' in asked || from === undefined || issues.length > 0) throw invalidInput('no due instants', issues);
  const { compiled } = asked;
  return { compiled, from, count: count as number, list: compiled.list(from, count as number) };
}
