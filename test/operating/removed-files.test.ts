/** A person removes, replaces or moves what an owner stands on: it goes on safely or ends with a clear error; never two owners. */
import { copyFileSync, cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Layout, layoutOf } from '../../src/adapters/fs/layout.js';
import { repairWorkspace } from '../../src/adapters/fs/repair/repair-workspace.js';
import { checkWorkspace } from '../../src/checker/check-workspace.js';
import { hung, scriptedExecution, succeeds } from '../../src/testing/scripted-execution.js';
import { emptyRoot } from '../adapters/fs/ground.js';
import { everyMinute, folderHost } from './folder-host.js';

const MINUTE = 60_000;

/** One thing that a person does, and what becomes of the owner and of whoever opens the folder next. */
interface Accident {
  readonly what: string;
  readonly spoil: (at: Layout) => void;
  /** The code that the owner ends with; absent: it goes on. */
  readonly ends?: string;
  /** What the next owner is refused with; absent: it can begin. */
  readonly next?: string;
  /** Words of the hint of either refusal. */
  readonly hint?: RegExp;
}

const removes = (path: keyof Layout) => (at: Layout) => rmSync(at[path], { recursive: true });

const ACCIDENTS: readonly Accident[] = [
  { what: 'removes owner.lock', spoil: removes('ownerLock'), ends: 'SCHEDULE_LOCK_LOST' },
  {
    what: 'puts a copy in the place of owner.lock',
    spoil: ({ ownerLock }) => {
      copyFileSync(ownerLock, `${ownerLock}.copy`);
      renameSync(`${ownerLock}.copy`, ownerLock);
    },
    ends: 'SCHEDULE_LOCK_LOST',
  },
  {
    what: 'moves owner.lock away and a file there',
    spoil: ({ ownerLock, tmp }) => renameSync(ownerLock, join(tmp, 'aside.tmp')),
    ends: 'SCHEDULE_LOCK_LOST',
  },
  { what: 'removes state.lock', spoil: removes('stateLock') },
  { what: 'removes roll-over.lock', spoil: removes('rollOverLock') },
  { what: 'removes owner.json', spoil: removes('owner') },
  { what: 'removes tmp/', spoil: removes('tmp') },
  { what: 'removes documents/', spoil: removes('documents') },
  { what: 'removes occurrences/', spoil: removes('occurrences') },
  { what: 'removes the head', spoil: removes('head') },
  {
    what: 'removes locks/',
    spoil: removes('locks'),
    ends: 'SCHEDULE_LOCK_LOST',
    next: 'SCHEDULE_STORE_UNAVAILABLE',
    hint: /everdue check/,
  },
  { what: 'removes store.json', spoil: removes('store'), next: 'SCHEDULE_CATALOGUE_CORRUPT', hint: /backup/ },
  { what: 'removes the snapshot', spoil: removes('snapshot'), next: 'SCHEDULE_CATALOGUE_CORRUPT', hint: /check/ },
  {
    what: 'removes journal/',
    spoil: removes('journal'),
    ends: 'SCHEDULE_CATALOGUE_CORRUPT',
    next: 'SCHEDULE_CATALOGUE_CORRUPT',
    hint: /backup/,
  },
  {
    what: 'empties journal/',
    spoil: ({ journal }) => {
      rmSync(journal, { recursive: true });
      mkdirSync(journal, { mode: 0o700 });
    },
    ends: 'SCHEDULE_CATALOGUE_CORRUPT',
    next: 'SCHEDULE_CATALOGUE_CORRUPT',
    hint: /backup/,
  },
  { what: 'removes catalogue/', spoil: removes('catalogue'), ends: 'SCHEDULE_LOCK_LOST' },
  { what: 'removes the workspace', spoil: removes('root'), ends: 'SCHEDULE_LOCK_LOST' },
  {
    what: 'moves the workspace',
    spoil: ({ root }) => renameSync(root, `${root}-moved`),
    ends: 'SCHEDULE_LOCK_LOST',
  },
];

/** An owner that has run one occurrence of a schedule that is due each minute. */
async function runningOwner() {
  const root = join(emptyRoot(), 'work');
  const execution = scriptedExecution();
  const host = await folderHost(root, { execution });
  await host.schedules.create(everyMinute('a', { overlap: 'queue' }));
  const owner = host.schedules.owner();
  await owner.start();
  const ran = async (count: number) => {
    await host.clock.runUntil(() => execution.executed.length >= count, { limitMs: 10 * MINUTE });
  };
  await ran(2);
  return { root, host, owner, execution, ran };
}

type Running = Awaited<ReturnType<typeof runningOwner>>;

/** Time passes until the owner has ended by itself; gives what `stop` says of it. */
async function endOf({ host, owner }: Running): Promise<unknown> {
  await host.clock.runUntil(async () => !(await owner.status()).isHeld, { limitMs: 10 * MINUTE });
  return owner.stop().catch((error: unknown) => error);
}

describe('while an owner runs, a person', () => {
  it.each(ACCIDENTS.map((accident) => [accident.what, accident] as const))(
    '[OW-1, OW-5, ST-3] %s',
    async (_, given) => {
      const running = await runningOwner();
      const { root, host, owner, execution, ran } = running;
      given.spoil(layoutOf(root));
      if (given.ends === undefined) {
        await ran(4);
        await owner.stop();
        expect(host.changes()).not.toContain('lockLost');
      } else {
        const error = await endOf(running);
        expect(error).toMatchObject({ code: given.ends, hint: expect.stringMatching(/\w{3}/) });
        expect(host.changes().at(-1)).toBe('stopped');
      }
      const ids = execution.executed.map(({ occurrence, attempt }) => `${occurrence} ${attempt}`);
      expect(new Set(ids).size, 'nothing ran twice').toBe(ids.length);
      const next = folderHost(root, { clock: host.clock }).then(({ schedules }) => schedules.owner().tick());
      if (given.next === undefined) await expect(next).resolves.toMatchObject({ interrupted: 0 });
      else
        await expect(next).rejects.toMatchObject({ code: given.next, hint: expect.stringMatching(given.hint ?? /./) });
    },
  );
});

describe('a lock file that is gone', () => {
  it.each([
    ['owner.lock', async ({ ownerLock }: Layout) => rmSync(ownerLock)],
    [
      'locks/, which a repair makes anew while the first owner lives,',
      async ({ root, locks }: Layout) => {
        rmSync(locks, { recursive: true });
        await repairWorkspace(root);
      },
    ],
  ])(
    '[OW-1, OW-5, ST-3] %s lets a second owner in, and the first can commit and run nothing from then on',
    async (_, spoil) => {
      const { root, host, owner, execution } = await runningOwner();
      await spoil(layoutOf(root));
      const second = await folderHost(root, { clock: host.clock, execution });
      await second.schedules.owner().start();
      const before = execution.executed.length;
      await host.clock.runUntil(async () => execution.executed.length >= before + 3, { limitMs: 10 * MINUTE });
      await expect(owner.stop()).rejects.toMatchObject({ code: 'SCHEDULE_LOCK_LOST' });
      const ids = execution.executed.map(({ occurrence }) => occurrence);
      expect(new Set(ids).size).toBe(ids.length);
      expect((await second.schedules.status()).epoch).toBe(2);
      expect(await checkWorkspace(root)).toEqual([]);
    },
  );

  it('[OW-1, OC-11] while a handler runs: its occurrence is interrupted by the next owner, and its answer is refused', async () => {
    const root = join(emptyRoot(), 'work');
    const execution = scriptedExecution([hung()]);
    const host = await folderHost(root, { execution });
    await host.schedules.create(everyMinute('a', { overlap: 'queue' }));
    const owner = host.schedules.owner({ drainSeconds: 0 });
    await owner.start();
    await host.clock.runUntil(() => execution.open().length === 1);
    rmSync(layoutOf(root).ownerLock);
    const second = await folderHost(root, { clock: host.clock, execution });
    const summary = await host.clock.runUntil(second.schedules.owner().tick());
    expect(summary).toMatchObject({ interrupted: 1 });
    const error = host.clock.runUntil(owner.stop().catch((reason: unknown) => reason));
    execution.release();
    expect(await error).toMatchObject({ code: 'SCHEDULE_LOCK_LOST' });
    const { history } = await second.schedules.get('a');
    expect(history.at(-1)).toMatchObject({ status: 'interrupted', reason: 'ownerDied' });
    expect(await checkWorkspace(root)).toEqual([]);
  });
});

describe('a folder that was copied while it was owned', () => {
  it('[OW-1, CO-6] is a catalogue of its own: its owner interrupts what ran there, and the first one goes on', async () => {
    const root = join(emptyRoot(), 'work');
    const copy = join(emptyRoot(), 'copy');
    const execution = scriptedExecution([succeeds(), hung()], { needsWorkspace: true });
    const host = await folderHost(root, { execution });
    await host.schedules.create(everyMinute('a', { overlap: 'queue' }));
    const owner = host.schedules.owner();
    await owner.start();
    await host.clock.runUntil(() => execution.open().length === 1, { limitMs: 10 * MINUTE });
    cpSync(root, copy, { recursive: true });
    const beside = await folderHost(copy, { clock: host.clock });
    expect((await beside.schedules.status()).owner.isAlive).toBe(false);
    const summary = await host.clock.runUntil(beside.schedules.owner().tick());
    expect(summary).toMatchObject({ interrupted: 1 });
    expect(await checkWorkspace(copy)).toEqual([]);
    expect((await host.schedules.status()).owner.isAlive).toBe(true);
    execution.release();
    await host.clock.runUntil(() => execution.executed.length >= 4, { limitMs: 10 * MINUTE });
    await owner.stop();
    const statuses = (await host.schedules.get('a')).history.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set(['succeeded']));
    expect(await checkWorkspace(root)).toEqual([]);
  });
});
