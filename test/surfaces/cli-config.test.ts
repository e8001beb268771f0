/** Where the command finds the execution service, and what it says when it does not. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { cliHost, declaration } from './cli-host.js';
import { everdueJson, freshFolder, put } from './cli-process.js';

const PROVIDERS = `{ report: { kinds: { 'report/1': { run: async () => {} } } } }`;

async function createWith(folder: string, env: Readonly<Record<string, string>> = {}) {
  const stdin = JSON.stringify(declaration('x'));
  return await everdueJson(['schedule', '--workspace', 'work', 'create', '-'], { cwd: folder, stdin, env });
}

describe('the configuration', () => {
  it('[SF-2] without one a registration is refused, unless planning is deferred', async () => {
    const host = cliHost('');
    const refused = await host.schedule(['create', '-'], declaration('x'));
    expect(refused).toMatchObject({
      code: 78,
      stderr: expect.stringMatching(/SCHEDULE_NO_PLANNER.*\nhint: .*--defer-planning/),
    });
    const deferred = await host.scheduleJson(['create', '-', '--defer-planning'], declaration('x'));
    expect(deferred).toMatchObject({ code: 0, value: { id: 'x' } });
    expect(deferred.value).not.toHaveProperty('plan');
    expect(await host.scheduleJson(['serve'])).toMatchObject({ code: 78, error: { code: 'SCHEDULE_CONFIG_INVALID' } });
  });

  it.each([
    ['everdue.config.mjs', `export default { providers: ${PROVIDERS} };`],
    ['everdue.config.mjs', `export default async () => ({ providers: ${PROVIDERS} });`],
    ['everdue.config.cjs', `module.exports = { providers: ${PROVIDERS} };`],
    ['everdue.config.cjs', `exports.__esModule = true; exports.default = { providers: ${PROVIDERS} };`],
  ])('[SF-2] is read from %s: %s', async (name, text) => {
    const folder = freshFolder();
    put(folder, name, text);
    expect(await createWith(folder)).toMatchObject({ code: 0, value: { plan: { id: expect.any(String) } } });
  });

  it('[SF-2] EVERDUE_CONFIG names another one, which may bring an execution service of its own', async () => {
    const folder = join(inject('consumer'), `host-${process.pid}`);
    mkdirSync(folder, { recursive: true });
    const text = `import { inProcess } from 'everdue'; export default { execution: inProcess({ providers: ${PROVIDERS} }) };`;
    const path = put(folder, 'other.mjs', text);
    const elsewhere = freshFolder();
    put(elsewhere, 'everdue.config.mjs', 'throw new Error("not this one")');
    expect(await createWith(elsewhere, { EVERDUE_CONFIG: path })).toMatchObject({ code: 0, value: { id: 'x' } });
    const gone = await createWith(elsewhere, { EVERDUE_CONFIG: 'gone.mjs' });
    expect(gone).toMatchObject({ code: 78, error: { code: 'SCHEDULE_CONFIG_INVALID' } });
  });

  it.each([
    ['export default 5;', /must be an object/],
    ['export default { provider: {} };', /provider is unknown; known are execution, providers/],
    ['export default { execution: { plan: 1 } };', /`execution` must be an execution service/],
    ['export default { providers: { report: {} } };', /`providers` must be/],
    [
      'export default { providers: {}, logger: { info() {} }, observer: 1 };',
      /`logger` must be.*`observer` must be a function/,
    ],
    [
      'const f = () => {}; export default { execution: { capabilities: {}, providers: f, plan: f, execute: f }, logger: { debug: f, info: f, warn: f, error: f } };',
      /`logger` goes with `providers`/,
    ],
    [
      'export default { providers: {}, caller: { name: 5 }, concurrency: 0 };',
      /`caller` must be.*`concurrency` must be/,
    ],
    ['export default () => { throw new Error("no database"); };', /its default function threw/],
    ['import "./gone.mjs";', /cannot be loaded/],
    ['export default {', /cannot be loaded/],
  ])('[SF-2] %s is refused with what is wrong, before a workspace is made', async (text, told) => {
    const folder = freshFolder();
    put(folder, 'everdue.config.mjs', text);
    const { code, error } = await createWith(folder);
    expect(code).toBe(78);
    expect(error).toMatchObject({ code: 'SCHEDULE_CONFIG_INVALID', message: expect.stringMatching(told) });
    expect(existsSync(join(folder, 'work'))).toBe(false);
  });

  it('[SF-2] TypeScript is read where the runtime strips types, and refused clearly elsewhere', async () => {
    const folder = freshFolder();
    put(
      folder,
      'everdue.config.ts',
      `const n: number = 1; export default { concurrency: n, providers: ${PROVIDERS} };`,
    );
    const canStrip = 'typescript' in process.features && process.features.typescript !== false;
    const { code, error } = await createWith(folder);
    expect(code).toBe(canStrip ? 0 : 78);
    if (!canStrip) expect(error).toMatchObject({ hint: expect.stringContaining('.mjs') });
  });

  it('[SF-2, DE-5] a declaration can name no configuration', async () => {
    const host = cliHost('');
    put(host.folder, 'evil.mjs', `export default { providers: ${PROVIDERS} };`);
    const named = await host.scheduleJson(['create', '-'], declaration('x', { config: './evil.mjs' }));
    expect(named).toMatchObject({ code: 65, error: { details: { issues: [{ path: 'config' }] } } });
  });

  it('[SF-2, DE-6] its caller limits the providers that may be named', async () => {
    const folder = freshFolder();
    put(
      folder,
      'everdue.config.mjs',
      `export default { providers: ${PROVIDERS}, caller: { name: 'intern', providers: [] } };`,
    );
    expect(await createWith(folder)).toMatchObject({ code: 77, error: { code: 'SCHEDULE_PROVIDER_DENIED' } });
  });
});
