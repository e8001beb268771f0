/**
 * Rows and commits for the contract of stores: small, valid, and written as the core would write them.
 */
import assert from 'node:assert/strict';
import { digestOf } from '../../codec/digest.js';
import type { CatalogueRow, DeletedMark } from '../../core/model/catalogue.js';
import type { Declaration, JsonObject } from '../../core/model/declaration.js';
import { DEFAULT_POLICIES, LIMITS } from '../../core/model/limits.js';
import { manualOccurrenceId, type Occurrence, type OccurrenceStatus } from '../../core/model/occurrence.js';
import type { Definition, Schedule } from '../../core/model/schedule.js';
import { type EpochMs, epochMs } from '../../core/time/instant.js';
import type { CommitBatch, RowChange, ScheduleStore } from '../../ports/schedule-store.js';

/** The time of the first sample: 2026-01-05T08:00:00Z. @internal */
export const SAMPLE_START = 1_767_600_000_000;

/** The document of every sample. @internal */
export const SAMPLE_DOCUMENT: JsonObject = {
  version: 'sample/1',
  text: 'größer ≠ kleiner',
  list: [1, 0.1, null, true, {}],
};

/** Calendars whose names a careless reader would trip over. @internal */
export const SAMPLE_CALENDARS: NonNullable<CatalogueRow['calendars']> = Object.fromEntries(
  ['Feiertage 2026', 'result', 'nextDue'].map((name) => {
    const dates = ['2026-12-24/2026-12-26', '2027-01-01'];
    return [name, { dates, digest: digestOf({ dates }) }];
  }),
);

/** An instant some seconds after the start. @internal */
export function sampleAt(seconds: number): EpochMs {
  return epochMs(SAMPLE_START + seconds * 1000);
}

function sampleDeclaration(id: string): Declaration {
  return {
    id,
    objective: `Sample ${id}`,
    allowedProviders: ['sample'],
    trigger: { kind: 'manual' },
    ...DEFAULT_POLICIES,
    graceSeconds: LIMITS.graceSeconds.default,
    maxCatchUp: LIMITS.maxCatchUp.default,
    maxOccurrences: LIMITS.maxOccurrences.default,
    maxRetries: LIMITS.maxRetries.default,
    budget: {
      maxAttempts: LIMITS.maxAttempts.default,
      maxRepeatedFailures: LIMITS.maxRepeatedFailures.default,
      maxElapsedSeconds: LIMITS.maxElapsedSeconds.default,
      timeoutPerStageSeconds: LIMITS.timeoutPerStageSeconds.default,
    },
    labels: {},
  };
}

function sampleDefinition(id: string): Definition {
  return {
    declaration: sampleDeclaration(id),
    documentDigest: digestOf(SAMPLE_DOCUMENT),
    documentKind: 'sample/1',
    caller: 'contract',
    registeredAt: sampleAt(0),
  };
}

/** A schedule; what is given stands in place of the sample's fields. @internal */
export function sampleSchedule(id: string, fields: Partial<Schedule> = {}): Schedule {
  return {
    id,
    revision: 1,
    version: 1,
    definition: sampleDefinition(id),
    createdAt: sampleAt(0),
    status: 'active',
    collectedThrough: sampleAt(0),
    spent: 0,
    held: [],
    lastClaim: 0,
    failuresInRow: 0,
    skipsInRow: 0,
    unresolved: [],
    ...fields,
  };
}

/** A schedule that is due by several triggers, leaves days out and is spread. @internal */
export function sampleThinned(id: string): Schedule {
  const declaration: Declaration = {
    ...sampleDeclaration(id),
    trigger: { kind: 'anyOf', of: [{ kind: 'once', at: '2026-11-30T08:00:00.000Z' }] },
    exclude: { dates: ['2026-12-24/2026-12-26'], weekdays: [5, 6], calendar: 'result', timezone: 'Europe/Berlin' },
    spreadSeconds: 600,
  };
  const definition = { ...sampleDefinition(id), declaration };
  return sampleSchedule(id, { definition, zoneData: '2026a', calendarDigest: digestOf(SAMPLE_DOCUMENT) });
}

/** A manual occurrence of a sample; an ended one where the status says so. @internal */
export function sampleOccurrence(
  scheduleId: string,
  request: string,
  status: OccurrenceStatus = 'queued',
  fields: Partial<Occurrence> = {},
): Occurrence {
  const revision = fields.revision ?? 1;
  const endedAt =
    status === 'skipped' || status === 'cancelled' ? { endedAt: sampleAt(9), reason: 'stopped' as const } : {};
  return {
    id: manualOccurrenceId(scheduleId, revision, request),
    scheduleId,
    revision,
    origin: 'manual',
    dueAt: sampleAt(1),
    admittedAt: sampleAt(1),
    concurrencyKey: scheduleId,
    status,
    attempts: [],
    ...endedAt,
    ...fields,
  };
}

/** The mark of a sample that is deleted at its revision 1. @internal */
export function sampleMark(id: string, revision = 1): DeletedMark {
  return { id, revision, collectedThrough: sampleAt(0), deletedAt: sampleAt(5) };
}

/** A row change that writes a schedule with its definition. @internal */
export function writes(schedule: Schedule, isDefinitionChanged = true): RowChange {
  return { kind: 'schedule', schedule, isDefinitionChanged };
}

/** A row change that writes an occurrence. @internal */
export function records(occurrence: Occurrence): RowChange {
  return { kind: 'occurrence', occurrence };
}

/** A commit of these changes; it has looked at nothing but what is given. @internal */
export function sampleBatch(
  since: number,
  changes: readonly RowChange[],
  more: Partial<CommitBatch> = {},
): CommitBatch {
  return {
    since,
    reads: { schedules: [], keys: [], row: false },
    at: sampleAt(since),
    actor: 'contract',
    changes,
    documents: changes.some(({ kind }) => kind === 'schedule')
      ? [{ digest: digestOf(SAMPLE_DOCUMENT), document: SAMPLE_DOCUMENT }]
      : [],
    ...more,
  };
}

/** What a commit has looked at, ids and keys given together. @internal */
export function reads(
  schedules: readonly string[],
  keys: readonly string[] = [],
  row = false,
): Pick<CommitBatch, 'reads'> {
  return { reads: { schedules: schedules.map((id) => id.toLowerCase()), keys, row } };
}

/** Commits changes on top of whatever is there, and gives the number of the commit. @internal */
export async function commitOn(
  store: ScheduleStore,
  changes: readonly RowChange[],
  more: Partial<CommitBatch> = {},
): Promise<number> {
  const { seq } = await store.changes(0);
  const result = await store.commit(sampleBatch(seq, changes, more));
  return result.kind === 'committed'
    ? result.seq
    : assert.fail(`a commit on the newest state was answered ${result.kind}`);
}
