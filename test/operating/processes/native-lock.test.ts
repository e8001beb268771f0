/**
 * Machines without the native lock, such as those with musl: the exclusive lock of `node:sqlite` where Node has it, a clear
 * refusal elsewhere, never a weaker lock. Real processes on the packed package, whose lock library cannot be loaded.
 *
 * `EVERDUE_NODE26` names a Node that has `node:sqlite`, where the one that runs the tests has not.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { type ChildHost, spawnHost } from '../../crash/child-host.js';

const NATIVE = 'fs-native-extensions';
const OWN_MAJOR = Number(process.versions.node.split('.')[0]);
/** A Node with `node:sqlite`; nothing where none is at hand. */
const NODE_WITH_SQLITE = OWN_MAJOR >= 22 ? process.execPath : process.env['EVERDUE_NODE26'];

/** Copies of the consumer project: with the lock library, without it, and with one whose binary does not fit the machine. */
const projects = { whole: '', absent: '', unfit: '' };
let base = '';

function project(name: keyof typeof projects): string {
  const folder = join(base, name);
  const from = join(inject('consumer'), 'node_modules');
  const modules = join(folder, 'node_modules');
  mkdirSync(modules, { recursive: true });
  for (const dependency of readdirSync(from)) {
    // Copied, so that Node looks for its dependencies here.
    if (dependency === 'everdue') cpSync(join(from, dependency), join(modules, dependency), { recursive: true });
    else if (dependency !== NATIVE || name === 'whole') symlinkSync(join(from, dependency), join(modules, dependency));
  }
  if (name === 'unfit') {
    mkdirSync(join(modules, NATIVE));
    writeFileSync(
      join(modules, NATIVE, 'package.json'),
      JSON.stringify({ name: NATIVE, version: '1.0.0', main: 'x.js' }),
    );
    writeFileSync(join(modules, NATIVE, 'x.js'), `throw new Error('no addon for linux-musl-x64');\n`);
  }
  copyFileSync(fileURLToPath(new URL('lock-host.mjs', import.meta.url)), join(folder, 'lock-host.mjs'));
  return folder;
}

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'everdue-lock-'));
  for (const name of ['whole', 'absent', 'unfit'] as const) projects[name] = project(name);
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Starts an owner of a project; on another Node where one is named. */
function owner(name: keyof typeof projects, workspace: string, node = process.execPath): ChildHost {
  const host = spawnHost(join(projects[name], 'lock-host.mjs'), [workspace], { node });
  onTestFinished(() => host.end('SIGKILL'));
  return host;
}

function freshWorkspace(): string {
  return join(mkdtempSync(join(base, 'at-')), 'work');
}

describe('without the native lock, on a Node that has no node:sqlite', () => {
  it.skipIf(OWN_MAJOR >= 22).each(['absent', 'unfit'] as const)(
    '[OW-1] an owner is refused, with both causes and what to do, and nothing is made (library %s)',
    async (name) => {
      const workspace = freshWorkspace();
      const host = owner(name, workspace);
      const told = await host.heard(({ error }) => error !== undefined);
      expect(told).toMatchObject({
        error: 'SCHEDULE_LOCK_UNSUPPORTED',
        hint: expect.stringContaining('Node 22'),
        details: { refusals: [expect.stringContaining(NATIVE), expect.stringContaining('node:sqlite')] },
      });
      expect(await host.ended).toBe(1);
      expect(existsSync(workspace)).toBe(false);
    },
  );

  it.skipIf(OWN_MAJOR >= 22)('[OW-1, SF-1] the command says the same, with an exit code of its own', () => {
    const workspace = freshWorkspace();
    const declaration = { objective: 'x', document: { version: 'x/1' }, trigger: { kind: 'manual' } };
    let ended: { readonly status?: number; readonly stderr?: string } = {};
    try {
      const command = join(projects.absent, 'node_modules/everdue/dist/cli.js');
      const args = [command, 'schedule', '--workspace', workspace, 'create', '-', '--defer-planning'];
      execFileSync(process.execPath, args, { input: JSON.stringify(declaration), encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      ended = error as typeof ended;
    }
    expect(ended).toMatchObject({ status: 69, stderr: expect.stringMatching(/LOCK_UNSUPPORTED.*hint: /s) });
    expect(existsSync(workspace)).toBe(false);
  });
});

describe.skipIf(NODE_WITH_SQLITE === undefined)('without the native lock, on a Node that has node:sqlite', () => {
  it.each(['absent', 'unfit'] as const)(
    '[OW-1] its lock is exclusive, says who holds it, and dies with kill -9 (library %s)',
    async (name) => {
      const workspace = freshWorkspace();
      const first = owner(name, workspace, NODE_WITH_SQLITE);
      await first.heard(({ owner: change }) => change === 'started');
      const second = owner(name, workspace, NODE_WITH_SQLITE);
      expect(await second.heard(({ error }) => error !== undefined)).toMatchObject({
        error: 'SCHEDULE_LOCK_HELD',
        details: { pid: first.pid },
      });
      await first.end('SIGKILL');
      const third = owner(name, workspace, NODE_WITH_SQLITE);
      await third.heard(({ owner: change }) => change === 'started');
      expect(statSync(join(workspace, 'catalogue/locks/owner.db')).mode & 0o777).toBe(0o600);
      await third.end('SIGTERM');
    },
  );

  it('[OW-1, OW-5] beside a process that has the native one, the former owner is fenced and ends: never two owners', async () => {
    const workspace = freshWorkspace();
    const first = owner('whole', workspace);
    await first.heard(({ owner: change }) => change === 'started');
    const second = owner('absent', workspace, NODE_WITH_SQLITE);
    await second.heard(({ owner: change }) => change === 'started');
    expect(await first.heard(({ error }) => error !== undefined)).toMatchObject({ error: 'SCHEDULE_LOCK_LOST' });
    await second.end('SIGTERM');
  });
});
