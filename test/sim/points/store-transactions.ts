/**
 * What a store does behind and between commits, as transactions: a new workspace, roll-overs and what they prune, a journal that
 * somebody left in disorder, and repairs.
 */
import { layoutOf, segmentPath } from '../../../src/adapters/fs/layout.js';
import { repairOn } from '../../../src/adapters/fs/repair/repair-workspace.js';
import type { Effect, Hook, Step } from '../disk/sim-disk.js';
import { Backup } from '../world/backup.js';
import { ROOT } from '../world/hosts.js';
import { Bench, type BenchProcess, type OpenHow } from './bench.js';
import { creates, declared, ensures, tells, triggers, viewed } from './told-calls.js';
import { after, inProcess, MINUTE, type Transaction } from './transactions.js';
import { documentThat } from './written-handlers.js';

const LAYOUT = layoutOf(ROOT);

/** Bars roll-overs: the journal grows until a process without this hook comes. */
const barsRollOver: Hook = ({ path }) => (path === LAYOUT.rollOverLock ? { kind: 'fail', code: 'EACCES' } : undefined);

/** Commits until a roll-over is due. */
async function crowds(process: BenchProcess): Promise<void> {
  await creates(process, declared('large'));
  for (let n = 0; n < 34; n++) {
    const labels = Object.fromEntries(
      Array.from({ length: 32 }, (_, label) => [`label${label}`, `${n}`.padEnd(250, 'x')]),
    );
    await tells(process, 'update', 'large', async (schedules) =>
      viewed(await schedules.update('large', { labels }, { revision: 1 })),
    );
  }
}

function crowded(work: (process: BenchProcess) => Promise<unknown>, how: OpenHow = {}): () => Promise<Bench> {
  return after(
    async (process) => {
      await work(process);
      await crowds(process);
    },
    { ...how, hook: barsRollOver },
  );
}

/** A commit, the roll-over behind it, and another commit. */
async function rollsOver(process: BenchProcess): Promise<void> {
  await triggers(process, 'report', 'before');
  await process.settled();
  await triggers(process, 'report', 'behind');
}

async function runs(process: BenchProcess, id: string, times: number): Promise<void> {
  for (let n = 0; n < times; n++) await triggers(process, id, `${process.name}-${n}`);
  await process.schedules.owner().tick();
}

/** A history of more than one file, whose first may go, and whose end is in the journal alone. */
async function longHistory(): Promise<Bench> {
  const how = { historyKept: 3 };
  const large = { document: documentThat('succeed', 'x'.repeat(60_000)) };
  const bench = await after(async (process) => {
    await creates(process, declared('verbose', 'succeed', large));
    await runs(process, 'verbose', 19);
    await process.settled();
  }, how)();
  await inProcess(bench, 'barred', (process) => runs(process, 'verbose', 6), { ...how, hook: barsRollOver });
  return bench;
}

/** Evidence that may go, a history whose schedule is gone, and a document that nothing names. */
async function leftovers(): Promise<Bench> {
  const bench = await crowded(async (process) => {
    await creates(process, declared('gone'));
    await runs(process, 'gone', 2);
    await runs(process, 'report', 3);
    await tells(process, 'update', 'report', async (schedules) =>
      viewed(await schedules.update('report', { document: documentThat('fail once') }, { revision: 1 })),
    );
    process.bench.ledger.deletions.add('gone');
    await process.schedules.delete('gone', { revision: 1 });
  })();
  bench.time.pass(48 * 60 * MINUTE);
  return bench;
}

/** A world in which a process did something, and was disturbed; then it was killed. */
function disturbed(effectOf: (step: Step) => Effect | undefined, work: (process: BenchProcess) => Promise<unknown>) {
  return async () => {
    const bench = await after(async () => {})();
    const process = bench.process('disturbed', {});
    await process.mustDo(() => process.open());
    const hooked = bench.process('unlucky', { hook: effectOf });
    process.disk.end();
    await hooked.does(async () => {
      await hooked.open();
      await work(hooked);
    });
    hooked.disk.end();
    return bench;
  };
}

const isJournalWrite = ({ call, path }: Step) => call === 'write' && path.startsWith(LAYOUT.journal);
const isJournalFlush = ({ call, path }: Step) => call === 'flush' && path.startsWith(LAYOUT.journal);

const torn = disturbed(
  (step) => (isJournalWrite(step) ? { kind: 'crashWithin', written: 150 } : undefined),
  (process) => triggers(process, 'report', 'torn'),
);

const unflushed = disturbed(
  (step) => (isJournalFlush(step) ? { kind: 'crashBefore' } : undefined),
  (process) => triggers(process, 'report', 'unflushed'),
);

/** A flush failed, and so did what should have undone it. */
const failedFlush = disturbed(
  (step) => {
    if (isJournalFlush(step)) return { kind: 'fail', code: 'EIO' };
    return step.call === 'rename' && step.path === segmentPath(LAYOUT, 1) ? { kind: 'fail', code: 'EIO' } : undefined;
  },
  (process) => triggers(process, 'report', 'failed'),
);

/** A world in which somebody removed, or spoiled, a file of a catalogue that was rolled over twice. */
function spoiled(spoil: (bench: Bench) => void): () => Promise<Bench> {
  return async () => {
    const bench = await after(async (process) => {
      await crowds(process);
      await process.settled();
      await triggers(process, 'report', 'last');
    })();
    spoil(bench);
    return bench;
  };
}

function cutShort(path: string): (bench: Bench) => void {
  return ({ medium }) => {
    medium.unlink(path);
    medium.close(medium.open(path, 'create'));
    medium.cutPower({ file: () => ({ kind: 'all' }), names: (_, waiting) => waiting });
  };
}

/** A catalogue put back from before some runs, whose evidence is there. */
async function putBack(): Promise<Bench> {
  const bench = await after(async () => {})();
  const backup = new Backup(bench.medium, ROOT, bench.ledger);
  bench.time.pass(2 * MINUTE);
  await inProcess(bench, 'since', async (process) => {
    await triggers(process, 'report', 'since');
    await process.schedules.owner().tick();
  });
  backup.restore(bench.medium, bench.ledger);
  return bench;
}

/**
 * A flush failed and could not be undone, and its undoing is not guarded by the lock any more: two faults at once, which no single
 * check covers. The copy that takes the place of a segment is the one step at which they meet.
 */
const isUndoing = ({ call, path }: Step) => call === 'rename' && path.startsWith(LAYOUT.journal);

/** Repairs as `everdue repair` does. */
async function repairs(process: BenchProcess): Promise<void> {
  const ground = { disk: process.disk, openLock: await process.openLock() };
  const setMode = async () => {};
  await repairOn(ground, ROOT, { isRehearsal: false, now: process.bench.time.now(), setMode });
}

function repair(name: string, spoil: (bench: Bench) => void): Transaction {
  return {
    name: `a repair of ${name}`,
    before: spoiled(spoil),
    act: repairs,
    mend: repairs,
    isOpening: true,
    isLarge: true,
  };
}

/** What stores do. */
export const STORE_TRANSACTIONS: readonly Transaction[] = [
  {
    name: 'a new workspace',
    before: async () => new Bench(),
    act: async (process) => {
      await process.open();
      await ensures(process, declared('first'));
    },
    isOpening: true,
  },
  { name: 'a roll-over', before: crowded((process) => runs(process, 'report', 3)), act: rollsOver, isLarge: true },
  {
    name: 'a roll-over that prunes history',
    how: { historyKept: 3 },
    before: longHistory,
    act: rollsOver,
    isLarge: true,
  },
  {
    name: 'a roll-over that prunes evidence, documents and what is left of a history',
    how: { evidenceKept: 1 },
    before: leftovers,
    act: rollsOver,
    isLarge: true,
  },
  {
    name: 'closing with a roll-over due',
    before: crowded(async () => {}),
    act: async (process) => {
      await triggers(process, 'report', 'last');
      await process.schedules.close();
    },
    isLarge: true,
  },
  {
    name: 'a commit behind torn bytes',
    before: torn,
    act: (process) => triggers(process, 'report', 'behind'),
  },
  {
    name: 'a commit behind a record that nobody flushed',
    before: unflushed,
    act: (process) => triggers(process, 'report', 'behind'),
  },
  {
    name: 'an owner after a flush that failed for good',
    before: failedFlush,
    act: ({ schedules }) => schedules.owner().tick(),
    isUnpromised: isUndoing,
  },
  {
    name: 'a commit without a head mark',
    before: spoiled(({ medium }) => {
      medium.unlink(LAYOUT.head);
      medium.flushDirectory(LAYOUT.catalogue);
    }),
    act: (process) => triggers(process, 'report', 'behind'),
    isLarge: true,
  },
  {
    name: 'an owner on a backup that was put back',
    before: putBack,
    act: async (process) => {
      await triggers(process, 'report', 'since');
      await process.schedules.owner().tick();
    },
  },
  repair('a lost head mark', ({ medium }) => {
    medium.unlink(LAYOUT.head);
    medium.flushDirectory(LAYOUT.catalogue);
  }),
  repair('a snapshot that was cut short', cutShort(LAYOUT.snapshot)),
  repair('a spare snapshot that was cut short', cutShort(LAYOUT.formerSnapshot)),
  repair('a lost directory', ({ medium }) => {
    for (const name of medium.list(LAYOUT.tmp) ?? []) medium.unlink(`${LAYOUT.tmp}/${name}`);
    medium.removeDirectory(LAYOUT.tmp);
    medium.flushDirectory(LAYOUT.catalogue);
  }),
  {
    name: 'a repair after a flush that failed for good',
    before: failedFlush,
    act: repairs,
    isUnpromised: isUndoing,
    mend: repairs,
    isOpening: true,
  },
];
