/**
 * The catalogue as somebody finds it who opens the workspace afterwards: every schedule with all of its records.
 */

import { openWorkspace } from '../../../src/adapters/fs/file-workspace.js';
import { layoutOf } from '../../../src/adapters/fs/layout.js';
import type { Occurrence } from '../../../src/core/model/occurrence.js';
import type { CatalogueChanges, ScheduleStore, StoredEntry } from '../../../src/ports/schedule-store.js';
import { plainDisk } from '../disk/plain-disk.js';
import type { SimMedium } from '../disk/sim-medium.js';

/** A schedule with its records, ended ones newest first. */
export interface FoundSchedule {
  readonly stored: StoredEntry;
  readonly history: readonly Occurrence[];
}

/** See the head of this file. */
export interface FoundCatalogue {
  readonly changes: CatalogueChanges;
  readonly schedules: ReadonlyMap<string, FoundSchedule>;
}

/**
 * Reads everything, on a disk without faults, without waiting for anybody. After a flush that failed for good, what stands there is
 * told to nobody before an owner has mended it: that is done to a copy.
 */
export async function readCatalogue(medium: SimMedium, root: string): Promise<FoundCatalogue> {
  const isFailed = medium.look(layoutOf(root).failed) !== undefined;
  const disk = plainDisk(isFailed ? medium.clone() : medium);
  const workspace = await openWorkspace(root, {}, { disk, openLock: await disk.locks() });
  try {
    if (isFailed) await workspace.lock.acquire();
    return await catalogueIn(workspace.store);
  } finally {
    await workspace.close();
    disk.end();
  }
}

/** Reads everything from a store. */
export async function catalogueIn(store: ScheduleStore): Promise<FoundCatalogue> {
  const changes = await store.changes(0);
  const schedules = new Map<string, FoundSchedule>();
  for (const stored of changes.schedules) {
    const { id } = stored.entry.schedule;
    schedules.set(id, { stored, history: await wholeHistory(store, id) });
  }
  return { changes, schedules };
}

/** Every record of a schedule, pending and ended. */
export function recordsOf({ stored, history }: FoundSchedule): readonly Occurrence[] {
  return [...stored.entry.pending, ...history];
}

async function wholeHistory(store: ScheduleStore, scheduleId: string): Promise<readonly Occurrence[]> {
  const found: Occurrence[] = [];
  for (let before: string | undefined; ; ) {
    const page = await store.history({ scheduleId, limit: 1000, ...(before === undefined ? {} : { before }) });
    found.push(...page.records);
    if (page.next === undefined) return found;
    before = page.next;
  }
}
