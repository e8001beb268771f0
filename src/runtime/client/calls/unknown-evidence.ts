/**
 * Evidence that a catalogue does not know: it came from a backup that is older than what has run (CO-6).
 *
 * An owner finds that at the first dispatch that meets a workspace; who accepts a restored catalogue does so before, and
 * this looks for the same. The evidence is read first and the catalogue then: what an owner begins meanwhile is claimed in it.
 */
import type { ScheduleEntry } from '../../../core/model/schedule.js';
import { type EpochMs, epochMs } from '../../../core/time/instant.js';
import type { Evidence } from '../../../ports/evidence.js';
import type { CallOptions, ScheduleStore } from '../../../ports/schedule-store.js';
import type { Catalogue } from '../../catalogue/catalogue.js';
import { recordedSpans } from '../../clock/accepted-clock.js';

/** Schedules whose evidence is read at the same time. */
const AT_A_TIME = 64;

/** What this file works with. @internal */
export interface UnknownEvidenceParts {
  readonly store: ScheduleStore;
  readonly evidence: Evidence;
  readonly catalogue: Catalogue;
}

/** Whether a schedule has a workspace for a due instant that it has yet to come to, and that nothing recorded accounts for. @internal */
export async function hasUnknownEvidence(parts: UnknownEvidenceParts, options: CallOptions = {}): Promise<boolean> {
  const { catalogue, evidence } = parts;
  await catalogue.refresh(options);
  const ahead = new Map<string, readonly EpochMs[]>();
  const entries = [...catalogue.entries()];
  for (let first = 0; first < entries.length; first += AT_A_TIME) {
    await Promise.all(
      entries.slice(first, first + AT_A_TIME).map(async ({ schedule: { id, collectedThrough } }) => {
        const found = await evidence.attempted(id, epochMs(collectedThrough + 1), options);
        if (found.length > 0) ahead.set(id, found);
      }),
    );
  }
  await catalogue.refresh(options);
  for (const [id, found] of ahead) {
    const entry = catalogue.entry(id);
    if (entry !== undefined && (await isUnknown(parts.store, entry, found))) return true;
  }
  return false;
}

async function isUnknown(store: ScheduleStore, entry: ScheduleEntry, found: readonly EpochMs[]): Promise<boolean> {
  const { collectedThrough, taken = [] } = entry.schedule;
  const left = found.filter((at) => at > collectedThrough && !taken.some((span) => isIn(span, at)));
  if (left.length === 0) return false;
  const recorded = await recordedSpans(store, entry, epochMs(collectedThrough + 1));
  return left.some((at) => !recorded.some((span) => isIn(span, at)));
}

function isIn({ from, until }: { readonly from: EpochMs; readonly until: EpochMs }, at: EpochMs): boolean {
  return from <= at && at <= until;
}
