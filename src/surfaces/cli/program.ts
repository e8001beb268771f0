/**
 * The command `everdue`: its commands, its help, and how a run of it ends.
 *
 * Mistakes in the call and errors of the package end alike: a report on standard error and the exit code of its class.
 */
import { Command, CommanderError } from 'commander';
import { isScheduleError } from '../../index.js';
import { NETWORK_OPTION, registerIn } from './call.js';
import { addCatalogueCommands } from './commands/catalogue.js';
import { addControlCommands } from './commands/control.js';
import { addDeclareCommands, addLintCommand } from './commands/declare.js';
import { addHelpCommand } from './commands/help.js';
import { addInspectCommands } from './commands/inspect.js';
import { addSchemaCommand } from './commands/schema.js';
import { addOwnerCommands } from './commands/serve.js';
import { addExplainCommand, addScheduleExplainCommand } from './commands/trigger/explain.js';
import { addNextCommand } from './commands/trigger/next.js';
import { addCheckCommands } from './commands/workspace/check.js';
import { consoleAside } from './console-aside.js';
import { scheduleCommand, shellWord } from './hint.js';
import { usageError } from './input.js';
import { reportError } from './output/error-text.js';
import { isBrokenPipe, type Surroundings, writeTo } from './output/print.js';

/** Runs the command with its arguments (without `node` and the script) and answers with its exit code; never throws. @internal */
export async function runCli(args: readonly string[], surroundings: Surroundings, version: string): Promise<number> {
  let shown = '';
  const program = buildProgram(surroundings, version, (text) => {
    shown += text;
  });
  const restoreConsole = asksForJson(args) ? consoleAside(surroundings.stderr) : () => {};
  try {
    await program.parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' });
    return 0;
  } catch (error) {
    if (isBrokenPipe(error)) return 0;
    if (error instanceof CommanderError && error.exitCode === 0) {
      await writeTo(surroundings.stdout, shown);
      return 0;
    }
    return await endWith(error instanceof CommanderError ? usageOf(error, program, args) : error, args, surroundings);
  } finally {
    restoreConsole();
  }
}

/** The whole command; `show` is given what `--help` and `--version` print. @internal */
export function buildProgram(surroundings: Surroundings, version: string, show: (text: string) => void): Command {
  const register = registerIn(surroundings);
  const program = new Command('everdue')
    .description(
      'Durable schedules: what is due runs at most once, survives crashes, and leaves evidence that explains it.',
    )
    .version(version, '--version', 'print the version')
    .option('--json', 'print one JSON value for programs; errors are JSON on standard error')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: show, writeErr: () => {}, outputError: () => {} })
    .exitOverride()
    .helpCommand(false)
    .addHelpText('after', '\nMore: `everdue help schedule create`, `everdue help config`, `everdue help exit-codes`.');
  const schedule = program
    .command('schedule')
    .description('Work with the schedules of a workspace.')
    .helpCommand(false)
    .option('--workspace <dir>', 'folder of the workspace')
    .option(...NETWORK_OPTION);
  addDeclareCommands(schedule, register);
  addInspectCommands(schedule, register);
  addScheduleExplainCommand(schedule, register);
  addControlCommands(schedule, register);
  addCatalogueCommands(schedule, register);
  addOwnerCommands(schedule, register);
  addCheckCommands(program, register);
  addLintCommand(program, register);
  addNextCommand(program, register);
  addExplainCommand(program, register);
  addSchemaCommand(program, register);
  addHelpCommand(program, register);
  return program;
}

async function endWith(error: unknown, args: readonly string[], { stderr, env }: Surroundings): Promise<number> {
  const report = reportError(error, { json: asksForJson(args), debug: env['EVERDUE_DEBUG'] === '1' });
  await writeTo(stderr, report.text).catch((failure: unknown) => {
    // With nobody to read it, the exit code alone tells.
    if (!isBrokenPipe(failure)) throw failure;
  });
  return report.exit;
}

/** Whether `--json` was asked for, also where the call was not understood. */
function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).includes('--json');
}

/** What commander refused, as an error of the package with what to do. */
function usageOf(error: CommanderError, program: Command, args: readonly string[]): unknown {
  if (isScheduleError(error)) return error;
  const [first = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const { path, command } = commandIn(program, args);
  if (error.code === 'commander.help')
    return usageError(`missing command: \`${path}\` needs one`, `See \`${path} --help\`.`);
  const nearest = /Did you mean (.*)\?\)/.exec(suggestion ?? '')?.[1];
  if (nearest !== undefined) return usageError(first, `Did you mean ${nearest}? See also \`${path} --help\`.`);
  return usageError(first, adviceOn(error, command) ?? `See \`${path} --help\`.`);
}

/** What a mistake of usage most likely lacks. */
function adviceOn({ code, message }: CommanderError, command: Command): string | undefined {
  if (code === 'commander.missingMandatoryOptionValue' && message.includes("'--revision <n>'")) {
    const { workspace } = command.optsWithGlobals<{ readonly workspace?: string }>();
    const id = command.args[0] === undefined ? 'ID' : shellWord(command.args[0]);
    return `See the revision with: ${scheduleCommand(workspace ?? 'DIR')} show ${id}`;
  }
  if (code === 'commander.excessArguments' && ['next', 'explain'].includes(command.name())) {
    return `Put a cron text in quotes: everdue ${command.name()} '0 2 * * *'`;
  }
  return undefined;
}

/** The commands that the arguments name, as far as they are known, and the innermost of them. */
function commandIn(program: Command, args: readonly string[]): { readonly path: string; readonly command: Command } {
  const names = ['everdue'];
  let command = program;
  for (const arg of args) {
    const next = command.commands.find((one) => one.name() === arg);
    if (next === undefined) continue;
    names.push(arg);
    command = next;
  }
  return { path: names.join(' '), command };
}
