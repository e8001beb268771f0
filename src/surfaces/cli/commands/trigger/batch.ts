/**
 * `everdue next --batch`: an engine for other languages (SF-7).
 *
 * One request a line, each answered with a line, in order and as it comes, so that a test suite can keep one process for all
 * of its cases. A bad line, also one that is not UTF-8, is answered with its error and stops nothing; an empty one is no request.
 * Lines are counted from 1, empty ones too, and an answer says the line wherever no id says which one it belongs to.
 */
import { formatInstant } from '../../../../core/index.js';
import { isScheduleError } from '../../../../index.js';
import { invalidInput, linesOf, parseJson, type StreamLine, usageError } from '../../input.js';
import { jsonText } from '../../output/layout/plain.js';
import type { Printer, Surroundings } from '../../output/print.js';
import { dueOf, type Question } from './due.js';
import { fault, hasTrigger, isObject } from './trigger-argument.js';

/** Answers every line of standard input; `base` stands for what a request does not say. @internal */
export async function runBatch(
  trigger: string | undefined,
  base: Omit<Question, 'trigger'>,
  { stdin }: Surroundings,
  printer: Printer,
): Promise<void> {
  if (trigger !== undefined && trigger !== '-') {
    throw usageError('--batch takes its triggers from standard input', 'Leave the trigger out.');
  }
  let number = 0;
  for await (const line of linesOf(stdin)) {
    number += 1;
    if (line?.trim() === '') continue;
    await printer.write(`${jsonText(answerLine(line, number, base), false)}\n`);
  }
}

/** What a request may say; the four of them that a declaration has too mean what they mean there. */
const REQUEST_FIELDS: readonly string[] = ['id', 'trigger', 'exclude', 'spreadSeconds', 'after', 'count', 'timezone'];

/** The answer to one line of a batch: data, never thrown. */
function answerLine(
  line: StreamLine,
  number: number,
  base: Omit<Question, 'trigger'>,
): Readonly<Record<string, unknown>> {
  let id: unknown = null;
  try {
    if (line === undefined) throw invalidInput('the line is no request', [fault('', 'must be UTF-8 text', undefined)]);
    const request = parseJson(line, 'the line', number);
    if (!isObject(request)) throw invalidInput('the line is no request', [fault('', 'must be a JSON object', request)]);
    id = request['id'] ?? null;
    const asked = { trigger: undefined, ...base, ...request };
    // The zone of the call is one for bare cron texts alone.
    const own = typeof request['trigger'] === 'string' ? asked : { ...asked, timezone: request['timezone'] };
    const question = { ...own, ...dueParts(request, own.timezone) };
    const instants = dueOf(question).list.map(formatInstant);
    return id === null ? { id, line: number, instants } : { id, instants };
  } catch (error) {
    if (!isScheduleError(error)) throw error;
    const { code, message, details } = error;
    return { id, error: { code, message, issues: details['issues'] ?? [], line: number } };
  }
}

/** What is asked about: the trigger of a request, with its exclusion and its spread where it has one; `zone` is that of a cron text. */
function dueParts(request: Readonly<Record<string, unknown>>, zone: unknown): Partial<Question> {
  const { id, trigger, exclude, spreadSeconds } = request;
  const unknown = Object.keys(request).filter((name) => !REQUEST_FIELDS.includes(name));
  const issues = unknown.map((name) =>
    fault(name, `is unknown; known are ${REQUEST_FIELDS.join(', ')}`, request[name]),
  );
  if (typeof trigger !== 'string' && 'timezone' in request) {
    issues.push(fault('timezone', 'is for a cron text; a trigger object has its own', zone));
  }
  const parts = { ...('exclude' in request && { exclude }), ...('spreadSeconds' in request && { spreadSeconds }) };
  const [part] = Object.keys(parts);
  if (part !== undefined && hasTrigger(trigger)) {
    issues.push(
      fault(part, 'belongs beside the innermost `trigger`: it stands in an object with another one', request[part]),
    );
  }
  if (issues.length > 0) throw invalidInput('the line is no request', issues);
  if (part === undefined) return {};
  const timezone = zone === undefined ? 'UTC' : zone;
  const whole = typeof trigger === 'string' ? { kind: 'cron', expression: trigger, timezone } : trigger;
  return { trigger: { ...(id !== undefined && { id }), trigger: whole, ...parts }, timezone: undefined };
}
