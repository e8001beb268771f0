/**
 * The published contracts under the runners of their users: node:test, Vitest, Mocha, and Jest or what stands for it. Each
 * project uses the packed tarball; each reports every case as passed on a good store and names the clause that a mutant breaks.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { storeContract } from '../../src/testing/contracts/store-contract.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MODULES = join(ROOT, 'node_modules');
const BROKEN = 'S-7 records come newest first';

/** The program of Jest, installed outside of the project; without it, a stand-in with the same realms runs the same files. */
const JEST = process.env['EVERDUE_JEST'];

/** How each runner is started on a file; it prints the names of its cases. */
const RUNNERS: Readonly<Record<string, { readonly files: readonly string[]; run(file: string): readonly string[] }>> = {
  'node-test': {
    files: ['contract.mjs', 'mutant.mjs'],
    run: (file) => ['--test', '--test-reporter=spec', file],
  },
  vitest: {
    files: ['contract.test.mjs', 'mutant.test.mjs'],
    run: (file) => [join(MODULES, 'vitest/vitest.mjs'), 'run', '--root', '..', '--reporter=verbose', file],
  },
  mocha: {
    files: ['contract.mjs', 'contract.cjs', 'mutant.cjs'],
    run: (file) => [join(MODULES, 'mocha/bin/mocha.js'), '--timeout', '60000', file],
  },
  jest: {
    files: ['contract.test.cjs', 'mutant.test.cjs'],
    run: (file) =>
      JEST === undefined ? ['../jest-realm.mjs', file] : [JEST, '--config', 'package.json', '--verbose', file],
  },
};

const projects = mkdtempSync(join(tmpdir(), 'everdue-runners-'));
prepare();
afterAll(() => rmSync(projects, { recursive: true, force: true }));

/** The projects beside each other, with the tarball and the runners that are imported by name linked. */
function prepare(): void {
  cpSync(join(ROOT, 'test/package/runners'), projects, { recursive: true });
  mkdirSync(join(projects, 'node_modules'));
  symlinkSync(join(inject('consumer'), 'node_modules/everdue'), join(projects, 'node_modules/everdue'), 'junction');
  symlinkSync(join(MODULES, 'vitest'), join(projects, 'node_modules/vitest'), 'junction');
}

interface Report {
  readonly code: number | null;
  readonly output: string;
}

/** Reports by runner and file: each is run once. */
const reports = new Map<string, Report>();

function run(runner: string, file: string): Report {
  const known = reports.get(`${runner}/${file}`);
  if (known !== undefined) return known;
  const args = RUNNERS[runner]?.run(file) ?? [];
  const options = { cwd: join(projects, runner), env: environment(), encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  const report = { code: status, output: `${stdout}${stderr}` };
  reports.set(`${runner}/${file}`, report);
  return report;
}

/** Without what this runner tells its own workers. */
function environment(): NodeJS.ProcessEnv {
  const foreign = /^(VITEST|TEST|NODE_ENV|NODE_OPTIONS|NODE_V8_COVERAGE|NODE_TEST_CONTEXT|FORCE_COLOR|CI)/;
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return { ...Object.fromEntries(own), NO_COLOR: '1' };
}

/** Cases that were named in a report, and those that were not. */
function namesIn(output: string): { readonly told: number; readonly missing: readonly string[] } {
  const names = storeContract(() => Promise.reject(new Error('nothing is opened'))).map(
    ({ clause, title }) => `${clause} ${title}`,
  );
  return { told: names.length, missing: names.filter((name) => !output.includes(name)) };
}

describe('contracts under the runners of their users', () => {
  for (const [runner, { files }] of Object.entries(RUNNERS)) {
    for (const file of files.filter((name) => name.startsWith('contract'))) {
      it(`[ST-5] ${runner} passes every case of a good store (${file})`, () => {
        const { code, output } = run(runner, file);
        expect(code, output).toBe(0);
        const { told, missing } = namesIn(output);
        expect(told).toBeGreaterThan(30);
        expect(missing).toEqual([]);
      });
    }
    it(`[ST-5] ${runner} reports the clause that a mutant breaks as failed`, () => {
      const { code, output } = run(runner, files.find((name) => name.startsWith('mutant')) ?? '');
      expect(code).not.toBe(0);
      expect(output).toMatch(new RegExp(`(✖|×|✕|\\d\\)|FAIL).*${BROKEN}`));
    });
  }

  it('[ST-5] a case that judges nothing is shown with its reason', () => {
    const { output } = run('node-test', 'contract.mjs');
    expect(output).toMatch(/# it denies survivesPowerLoss/);
    expect(output).toMatch(/# the power of this machine is not cut/);
  });
});
