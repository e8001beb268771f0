/**
 * Store cases about commits: atomic, numbered, guarded, fenced (S-1 to S-4, S-12, S-13).
 */
import assert from 'node:assert/strict';
import { isScheduleError } from '../../../errors.js';
import type { CommitResult, RowChange, ScheduleStore } from '../../../ports/schedule-store.js';
import { assertSame, type ContractCase, rejectsWith } from '../contract-case.js';
import {
  commitOn,
  reads,
  records,
  SAMPLE_CALENDARS,
  SAMPLE_DOCUMENT,
  sampleAt,
  sampleBatch,
  sampleMark,
  sampleOccurrence,
  sampleSchedule,
  sampleThinned,
  writes,
} from '../sample-catalogue.js';
import type { StoreCase } from './open-store.js';
import { leadingTo, wholePending, wholeRow, wholeSchedule } from './whole-rows.js';

/** Holds the key `press`. */
const HOLDS_PRESS = {
  reason: 'unresponsive',
  since: sampleAt(3),
  epoch: 1,
  detail: 'it does not end',
  occurrence: 'a~1~m~zero',
  concurrencyKey: 'press',
} as const;

/** See the head of this file. @internal */
export function commitCases(make: StoreCase): readonly ContractCase[] {
  return [
    make('S-1', 'a schedule is read as it was written, whatever it declares', async ({ store }) => {
      const schedule = sampleThinned('a');
      await commitOn(store, [writes(schedule)]);
      const [found] = (await store.changes(0)).schedules;
      assertSame(found?.entry.schedule, schedule);
    }),
    make('S-1', 'every member of a row is read as it was written', async ({ store }) => {
      const pending = wholePending('a');
      const row = wholeRow();
      await commitOn(store, [writes(wholeSchedule('a')), ...pending.flatMap(leadingTo), { kind: 'row', row }]);
      const found = await store.changes(0);
      const [stored] = found.schedules;
      assertSame(stored?.entry.schedule, wholeSchedule('a'));
      assertSame(stored?.entry.pending, pending);
      assertSame(found.row, row);
    }),
    make('S-1', 'a commit takes effect whole', async ({ store }) => {
      const row = { gate: { isPaused: true, by: 'contract', at: sampleAt(1) }, calendars: SAMPLE_CALENDARS };
      await commitOn(store, [
        writes(sampleSchedule('a')),
        records(sampleOccurrence('a', 'one')),
        records(sampleOccurrence('a', 'two', 'skipped')),
        writes(sampleSchedule('b')),
        { kind: 'row', row },
      ]);
      const found = await store.changes(0);
      assertSame(found.row, row);
      const entries = found.schedules.map(({ entry }) => [entry.schedule.id, entry.pending.map(({ id }) => id)]);
      assertSame(entries.sort(), [
        ['a', ['a~1~m~one']],
        ['b', []],
      ]);
      const ended = await store.history({ scheduleId: 'a', limit: 10 });
      assertSame(ended.records, [sampleOccurrence('a', 'two', 'skipped')]);
    }),
    make('S-1', 'no reader sees half of a commit', async ({ store, another }) => {
      const reader = (await another?.()) ?? store;
      await commitOn(store, [writes(sampleSchedule('a')), writes(sampleSchedule('b'))]);
      const seen: (readonly number[])[] = [];
      const look = async () => {
        for (let i = 0; i < 20; i += 1) seen.push(await versionsOf(reader));
      };
      const write = async () => {
        for (let version = 2; version <= 10; version += 1) {
          const changes = ['a', 'b'].map((id) => writes(sampleSchedule(id, { version }), false));
          await commitOn(store, changes);
        }
      };
      await Promise.all([look(), write()]);
      for (const versions of seen) assert.equal(new Set(versions).size, 1, `versions ${versions} of one commit`);
    }),
    make('S-2', 'numbers start at 1, rise by one and are not spent by a refusal', async ({ store }) => {
      assert.equal((await store.changes(0)).seq, 0);
      assert.equal(seqOf(await store.commit(sampleBatch(0, [writes(sampleSchedule('a'))]))), 1);
      const late = await store.commit(sampleBatch(0, [writes(sampleSchedule('a', { version: 2 }))], reads(['a'])));
      assert.equal(late.kind, 'conflict');
      assert.equal(seqOf(await store.commit(sampleBatch(1, [writes(sampleSchedule('b'))], reads(['b'])))), 2);
      assert.equal((await store.changes(0)).seq, 2);
    }),
    make('S-2', 'every commit has a number, that of a new owner and an empty one too', async ({ store }) => {
      const raise = (since: number, epoch: number, changes: readonly RowChange[] = []) =>
        store.commit(sampleBatch(since, changes, { epoch, raisesEpoch: true }));
      assert.equal(seqOf(await raise(0, 0)), 1);
      assert.equal(seqOf(await store.commit(sampleBatch(1, []))), 2);
      assert.equal(seqOf(await raise(2, 1, [writes(sampleSchedule('a'))])), 3);
      const found = await store.changes(0);
      assertSame([found.seq, found.schedules.map(({ changeSeq }) => changeSeq)], [3, [3]]);
      assert.equal(seqOf(await store.commit(sampleBatch(3, [], { epoch: 2 }))), 4);
    }),
    ...conflictCases(make),
    ...fencingCases(make),
    make(
      'S-12',
      'a commit that breaks the relations of the catalogue rejects and leaves no trace',
      async ({ store }) => {
        await commitOn(store, [writes(sampleSchedule('a'))]);
        const bad = [writes(sampleSchedule('b')), records(sampleOccurrence('nobody', 'one'))];
        await assert.rejects(store.commit(sampleBatch(1, bad)), (error) => isScheduleError(error));
        assertSame(await idsOf(store), ['a']);
        assert.equal(await commitOn(store, [writes(sampleSchedule('c'))]), 2);
      },
    ),
    make('S-12', 'a commit whose signal has fired rejects and leaves no trace', async ({ store }) => {
      const signal = AbortSignal.abort();
      const batch = sampleBatch(0, [writes(sampleSchedule('a'))]);
      await rejectsWith('SCHEDULE_ABORTED', () => store.commit(batch, { signal }), 'an aborted commit');
      assert.equal((await store.changes(0)).seq, 0);
    }),
    make('S-13', 'lastSeenAt is the highest time of any commit', async ({ store }) => {
      await commitOn(store, [writes(sampleSchedule('a'))], { at: sampleAt(100) });
      await commitOn(store, [writes(sampleSchedule('b'))], { at: sampleAt(50) });
      assert.equal((await store.changes(0)).lastSeenAt, sampleAt(100));
      await commitOn(store, [writes(sampleSchedule('c'))], { at: sampleAt(101) });
      assert.equal((await store.changes(0)).lastSeenAt, sampleAt(101));
    }),
  ];
}

function conflictCases(make: StoreCase): readonly ContractCase[] {
  const second = writes(sampleSchedule('a', { version: 2 }), false);
  const queued = records(sampleOccurrence('a', 'one', 'queued', { concurrencyKey: 'shared' }));
  const row = { kind: 'row', row: { gate: { isPaused: true } } } as const;
  return [
    make('S-3', 'a schedule that changed after `since` refuses, in any case of letters', async ({ store }) => {
      await commitOn(store, [writes(sampleSchedule('Upper'))]);
      const late = await store.commit(sampleBatch(0, [writes(sampleSchedule('b'))], reads(['UPPER'])));
      assertSame(late, { kind: 'conflict', seq: 1 });
      assertSame(await idsOf(store), ['Upper'], 'a refused commit changes nothing');
    }),
    make('S-3', 'an absent schedule that was looked at counts', async ({ store }) => {
      const first = sampleBatch(0, [writes(sampleSchedule('a'))], reads(['a']));
      assert.equal((await store.commit(first)).kind, 'committed');
      assert.equal((await store.commit(first)).kind, 'conflict');
    }),
    make('S-3', 'a schedule that was removed counts as changed', async ({ store }) => {
      const since = await commitOn(store, [writes(sampleSchedule('a'))]);
      await commitOn(store, [{ kind: 'remove', mark: sampleMark('a') }]);
      const late = await store.commit(sampleBatch(since, [writes(sampleSchedule('b'))], reads(['a'])));
      assert.equal(late.kind, 'conflict');
      assertSame(await idsOf(store), []);
    }),
    make('S-3', 'an occurrence that changed makes its schedule and its key changed', async ({ store }) => {
      const since = await commitOn(store, [writes(sampleSchedule('a')), writes(sampleSchedule('b'))]);
      await commitOn(store, [queued]);
      const change = [writes(sampleSchedule('b', { version: 2 }), false)];
      assert.equal((await store.commit(sampleBatch(since, change, reads(['a'])))).kind, 'conflict');
      assert.equal((await store.commit(sampleBatch(since, change, reads([], ['shared'])))).kind, 'conflict');
      assert.equal((await store.commit(sampleBatch(since, change, reads(['b'], ['b'])))).kind, 'committed');
    }),
    make('S-3', 'a pause or a quarantine makes the keys changed that it holds or frees', async ({ store }) => {
      const since = await commitOn(store, [writes(sampleSchedule('a')), writes(sampleSchedule('b')), queued]);
      const paused = await commitOn(store, [writes(sampleSchedule('a', { version: 2, status: 'paused' }), false)]);
      const change = [writes(sampleSchedule('b', { version: 2 }), false)];
      assert.equal((await store.commit(sampleBatch(since, change, reads([], ['shared'])))).kind, 'conflict');
      await commitOn(store, [writes(sampleSchedule('a', { version: 3, quarantine: HOLDS_PRESS }), false)]);
      assert.equal((await store.commit(sampleBatch(paused, change, reads([], ['press'])))).kind, 'conflict');
      assert.equal((await store.commit(sampleBatch(paused, change, reads([], ['b'])))).kind, 'committed');
    }),
    make('S-3', 'a quarantine that is lifted makes the keys changed that it held', async ({ store }) => {
      await commitOn(store, [
        writes(sampleSchedule('a', { quarantine: HOLDS_PRESS })),
        writes(sampleSchedule('b')),
        queued,
      ]);
      const lifted = sampleSchedule('a', { version: 2 });
      const since = (await store.changes(0)).seq;
      await commitOn(store, [writes(lifted, false)]);
      const change = [writes(sampleSchedule('b', { version: 2 }), false)];
      assert.equal((await store.commit(sampleBatch(since, change, reads([], ['press'])))).kind, 'conflict');
      assert.equal((await store.commit(sampleBatch(since, change, reads([], ['shared'])))).kind, 'conflict');
      assert.equal((await store.commit(sampleBatch(since, change, reads([], ['b'])))).kind, 'committed');
    }),
    make('S-3', "the catalogue's row counts where it was looked at", async ({ store }) => {
      const since = await commitOn(store, [writes(sampleSchedule('a'))]);
      await commitOn(store, [row]);
      assert.equal((await store.commit(sampleBatch(since, [second], reads(['a'], [], true)))).kind, 'conflict');
      assert.equal((await store.commit(sampleBatch(since, [second], reads(['a'])))).kind, 'committed');
    }),
    make('S-3', 'of many writers that looked at the same, one commits', async ({ store, another }) => {
      const others = [store, (await another?.()) ?? store, (await another?.()) ?? store];
      const since = await commitOn(store, [writes(sampleSchedule('a'))]);
      const batch = sampleBatch(since, [second], reads(['a']));
      const results = await Promise.all([...others, ...others].map((handle) => handle.commit(batch)));
      assert.equal(results.filter(({ kind }) => kind === 'committed').length, 1);
      assert.equal((await store.changes(0)).seq, since + 1);
    }),
  ];
}

function fencingCases(make: StoreCase): readonly ContractCase[] {
  const owned = { epoch: 1 };
  return [
    make('S-4', 'a new owner raises the epoch by one, and only from the one that it knows', async ({ store }) => {
      const raise = (since: number, epoch: number) =>
        store.commit(sampleBatch(since, [], { epoch, raisesEpoch: true }));
      assert.equal((await store.changes(0)).epoch, 0);
      assert.equal((await raise(0, 0)).kind, 'committed');
      assert.equal((await store.changes(0)).epoch, 1);
      assertSame(await raise(1, 0), { kind: 'fenced', epoch: 1 });
      assert.equal((await raise(1, 1)).kind, 'committed');
      assert.equal((await store.changes(0)).epoch, 2);
    }),
    make('S-4', 'a new owner that does not name the former epoch is refused', async ({ store }) => {
      const nameless = (since: number) =>
        store.commit(sampleBatch(since, [writes(sampleSchedule('a'))], { raisesEpoch: true }));
      assertSame(await nameless(0), { kind: 'fenced', epoch: 0 });
      await commitOn(store, [], { epoch: 0, raisesEpoch: true });
      assertSame(await nameless(1), { kind: 'fenced', epoch: 1 });
      const { seq, epoch, schedules } = await store.changes(0);
      assertSame([seq, epoch, schedules], [1, 1, []]);
    }),
    make('S-4', 'an owner of an older epoch can commit nothing', async ({ store }) => {
      await commitOn(store, [writes(sampleSchedule('a'))], { epoch: 0, raisesEpoch: true });
      await commitOn(store, [], { epoch: 1, raisesEpoch: true });
      const late = await store.commit(sampleBatch(2, [writes(sampleSchedule('b'))], owned));
      assertSame(late, { kind: 'fenced', epoch: 2 });
      assertSame(await idsOf(store), ['a']);
    }),
    make('S-4', 'a client commits without an epoch, whoever owns', async ({ store }) => {
      await commitOn(store, [], { epoch: 0, raisesEpoch: true });
      const { epoch: _, ...client } = sampleBatch(1, [writes(sampleSchedule('a'))]);
      assert.equal((await store.commit(client)).kind, 'committed');
      assert.equal((await store.commit(sampleBatch(2, [writes(sampleSchedule('b'))], owned))).kind, 'committed');
      assertSame(await store.document(sampleSchedule('a').definition.documentDigest), SAMPLE_DOCUMENT);
    }),
  ];
}

async function versionsOf(store: ScheduleStore): Promise<readonly number[]> {
  return (await store.changes(0)).schedules.map(({ entry }) => entry.schedule.version);
}

async function idsOf(store: ScheduleStore): Promise<readonly string[]> {
  return (await store.changes(0)).schedules.map(({ entry }) => entry.schedule.id).sort();
}

function seqOf(result: CommitResult): number {
  assert.equal(result.kind, 'committed');
  return result.kind === 'committed' ? result.seq : -1;
}
