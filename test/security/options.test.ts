/** Misspelt options: refused with the nearest name in every public call, and before anything is looked at or made. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileWorkspace, repairWorkspace } from '../../src/adapters/fs/index.js';
import {
  inProcess,
  lintDeclaration,
  memoryData,
  memoryWorkspace,
  nextDue,
  openSchedules,
  preview,
  previewDeclaration,
  provider,
  type Schedules,
} from '../../src/index.js';
import { scriptedExecution } from '../../src/testing/scripted-execution.js';
import { emptyRoot } from '../adapters/fs/ground.js';

const DECLARATION = {
  id: 'a',
  objective: 'Watch spelling',
  document: { version: 'scripted/1' },
  allowedProviders: ['scripted'],
  trigger: { kind: 'manual' },
} as const;

/** A call whose options have one name that is a slip, and the name that is meant. */
type Slip = readonly [call: string, slip: string, meant: string, make: (options: never, at: Schedules) => unknown];

const INVALID = 'SCHEDULE_DECLARATION_INVALID';
const CONFIG = 'SCHEDULE_CONFIG_INVALID';
const seen = (options: object) => ({ revision: 1, ...options }) as never;

const CALLS: readonly Slip[] = [
  ['create', 'pause', 'paused', (options, at) => at.create(DECLARATION, options)],
  ['create', 'expectedDocumentDigset', 'expectedDocumentDigest', (options, at) => at.create(DECLARATION, options)],
  ['ensure', 'deferPlaning', 'deferPlanning', (options, at) => at.ensure(DECLARATION, options)],
  ['preview', 'cuont', 'count', (options, at) => at.preview(DECLARATION, options)],
  ['lint', 'signl', 'signal', (options, at) => at.lint(DECLARATION, options)],
  ['explain', 'timezon', 'timezone', (options, at) => at.explain('a', '2026-11-30T08:00:00Z', options)],
  ['list', 'staus', 'status', (options, at) => at.list(options)],
  ['get', 'ocurrence', 'occurrence', (options, at) => at.get('a', options)],
  ['update', 'activat', 'activate', (options, at) => at.update('a', { objective: 'x' }, seen(options))],
  ['pause', 'notes', 'note', (options, at) => at.pause('a', seen(options))],
  ['resume', 'mised', 'missed', (options, at) => at.resume('a', seen(options))],
  ['cancel', 'versoin', 'version', (options, at) => at.cancel('a', seen(options))],
  ['delete', 'calller', 'caller', (options, at) => at.delete('a', seen(options))],
  ['trigger', 'requestID', 'requestId', (options, at) => at.trigger('a', options)],
  ['stop', 'revison', 'revision', (options, at) => at.stop('a', 'a~1~m~x', options)],
  ['rerun', 'request_id', 'requestId', (options, at) => at.rerun('a', 'a~1~m~x', options)],
  ['resolve', 'verdit', 'verdict', (options, at) => at.resolve('a', 'a~1~m~x', options)],
  ['waitFor', 'signel', 'signal', (options, at) => at.waitFor('a~1~m~x', options)],
  ['setCalendar', 'coller', 'caller', (options, at) => at.setCalendar('days', [], options)],
  ['calendars', 'sgnal', 'signal', (options, at) => at.calendars(options)],
  ['acceptClock', 'caler', 'caller', (options, at) => at.acceptClock(options)],
  ['status', 'singal', 'signal', (options, at) => at.status(options)],
  ['evidence', 'signall', 'signal', (options, at) => at.evidence('a~1~m~x', options)],
  ['gate.pause', 'nte', 'note', (options, at) => at.gate.pause(options)],
  ['gate.resume', 'callr', 'caller', (options, at) => at.gate.resume(options)],
  ['gate.status', 'sigal', 'signal', (options, at) => at.gate.status(options)],
  ['previewDeclaration', 'zonedata', 'zoneData', (options) => previewDeclaration(DECLARATION, options)],
  ['lintDeclaration', 'clok', 'clock', (options) => lintDeclaration(DECLARATION, options)],
  ['nextDue', 'timezon', 'timezone', (options) => nextDue('0 2 * * *', '2026-11-30T08:00:00Z', options)],
  ['preview', 'calendrs', 'calendars', (options) => preview('0 2 * * *', { from: '2026-11-30T08:00:00Z' }, options)],
];

const HOSTS: readonly Slip[] = [
  [
    'openSchedules',
    'concurency',
    'concurrency',
    (options) => openSchedules({ workspace: memoryWorkspace(), ...(options as object) }),
  ],
  [
    'openSchedules',
    'authorized',
    'authorised',
    (options) => openSchedules({ workspace: memoryWorkspace(), ...(options as object) }),
  ],
  ['fileWorkspace', 'retension', 'retention', (options) => fileWorkspace(join(emptyRoot(), 'new'), options)],
  [
    'fileWorkspace',
    'allowNetworkFilesystm',
    'allowNetworkFileSystem',
    (options) => fileWorkspace(join(emptyRoot(), 'new'), options),
  ],
  [
    'fileWorkspace',
    'perScheduel',
    'perSchedule',
    (retention) => fileWorkspace(join(emptyRoot(), 'new'), { retention }),
  ],
  ['fileWorkspace', 'kep', 'keep', (evidence) => fileWorkspace(join(emptyRoot(), 'new'), { evidence })],
  ['fileWorkspace', 'newst', 'newest', (keep) => fileWorkspace(join(emptyRoot(), 'new'), { evidence: { keep } })],
  ['repairWorkspace', 'dryrum', 'dryRun', (options) => repairWorkspace(join(emptyRoot(), 'new'), options)],
  ['inProcess', 'needWorkspace', 'needsWorkspace', (options) => inProcess({ providers: {}, ...(options as object) })],
  ['a provider', 'kind', 'kinds', (members) => inProcess({ providers: { p: { kinds: {}, ...(members as object) } } })],
  [
    'a handler',
    'shema',
    'schema',
    (members) => inProcess({ providers: { p: provider({ 'x/1': { run: () => {}, ...(members as object) } }) } }),
  ],
  ['a handler', 'Run', 'run', (members) => inProcess({ providers: { p: { kinds: { 'x/1': members } } } })],
  ['memoryWorkspace', 'directry', 'directory', (options) => memoryWorkspace(options)],
  [
    'memoryWorkspace with data',
    'dta',
    'data',
    (options) => memoryWorkspace({ data: memoryData(), ...(options as object) }),
  ],
  ['memoryData', 'directroy', 'directory', (options) => memoryData(options)],
  ['owner', 'concurency', 'concurrency', (options, at) => at.owner(options)],
  ['owner.run', 'sinal', 'signal', (options, at) => at.owner().run(options)],
  ['owner.tick', 'drainSecond', 'drainSeconds', (options, at) => at.owner().tick(options)],
  ['owner.stop', 'forced', 'force', (options, at) => at.owner().stop(options)],
  [
    'a caller',
    'provider',
    'providers',
    (caller, at) => at.gate.pause({ caller: { name: 'x', ...(caller as object) } }),
  ],
  ['scriptedExecution', 'needWorkspace', 'needsWorkspace', (options) => scriptedExecution([], options)],
];

async function errorOf(make: () => unknown): Promise<unknown> {
  try {
    return await make();
  } catch (error) {
    return error;
  }
}

async function opened(): Promise<Schedules> {
  return openSchedules({ workspace: memoryWorkspace(), execution: scriptedExecution() });
}

describe('a misspelt option', () => {
  it.each([...CALLS.map((slip) => [...slip, INVALID] as const), ...HOSTS.map((slip) => [...slip, CONFIG] as const)])(
    '[DE-1] of %s: %s is refused, and %s is proposed',
    async (_call, slip, meant, make, code) => {
      const at = await opened();
      const error = await errorOf(() => make({ [slip]: undefined } as never, at));
      expect(error).toMatchObject({
        code,
        message: expect.stringContaining(`did you mean ${JSON.stringify(meant)}?`),
        hint: expect.any(String),
        details: {
          issues: expect.arrayContaining([expect.objectContaining({ rule: 'DE-1', found: JSON.stringify(slip) })]),
        },
      });
      expect((await at.status()).seq, 'nothing was committed').toBe(0);
      await at.close();
    },
  );

  it('[DE-1] inside of an option is found with its path, and one like no other is answered with all', async () => {
    const at = await opened();
    await expect(at.get('a', { history: { befor: 'x' } } as never)).rejects.toMatchObject({
      details: { issues: [{ path: 'history.befor' }] },
    });
    await expect(at.status({ zzzzzzzz: 1 } as never)).rejects.toThrow('known are signal');
    await at.close();
  });

  it('[DE-1] a handler may be an instance of a class with members of its own', async () => {
    class Report {
      readonly title = 'Report';
      run(): object {
        return { title: this.title };
      }
    }
    expect(inProcess({ providers: { p: provider({ 'x/1': new Report() }) } }).providers()).toEqual(['p']);
    const slip = { 'x/1': { run: () => {}, verfy: () => true } } as never;
    expect(() => inProcess({ providers: { p: provider(slip) } })).toThrow(
      'providers.p.kinds["x/1"].verfy: unknown option "verfy"; known are schema, needs, run',
    );
  });

  it('[DE-1, ST-1] makes no workspace', async () => {
    const root = join(emptyRoot(), 'new');
    await expect(fileWorkspace(root, { retentoin: {} } as never)).rejects.toMatchObject({ code: CONFIG });
    expect(existsSync(root)).toBe(false);
  });

  it('[DE-1] keys of prototypes are names like others, and options without a prototype are options', async () => {
    const at = await opened();
    for (const name of ['__proto__', 'constructor', 'hasOwnProperty', 'toString']) {
      const options = Object.defineProperty({}, name, { value: 1, enumerable: true });
      await expect(at.list(options), name).rejects.toMatchObject({ code: INVALID });
    }
    const bare = Object.assign(Object.create(null), { limit: 1 });
    expect(await at.list(bare)).toEqual({ schedules: [] });
    await at.close();
  });
});
