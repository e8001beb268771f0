/**
 * Store cases about what is read: changes, history, removal (S-6 to S-8).
 */
import assert from 'node:assert/strict';
import type { Occurrence, Verdict } from '../../../core/model/occurrence.js';
import type { HistoryQuery, RowChange, ScheduleStore } from '../../../ports/schedule-store.js';
import { assertSame, type ContractCase } from '../contract-case.js';
import {
  commitOn,
  records,
  sampleAt,
  sampleMark,
  sampleOccurrence,
  sampleSchedule,
  writes,
} from '../sample-catalogue.js';
import type { StoreCase } from './open-store.js';
import { leadingTo, wholeEnded } from './whole-rows.js';

/** See the head of this file. @internal */
export function readingCases(make: StoreCase): readonly ContractCase[] {
  return [...changesCases(make), ...historyCases(make), ...removalCases(make)];
}

function changesCases(make: StoreCase): readonly ContractCase[] {
  return [
    make(
      'S-6',
      'changes after a commit are the schedules changed since, each once in its newest state',
      async ({ store }) => {
        await commitOn(
          store,
          ['a', 'b', 'c'].map((id) => writes(sampleSchedule(id))),
        );
        await commitOn(store, [writes(sampleSchedule('a', { version: 2 }), false)]);
        const third = await commitOn(store, [records(sampleOccurrence('b', 'one'))]);
        const fourth = await commitOn(store, [writes(sampleSchedule('a', { version: 3 }), false)]);
        const found = await store.changes(1);
        const states = found.schedules.map(({ entry, changeSeq }) => [
          entry.schedule.id,
          entry.schedule.version,
          changeSeq,
        ]);
        const expected = [
          ['a', 3, fourth],
          ['b', 1, third],
        ];
        // A store may answer with everything instead, and say so.
        assertSame(states.sort(), found.isFull ? [...expected, ['c', 1, 1]] : expected);
        assert.equal(found.seq, fourth);
      },
    ),
    make('S-6', 'everything is given at 0, and nothing after the newest commit', async ({ store }) => {
      const empty = await store.changes(0);
      assertSame([empty.schedules, empty.marks, empty.row.gate.isPaused], [[], [], false]);
      await commitOn(store, [writes(sampleSchedule('a')), records(sampleOccurrence('a', 'one'))]);
      const full = await store.changes(0);
      assert.equal(full.isFull, true);
      assertSame(full.schedules, [
        { entry: { schedule: sampleSchedule('a'), pending: [sampleOccurrence('a', 'one')] }, changeSeq: 1 },
      ]);
      const later = await store.changes(1);
      assertSame([later.schedules, later.marks], [[], []]);
    }),
    make('S-6', 'pending work stands in the order of admission, and leaves when it has ended', async ({ store }) => {
      const names = ['one', 'two', 'three'];
      await commitOn(store, [
        writes(sampleSchedule('a')),
        ...names.map((name) => records(sampleOccurrence('a', name))),
      ]);
      await commitOn(store, [records(sampleOccurrence('a', 'one', 'cancelled'))]);
      await commitOn(store, [records(sampleOccurrence('a', 'two', 'running', { claim: claim() }))]);
      const [entry] = (await store.changes(0)).schedules;
      assertSame(
        entry?.entry.pending.map(({ id, status }) => [id, status]),
        [
          ['a~1~m~two', 'running'],
          ['a~1~m~three', 'queued'],
        ],
      );
    }),
  ];
}

function historyCases(make: StoreCase): readonly ContractCase[] {
  return [
    make('S-7', 'records come newest first, by commit and place in it, whole and with verdicts', async ({ store }) => {
      const ended = (name: string) => sampleOccurrence('a', name, 'skipped');
      await commitOn(store, [writes(sampleSchedule('a')), records(ended('one')), records(ended('two'))]);
      await commitOn(store, [records(ended('three'))]);
      const verdict: Verdict = { verdict: 'done', note: 'seen', by: 'contract', at: sampleAt(7) };
      await commitOn(store, [{ kind: 'verdict', scheduleId: 'a', occurrence: 'a~1~m~one', verdict }]);
      const { records: found } = await store.history({ scheduleId: 'a', limit: 10 });
      assertSame(found, [ended('three'), ended('two'), { ...ended('one'), verdict }]);
    }),
    make('S-7', 'a record is read as it was written, whatever it carries', async ({ store }) => {
      const ended = wholeEnded('a');
      await commitOn(store, [writes(sampleSchedule('a')), ...ended.flatMap(leadingTo)]);
      const { records: found } = await store.history({ scheduleId: 'a', limit: 10 });
      assertSame(
        found.map(({ id }) => id),
        ended.map(({ id }) => id).reverse(),
      );
      for (const record of ended) {
        const same = found.find(({ id }) => id === record.id);
        assertSame(same, record, `${record.id} is read otherwise`);
      }
    }),
    make('S-7', 'the last page has no cursor, also where it is full', async ({ store }) => {
      const names = ['one', 'two', 'three', 'four'];
      await commitOn(store, [
        writes(sampleSchedule('a')),
        ...names.map((name) => records(sampleOccurrence('a', name, 'skipped'))),
      ]);
      const { next } = await store.history({ scheduleId: 'a', limit: 2 });
      assert.ok(next !== undefined, 'there are more records, and no cursor');
      const last: readonly HistoryQuery[] = [
        { scheduleId: 'a', limit: 2, before: next },
        { scheduleId: 'a', limit: 4 },
        { scheduleId: 'a', limit: 5 },
        { scheduleId: 'a', limit: 1, occurrence: 'a~1~m~two' },
        { scheduleId: 'a', limit: 4, revision: 1 },
        { scheduleId: 'nobody', limit: 1 },
      ];
      for (const query of last) {
        const page = await store.history(query);
        assert.equal(page.next, undefined, `nothing follows, and ${JSON.stringify(query)} has a cursor`);
      }
    }),
    make('S-7', 'pages follow one another without gaps or doubles, while records are added', async ({ store }) => {
      await commitOn(store, [writes(sampleSchedule('a'))]);
      for (let i = 0; i < 12; i += 1) await commitOn(store, [records(sampleOccurrence('a', `r${i}`, 'skipped'))]);
      const found = await pagesOf(store, { scheduleId: 'a', limit: 5 }, async (page) => {
        await commitOn(store, [records(sampleOccurrence('a', `new${page}`, 'skipped'))]);
      });
      assertSame(
        found.map(({ id }) => id),
        Array.from({ length: 12 }, (_, i) => `a~1~m~r${11 - i}`),
      );
    }),
    make('S-7', 'a query asks for one record, or for those of one revision', async ({ store }) => {
      const second = sampleOccurrence('a', 'two', 'skipped', { revision: 2 });
      await commitOn(store, [writes(sampleSchedule('a')), records(sampleOccurrence('a', 'one', 'skipped'))]);
      await commitOn(store, [writes(sampleSchedule('a', { revision: 2, version: 2 })), records(second)]);
      assertSame((await store.history({ scheduleId: 'a', limit: 9, revision: 2 })).records, [second]);
      assertSame((await store.history({ scheduleId: 'A', limit: 9, occurrence: second.id })).records, [second]);
      assertSame((await store.history({ scheduleId: 'a', limit: 9, occurrence: 'a~1~m~none' })).records, []);
      assertSame((await store.history({ scheduleId: 'nobody', limit: 9 })).records, []);
    }),
  ];
}

function removalCases(make: StoreCase): readonly ContractCase[] {
  return [
    make('S-8', 'a removed schedule is gone with its history, and its mark stays', async ({ store }) => {
      const since = await commitOn(store, [
        writes(sampleSchedule('a')),
        writes(sampleSchedule('b')),
        records(sampleOccurrence('a', 'one', 'skipped')),
      ]);
      await commitOn(store, [{ kind: 'remove', mark: sampleMark('a') }]);
      for (const found of [await store.changes(0), await store.changes(since)]) {
        assert.equal(
          found.schedules.some(({ entry }) => entry.schedule.id === 'a'),
          false,
        );
        assertSame(found.marks, [sampleMark('a')]);
      }
      assertSame((await store.history({ scheduleId: 'a', limit: 9 })).records, []);
    }),
    make('S-8', 'the mark of each is told, however many were removed, and in how many commits', async ({ store }) => {
      const ids = ['a', 'b', 'c', 'd'];
      const since = await commitOn(
        store,
        ids.map((id) => writes(sampleSchedule(id))),
      );
      const removal = (id: string): RowChange => ({ kind: 'remove', mark: sampleMark(id) });
      const first = await commitOn(store, [removal('a'), removal('b')]);
      await commitOn(store, [removal('d')]);
      await commitOn(store, [writes(sampleSchedule('c', { version: 2 }), false)]);
      const all = ['a', 'b', 'd'];
      for (const [from, newer] of [
        [0, all],
        [since, all],
        [first, ['d']],
      ] as const) {
        const { marks, isFull } = await store.changes(from);
        const found = [...marks].sort((a, b) => (a.id < b.id ? -1 : 1));
        assertSame(
          found,
          (isFull ? all : newer).map((id) => sampleMark(id)),
        );
      }
    }),
    make('S-8', 'a new schedule of that id takes the mark away, and starts without history', async ({ store }) => {
      await commitOn(store, [writes(sampleSchedule('a')), records(sampleOccurrence('a', 'one', 'skipped'))]);
      await commitOn(store, [{ kind: 'remove', mark: sampleMark('a') }]);
      await commitOn(store, [writes(sampleSchedule('a', { revision: 2, version: 5 }))]);
      const found = await store.changes(0);
      assertSame(found.marks, []);
      assertSame(
        found.schedules.map(({ entry }) => entry.schedule.revision),
        [2],
      );
      assertSame((await store.history({ scheduleId: 'a', limit: 9 })).records, []);
    }),
  ];
}

async function pagesOf(
  store: ScheduleStore,
  query: HistoryQuery,
  between: (page: number) => Promise<void>,
): Promise<readonly Occurrence[]> {
  const found: Occurrence[] = [];
  let before: string | undefined;
  for (let page = 1; page <= 100; page += 1) {
    const answer = await store.history(before === undefined ? query : { ...query, before });
    found.push(...answer.records);
    before = answer.next;
    if (before === undefined) return found;
    await between(page);
  }
  assert.fail('a history of twelve records has more than a hundred pages');
}

function claim(): NonNullable<Occurrence['claim']> {
  return { attempt: 1, epoch: 1, claimedAt: sampleAt(3), hasWorkspace: false };
}
