/**
 * One call of a command: its arguments and options, where it prints, and the schedules that it works on.
 *
 * The workspace is closed however the command ends. The file store is loaded only by commands that open one, so that
 * `everdue next` starts fast.
 */
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { memoryWorkspace, type OpenOptions, openSchedules, ScheduleError, type Schedules } from '../../index.js';
import { type LoadedConfig, loadConfig } from './config.js';
import { lineLogger } from './handler-log.js';
import { shellWord, withCommandHint } from './hint.js';
import { usageError } from './input.js';
import { Printer, type Surroundings } from './output/print.js';

/** Options that many commands share. @internal */
export interface SharedOptions {
  /** Print JSON. */
  readonly json?: boolean;
  /** The folder of the workspace. */
  readonly workspace?: string;
  /** Open it also on a file system that machines share. */
  readonly allowNetworkFileSystem?: boolean;
}

/** The option by which a command opens its workspace also on a file system that machines share (ST-8). @internal */
export const NETWORK_OPTION = [
  '--allow-network-file-system',
  'take the risk of a folder that machines share, whose locks and flushes cannot be relied on',
] as const;

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
      try {
        await act({ args: command.args, options, surroundings, printer });
      } catch (error) {
        throw withCommandHint(error, options.workspace);
      }
    });
}

/** What a call is going to do with its workspace. @internal */
export interface Intent {
  /** It plans or executes, so that it needs the host's configuration (SF-2). */
  readonly plans: boolean;
  /** It may make the catalogue; all others refuse a folder without one, which is a mistyped one. */
  readonly makes: boolean;
  /** It runs, so that without an execution service it is refused before anything is made. */
  readonly runs?: boolean;
  /** What is tried in memory before a new catalogue is made, so that a refusal leaves nothing behind. */
  readonly rehearse?: (schedules: Schedules) => Promise<unknown>;
  /** Where handlers' log lines go; standard error where absent. */
  readonly logLine?: (line: string) => void;
}

/** Looks at what there is, or changes it. @internal */
export const LOOKS: Intent = { plans: false, makes: false };

/** Registers anew, or runs. @internal */
export const PLANS: Intent = { plans: true, makes: true };

/** Changes what is registered. @internal */
export const REPLANS: Intent = { plans: true, makes: false };

/**
 * Absolute path of the workspace that a call names; `SCHEDULE_USAGE` where it names none, `SCHEDULE_WORKSPACE_UNUSABLE`
 * where it holds no catalogue and the call makes none. Nothing is left behind.
 *
 * @internal
 */
export function workspaceOf({ options, surroundings }: Call<unknown>, { makes }: Pick<Intent, 'makes'>): string {
  if (options.workspace === undefined || options.workspace === '') {
    const hint = 'Name the folder of the workspace: --workspace ./work';
    throw usageError("required option '--workspace <dir>' not specified", hint);
  }
  const workspace = resolve(surroundings.cwd, options.workspace);
  if (makes || hasCatalogue(workspace)) return workspace;
  throw noCatalogue(workspace);
}

/** Whether a folder holds a catalogue that was made whole: its `store.json` is written last. @internal */
export function hasCatalogue(workspace: string): boolean {
  return existsSync(join(workspace, 'catalogue', 'store.json'));
}

/** The error for a folder that holds no catalogue. @internal */
export function noCatalogue(workspace: string): ScheduleError {
  const rest = existsSync(join(workspace, 'catalogue'))
    ? `Its catalogue/ has no store.json: see why with \`everdue check --workspace ${shellWord(workspace)}\`.`
    : 'Is --workspace right? `create`, `ensure` and `serve` make a new one.';
  return new ScheduleError('SCHEDULE_WORKSPACE_UNUSABLE', `there is no catalogue in ${workspace}`, {
    details: { path: workspace },
    hint: rest,
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
  const logLine = intent.logLine ?? ((line: string) => void call.surroundings.stderr.write(`${line}\n`, () => {}));
  const config = intent.plans
    ? await loadConfig(call.surroundings, lineLogger(logLine, call.printer.isJson))
    : undefined;
  if (intent.runs === true) refuseWithoutExecution(config);
  const { caller = { name: callerName(call.surroundings.env) }, execution, observer } = config ?? {};
  if (!hasCatalogue(workspace)) await rehearse(intent, { caller, execution });
  const { fileWorkspace } = await import('../../adapters/fs/index.js');
  const storage = await fileWorkspace(workspace, {
    allowNetworkFileSystem: call.options.allowNetworkFileSystem === true,
  });
  let schedules: Schedules | undefined;
  try {
    schedules = await openSchedules({ workspace: storage, caller, execution, observer });
    await use({ schedules, config, workspace });
  } finally {
    // The schedules close their workspace; where they could not be opened, it is closed all the same.
    await (schedules ?? storage).close();
  }
}

async function rehearse(intent: Intent, options: Omit<OpenOptions, 'workspace'>): Promise<void> {
  if (intent.rehearse === undefined) return;
  const schedules = await openSchedules({ workspace: memoryWorkspace(), ...options });
  try {
    await intent.rehearse(schedules);
  } finally {
    await schedules.close();
  }
}

function refuseWithoutExecution(config: LoadedConfig | undefined): void {
  if (config?.execution !== undefined) return;
  const found = config === undefined ? 'and no configuration names one' : `and ${config.path} names none`;
  throw new ScheduleError('SCHEDULE_CONFIG_INVALID', `an owner needs an execution service, ${found}`, {
    hint: 'Write everdue.config.mjs in the working directory, or name one in EVERDUE_CONFIG; see `everdue help config`.',
  });
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
