/** File systems of their own for a test, where this machine lets it mount some: root on Linux. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, type TestContext } from 'vitest';
// Its folders are removed after each test; what is mounted in them must be gone by then, so its hook stands first.
import { emptyRoot } from '../adapters/fs/ground.js';

const mounted: string[] = [];

/** Mounts in a new folder until the test has ended; skips the test with the reason where the system refuses. */
export function mount(test: TestContext, ...args: readonly string[]): string {
  const folder = join(emptyRoot(), 'mounted');
  mkdirSync(folder);
  const refusal = refusalOf([...args, folder]);
  if (refusal !== undefined) test.skip(`this machine mounts nothing for a test: ${refusal}`);
  mounted.push(folder);
  return folder;
}

/** Makes what is mounted read-only from now on. */
export function makeReadOnly(folder: string): void {
  execFileSync('mount', ['-o', 'remount,bind,ro', folder]);
}

afterEach(() => {
  for (const folder of mounted.splice(0)) execFileSync('umount', ['-l', folder]);
});

function refusalOf(args: readonly string[]): string | undefined {
  try {
    execFileSync('mount', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.trim() : String(error);
  }
}
