/**
 * strace, attached to a process that waits: one kind of system call fails, or kills its process, when it is made for the so
 * manyth time.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** What happens to which call of a process, counted from 1 on in each of its threads. */
export interface Injection {
  readonly calls: string;
  readonly does: 'EIO' | 'ENOSPC' | 'KILL';
  readonly when: number;
  /** The one file whose calls are meant; those of all where absent. */
  readonly path?: string;
}

/** A tracer at work. */
export interface Tracer {
  /** Resolves when it has ended; it ends with the process. */
  readonly ended: Promise<unknown>;
}

/** Attaches to a process; resolves once every call of it is watched. Rejects where that is not allowed. */
export async function attach(pid: number, injection: Injection): Promise<Tracer> {
  const { calls, does, when, path } = injection;
  const what = does === 'KILL' ? 'signal=SIGKILL' : `error=${does}`;
  const only = path === undefined ? [] : ['-P', path];
  const args = ['-f', '-o', '/dev/null', ...only, '-e', `trace=${calls}`, '-e', `inject=${calls}:${what}:when=${when}`];
  const tracer = spawn('strace', [...args, '-p', String(pid)], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(tracer, 'close');
  await Promise.race([
    attached(tracer),
    ended.then(() => {
      throw new Error('strace could not attach');
    }),
  ]);
  return { ended };
}

async function attached(tracer: ChildProcess): Promise<void> {
  let told = '';
  for await (const text of tracer.stderr ?? []) {
    told += String(text);
    if (told.includes(' attached')) return;
  }
}

/** Why calls cannot be made to fail here; nothing where they can. */
export async function whyNoTracing(): Promise<string | undefined> {
  if (process.platform !== 'linux') return `strace is of Linux, this is ${process.platform}`;
  if (spawnSync('strace', ['-V']).error !== undefined) return 'strace is not installed';
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  try {
    await once(child, 'spawn');
    const { ended } = await attach(child.pid ?? 0, { calls: 'mkdir', does: 'EIO', when: 1 });
    child.kill('SIGKILL');
    await ended;
    return undefined;
  } catch (error) {
    return `a process may not be traced here (ptrace): ${String(error)}`;
  } finally {
    child.kill('SIGKILL');
  }
}
