/** The catalogue in memory: kept in step change by change, it must be what a fresh reading of the store gives. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryData } from '../../src/adapters/memory-data.js';
import { memoryStore } from '../../src/adapters/memory-store.js';
import type { Control, Decision, Input, OwnerInput } from '../../src/core/model/input.js';
import type { Occurrence } from '../../src/core/model/occurrence.js';
import type { ScheduleEntry } from '../../src/core/model/schedule.js';
import type { KeyHold } from '../../src/core/policy/hold.js';
import { type EpochMs, epochMs } from '../../src/core/time/instant.js';
import { runtimeZoneData } from '../../src/core/time/zones.js';
import type { ScheduleStore } from '../../src/ports/schedule-store.js';
import { Catalogue } from '../../src/runtime/catalogue/catalogue.js';
import { IndexedHeap } from '../../src/runtime/catalogue/indexed-heap.js';
import { Committer } from '../../src/runtime/commit/commit.js';
import { EventHub } from '../../src/runtime/events.js';
import { CORE_RULES } from '../../src/runtime/rules.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { sampleDefinition } from './sample-definition.js';

const START = '2026-11-30T08:00:00Z';
const IDS = ['a', 'b', 'c', 'd'];
const KEYS = [undefined, 'shared', 'other'];

function open(data = memoryData()) {
  const clock = manualClock(START);
  const store = memoryStore(data);
  const rules = CORE_RULES;
  const catalogue = new Catalogue({ store, clock, rules });
  const events = new EventHub(() => undefined);
  const committer = new Committer({
    store,
    catalogue,
    rules,
    clock,
    events,
    zoneData: runtimeZoneData('test'),
    random: () => 0.5,
  });
  return { data, clock, store, catalogue, committer };
}

type Opened = ReturnType<typeof open>;

/** One move of a random life of a catalogue, from three numbers. */
type Move = readonly [kind: number, which: number, how: number];

function declared(id: string, how: number) {
  const key = KEYS[how % KEYS.length];
  return sampleDefinition(id, {
    overlap: 'queue',
    maxRetries: 2,
    retryBackoff: { initialSeconds: 60, factor: 1, maxSeconds: 60 },
    trigger: { kind: 'interval', start: START, everySeconds: 300 },
    misfire: how % 2 === 0 ? 'catchUp' : 'runOnce',
    ...(key === undefined ? {} : { concurrencyKey: key }),
    ...(how === 5 ? { expiresAt: '2026-11-30T10:00:00.000Z' } : {}),
  });
}

function control(kind: number, id: string, how: number, n: number): Control | undefined {
  const by = 'test';
  const expected = {};
  switch (kind) {
    case 0:
      return { kind: 'create', definition: declared(id, how), isPaused: false, by };
    case 1:
      return { kind: 'trigger', expected, requestId: `r${n}`, isRequestKept: false, by };
    case 2:
      return { kind: 'pause', expected, by };
    case 3:
      return { kind: 'resume', expected, missed: 'catchUp', by };
    case 4:
      return how === 0 ? { kind: 'cancel', expected, by } : undefined;
    case 5:
      return how === 0 ? { kind: 'delete', expected, by } : undefined;
    case 6:
      return {
        kind: 'update',
        expected,
        definition: declared(id, how),
        isCosmetic: false,
        pending: 'withdraw',
        by,
      };
    default:
      return undefined;
  }
}

function settled(occurrence: Occurrence, how: number, fencingToken: number): Input {
  const failed = { kind: 'failed', fault: { code: 'x', message: 'x' } } as const;
  const succeeded = { kind: 'succeeded', verification: { isVerified: true, receipts: [] } } as const;
  return {
    kind: 'settle',
    occurrence: occurrence.id,
    epoch: 0,
    attempt: occurrence.claim?.attempt ?? 0,
    fencingToken,
    outcome: how < 3 ? failed : succeeded,
    elapsedMs: 1,
    stages: [],
    isStopping: false,
  };
}

async function move(opened: Opened, [kind, which, how]: Move, n: number): Promise<void> {
  const { clock, catalogue, committer } = opened;
  const owner = { actor: 'owner', epoch: 0 };
  const id = IDS[which % IDS.length] as string;
  const asked = control(kind, id, how, n);
  if (asked !== undefined) {
    await committer.submit(id, asked, { actor: 'test' });
  } else if (kind === 7) {
    await clock.advance(how * 61_000);
  } else if (kind === 8) {
    await committer.submitRow((row) => ({ ...row, gate: { isPaused: !row.gate.isPaused } }), owner);
  } else if (kind === 9) {
    const tick: OwnerInput = { kind: 'tick', spans: [], zoneData: 'test', collects: true } as OwnerInput;
    for (const { schedule } of catalogue.wakesBy(clock.now())) await committer.submit(schedule.id, tick, owner);
  } else if (kind === 10) {
    const ready = catalogue.ready(clock.now(), 1 + how);
    const claims = ready.map(({ entry, occurrence }) => {
      const claim: Input = { kind: 'claim', occurrence: occurrence.id, epoch: 0, order: n, hasWorkspace: false };
      return committer.submit(entry.schedule.id, claim, owner);
    });
    for (const { decision } of await Promise.all(claims)) expect(kindOf(decision)).toBe('accepted');
  } else {
    const running = [...catalogue.entries()].flatMap(({ pending }) =>
      pending.filter(({ status }) => status === 'running'),
    );
    const occurrence = running[which % Math.max(1, running.length)];
    if (occurrence === undefined) return;
    await committer.submit(occurrence.scheduleId, settled(occurrence, how, 0), owner);
  }
}

function kindOf(decision: Decision): string {
  return decision.kind === 'refused' ? JSON.stringify(decision.refusal) : decision.kind;
}

/** What a catalogue answers, as plain data. */
function answers(catalogue: Catalogue, now: EpochMs) {
  const later = epochMs(now + 3_600_000);
  return {
    row: catalogue.row,
    seq: catalogue.seq,
    entries: [...catalogue.entries()].sort((a, b) => (a.schedule.id < b.schedule.id ? -1 : 1)),
    marks: IDS.map((id) => catalogue.mark(id)),
    wakes: catalogue
      .wakesBy(later)
      .map(({ schedule }) => schedule.id)
      .sort(),
    nextWakeAt: catalogue.nextWakeAt(),
    ready: catalogue.ready(now, 100).map(({ occurrence }) => occurrence.id),
    keys: ['a', 'b', 'c', 'd', 'shared', 'other'].map((key) => [
      IDS.map((own) => catalogue.keyPending(key, (id) => id === own) !== undefined),
      IDS.map((own) => catalogue.isKeyHeld(key, { occurrence: 'new' }, (id) => id === own)),
    ]),
  };
}

/** What can be claimed, found by looking at everything. */
function readyByLooking(catalogue: Catalogue, now: EpochMs): readonly string[] {
  const { gate } = catalogue.row;
  const entries = [...catalogue.entries()];
  const holds = entries.flatMap((entry) => CORE_RULES.keyHolds(entry, gate)).filter(({ isActive }) => isActive);
  // What runs has the key, else the one of those that wait whose wait ends first.
  const isAhead = (a: KeyHold, b: KeyHold): boolean =>
    (a.retryAt ?? 0) === (b.retryAt ?? 0) ? a.occurrence < b.occurrence : (a.retryAt ?? 0) < (b.retryAt ?? 0);
  const isKept = (hold: KeyHold | undefined, { id, concurrencyKey, retryAt }: Occurrence): boolean =>
    hold !== undefined &&
    hold.key === concurrencyKey &&
    hold.occurrence !== id &&
    (retryAt === undefined || isAhead(hold, { key: concurrencyKey, occurrence: id, isActive: true, retryAt }));
  const isFree = (occurrence: Occurrence): boolean => !holds.some((hold) => isKept(hold, occurrence));
  const own = ({ schedule, pending }: ScheduleEntry): ScheduleEntry => ({
    schedule,
    pending: pending.filter(
      (one) =>
        !pending.some(({ id }) =>
          isKept(
            holds.find(({ occurrence }) => occurrence === id),
            one,
          ),
        ),
    ),
  });
  const taken = new Set<string>();
  const found: string[] = [];
  for (const entry of entries.sort(CORE_RULES.compareDispatch)) {
    const occurrence = CORE_RULES.readyOccurrence(own(entry), gate, now);
    if (occurrence === undefined || !isFree(occurrence) || taken.has(occurrence.concurrencyKey)) continue;
    taken.add(occurrence.concurrencyKey);
    found.push(occurrence.id);
  }
  return found;
}

describe('the catalogue in memory', () => {
  it('[OW-8, OC-2, ST-1] after any life it answers as a fresh reading and as a look at everything does', async () => {
    const moves = fc.array(fc.tuple(fc.nat(11), fc.nat(3), fc.nat(5)), { minLength: 10, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(moves, async (life) => {
        const opened = open();
        for (const id of IDS) await move(opened, [0, IDS.indexOf(id), IDS.indexOf(id)], 0);
        for (const [n, step] of life.entries()) {
          await move(opened, step, n + 1);
          const now = opened.clock.now();
          const fresh = new Catalogue({ store: opened.store, clock: opened.clock, rules: CORE_RULES });
          await fresh.refresh();
          expect(answers(opened.catalogue, now)).toEqual(answers(fresh, now));
          expect(opened.catalogue.ready(now, 100).map(({ occurrence }) => occurrence.id)).toEqual(
            readyByLooking(opened.catalogue, now),
          );
        }
      }),
      { numRuns: 60 },
    );
  });

  it('[OC-2] a retry whose time has come is not hidden by older work that waits for the same key', async () => {
    const { clock, committer, catalogue } = open();
    const owner = { actor: 'owner', epoch: 0 };
    await committer.submit('a', { kind: 'create', definition: declared('a', 0), isPaused: true, by: 'test' }, owner);
    await clock.advance(600_000);
    const trigger: Control = { kind: 'trigger', expected: {}, requestId: 'm', isRequestKept: false, by: 'test' };
    await committer.submit('a', trigger, owner);
    const claim: Input = { kind: 'claim', occurrence: 'a~1~m~m', epoch: 0, order: 1, hasWorkspace: false };
    const { entry } = await committer.submit('a', claim, owner);
    await committer.submit('a', settled(entry?.pending[0] as Occurrence, 0, 0), owner);
    await committer.submit('a', { kind: 'resume', expected: {}, missed: 'catchUp', by: 'test' }, owner);
    const tick: OwnerInput = { kind: 'tick', spans: [], zoneData: 'test', collects: true } as OwnerInput;
    await committer.submit('a', tick, owner);
    expect(catalogue.entry('a')?.pending.map(({ status }) => status)).toContain('queued');
    expect(catalogue.ready(clock.now(), 9)).toEqual([]);
    await clock.advance(90_000);
    expect(catalogue.ready(clock.now(), 9).map(({ occurrence }) => occurrence.id)).toEqual(['a~1~m~m']);
  });

  it('[ST-5] follows the commits of another process, and is not set back by an answer that is overtaken', async () => {
    const data = memoryData();
    const one = open(data);
    const two = open(data);
    await two.committer.submit('a', control(0, 'a', 0, 0) as Control, { actor: 'test' });
    await one.catalogue.refresh();
    expect(one.catalogue.entry('A')).toEqual(two.catalogue.entry('a'));
    expect(one.catalogue.seq).toBe(1);

    let letAnswer: () => void = () => undefined;
    const answer = new Promise<void>((resolve) => {
      letAnswer = resolve;
    });
    const slow: ScheduleStore = new Proxy(one.store, {
      get: (target, name) =>
        name === 'changes'
          ? async (since: number) => {
              const changes = await target.changes(since);
              await answer;
              return changes;
            }
          : Reflect.get(target, name).bind(target),
    });
    const catalogue = new Catalogue({ store: slow, clock: one.clock, rules: CORE_RULES });
    const reading = catalogue.refresh();
    const after = catalogue.refresh();
    const entry = two.catalogue.entry('a') as ScheduleEntry;
    expect(catalogue.apply({ seq: 2, at: one.clock.now(), entries: [entry], marks: [] })).toBe(false);
    letAnswer();
    await Promise.all([reading, after]);
    expect(catalogue.seq).toBe(1);
    expect(catalogue.apply({ seq: 2, at: one.clock.now(), entries: [entry], marks: [] })).toBe(true);
    expect(catalogue.seq).toBe(2);
  });

  it('[OW-8] reads a whole catalogue without holding up the process', async () => {
    const opened = open();
    const ids = Array.from({ length: 5000 }, (_, index) => `s${index}`);
    await Promise.all(ids.map((id) => opened.committer.submit(id, control(0, id, 0, 0) as Control, { actor: 'test' })));
    const fresh = new Catalogue({ store: opened.store, clock: opened.clock, rules: CORE_RULES });
    let turns = 0;
    const count = (): void => {
      turns += 1;
      if (fresh.seq === 0) setImmediate(count);
    };
    setImmediate(count);
    await fresh.refresh();
    expect(fresh.size).toBe(5000);
    expect(turns).toBeGreaterThanOrEqual(5);
    expect(fresh.wakesBy(epochMs(opened.clock.now() + 300_000))).toHaveLength(5000);
  });
});

describe('the heap of the indexes', () => {
  it('[OW-8] gives the least first and finds all within a bound, whatever was replaced and removed', () => {
    const steps = fc.array(fc.tuple(fc.nat(9), fc.option(fc.nat(50))), { maxLength: 80 });
    fc.assert(
      fc.property(steps, fc.nat(50), (changes, bound) => {
        const heap = new IndexedHeap<{ id: string; at: number }>((a, b) => a.at - b.at);
        const model = new Map<string, number>();
        for (const [member, at] of changes) {
          const id = String(member);
          if (at === null) {
            heap.delete(id);
            model.delete(id);
          } else {
            heap.set(id, { id, at });
            model.set(id, at);
          }
        }
        expect(heap.size).toBe(model.size);
        expect(heap.peek()?.at).toBe(model.size === 0 ? undefined : Math.min(...model.values()));
        const within = heap.within(({ at }) => at <= bound).map(({ id }) => id);
        const expected = [...model].filter(([, at]) => at <= bound).map(([id]) => id);
        expect(within.sort()).toEqual(expected.sort());
      }),
    );
  });
});
