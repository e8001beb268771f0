/** Rows of any shape that the model allows come back as they were, through text, with every optional member or none. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/codec/canonical-json.js';
import { type JsonBytes, writtenText } from '../../src/codec/json/json-bytes.js';
import {
  type Decoded,
  decodeCatalogueRow,
  decodeMark,
  decodeOccurrenceRow,
  decodeScheduleRow,
  decodeVerdict,
  encodeCatalogueRow,
  encodeMark,
  encodeOccurrenceRow,
  encodeScheduleRow,
  encodeVerdict,
  fromWire,
  type ScheduleRow,
  writeCatalogueRow,
  writeMark,
  writeOccurrenceRow,
  writeScheduleRow,
  writeVerdict,
} from '../../src/codec/rows.js';
import type { CatalogueRow, DeletedMark } from '../../src/core/model/catalogue.js';
import type { Json } from '../../src/core/model/declaration.js';
import {
  OCCURRENCE_TRANSITIONS,
  type Occurrence,
  type OccurrenceStatus,
  type Verdict,
} from '../../src/core/model/occurrence.js';
import { type MissedCause, REASONS, type ReasonCode } from '../../src/core/model/reason.js';
import { type EpochMs, epochMs, MAX_INSTANT, MIN_INSTANT } from '../../src/core/time/instant.js';

const text = fc.string({ maxLength: 12 });
const at: fc.Arbitrary<EpochMs> = fc.integer({ min: MIN_INSTANT, max: MAX_INSTANT }).map(epochMs);
const count = fc.nat();
const truth = fc.boolean();
const reason = fc.constantFrom(...(Object.keys(REASONS) as ReasonCode[]));
const status = fc.constantFrom(...(Object.keys(OCCURRENCE_TRANSITIONS) as OccurrenceStatus[]));
const cause = fc.constantFrom<MissedCause>('ownerDown', 'paused', 'gate', 'backlog', 'clockStep', 'quarantined');
const result = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);
const held = fc.record({ cause, from: at, until: at }, { requiredKeys: ['cause', 'from'] });

const verdict: fc.Arbitrary<Verdict> = fc.record({
  verdict: fc.constantFrom('done', 'notDone', 'unknown'),
  note: text,
  by: text,
  at,
});

const fault = fc.record(
  { code: text, message: text, provider: text, stage: text, isRetryable: truth },
  { requiredKeys: ['code', 'message'] },
);

const attempt = fc.record(
  {
    attempt: count,
    epoch: count,
    fencingToken: count,
    claimedAt: at,
    endedAt: at,
    outcome: fc.constantFrom('succeeded', 'failed', 'cancelled', 'interrupted'),
    fault,
    stages: fc.array(
      fc.record({ name: text, startedAt: at, durationMs: count, outcome: fc.constantFrom('succeeded', 'timedOut') }),
      { maxLength: 2 },
    ),
    taskId: text,
    jobId: text,
  },
  { requiredKeys: ['attempt', 'epoch', 'fencingToken', 'claimedAt', 'endedAt', 'outcome', 'stages'] },
);

const occurrence: fc.Arbitrary<Occurrence> = fc
  .record(
    {
      scheduleId: fc.stringMatching(/^[a-z0-9.]{1,8}$/),
      revision: count,
      origin: fc.constantFrom('trigger', 'manual'),
      dueAt: at,
      admittedAt: at,
      concurrencyKey: text,
      status,
      reason,
      behind: text,
      window: fc.record({ firstAt: at, lastAt: at, count, isFloor: truth, causes: fc.array(cause, { maxLength: 3 }) }),
      isClosing: fc.constant(true as const),
      replaces: text,
      isRequestKept: fc.constant(true as const),
      claim: fc.record({ attempt: count, epoch: count, claimedAt: at, hasWorkspace: truth }),
      firstClaimedAt: at,
      retryAt: at,
      endRequest: fc.record({ kind: fc.constant('cancel' as const), by: text, at, reason }),
      attempts: fc.array(attempt, { maxLength: 2 }),
      plan: fc.record({ id: text, digest: text }),
      isPlanChanged: truth,
      verification: fc.record(
        {
          isVerified: truth,
          digest: text,
          receipts: fc.array(fc.record({ name: text, digest: text, bytes: count }), { maxLength: 2 }),
        },
        { requiredKeys: ['isVerified', 'receipts'] },
      ),
      result,
      nativeState: fc.constantFrom('not-dispatched', 'unknown'),
      endedAt: at,
      verdict,
    },
    {
      requiredKeys: ['scheduleId', 'revision', 'origin', 'dueAt', 'admittedAt', 'concurrencyKey', 'status', 'attempts'],
    },
  )
  .map(({ isRequestKept, ...row }) => {
    const id = `${row.scheduleId}~${row.revision}~${row.origin === 'manual' ? 'm~x' : 'x'}`;
    const kept = row.origin === 'manual' && isRequestKept ? { isRequestKept } : {};
    return withWhatItsStatusNeeds({ ...row, id, ...kept });
  });

function withWhatItsStatusNeeds(row: Occurrence): Occurrence {
  const claim = { attempt: 1, epoch: 1, claimedAt: row.dueAt, hasWorkspace: true };
  if (row.status === 'running') return { claim, ...row };
  if (row.status === 'retrying') return { retryAt: row.dueAt, ...row };
  return row.status === 'queued' ? row : { endedAt: row.dueAt, ...row };
}

const ended = fc.record({ occurrence: text, status, reason, at }, { requiredKeys: ['occurrence', 'status', 'at'] });

const schedule: fc.Arbitrary<ScheduleRow> = fc.record(
  {
    id: text,
    revision: count.map((value) => value + 1),
    version: count,
    createdAt: at,
    status: fc.constantFrom('active', 'paused', 'completed', 'expired', 'cancelled'),
    statusNote: fc.record({ reason, by: text, at, note: text }, { requiredKeys: ['reason', 'by', 'at'] }),
    quarantine: fc.record(
      {
        reason: fc.constantFrom('triggerBroken', 'unresponsive'),
        since: at,
        epoch: count,
        detail: text,
        occurrence: text,
        concurrencyKey: text,
      },
      { requiredKeys: ['reason', 'since', 'epoch', 'detail'] },
    ),
    nextDue: at,
    zoneData: text,
    calendarDigest: fc.constant(`sha256:${'a'.repeat(64)}`),
    collectedThrough: at,
    spent: count,
    isBudgetNoticed: fc.constant(true as const),
    resume: fc.record({ missed: fc.constantFrom('skip', 'runOnce', 'catchUp'), until: at }),
    collectNotBefore: at,
    isBacklogged: fc.constant(true as const),
    held: fc.array(held, { maxLength: 3 }),
    lastClaim: count,
    failuresInRow: count,
    skipsInRow: count,
    unresolved: fc.array(text, { maxLength: 2 }),
    lastSuccess: fc.record({ occurrence: text, dueAt: at, endedAt: at }),
    lastEnded: ended,
    acceptedClockAt: at,
    formerDueAt: at,
  },
  {
    requiredKeys: [
      'id',
      'revision',
      'version',
      'createdAt',
      'status',
      'collectedThrough',
      'spent',
      'held',
      'lastClaim',
      'failuresInRow',
      'skipsInRow',
      'unresolved',
    ],
  },
);

const mark: fc.Arbitrary<DeletedMark> = fc.record({ id: text, revision: count, collectedThrough: at, deletedAt: at });

const catalogue: fc.Arbitrary<CatalogueRow> = fc.record(
  {
    gate: fc.record({ isPaused: truth, by: text, at, note: text, lastSpan: held }, { requiredKeys: ['isPaused'] }),
    clockStop: fc.record({ reason: fc.constantFrom('clockBehind', 'catalogueBehind'), since: at, detail: text }),
    acceptedClockAt: at,
    calendars: fc.dictionary(
      fc.oneof(text, fc.constantFrom('result', 'labels', 'nextDue', 'at')).filter((name) => name !== '__proto__'),
      fc.record({ dates: fc.array(text, { maxLength: 2 }), digest: fc.constant(`sha256:${'0'.repeat(64)}`) }),
      { maxKeys: 3 },
    ),
  },
  { requiredKeys: ['gate'] },
);

function comesBack<T>(
  rows: fc.Arbitrary<T>,
  encode: (row: T) => unknown,
  decode: (value: unknown) => Decoded<T>,
): void {
  fc.assert(
    fc.property(rows, (row) => {
      const stored: unknown = JSON.parse(canonicalJson(encode(row) as Json));
      expect(decode(stored)).toEqual({ ok: true, value: row });
      expect(fromWire<T>(stored)).toEqual(row);
    }),
    { numRuns: 300 },
  );
}

/** The text of a row says what its wire form says, whatever that holds. */
function isSaid<T>(
  rows: fc.Arbitrary<T>,
  encode: (value: T) => unknown,
  write: (value: T, out: JsonBytes) => void,
): void {
  fc.assert(
    fc.property(rows, (row) => {
      expect(JSON.parse(writtenText((out) => write(row, out)))).toEqual(JSON.parse(JSON.stringify(encode(row))));
    }),
    { numRuns: 300 },
  );
}

describe('rows come back as they were', () => {
  it('[ST-1, ST-3] occurrences', () => comesBack(occurrence, encodeOccurrenceRow, decodeOccurrenceRow));
  it('[ST-1, ST-3] schedules', () => comesBack(schedule, encodeScheduleRow, decodeScheduleRow));
  it('[ST-1, ST-3] marks of deleted schedules', () => comesBack(mark, encodeMark, decodeMark));
  it('[ST-1, ST-3] the row of the catalogue', () => comesBack(catalogue, encodeCatalogueRow, decodeCatalogueRow));
  it('[ST-1, ST-3] verdicts', () => comesBack(verdict, encodeVerdict, decodeVerdict));

  it('[ST-1, ST-3] a row that is written at once says what its wire form says', () => {
    isSaid(occurrence, encodeOccurrenceRow, writeOccurrenceRow);
    isSaid(schedule, encodeScheduleRow, writeScheduleRow);
    isSaid(mark, encodeMark, writeMark);
    isSaid(catalogue, encodeCatalogueRow, writeCatalogueRow);
    isSaid(verdict, encodeVerdict, writeVerdict);
  });

  it('[ST-3] decoders never throw, whatever they are given', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        for (const decode of [decodeOccurrenceRow, decodeScheduleRow, decodeMark, decodeCatalogueRow, decodeVerdict]) {
          expect(decode(value).ok).toBe(false);
        }
      }),
    );
  });
});
