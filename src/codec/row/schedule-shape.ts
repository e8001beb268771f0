/**
 * The stored shape of a schedule, of its definition, and of the rows that belong to the catalogue as a whole.
 *
 * A schedule stands in two rows: what was declared changes with an update only, how far its collection has come with
 * every tick that does something.
 */
import type { CatalogueRow, ClockStop, DeletedMark, Gate } from '../../core/model/catalogue.js';
import type { AttemptBudget, Declaration, RetryBackoff } from '../../core/model/declaration.js';
import type { Exclusion, NamedCalendar } from '../../core/model/exclusion.js';
import type {
  Definition,
  HeldSpan,
  LastEnded,
  Quarantine,
  Schedule,
  StatusNote,
  TakenSpan,
} from '../../core/model/schedule.js';
import type { Trigger } from '../../core/model/trigger.js';
import { missedCause, occurrenceStatus, planReference, reasonCode } from './occurrence-shape.js';
import {
  always,
  amount,
  asIs,
  count,
  digest,
  instant,
  listOf,
  oneOf,
  record,
  recordOf,
  related,
  type Shape,
  storedElsewhere,
  text,
  truth,
} from './row-shape.js';

/** A schedule without what it declares. @internal */
export type ScheduleRow = Omit<Schedule, 'definition'>;

const misfire = oneOf({ skip: 1, runOnce: 1, catchUp: 1 });

const budget = record<AttemptBudget>(
  { maxAttempts: count, maxRepeatedFailures: count, maxElapsedSeconds: count, timeoutPerStageSeconds: count },
  {},
);

const retryBackoff = record<RetryBackoff>({ initialSeconds: amount, factor: amount, maxSeconds: amount }, {});

/** A trigger is looked at when it is compiled; a stored one that cannot be is quarantined (CO-4). */
const trigger = related(asIs<Trigger>(), (value) => {
  const kind = typeof value === 'object' && value !== null ? Reflect.get(value, 'kind') : undefined;
  return typeof kind === 'string' ? undefined : ['kind', 'must name the kind of the trigger'];
});

/** What is left out is judged with the trigger; its names are those of the model (CO-4). */
const exclude = record<Exclusion>({}, { dates: listOf(text), weekdays: listOf(count), calendar: text, timezone: text });

const maxOccurrences: Shape<number | 'unlimited'> = {
  read: (value, faults) => (value === 'unlimited' ? value : count.read(value, faults)),
  write: (value, out) => (value === 'unlimited' ? out.quoted(value) : count.write(value, out)),
};

const declaration = record<Declaration>(
  {
    id: text,
    objective: text,
    allowedProviders: listOf(text),
    trigger,
    overlap: oneOf({ queue: 1, skip: 1, coalesce: 1 }),
    misfire,
    graceSeconds: count,
    maxCatchUp: count,
    maxOccurrences,
    maxRetries: count,
    budget,
    labels: recordOf(text),
  },
  {
    exclude,
    spreadSeconds: count,
    retryBackoff,
    maxLatenessSeconds: count,
    expiresAt: text,
    concurrencyKey: text,
    pauseAfterFailures: count,
  },
);

/** What was declared, with its pinned document and plan. @internal */
export const definition = record<Definition>(
  { declaration, documentDigest: digest, documentKind: text, caller: text, registeredAt: instant },
  { plan: planReference },
);

const heldSpan = record<HeldSpan>({ cause: missedCause, from: instant }, { until: instant });

const takenSpan = record<TakenSpan>({ from: instant, until: instant }, {});

const statusNote = record<StatusNote>({ reason: reasonCode, by: text, at: instant }, { note: text });

const quarantine = record<Quarantine>(
  { reason: oneOf({ triggerBroken: 1, unresponsive: 1 }), since: instant, epoch: count, detail: text },
  { occurrence: text, concurrencyKey: text },
);

const lastEnded = record<LastEnded>(
  { occurrence: text, status: occurrenceStatus, at: instant },
  { reason: reasonCode },
);

/** How far the collection of a schedule has come. @internal */
export const scheduleRow = related(
  record<ScheduleRow & { readonly definition?: unknown }>(
    {
      id: text,
      revision: count,
      version: count,
      createdAt: instant,
      status: oneOf({ active: 1, paused: 1, completed: 1, expired: 1, cancelled: 1 }),
      collectedThrough: instant,
      spent: count,
      held: listOf(heldSpan),
      lastClaim: count,
      failuresInRow: count,
      skipsInRow: count,
      unresolved: listOf(text),
    },
    {
      statusNote,
      quarantine,
      nextDue: instant,
      zoneData: text,
      calendarDigest: digest,
      isBudgetNoticed: always,
      resume: record<NonNullable<Schedule['resume']>>({ missed: misfire, until: instant }, {}),
      collectNotBefore: instant,
      isBacklogged: always,
      lastSuccess: record<NonNullable<Schedule['lastSuccess']>>(
        { occurrence: text, dueAt: instant, endedAt: instant },
        {},
      ),
      lastEnded,
      acceptedClockAt: instant,
      taken: listOf(takenSpan),
      formerDueAt: instant,
      definition: storedElsewhere,
    },
  ),
  (row) => (row.revision < 1 ? ['revision', 'must be 1 or more'] : undefined),
);

/** What stays of a deleted schedule. @internal */
export const deletedMark = record<DeletedMark>(
  { id: text, revision: count, collectedThrough: instant, deletedAt: instant },
  {},
);

const gate = record<Gate>({ isPaused: truth }, { by: text, at: instant, note: text, lastSpan: heldSpan });

const clockStop = record<ClockStop>(
  { reason: oneOf({ clockBehind: 1, catalogueBehind: 1 }), since: instant, detail: text },
  {},
);

const namedCalendar = record<NamedCalendar>({ dates: listOf(text), digest }, {});

/** The row of the catalogue itself. @internal */
export const catalogueRow = record<CatalogueRow>(
  { gate },
  { clockStop, acceptedClockAt: instant, acceptedSeenAt: instant, calendars: recordOf(namedCalendar) },
);
