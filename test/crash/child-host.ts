/** A host process under test: what it tells, and a way to end it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const DEADLINE_MS = 30_000;

/** A line that the host told. */
export type Told = Readonly<Record<string, unknown>>;

/** A running host. */
export interface ChildHost {
  /** Its process id. */
  readonly pid: number;
  /** The first line, told already or to come, that fits; rejects at the deadline or when the host ends without it. */
  heard(fits: (line: Told) => boolean): Promise<Told>;
  /** Sends it a signal; nothing where it has ended. */
  signal(signal: NodeJS.Signals): void;
  /** Ends it with a signal and waits until it is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Its exit code once it has ended by itself. */
  readonly ended: Promise<number | null>;
}

/** How a host is started. */
export interface SpawnOptions {
  /** Hears every line that it tells. */
  readonly onTold?: (line: Told) => void;
  /** A program, with its arguments, that starts Node in its place. */
  readonly under?: readonly string[];
  /** The Node that runs it; the one of the test where absent. */
  readonly node?: string;
}

/** Starts `host.mjs` inside of the consumer project, so that it runs on the packed package. */
export function startHost(consumer: string, ...args: readonly string[]): ChildHost {
  const script = join(consumer, 'crash-host.mjs');
  copyFileSync(fileURLToPath(new URL('host.mjs', import.meta.url)), script);
  return spawnHost(script, args);
}

/** Copies the scripts of `hosts/` into a folder of the consumer project, and answers with it. */
export function installHosts(consumer: string, folder: string): string {
  const installed = join(consumer, folder);
  cpSync(fileURLToPath(new URL('hosts', import.meta.url)), installed, { recursive: true });
  return installed;
}

/** Starts a script in a process of its own. */
export function spawnHost(script: string, args: readonly string[], options: SpawnOptions = {}): ChildHost {
  const [program = '', ...rest] = [...(options.under ?? []), options.node ?? process.execPath, script, ...args];
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const heard = listen(createInterface({ input: child.stdout }), ended, options.onTold);
  return {
    pid: child.pid ?? 0,
    ended,
    heard,
    signal: (signal) => void child.kill(signal),
    end: (signal) => end(child, ended, signal),
  };
}

async function end(child: ChildProcess, ended: Promise<unknown>, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  await ended;
}

function listen(lines: Interface, ended: Promise<unknown>, onTold?: (line: Told) => void): ChildHost['heard'] {
  const told: Told[] = [];
  const waiting = new Set<() => void>();
  let isOver = false;
  const wake = (): void => {
    for (const look of waiting) look();
  };
  lines.on('line', (line) => {
    const heard = JSON.parse(line) as Told;
    if (onTold !== undefined) onTold(heard);
    told.push(heard);
    wake();
  });
  void ended.then(() => {
    isOver = true;
    wake();
  });
  return (fits) =>
    new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        waiting.delete(look);
        clearTimeout(timer);
        settle();
      };
      const look = (): void => {
        const line = told.find(fits);
        if (line !== undefined) finish(() => resolve(line));
        else if (isOver) finish(() => reject(new Error(`the host ended; it told ${JSON.stringify(told)}`)));
      };
      const late = (): void => finish(() => reject(new Error(`too late; the host told ${JSON.stringify(told)}`)));
      const timer = setTimeout(late, DEADLINE_MS);
      waiting.add(look);
      look();
    });
}
