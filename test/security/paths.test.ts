/** Names that reach a path, or might: nothing that a caller, a document or a file says leads out of the workspace. */
import { existsSync, readdirSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Disk } from '../../src/adapters/fs/disk/disk.js';
import { idOfName, safeName } from '../../src/adapters/fs/disk/safe-name.js';
import { isScheduleError } from '../../src/errors.js';
import { inProcess, type Schedules } from '../../src/index.js';
import { emptyRoot, watchedDisk } from '../adapters/fs/ground.js';
import { everyMinute, folderHost } from '../operating/folder-host.js';
import { inside } from '../surfaces/cli-inside.js';

/** Names that some system reads otherwise than as a name. */
const HOSTILE: readonly string[] = [
  '',
  '.',
  '..',
  '...',
  '../escape',
  '../../../../etc/passwd',
  '..\\escape',
  '/etc/passwd',
  '\\\\server\\share',
  'C:\\escape',
  'C:escape',
  'file:///etc/passwd',
  'a/b',
  'a\\b',
  'a\0b',
  'a\0/../../escape',
  '%2e%2e%2fescape',
  '..%2fescape',
  '%00',
  'a..b',
  'trailing.',
  'trailing ',
  ' leading',
  '.hidden',
  '~',
  '~root',
  '$HOME',
  '`id`',
  '$(id)',
  '-rf',
  '--force',
  'a\nb',
  'a\u001b[2Jb',
  'a\u202eb',
  'con',
  'CON',
  'nul.txt',
  'aux.',
  'com1',
  'LPT9.log',
  'com¹',
  'CONIN$',
  'a:b',
  'a*b',
  'a?b',
  'a|b',
  'a<b>',
  '"a"',
  'größe',
  'ｆｕｌｌ',
  '＊',
  '．．／escape',
  '\u2025/escape',
  '\ud800',
  'x'.repeat(129),
  'x'.repeat(10_000),
  '__proto__',
];

/** A disk that remembers every path that it was asked about. */
function tracedDisk(paths: Set<string>): Disk {
  return watchedDisk((call, args) => {
    if (['randomHex', 'pause', 'elapsedNow'].includes(call)) return;
    for (const path of args) if (typeof path === 'string' && isAbsolute(path)) paths.add(path);
  });
}

/** Paths that lie outside of a folder, and outside of the way to it. */
function outside(paths: Iterable<string>, root: string): readonly string[] {
  return [...paths].filter((path) => {
    const way = relative(root, path);
    const isOnTheWay = `${root}${sep}`.startsWith(path === sep ? path : `${path}${sep}`);
    return path.includes('\0') || (!isOnTheWay && (way.startsWith('..') || isAbsolute(way)));
  });
}

/** Every call that takes a name, with a hostile one. */
function callsWith(name: string, schedules: Schedules): readonly (() => Promise<unknown>)[] {
  return [
    () => schedules.create(everyMinute(name)),
    () => schedules.ensure(everyMinute(name)),
    () => schedules.get(name),
    () => schedules.get('a', { occurrence: name }),
    () => schedules.get('a', { history: { before: name } }),
    () => schedules.pause(name, { revision: 1 }),
    () => schedules.delete(name, { revision: 1 }),
    () => schedules.trigger('a', { requestId: name }),
    () => schedules.trigger(name, { requestId: 'x' }),
    () => schedules.stop('a', name),
    () => schedules.rerun('a', name),
    () => schedules.resolve('a', name, { verdict: 'done', note: '' }),
    () => schedules.waitFor(name),
    () => schedules.evidence(name),
    () => schedules.evidence(`${name}~1~m~x`),
    () => schedules.evidence(`a~1~m~${name}`),
    () => schedules.evidence(`a~${name}~m~x`),
    () => schedules.evidence(`a~1~m~x${name}`),
    () => schedules.setCalendar(name, []),
    () => schedules.create({ ...everyMinute('b'), allowedProviders: [name] }),
    () => schedules.create({ ...everyMinute('c'), document: { version: name } }),
    () => schedules.create({ ...everyMinute('d'), concurrencyKey: name }),
    () => schedules.create({ ...everyMinute('e'), labels: { [name]: name } }),
    () => schedules.create(everyMinute('f'), { expectedDocumentDigest: name }),
    () => schedules.list({ after: name, label: name }),
  ];
}

describe('a hostile name', () => {
  it('[ST-8, DE-1, OC-1] leads nowhere, whatever it is given as', async () => {
    const root = join(emptyRoot(), 'deep', 'work');
    const paths = new Set<string>();
    const { schedules } = await folderHost(root, { disk: tracedDisk(paths) });
    await schedules.create(everyMinute('a', { trigger: { kind: 'manual' } }));
    for (const name of HOSTILE) {
      for (const [index, call] of callsWith(name, schedules).entries()) {
        const error = await call().then(
          () => undefined,
          (reason: unknown) => reason,
        );
        const told = `${JSON.stringify(name.slice(0, 40))}, call ${index}: ${String(error)}`;
        expect(error === undefined || isScheduleError(error), told).toBe(true);
      }
      expect(outside(paths, root), JSON.stringify(name)).toEqual([]);
    }
    expect(paths.size).toBeGreaterThan(50);
    expect(readdirSync(join(root, '..'))).toEqual(['work']);
  });

  it('[ST-8, OC-7] is published below the directory of the attempt, or refused', async () => {
    const refused: string[] = [];
    const published: string[] = [];
    let directory = '';
    const run = async (
      _document: unknown,
      context: { directory?: string; publish(name: string, text: string): Promise<unknown> },
    ) => {
      directory = context.directory ?? '';
      for (const name of HOSTILE) {
        await context.publish(name, 'x').then(
          () => void published.push(name),
          (error: unknown) => void refused.push(isScheduleError(error) ? name : String(error)),
        );
      }
    };
    const root = join(emptyRoot(), 'work');
    const execution = inProcess({ providers: { scripted: { kinds: { 'scripted/1': { run } } } } });
    const { clock, schedules } = await folderHost(root, { execution });
    await schedules.create(everyMinute('a', { trigger: { kind: 'manual' } }));
    await schedules.trigger('a', { requestId: 'x' });
    await clock.runUntil(schedules.owner().tick());
    expect([...refused, ...published].sort()).toEqual([...HOSTILE].sort());
    for (const name of published) {
      const path = join(directory, 'published', name);
      expect(relative(join(directory, 'published'), path), name).toBe(join(name));
      expect(existsSync(path), name).toBe(true);
    }
    for (const name of ['..', '../escape', '/etc/passwd', 'a\0b', '..\\escape', 'con', ''])
      expect(refused).toContain(name);
    expect(readdirSync(join(root, '..'))).toEqual(['work']);
  });

  it('[ST-8, SF-1] as an argument of the command is an argument, and the error of it is one line', async () => {
    const cwd = emptyRoot();
    const base = ['schedule', '--workspace', 'work'];
    await inside([...base, 'create', '-', '--defer-planning'], { cwd, stdin: everyMinute('a') });
    for (const name of HOSTILE) {
      for (const args of [
        ['show', '--', name],
        ['evidence', '--', name],
      ]) {
        const { code, stdout, stderr } = await inside([...base, ...args], { cwd });
        expect(code, `${args[0]} ${name}`).toBeGreaterThan(0);
        expect(stdout).toBe('');
        expect(stderr.slice(0, 200), name).toMatch(/^error SCHEDULE_(NOT_FOUND|USAGE|DECLARATION_INVALID)/);
        expect(stderr.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
      }
    }
    expect(readdirSync(cwd)).toEqual(['work']);
  });
});

describe('ids that differ in the case of their letters', () => {
  it('[OC-1, CT-7, ST-8] are one: never two folders that a file system might take for one', async () => {
    const root = join(emptyRoot(), 'work');
    const { schedules } = await folderHost(root);
    await schedules.create(everyMinute('Report', { trigger: { kind: 'manual' } }));
    await expect(schedules.create(everyMinute('report'))).rejects.toMatchObject({ code: 'SCHEDULE_EXISTS' });
    const first = await schedules.trigger('REPORT', { requestId: 'Once' });
    const again = await schedules.trigger('report', { requestId: 'oNCE' });
    expect(again).toMatchObject({ occurrence: first.occurrence, admitted: 'existing' });
    expect(first.occurrence).toBe('Report~1~m~Once');
  });

  it('[ST-8] and names of ids come back as they were, whatever stands in them', () => {
    const names = HOSTILE.filter((name) => name.length < 70 && name !== '\ud800');
    for (const name of names) {
      const file = safeName(name);
      expect(idOfName(file), name).toBe(name);
      expect(file).toMatch(/^[A-Za-z0-9%~_-][A-Za-z0-9%._~-]*$/);
    }
    expect(new Set(names.map(safeName)).size).toBe(names.length);
  });
});
