/** Keys that reach a prototype and JSON that nobody would write, in everything that is read: input, files, receipts, configuration. */
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Layout, layoutOf, segmentPath } from '../../src/adapters/fs/layout.js';
import { checkWorkspace } from '../../src/checker/check-workspace.js';
import { isScheduleError } from '../../src/errors.js';
import { inProcess, LIMITS, parseStrictJson, type Schedules } from '../../src/index.js';
import { emptyRoot, openAt } from '../adapters/fs/ground.js';
import { everyMinute, folderHost } from '../operating/folder-host.js';
import { inside } from '../surfaces/cli-inside.js';

const MANUAL = { trigger: { kind: 'manual' } } as const;

/** Texts whose objects would change every object, were they merged carelessly. */
const POLLUTING = ['__proto__', 'constructor', 'prototype'].map(
  (key) => `{"${key}":{"polluted":"yes","prototype":{"polluted":"yes"}}}`,
);

/** JSON that is nested deep, or holds numbers that no double holds. */
const NESTED = [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`];

afterEach(() => {
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect((Object as unknown as Record<string, unknown>)['polluted']).toBeUndefined();
  expect(Object.keys(Object.prototype)).toEqual([]);
});

/** What a call was refused with; nothing where it was taken; anything but an error of the package fails. */
async function refusalOf(call: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await call();
    return undefined;
  } catch (error) {
    if (isScheduleError(error)) return error.code;
    throw error;
  }
}

describe('keys of prototypes', () => {
  it('[DE-8] are refused in every part of a declaration and of changes but the document, where they are data', async () => {
    const { schedules } = await folderHost(join(emptyRoot(), 'work'));
    await schedules.create(everyMinute('a', MANUAL));
    for (const text of POLLUTING) {
      const value = JSON.parse(text);
      const parts: readonly object[] = [
        { ...everyMinute('b'), ...value, ...JSON.parse(`{"extra":${text}}`) },
        JSON.parse(`{"id":"b",${text.slice(1)}`),
        ...['trigger', 'budget', 'retryBackoff', 'labels', 'exclude'].map((field) => ({
          ...everyMinute('b'),
          [field]: value,
        })),
        { ...everyMinute('b'), allowedProviders: [value] },
      ];
      for (const part of parts) {
        expect(await refusalOf(() => schedules.create(part as never)), text).toBe('SCHEDULE_DECLARATION_INVALID');
        expect(await refusalOf(() => schedules.update('a', part as never, { revision: 1 })), text).toBe(
          'SCHEDULE_DECLARATION_INVALID',
        );
      }
      const document = JSON.parse(`{"version":"scripted/1","inside":${text}}`);
      const id = `kept-${POLLUTING.indexOf(text)}`;
      await schedules.create({ ...everyMinute(id, MANUAL), document });
      const kept = await schedules.get(id, { document: true });
      expect(JSON.stringify(kept.document)).toContain(text);
    }
  });

  it('[DE-8] are refused as names of labels and calendars, and options and filters do not see inherited ones', async () => {
    const { schedules } = await folderHost(join(emptyRoot(), 'work'));
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const labels = JSON.parse(`{"${key}":"x"}`);
      expect(await refusalOf(() => schedules.create({ ...everyMinute('b'), labels }))).toBe(
        'SCHEDULE_DECLARATION_INVALID',
      );
      expect(await refusalOf(() => schedules.setCalendar(key, []))).toBe('SCHEDULE_DECLARATION_INVALID');
      expect((await schedules.list({ label: key })).schedules).toEqual([]);
      const exclude = { calendar: key, timezone: 'UTC' };
      expect(await refusalOf(() => schedules.create({ ...everyMinute('b'), exclude }))).toBe(
        'SCHEDULE_DECLARATION_INVALID',
      );
    }
  });

  it('[DE-8, OC-12, SF-2] in results, faults, plans and a configuration of the host reach nobody', async () => {
    const hostile = () => JSON.parse(POLLUTING[0] ?? '');
    const run = (document: Record<string, unknown>) => {
      if (document['act'] === 'throw') throw hostile();
      return hostile();
    };
    const root = join(emptyRoot(), 'work');
    const execution = inProcess({ providers: { scripted: { kinds: { 'scripted/1': { run } } } } });
    const { clock, schedules } = await folderHost(root, { execution });
    for (const act of ['return', 'throw']) {
      await schedules.create({ ...everyMinute(act, MANUAL), document: { version: 'scripted/1', act } });
      await schedules.trigger(act, { requestId: 'x' });
    }
    await clock.runUntil(schedules.owner().tick());
    expect((await schedules.get('return')).history).toMatchObject([{ status: 'succeeded' }]);
    expect((await schedules.get('throw')).history).toMatchObject([{ status: 'failed' }]);
    expect(await checkWorkspace(root)).toEqual([]);
    const cwd = emptyRoot();
    writeFileSync(join(cwd, 'everdue.config.mjs'), `export default JSON.parse('${POLLUTING[0]}');`);
    const args = ['schedule', '--workspace', 'work', 'create', '-'];
    expect(await inside(args, { cwd, stdin: everyMinute('a') })).toMatchObject({ code: 78, stdout: '' });
  });
});

describe('bounds of JSON', () => {
  const text = (keys: number) => `{${Array.from({ length: keys }, (_, at) => `"k${at}":0`).join(',')}}`;

  it('[DE-11] ten thousand keys, where that is the bound, and not one more; a document has its bytes as its bound', async () => {
    for (const keys of [9999, 10_000]) expect(parseStrictJson(text(keys), { keys: 10_000 }).ok).toBe(true);
    expect(parseStrictJson(text(10_001), { keys: 10_000 }).ok).toBe(false);
    const { schedules } = await folderHost(join(emptyRoot(), 'work'));
    const document = { version: 'scripted/1', ...JSON.parse(text(20_000)) };
    expect(await refusalOf(() => schedules.create({ ...everyMinute('a'), document }))).toBeUndefined();
  });

  it('[DE-3, DE-11] a document of 1 MiB - 1, 1 MiB and 1 MiB + 1, and one of 64 and 65 levels, through the store', async () => {
    const { schedules } = await folderHost(join(emptyRoot(), 'work'));
    const frame = JSON.stringify({ text: '', version: 'scripted/1' }).length;
    const limit = LIMITS.documentBytes.max;
    for (const [size, isTaken] of [
      [limit - 1, true],
      [limit, true],
      [limit + 1, false],
    ] as const) {
      const document = { version: 'scripted/1', text: 'x'.repeat(size - frame) };
      const code = await refusalOf(() => schedules.create({ ...everyMinute(`s${size}`), document }));
      expect(code, `${size} bytes`).toBe(isTaken ? undefined : 'SCHEDULE_DECLARATION_INVALID');
    }
    for (const [levels, isTaken] of [
      [63, true],
      [64, true],
      [65, false],
    ] as const) {
      const deep = JSON.parse(`${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}`);
      const document = { version: 'scripted/1', deep };
      const code = await refusalOf(() => schedules.create({ ...everyMinute(`l${levels}`), document }));
      expect(code, `${levels} levels`).toBe(isTaken ? undefined : 'SCHEDULE_DECLARATION_INVALID');
    }
    expect((await schedules.list()).schedules).toHaveLength(4);
  });

  it('[DE-3, SF-1] what a file may hold: doubled keys, unsafe integers, numbers out of range and depth are refused by the command', async () => {
    const cwd = emptyRoot();
    const body = JSON.stringify({ ...everyMinute('a', MANUAL), document: 'DOCUMENT' });
    const command = (document: string) =>
      inside(['schedule', '--workspace', 'work', 'create', '-', '--defer-planning'], {
        cwd,
        stdin: body.replace('"DOCUMENT"', document),
      });
    const bad = [
      '{"version":"x/1","a":1,"a":2}',
      '{"version":"x/1","a":1,"\\u0061":2}',
      '{"version":"x/1","n":9007199254740993}',
      '{"version":"x/1","n":1e309}',
      '{"version":"x/1","n":-1e309}',
      '{"version":"x/1","n":NaN}',
      '{"version":"x/1","n":01}',
      '{"version":"x/1","t":"\\ud800"}',
      ...NESTED.map((deep) => `{"version":"x/1","deep":${deep}}`),
    ];
    for (const document of bad) {
      const { code, stdout, stderr } = await command(document);
      expect({ code, stdout }, document.slice(0, 60)).toEqual({ code: 65, stdout: '' });
      expect(stderr.length).toBeLessThan(20_000);
    }
    expect(await command('{"version":"x/1","n":9007199254740992,"zero":-0}')).toMatchObject({ code: 0 });
  });
});

/** A catalogue with evidence, where a test may spoil files. */
async function usedWorkspace(): Promise<{
  readonly at: Layout;
  readonly occurrence: string;
  readonly attempt: string;
}> {
  const root = join(emptyRoot(), 'work');
  const execution = inProcess({ providers: { scripted: { kinds: { 'scripted/1': { run: () => null } } } } });
  const { clock, schedules } = await folderHost(root, { execution });
  await schedules.create(everyMinute('a', MANUAL));
  const { occurrence } = await schedules.trigger('a', { requestId: 'x' });
  await clock.runUntil(schedules.owner().tick());
  const attempt = (await schedules.evidence(occurrence)).attempts[0]?.directory ?? '';
  await schedules.close();
  return { at: layoutOf(root), occurrence, attempt };
}

function sealed(text: string): string {
  return `${createHash('sha256').update(text).digest('hex')} ${text}\n`;
}

describe('files that somebody wrote', () => {
  it('[ST-3, DE-8] a journal record of right digest with hostile members stops everything with its place, and throws nobody off', async () => {
    for (const hostile of [...POLLUTING, ...NESTED]) {
      const { at } = await usedWorkspace();
      const segment = segmentPath(at, 1);
      const last = readFileSync(segment, 'utf8').trimEnd().split('\n').at(-1) ?? '';
      const { seq } = JSON.parse(last.slice(65)) as { seq: number };
      const head = {
        seq: seq + 1,
        prev: last.slice(0, 64),
        at: '2026-11-30T09:00:00.000Z',
        kind: 'commit',
        actor: 'x',
      };
      const text = `${JSON.stringify(head).slice(0, -1)},"ops":[{"t":"schedule","row":${hostile}},${hostile}]}`;
      appendFileSync(segment, sealed(text));
      const { store } = await openAt(at.root);
      await expect(store.changes(0), hostile.slice(0, 40)).rejects.toMatchObject({
        code: 'SCHEDULE_CATALOGUE_CORRUPT',
        details: { file: segment },
      });
      const findings = await checkWorkspace(at.root);
      expect(findings.some(({ file }) => file === segment)).toBe(true);
    }
  });

  it('[CT-12, DE-8] receipts of hostile content are data, or a clear error with the file', async () => {
    for (const hostile of [...POLLUTING, ...NESTED, 'null', '[]', '"x"', '{', '\u0000']) {
      const { at, occurrence, attempt } = await usedWorkspace();
      writeFileSync(join(attempt, 'result.json'), hostile);
      const { schedules } = await folderHost(at.root);
      const refusal = await refusalOf(() => readAndPrint(schedules, occurrence));
      expect([undefined, 'SCHEDULE_CATALOGUE_CORRUPT'], hostile.slice(0, 40)).toContain(refusal);
      expect(refusal === undefined, hostile.slice(0, 40)).toBe(POLLUTING.includes(hostile));
      const { code, stderr } = await inside(['schedule', '--workspace', at.root, 'evidence', occurrence, '--json'], {
        cwd: at.root,
      });
      expect(code, stderr.slice(0, 300)).toBe(refusal === undefined ? 0 : 74);
    }
  });

  it('[OW-1, DE-8] a report of an owner of hostile content is no report', async () => {
    for (const hostile of [...POLLUTING, ...NESTED, `{"pid":1,"host":"h","epoch":1,"running":${NESTED[0]}}`]) {
      const { at } = await usedWorkspace();
      writeFileSync(at.owner, hostile);
      const { schedules } = await folderHost(at.root);
      expect((await schedules.status()).owner, hostile.slice(0, 40)).toEqual({ isAlive: false });
    }
  });
});

async function readAndPrint(schedules: Schedules, occurrence: string): Promise<void> {
  const evidence = await schedules.evidence(occurrence);
  const text = JSON.stringify(evidence);
  expect(text.length).toBeGreaterThan(0);
  expect(Object.getPrototypeOf(evidence.attempts[0]?.result ?? {})).toBe(Object.prototype);
}
