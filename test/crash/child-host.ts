/** A host process under test: what it tells, and a way to end it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
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
  /** Ends it with a signal and waits until it is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Its exit code once it has ended by itself. */
  readonly ended: Promise<number | null>;
}

/** Starts `host.mjs` inside of the consumer project, so that it runs on the packed package. */
export function startHost(consumer: string, ...args: readonly string[]): ChildHost {
  const script = join(consumer, 'crash-host.mjs');
  copyFileSync(fileURLToPath(new URL('host.mjs', import.meta.url)), script);
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const lines = listen(createInterface({ input: child.stdout }), ended);
  return { pid: child.pid ?? 0, ended, heard: lines, end: (signal) => end(child, ended, signal) };
}

async function end(child: ChildProcess, ended: Promise<unknown>, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  await ended;
}

function listen(lines: Interface, ended: Promise<unknown>): ChildHost['heard'] {
  const told: Told[] = [];
  const waiting = new Set<() => void>();
  let isOver = false;
  const wake = (): void => {
    for (const look of waiting) look();
  };
  lines.on('line', (line) => {
    told.push(JSON.parse(line) as Told);
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
