/**
 * Store cases about documents: there once a commit that named them is resolved, and what was given, whatever they hold (S-9).
 */
import assert from 'node:assert/strict';
import { digestOf } from '../../../codec/digest.js';
import type { JsonObject } from '../../../core/model/declaration.js';
import { assertSame, type ContractCase, rejectsWith } from '../contract-case.js';
import { commitOn, SAMPLE_DOCUMENT, sampleSchedule, writes } from '../sample-catalogue.js';
import type { OpenStore, StoreCase } from './open-store.js';
import { AWKWARD_KEYS, AWKWARD_VALUES, largestDocument } from './whole-rows.js';

/** See the head of this file. @internal */
export function documentCases(make: StoreCase): readonly ContractCase[] {
  const { documentDigest } = sampleSchedule('a').definition;
  return [
    make('S-9', 'a document is what was given, whatever becomes of the object of its author', async ({ store }) => {
      const mine: { version: string; list: number[] } = { version: 'sample/1', list: [1, 2] };
      const digest = await give(store, mine as unknown as JsonObject);
      mine.list.push(3);
      assertSame(await store.document(digest), { version: 'sample/1', list: [1, 2] });
    }),
    make('S-9', 'it is what was given, whatever texts and numbers it holds', async (subject) => {
      await assertKept(subject, AWKWARD_VALUES);
    }),
    make('S-9', 'it is what was given, whatever its keys are and however deep they lie', async (subject) => {
      await assertKept(subject, AWKWARD_KEYS);
    }),
    make('S-9', 'it is what was given, however large it is', async (subject) => {
      await assertKept(subject, largestDocument());
    }),
    make('S-9', 'an equal document may come again', async ({ store }) => {
      await commitOn(store, [writes(sampleSchedule('a'))]);
      await commitOn(store, [writes(sampleSchedule('b'))]);
      assertSame(await store.document(documentDigest), SAMPLE_DOCUMENT);
    }),
    make('S-9', 'a document that nobody gave is not found', async ({ store }) => {
      await rejectsWith('SCHEDULE_NOT_FOUND', () => store.document(documentDigest), 'reading it');
    }),
  ];
}

/** Registers a schedule with a document; gives the digest of that. */
async function give(store: OpenStore['store'], document: JsonObject): Promise<string> {
  const digest = digestOf(document);
  const schedule = sampleSchedule('a');
  const definition = { ...schedule.definition, documentDigest: digest };
  await commitOn(store, [writes({ ...schedule, definition })], { documents: [{ digest, document }] });
  return digest;
}

/** Reads it where it was given and, where there is one, through another handle. */
async function assertKept({ store, another }: OpenStore, document: JsonObject): Promise<void> {
  const digest = await give(store, document);
  for (const reader of [store, (await another?.()) ?? store]) {
    const found = await reader.document(digest);
    assertSame(Object.keys(found).sort(), Object.keys(document).sort());
    for (const [key, value] of Object.entries(document)) assertSame(found[key], value, `it has another ${key}`);
    assert.equal(digestOf(found), digest, 'it has another digest');
  }
}
