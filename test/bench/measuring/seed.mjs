/**
 * Catalogues of any size, written through the store port in large commits: rows that the package itself made once, with other
 * names and times.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { inProcess, memoryWorkspace, openSchedules } from '../../../dist/index.js';

const DOCUMENT = { version: 'bench/1' };
/** A commit is one record of the journal, of at most 1 MiB. */
const CHANGES = 500;

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
  const { schedule, record, documents } = await sampleRows(trigger, more);
  const ids = Array.from({ length: count }, (_, index) => `s-${String(index).padStart(6, '0')}`);
  const rows = ids.map((id) => ({ kind: 'schedule', isDefinitionChanged: true, schedule: named(schedule, id, dueAt) }));
  await commitAll(store, rows, documents);
  for (let number = 0; number < history; number += 1) await addHistory(store, ids, { record, number });
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

/** Skipped ones of the trigger: every other kind of end would have to be written as waiting and as running first. */
async function addHistory(store, ids, { record, number }) {
  const { id: _, plan, verification, result, firstClaimedAt, ...open } = record;
  const dueAt = record.dueAt - number * 60_000;
  const compact = new Date(dueAt).toISOString().replaceAll(/[-:.]/g, '');
  const skipped = { ...open, dueAt, status: 'skipped', reason: 'overlap', attempts: [] };
  const changes = ids.map((id) => {
    const occurrence = { ...skipped, id: `${id}~1~${compact}`, scheduleId: id, concurrencyKey: id };
    return { kind: 'occurrence', occurrence };
  });
  await commitAll(store, changes, []);
}

async function commitAll(store, changes, documents) {
  let { seq } = await store.changes(0);
  for (let from = 0; from < changes.length; from += CHANGES) {
    const part = changes.slice(from, from + CHANGES);
    seq = await commit(store, seq, part, from === 0 ? documents : []);
  }
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
