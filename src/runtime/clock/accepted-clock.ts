/**
 * Following an accepted clock: each schedule goes on at the first due instant that nothing accounts for (CO-6).
 *
 * When an operator accepts the clock, or a catalogue from an old backup, what the schedules believe about the future may
 * be wrong. Whatever is recorded or has a workspace at or after the accepted time is taken, under whatever revision: those
 * that ran since a backup may be newer than all that the catalogue knows. The core finds the first instant that is not taken.
 * A schedule follows before it collects again, and once for each acceptance.
 */

import { foldId } from '../../core/model/catalogue.js';
import type { OwnerInput } from '../../core/model/input.js';
import type { Occurrence } from '../../core/model/occurrence.js';
import type { Schedule, ScheduleEntry } from '../../core/model/schedule.js';
import type { EpochMs } from '../../core/time/instant.js';
import type { Evidence } from '../../ports/evidence.js';
import type { ScheduleStore } from '../../ports/schedule-store.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import type { Committer } from '../commit/commit.js';

/** Records that are read at a time. */
const PAGE = 1000;

/** Schedules whose history is read at the same time. */
const AT_A_TIME = 64;

/** What this file works with. @internal */
export interface AcceptedClockParts {
  readonly store: ScheduleStore;
  readonly evidence: Evidence;
  readonly catalogue: Catalogue;
  readonly committer: Committer;
}

type Span = Extract<OwnerInput, { kind: 'acceptClock' }>['taken'][number];

/** Schedules that have not followed the last acceptance yet. @internal */
export function laggards(catalogue: Catalogue, now: EpochMs): readonly ScheduleEntry[] {
  const acceptedAt = catalogue.row.acceptedClockAt;
  if (acceptedAt === undefined) return [];
  return [...catalogue.entries()].filter(({ schedule }) => isLaggard(schedule, acceptedAt, now));
}

/** Whether a schedule has yet to follow an acceptance. @internal */
export function isLaggard(schedule: Schedule, acceptedAt: EpochMs, now: EpochMs): boolean {
  if (schedule.acceptedClockAt === acceptedAt) return false;
  // What was made after the acceptance has nothing to follow; what was made in a future that is no more, has.
  return schedule.createdAt < acceptedAt || schedule.createdAt > now;
}

/** Lets every schedule follow the last acceptance that has not done so. @internal */
export async function followAcceptedClock(parts: AcceptedClockParts, epoch: number, now: EpochMs): Promise<void> {
  const { catalogue, committer } = parts;
  const { acceptedClockAt: acceptedAt, acceptedSeenAt } = catalogue.row;
  if (acceptedAt === undefined) return;
  const isClockBehind = acceptedSeenAt !== undefined && acceptedSeenAt > acceptedAt;
  const late = laggards(catalogue, now);
  if (late.length === 0) return;
  const pruned = await prunedSpans(parts.store, acceptedAt);
  for (let first = 0; first < late.length; first += AT_A_TIME) {
    await Promise.all(
      late.slice(first, first + AT_A_TIME).map(async (entry) => {
        const gone = pruned.get(foldId(entry.schedule.id)) ?? [];
        const taken = joined([...gone, ...(await takenSpans(parts, entry, acceptedAt))]);
        const input: OwnerInput = { kind: 'acceptClock', acceptedAt, isClockBehind, taken };
        await committer.submit(entry.schedule.id, input, { actor: 'owner', epoch });
      }),
    );
  }
}

/** What was recorded at or after `from` and is pruned, by folded id: nothing up to the last such instant may be due again. */
async function prunedSpans(store: ScheduleStore, from: EpochMs): Promise<ReadonlyMap<string, readonly Span[]>> {
  const spans = new Map<string, readonly Span[]>();
  for (const { entry, prunedThrough } of (await store.changes(0)).schedules) {
    if (prunedThrough === undefined || prunedThrough < from) continue;
    spans.set(foldId(entry.schedule.id), [{ from, until: prunedThrough }]);
  }
  return spans;
}

/** What is recorded, pending or attempted of a schedule at or after `from`, as joined spans in order. @internal */
export async function takenSpans(
  parts: Pick<AcceptedClockParts, 'store' | 'evidence'>,
  entry: ScheduleEntry,
  from: EpochMs,
): Promise<readonly Span[]> {
  const recorded = await recordedSpans(parts.store, entry, from);
  const attempted = await parts.evidence.attempted(entry.schedule.id, from);
  return joined([...recorded, ...attempted.map((dueAt) => ({ from: dueAt, until: dueAt }))]);
}

/** What the catalogue itself knows of a schedule at or after `from`: records of every revision, and what is pending. @internal */
export async function recordedSpans(
  store: ScheduleStore,
  { schedule, pending }: ScheduleEntry,
  from: EpochMs,
): Promise<readonly Span[]> {
  const spans = pending.flatMap(spanOf);
  let before: string | undefined;
  do {
    const query = { scheduleId: schedule.id, limit: PAGE, ...(before === undefined ? {} : { before }) };
    const page = await store.history(query);
    spans.push(...page.records.flatMap(spanOf));
    before = page.next;
  } while (before !== undefined);
  return joined(spans.filter(({ until }) => until >= from));
}

function spanOf({ origin, dueAt, window }: Occurrence): readonly Span[] {
  return origin === 'trigger' ? [{ from: window?.firstAt ?? dueAt, until: window?.lastAt ?? dueAt }] : [];
}

function joined(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last === undefined || span.from > last.until) result.push(span);
    else if (span.until > last.until) result[result.length - 1] = { from: last.from, until: span.until };
  }
  return result;
}
