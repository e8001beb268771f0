/** An owner over a catalogue in memory and a clock in the test's hands: one process of a host, without a codec. */
import { type MemoryData, memoryData } from '../../src/adapters/memory-data.js';
import { memoryWorkspace } from '../../src/adapters/memory-workspace.js';
import type { Declaration } from '../../src/core/model/declaration.js';
import type { Control, OwnerInput } from '../../src/core/model/input.js';
import type { Occurrence } from '../../src/core/model/occurrence.js';
import type { Definition } from '../../src/core/model/schedule.js';
import { formatInstant, type InstantInput } from '../../src/core/time/instant.js';
import type { ZoneData } from '../../src/core/time/zone-data.js';
import { runtimeZoneData } from '../../src/core/time/zones.js';
import type { Evidence } from '../../src/ports/evidence.js';
import type { ExecutionService } from '../../src/ports/execution-service.js';
import type { ScheduleEvent } from '../../src/ports/observer.js';
import type { OwnerLock } from '../../src/ports/owner-lock.js';
import type { ScheduleStore } from '../../src/ports/schedule-store.js';
import { Catalogue } from '../../src/runtime/catalogue/catalogue.js';
import { type Committed, Committer } from '../../src/runtime/commit/commit.js';
import { EventHub } from '../../src/runtime/events.js';
import { OwnTerms } from '../../src/runtime/own-terms.js';
import { createOwner, type OwnerOptions } from '../../src/runtime/owner/owner.js';
import { CORE_RULES, type Rules } from '../../src/runtime/rules.js';
import { UnendedWork } from '../../src/runtime/unended-work.js';
import { type ManualClock, manualClock } from '../../src/testing/manual-clock.js';
import { scriptedExecution } from '../../src/testing/scripted-execution.js';
import { sampleDefinition } from './sample-definition.js';

/** What a test may bring along. */
export interface BenchOptions extends OwnerOptions {
  readonly data?: MemoryData;
  readonly clock?: ManualClock;
  readonly start?: InstantInput;
  readonly execution?: ExecutionService;
  readonly rules?: Rules;
  readonly zoneData?: ZoneData | string;
  readonly authorised?: readonly string[];
  readonly wrapStore?: (store: ScheduleStore) => ScheduleStore;
  readonly wrapEvidence?: (evidence: Evidence) => Evidence;
  readonly wrapLock?: (lock: OwnerLock) => OwnerLock;
}

const START = '2026-11-30T08:00:00.000Z';

/** The document that every schedule of a bench has. */
export const DOCUMENT = { version: 'test/1', text: 'hello' };

/** One process: client parts, an owner, and everything that it told. */
export function ownerBench(options: BenchOptions = {}) {
  const clock = options.clock ?? manualClock(options.start ?? START);
  const data = options.data ?? memoryData();
  const workspace = memoryWorkspace({ data });
  const store = options.wrapStore?.(workspace.store) ?? workspace.store;
  const evidence = options.wrapEvidence?.(workspace.evidence) ?? workspace.evidence;
  const lock = options.wrapLock?.(workspace.lock) ?? workspace.lock;
  const execution = options.execution ?? scriptedExecution();
  const rules = options.rules ?? CORE_RULES;
  const { zoneData: given = 'test' } = options;
  const zoneData = typeof given === 'string' ? runtimeZoneData(given) : given;
  const told: ScheduleEvent[] = [];
  const warnings: string[] = [];
  const events = new EventHub((message) => warnings.push(message));
  events.listen((event) => told.push(event));
  const catalogue = new Catalogue({ store, clock, rules });
  const committer = new Committer({ store, catalogue, rules, clock, events, zoneData, random: () => 0.5 });
  const { authorised, concurrency, drainSeconds, collect } = options;
  const owner = createOwner(
    {
      store,
      lock,
      evidence,
      execution,
      clock,
      catalogue,
      committer,
      events,
      unended: new UnendedWork(),
      ownTerms: new OwnTerms(),
      zoneData,
      process: { pid: 1, host: 'test' },
      ...(authorised === undefined ? {} : { authorised }),
    },
    {
      ...(concurrency === undefined ? {} : { concurrency }),
      ...(drainSeconds === undefined ? {} : { drainSeconds }),
      ...(collect === undefined ? {} : { collect }),
    },
  );
  const submit = (id: string, input: Control | OwnerInput, documents: Documents = []): Promise<Committed> =>
    committer.submit(id, input, { actor: 'test', documents });
  const history = async (id: string): Promise<readonly Occurrence[]> => {
    const { records } = await store.history({ scheduleId: id, limit: 1000 });
    return [...records].reverse();
  };
  return {
    clock,
    data,
    store,
    lock,
    evidence,
    execution,
    told,
    warnings,
    events,
    catalogue,
    committer,
    owner,
    submit,
    history,
    /** Registers a schedule, due every minute from the next one on unless its fields say otherwise. */
    create: async (id: string, fields: Partial<Declaration> = {}, more: Partial<Definition> = {}) => {
      const definition: Definition = {
        ...sampleDefinition(id, { trigger: everySeconds(60, clock.now() + 60_000), ...fields }),
        registeredAt: clock.now(),
        ...more,
      };
      const documents = [{ digest: definition.documentDigest, document: DOCUMENT }];
      const made = await submit(id, { kind: 'create', definition, isPaused: false, by: 'test' }, documents);
      if (made.decision.kind !== 'accepted') throw new Error(`not created: ${JSON.stringify(made.decision)}`);
    },
    /** Asks for an occurrence now. */
    trigger: async (id: string, requestId: string) => {
      const input = { kind: 'trigger', expected: {}, requestId, isRequestKept: true, by: 'test' } as const;
      return await submit(id, input);
    },
    /** Pending and ended occurrences as `<last part of the id> <status> <reason>`. */
    outcomes: async (id: string): Promise<readonly string[]> => (await history(id)).map(brief),
    pending: (id: string): readonly string[] => (catalogue.entry(id)?.pending ?? []).map(brief),
    /** What was told of owners, stores and clocks. */
    changes: (): readonly string[] =>
      told.flatMap((event) => (event.type === 'owner' || event.type === 'store' ? [event.change] : [])),
  };
}

type Documents = NonNullable<Parameters<Committer['submit']>[2]['documents']>;

/** One process of a host, as {@link ownerBench} makes it. */
export type Bench = ReturnType<typeof ownerBench>;

/** An interval trigger. */
export function everySeconds(seconds: number, start: number): Declaration['trigger'] {
  return { kind: 'interval', start: formatInstant(start as never), everySeconds: seconds };
}

/** A trigger that nothing makes due. */
export const MANUAL: Declaration['trigger'] = { kind: 'manual' };

/** An occurrence in one line. */
export function brief({ id, dueAt, origin, status, reason, window }: Occurrence): string {
  const name = origin === 'manual' ? id.slice(id.lastIndexOf('~') + 1) : formatInstant(dueAt).slice(11, 19);
  const covered = window === undefined ? '' : ` (${window.count})`;
  return `${name}${covered} ${status}${reason === undefined ? '' : ` ${reason}`}`;
}
