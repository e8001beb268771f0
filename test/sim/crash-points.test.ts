/**
 * Every step of every transaction: the process dies there, the disk fails there, or another process does a whole transaction
 * there without being kept out by a lock; then the power goes in several ways. What was told stands, what was not told is there
 * whole or not at all, and it goes on.
 */
import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../../src/adapters/fs/file-workspace.js';
import type { OpenLock } from '../../src/adapters/fs/locks/native-lock.js';
import { digestOf } from '../../src/codec/digest.js';
import { isScheduleError } from '../../src/errors.js';
import type { CommitBatch } from '../../src/ports/schedule-store.js';
import {
  commitOn,
  records,
  sampleBatch,
  sampleMark,
  sampleOccurrence,
  sampleSchedule,
  writes,
} from '../../src/testing/contracts/sample-catalogue.js';
import { SECTOR_BYTES } from './disk/file-content.js';
import { meets, notesIn, runsAt } from './disk/hooks.js';
import { plainDisk } from './disk/plain-disk.js';
import { LEAVES_ZEROS, LOSES_ALL, LOSES_BYTES, LOSES_NAMES, LOSES_NOTHING, randomCut } from './disk/power-cut.js';
import type { Effect, Hook, Step } from './disk/sim-disk.js';
import type { PowerCut, SimMedium } from './disk/sim-medium.js';
import { AT, faultsOn, newMedium, type OpenedOn, openOn } from './disk/workspace-on.js';
import { Random } from './random.js';

/** Ways in which the power goes after a crash; without one the cache is what the next process sees. */
const CUTS: Readonly<Record<string, PowerCut | undefined>> = {
  'no cut': undefined,
  LOSES_ALL,
  LOSES_NOTHING,
  LOSES_NAMES,
  LOSES_BYTES,
  LEAVES_ZEROS,
  'a random cut': randomCut(new Random('crash points')),
};

const DOCUMENT = { version: 'sample/1', text: 'another' };
const NAMED = sampleSchedule('b');
const NEW_DOCUMENT = writes({ ...NAMED, definition: { ...NAMED.definition, documentDigest: digestOf(DOCUMENT) } });

/** Commits that a process makes, each with all that it needs; the catalogue stands at commit 2 before. */
const COMMITS: Readonly<Record<string, (since: number) => CommitBatch>> = {
  'an occurrence': (since) => sampleBatch(since, [records(sampleOccurrence('a', 'two'))]),
  'a document': (since) =>
    sampleBatch(since, [NEW_DOCUMENT], { documents: [{ digest: digestOf(DOCUMENT), document: DOCUMENT }] }),
  'a new owner': (since) => sampleBatch(since, [], { epoch: 0, raisesEpoch: true, actor: 'owner' }),
  'a removal': (since) => sampleBatch(since, [{ kind: 'remove', mark: sampleMark('a') }]),
};

/** A medium with a catalogue of two commits. */
async function twoCommits(): Promise<SimMedium> {
  const medium = newMedium();
  const { store, close } = await openOn(medium);
  await commitOn(store, [writes(sampleSchedule('a'))]);
  await commitOn(store, [records(sampleOccurrence('a', 'one', 'skipped'))]);
  await close();
  return medium;
}

/** The number of a commit that its caller was told of; `refused`: told that nothing was committed; `untold`: neither. */
type Told = number | 'untold' | 'refused';

/** What a commit came to. */
async function toldBy(workspace: OpenedOn, batch: CommitBatch): Promise<Told> {
  try {
    const result = await workspace.store.commit(batch);
    return result.kind === 'committed' ? result.seq : 'refused';
  } catch (error) {
    if (workspace.disk.isEnded) return 'untold';
    if (!isScheduleError(error)) throw error;
    return error.code === 'SCHEDULE_STORE_FAILED' ? 'untold' : 'refused';
  }
}

/** Looks at what is left, and goes on: `told` stands, and nothing behind `until`. */
async function judge(medium: SimMedium, told: Told, until: number, where: string): Promise<void> {
  const { store, lock } = await openOn(medium);
  const { seq, epoch } = await store.changes(0);
  expect(seq, where).toBeGreaterThanOrEqual(typeof told === 'number' ? told : 2);
  expect(seq, where).toBeLessThanOrEqual(told === 'refused' ? until - 1 : until);
  expect((await lock.acquire()).kind, where).toBe('acquired');
  const owner = { epoch, raisesEpoch: true, actor: 'owner' } as const;
  expect(await store.commit(sampleBatch(seq, [], owner)), where).toMatchObject({ kind: 'committed', seq: seq + 1 });
  medium.cutPower(LOSES_ALL);
  expect((await (await openOn(medium)).store.changes(0)).seq, where).toBe(seq + 1);
  expect(await faultsOn(medium), where).toEqual([]);
}

/** Calls that change something on the disk: between two of them, a crash leaves the same. */
const CHANGING: readonly Step['call'][] = [
  'write',
  'writeNow',
  'flush',
  'flushDirectory',
  'makeDirectory',
  'rename',
  'link',
  'unlink',
  'removeDirectory',
];

/** What goes wrong with a call, as disks do it. */
function codeOf({ call }: Step): string {
  if (call === 'write' || call === 'writeNow') return 'ENOSPC';
  return ['open', 'list', 'look', 'rename', 'makeDirectory', 'unlink', 'link'].includes(call) ? 'EACCES' : 'EIO';
}

/** The transactions: what the medium holds before, and what a process does then. */
const TRANSACTIONS: Readonly<Record<string, Transaction>> = {
  ...Object.fromEntries(
    Object.entries(COMMITS).map(([name, batch]) => [
      name,
      { start: twoCommits, run: (acting: OpenedOn) => toldBy(acting, batch(2)), until: 3 },
    ]),
  ),
  'a roll-over': { start: crowded, run: rollOver, until: 5 },
};

interface Transaction {
  readonly start: () => Promise<SimMedium>;
  readonly run: (acting: OpenedOn) => Promise<Told>;
  /** The last commit that it may make. */
  readonly until: number;
}

/** A catalogue whose journal is due for a roll-over that nobody could make yet; it stands at commit 3. */
async function crowded(): Promise<SimMedium> {
  const medium = await twoCommits();
  const isRollOver: Hook = (step) =>
    step.path.endsWith('roll-over.lock') ? { kind: 'fail', code: 'EACCES' } : undefined;
  const { store, close } = await openOn(medium, isRollOver);
  const labels = Object.fromEntries(Array.from({ length: 32 }, (_, n) => [`label${n}`, 'x'.repeat(250)]));
  const large = Array.from({ length: 33 }, (_, n) => {
    const { definition } = sampleSchedule(`large${n}`);
    return writes(
      sampleSchedule(`large${n}`, {
        definition: { ...definition, declaration: { ...definition.declaration, labels } },
      }),
    );
  });
  const ended = Array.from({ length: 20 }, (_, n) => records(sampleOccurrence('a', `r${n}`, 'skipped')));
  await commitOn(store, [...large, ...ended]);
  await close();
  return medium;
}

/** A commit, the roll-over behind it, and another commit. */
async function rollOver(acting: OpenedOn): Promise<Told> {
  const { seq } = await acting.store.changes(0).catch(() => ({ seq: 3 }));
  const first = await toldBy(acting, sampleBatch(Math.max(seq, 3), []));
  if (!acting.disk.isEnded) await acting.store.settled();
  const second = acting.disk.isEnded ? 'untold' : await toldBy(acting, sampleBatch(Math.max(seq, 3) + 1, []));
  return typeof second === 'number' ? second : typeof first === 'number' ? first : second;
}

/** Steps of a transaction that nothing disturbs. */
async function stepsOf({ start, run }: Transaction, before: SimMedium): Promise<readonly Step[]> {
  const steps: Step[] = [];
  expect(typeof (await run(await openOn(before.clone(), notesIn(steps)))), start.name).toBe('number');
  const isRolling = steps.some(({ call, path }) => call === 'rename' && path.endsWith('/catalogue.json'));
  expect(isRolling).toBe(start === crowded);
  return steps;
}

describe('every step', () => {
  for (const [name, transaction] of Object.entries(TRANSACTIONS)) {
    const { start, run, until } = transaction;

    it(`[ST-2, OC-3] a crash at each, and a power cut of any kind: ${name}`, async () => {
      const before = await start();
      const cuts = name === 'a roll-over' ? ['no cut', 'LOSES_ALL', 'LOSES_NAMES'] : Object.keys(CUTS);
      for (const { number, call } of await stepsOf(transaction, before)) {
        if (!CHANGING.includes(call)) continue;
        for (const kind of call === 'write' ? ['crashBefore', 'crashWithin'] : ['crashBefore']) {
          const medium = before.clone();
          const effect = kind === 'crashWithin' ? { kind, written: 100 } : { kind };
          const told = await openOn(medium, meets(number, effect as Effect)).then(run, () => 'untold' as const);
          for (const cut of cuts) {
            const copy = medium.clone();
            const how = CUTS[cut];
            if (how !== undefined) copy.cutPower(how);
            await judge(copy, told, until, `${kind} at step ${number} (${call}), ${cut}`);
          }
        }
      }
    }, 60_000);

    it(`[ST-4] trouble at each, once and for a while: what was told stands, and the same process goes on: ${name}`, async () => {
      const before = await start();
      for (const { number, call } of await stepsOf(transaction, before)) {
        for (const times of name === 'a roll-over' ? [1] : [1, 25]) {
          const medium = before.clone();
          const hook: Hook = (step) =>
            step.number >= number && step.number < number + times ? { kind: 'fail', code: codeOf(step) } : undefined;
          const acting = await openOn(medium, hook).catch(() => undefined);
          const where = `${times} from step ${number} (${call}) on`;
          const told = acting === undefined ? 'refused' : await run(acting);
          const again = acting === undefined ? told : await goOn(acting, where);
          medium.cutPower(LOSES_ALL);
          await judge(medium, again ?? told, until + 2, where);
        }
      }
    }, 60_000);

    it(`[OW-5, ST-5] another owner takes over at each, and no lock keeps it out: ${name}`, async () => {
      const before = await start();
      for (const { number, isNow } of await stepsOf(transaction, before)) {
        if (isNow) continue;
        const medium = before.clone();
        let other: number | string = 'none';
        const hook = runsAt(number, async () => {
          other = await takeOver(medium);
        });
        const told = await openOn(medium, hook).then(run);
        const where = `step ${number}`;
        if (typeof told === 'number') expect(told, where).not.toBe(other);
        const last = Math.max(...[told, other].filter((seq) => typeof seq === 'number'), 2);
        expect((await (await openOn(medium)).store.changes(0)).seq, where).toBeGreaterThanOrEqual(last);
        medium.cutPower(LOSES_ALL);
        await judge(medium, last, until + 1, where);
      }
    }, 60_000);
  }
});

describe('a roll-over that a power cut ends', () => {
  it('[ST-2, ST-6] leaves any of the lines that it wrote to a history; the next one writes all of them', async () => {
    for (let lost = 0; lost < 8; lost++) {
      const medium = (await crowded()).clone();
      const isFlush = ({ call, path }: Step) => call === 'flush' && path.includes('/history/a/');
      const dying = await openOn(medium, meets(isFlush, { kind: 'crashBefore' }));
      await dying.store.commit(sampleBatch(3, []));
      await dying.store.settled().catch(() => undefined);
      expect(dying.disk.isEnded).toBe(true);
      const isKept = (offset: number): boolean => Math.floor(offset / SECTOR_BYTES) % 8 !== lost;
      medium.cutPower({ file: () => ({ kind: 'sectors', isKept }), names: (_, waiting) => waiting });
      const next = await openOn(medium);
      expect(typeof (await rollOver(next)), `sector ${lost}`).toBe('number');
      medium.cutPower(LOSES_ALL);
      expect(await faultsOn(medium), `sector ${lost}`).toEqual([]);
      const { records: found } = await (await openOn(medium)).store.history({ scheduleId: 'a', limit: 1000 });
      expect(found, `sector ${lost}`).toHaveLength(21);
    }
  });
});

/** The same process tries until it can commit again; the number of that commit, where it could at all. */
async function goOn({ store }: OpenedOn, where: string): Promise<number | undefined> {
  for (let tries = 0; tries < 40; tries++) {
    try {
      const { seq } = await store.changes(0);
      const result = await store.commit(sampleBatch(seq, []));
      if (result.kind === 'committed') return result.seq;
    } catch (error) {
      if (isScheduleError(error, 'SCHEDULE_STORE_FAILED')) return undefined;
      if (!isScheduleError(error, 'SCHEDULE_STORE_UNAVAILABLE')) throw error;
    }
  }
  throw new Error(`${where}: it does not go on`);
}

/** A whole transaction of another process, whose locks are always free. */
async function takeOver(medium: SimMedium): Promise<number | string> {
  const disk = plainDisk(medium);
  const openLock: OpenLock = async () => ({
    tryLock: () => true,
    unlock: () => undefined,
    isIntact: () => true,
    close: async () => undefined,
  });
  const { store, close } = await openWorkspace(AT, {}, { disk, openLock });
  const { seq, epoch } = await store.changes(0);
  const result = await store.commit(sampleBatch(seq, [], { epoch, raisesEpoch: true, actor: 'owner' }));
  await close();
  return result.kind === 'committed' ? result.seq : result.kind;
}
