/**
 * Following an accepted clock: each schedule goes on at the first due instant that nothing accounts for (CO-6).
 *
 * When an operator accepts the clock, or a catalogue from an old backup, what the schedules believe about the future may
 * be wrong. Whatever is recorded or has a workspace at or after the accepted time is taken; the core finds the first
 * instant that is not. A schedule follows before it collects again, and once for each acceptance.
 */

import { foldId } from '../../core/model/catalogue.js';
import type { OwnerInput } from '../../core/model/input.js';
import type { Occurrence } from '../../core/model/occurrence.js';
import type { ScheduleEntry } from '../../core/model/schedule.js';
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
  return [...catalogue.entries()].filter(({ schedule }) => {
    if (schedule.acceptedClockAt === acceptedAt) return false;
    // What was made after the acceptance has nothing to follow; what was made in a future that is no more, has.
    return schedule.createdAt < acceptedAt || schedule.createdAt > now;
  });
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

/** What is recorded, pending or attempted at or after `from` in the revision of a schedule, as joined spans in order. @internal */
export async function takenSpans(
  parts: Pick<AcceptedClockParts, 'store' | 'evidence'>,
  { schedule, pending }: ScheduleEntry,
  from: EpochMs,
): Promise<readonly Span[]> {
  const { id: scheduleId, revision } = schedule;
  const spans = pending.flatMap((occurrence) => spanOf(occurrence, revision));
  let before: string | undefined;
  do {
    const query = { scheduleId, revision, limit: PAGE, ...(before === undefined ? {} : { before }) };
    const page = await parts.store.history(query);
    spans.push(...page.records.flatMap((record) => spanOf(record, revision)));
    before = page.next;
  } while (before !== undefined);
  const attempted = await parts.evidence.attempted(scheduleId, revision, from);
  spans.push(...attempted.map((dueAt) => ({ from: dueAt, until: dueAt })));
  return joined(spans.filter(({ until }) => until >= from));
}

function spanOf(occurrence: Occurrence, revision: number): readonly Span[] {
  if (occurrence.origin !== 'trigger' || occurrence.revision !== revision) return [];
  const { dueAt, window } = occurrence;
  return [{ from: window?.firstAt ?? dueAt, until: window?.lastAt ?? dueAt }];
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
