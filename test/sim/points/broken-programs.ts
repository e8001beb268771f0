/**
 * Programs that leave out one step of the protocol: mutants that the enumeration must catch, each with the transactions and the
 * kinds of points that have to show it.
 */
import type { Disk } from '../../../src/adapters/fs/disk/disk.js';
import { layoutOf } from '../../../src/adapters/fs/layout.js';
import type { ScheduleStore } from '../../../src/ports/schedule-store.js';
import type { Step } from '../disk/sim-disk.js';
import { ROOT } from '../world/hosts.js';
import type { KINDS } from './enumerate.js';

/** What stands between a program and its disk, or between its runtime and its store. */
export interface Between {
  disk?(good: Disk): Disk;
  store?(good: ScheduleStore): Partial<ScheduleStore>;
}

/** See the head of this file. */
export interface BrokenProgram {
  /** What it does wrong, after "one that". */
  readonly what: string;
  /** The rule that it breaks. */
  readonly rule: string;
  readonly kind: (typeof KINDS)[number];
  /** The call at which it shows, where it is one. */
  readonly call?: Step['call'];
  /** Names of the transactions to look at. */
  readonly transactions: readonly string[];
  /** Made anew for each process. */
  readonly between: () => Between;
}

const { documents, journal, occurrences, tmp } = layoutOf(ROOT);

type PathOf = (file: number) => string;

/** A disk with some calls of its own; it knows the path of every open file. */
function disk(breaks: (good: Disk, pathOf: PathOf) => Partial<Disk>): () => Between {
  return () => ({
    disk: (good) => {
      const paths = new Map<number, string>();
      const own = breaks(good, (file) => paths.get(file) ?? '');
      return new Proxy(good, {
        get(target, name: keyof Disk) {
          if (name !== 'open') return own[name] ?? (target[name] as (...given: unknown[]) => unknown).bind(target);
          return async (...given: Parameters<Disk['open']>) => {
            const file = await target.open(...given);
            paths.set(file, given[0]);
            return file;
          };
        },
      });
    },
  });
}

function unflushed(below: string): () => Between {
  return disk((good, pathOf) => ({
    flush: async (file) => {
      if (!pathOf(file).startsWith(below)) await good.flush(file);
    },
  }));
}

function unnamed(below: string): () => Between {
  return disk((good) => ({
    flushDirectory: async (path) => {
      if (!path.startsWith(below)) await good.flushDirectory(path);
    },
  }));
}

/** A store that takes the commits of former owners as those of the newest one, and tells no owner of another one. */
function withoutFence(): Between {
  return {
    store: (good) => {
      let own: number | undefined;
      return {
        commit: async (batch, options) => {
          const result = await good.commit(batch, options);
          if (result.kind === 'committed' && batch.raisesEpoch === true) own = (batch.epoch ?? 0) + 1;
          return result.kind === 'fenced' ? await good.commit({ ...batch, epoch: result.epoch }, options) : result;
        },
        changes: async (since, options) => {
          const found = await good.changes(since, options);
          return own === undefined ? found : { ...found, epoch: own };
        },
      };
    },
  };
}

/** The mutants. */
export const BROKEN_PROGRAMS: readonly BrokenProgram[] = [
  {
    what: 'fences nobody by the epoch',
    rule: 'OW-5',
    kind: 'takeover',
    transactions: ['recovery of a run'],
    between: withoutFence,
  },
  {
    what: 'decides on what others have changed since',
    rule: 'ST-5',
    kind: 'takeover',
    transactions: ['update a trigger', 'trigger by a request id'],
    between: () => ({
      store: (good) => ({
        commit: (batch, options) => good.commit({ ...batch, reads: { schedules: [], keys: [], row: false } }, options),
      }),
    }),
  },
  {
    what: 'does not flush the journal',
    rule: 'ST-2',
    kind: 'crash',
    transactions: ['trigger by a request id', 'what is due is collected, claimed and run'],
    between: unflushed(journal),
  },
  {
    what: 'does not flush the names of segments',
    rule: 'ST-2',
    kind: 'crash',
    transactions: ['a roll-over'],
    between: unnamed(journal),
  },
  {
    what: 'does not flush a file before it gives it its name',
    rule: 'ST-2',
    kind: 'crash',
    transactions: ['create with a document of its own', 'a roll-over'],
    between: unflushed(tmp),
  },
  {
    what: 'does not flush the names of documents',
    rule: 'ST-2',
    kind: 'crash',
    transactions: ['create with a document of its own'],
    between: unnamed(documents),
  },
  {
    what: 'does not flush the names of attempts',
    rule: 'OC-8',
    kind: 'crash',
    transactions: ['a new owner that has an occurrence to run'],
    between: unnamed(occurrences),
  },
  {
    what: 'does not flush what it writes of an attempt',
    rule: 'OC-8',
    kind: 'crash',
    transactions: ['a new owner that has an occurrence to run'],
    between: unflushed(occurrences),
  },
  {
    what: 'does not make the directory of an attempt exclusively',
    rule: 'OC-8',
    kind: 'crash',
    transactions: ['an owner on a backup that was put back'],
    between: disk((good) => ({
      makeDirectory: async (path) => {
        await good.makeDirectory(path);
        return 'made';
      },
    })),
  },
  {
    what: 'passes over a write that failed',
    rule: 'ST-4',
    kind: 'trouble',
    call: 'write',
    transactions: ['create with a document of its own', 'trigger by a request id'],
    between: disk((good) => ({
      write: (...given) => good.write(...given).catch(() => undefined),
    })),
  },
  {
    what: 'passes over a flush that failed',
    rule: 'ST-4',
    kind: 'trouble',
    call: 'flush',
    transactions: ['trigger by a request id'],
    between: disk((good) => ({ flush: (file) => good.flush(file).catch(() => undefined) })),
  },
  {
    what: 'passes over a name that could not be made durable',
    rule: 'ST-4',
    kind: 'trouble',
    call: 'flushDirectory',
    transactions: ['a new owner that has an occurrence to run', 'create with a document of its own'],
    between: disk((good) => ({ flushDirectory: (path) => good.flushDirectory(path).catch(() => undefined) })),
  },
];
