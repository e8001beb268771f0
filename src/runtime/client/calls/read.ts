/**
 * Readings: list, get, status, evidence (CT-1, OC-9, OW-1, CT-12). They change nothing and need no owner.
 */
import { plainCopy } from '../../../codec/json/plain-copy.js';
import { toWire } from '../../../codec/rows.js';
import type { DueExplanation } from '../../../core/explain/instant/due-explanation.js';
import { type DueQuestion, explain as explainDue } from '../../../core/explain/instant/explain.js';
import { LIMITS } from '../../../core/model/limits.js';
import type { Occurrence } from '../../../core/model/occurrence.js';
import type { Schedule, ScheduleEntry, ScheduleStatus } from '../../../core/model/schedule.js';
import { isOpen, statusAt } from '../../../core/policy/hold.js';
import { type EpochMs, formatInstant } from '../../../core/time/instant.js';
import type { OccurrenceEvidence } from '../../../ports/evidence.js';
import type { CallOptions } from '../../../ports/schedule-store.js';
import { ArgumentCheck } from '../arguments.js';
import type {
  ExplainOptions,
  GetOptions,
  ListOptions,
  ScheduleDetail,
  SchedulePage,
  SchedulesStatus,
} from '../options.js';
import { aheadOf, type ClientParts, callOf, currentEntry, freshEntry, viewOf } from '../parts.js';
import { type Attempt, notFoundError } from '../refusal-error.js';
import { isFailing, type OccurrenceView, occurrenceView, pendingView, scheduleView } from '../view.js';

const STATUSES: readonly ScheduleStatus[] = ['active', 'paused', 'completed', 'expired', 'cancelled'];

/** See `Schedules.list`. @internal */
export async function list(parts: ClientParts, options: ListOptions): Promise<SchedulePage> {
  const check = new ArgumentCheck({ control: 'list', scheduleId: 'schedules' });
  const limit = check.whole('limit', LIMITS.listPage, options.limit);
  const dueBefore = check.instant('dueBefore', options.dueBefore);
  const statuses = typeof options.status === 'string' ? [options.status] : options.status;
  for (const status of statuses ?? []) check.oneOf('status', STATUSES, status);
  check.done();
  await parts.catalogue.refresh(callOf(options));
  const now = parts.clock.now();
  const after = options.after?.toLowerCase();
  const found = [...parts.catalogue.entries()]
    .map((entry) => currentEntry(parts, entry))
    .filter(({ schedule }) => statuses === undefined || statuses.includes(statusAt(schedule, now)))
    .filter(({ schedule }) => options.label === undefined || hasLabel(schedule, options.label))
    .filter(({ schedule }) => options.failing === undefined || isFailing(schedule) === options.failing)
    .filter(({ schedule }) => dueBefore === undefined || isDueBefore(schedule, dueBefore, now))
    .map((entry) => ({ key: entry.schedule.id.toLowerCase(), entry }))
    .filter(({ key }) => after === undefined || key > after)
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const schedules = page.map(({ entry }) => scheduleView(entry, now, aheadOf(parts, entry, now)));
  return found.length > page.length && last !== undefined ? { schedules, next: last.entry.schedule.id } : { schedules };
}

/** See `Schedules.get`. @internal */
export async function get(parts: ClientParts, id: string, options: GetOptions): Promise<ScheduleDetail> {
  const attempt = { control: 'get', scheduleId: id };
  const check = new ArgumentCheck(attempt);
  const limit = check.whole('history.limit', LIMITS.historyPage, options.history?.limit);
  check.done();
  const entry = await freshEntry(parts, attempt, options);
  const { store, evidence } = parts.workspace;
  const { before } = options.history ?? {};
  const query = { scheduleId: entry.schedule.id, limit, ...(before === undefined ? {} : { before }) };
  const page = await store.history(query, callOf(options));
  const viewed = await pendingViewer(parts, entry, options);
  const detail: ScheduleDetail = {
    schedule: viewOf(parts, entry),
    pending: entry.pending.map(viewed),
    history: page.records.map((occurrence) => occurrenceView(occurrence, entry.schedule)),
    ...(page.next === undefined ? {} : { next: page.next }),
  };
  const digest = entry.schedule.definition.documentDigest;
  const pinned =
    options.document === true ? { document: plainCopy(await store.document(digest, callOf(options))) } : {};
  if (options.occurrence === undefined) return { ...detail, ...pinned };
  const record = await findOccurrence(parts, attempt, entry, options.occurrence, options);
  const kept = await evidence.read(record.id, callOf(options));
  const found = {
    occurrence: viewed(record),
    ...(kept === undefined ? {} : { evidence: kept }),
  };
  return { ...detail, ...pinned, ...found };
}

/** See `Schedules.explain`. @internal */
export async function explain(
  parts: ClientParts,
  id: string,
  question: DueQuestion,
  options: ExplainOptions,
): Promise<DueExplanation> {
  const entry = await freshEntry(parts, { control: 'explain', scheduleId: id }, options);
  const { calendars = {} } = parts.catalogue.row;
  const { timezone } = options;
  return explainDue(entry.schedule.definition.declaration, question, { calendars, zoneData: parts.zoneData, timezone });
}

/** Views occurrences with what they wait for; who owns the catalogue is asked where anything is pending alone. */
async function pendingViewer(
  { catalogue, clock, workspace }: ClientParts,
  { schedule, pending }: ScheduleEntry,
  options: CallOptions,
): Promise<(occurrence: Occurrence) => OccurrenceView> {
  const isOwned = pending.length > 0 && (await workspace.lock.status(callOf(options))).isHeld;
  const around = { schedule, gate: catalogue.row.gate, isOwned, now: clock.now() };
  return (occurrence) => {
    const keyHolder = catalogue.keyHolder(occurrence.concurrencyKey, occurrence.id);
    return pendingView(occurrence, keyHolder === undefined ? around : { ...around, keyHolder });
  };
}

/** See `Schedules.status`. @internal */
export async function status(parts: ClientParts, options: CallOptions): Promise<SchedulesStatus> {
  await parts.catalogue.refresh(callOf(options));
  const { catalogue, workspace } = parts;
  const { isHeld, report } = await workspace.lock.status(callOf(options));
  const { gate, clockStop } = catalogue.row;
  const now = parts.clock.now();
  const entries = [...catalogue.entries()].map((entry) => currentEntry(parts, entry));
  const nextDue = earliest(entries, now);
  return {
    owner: { isAlive: isHeld, ...(report === undefined ? {} : toWire(report)) },
    gate: toWire(gate),
    ...(clockStop === undefined ? {} : { clockStop: toWire(clockStop) }),
    counts: countsOf(entries, now),
    ...(nextDue === undefined ? {} : { nextDue: formatInstant(nextDue) }),
    seq: catalogue.seq,
    epoch: catalogue.epoch,
    ...(catalogue.seq === 0 ? {} : { lastSeenAt: formatInstant(catalogue.lastSeenAt) }),
  };
}

/** See `Schedules.evidence`. @internal */
export async function evidence(
  parts: ClientParts,
  occurrence: string,
  options: CallOptions,
): Promise<OccurrenceEvidence> {
  const found = await parts.workspace.evidence.read(occurrence, callOf(options));
  if (found !== undefined) return found;
  const attempt = { control: 'read the evidence of', scheduleId: scheduleIdOf(occurrence), occurrence };
  throw notFoundError(attempt, 'evidence');
}

/** An occurrence of a schedule, pending or ended, or `SCHEDULE_NOT_FOUND`. @internal */
export async function findOccurrence(
  parts: ClientParts,
  attempt: Attempt,
  entry: ScheduleEntry,
  occurrence: string,
  options: CallOptions,
): Promise<Occurrence> {
  const record = await findRecord(parts, entry, occurrence, options);
  if (record === undefined) throw notFoundError({ ...attempt, occurrence }, 'occurrence');
  return record;
}

/** An occurrence of a schedule, pending or ended, where it is still there. @internal */
export async function findRecord(
  parts: ClientParts,
  entry: ScheduleEntry,
  occurrence: string,
  options: CallOptions,
): Promise<Occurrence | undefined> {
  const pending = entry.pending.find(({ id }) => id === occurrence);
  if (pending !== undefined) return pending;
  const query = { scheduleId: entry.schedule.id, occurrence, limit: 1 };
  const { records } = await parts.workspace.store.history(query, callOf(options));
  return records[0];
}

/** The schedule that an occurrence's id names (OC-1). @internal */
export function scheduleIdOf(occurrence: string): string {
  return occurrence.split('~', 1)[0] ?? '';
}

function hasLabel({ definition }: Schedule, label: string): boolean {
  const { labels } = definition.declaration;
  const at = label.indexOf('=');
  const key = at < 0 ? label : label.slice(0, at);
  return Object.hasOwn(labels, key) && (at < 0 || labels[key] === label.slice(at + 1));
}

function isDueBefore(schedule: Schedule, before: EpochMs, now: EpochMs): boolean {
  const { nextDue } = schedule;
  return isOpen({ status: statusAt(schedule, now) }) && nextDue !== undefined && nextDue < before;
}

function earliest(entries: readonly ScheduleEntry[], now: EpochMs): EpochMs | undefined {
  let first: EpochMs | undefined;
  for (const { schedule } of entries) {
    const { nextDue } = schedule;
    if (statusAt(schedule, now) !== 'active' || nextDue === undefined) continue;
    if (first === undefined || nextDue < first) first = nextDue;
  }
  return first;
}

function countsOf(entries: readonly ScheduleEntry[], now: EpochMs): SchedulesStatus['counts'] {
  const counts = { active: 0, paused: 0, completed: 0, expired: 0, cancelled: 0 };
  const more = { schedules: entries.length, pending: 0, running: 0, quarantined: 0, unresolved: 0 };
  for (const { schedule, pending } of entries) {
    counts[statusAt(schedule, now)] += 1;
    more.pending += pending.length;
    more.running += pending.filter((occurrence) => occurrence.status === 'running').length;
    more.quarantined += schedule.quarantine === undefined ? 0 : 1;
    more.unresolved += schedule.unresolved.length;
  }
  return { ...counts, ...more };
}
