/**
 * Catalogues of any size, written through the store port in large commits: rows that the package itself made once, with other
 * names and times.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { inProcess, memoryWorkspace, openSchedules } from '../../../dist/index.js';

const DOCUMENT = { version: 'bench/1' };
/** A commit is one record of the journal, of at most 1 MiB. */
const CHANGES = 1000;

/** The newest commit that was made here, by store. */
const newest = new WeakMap();

/** A provider whose handler is `run`, and the execution service over it. */
export function execution(run, needsWorkspace = false) {
  return inProcess({ needsWorkspace, providers: { bench: { kinds: { 'bench/1': { run } } } } });
}

/** A declaration for {@link execution}. */
export function declaration(id, trigger, more = {}) {
  return {
    id,
    objective: 'Measured',
    document: DOCUMENT,
    allowedProviders: ['bench'],
    maxOccurrences: 'unlimited',
    trigger,
    ...more,
  };
}

/** The rows of a schedule, and of an occurrence of a trigger that has ended, as the package makes them. */
async function sampleRows(trigger, more) {
  const workspace = memoryWorkspace();
  const schedules = await openSchedules({ workspace, execution: execution(() => {}) });
  await schedules.create(declaration('sample', trigger, more));
  const [{ entry }] = (await workspace.store.changes(0)).schedules;
  const digest = entry.schedule.definition.documentDigest;
  await schedules.create(declaration('ended', { kind: 'once', at: new Date(Date.now() + 20) }));
  await delay(30);
  await schedules.owner().tick();
  const { records } = await workspace.store.history({ scheduleId: 'ended', limit: 1 });
  if (records.length === 0) throw new Error('the sample occurrence has not ended');
  await schedules.close();
  return { schedule: entry.schedule, record: records[0], documents: [{ digest, document: DOCUMENT }] };
}

/**
 * Writes `count` schedules of one trigger, with `history` ended records each. Resolves with their ids.
 *
 * `dueAt` is given where the trigger is due; the trigger must have no due instant before it.
 */
export async function seed(store, { count, trigger, dueAt, history = 0, more = {} }) {
  const { schedule: sample, record, documents } = await sampleRows(trigger, more);
  const schedule = history > 0 ? { ...sample, collectedThrough: dueOf(record, history, 0) - 1 } : sample;
  const ids = Array.from({ length: count }, (_, index) => `s-${String(index).padStart(6, '0')}`);
  const rows = ids.map((id) => ({ kind: 'schedule', isDefinitionChanged: true, schedule: named(schedule, id, dueAt) }));
  await commitAll(store, rows, documents);
  if (history > 0) await addHistory(store, rows, { record, history });
  return ids;
}

function named(schedule, id, dueAt) {
  const { definition } = schedule;
  return {
    ...schedule,
    id,
    ...(dueAt === undefined ? {} : { nextDue: dueAt }),
    definition: { ...definition, declaration: { ...definition.declaration, id } },
  };
}

/** Due instants a minute apart, the last of them a minute before the sample. */
function dueOf(record, history, number) {
  return record.dueAt - (history - number) * 60_000;
}

/**
 * Skipped ones of the trigger, a minute apart: every other kind of end would have to be written as waiting and as running
 * first. All of a schedule come together, so that its history is written once.
 */
async function addHistory(store, rows, { record, history }) {
  const { id: _, plan, verification, result, firstClaimedAt, ...open } = record;
  const skipped = { ...open, status: 'skipped', reason: 'overlap', attempts: [] };
  const dues = Array.from({ length: history }, (_, number) => dueOf(record, history, number));
  const compacts = dues.map((dueAt) => new Date(dueAt).toISOString().replaceAll(/[-:.]/g, ''));
  const counted = { spent: history, skipsInRow: history, collectedThrough: dues.at(-1) };
  const changesOf = ({ schedule }) => {
    const { id } = schedule;
    const ended = dues.map((dueAt, number) => {
      const occurrence = { ...skipped, dueAt, id: `${id}~1~${compacts[number]}`, scheduleId: id, concurrencyKey: id };
      return { kind: 'occurrence', occurrence };
    });
    return [{ kind: 'schedule', isDefinitionChanged: false, schedule: { ...schedule, ...counted } }, ...ended];
  };
  const atATime = Math.max(1, Math.floor(CHANGES / (history + 1)));
  for (let from = 0; from < rows.length; from += atATime) {
    await commitAll(store, rows.slice(from, from + atATime).flatMap(changesOf), []);
  }
}

async function commitAll(store, changes, documents) {
  let { seq } = await store.changes(newest.get(store) ?? 0);
  for (let from = 0; from < changes.length; from += CHANGES) {
    const part = changes.slice(from, from + CHANGES);
    seq = await commit(store, seq, part, from === 0 ? documents : []);
  }
  newest.set(store, seq);
}

/** Writes the same rows again until the store has done behind it what it put off; `close` waits for the rest. */
export async function settle(store, rounds) {
  const { schedules } = await store.changes(0);
  const rows = schedules.map(({ entry }) => ({
    kind: 'schedule',
    isDefinitionChanged: false,
    schedule: entry.schedule,
  }));
  for (let round = 0; round < rounds; round += 1) await commitAll(store, rows, []);
}

/** Commits changes that look at nothing; resolves with the number of the commit. */
export async function commit(store, since, changes, documents = []) {
  const reads = { schedules: [], keys: [], row: false };
  const result = await store.commit({ since, reads, at: Date.now(), actor: 'bench', changes, documents });
  if (result.kind !== 'committed') throw new Error(`a commit of the benchmark was answered ${result.kind}`);
  return result.seq;
}
