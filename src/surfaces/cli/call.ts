/**
 * One call of a command: its arguments and options, where it prints, and the schedules that it works on.
 *
 * The workspace is closed however the command ends. The file store is loaded only by commands that open one, so that
 * `everdue next` starts fast.
 */
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { isScheduleError, openSchedules, ScheduleError, type Schedules } from '../../index.js';
import { type LoadedConfig, loadConfig } from './config.js';
import { usageError } from './input.js';
import { Printer, type Surroundings } from './output/print.js';

/** Options that many commands share. @internal */
export interface SharedOptions {
  /** Print JSON. */
  readonly json?: boolean;
  /** The folder of the workspace. */
  readonly workspace?: string;
}

/** What a command is given. @internal */
export interface Call<Options> {
  /** Its arguments, as they stood. */
  readonly args: readonly string[];
  /** Its options and those of the commands above it. */
  readonly options: Options & SharedOptions;
  /** Streams, environment, working directory. */
  readonly surroundings: Surroundings;
  /** Where it prints. */
  readonly printer: Printer;
}

/** A command that can be given something to do. @internal */
export type Register = <Options>(command: Command, act: (call: Call<Options>) => Promise<void>) => Command;

/** Lets commands act in these surroundings. @internal */
export function registerIn(surroundings: Surroundings): Register {
  return <Options>(command: Command, act: (call: Call<Options>) => Promise<void>) =>
    command.action(async () => {
      const options = command.optsWithGlobals<Options & SharedOptions>();
      const printer = new Printer(surroundings.stdout, options.json === true);
      await act({ args: command.args, options, surroundings, printer });
    });
}

/** What a call is going to do with its workspace. @internal */
export interface Intent {
  /** It plans or executes, so that it needs the host's configuration (SF-2). */
  readonly plans: boolean;
  /** It may make the workspace; all others refuse a folder that is not there, which is a mistyped one. */
  readonly makes: boolean;
}

/** Looks at what there is, or changes it. @internal */
export const LOOKS: Intent = { plans: false, makes: false };

/** Registers or runs. @internal */
export const PLANS: Intent = { plans: true, makes: true };

/**
 * Absolute path of the workspace that a call names; `SCHEDULE_USAGE` where it names none, `SCHEDULE_WORKSPACE_UNUSABLE`
 * where there is none and the call makes none.
 *
 * @internal
 */
export function workspaceOf({ options, surroundings }: Call<unknown>, { makes }: Pick<Intent, 'makes'>): string {
  if (options.workspace === undefined || options.workspace === '') {
    const hint = 'Name the folder of the workspace: --workspace ./work';
    throw usageError("required option '--workspace <dir>' not specified", hint);
  }
  const workspace = resolve(surroundings.cwd, options.workspace);
  if (makes || existsSync(workspace)) return workspace;
  throw new ScheduleError('SCHEDULE_WORKSPACE_UNUSABLE', `there is no folder ${workspace}`, {
    details: { path: workspace },
    hint: 'Correct --workspace; `create`, `ensure` and `serve` make a new one.',
  });
}

/** Schedules opened for one call, and the configuration that they were opened with. @internal */
export interface Opened {
  /** The client. */
  readonly schedules: Schedules;
  /** The host's configuration, where the call asked for it and there is one. */
  readonly config: LoadedConfig | undefined;
  /** Absolute path of the workspace. */
  readonly workspace: string;
}

/** Opens the workspace, uses it and closes it. @internal */
export async function withSchedules(
  call: Call<unknown>,
  intent: Intent,
  use: (opened: Opened) => Promise<void>,
): Promise<void> {
  const workspace = workspaceOf(call, intent);
  const config = intent.plans ? await loadConfig(call.surroundings) : undefined;
  const { fileWorkspace } = await import('../../adapters/fs/index.js');
  const storage = await fileWorkspace(workspace);
  let schedules: Schedules | undefined;
  try {
    schedules = await openSchedules({
      workspace: storage,
      caller: config?.caller ?? { name: callerName(call.surroundings.env) },
      ...(config?.execution === undefined ? {} : { execution: config.execution }),
    });
    await use({ schedules, config, workspace });
  } catch (error) {
    throw isScheduleError(error, 'SCHEDULE_NO_PLANNER') ? withConfigHint(error) : error;
  } finally {
    // The schedules close their workspace; where they could not be opened, it is closed all the same.
    await (schedules ?? storage).close();
  }
}

/** On the command line the execution service comes from the configuration. */
function withConfigHint({ code, message, details }: ScheduleError): ScheduleError {
  const hint =
    'Write everdue.config.mjs or name one in EVERDUE_CONFIG (see `everdue help config`), or use --defer-planning.';
  return new ScheduleError(code, message, { details, hint });
}

/** The name of the person at the terminal, where the system knows it. */
function callerName(env: Surroundings['env']): string {
  const given = env['USER'] ?? env['USERNAME'] ?? '';
  if (given !== '') return given;
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that has no name.
    return 'cli';
  }
}
