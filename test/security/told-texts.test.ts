/** What people, handlers and files wrote, where it is told: it forges no line, moves no cursor, and repeats no secret. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../src/adapters/fs/layout.js';
import { type HandlerContext, inProcess, ScheduleError } from '../../src/index.js';
import { emptyRoot } from '../adapters/fs/ground.js';
import { everyMinute, folderHost } from '../operating/folder-host.js';
import { inside } from '../surfaces/cli-inside.js';

/** A line that looks like one of ours, behind everything that could end a line, move a cursor or turn a text. */
const FORGED = 'FORGED 2026-11-30T08:00:00Z info everything is fine';
const FORGE = `x\r\n${FORGED}\u001b[2J\u001b[31m\u001b]0;title\u0007\u009b1A\u0008\u007f\u0085\u2028${FORGED}\u2029\u202e\u2066\u200f\u061c\ufeff\u0000`;

/** Nothing but line breaks may act on a terminal, and no line begins with the forged one: what has several is indented. */
function expectHarmless(text: string, what: string): void {
  expect(text.replaceAll('\n', ''), what).not.toMatch(
    /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u,
  );
  expect(
    text.split('\n').filter((line) => line.startsWith('FORGED')),
    what,
  ).toEqual([]);
}

const CONFIG = `
const FORGE = ${JSON.stringify(FORGE)};
async function run(document, context) {
  context.logger.error(FORGE, { [FORGE]: FORGE, list: [FORGE] });
  context.progress(FORGE, 0.5);
  await context.stage('work', () => {});
  if (document.act === 'throw') throw Object.assign(new Error(FORGE), { code: FORGE });
  return { [FORGE]: FORGE };
}
export default {
  providers: { scripted: { kinds: { 'scripted/1': { run } } } },
  caller: { name: FORGE },
};
`;

describe('log forging', () => {
  it('[SF-1, OC-5, DE-11] by every text of people and handlers: no command prints any of it as it is', async () => {
    const cwd = emptyRoot();
    writeFileSync(join(cwd, 'everdue.config.mjs'), CONFIG);
    const base = ['schedule', '--workspace', 'work'];
    const soft = FORGE.replaceAll(/[\p{Cc}]/gu, '');
    const declared = (id: string, act: string) => ({
      ...everyMinute(id, { trigger: { kind: 'manual' } }),
      objective: `objective\n${FORGED}${soft}`,
      labels: { team: soft },
      document: { version: 'scripted/1', act, [FORGE]: FORGE },
    });
    const commands: readonly (readonly [args: readonly string[], stdin?: object])[] = [
      [[...base, 'create', '-'], declared('throws', 'throw')],
      [[...base, 'create', '-'], declared('returns', 'return')],
      [[...base, 'trigger', 'throws', '--request-id', 'x']],
      [[...base, 'trigger', 'returns', '--request-id', 'x']],
      [[...base, 'tick']],
      [[...base, 'pause', 'throws', '--revision', '1', '--note', FORGE]],
      [[...base, 'gate', 'pause', '--note', FORGE]],
      [[...base, 'list']],
      [[...base, 'status']],
      [[...base, 'gate']],
      [[...base, 'show', 'throws']],
      [[...base, 'show', 'returns']],
      [[...base, 'show', 'throws', '--occurrence', 'throws~1~m~x']],
      [[...base, 'show', 'returns', '--occurrence', 'returns~1~m~x']],
      [[...base, 'evidence', 'throws~1~m~x']],
      [[...base, 'show', FORGE]],
      [[...base, 'evidence', FORGE]],
      [[...base, 'create', '-'], { ...declared('bad', 'x'), [FORGE]: FORGE, overlap: FORGE }],
      [[...base, 'create', '-'], { ...declared('bad', 'x'), document: { version: FORGE } }],
      [['lint', '-'], declared('bad', 'x')],
      [['next', FORGE, '--timezone', 'UTC']],
      [['next', '0 2 * * *', '--timezone', FORGE]],
      [['check', '--workspace', 'work']],
      [['check', '--workspace', FORGE.replaceAll('\0', '')]],
      [[FORGE]],
    ];
    for (const [index, [args, stdin]] of commands.entries()) {
      for (const form of [{ isTerminal: true }, { isTerminal: false }, { isTerminal: false, json: true }]) {
        const all = form.json === true ? [...args, '--json'] : args;
        const { code, stdout, stderr } = await inside(all, {
          cwd,
          isTerminal: form.isTerminal,
          ...(stdin && { stdin }),
        });
        if (form.isTerminal && index < 15) expect(code, stderr).toBe(0);
        const what = JSON.stringify(all).slice(0, 100);
        expectHarmless(stdout, `standard output of ${what}`);
        expectHarmless(stderr, `standard error of ${what}`);
        expect(stdout.length + stderr.length, what).toBeGreaterThan(0);
      }
    }
  }, 60_000);

  it('[OC-5, OC-12] stored faults, notes of progress and names of stages are plain already', async () => {
    const root = join(emptyRoot(), 'work');
    const run = async (_document: unknown, context: HandlerContext) => {
      context.progress(FORGE);
      await expect(context.stage(FORGE, () => 1)).rejects.toMatchObject({ code: 'SCHEDULE_DECLARATION_INVALID' });
      throw Object.assign(new Error(FORGE), { code: FORGE });
    };
    const execution = inProcess({ providers: { scripted: { kinds: { 'scripted/1': { run } } } } });
    const { clock, schedules, told } = await folderHost(root, { execution });
    await schedules.create(everyMinute('a', { trigger: { kind: 'manual' } }));
    await schedules.trigger('a', { requestId: 'x' });
    await clock.runUntil(schedules.owner().tick());
    const [record] = (await schedules.get('a')).history;
    for (const { fault } of record?.attempts ?? []) {
      expect(fault?.code).toBe('handlerFailed');
      expectHarmless(fault?.message ?? '', 'a fault');
    }
    const notes = told.flatMap((event) => (event.type === 'progress' ? event.note : []));
    expect(notes).toHaveLength(1);
    expectHarmless(notes.join(), 'a note');
  });
});

const SECRET = 'Bearer s3cr3t-4711-never-told';

function everyText(folder: string): readonly (readonly [path: string, text: string])[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => [path, readFileSync(path, 'utf8')] as const);
}

describe('secrets', () => {
  it('[DE-3, OW-7, OC-9] of a document stand in the pinned document and in the evidence, and nowhere else', async () => {
    const root = join(emptyRoot(), 'work');
    const lines: string[] = [];
    const log = (message: string, fields?: object) => void lines.push(`${message} ${JSON.stringify(fields)}`);
    const run = (document: Record<string, unknown>, { logger }: HandlerContext) => {
      logger.info('calling', { authorization: document['authorization'], token: SECRET, tokens: 3, 'api-key': SECRET });
      throw new Error('the service did not answer');
    };
    const logger = { debug: log, info: log, warn: log, error: log };
    const execution = inProcess({ providers: { scripted: { kinds: { 'scripted/1': { run } } } }, logger });
    const { clock, schedules, told } = await folderHost(root, { execution });
    const document = { version: 'scripted/1', authorization: SECRET, login: { password: SECRET } };
    await schedules.create({ ...everyMinute('a', { trigger: { kind: 'manual' } }), document });
    const { occurrence } = await schedules.trigger('a', { requestId: 'x' });
    await clock.runUntil(schedules.owner().tick());
    await schedules.pause('a', { revision: 1 });
    const views = [await schedules.get('a', { occurrence }), await schedules.list(), await schedules.status()];
    const { evidence: _, ...shown } = views[0] as { evidence?: unknown };
    expect(JSON.stringify([shown, views.slice(1), told])).not.toContain(SECRET);
    expect(lines).toHaveLength(1);
    expect(lines.join()).not.toContain(SECRET);
    expect(lines.join()).toContain('"tokens":3');
    const { documents, occurrences } = layoutOf(root);
    const found = everyText(root).filter(([, text]) => text.includes(SECRET));
    expect(found.length).toBeGreaterThan(0);
    for (const [path] of found) expect(path.startsWith(documents) || path.startsWith(occurrences), path).toBe(true);
    for (const args of [['list'], ['status'], ['show', 'a'], ['show', 'a', '--occurrence', occurrence]]) {
      const { stdout, stderr } = await inside(['schedule', '--workspace', root, ...args], { cwd: root });
      expect(stdout + stderr, args.join(' ')).not.toContain(SECRET);
    }
  });

  it('[DE-1, DE-10] are not repeated by an error, whichever member of a document or of a declaration they stand in', async () => {
    const root = join(emptyRoot(), 'work');
    const schema = {
      '~standard': {
        version: 1 as const,
        vendor: 'test',
        validate: () => ({
          issues: [
            { message: 'is too short', path: ['authorization'] },
            { message: 'is wrong', path: ['login', 'api-key'] },
            { message: 'is wrong', path: ['list', 0, 'Password'] },
          ],
        }),
      },
    };
    const execution = inProcess({ providers: { scripted: { kinds: { 'scripted/1': { schema, run: () => null } } } } });
    const { schedules } = await folderHost(root, { execution });
    const document = {
      version: 'scripted/1',
      authorization: SECRET,
      login: { 'api-key': SECRET },
      list: [{ Password: SECRET }],
    };
    const error = await schedules.create({ ...everyMinute('a'), document }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ScheduleError);
    expect(JSON.stringify(error)).not.toContain('s3cr3t');
    expect(String(error)).not.toContain('s3cr3t');
    const lone = { ...document, authorization: `${SECRET}\ud800`, token: () => SECRET };
    const refused = await schedules
      .create({ ...everyMinute('a'), document: lone as never })
      .catch((reason: unknown) => reason);
    expect(JSON.stringify(refused)).not.toContain('s3cr3t');
    const misplaced = await schedules
      .create({ ...everyMinute('a'), token: SECRET, budget: { password: SECRET } } as never)
      .catch((reason: unknown) => reason);
    expect(JSON.stringify(misplaced)).not.toContain('s3cr3t');
  });
});
