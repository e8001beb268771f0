/**
 * Everything that a reader can see of a catalogue, in a form that two readers can compare, and a catalogue with something of
 * every kind in it.
 */
import type { Occurrence, Verdict } from '../../../core/model/occurrence.js';
import type { ScheduleStore, StoredEntry } from '../../../ports/schedule-store.js';
import {
  commitOn,
  records,
  SAMPLE_CALENDARS,
  sampleAt,
  sampleMark,
  sampleOccurrence,
  sampleSchedule,
  sampleThinned,
  writes,
} from '../sample-catalogue.js';
import { wholeChanges, wholeRow } from './whole-rows.js';

/** What a reader sees, in an order of its own. @internal */
export interface CataloguePicture {
  readonly seq: number;
  readonly epoch: number;
  readonly lastSeenAt: number;
  readonly row: unknown;
  readonly schedules: readonly StoredEntry[];
  readonly marks: readonly unknown[];
  readonly history: readonly (readonly Occurrence[])[];
  readonly documents: readonly unknown[];
}

/** Reads everything. @internal */
export async function pictureOf(store: ScheduleStore): Promise<CataloguePicture> {
  const { seq, epoch, lastSeenAt, row, schedules: found, marks } = await store.changes(0);
  const schedules = [...found].sort((a, b) => (a.entry.schedule.id < b.entry.schedule.id ? -1 : 1));
  const history: (readonly Occurrence[])[] = [];
  const documents: unknown[] = [];
  for (const { entry } of schedules) {
    history.push((await store.history({ scheduleId: entry.schedule.id, limit: 1000 })).records);
    documents.push(await store.document(entry.schedule.definition.documentDigest));
  }
  // Request ids are told in any order.
  const sorted = schedules.map(({ requests, ...stored }) =>
    requests === undefined ? stored : { ...stored, requests: [...requests].sort() },
  );
  return { seq, epoch, lastSeenAt, row, schedules: sorted, marks, history, documents };
}

/** A commit as a test makes it. @internal */
export type SampleCommit = readonly [
  changes: Parameters<typeof commitOn>[1],
  more?: NonNullable<Parameters<typeof commitOn>[2]>,
];

/** Commits with every kind of change, each on top of the one before. @internal */
export function sampleHistory(): readonly SampleCommit[] {
  const verdict: Verdict = { verdict: 'done', note: 'seen', by: 'contract', at: sampleAt(7) };
  const kept = { isRequestKept: true } as const;
  return [
    [[], { epoch: 0, raisesEpoch: true }],
    [
      [
        writes(sampleThinned('a')),
        writes(sampleSchedule('gone')),
        records(sampleOccurrence('a', 'One', 'queued', kept)),
      ],
    ],
    [[records(sampleOccurrence('a', 'two', 'skipped')), records(sampleOccurrence('a', 'three', 'skipped', kept))]],
    [[{ kind: 'row', row: { gate: { isPaused: true, by: 'contract' }, calendars: SAMPLE_CALENDARS } }], { epoch: 1 }],
    [[{ kind: 'row', row: wholeRow() }, ...wholeChanges('whole')]],
    [[{ kind: 'remove', mark: sampleMark('gone') }], { at: sampleAt(99) }],
    [[{ kind: 'verdict', scheduleId: 'a', occurrence: 'a~1~m~two', verdict }, writes(sampleSchedule('b'))]],
  ];
}

/** Makes every commit of {@link sampleHistory}; gives what a reader sees before the first and after each. @internal */
export async function commitSamples(store: ScheduleStore): Promise<readonly CataloguePicture[]> {
  const pictures = [await pictureOf(store)];
  for (const [changes, more] of sampleHistory()) {
    await commitOn(store, changes, more);
    pictures.push(await pictureOf(store));
  }
  return pictures;
}
