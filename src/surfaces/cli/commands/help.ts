/**
 * Help that teaches: examples that can be copied for every command, and `everdue help` with two topics of its own, exit
 * codes and the configuration.
 */
import type { Command } from 'commander';
import { ERROR_CODES } from '../../../index.js';
import type { Call, Register } from '../call.js';
import { usageError } from '../input.js';

/** Gives a command its description and its examples. @internal */
export function examples(command: Command, description: string, lines: readonly [string, string]): Command {
  const shown = lines.map((line) => `  $ ${line}`).join('\n');
  return command.description(description).addHelpText('after', `\nExamples:\n${shown}`);
}

/** Adds `everdue help`. @internal */
export function addHelpCommand(program: Command, register: Register): void {
  register(
    program
      .command('help')
      .description('Show the help of a command, or of a topic: exit-codes, config.')
      .argument('[topic...]', 'a command, such as `schedule create`, or a topic'),
    (call: Call<unknown>) => call.printer.write(helpOf(program, call.args)),
  );
}

function helpOf(program: Command, topic: readonly string[]): string {
  if (topic.length === 1 && topic[0] === 'exit-codes') return exitCodesText();
  if (topic.length === 1 && topic[0] === 'config') return CONFIG_TEXT;
  return renderHelp(topic.reduce((command, name) => commandOf(command, name), program));
}

function commandOf(parent: Command, name: string): Command {
  const found = parent.commands.find((command) => command.name() === name);
  if (found !== undefined) return found;
  const known = parent.commands.map((command) => command.name()).join(', ');
  throw usageError(`there is no help about '${name}'`, known === '' ? '' : `Known: ${known}, exit-codes, config.`);
}

/** The help of a command with the texts that were added to it. */
function renderHelp(command: Command): string {
  let text = '';
  const { writeOut } = command.configureOutput();
  command.configureOutput({
    writeOut: (piece) => {
      text += piece;
    },
  });
  command.outputHelp();
  command.configureOutput(writeOut === undefined ? {} : { writeOut });
  return text;
}

/** Exit codes with the error codes that lead to them. @internal */
export function exitCodesText(): string {
  const codes = Object.entries(ERROR_CODES);
  const exits = [...new Set(codes.map(([, { exit }]) => exit))].sort((a, b) => a - b);
  const lines = exits.map((exit) => {
    const names = codes.filter(([, code]) => code.exit === exit).map(([name]) => name);
    return `  ${String(exit).padEnd(5)}${[...names, ...(exit === 70 ? ['and what is no error of everdue (UNKNOWN)'] : [])].join('\n       ')}`;
  });
  return `Exit codes:\n  0    done; \`serve\`: stopped by a signal\n${lines.join('\n')}\n`;
}

const CONFIG_TEXT = `Configuration: the host's own module, which says what plans and runs documents.

It is the file that EVERDUE_CONFIG names, or everdue.config.mjs, .js, .cjs or .ts in the
working directory (.ts where this Node strips types). \`create\`, \`ensure\`, \`update\`, \`serve\`
and \`tick\` load it. No declaration can name it. Its default export, or what its default
function answers with:

  export default {
    providers: { report: { kinds: { 'report/1': { run: async (document, context) => {
      context.logger.info('begun', { sheets: 3 });
      return { done: true };
    } } } } },
  };

Fields, all optional; \`serve\` and \`tick\` need \`providers\` or \`execution\`:
  providers     { [provider]: { kinds: { [version of the document]: { run, schema? } } } }:
                short for execution: inProcess({ providers, logger })
  execution     an execution service of your own, such as inProcess({ ... }) of 'everdue';
                not beside providers
  logger        { debug, info, warn, error }, each (message, fields): where context.logger of
                the handlers goes. Absent: standard error, a line each; with --json a JSON
                object each. Goes with providers
  observer      (event) => void: hears what the command commits and runs
  caller        { name, providers? }: whose name is kept with what is changed (default: yours),
                and the providers that may be named (default: every one)
  concurrency   occurrences that serve and tick run at a time, 1..10000 (default: 1)
  drainSeconds  seconds that serve and tick wait for what runs when they are stopped,
                0..86400 (default: 20)

With --json, console.log and its like go to standard error: standard output is the answer's.

Environment:
  EVERDUE_CONFIG    path of the configuration
  EVERDUE_DEBUG=1   show stacks of errors
`;
