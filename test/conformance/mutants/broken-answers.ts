/**
 * Stores whose answers are not what was given, or do not stay as they were: nearly all of them have met a database whose
 * types of JSON or text are not quite those of JavaScript (S-5 to S-9).
 */
import type { Json, JsonObject } from '../../../src/core/model/declaration.js';
import type { ScheduleStore } from '../../../src/ports/schedule-store.js';
import { broken, documenting, paging, reading, remembering } from './breaking-store.js';
import type { Mutant } from './mutant.js';

/** A value whose texts, keys included, went through a type of text; `keys: false` leaves the keys as they are. */
function texts<T extends Json>(value: T, change: (text: string) => string): T;
function texts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => texts(item, change));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [change(key), texts(member, change)]));
}

/** A value whose numbers went through a type of numbers. */
function numbers<T extends Json>(value: T, change: (found: number) => number): T {
  return JSON.parse(JSON.stringify(value), (_, member) => (typeof member === 'number' ? change(member) : member)) as T;
}

/** The keys at the top alone, as `JSON.stringify` with a list of keys writes them. */
function topKeys(document: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(document, Object.keys(document))) as JsonObject;
}

/** Members set one by one, as in `target[key] = value`. */
function setOneByOne(document: JsonObject): JsonObject {
  return Object.assign({}, document);
}

/** What it told of the catalogue is brought up to date in place. */
function refreshingChanges(good: ScheduleStore): Partial<ScheduleStore> {
  const told: object[] = [];
  return {
    changes: async (since, options) => {
      const found = structuredClone(await good.changes(since, options));
      told.push(found);
      return found;
    },
    commit: async (batch, options) => {
      const result = await good.commit(batch, options);
      const now = structuredClone(await good.changes(0));
      for (const found of told) Object.assign(found, now);
      return result;
    },
  };
}

/** New records come into the lists that it gave before. */
function refreshingHistory(good: ScheduleStore): Partial<ScheduleStore> {
  const told = new Map<object[], string>();
  return {
    history: async (query, options) => {
      const page = await good.history(query, options);
      const list = [...page.records];
      told.set(list, query.scheduleId);
      return { ...page, records: list };
    },
    commit: async (batch, options) => {
      const result = await good.commit(batch, options);
      for (const [list, scheduleId] of told) {
        const { records } = await good.history({ scheduleId, limit: 1000 });
        list.splice(0, list.length, ...records);
      }
      return result;
    },
  };
}

/** The mutants. */
export const BROKEN_ANSWERS: readonly Mutant[] = [
  broken('S-5', 'changes what it told of the catalogue', refreshingChanges),
  broken('S-5', 'changes the pages that it gave', refreshingHistory),
  broken(
    'S-7',
    'has no place for results',
    remembering(({ result: _, ...record }) => record),
  ),
  broken(
    'S-7',
    'keeps no stages',
    remembering((record) => ({ ...record, attempts: record.attempts.map((one) => ({ ...one, stages: [] })) })),
  ),
  broken(
    'S-7',
    'cuts U+0000 off the texts of faults',
    remembering((record) => ({
      ...record,
      attempts: record.attempts.map(({ fault, ...one }) =>
        fault === undefined ? one : { ...one, fault: { ...fault, message: fault.message.replaceAll('\u0000', '') } },
      ),
    })),
  ),
  broken(
    'S-7',
    'has a cursor behind the last record',
    paging((page) => (page.records.length > 0 ? { next: '1', ...page } : page)),
  ),
  broken(
    'S-8',
    'tells the newest mark alone',
    reading((found) => ({ ...found, marks: found.marks.slice(-1) })),
  ),
  broken('S-8', 'tells the marks of former readings again', (good) => ({
    changes: async (since, options) => {
      const found = await good.changes(since, options);
      return { ...found, marks: (await good.changes(0, options)).marks };
    },
  })),
  broken(
    'S-9',
    'cuts U+0000 out of documents',
    documenting((document) => texts(document, (text) => text.replaceAll('\u0000', ''))),
  ),
  broken(
    'S-9',
    'brings texts of documents into one normal form',
    documenting((document) => texts(document, (text) => text.normalize('NFC'))),
  ),
  broken(
    'S-9',
    'rounds numbers of documents',
    documenting((document) => numbers(document, (found) => Number(found.toPrecision(15)))),
  ),
  broken('S-9', 'keeps the keys of documents at the top alone', documenting(topKeys)),
  broken('S-9', 'loses the key __proto__', documenting(setOneByOne)),
  broken(
    'S-9',
    'sorts out keys that differ by their case',
    documenting((document) => {
      const folded = new Map(Object.keys(document).map((key) => [key.toLowerCase(), key]));
      return Object.fromEntries(Object.entries(document).filter(([key]) => folded.get(key.toLowerCase()) === key));
    }),
  ),
  broken('S-9', 'does not store more than 64 KB', (good) => ({
    commit: (batch, options) => {
      const documents = batch.documents.filter(({ document }) => JSON.stringify(document).length < 65_536);
      return good.commit({ ...batch, documents }, options);
    },
  })),
];
