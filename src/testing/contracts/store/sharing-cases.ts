/**
 * Store cases about handles: what others see, watching, closing (S-5, S-10, S-11).
 */
import assert from 'node:assert/strict';
import { isScheduleError } from '../../../errors.js';
import type { ScheduleStore } from '../../../ports/schedule-store.js';
import { assertSame, type ContractCase, holdsWithin, rejectsWith } from '../contract-case.js';
import {
  commitOn,
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
import { commitSamples, pictureOf } from './catalogue-picture.js';
import { type StoreCase, toJudge } from './open-store.js';

/** Longest real wait for a callback, in milliseconds. */
const WATCH_LIMIT_MS = 5000;

/** See the head of this file. @internal */
export function sharingCases(make: StoreCase): readonly ContractCase[] {
  const changes = [writes(sampleSchedule('a')), records(sampleOccurrence('a', 'one', 'skipped'))];
  return [
    make(
      'S-5',
      'a commit is read by every handle of the same data',
      async ({ store, another }) => {
        const other = await another();
        assert.equal((await other.changes(0)).seq, 0);
        await commitOn(store, changes);
        await assertSample(other);
        await commitOn(other, [writes(sampleSchedule('b'))]);
        const since = (await store.changes(1)).schedules.filter(({ changeSeq }) => changeSeq > 1);
        assert.equal(since.length, 1);
      },
      { ...toJudge('another', 'isSharedBetweenProcesses'), isOpenToAll: true },
    ),
    make('S-5', 'what was written stays as it was, whatever becomes of the object of its writer', async ({ store }) => {
      const schedule = sampleSchedule('a');
      const labels: Record<string, string> = { team: 'a' };
      const declaration = { ...schedule.definition.declaration, labels };
      const mine = { ...schedule, definition: { ...schedule.definition, declaration } };
      await commitOn(store, [writes(mine)]);
      const before = structuredClone(await pictureOf(store));
      labels['team'] = 'b';
      assertSame(await pictureOf(store), before);
    }),
    make('S-5', 'what was answered stays as it was, whatever is committed afterwards', async ({ store }) => {
      await commitSamples(store);
      const { documentDigest } = sampleSchedule('a').definition;
      const answers = [
        await store.changes(0),
        await store.changes(2),
        await store.history({ scheduleId: 'a', limit: 9 }),
        await store.document(documentDigest),
      ];
      const before = structuredClone(answers);
      const verdict = { verdict: 'notDone', note: 'looked again', by: 'contract', at: sampleAt(8) } as const;
      const claim = { attempt: 1, epoch: 1, claimedAt: sampleAt(3), hasWorkspace: false };
      await commitOn(store, [
        writes({ ...sampleThinned('a'), version: 2, status: 'paused' }, false),
        records(sampleOccurrence('a', 'One', 'running', { isRequestKept: true, claim })),
        records(sampleOccurrence('a', 'four', 'skipped')),
        { kind: 'verdict', scheduleId: 'a', occurrence: 'a~1~m~three', verdict },
        { kind: 'row', row: { gate: { isPaused: false }, calendars: SAMPLE_CALENDARS } },
      ]);
      await commitOn(store, [{ kind: 'remove', mark: sampleMark('b') }]);
      assertSame(answers, before);
    }),
    make('S-10', 'a watcher is told soon of a commit, and no more once it has stopped', async ({ store, another }) => {
      const watching = (await another?.()) ?? store;
      let told = 0;
      const stop = watching.watch(() => {
        told += 1;
      });
      await commitOn(store, changes);
      assert.ok(await holdsWithin(WATCH_LIMIT_MS, () => told > 0), 'the watcher was not told');
      stop();
      stop();
      const before = told;
      await commitOn(store, [writes(sampleSchedule('b'))]);
      // A second watcher shows when the news would have come.
      let isNews = false;
      const stopSecond = watching.watch(() => {
        isNews = true;
      });
      await commitOn(store, [writes(sampleSchedule('c'))]);
      await holdsWithin(WATCH_LIMIT_MS, () => isNews);
      stopSecond();
      assert.equal(told, before, 'a watcher that has stopped was told');
    }),
    make('S-11', 'closing twice is closing once, and nothing works afterwards', async ({ store }) => {
      await commitOn(store, changes);
      await store.close();
      await store.close();
      const calls: readonly [string, () => Promise<unknown>][] = [
        ['changes', () => store.changes(0)],
        ['commit', () => store.commit(sampleBatch(1, []))],
        ['history', () => store.history({ scheduleId: 'a', limit: 1 })],
        ['document', () => store.document(sampleSchedule('a').definition.documentDigest)],
      ];
      for (const [name, call] of calls) await rejectsWith('SCHEDULE_CLOSED', call, name);
      assert.throws(() => store.watch(() => {}), isClosed, 'watch must throw SCHEDULE_CLOSED');
    }),
  ];
}

async function assertSample(store: ScheduleStore): Promise<void> {
  const { schedules, seq } = await store.changes(0);
  assert.equal(seq, 1);
  assertSame(schedules, [{ entry: { schedule: sampleSchedule('a'), pending: [] }, changeSeq: 1 }]);
  const { records: ended } = await store.history({ scheduleId: 'a', limit: 9 });
  assertSame(ended, [sampleOccurrence('a', 'one', 'skipped')]);
  assertSame(await store.document(sampleSchedule('a').definition.documentDigest), SAMPLE_DOCUMENT);
}

function isClosed(error: unknown): boolean {
  return isScheduleError(error, 'SCHEDULE_CLOSED');
}
