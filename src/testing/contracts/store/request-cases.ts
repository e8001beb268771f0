/**
 * Store cases about kept request ids: who is told of them, and how long (S-14).
 */
import assert from 'node:assert/strict';
import type { ScheduleStore } from '../../../ports/schedule-store.js';
import { assertSame, type ContractCase } from '../contract-case.js';
import { commitOn, records, sampleMark, sampleOccurrence, sampleSchedule, writes } from '../sample-catalogue.js';
import { type StoreCase, toJudge } from './open-store.js';

/** More than a store may want to keep in one place. */
const MANY = 450;

/** See the head of this file. @internal */
export function requestCases(make: StoreCase): readonly ContractCase[] {
  return [
    make('S-14', 'a kept request id is told with its change, and in every full reading', async ({ store, another }) => {
      const other = (await another?.()) ?? store;
      const since = await commitOn(store, [writes(sampleSchedule('a')), writes(sampleSchedule('b'))]);
      await commitOn(store, [kept('One'), records(sampleOccurrence('a', 'unkept')), kept('two', 'skipped')]);
      for (const handle of [store, other]) {
        assertSame(await requestsOf(handle, 0), ['One', 'two']);
        assertSame(await requestsOf(handle, since), ['One', 'two']);
      }
    }),
    make('S-14', 'it stays when its occurrence has ended and much has happened since', async ({ store }) => {
      await commitOn(store, [writes(sampleSchedule('a'))]);
      await commitOn(store, [kept('first')]);
      const since = await commitOn(store, [kept('first', 'cancelled')]);
      const names = Array.from({ length: MANY }, (_, n) => `r${n}`);
      await commitOn(
        store,
        names.map((name) => kept(name, 'skipped')),
      );
      assertSame(await requestsOf(store, 0), ['first', ...names].sort());
      const found = await requestsOf(store, since);
      assert.ok(names.every((name) => found.includes(name)));
    }),
    make('S-14', 'a new revision has none, and neither has a new schedule of that id', async ({ store }) => {
      await commitOn(store, [writes(sampleSchedule('a')), kept('one', 'skipped')]);
      await commitOn(store, [writes(sampleSchedule('a', { version: 2 }), false)]);
      assertSame(await requestsOf(store, 0), ['one']);
      await commitOn(store, [writes(sampleSchedule('a', { revision: 2, version: 3 }))]);
      assertSame(await requestsOf(store, 0), []);
      await commitOn(store, [records(sampleOccurrence('a', 'one', 'skipped', { revision: 2, isRequestKept: true }))]);
      assertSame(await requestsOf(store, 0), ['one']);
      await commitOn(store, [{ kind: 'remove', mark: sampleMark('a', 2) }]);
      await commitOn(store, [writes(sampleSchedule('a', { revision: 3 }))]);
      assertSame(await requestsOf(store, 0), []);
    }),
    make(
      'S-14',
      'it survives the death of the process',
      async ({ store, reopen }) => {
        await commitOn(store, [writes(sampleSchedule('a')), kept('one'), kept('Two', 'skipped')]);
        assertSame(await requestsOf(await reopen(), 0), ['Two', 'one']);
      },
      toJudge('reopen', 'survivesProcessDeath'),
    ),
  ];
}

function kept(request: string, status: 'queued' | 'skipped' | 'cancelled' = 'queued') {
  return records(sampleOccurrence('a', request, status, { isRequestKept: true }));
}

async function requestsOf(store: ScheduleStore, since: number): Promise<readonly string[]> {
  const { schedules } = await store.changes(since);
  const found = schedules.find(({ entry }) => entry.schedule.id === 'a');
  return [...(found?.requests ?? [])].sort();
}
