/** The commit loop: batches, conflicts, fencing, trouble of the store. */
import { describe, expect, it } from 'vitest';
import { memoryData } from '../../src/adapters/memory-data.js';
import { memoryStore } from '../../src/adapters/memory-store.js';
import type { Control } from '../../src/core/model/input.js';
import { runtimeZoneData } from '../../src/core/time/zones.js';
import { ScheduleError } from '../../src/errors.js';
import type { ScheduleEvent } from '../../src/ports/observer.js';
import type { CommitBatch, ScheduleStore } from '../../src/ports/schedule-store.js';
import { Catalogue } from '../../src/runtime/catalogue/catalogue.js';
import { Committer } from '../../src/runtime/commit/commit.js';
import { EventHub } from '../../src/runtime/events.js';
import { CORE_RULES, type Rules } from '../../src/runtime/rules.js';
import { manualClock } from '../../src/testing/manual-clock.js';
import { sampleDefinition } from './sample-definition.js';

const client = { actor: 'test' };

function create(id: string, fields = {}): Control {
  return { kind: 'create', definition: sampleDefinition(id, fields), isPaused: false, by: 'test' };
}

function trigger(requestId: string): Control {
  return { kind: 'trigger', expected: {}, requestId, isRequestKept: true, by: 'test' };
}

function pause(revision: number): Control {
  return { kind: 'pause', expected: { revision }, by: 'test' };
}

/** A committer over a store whose commits a test can watch and spoil. */
function bench(options: { data?: ReturnType<typeof memoryData>; rules?: Rules } = {}) {
  const clock = manualClock('2026-11-30T08:00:00Z');
  const inner = memoryStore(options.data);
  const batches: CommitBatch[] = [];
  const before: ((batch: CommitBatch) => Promise<void> | void)[] = [];
  const store: ScheduleStore = {
    capabilities: inner.capabilities,
    changes: (since, call) => inner.changes(since, call),
    history: (query, call) => inner.history(query, call),
    document: (digest, call) => inner.document(digest, call),
    watch: (onChange) => inner.watch(onChange),
    close: () => inner.close(),
    async commit(batch, call) {
      batches.push(batch);
      await before.shift()?.(batch);
      return inner.commit(batch, call);
    },
  };
  const events: ScheduleEvent[] = [];
  const warnings: string[] = [];
  const hub = new EventHub((message) => warnings.push(message));
  hub.listen((event) => events.push(event));
  const rules = options.rules ?? CORE_RULES;
  const catalogue = new Catalogue({ store, clock, rules });
  const committer = new Committer({
    store,
    catalogue,
    rules,
    clock,
    events: hub,
    zoneData: runtimeZoneData('test'),
    random: () => 0.5,
  });
  return { clock, store, batches, before, events, warnings, hub, catalogue, committer };
}

describe('the commit loop', () => {
  it('[ST-5] gathers what is submitted together into one commit and answers each', async () => {
    const { committer, batches, catalogue } = bench();
    const answers = await Promise.all(['a', 'b', 'c'].map((id) => committer.submit(id, create(id), client)));
    expect(answers.map(({ seq, decision }) => [seq, decision.kind])).toEqual([
      [1, 'accepted'],
      [1, 'accepted'],
      [1, 'accepted'],
    ]);
    expect(batches).toHaveLength(1);
    expect(batches[0]?.reads).toEqual({ schedules: ['a', 'b', 'c'], keys: [], row: false });
    expect(catalogue.seq).toBe(1);
    expect([...catalogue.entries()].map(({ schedule }) => schedule.id)).toEqual(['a', 'b', 'c']);
  });

  it('[ST-5] decides later submissions of a batch on top of earlier ones', async () => {
    const { committer, batches } = bench();
    const [made, first, second] = await Promise.all([
      committer.submit('a', create('a'), client),
      committer.submit('a', trigger('r1'), client),
      committer.submit('A', create('A'), client),
    ]);
    expect(batches).toHaveLength(1);
    expect(made.decision.kind).toBe('accepted');
    expect(first.entry?.pending.map(({ id }) => id)).toEqual(['a~1~m~r1']);
    expect(second.decision).toMatchObject({ kind: 'refused', refusal: { code: 'exists', id: 'a' } });
  });

  it('[OC-1] a request id that comes twice in one batch answers with what it made, also where that was skipped', async () => {
    const { committer, batches, catalogue } = bench();
    await committer.submit('a', create('a', { overlap: 'skip' }), client);
    const answers = await Promise.all(
      ['r1', 'R2', 'r2', 'R1'].map((request) => committer.submit('A', trigger(request), client)),
    );
    expect(batches).toHaveLength(2);
    expect(answers.map(({ decision }) => ('occurrence' in decision ? decision.occurrence : undefined))).toEqual([
      'a~1~m~r1',
      'a~1~m~R2',
      'a~1~m~R2',
      'a~1~m~r1',
    ]);
    expect(answers.map(({ decision }) => decision.kind)).toEqual(['accepted', 'accepted', 'unchanged', 'unchanged']);
    expect([catalogue.existing('A', 'r2'), catalogue.existing('a', 'R1')]).toEqual(['a~1~m~R2', 'a~1~m~r1']);
    expect((await committer.submit('a', trigger('r2'), client)).decision).toMatchObject({ occurrence: 'a~1~m~R2' });
  });

  it('[OC-1] a mirror learns of request ids from the store, and forgets them with their revision', async () => {
    const data = memoryData();
    const [one, two] = [bench({ data }), bench({ data })];
    await one.committer.submit('a', create('a'), client);
    await two.catalogue.refresh();
    await one.committer.submit('a', trigger('First'), client);
    await two.catalogue.refresh();
    expect(two.catalogue.existing('a', 'fIRST')).toBe('a~1~m~First');
    const update: Control = {
      kind: 'update',
      expected: {},
      definition: sampleDefinition('a', { graceSeconds: 1 }),
      isCosmetic: false,
      pending: 'withdraw',
      by: 'test',
    };
    const [, made] = await Promise.all([
      two.committer.submit('a', update, client),
      two.committer.submit('a', trigger('first'), client),
    ]);
    expect(made.decision).toMatchObject({ kind: 'accepted', occurrence: 'a~2~m~first' });
    await one.catalogue.refresh();
    for (const { catalogue } of [one, two]) expect(catalogue.existing('a', 'FIRST')).toBe('a~2~m~first');
    await data.dispose();
  });

  it('[ST-1] writes only what changed: the schedule row, and each occurrence that is not the one from before', async () => {
    const { committer, batches } = bench();
    await committer.submit('a', create('a', { overlap: 'queue' }), client);
    await committer.submit('a', trigger('r1'), client);
    await committer.submit('a', trigger('r2'), client);
    const rows = batches[2]?.changes.map((change) =>
      change.kind === 'occurrence'
        ? change.occurrence.id
        : [change.kind, 'isDefinitionChanged' in change && change.isDefinitionChanged],
    );
    expect(rows).toEqual([['schedule', false], 'a~1~m~r2']);
    expect(batches[0]?.changes).toMatchObject([{ kind: 'schedule', isDefinitionChanged: true }]);
    expect(batches[2]?.reads).toEqual({ schedules: ['a'], keys: ['a'], row: true });
  });

  it('[CT-2, ST-5] two processes that act on one revision: one succeeds, the other is refused with both numbers', async () => {
    const data = memoryData();
    const one = bench({ data });
    const two = bench({ data });
    await one.committer.submit('a', create('a'), client);
    const update = (objective: string): Control => ({
      kind: 'update',
      expected: { revision: 1 },
      definition: sampleDefinition('a', { objective, graceSeconds: 5 }),
      isCosmetic: false,
      by: 'test',
    });
    const answers = await Promise.all([
      one.committer.submit('a', update('one'), client),
      two.committer.submit('a', update('two'), client),
    ]);
    expect(answers.map(({ decision }) => decision.kind).sort()).toEqual(['accepted', 'refused']);
    const refused = answers.find(({ decision }) => decision.kind === 'refused');
    expect(refused?.decision).toMatchObject({ refusal: { code: 'revision', given: { revision: 1 }, revision: 2 } });
  });

  it('[ST-5] decides again after a conflict, on what the other process left', async () => {
    const data = memoryData();
    const one = bench({ data });
    const two = bench({ data });
    await one.committer.submit('a', create('a', { overlap: 'queue' }), client);
    one.before.push(async () => {
      await two.committer.submit('a', trigger('theirs'), client);
    });
    const answer = await one.committer.submit('a', trigger('ours'), client);
    expect(answer.entry?.pending.map(({ id }) => id)).toEqual(['a~1~m~theirs', 'a~1~m~ours']);
    expect(answer.entry?.schedule.version).toBe(3);
  });

  it('[ST-5] gives up with SCHEDULE_CONTENTION when others are always faster for ten seconds', async () => {
    const data = memoryData();
    const one = bench({ data });
    const two = bench({ data });
    await one.committer.submit('a', create('a', { overlap: 'queue' }), client);
    let round = 0;
    const interfere = async (): Promise<void> => {
      round += 1;
      one.before.push(interfere);
      await two.committer.submit('a', trigger(`r${round}`), client);
    };
    one.before.push(interfere);
    const lost = one.committer.submit('a', trigger('ours'), client);
    await expect(one.clock.runUntil(lost)).rejects.toMatchObject({ code: 'SCHEDULE_CONTENTION', retry: 'later' });
    expect(one.clock.monotonic()).toBeGreaterThanOrEqual(10_000);
  });

  it('[ST-5] an owner trusts its mirror, but refuses nothing on a state that is gone', async () => {
    const data = memoryData();
    const owner = bench({ data });
    const other = bench({ data });
    const epoch = await owner.committer.raiseEpoch();
    await other.committer.submit('a', create('a'), client);
    const answer = await owner.committer.submit('a', trigger('r1'), { actor: 'owner', epoch });
    expect(answer.decision.kind).toBe('accepted');
  });

  it('[OW-5] an owner of an older epoch commits nothing and hears SCHEDULE_LOCK_LOST, clients go on', async () => {
    const data = memoryData();
    const old = bench({ data });
    const young = bench({ data });
    expect(await old.committer.raiseEpoch()).toBe(1);
    await old.committer.submit('a', create('a'), { actor: 'owner', epoch: 1 });
    expect(await young.committer.raiseEpoch()).toBe(2);
    const lost = old.committer.submit('a', trigger('r1'), { actor: 'owner', epoch: 1 });
    await expect(lost).rejects.toMatchObject({ code: 'SCHEDULE_LOCK_LOST', details: { epoch: 1, newest: 2 } });
    const answer = await old.committer.submit('a', trigger('r2'), client);
    expect(answer.decision.kind).toBe('accepted');
  });

  it('[ST-4] a store in trouble fails the submissions of that commit, changes nothing, and the next one works', async () => {
    const { committer, before, events, catalogue } = bench();
    before.push(() => {
      throw new ScheduleError('SCHEDULE_STORE_UNAVAILABLE', 'the disk is full');
    });
    const failed = await Promise.allSettled([
      committer.submit('a', create('a'), client),
      committer.submit('b', create('b'), client),
    ]);
    for (const outcome of failed) expect(outcome).toMatchObject({ reason: { code: 'SCHEDULE_STORE_UNAVAILABLE' } });
    expect(catalogue.size).toBe(0);
    expect((await committer.submit('a', create('a'), client)).seq).toBe(1);
    expect(events.map((event) => ('change' in event ? `${event.type} ${event.change}` : event.type))).toEqual([
      'store trouble',
      'store recovered',
      'schedule created',
    ]);
  });

  it('[ST-4] a store that breaks its contract is named as what is broken, with the cause', async () => {
    const { committer, before } = bench();
    const cause = new TypeError('undefined is not a function');
    before.push(() => {
      throw cause;
    });
    const broken = committer.submit('a', create('a'), client);
    await expect(broken).rejects.toMatchObject({ code: 'SCHEDULE_ADAPTER_BROKEN', cause });
    expect((await committer.submit('a', create('a'), client)).decision.kind).toBe('accepted');
  });

  it('[CO-4] rules that fail for one schedule harm no other of the same batch', async () => {
    const rules: Rules = {
      ...CORE_RULES,
      decide(context, input, now) {
        if (input.kind === 'create' && input.definition.declaration.id === 'bad') throw new Error('broken');
        return CORE_RULES.decide(context, input, now);
      },
    };
    const { committer } = bench({ rules });
    const outcomes = await Promise.allSettled(['a', 'bad', 'b'].map((id) => committer.submit(id, create(id), client)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('[ST-1] cuts a batch at about 256 KiB', async () => {
    const { committer, batches } = bench();
    const big = { version: 'big/1', text: 'x'.repeat(200 * 1024) };
    const documents = [{ digest: `sha256:${'1'.repeat(64)}`, document: big }];
    const ids = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(ids.map((id) => committer.submit(id, create(id), { ...client, documents })));
    expect(batches.map(({ reads }) => reads.schedules)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('[OW-7] tells of what happened after it is durable, in order, and a throwing observer harms nobody', async () => {
    const { committer, hub, events, catalogue, warnings } = bench();
    const seen: number[] = [];
    hub.observe(() => {
      seen.push(catalogue.seq);
      throw new Error('a bad listener');
    });
    await Promise.all([committer.submit('a', create('a'), client), committer.submit('a', pause(1), client)]);
    expect(events.map((event) => ('change' in event ? event.change : event.type))).toEqual(['created', 'status']);
    expect(seen).toEqual([1, 1]);
    expect(warnings).toHaveLength(2);
  });

  it('[CT-9] changes the row of the catalogue once, also when two processes do it at the same time', async () => {
    const data = memoryData();
    const one = bench({ data });
    const two = bench({ data });
    const step = (by: string) => (row: { gate: { isPaused: boolean } }) =>
      row.gate.isPaused ? undefined : { gate: { isPaused: true, by } };
    const [first, second] = await Promise.all([
      one.committer.submitRow(step('one'), client),
      two.committer.submitRow(step('two'), client),
    ]);
    expect(first.gate.by).toBe(second.gate.by);
    expect([...one.events, ...two.events]).toMatchObject([{ type: 'gate', isPaused: true }]);
  });

  it('[ST-5] gives up a submission whose signal fired before its turn, and refuses after close', async () => {
    const { committer, batches } = bench();
    const gone = new AbortController();
    const lost = committer.submit('a', create('a'), { ...client, signal: gone.signal });
    gone.abort();
    await expect(lost).rejects.toMatchObject({ code: 'SCHEDULE_ABORTED', name: 'AbortError' });
    await committer.close();
    await expect(committer.submit('a', create('a'), client)).rejects.toMatchObject({ code: 'SCHEDULE_CLOSED' });
    expect(batches).toEqual([]);
  });
});
