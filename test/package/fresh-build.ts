/**
 * Runs once before the tests that need the built package: builds `dist` when a source is newer, packs it, and
 * installs the tarball into a consumer project in a temporary folder. It downloads nothing.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { installConsumer } from './consumer-project.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const INPUTS = ['package.json', 'tsconfig.json', 'tsup.config.ts'];
const LAST_OUTPUTS = ['dist/index.js', 'dist/index.cjs', 'dist/index.d.ts', 'dist/index.d.cts'];

declare module 'vitest' {
  export interface ProvidedContext {
    /** Absolute path of the packed tarball. */
    tarball: string;
    /** Absolute path of a project that has the tarball installed. */
    consumer: string;
  }
}

let temporary: string | undefined;

/** Builds, packs and installs; tells the tests where. */
export function setup(project: TestProject): void {
  if (isStale()) execFileSync('npm', ['run', 'build'], { cwd: ROOT, stdio: 'inherit', shell: isWindows() });
  temporary = mkdtempSync(join(tmpdir(), 'everdue-package-'));
  const tarball = pack(temporary);
  project.provide('tarball', tarball);
  project.provide('consumer', installConsumer(ROOT, tarball, join(temporary, 'consumer')));
}

/** Removes what `setup` left in the temporary folder. */
export function teardown(): void {
  if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
}

function isStale(): boolean {
  const outputs = LAST_OUTPUTS.map((path) => join(ROOT, path));
  if (!outputs.every((path) => existsSync(path))) return true;
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).map((path) =>
    join('src', path),
  );
  const newestInput = Math.max(...[...INPUTS, ...sources].map((path) => statSync(join(ROOT, path)).mtimeMs));
  return newestInput > Math.min(...outputs.map((path) => statSync(path).mtimeMs));
}

/** `npm pack` without its scripts: they would build again. */
function pack(into: string): string {
  const args = ['pack', '--ignore-scripts', '--pack-destination', into];
  execFileSync('npm', args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'], shell: isWindows() });
  const tarball = readdirSync(into).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error(`npm pack left no tarball in ${into}`);
  return join(into, tarball);
}

function isWindows(): boolean {
  return process.platform === 'win32';
}
