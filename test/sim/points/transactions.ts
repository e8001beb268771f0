/**
 * Transactions as data: what the world is like before, and what one process does then, which may be disturbed at each of its
 * steps. Every control of a client is here; what owners and stores do is in the files beside.
 */
import type { Step } from '../disk/sim-disk.js';
import type { Bench, BenchProcess, OpenHow } from './bench.js';
import { Bench as NewBench } from './bench.js';
import { creates, declared, ensures, occurred, tells, triggers, viewed } from './told-calls.js';
import { documentThat } from './written-handlers.js';

/** See the head of this file. */
export interface Transaction {
  readonly name: string;
  /** How its process, and those that come after it, open the workspace. */
  readonly how?: Pick<OpenHow, 'historyKept' | 'evidenceKept' | 'concurrency' | 'needsWorkspace' | 'between'>;
  /** The world before it. */
  readonly before: () => Promise<Bench>;
  /** What it does in a process that has opened the workspace. */
  readonly act: (process: BenchProcess) => Promise<unknown>;
  /** True: its process has opened nothing, and its steps count from the first one. */
  readonly isOpening?: boolean;
  /** What must be done, by whomever, before the workspace can be opened again. */
  readonly mend?: (process: BenchProcess) => Promise<unknown>;
  /** Steps at which a takeover without locks is a second fault, which nobody promises to survive: it is left out. */
  readonly isUnpromised?: (step: Step) => boolean;
  /** True: its world is large, so that a sample takes few points of it. */
  readonly isLarge?: boolean;
}

/** Milliseconds. */
export const MINUTE = 60_000;

let base: Promise<Bench> | undefined;

/** A world with an owner behind it: a manual schedule with one record, one that is due each minute, and one to be asked for. */
export async function baseWorld(): Promise<Bench> {
  base ??= makeBase();
  return (await base).clone();
}

async function makeBase(): Promise<Bench> {
  const bench = new NewBench();
  await inProcess(bench, 'founder', async (founder) => {
    await creates(founder, declared('report'));
    const start = new Date(bench.time.now() + MINUTE).toISOString();
    await creates(founder, declared('every', 'succeed', { trigger: { kind: 'interval', start, everySeconds: 60 } }));
    await creates(founder, declared('probe'));
    await triggers(founder, 'report', 'first');
    await founder.schedules.owner().tick();
  });
  bench.time.pass(MINUTE / 2);
  return bench;
}

/** The base with something done to it by a process that nothing disturbs, and that closes behind it. */
export function after(work: (process: BenchProcess) => Promise<unknown>, how: OpenHow = {}): () => Promise<Bench> {
  return async () => {
    const bench = await baseWorld();
    await inProcess(bench, 'before', work, how);
    return bench;
  };
}

/** Does work in a process of its own; it closes, where it has not ended. */
export async function inProcess(
  bench: Bench,
  name: string,
  work: (process: BenchProcess) => Promise<unknown>,
  how: OpenHow = {},
): Promise<void> {
  const process = bench.process(name, how);
  const end = await process.does(async () => {
    const schedules = await process.open();
    await work(process);
    await schedules.close();
  });
  if (typeof end === 'object') throw end.refused;
  if (end === 'hangs') throw new Error(`${name} hangs`);
  process.disk.end();
}

const queued = after((process) => triggers(process, 'report', 'waiting'));

const paused = after(async (process) => {
  await tells(process, 'pause', 'every', async (schedules) => viewed(await schedules.pause('every', { revision: 1 })));
  process.bench.time.pass(5 * MINUTE);
});

const failed = after(async (process) => {
  await creates(process, declared('flaky', 'fail'));
  await triggers(process, 'flaky', 'lost');
  await process.schedules.owner().tick();
});

const interrupted = async (): Promise<Bench> => {
  const bench = await after(async (process) => {
    await creates(process, declared('fatal', 'end the process'));
    await triggers(process, 'fatal', 'last');
    await process.schedules.owner().tick();
  })();
  await inProcess(bench, 'successor', async (process) => process.schedules.owner().tick());
  return bench;
};

const DAILY = { kind: 'cron', expression: '0 6 * * *', timezone: 'UTC' } as const;

function updates(id: string, changes: Parameters<BenchProcess['schedules']['update']>[1], isWithdrawing = false) {
  const pending = isWithdrawing ? { pending: 'withdraw' as const } : {};
  return (process: BenchProcess) =>
    tells(process, 'update', id, async (schedules) =>
      viewed(await schedules.update(id, changes, { revision: 1, ...pending })),
    );
}

function deletes(process: BenchProcess): Promise<void> {
  process.bench.ledger.deletions.add('report');
  return tells(process, 'delete', 'report', async (schedules) => {
    const { revision } = await schedules.delete('report', { revision: 1 });
    return { revision };
  });
}

/** What clients do. */
export const CLIENT_TRANSACTIONS: readonly Transaction[] = [
  { name: 'create', before: baseWorld, act: (process) => creates(process, declared('new')) },
  {
    name: 'create with a document of its own',
    before: baseWorld,
    act: (process) => creates(process, declared('new', 'fail once')),
  },
  {
    name: 'create anew what was deleted',
    before: after(deletes),
    act: (process) => creates(process, declared('report')),
  },
  { name: 'ensure what is not there', before: baseWorld, act: (process) => ensures(process, declared('new')) },
  { name: 'ensure what is there', before: baseWorld, act: (process) => ensures(process, declared('report')) },
  {
    name: 'ensure other words',
    before: queued,
    act: (process) => ensures(process, declared('report', 'succeed', { objective: 'Other words' })),
  },
  {
    name: 'ensure another declaration, with work pending',
    before: queued,
    act: (process) => ensures(process, declared('report', 'succeed', { maxRetries: 1 })),
  },
  { name: 'update a trigger', before: baseWorld, act: updates('every', { trigger: DAILY }) },
  { name: 'update a document', before: baseWorld, act: updates('report', { document: documentThat('fail once') }) },
  { name: 'update with work pending', before: queued, act: updates('report', { maxRetries: 1 }, true) },
  { name: 'update words', before: queued, act: updates('report', { labels: { team: 'b' } }) },
  {
    name: 'pause',
    before: baseWorld,
    act: (process) =>
      tells(process, 'pause', 'every', async (schedules) => viewed(await schedules.pause('every', { revision: 1 }))),
  },
  {
    name: 'resume',
    before: paused,
    act: (process) =>
      tells(process, 'resume', 'every', async (schedules) =>
        viewed(await schedules.resume('every', { revision: 1, missed: 'runOnce' })),
      ),
  },
  {
    name: 'cancel',
    before: queued,
    act: (process) =>
      tells(process, 'cancel', 'report', async (schedules) =>
        viewed(await schedules.cancel('report', { revision: 1 })),
      ),
  },
  {
    name: 'delete',
    before: baseWorld,
    act: deletes,
  },
  { name: 'trigger', before: baseWorld, act: (process) => triggers(process, 'report') },
  { name: 'trigger by a request id', before: baseWorld, act: (process) => triggers(process, 'report', 'asked') },
  {
    name: 'trigger by a request id that is known',
    before: queued,
    act: (process) => triggers(process, 'report', 'waiting'),
  },
  {
    name: 'several calls at once',
    before: baseWorld,
    act: (process) =>
      Promise.all([
        triggers(process, 'report', 'one'),
        triggers(process, 'probe', 'two'),
        updates('every', { maxRetries: 1 })(process),
        triggers(process, 'report', 'one'),
      ]),
  },
  {
    name: 'stop what waits',
    before: queued,
    act: (process) =>
      tells(process, 'stop', 'report', async (schedules) => {
        const { occurrence, schedule } = await schedules.stop('report', 'report~1~m~waiting');
        return { occurrence: occurrence.id, isEnding: true, version: schedule.version, revision: schedule.revision };
      }),
  },
  {
    name: 'rerun',
    before: failed,
    act: (process) =>
      tells(process, 'rerun', 'flaky', async (schedules) =>
        occurred(await schedules.rerun('flaky', 'flaky~1~m~lost', { requestId: 'again' })),
      ),
  },
  {
    name: 'resolve',
    before: interrupted,
    act: (process) =>
      tells(process, 'resolve', 'fatal', async (schedules) => {
        const { id } = await schedules.resolve('fatal', 'fatal~1~m~last', {
          verdict: 'done',
          note: 'it was looked at',
        });
        return { occurrence: id, verdict: 'done' };
      }),
  },
  { name: 'close the gate', before: baseWorld, act: ({ schedules }) => schedules.gate.pause({ note: 'a pause' }) },
  {
    name: 'open the gate',
    before: after(({ schedules }) => schedules.gate.pause()),
    act: ({ schedules }) => schedules.gate.resume(),
  },
  {
    name: 'set a calendar',
    before: baseWorld,
    act: ({ schedules }) => schedules.setCalendar('holidays', ['2026-12-24/2026-12-26', '2027-01-01']),
  },
  {
    name: 'wait for an occurrence that has ended',
    before: baseWorld,
    act: (process) =>
      tells(process, 'wait for', 'report', async (schedules) => {
        const { id } = await schedules.waitFor('report~1~m~first');
        return { occurrence: id, isEnding: true };
      }),
  },
];
