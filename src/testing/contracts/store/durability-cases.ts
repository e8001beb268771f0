/**
 * Store cases about what survives: the death of the process, a power cut, a disk that does not write (S-1, S-2, S-5, S-12).
 */
import assert from 'node:assert/strict';
import type { ScheduleStore } from '../../../ports/schedule-store.js';
import { assertSame, type ContractCase, rejectsWith } from '../contract-case.js';
import { commitOn, sampleAt, sampleBatch, sampleSchedule, writes } from '../sample-catalogue.js';
import { commitSamples, pictureOf } from './catalogue-picture.js';
import { type StoreCase, toJudge } from './open-store.js';

/** See the head of this file. @internal */
export function durabilityCases(make: StoreCase): readonly ContractCase[] {
  return [
    make(
      'S-5',
      'everything that was committed survives the death of the process',
      async ({ store, reopen }) => {
        const pictures = await commitSamples(store);
        assertSame(await pictureOf(await reopen()), pictures.at(-1));
      },
      toJudge('reopen', 'survivesProcessDeath'),
    ),
    make(
      'S-5',
      'each commit survives a power cut that follows it at once',
      async ({ store, cutPower }) => {
        const pictures = await commitSamples(store);
        const after = await cutPower();
        assertSame(await pictureOf(after), pictures.at(-1));
        await commitOn(after, [writes(sampleSchedule('c'))]);
        assert.equal((await (await cutPower()).changes(0)).seq, pictures.length);
      },
      toJudge('cutPower', 'survivesPowerLoss'),
    ),
    make(
      'S-2',
      'the numbers go on after the death of the process',
      async ({ store, reopen }) => {
        const pictures = await commitSamples(store);
        const { seq } = await (await reopen()).changes(0);
        assert.equal(seq, pictures.length - 1);
        await goesOn(await reopen(), seq);
      },
      toJudge('reopen', 'survivesProcessDeath'),
    ),
    make(
      'S-1',
      'a power cut leaves whole commits, and all that came before them',
      async ({ store, cutPower }) => {
        const pictures = await commitSamples(store);
        const after = await cutPower();
        const { seq } = await after.changes(0);
        assertSame(await pictureOf(after), pictures[seq], `after commit ${seq} it looked otherwise`);
        await goesOn(after, seq);
      },
      { offer: 'cutPower' },
    ),
    make(
      'S-12',
      'a commit that cannot be written says so and leaves no trace; the store goes on when the trouble ends',
      async ({ store, another, spoilWrites }) => {
        const readers = [store, (await another?.()) ?? store];
        await commitOn(store, [writes(sampleSchedule('a'))]);
        const before = await pictureOf(store);
        const mend = await spoilWrites();
        const batch = sampleBatch(1, [writes(sampleSchedule('b')), writes(sampleSchedule('c'))], { at: sampleAt(9) });
        for (let i = 0; i < 2; i += 1) {
          await rejectsWith('SCHEDULE_STORE_UNAVAILABLE', () => store.commit(batch), 'a commit that cannot be written');
        }
        for (const reader of readers) assertSame(await pictureOf(reader), before, 'it left a trace');
        await mend();
        for (const reader of readers) assertSame(await pictureOf(reader), before, 'it left a trace');
        await goesOn(store, 1);
      },
      { offer: 'spoilWrites' },
    ),
  ];
}

async function goesOn(store: ScheduleStore, seq: number): Promise<void> {
  assert.equal(await commitOn(store, [writes(sampleSchedule('later'))]), seq + 1);
  assert.equal((await store.changes(0)).seq, seq + 1);
}
