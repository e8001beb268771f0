/**
 * The built command as its users start it: a process of its own, from the packed package.
 *
 * `everdue` runs a command to its end; `startEverdue` starts one that stays, and waits for lines of its output with a
 * deadline instead of sleeping.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';

const DEADLINE_MS = 30_000;

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where and how a command runs. */
export interface Setting {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** A folder that is removed when the test has ended. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'everdue-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a file below a folder and answers with its path. */
export function put(folder: string, name: string, content: string | object): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** Runs a command to its end. */
export async function everdue(args: readonly string[], setting: Setting = {}): Promise<Ended> {
  const running = startEverdue(args, setting);
  running.end(setting.stdin ?? '');
  return await running.ended;
}

/** As {@link everdue} with `--json`: what it printed, parsed. */
export async function everdueJson(
  args: readonly string[],
  setting: Setting = {},
): Promise<{ readonly code: number | null; readonly value: unknown; readonly error: unknown }> {
  const { code, stdout, stderr } = await everdue([...args, '--json'], setting);
  return { code, value: parsed(stdout), error: parsed(stderr) };
}

function parsed(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text);
}

/** A command that runs. */
export interface Running {
  /** Resolves when it has ended. */
  readonly ended: Promise<Ended>;
  /** Writes to its standard input. */
  write(text: string | Uint8Array): void;
  /** Closes its standard input. */
  end(text?: string): void;
  /** Reads no more of its standard output. */
  closeOutput(): void;
  /** Sends a signal. */
  signal(name: NodeJS.Signals): void;
  /** Resolves with its standard output once that holds `text`; rejects when the process ends first, or too late. */
  printed(text: string): Promise<string>;
}

/** Starts a command; it is killed when the test ends before it. */
export function startEverdue(args: readonly string[], { cwd, env = {} }: Setting = {}): Running {
  const cli = join(inject('consumer'), 'node_modules/everdue/dist/cli.js');
  const { EVERDUE_CONFIG: _config, ...inherited } = process.env;
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: cwd ?? tmpdir(),
    env: { ...inherited, USER: 'tester', ...env },
  });
  return watched(child);
}

function watched(child: ChildProcessWithoutNullStreams): Running {
  let stdout = '';
  let stderr = '';
  const listeners = new Set<() => void>();
  const hear = () => {
    for (const listener of listeners) listener();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    hear();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A command that refuses its arguments ends before it has read its input.
  child.stdin.on('error', () => {});
  let isOver = false;
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      isOver = true;
      resolve({ code, stdout, stderr });
      hear();
    });
  });
  onTestFinished(() => {
    if (!isOver) child.kill('SIGKILL');
  });
  const printed = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        clearTimeout(deadline);
        listeners.delete(look);
        settle();
      };
      const complain = (what: string) => reject(new Error(`${what} before it printed "${text}": ${stdout}${stderr}`));
      const look = () => {
        if (stdout.includes(text)) finish(() => resolve(stdout));
        else if (isOver) finish(() => complain('it ended'));
      };
      const deadline = setTimeout(() => finish(() => complain(`${DEADLINE_MS} ms went by`)), DEADLINE_MS);
      listeners.add(look);
      look();
    });
  return {
    ended,
    write: (text) => child.stdin.write(text),
    end: (text = '') => child.stdin.end(text),
    closeOutput: () => child.stdout.destroy(),
    signal: (name) => child.kill(name),
    printed,
  };
}
