/**
 * Rows with every member that the model knows, and values that a careless store spoils: a store that has a column for what
 * it thought of, or a text type of its own, gives them back otherwise.
 */
import { digestOf } from '../../../codec/digest.js';
import type { CatalogueRow, Gate } from '../../../core/model/catalogue.js';
import type { Json, JsonObject } from '../../../core/model/declaration.js';
import { LIMITS } from '../../../core/model/limits.js';
import { type AttemptRecord, type Occurrence, occurrenceId, type StageRecord } from '../../../core/model/occurrence.js';
import type { Schedule } from '../../../core/model/schedule.js';
import type { RowChange } from '../../../ports/schedule-store.js';
import {
  records,
  SAMPLE_CALENDARS,
  SAMPLE_DOCUMENT,
  sampleAt,
  sampleOccurrence,
  sampleThinned,
  writes,
} from '../sample-catalogue.js';

/** U+0000, letters in both normal forms, one beyond U+FFFF, a mark of byte order, line ends of every kind, blanks at both ends. */
export const AWKWARD_TEXT = ' a\u0000b \u00e9 e\u0301 \u{1f5d3} \ufeff \u2028 "\\/ \r\n\t\u007f ';

/** Texts and numbers that have another form, or none, where they are not kept as JSON. @internal */
export const AWKWARD_VALUES: JsonObject = {
  version: 'sample/1',
  text: AWKWARD_TEXT,
  texts: ['', '\u0000', '2026-01-05', 'null', '\u00c5', '\u212b', 'A\u030a'],
  numbers: [0, 0.1, -1.5, 1e-7, 5e-324, 1e21, Number.MAX_VALUE, Number.MAX_SAFE_INTEGER, 0.1 + 0.2],
  others: [null, true, false, [], {}, [[]]],
};

/** Keys that mean something to a language or a database, at the top and below; they nest as deep as a document may. @internal */
export const AWKWARD_KEYS: JsonObject = { version: 'sample/1', ...awkwardly({ list: [awkwardly(nested())] }) };

function awkwardly(inner: JsonObject): JsonObject {
  const keys = [
    '__proto__',
    'constructor',
    'toString',
    '',
    '10',
    '9',
    '1e1',
    'a.b',
    '$set',
    'Ä',
    'A\u0308',
    'ä',
    '\u0000',
  ];
  return Object.fromEntries(keys.map((key, n): [string, Json] => [key, n === 0 ? inner : { n }]));
}

/** As deep as what stands around it leaves room for: two awkward objects and a list. */
function nested(): JsonObject {
  let value: JsonObject = { end: true };
  for (let depth = 6; depth < LIMITS.documentDepth.max; depth += 1) value = { in: value };
  return value;
}

/** A document of the greatest size that there is, to the byte. @internal */
export function largestDocument(): JsonObject {
  const list = Array.from({ length: 1000 }, (_, n) => `${n} ${'größer '.repeat(100)}`);
  const sizeOf = (end: string) => new TextEncoder().encode(JSON.stringify({ end, list, version: 'sample/1' })).length;
  return { end: 'x'.repeat(LIMITS.documentBytes.max - sizeOf('')), list, version: 'sample/1' };
}

/** A schedule with every member that one can have. @internal */
export function wholeSchedule(id: string): Required<Schedule> {
  const { definition, ...thinned } = sampleThinned(id);
  const declaration: Required<typeof definition.declaration> = {
    ...definition.declaration,
    objective: AWKWARD_TEXT,
    labels: Object.fromEntries([
      ['__proto__', AWKWARD_TEXT],
      ['', ''],
    ]),
    exclude: definition.declaration.exclude ?? {},
    spreadSeconds: 600,
    retryBackoff: { initialSeconds: 0.5, factor: 1.5, maxSeconds: 60 },
    maxLatenessSeconds: 3600,
    expiresAt: '2190-01-01T00:00:00.000Z',
    concurrencyKey: 'press',
    pauseAfterFailures: 3,
  };
  const occurrence = occurrenceId(id, 1, sampleAt(60));
  return {
    ...thinned,
    definition: { ...definition, declaration, plan: { id: 'plan', digest: digestOf(SAMPLE_DOCUMENT) } },
    status: 'paused',
    statusNote: { reason: 'failuresInRow', by: 'owner', at: sampleAt(5), note: AWKWARD_TEXT },
    quarantine: {
      reason: 'unresponsive',
      since: sampleAt(6),
      epoch: 1,
      detail: AWKWARD_TEXT,
      occurrence,
      concurrencyKey: 'press',
    },
    nextDue: sampleAt(120),
    zoneData: '2026a',
    calendarDigest: digestOf(SAMPLE_DOCUMENT),
    spent: 7,
    isBudgetNoticed: true,
    resume: { missed: 'catchUp', until: sampleAt(70) },
    collectNotBefore: sampleAt(71),
    isBacklogged: true,
    held: [
      { cause: 'gate', from: sampleAt(2), until: sampleAt(3) },
      { cause: 'paused', from: sampleAt(5) },
    ],
    lastClaim: 9,
    failuresInRow: 2,
    skipsInRow: 3,
    unresolved: [occurrence],
    lastSuccess: { occurrence, dueAt: sampleAt(60), endedAt: sampleAt(61) },
    lastEnded: { occurrence, status: 'failed', reason: 'retriesSpent', at: sampleAt(62) },
    acceptedClockAt: sampleAt(63),
    taken: [{ from: sampleAt(200), until: sampleAt(260) }],
    formerDueAt: sampleAt(50),
  };
}

/** The catalogue's row with every member that it can have. @internal */
export function wholeRow(): Required<CatalogueRow> {
  const lastSpan = { cause: 'gate', from: sampleAt(1), until: sampleAt(2) } as const;
  const gate: Required<Gate> = { isPaused: true, by: 'contract', at: sampleAt(3), note: AWKWARD_TEXT, lastSpan };
  return {
    gate,
    clockStop: { reason: 'clockBehind', since: sampleAt(4), detail: AWKWARD_TEXT },
    acceptedClockAt: sampleAt(5),
    acceptedSeenAt: sampleAt(6),
    calendars: SAMPLE_CALENDARS,
  };
}

function attempts(): readonly [AttemptRecord, Required<Omit<AttemptRecord, 'fault'>>] {
  const stage = (name: string, outcome: StageRecord['outcome']): StageRecord => ({
    name,
    startedAt: sampleAt(3),
    durationMs: 0.25,
    outcome,
  });
  const common = { epoch: 1, fencingToken: 3, claimedAt: sampleAt(3), endedAt: sampleAt(4) } as const;
  const fault = { code: 'deep', message: AWKWARD_TEXT, provider: 'sample', stage: 'one', isRetryable: true };
  return [
    { ...common, attempt: 1, outcome: 'failed', fault, stages: [stage('one', 'timedOut'), stage('main', 'failed')] },
    { ...common, attempt: 2, outcome: 'succeeded', stages: [stage('main', 'succeeded')], taskId: 't 1', jobId: 'j 1' },
  ];
}

/** Pending work of a schedule in each of its states, with all that it can carry. @internal */
export function wholePending(scheduleId: string): readonly Occurrence[] {
  const [failed] = attempts();
  const claim = { attempt: 2, epoch: 1, claimedAt: sampleAt(5), hasWorkspace: true } as const;
  const begun = { firstClaimedAt: sampleAt(3), attempts: [failed], plan: plan(), isPlanChanged: true } as const;
  const endRequest = { kind: 'cancel', by: AWKWARD_TEXT, at: sampleAt(6), reason: 'cancelled' } as const;
  return [
    sampleOccurrence(scheduleId, 'queued', 'queued', { replaces: `${scheduleId}~1~m~before`, isRequestKept: true }),
    sampleOccurrence(scheduleId, 'running', 'running', { ...begun, claim, endRequest, concurrencyKey: 'press' }),
    ofTrigger(scheduleId, 60, { ...begun, status: 'retrying', retryAt: sampleAt(90), concurrencyKey: 'press' }),
  ];
}

/** Ended work of a schedule, oldest first: one that succeeded, one that was interrupted, and one that was passed over. @internal */
export function wholeEnded(scheduleId: string): readonly Occurrence[] {
  const digest = digestOf(SAMPLE_DOCUMENT);
  const [failed, last] = attempts();
  return [
    sampleOccurrence(scheduleId, 'done', 'succeeded', {
      replaces: `${scheduleId}~1~m~before`,
      isRequestKept: true,
      concurrencyKey: 'press',
      firstClaimedAt: sampleAt(3),
      attempts: [failed, last],
      plan: plan(),
      isPlanChanged: true,
      verification: { isVerified: true, digest, receipts: [{ name: AWKWARD_TEXT, digest, bytes: 2 ** 40 }] },
      result: { ...AWKWARD_VALUES, keys: AWKWARD_KEYS },
      endedAt: sampleAt(8),
    }),
    ofTrigger(scheduleId, 80, {
      status: 'interrupted',
      reason: 'ownerDied',
      nativeState: 'not-dispatched',
      firstClaimedAt: sampleAt(81),
      attempts: [{ ...failed, outcome: 'interrupted', fencingToken: 0, stages: [] }],
      endedAt: sampleAt(90),
    }),
    ofTrigger(scheduleId, 120, {
      status: 'skipped',
      reason: 'superseded',
      behind: `${scheduleId}~1~m~before`,
      isClosing: true,
      window: {
        firstAt: sampleAt(100),
        lastAt: sampleAt(120),
        count: 10_000,
        isFloor: true,
        causes: ['gate', 'paused'],
      },
      endedAt: sampleAt(121),
    }),
  ];
}

/** The changes of a commit that lead to a record: a store may refuse one that waits to retry, or has ended, before it ran. @internal */
export function leadingTo(record: Occurrence): readonly RowChange[] {
  if (record.status === 'queued' || record.status === 'running' || record.status === 'skipped')
    return [records(record)];
  const { id, scheduleId, revision, origin, dueAt, admittedAt, concurrencyKey, isRequestKept } = record;
  const admitted = { id, scheduleId, revision, origin, dueAt, admittedAt, concurrencyKey };
  const kept = isRequestKept === undefined ? {} : { isRequestKept };
  const claim = { attempt: 1, epoch: 1, claimedAt: sampleAt(3), hasWorkspace: false };
  return [records({ ...admitted, ...kept, status: 'running', claim, attempts: [] }), records(record)];
}

/** The changes that make a schedule with every member, with all of its work, pending and ended. @internal */
export function wholeChanges(id: string): readonly RowChange[] {
  return [writes(wholeSchedule(id)), ...[...wholePending(id), ...wholeEnded(id)].flatMap(leadingTo)];
}

function plan(): NonNullable<Occurrence['plan']> {
  return { id: 'plan', digest: digestOf(SAMPLE_DOCUMENT) };
}

function ofTrigger(scheduleId: string, second: number, fields: Partial<Occurrence>): Occurrence {
  const dueAt = sampleAt(second);
  return sampleOccurrence(scheduleId, 'any', 'queued', {
    id: occurrenceId(scheduleId, 1, dueAt),
    origin: 'trigger',
    dueAt,
    ...fields,
  });
}
