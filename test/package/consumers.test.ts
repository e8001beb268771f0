/** The packed tarball as its users meet it: ES modules, CommonJS, TypeScript. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, it } from 'vitest';
import { DOORS } from '../../tsup.config.js';

const consumer = inject('consumer');
const ALL_DOORS = `${Object.keys(DOORS).length} doors`;
const TSC = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));

function run(...args: readonly string[]): { readonly code: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: consumer, encoding: 'utf8' });
  return { code: status, output: `${stdout}${stderr}`.trim() };
}

describe('consumers', () => {
  it('an ES module imports every door and knows the errors of the CommonJS copy', () => {
    expect(run('esm.mjs')).toEqual({ code: 0, output: ALL_DOORS });
  });

  it('a CommonJS module requires every door and meets one error class', () => {
    expect(run('cjs.cjs')).toEqual({ code: 0, output: ALL_DOORS });
  });

  it('a TypeScript project compiles against the declarations of both formats', () => {
    expect(run(TSC, '--project', 'tsconfig.json')).toEqual({ code: 0, output: '' });
  });

  it('the tarball carries the licence, the change log and the command', () => {
    const installed = join(consumer, 'node_modules/everdue');
    const missing = ['LICENSE', 'README.md', 'CHANGELOG.md', 'dist/cli.js'].filter(
      (path) => !existsSync(join(installed, path)),
    );
    expect(missing, 'list it under `files` of package.json').toEqual([]);
  });

  it('the command answers when it is called from the tarball', () => {
    expect(run('node_modules/everdue/dist/cli.js', '--help')).toMatchObject({ code: 0 });
  });
});
