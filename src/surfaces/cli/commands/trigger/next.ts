/**
 * `everdue next`: due instants of a trigger, without any workspace; with `--batch` an engine for other languages (SF-7).
 *
 * In a pipe each line of standard output is an instant, and everything else is told on standard error: what the clock
 * skips, what is left out, or that nothing is due. That nothing is due is an answer and no error (TR-8).
 */
import type { Command } from 'commander';
import {
  type DueInput,
  describe,
  type EpochMs,
  formatInstant,
  previewTrigger,
  type TriggerPreview,
  toEpochMs,
} from '../../../../core/index.js';
import { LIMITS } from '../../../../index.js';
import type { Call, Register } from '../../call.js';
import { usageError } from '../../input.js';
import { instant, whole } from '../../option-values.js';
import { plain } from '../../output/layout/plain.js';
import { leftOutText, previewText } from '../../output/preview-text.js';
import { writeTo } from '../../output/print.js';
import { examples } from '../help.js';
import { runBatch } from './batch.js';
import { type Due, dueOf } from './due.js';
import { readTrigger, shownWhole, TRIGGER_ARGUMENT } from './trigger-argument.js';

const OUTPUT = `
A terminal shows local times as well. In a pipe each line is a due instant in UTC, and what is
skipped or left out goes to standard error. Nothing due is no error: the exit code is 0.

A declaration may stand for its trigger: of it \`trigger\`, \`exclude\`, \`spreadSeconds\` and \`id\`
count. \`everdue schedule preview\` also honours its \`expiresAt\` and \`maxOccurrences\`.

A line of --batch is {id?, trigger, exclude?, spreadSeconds?, after?, count?, timezone?}. The
answer is {id, instants}, or {id, error: {code, message, issues, line}}; without an id it has
the line. Empty lines are counted and have no answer. The \`id\` is also that of the spread.`;

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
      .option('--batch', 'answer each line of standard input with a line')
      .addHelpText('after', OUTPUT),
    next,
  );
}

interface NextOptions {
  readonly after?: string;
  readonly count?: number;
  readonly timezone?: string;
  readonly batch?: boolean;
}

async function next(call: Call<NextOptions>): Promise<void> {
  const { args, options, surroundings, printer } = call;
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
  const due = shownWhole(read, 'no due instants', () => dueOf({ ...base, trigger: read }));
  const description = describe(read as DueInput, { timezone: options.timezone });
  const preview = previewTrigger(due.compiled, { from: epochAfter(due.from), count: due.count });
  if (!printer.isJson && !printer.isTerminal) return answerPipe(call, preview, due);
  const { instants: details, ...others } = preview;
  const value = { description, instants: due.list.map(formatInstant), details, ...others };
  await printer.answer(value, () => `${plain(description)}\n${previewText(preview, printer.width, noneText(due))}`);
}

/** The due instants for programs that read lines, and the rest for whoever watches. */
async function answerPipe({ printer, surroundings }: Call<unknown>, preview: TriggerPreview, due: Due): Promise<void> {
  if (preview.instants.length > 0) await printer.write(preview.instants.map(({ at }) => `${at}\n`).join(''));
  const notes = `${preview.instants.length === 0 ? `${noneText(due)}\n` : ''}${leftOutText(preview)}`;
  if (notes !== '') await writeTo(surroundings.stderr, notes);
}

/** That nothing is due, and when it last was. */
function noneText({ compiled, from }: Due): string {
  if (compiled.kind === 'manual') return 'never due by itself';
  const last = compiled.previous(epochAfter(from));
  const ended = last === undefined ? '' : `; it was last due at ${formatInstant(last)}`;
  return `never due after ${formatInstant(from)}${ended}`;
}

function epochAfter(from: EpochMs): EpochMs {
  return toEpochMs(new Date(from + 1)) ?? from;
}
