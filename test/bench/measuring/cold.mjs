/** Cold processes: a fresh Node runs a file, and tells by one line of JSON what it measured. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Runs a file beside the caller in a new process and resolves with what it printed, and `wallMs` for all of it. */
export async function coldRun(url, args = []) {
  const started = performance.now();
  const child = spawn(process.execPath, ['--expose-gc', fileURLToPath(url), ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part) => {
    text += part;
  });
  const [code, signal] = await once(child, 'close');
  const wallMs = performance.now() - started;
  if (code !== 0) throw new Error(`${fileURLToPath(url)} ${args.join(' ')} ended with ${signal ?? code}`);
  return { ...(text === '' ? {} : JSON.parse(text)), wallMs };
}

/**
 * Milliseconds that the main thread of this process has had the processor: what other processes took is not in it, nor is the
 * work of the compiler and the collector in the background. Linux tells it; elsewhere it is the time on the wall.
 */
export function mainThreadMs() {
  const path = `/proc/self/task/${process.pid}/schedstat`;
  if (!existsSync(path)) return performance.now();
  return Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e6;
}

/** What a cold process tells its parent. */
export function tell(result) {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** Bytes that live objects take, after everything else is collected. */
export function liveBytes() {
  for (let pass = 0; pass < 3; pass += 1) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
